//! The fixed scenes: what is written on each never changes, or the numbers could not be compared over time.

use longhand::spec::{Endpoint, RenderSpec, parse_value};
use serde_json::{Value, json};

/// A page with a name.
pub(crate) struct Scene {
    /// What it is called in the tables.
    pub(crate) name: &'static str,
    /// What is to be rendered, as PNG.
    pub(crate) spec: RenderSpec,
    /// The same as PDF.
    pub(crate) pdf: RenderSpec,
    /// The same as PDF/X-1a, in blue: black costs no conversion.
    pub(crate) pdfx: RenderSpec,
}

/// A Tale of Two Cities (1859), opening: plain English with the usual share of commas.
const PROSE: &str = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of \
    foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the \
    season of Darkness, it was the spring of hope, it was the winter of despair, we had everything before us, we had \
    nothing before us, we were all going direct to Heaven, we were all going direct the other way. ";

/// Every scene, the most telling first.
pub(crate) fn all() -> Vec<Scene> {
    vec![
        scene("dense A4", &json!({"text": prose(1500), "font_size": 60, "line_height_multiplier": 1.2})),
        scene(
            "effects A4",
            &json!({
                "text": prose(1500), "font_size": 60, "line_height_multiplier": 1.2, "enable_natural_variation": true,
                "enable_ink_flow": true, "enable_word_rotation": true, "enable_random_indentation": true,
            }),
        ),
        scene("sparse A4", &json!({"text": prose(200), "font_size": 120})),
        scene(
            "envelope",
            &json!({
                "text": "Miss Elizabeth Bennet\nLongbourn House\nNear Meryton\nHertfordshire\nEngland",
                "generation_type": "address", "page_size": "envelope_10", "orientation": "landscape",
                "font_size": 60, "margin_left": 1300, "margin_top": 500, "line_height_multiplier": 1.2,
            }),
        ),
        scene(
            "A3 at 600 DPI",
            &json!({
                "text": prose(10_000), "font_size": 56, "page_size": "a3", "dpi": 600, "line_height_multiplier": 1.2,
            }),
        ),
    ]
}

/// Texts whose size is to be found: nothing but their layout is timed.
pub(crate) fn to_be_sized() -> Vec<Scene> {
    let auto = |name, font: u8, turned: bool| {
        scene(name, &json!({"text": prose(10_000), "font_id": font, "enable_word_rotation": turned}))
    };
    vec![
        auto("automatic size, font 1", 1, false),
        auto("automatic size, font 2", 2, false),
        auto("automatic size, font 12", 12, false),
        auto("automatic size, font 1, turned", 1, true),
    ]
}

/// Exactly `characters` characters of prose that end on a letter.
fn prose(characters: usize) -> String {
    let mut text: String = PROSE.chars().cycle().take(characters - 1).collect();
    text.push('x');
    text
}

fn scene(name: &'static str, request: &Value) -> Scene {
    let spec_of = |more: Value| {
        let mut request = request.clone();
        if let (Value::Object(members), Value::Object(more)) = (&mut request, more) {
            members.extend(more);
        }
        parse_value(&request, Endpoint::Generate, || 1).expect("the scene is a valid request")
    };
    let pdfx = json!({"output_format": "pdf", "text_color": [20, 30, 120], "pdf": {"standard": "pdfx1a"}});
    Scene { name, spec: spec_of(json!({})), pdf: spec_of(json!({"output_format": "pdf"})), pdfx: spec_of(pdfx) }
}
