//! Fonts that stand in for the chosen one: their size, their stroke, and what the warning tells.

use longhand::catalogue::{FontFace, FontId};
use longhand::layout::{PageLayout, PlacedRun, lay_out};
use longhand::spec::RenderSpec;
use longhand::warning::WarningKind;
use unicode_script::{Script, UnicodeScript as _};

use crate::layout::pages::{CATALOGUE, spec};

const SCALES: std::ops::RangeInclusive<f64> = 0.75..=1.35;

/// A word of each script that only some fonts have, with letters that show its height.
const WORDS: &[(&str, &str)] = &[
    ("Καλημέρα", ""),
    ("Привет", ""),
    ("řeka", ""),
    ("תודה", "אבהחםרת"),
    ("สวัสดี", "กนบลวสอ"),
    ("नमस्ते", "कगनपमरस"),
    ("നമസ്കാരം", "കതനപമരല"),
    ("한국어", "한글가나다말"),
    ("東京へ", "国中日本回田目"),
];

fn page(spec: &RenderSpec) -> PageLayout {
    lay_out(spec, &CATALOGUE).unwrap()
}

/// Bottom and top of a letter's ink in ems.
fn ink(face: &FontFace, letter: char) -> [f64; 2] {
    let ink = face.ink(face.glyph_for(letter).unwrap()).unwrap();
    [ink.min.y, ink.max.y].map(|edge| edge.get() / f64::from(face.units_per_em()))
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

/// The height in ems by which the letters of a word are compared: the x-height, or that of its own letters.
fn height(face: &FontFace, letters: &str) -> f64 {
    let in_squares = letters.chars().any(|letter| matches!(letter.script(), Script::Han | Script::Hangul));
    let heights = letters.chars().map(|letter| ink(face, letter));
    match letters {
        "" => ink(face, 'x')[1],
        _ => middle(heights.map(|[bottom, top]| if in_squares { top - bottom } else { top }).collect()),
    }
}

/// The mean of x-height and height of capitals, in ems.
fn latin(face: &FontFace) -> f64 {
    f64::midpoint(ink(face, 'x')[1], middle(('A'..='Z').map(|letter| ink(face, letter)[1]).collect()))
}

/// How much larger letters of the substitute have to be to stand beside those of the chosen font, which lacks them.
fn wanted_scale(chosen: &FontFace, substitute: &FontFace, letters: &str) -> f64 {
    let has_all = |face: &FontFace| letters.chars().all(|letter| face.has(letter));
    if has_all(chosen) && has_all(substitute) {
        height(chosen, letters) / height(substitute, letters)
    } else {
        latin(chosen) / latin(substitute)
    }
}

/// The run of a word that another font writes, if the chosen font lacks it.
fn substituted(font: FontId, word: &str) -> Option<PlacedRun> {
    let page = page(&RenderSpec { font, ..spec(&format!("so {word} on")) });
    page.lines[0].runs.iter().find(|run| run.font != font).cloned()
}

#[test]
fn a_substitute_has_the_height_of_the_chosen_font_within_bounds() {
    let (mut exact, mut bounded) = (0, 0);
    for chosen in CATALOGUE.faces() {
        for (word, letters) in WORDS {
            let Some(run) = substituted(chosen.id(), word) else { continue };
            let substitute = CATALOGUE.face(run.font);
            let scale = run.em.get() / 60.0;
            let wanted = wanted_scale(chosen, substitute, letters);
            let expected = wanted.clamp(*SCALES.start(), *SCALES.end());
            let names = format!("{} for {} in {word}", substitute.slug(), chosen.slug());
            assert!((scale - expected).abs() < 1e-9, "{names}: {scale}, not {expected}");
            if (wanted - expected).abs() < 1e-12 { exact += 1 } else { bounded += 1 }
        }
    }
    assert!(exact > 500 && bounded > 50, "{exact} exact, {bounded} at the bounds");
}

#[test]
fn letters_that_both_fonts_have_are_compared_directly() {
    let hebrew = "אבהחםרת";
    for (chosen, other) in [(86, 87), (87, 88), (42, 86)] {
        let [chosen, other] = [chosen, other].map(|number| FontId::new(number).unwrap());
        let wanted = wanted_scale(CATALOGUE.face(chosen), CATALOGUE.face(other), hebrew);
        let scale = CATALOGUE.substitute_scale(chosen, other, Script::Hebrew);
        assert!((scale - wanted.clamp(0.75, 1.35)).abs() < 1e-9, "{scale} {wanted}");
    }
}

#[test]
fn the_width_of_a_line_includes_the_scale_of_a_substitute() {
    let mut compared = 0;
    for (word, _) in WORDS {
        let font = FontId::new(63).unwrap();
        let alone = page(&RenderSpec { font, ..spec(&format!("{word} {word}")) });
        let run = &alone.lines[0].runs[0];
        if run.font == font {
            continue;
        }
        let own = page(&RenderSpec { font: run.font, ..spec(&format!("{word} {word}")) });
        let width = |page: &PageLayout| {
            let inks: Vec<_> = page.glyphs().map(|glyph| glyph.ink).collect();
            let edge = |edge: &dyn Fn(usize) -> f64, start: f64, pick: fn(f64, f64) -> f64| {
                (0..inks.len()).map(edge).fold(start, pick)
            };
            edge(&|index| inks[index].max.x.get(), f64::MIN, f64::max)
                - edge(&|index| inks[index].min.x.get(), f64::MAX, f64::min)
        };
        let scale = run.em.get() / 60.0;
        assert!((width(&alone) - scale * width(&own)).abs() < 1e-6, "{word}");
        compared += 1;
    }
    assert_eq!(compared, WORDS.len() - 1, "the font has one of the words");
}

/// The stroke of the substitute in strokes of the chosen font, at least 1.
fn stroke_ratio(chosen: &FontFace, other: &FontFace, script: Script) -> f64 {
    let scale = CATALOGUE.substitute_scale(chosen.id(), other.id(), script);
    let ratio = scale * other.stroke_em() / chosen.stroke_em();
    ratio.max(1.0 / ratio)
}

#[test]
fn a_substitute_of_the_same_style_has_a_similar_stroke() {
    let mut found = 0;
    for chosen in CATALOGUE.faces() {
        for (word, _) in WORDS {
            let Some(run) = substituted(chosen.id(), word) else { continue };
            let (substitute, script) = (CATALOGUE.face(run.font), word.chars().next().unwrap().script());
            let writers = CATALOGUE.faces().filter(|face| face.id() != chosen.id() && face.characters().writes(word));
            let kin = writers.filter(|face| face.record().style == substitute.record().style);
            let nearest = kin.map(|face| stroke_ratio(chosen, face, script)).fold(f64::INFINITY, f64::min);
            let ratio = stroke_ratio(chosen, substitute, script);
            // Slant, height and neatness count too: a visible difference of each is worth a quarter of the stroke.
            assert!(ratio < 2.0 * nearest, "{} for {} in {word}", substitute.slug(), chosen.slug());
            found += 1;
        }
    }
    assert!(found > 500, "{found}");
}

#[test]
fn the_warning_names_the_font_and_says_that_whole_words_changed() {
    let page = page(&RenderSpec { font: FontId::new(35).unwrap(), ..spec("Big Δοκιμή here") });
    let warning = page.warnings.iter().find(|warning| warning.kind == WarningKind::FontSubstituted).unwrap();
    let message = &warning.message;
    assert!(message.starts_with("font 35 (Permanent Marker) lacks Δ (U+0394), ο (U+03BF)"), "{message}");
    assert!(message.contains("; 1 whole word that contains them is written in font 19 (Mynerve)"), "{message}");
}
