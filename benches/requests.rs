//! What is asked for in the benchmarks, as bodies of requests. They never change, or figures could not be compared over
//! time.

use serde_json::{Value, json};

/// A Tale of Two Cities (1859), opening: plain English with the usual share of commas.
const PROSE: &str = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of \
    foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the \
    season of Darkness, it was the spring of hope, it was the winter of despair, we had everything before us, we had \
    nothing before us, we were all going direct to Heaven, we were all going direct the other way. ";

/// Exactly `characters` characters of prose that end on a letter.
pub(crate) fn prose(characters: usize) -> String {
    let mut text: String = PROSE.chars().cycle().take(characters - 1).collect();
    text.push('x');
    text
}

/// An A4 page full of writing.
pub(crate) fn dense() -> Value {
    json!({"text": prose(1500), "font_size": 60, "line_height_multiplier": 1.2})
}

/// The dense page with every effect, each at its usual strength.
pub(crate) fn effects() -> Value {
    let all = json!({
        "enable_natural_variation": true, "enable_ink_flow": true, "enable_word_rotation": true,
        "enable_random_indentation": true,
    });
    with(&dense(), &all)
}

/// The dense page with writer variation alone.
pub(crate) fn varied() -> Value {
    with(&dense(), &json!({"enable_writer_variation": true}))
}

/// The dense page with all five effects.
pub(crate) fn every_effect() -> Value {
    with(&effects(), &json!({"enable_writer_variation": true}))
}

/// A few large words on A4.
pub(crate) fn sparse() -> Value {
    json!({"text": prose(200), "font_size": 120})
}

/// An address.
pub(crate) fn envelope() -> Value {
    json!({
        "text": "Miss Elizabeth Bennet\nLongbourn House\nNear Meryton\nHertfordshire\nEngland",
        "generation_type": "address", "page_size": "envelope_10", "orientation": "landscape",
        "font_size": 60, "margin_left": 1300, "margin_top": 500, "line_height_multiplier": 1.2,
    })
}

/// The largest page with the longest text.
pub(crate) fn largest() -> Value {
    json!({"text": prose(10_000), "font_size": 56, "page_size": "a3", "dpi": 600, "line_height_multiplier": 1.2})
}

/// `request` as an RGB PDF.
pub(crate) fn as_pdf(request: &Value) -> Value {
    with(request, &json!({"output_format": "pdf"}))
}

/// `request` as PDF/X-1a, in blue: black costs no conversion.
pub(crate) fn as_pdfx(request: &Value) -> Value {
    let press = json!({"output_format": "pdf", "text_color": [20, 30, 120], "pdf": {"standard": "pdfx1a"}});
    with(request, &press)
}

/// `request` with the members of `more`.
pub(crate) fn with(request: &Value, more: &Value) -> Value {
    let mut request = request.clone();
    if let (Value::Object(members), Value::Object(more)) = (&mut request, more) {
        members.extend(more.clone());
    }
    request
}
