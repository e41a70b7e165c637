//! Every printable ASCII character of every font: no contour is missing, doubled or inverted.

use serde_json::{Value, json};

use crate::oracle::{ask, font_file, font_slug, number};
use crate::pages::rendered::Pictures;
use crate::pages::writer_habits::sampled_fonts;

/// Mean error of one glyph, in 1/255 of full ink. Small glyphs (a full stop) are nearly all edge.
const MEAN_BOUND: f64 = 3.0;
/// Largest error of any pixel of a glyph.
const MAX_BOUND: f64 = 24.0;
/// How far a glyph's ink may be from what it should be, as a share of it. Chords lie beside their curves by up to
/// 0.02 px, which is 1.2 % of a full stop.
const AREA_BOUND: f64 = 0.02;

const EM: u32 = 60;
const CHARACTERS_IN_A_LINE: usize = 10;
/// Widens the spaces so that swashes do not reach the neighbours.
const WORD_SPACING: u32 = 60;

/// Characters that fonts draw as others, a backslash as a slash and a low line as a flourish, so that they are drawn with
/// their pen instead.
const DRAWN: [(u16, char); 3] = [(30, '\\'), (50, '\\'), (62, '_')];

/// The printable ASCII characters of a font, a space between any two; letters first, whose ink gives the first baseline.
fn lines(font: u16) -> Vec<String> {
    let of_file = ('!'..='~').filter(|character| !DRAWN.contains(&(font, *character)));
    let (letters, others): (Vec<char>, Vec<char>) = of_file.partition(char::is_ascii_alphabetic);
    let characters: Vec<String> = letters.into_iter().chain(others).map(String::from).collect();
    characters.chunks(CHARACTERS_IN_A_LINE).map(|line| line.join(" ")).collect()
}

fn request(font: u16) -> Value {
    json!({
        "text": lines(font).join("\n"), "font_id": font, "font_size": EM, "word_spacing": WORD_SPACING,
        "line_height_multiplier": 3,
    })
}

fn job(font: u16, picture: &Value, distortion: &Value) -> Value {
    json!({"picture": picture, "request": {
        "font": font_file(font), "lines": lines(font), "em": EM, "word_spacing": WORD_SPACING, "line_height": 3,
        "page_width": 2480, "page_height": 3508, "distortion": distortion,
    }})
}

/// What is wrong with one glyph, if anything is.
fn fault(glyph: &Value) -> Option<String> {
    let (mean, max, area) = (number(glyph, "mean"), number(glyph, "max"), number(glyph, "area_ratio"));
    let sound = mean <= MEAN_BOUND && max <= MAX_BOUND && (area - 1.0).abs() <= AREA_BOUND;
    (!sound).then(|| format!("{} mean {mean:.2} max {max:.1} ink {area:.4}", glyph["character"]))
}

fn faults(figures: &Value) -> Vec<String> {
    figures["glyphs"].as_array().unwrap().iter().filter_map(fault).collect()
}

#[test]
fn every_ascii_glyph_has_its_shape() {
    let mut pictures = Pictures::new();
    let fonts = sampled_fonts();
    let jobs: Vec<Value> =
        fonts.iter().map(|&font| job(font, &json!(pictures.add(&request(font))), &json!({}))).collect();
    let answer = ask("exact_coverage.py", &json!(jobs));
    let mut found = Vec::new();
    for (font, figures) in fonts.into_iter().zip(answer.as_array().unwrap()) {
        let glyphs = figures["glyphs"].as_array().unwrap();
        let compared = glyphs.iter().filter(|glyph| number(glyph, "compared") > 0.0).count();
        assert!(compared >= 90, "font {font}: only {compared} glyphs could be compared");
        found.extend(faults(figures).into_iter().map(|fault| format!("{}: {fault}", font_slug(font))));
    }
    assert!(found.is_empty(), "{} glyphs are off:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_missing_doubled_or_inverted_contour_is_found() {
    for mistake in [
        json!({"drop_contour": 0}),
        json!({"drop_contour": -1}),
        json!({"reverse_contour": -1}),
        json!({"doubled": true}),
        json!({"drop_character": "g"}),
    ] {
        let figures = &ask("exact_coverage.py", &json!([job(2, &Value::Null, &mistake)]))[0];
        let seen = faults(figures).len() + usize::from(number(figures, "max") > MAX_BOUND);
        assert!(seen > 0, "{mistake} went unseen");
    }
    let sound = &ask("exact_coverage.py", &json!([job(2, &Value::Null, &json!({}))]))[0];
    assert_eq!(faults(sound), Vec::<String>::new());
}
