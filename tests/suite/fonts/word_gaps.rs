//! Gaps between words: the catalogue's `word_gap_em` is what the code that measures an operator's fonts finds.
//!
//! `LONGHAND_WRITE_WORD_GAPS=1 make test ARGS=word_gaps` writes the column again.

use longhand::catalogue::{FontFace, FontId};
use longhand::layout::{PlacedWord, lay_out};
use longhand::own_fonts::needed_word_gap;
use longhand::spec::RenderSpec;
use longhand::work::WorkMeter;

use crate::layout::pages::{CATALOGUE, spec};
use crate::oracle::root;

/// Steps of the column: an em in thousandths.
const STEPS: f64 = 1000.0;

/// Left and right end of a word's ink, px.
fn extent(word: &PlacedWord) -> (f64, f64) {
    let ink = || word.glyphs.iter().map(|glyph| glyph.ink);
    let left = ink().map(|ink| ink.min.x.get()).fold(f64::MAX, f64::min);
    (left, ink().map(|ink| ink.max.x.get()).fold(f64::MIN, f64::max))
}

fn x_height_em(face: &FontFace) -> f64 {
    face.x_height().get() / f64::from(face.units_per_em())
}

/// What a font needs, in thousandths of an em.
fn needed(font: FontId) -> u32 {
    (needed_word_gap(&CATALOGUE, font, &WorkMeter::default()).unwrap() * STEPS).round() as u32
}

/// Writes the column of the catalogue.
fn write(gaps: &[u32]) {
    let path = root().join("fonts/catalog.tsv");
    let table = std::fs::read_to_string(&path).unwrap();
    let header: Vec<&str> = table.lines().next().unwrap().split('\t').collect();
    let column = header.iter().position(|title| *title == "word_gap_em").unwrap();
    let mut lines = vec![header.join("\t")];
    for (row, gap) in table.lines().skip(1).zip(gaps) {
        let mut cells: Vec<String> = row.split('\t').map(str::to_owned).collect();
        cells[column] = format!("{:.3}", f64::from(*gap) / STEPS);
        lines.push(cells.join("\t"));
    }
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
}

#[test]
fn words_of_every_font_keep_apart_and_none_is_spaced_more_than_it_needs() {
    let needed: Vec<u32> = FontId::bundled().map(needed).collect();
    if std::env::var_os("LONGHAND_WRITE_WORD_GAPS").is_some() {
        return write(&needed);
    }
    for (font, needed) in FontId::bundled().zip(needed) {
        let gap = CATALOGUE.face(font).word_gap_em();
        assert!((gap * STEPS - f64::from(needed)).abs() < 1e-6, "font {}: {gap} em, needs {needed}/1000", font.get());
    }
}

#[test]
fn words_that_ran_together_are_told_apart() {
    for font in [8, 12, 43, 75, 77, 78, 79, 80].map(|number| FontId::new(number).unwrap()) {
        let face = CATALOGUE.face(font);
        for text in ["you so much", "the bees"] {
            let page = lay_out(&RenderSpec { font, ..spec(text) }, &CATALOGUE).unwrap();
            let gaps: Vec<f64> = page.words.windows(2).map(|pair| extent(&pair[1]).0 - extent(&pair[0]).1).collect();
            let least = 0.3 * x_height_em(face) * page.font_size.get();
            assert!(gaps.iter().all(|gap| *gap > least), "font {}, {text:?}: {gaps:?}", font.get());
        }
    }
}
