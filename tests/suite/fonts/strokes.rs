//! The strokes of fonts: that each file is of its font and reads whole, which characters they cover, and how well.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use longhand::catalogue::{
    CatalogueError, CatalogueSource, FontCatalogue, FontFace, FontId, OutlineCommand, Stroke, is_default_ignorable,
};
use longhand::geometry::Point;
use longhand::units::FontUnits;
use serde_json::{Value, json};

use crate::oracle::{ask, font_file};

static CATALOGUE: LazyLock<FontCatalogue> = LazyLock::new(|| FontCatalogue::load().unwrap());

/// A font passes `scripts/strokes` with this mean overlap over the ASCII letters, and this for each of them.
const LEAST_MEAN: f64 = 0.8;
const LEAST_LETTER: f64 = 0.6;
/// Every how manyth font the overlap is measured for.
const SAMPLE: usize = 5;

/// Fonts whose small letters have the form of capitals.
const CAPITALS: [&str; 2] = ["amatic-sc", "rock-salt"];

/// Letters that follow another order or direction than the rules of `stroke_order.py` say, with the reason.
const OTHERWISE: &[(&str, &str, &str)] = &[
    ("annie-use-your-telescope", "a", "stem and bowl are one line, so the bowl begins at the foot"),
    ("cedarville-cursive", "s", "its exit goes on to the right after the body"),
    ("dawning-of-a-new-day", "q", "bowl and stem run into one another, and their lines cannot be told apart"),
    ("edu-nsw-act-cursive", "z", "its exit rises above its start"),
    ("homemade-apple", "brsxN", "ink runs together where lines meet, and their lines cannot be told apart"),
    ("kristi", "hmr", "entry and stem, and legs and arches, are one line each"),
    ("ms-madi", "dhmprsDI", "entries are swashes that rise into the letter, and exits rise from it"),
    ("mynerve", "a", "it is a hook and a cup"),
    ("playwrite-br", "HQ", "H is one line with loops, and Q begins inside its loop"),
    ("playwrite-us-trad", "pG", "p goes up to its top, back along its stem; G goes up from the baseline"),
    ("reenie-beanie", "a", "bowl and stem meet at the foot only"),
    ("sacramento", "dsI", "entries rise into the letter from a swash"),
    ("send-flowers", "rK", "entries are swashes that rise into the letter"),
];

fn fonts_with_strokes() -> Vec<&'static FontFace> {
    CATALOGUE.faces().filter(|face| face.has_strokes()).collect()
}

fn letters() -> impl Iterator<Item = char> {
    ('A'..='Z').chain('a'..='z')
}

/// The start of a stroke, then both control points and the end of each cubic.
fn points(stroke: &Stroke) -> Vec<Point<FontUnits>> {
    let points = stroke.commands.iter().flat_map(|command| match *command {
        OutlineCommand::MoveTo(start) => vec![start],
        OutlineCommand::CubicTo(first, second, end) => vec![first, second, end],
        _ => panic!("a stroke has a start and cubics only, not {command:?}"),
    });
    points.collect()
}

/// The overlap of each ASCII letter of a font for the oracle, drawn with `pen` times the font's pen.
fn job(face: &FontFace, pen: f64) -> Value {
    let letter = |letter| {
        let glyph = face.glyph_for(letter).unwrap();
        let strokes = face.glyph_strokes(glyph).unwrap().iter().map(|stroke| {
            let points = points(stroke).into_iter().map(|point| [point.x.get(), point.y.get()]);
            points.collect::<Vec<[f64; 2]>>()
        });
        json!({"glyph": glyph.0, "strokes": strokes.collect::<Vec<_>>()})
    };
    let letters: Vec<Value> = letters().map(letter).collect();
    json!({"font": font_file(face.id().get()), "pen": pen * face.strokes().unwrap().pen_em(), "letters": letters})
}

