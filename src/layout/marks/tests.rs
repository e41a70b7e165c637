//! All hands, letters and marks of many languages.

use super::*;
use crate::catalogue::{FontCatalogue, FontId};
use crate::layout::run::runs;
use crate::layout::shape::Shaper;
use crate::spec::Kerning;
use crate::work::WorkMeter;

use unicode_normalization::UnicodeNormalization as _;

/// Letters, and the marks that languages put on them.
const PAIRS: [(&str, &str); 5] = [
    (
        "aeiouynlsgcztdhkrbmwjAEIOUYNLSGCZTDHKRBMWJ",
        "\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}\u{309}\u{30A}\u{30B}\u{30C}\u{30F}\u{311}\u{323}\u{324}\u{325}\u{326}\u{32D}\u{330}\u{331}",
    ),
    ("ơưâêôăƠƯÂÊÔĂẹọẸỌ", "\u{300}\u{301}\u{303}\u{309}\u{323}\u{304}"),
    ("аеиоуыэюяіАЕИОУЫЭЮЯ", "\u{300}\u{301}\u{302}\u{304}\u{306}\u{308}\u{30B}\u{323}\u{331}"),
    ("אבגדהכלמנפרשת", "\u{5B0}\u{5B1}\u{5B2}\u{5B3}\u{5B4}\u{5B5}\u{5B6}\u{5B7}\u{5B8}\u{5BB}\u{5BF}"),
    ("कगजतनपमरवस", "\u{93C}\u{941}\u{942}\u{943}\u{947}\u{948}\u{94D}\u{901}\u{902}"),
];

fn shaped(catalogue: &FontCatalogue, font: FontId, text: &str) -> Vec<ShapedGlyph> {
    let work = WorkMeter::default();
    let mut shaper = Shaper::new(catalogue, Kerning::Pairs, &work);
    let mut glyphs = Vec::new();
    for run in runs(text, &[(0..text.len(), font)], font, catalogue) {
        shaper.shape(text, &run, run.range.clone(), false, &mut glyphs).unwrap();
    }
    glyphs
}

/// What is wrong with a letter and its mark, if something is. A sequence is right where all its ink stands over or
/// under the widest part, whether it has anchors or not. Where letter and mark are two glyphs, a mark above clears the
/// letter and keeps close to it.
fn fault(face: &FontFace, mark: char, glyphs: &[ShapedGlyph]) -> Option<&'static str> {
    let width = |ink: &Rect<FontUnits>| (ink.max.x - ink.min.x).get();
    let inks: Vec<_> = glyphs.iter().filter_map(|glyph| ink_of(face, glyph)).collect();
    let widest = inks.iter().copied().max_by(|a, b| width(a).total_cmp(&width(b)))?;
    // Horns and carons beside tall letters lean out by up to this.
    let slack = 0.15 * f64::from(face.units_per_em());
    let is_beside = inks.iter().any(|ink| {
        let centre = f64::midpoint(ink.min.x.get(), ink.max.x.get());
        centre < widest.min.x.get() - slack || centre > widest.max.x.get() + slack
    });
    if is_beside {
        return Some("beside");
    }
    let place = MarkPlace::of(mark).filter(|_| ('\u{300}'..='\u{36F}').contains(&mark))?;
    let [letter, sign] = glyphs else { return None };
    let (base, ink) = (ink_of(face, letter)?, ink_of(face, sign)?);
    if place != MarkPlace::Above || face.glyph_for(mark) != Some(sign.glyph) {
        return None;
    }
    if Stack::of(face, *letter)?.reaches_into(&ink) {
        return Some("crossing");
    }
    (ink.min.y.get() - base.max.y.get() > FARTHEST * face.x_height().get()).then_some("far")
}

