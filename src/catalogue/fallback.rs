//! The order in which other fonts replace a font: by style of handwriting, then by appearance.

use std::ops::RangeInclusive;

use super::face::FontFace;
use super::letter_height::LetterKind;
use super::{FontId, FontRecord};

/// Bounds of the scale of a substitute: beyond them its strokes look too thin or too heavy.
const SCALES: RangeInclusive<f64> = 0.75..=1.35;

/// Size of the em of `substitute` in ems of `chosen`, so that letters of `kind` have the same height, within
/// [`SCALES`].
pub(super) fn substitute_scale(chosen: &FontFace, substitute: &FontFace, kind: LetterKind) -> f64 {
    height_ratio(chosen, substitute, kind).clamp(*SCALES.start(), *SCALES.end())
}

/// The scale at which letters of `kind` have the same height.
fn height_ratio(chosen: &FontFace, substitute: &FontFace, kind: LetterKind) -> f64 {
    chosen.letter_heights().in_heights_of(substitute.letter_heights(), kind)
}

/// Fonts that are hard to read beside others, by slug: the Solitreo of Ladino, which is not the cursive of Hebrew; the N
/// of Qwigley reads as U; capitals of Allison are thrice as high as its small letters; Latin letters of Yomogi are spaced
/// out, all half as wide as an ideograph.
const MISREAD: [&str; 4] = ["solitreo", "qwigley", "allison", "yomogi"];
/// Styles that stand out among everyday hands: calligraphy, and capitals alone.
const ODD_STYLES: [&str; 2] = ["elegant", "caps"];
/// The least neatness of fonts that are easy to read.
const LEGIBLE: u8 = 3;

/// Bounds of the stroke width of a substitute in stroke widths of the chosen font: beyond them a word looks bold or thin.
const STROKES: RangeInclusive<f64> = 0.6..=1.67;

/// The fonts other than `chosen`, the closest first, for letters of a kind: those that are easy to read and do not
/// stand out, by style, then by stroke width, height, slant and neatness together; then by number.
pub(super) fn closest_first<'a>(
    chosen: &FontFace,
    faces: impl Iterator<Item = &'a FontFace>,
    kind: LetterKind,
) -> Vec<FontId> {
    let mut others: Vec<((bool, bool, u8), f64, FontId)> = faces
        .filter(|other| other.id() != chosen.id())
        .map(|other| {
            let record = other.record();
            let is_odd = ODD_STYLES.contains(&record.style.as_str()) && record.style != chosen.record().style;
            let is_hard = record.neatness < LEGIBLE || MISREAD.contains(&other.slug()) || is_odd;
            let is_bold_or_thin = !STROKES.contains(&stroke_ratio(chosen, other, kind));
            let is_apart = (is_hard, is_bold_or_thin, kinship(&chosen.record().style, &record.style));
            (is_apart, unlikeness(chosen, other, kind), other.id())
        })
        .collect();
    others.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    others.into_iter().map(|(_, _, id)| id).collect()
}

/// 0 for the same style, 1 for styles that are both joined or both not, 2 otherwise.
fn kinship(style: &str, other: &str) -> u8 {
    if style == other { 0 } else { u8::from(FontRecord::is_joined(style) != FontRecord::is_joined(other)) + 1 }
}

/// The stroke width of a substitute for letters of `kind`, as it is scaled, in stroke widths of the chosen font.
fn stroke_ratio(chosen: &FontFace, other: &FontFace, kind: LetterKind) -> f64 {
    substitute_scale(chosen, other, kind) * other.stroke_em() / chosen.stroke_em()
}

/// How different letters of `kind` in two fonts of one style look on a page, where the other font is scaled; about 1
/// per clearly visible difference: a quarter of the stroke width, a quarter of the height, a quarter of the width of
/// letters, 10 degrees of slant, 2 grades of neatness.
fn unlikeness(chosen: &FontFace, other: &FontFace, kind: LetterKind) -> f64 {
    const QUARTER: f64 = 0.322; // log2(1.25)
    let scale = substitute_scale(chosen, other, kind);
    let weight = stroke_ratio(chosen, other, kind).log2().abs() / QUARTER;
    let height = (scale / height_ratio(chosen, other, kind)).log2().abs() / QUARTER;
    let width = match kind {
        LetterKind::Cased => (scale * other.letter_width_em() / chosen.letter_width_em()).log2().abs() / QUARTER,
        // The Latin letters tell nothing of these.
        _ => 0.0,
    };
    let lean = (chosen.slant_degrees() - other.slant_degrees()).abs() / 10.0;
    let neatness = f64::from(chosen.record().neatness.abs_diff(other.record().neatness)) / 2.0;
    weight + height + width + lean + neatness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_font_is_closest_to_its_own_kind() {
        assert_eq!(kinship("print", "print"), 0);
        assert_eq!(kinship("cursive", "elegant"), 1);
        assert_eq!(kinship("marker", "print"), 1);
        assert_eq!(kinship("print", "cursive"), 2);
    }
}