/// Mean and least overlap of each job.
fn measure(jobs: &[Value]) -> Vec<[f64; 2]> {
    let answer = ask("stroke_overlap.py", &json!(jobs));
    let figures = |overlaps: &Value| {
        let overlaps: Vec<f64> = overlaps.as_array().unwrap().iter().map(|overlap| overlap.as_f64().unwrap()).collect();
        let count = f64::from(u32::try_from(overlaps.len()).unwrap());
        [overlaps.iter().sum::<f64>() / count, overlaps.into_iter().fold(1.0, f64::min)]
    };
    answer.as_array().unwrap().iter().map(figures).collect()
}

#[test]
fn every_file_of_strokes_is_read_whole() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fonts/strokes");
    let fonts = fonts_with_strokes();
    assert_eq!(fonts.len(), std::fs::read_dir(folder).unwrap().count(), "each file is of a font of the catalogue");
    for face in fonts {
        assert!(face.strokes().is_some(), "{}", face.slug());
        assert!(face.record().strokes, "{}", face.slug());
    }
}

#[test]
fn a_font_with_strokes_has_them_for_its_letters_digits_and_punctuation() {
    for face in fonts_with_strokes() {
        let western = (' '..='~').chain('\u{A0}'..='\u{FF}').chain("–—‘’“”„…€".chars());
        let lacking: String = western
            .filter(|character| !is_default_ignorable(*character))
            .filter_map(|character| Some((character, face.glyph_for(character)?)))
            .filter(|(_, glyph)| face.glyph_strokes(*glyph).is_none())
            .map(|(character, _)| character)
            .collect();
        assert_eq!(lacking, "", "{}", face.slug());
    }
}

#[test]
fn strokes_lie_in_the_ink_of_their_glyphs() {
    for face in fonts_with_strokes() {
        // A pen's width beside the box: strokes lead on to the next letter.
        let beside = face.strokes().unwrap().pen_em() * f64::from(face.units_per_em());
        for glyph in letters().filter_map(|letter| face.glyph_for(letter)) {
            let ink = face.ink(glyph).unwrap();
            let strokes = face.glyph_strokes(glyph).unwrap();
            // Control points may lie outside.
            for end in strokes.iter().flat_map(|stroke| points(stroke).into_iter().step_by(3)) {
                let [x, y] = [end.x.get(), end.y.get()];
                let is_near = (ink.min.x.get() - beside..=ink.max.x.get() + beside).contains(&x)
                    && (ink.min.y.get() - beside..=ink.max.y.get() + beside).contains(&y);
                assert!(is_near, "{}, glyph {}: ({x}, {y}) is outside of {ink:?}", face.slug(), glyph.0);
            }
        }
    }
}

#[test]
fn strokes_cover_the_letters() {
    let fonts: Vec<&FontFace> = fonts_with_strokes().into_iter().step_by(SAMPLE).collect();
    let jobs: Vec<Value> = fonts.iter().map(|face| job(face, 1.0)).collect();
    for (face, [mean, least]) in fonts.iter().zip(measure(&jobs)) {
        println!("{:<26} mean {mean:.3} least {least:.2}", face.slug());
        assert!(mean >= LEAST_MEAN && least >= LEAST_LETTER, "{}: mean {mean:.3}, least {least:.2}", face.slug());
    }
}

/// The strokes of each Latin letter of a font, for the oracle of their order.
fn order_job(face: &FontFace) -> Value {
    let of_letter = |letter: char| {
        let strokes = face.glyph_strokes(face.glyph_for(letter).unwrap()).unwrap().iter().map(|stroke| {
            let points = points(stroke).into_iter().map(|point| [point.x.get(), point.y.get()]);
            json!({"part": stroke.part as u8, "points": points.collect::<Vec<_>>()})
        });
        (letter.to_string(), json!(strokes.collect::<Vec<_>>()))
    };
    let letters: serde_json::Map<String, Value> = letters().map(of_letter).collect();
    json!({"capitals": CAPITALS.contains(&face.slug()), "letters": letters})
}

