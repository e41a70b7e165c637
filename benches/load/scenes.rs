//! What is asked of the service, as bodies of requests. They never change, or figures could not be compared over time.

use serde_json::{Value, json};

/// A request with a name.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// What it is called in the tables.
    pub(crate) name: &'static str,
    /// Where it is sent.
    pub(crate) path: &'static str,
    /// JSON.
    pub(crate) body: String,
}

/// A Tale of Two Cities (1859), opening, as in `benches/pages`.
const PROSE: &str = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of \
    foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the \
    season of Darkness, it was the spring of hope, it was the winter of despair, we had everything before us, we had \
    nothing before us, we were all going direct to Heaven, we were all going direct the other way. ";

/// Every scene.
pub(crate) fn all() -> Vec<Scene> {
    let dense = json!({"text": prose(1500), "font_size": 60, "line_height_multiplier": 1.2});
    vec![
        page("dense", &dense, &json!({})),
        page("sparse", &json!({"text": prose(200), "font_size": 120}), &json!({})),
        page(
            "effects",
            &dense,
            &json!({
                "enable_natural_variation": true, "enable_ink_flow": true, "enable_word_rotation": true,
                "enable_random_indentation": true,
            }),
        ),
        Scene { path: "/api/v1/preview", ..page("preview", &dense, &json!({})) },
        page(
            "envelope",
            &json!({
                "text": "Miss Elizabeth Bennet\nLongbourn House\nNear Meryton\nHertfordshire\nEngland",
                "generation_type": "address", "page_size": "envelope_10", "orientation": "landscape",
                "font_size": 60, "margin_left": 1300, "margin_top": 500, "line_height_multiplier": 1.2,
            }),
            &json!({}),
        ),
        page(
            "A3-600-10k",
            &json!({
                "text": prose(10_000), "font_size": 56, "page_size": "a3", "dpi": 600, "line_height_multiplier": 1.2,
            }),
            &json!({}),
        ),
        page("PDF", &dense, &json!({"output_format": "pdf"})),
        page(
            "PDF-X",
            &dense,
            &json!({"output_format": "pdf", "text_color": [20, 30, 120], "pdf": {"standard": "pdfx1a"}}),
        ),
    ]
}

/// The scene of this name.
pub(crate) fn named(name: &str) -> Scene {
    all().into_iter().find(|scene| scene.name == name).expect("there is such a scene")
}

impl Scene {
    /// Paper without ink.
    pub(crate) fn blank(page_size: &str, dpi: u32) -> Self {
        page("blank", &json!({"text": " ", "font_size": 60, "page_size": page_size, "dpi": dpi}), &json!({}))
    }
}

fn page(name: &'static str, request: &Value, more: &Value) -> Scene {
    let mut request = request.clone();
    if let (Value::Object(members), Value::Object(more)) = (&mut request, more) {
        members.extend(more.clone());
    }
    Scene { name, path: "/api/v1/generate", body: request.to_string() }
}

/// Exactly `characters` characters of prose that end on a letter.
fn prose(characters: usize) -> String {
    let mut text: String = PROSE.chars().cycle().take(characters - 1).collect();
    text.push('x');
    text
}