#[test]
fn every_mark_of_every_hand_stands_at_its_letter() {
    let catalogue = FontCatalogue::load().unwrap();
    let mut faults = Vec::new();
    let mut checked = 0;
    for font in FontId::bundled() {
        let face = catalogue.face(font);
        for (letters, marks) in PAIRS {
            for (letter, mark) in letters.chars().flat_map(|letter| marks.chars().map(move |mark| (letter, mark))) {
                let text: String = [letter, mark].iter().collect::<String>().nfc().collect();
                if face.characters().writes(&text) {
                    checked += 1;
                    let found = fault(face, mark, &shaped(&catalogue, font, &text));
                    faults.extend(
                        found.map(|fault| format!("{fault}: {} {text} (U+{:04X})", font.get(), u32::from(mark))),
                    );
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults: {}", faults.len(), faults.join(", "));
    assert!(checked > 20_000, "{checked}");
}

/// A glyph that stays at the pen is beside its letter: the check finds it.
#[test]
fn the_check_finds_marks_that_shaping_left_at_the_pen() {
    let catalogue = FontCatalogue::load().unwrap();
    let face = catalogue.face(FontId::DEFAULT);
    let mut glyphs = shaped(&catalogue, FontId::DEFAULT, "x\u{301}");
    assert_eq!(fault(face, '\u{301}', &glyphs), None);
    let placed = glyphs[1];
    glyphs[1] = ShapedGlyph { x: placed.x + i32::from(face.units_per_em()), ..placed };
    assert_eq!(fault(face, '\u{301}', &glyphs), Some("beside"));
    glyphs[1] = ShapedGlyph { y: placed.y - face.x_height().get() as i32 / 2, ..placed };
    assert_eq!(fault(face, '\u{301}', &glyphs), Some("crossing"));
    glyphs[1] = ShapedGlyph { y: placed.y + face.x_height().get() as i32, ..placed };
    assert_eq!(fault(face, '\u{301}', &glyphs), Some("far"));
}

/// Marks of its own stand as far from letters as the accents of its composed letters.
#[test]
fn placed_marks_are_as_close_as_composed_accents() {
    let catalogue = FontCatalogue::load().unwrap();
    let mut compared = 0;
    for font in FontId::bundled() {
        let face = catalogue.face(font);
        let (Some(gap), true) = (face.accent_gaps().above_small, face.characters().writes("x\u{301}")) else {
            continue;
        };
        let glyphs = shaped(&catalogue, font, "x\u{301}");
        let [letter, mark] = glyphs[..] else { continue };
        let white = ink_of(face, &mark).unwrap().min.y.get() - ink_of(face, &letter).unwrap().max.y.get();
        // Anchors of the font may differ by a tenth of an x-height from its composed letters.
        assert!((white - gap).abs() < 0.15 * face.x_height().get(), "font {}: {white} {gap}", font.get());
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn a_mark_above_takes_the_place_of_the_dot() {
    let catalogue = FontCatalogue::load().unwrap();
    let mut given = 0;
    for font in FontId::bundled() {
        let face = catalogue.face(font);
        if !face.characters().writes("i\u{30A}") {
            continue;
        }
        let glyphs = shaped(&catalogue, font, "i\u{30A}");
        assert!(!glyphs.iter().any(|glyph| Some(glyph.glyph) == face.glyph_for('i')), "font {}", font.get());
        given += 1;
    }
    assert!(given > 40, "{given}");
    let written = |text: &str| {
        let characters: Vec<_> = text.char_indices().collect();
        let mut written = String::new();
        without_dots(catalogue.face(FontId::DEFAULT), &characters, |_, character| written.push(character));
        written
    };
    assert_eq!([written("i\u{30A}"), written("i\u{323}"), written("in")], ["ı\u{30A}", "i\u{323}", "in"]);
    // Through a mark below, composed or not.
    let below = [written("\u{1ECB}\u{301}"), written("i\u{331}\u{301}"), written("\u{12F}\u{303}")];
    assert_eq!(below, ["ı\u{323}\u{301}", "ı\u{331}\u{301}", "ı\u{328}\u{303}"]);
    // The font has it without a dot.
    assert_eq!(written("í\u{301}"), "í\u{301}");
}

#[test]
fn marks_are_stacked_away_from_the_letter() {
    let catalogue = FontCatalogue::load().unwrap();
    for font in FontId::bundled() {
        let face = catalogue.face(font);
        let text = "x\u{304}\u{301}";
        if !face.characters().writes(text) {
            continue;
        }
        let glyphs = shaped(&catalogue, font, text);
        let ink = |character| {
            let glyph = glyphs.iter().find(|glyph| Some(glyph.glyph) == face.glyph_for(character));
            glyph.and_then(|glyph| ink_of(face, glyph))
        };
        if let (Some(letter), Some(first), Some(second)) = (ink('x'), ink('\u{304}'), ink('\u{301}')) {
            let middle = |ink: Rect<FontUnits>| f64::midpoint(ink.min.y.get(), ink.max.y.get());
            assert!(middle(second) > middle(first) && middle(first) > middle(letter), "font {}", font.get());
        }
    }
}