/// The broken rules of each letter of each font, by the font's slug.
fn broken_rules(jobs: &[(&str, Value)]) -> BTreeMap<(String, String), String> {
    let asked: Vec<&Value> = jobs.iter().map(|(_, job)| job).collect();
    let answer = ask("stroke_order.py", &json!(asked));
    let mut broken = BTreeMap::new();
    for ((slug, _), font) in jobs.iter().zip(answer.as_array().unwrap()) {
        for (letter, rules) in font.as_object().unwrap() {
            let rules: Vec<&str> = rules.as_array().unwrap().iter().map(|rule| rule.as_str().unwrap()).collect();
            broken.insert(((*slug).to_owned(), letter.clone()), rules.join(" "));
        }
    }
    broken
}

#[test]
fn letters_are_written_in_the_order_and_direction_of_a_hand() {
    let fonts = fonts_with_strokes();
    let jobs: Vec<(&str, Value)> = fonts.iter().map(|face| (face.slug(), order_job(face))).collect();
    let broken = broken_rules(&jobs);
    let listed: BTreeMap<(String, String), String> = OTHERWISE
        .iter()
        .flat_map(|(slug, letters, _)| letters.chars().map(move |letter| ((*slug).to_owned(), letter.to_string())))
        .map(|letter| (letter, String::new()))
        .collect();
    let wrong: Vec<_> = broken.iter().filter(|(letter, _)| !listed.contains_key(letter)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let right: Vec<_> = listed.keys().filter(|letter| !broken.contains_key(letter)).collect();
    assert!(right.is_empty(), "these follow the rules and need not be listed: {right:?}");
}

#[test]
fn letters_that_are_written_backwards_break_the_rules() {
    let face = CATALOGUE.faces().find(|face| face.slug() == "patrick-hand").unwrap();
    let mut job = order_job(face);
    for strokes in job["letters"].as_object_mut().unwrap().values_mut() {
        for stroke in strokes.as_array_mut().unwrap() {
            stroke["points"].as_array_mut().unwrap().reverse();
        }
    }
    let broken = broken_rules(&[(face.slug(), job)]);
    let found: String = broken.keys().map(|(_, letter)| letter.as_str()).collect();
    for letter in "abcdefghijklmnopqrstuvwxyz".chars() {
        assert!(found.contains(letter), "{letter} of {found}");
    }
}

#[test]
fn strokes_of_a_thin_pen_do_not_cover_the_letters() {
    let [[mean, _]] = measure(&[job(fonts_with_strokes()[0], 0.7)])[..] else { panic!("one font, one answer") };
    assert!(mean < LEAST_MEAN, "{mean}");
}

#[test]
fn strokes_of_another_version_of_a_font_are_an_error() {
    let embedded = CatalogueSource::embedded();
    let slug = fonts_with_strokes()[0].slug();
    let other = fonts_with_strokes()[1].slug();
    let strokes = |asked: &str| (embedded.strokes)(if asked == slug { other } else { asked });
    let error = FontCatalogue::from_source(CatalogueSource { strokes: &strokes, ..embedded }).unwrap_err();
    assert_eq!(
        error,
        CatalogueError::BrokenStrokes { slug: slug.to_owned(), reason: "is of another version of the font" }
    );
}

#[test]
fn the_closest_font_with_strokes_is_the_font_itself_where_it_has_them() {
    for face in CATALOGUE.faces() {
        let closest = CATALOGUE.closest_with_strokes(face.id()).unwrap();
        assert!(CATALOGUE.face(closest).has_strokes());
        assert_eq!(closest == face.id(), face.has_strokes(), "{}", face.slug());
    }
}

#[test]
fn without_strokes_no_font_is_the_closest() {
    let source = CatalogueSource { strokes: &|_| None, ..CatalogueSource::embedded() };
    let catalogue = FontCatalogue::from_source(source).unwrap();
    assert_eq!(catalogue.closest_with_strokes(FontId::DEFAULT), None);
    let glyph = catalogue.face(FontId::DEFAULT).glyph_for('a').unwrap();
    assert_eq!(catalogue.face(FontId::DEFAULT).glyph_strokes(glyph), None);
}
