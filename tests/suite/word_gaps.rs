//! Gaps between words: the catalogue's `word_gap_em`, computed from ink and held to it.
//!
//! `LONGHAND_WRITE_WORD_GAPS=1 make test ARGS=word_gaps` writes the column again.

use longhand::catalogue::{FontFace, FontId};
use longhand::layout::{PageLayout, PlacedWord, lay_out};
use longhand::spec::{FontSize, Orientation, PageFormat, PageSize, RenderSpec};
use longhand::units::Px;

use crate::layout::{CATALOGUE, spec};
use crate::oracle::root;

/// The 10th percentile of ink gaps between words that every font must have, in x-heights.
const LEAST_GAP: f64 = 0.45;
/// Size of the em that gaps are measured at, px.
const EM: f64 = 16.0;
/// Steps of the column: an em in thousandths, rounded up.
const STEPS: f64 = 1000.0;

/// Frequent words of English; every pair of them is measured.
const WORDS: [&str; 36] = [
    "the", "of", "and", "to", "a", "in", "is", "you", "that", "it", "he", "was", "for", "on", "are", "as", "with",
    "his", "they", "I", "be", "this", "have", "from", "or", "one", "by", "word", "not", "all", "so", "much", "your",
    "bees", "about", "lovely",
];

/// Every ordered pair of the words, all that begin with one on a line.
fn pairs() -> String {
    let line = |first: &str| WORDS.map(|second| format!("{first} {second}")).join(" ");
    WORDS.map(line).join("\n")
}

fn page(font: FontId) -> PageLayout {
    let page = PageFormat { size: PageSize::A3, orientation: Orientation::Landscape };
    let spec = RenderSpec { font, page, font_size: FontSize::Fixed(Px::new(EM)), line_height: 1.0, ..spec(&pairs()) };
    lay_out(&spec, &CATALOGUE).unwrap()
}

/// Left and right end of a word's ink, px.
fn extent(word: &PlacedWord) -> (f64, f64) {
    let ink = || word.glyphs.iter().map(|glyph| glyph.ink);
    let left = ink().map(|ink| ink.min.x.get()).fold(f64::MAX, f64::min);
    (left, ink().map(|ink| ink.max.x.get()).fold(f64::MIN, f64::max))
}

/// The 10th percentile of the gaps between the ink of neighbouring words, in em.
fn tenth_percentile(page: &PageLayout) -> f64 {
    assert_eq!(page.line_count(), WORDS.len(), "no line wraps");
    let lines = page.lines.iter().map(|line| &page.words[line.words.clone()]);
    let gap = |pair: &[PlacedWord]| (extent(&pair[1]).0 - extent(&pair[0]).1) / EM;
    let mut gaps: Vec<f64> = lines.flat_map(|words| words.windows(2).map(gap)).collect();
    assert!(gaps.len() > 2_000);
    gaps.sort_by(f64::total_cmp);
    gaps[gaps.len() / 10]
}

fn x_height_em(face: &FontFace) -> f64 {
    face.x_height().get() / f64::from(face.units_per_em())
}

/// What a font needs, in thousandths of an em.
fn needed(face: &FontFace, gap: f64) -> u32 {
    let without = gap - face.word_gap_em();
    ((LEAST_GAP * x_height_em(face) - without).max(0.0) * STEPS - 1e-6).ceil() as u32
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
    let needed: Vec<u32> =
        FontId::bundled().map(|font| needed(CATALOGUE.face(font), tenth_percentile(&page(font)))).collect();
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
