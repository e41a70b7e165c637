//! The extra word space that keeps the words of a font apart, measured on ink.

use crate::catalogue::{FontCatalogue, FontId};
use crate::layout::{LayoutError, PageLayout, PlacedWord, lay_out_within};
use crate::spec::{Orientation, Overflow, PageFormat, PageSize, RenderSpec};
use crate::units::Px;
use crate::work::WorkMeter;

/// The 10th percentile of ink gaps between words that every font must have, in x-heights.
const LEAST_GAP: f64 = 0.45;
/// Size of the em that gaps are measured at, px: no line of [`WORDS`] wraps.
const EM: f64 = 16.0;
/// Steps of the result: an em in thousandths, rounded up.
const STEPS: f64 = 1000.0;

/// Frequent words of English; every pair of them is measured.
const WORDS: [&str; 36] = [
    "the", "of", "and", "to", "a", "in", "is", "you", "that", "it", "he", "was", "for", "on", "are", "as", "with",
    "his", "they", "I", "be", "this", "have", "from", "or", "one", "by", "word", "not", "all", "so", "much", "your",
    "bees", "about", "lovely",
];

/// Extra word space of a font of the catalogue, in ems, so that the 10th-percentile gap between words is 0.45
/// x-heights; zero if it is wider. Space that the catalogue adds already does not count.
///
/// # Errors
/// The words cannot be laid out, or the budget of work is spent.
pub fn needed_word_gap(catalogue: &FontCatalogue, font: FontId, work: &WorkMeter<'_>) -> Result<f64, LayoutError> {
    let page = lay_out_within(&pairs(font), catalogue, work)?;
    let face = catalogue.face(font);
    let x_height = face.x_height().get() / f64::from(face.units_per_em());
    let without = tenth_percentile(&page) - face.word_gap_em();
    Ok(((LEAST_GAP * x_height - without).max(0.0) * STEPS - 1e-6).ceil().max(0.0) / STEPS)
}

/// Every ordered pair of the words, all that begin with one on a line.
fn pairs(font: FontId) -> RenderSpec {
    let line = |first: &str| WORDS.map(|second| format!("{first} {second}")).join(" ");
    RenderSpec {
        page: PageFormat { size: PageSize::A3, orientation: Orientation::Landscape },
        line_height: 1.0,
        // A font with wide letters wraps lines, and with tall ones needs another page; the pairs of the first suffice.
        overflow: Overflow::Clip,
        ..RenderSpec::plain(&WORDS.map(line).join("\n"), font, Px::new(EM))
    }
}

/// Left and right end of a word's ink, px.
fn extent(word: &PlacedWord) -> (f64, f64) {
    let ink = || word.glyphs.iter().map(|glyph| glyph.ink);
    let left = ink().map(|ink| ink.min.x.get()).fold(f64::MAX, f64::min);
    (left, ink().map(|ink| ink.max.x.get()).fold(f64::MIN, f64::max))
}

/// The 10th percentile of the gaps between the ink of neighbouring words, in ems.
fn tenth_percentile(page: &PageLayout) -> f64 {
    let lines = page.lines.iter().filter_map(|line| page.words.get(line.words.clone()));
    let gap = |pair: &[PlacedWord]| match pair {
        [first, second] => Some((extent(second).0 - extent(first).1) / EM),
        _ => None,
    };
    let mut gaps: Vec<f64> = lines.flat_map(|words| words.windows(2).filter_map(gap)).collect();
    gaps.sort_by(f64::total_cmp);
    gaps.get(gaps.len() / 10).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_of_the_ninety_fonts_wraps() {
        let catalogue = FontCatalogue::load().unwrap();
        for font in FontId::bundled() {
            let page = crate::layout::lay_out(&pairs(font), &catalogue).unwrap();
            assert_eq!(page.lines.len(), WORDS.len(), "font {}", font.get());
        }
    }
}
