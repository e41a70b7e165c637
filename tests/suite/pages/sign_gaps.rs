//! White between signs and what is beside them, on outlines as files have them.

use kurbo::{BezPath, ParamCurve as _, ParamCurveArclen as _, PathEl};
use longhand::catalogue::FontId;
use longhand::layout::{PlacedWord, lay_out};
use longhand::mesh::MeshCache;
use longhand::scene::RenderParams;
use longhand::vector::{PathKind, VectorPath, vector_text};
use serde_json::{Value, json};

use super::rendered::{spec, with};
use super::writer_checks::{mean, size_of};
use super::writer_gaps::least_distance;
use super::writer_habits::{page_of, sampled_fonts, x_height_px};
use crate::layout::pages::CATALOGUE;

/// Letters with arms, tails and leaning sides, and figures.
const BESIDE: &str = "abdefghjkoqrstuxyz02579FTYPVKD";
const AFTER: &str = ".,;:!?)\u{201d}";
const BEFORE: &str = "(\u{201c}";
const TOGETHER: [&str; 8] = ["n).", "n?)", "n?\u{201d}", "n!\u{201d}", "n),", "it\u{2019}s", "7:45", "8.30"];
/// Points of outlines are no farther apart than this, in px.
const STEP: f64 = 0.5;
/// The distance in x-heights below which a sign and a letter seem to touch: half a pixel at the size of the test.
const TOUCH: f64 = 0.02;
/// The most gaps that may be narrower, as a share: where the widest line of a pen meets the widest. Without variation,
/// one of fifty signs touches a letter.
const MOST: f64 = 0.001;
/// The least distance without a pen, in x-heights: what the layout leaves, less what its steps of heights miss.
const LEAST: f64 = 0.22;

/// Points along the outline of a path, in page px.
fn points(path: &VectorPath) -> Vec<[f64; 2]> {
    let path: BezPath = path.shape.path().into_iter().map(PathEl::from).collect();
    let mut points = Vec::new();
    for edge in path.segments() {
        let steps = (edge.arclen(0.1) / STEP).ceil().max(1.0) as u32;
        let at = (0..steps).map(|step| edge.eval(f64::from(step) / f64::from(steps)));
        points.extend(at.map(|at| [at.x, at.y]));
    }
    points
}

/// The words in which a sign of these is last or first.
fn words() -> Vec<String> {
    let after = AFTER.chars().flat_map(|sign| BESIDE.chars().map(move |letter| format!("n{letter}{sign}")));
    let before = BEFORE.chars().flat_map(|sign| BESIDE.chars().map(move |letter| format!("{sign}{letter}n")));
    after.chain(before).chain(TOGETHER.map(str::to_owned)).collect()
}

/// A sign and what is beside it.
struct Gap {
    word: String,
    /// The number of the first of both in its word.
    index: usize,
    /// Least distance of their outlines, in x-heights.
    distance: f64,
}

/// The gaps beside all signs of a text that is written with these members of the request.
fn gaps(text: &str, font: u16, members: &Value) -> Vec<Gap> {
    let face = CATALOGUE.face(FontId::new(font).unwrap());
    let request = json!({"text": text, "font_id": font, "font_size": size_of(face), "page_size": "a3", "seed": 1,
                         "overflow": "clip"});
    let spec = spec(&with(&request, members));
    let page = lay_out(&spec, &CATALOGUE).unwrap();
    let params = RenderParams::of(&spec, spec.dpi.scale());
    let text = vector_text(&page, &params, PathKind::Outlines, &CATALOGUE, &MeshCache::default(), &|| true).unwrap();
    let x_height = x_height_px(&page, face);
    let mut found = Vec::new();
    for (word, drawn) in page.words.iter().zip(&text.words) {
        let inked: Vec<_> = word.glyphs.iter().filter(|glyph| face.ink(glyph.glyph).is_some()).collect();
        assert_eq!(inked.len(), drawn.paths.len(), "{}", word.text.characters);
        let outlines: Vec<Vec<[f64; 2]>> = drawn.paths.iter().map(points).collect();
        let is_sign = |index: usize| {
            let sign = |sign: char| face.glyph_for(sign) == Some(inked[index].glyph);
            AFTER.chars().chain(BEFORE.chars()).chain(['\u{2019}']).any(sign)
        };
        for (index, pair) in outlines.windows(2).enumerate().filter(|(index, _)| is_sign(*index) || is_sign(index + 1))
        {
            let distance = least_distance(&pair[0], &pair[1]) / x_height;
            found.push(Gap { word: word.text.characters.clone(), index, distance });
        }
    }
    found
}

/// Asserts that at most one of a thousand gaps of the sampled hands is narrower, in x-heights.
fn assert_no_narrower(least: f64, members: &Value) {
    let (mut all, mut narrow) = (0, Vec::new());
    for font in sampled_fonts() {
        for Gap { word, index, distance } in gaps(&words().join(" "), font, members) {
            all += 1;
            if distance < least {
                narrow.push(format!("font {font}: {word} {index}: {distance:.3}"));
            }
        }
    }
    println!("{} of {all} below {least}: {narrow:#?}", narrow.len());
    assert!(all > 300 * sampled_fonts().len(), "{all}");
    assert!((narrow.len() as f64) < MOST * all as f64, "{narrow:#?}");
}

#[test]
fn signs_are_clear_of_what_is_beside_them() {
    assert_no_narrower(LEAST, &json!({"enable_writer_variation": true}));
}

#[test]
fn signs_do_not_touch_what_is_beside_them_where_a_pen_widens_both() {
    assert_no_narrower(TOUCH, &json!({"preset": "letter"}));
}

#[test]
fn letters_share_a_map_between_two_signs() {
    let (page, _) = page_of("3.50 1,000 www.example.com e.g. end.", 2, 1.0, 3);
    let starts = |word: &PlacedWord| word.letters.iter().filter(|letter| letter.begins_word()).count();
    assert_eq!(page.words.iter().map(starts).collect::<Vec<_>>(), [3, 3, 5, 4, 2]);
}

#[test]
fn marks_inside_numbers_and_addresses_stay_nearer_than_those_at_ends() {
    let mut wrong = Vec::new();
    for font in sampled_fonts() {
        let text = "3.50 1,000 8.30 www.example.com 350. 1000, 830. com. ".repeat(6);
        let before = |is_end: bool| {
            let gaps = gaps(&text, font, &json!({"preset": "letter"})).into_iter();
            let wanted = gaps.filter(|gap| gap.word.ends_with(['.', ',']) == is_end && !is_mark(&gap.word, gap.index));
            mean(&wanted.map(|gap| gap.distance).collect::<Vec<_>>())
        };
        let [inside, end] = [before(false), before(true)];
        println!("font {font}: {inside:.3} inside, {end:.3} at the end");
        if inside > end - 0.1 {
            wrong.push(format!("font {font}: {inside:.3} inside, {end:.3} at the end"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether a character of a word is a full stop or comma.
fn is_mark(word: &str, index: usize) -> bool {
    word.chars().nth(index).is_some_and(|character| ['.', ','].contains(&character))
}
