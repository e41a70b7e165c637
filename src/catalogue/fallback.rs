//! The order in which other fonts replace a font: by style of handwriting, then by appearance.

use super::face::FontFace;
use super::{FONT_COUNT, FontId};

/// For each font all others, the closest first: by style, then by slant, stroke width, x-height and neatness together;
/// then by number.
pub(super) fn closest_first(faces: &[FontFace]) -> Vec<Vec<FontId>> {
    let order = |face: &FontFace| {
        let mut others: Vec<(u8, f64, FontId)> = faces
            .iter()
            .filter(|other| other.id() != face.id())
            .map(|other| (kinship(&face.record().style, &other.record().style), unlikeness(face, other), other.id()))
            .collect();
        others.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        others.into_iter().map(|(_, _, id)| id).collect()
    };
    debug_assert!(faces.len() <= usize::from(FONT_COUNT));
    faces.iter().map(order).collect()
}

/// 0 for the same style, 1 for styles that are both joined or both not, 2 otherwise.
fn kinship(style: &str, other: &str) -> u8 {
    if style == other { 0 } else { u8::from(joined(style) != joined(other)) + 1 }
}

/// Whether most letters of a style are joined.
fn joined(style: &str) -> bool {
    matches!(style, "cursive" | "elegant" | "school" | "mixed")
}

/// How different two fonts of one style look at the same x-height; about 1 per clearly visible difference (10 degrees
/// of slant, twice the stroke width, 0.2 em of x-height, 2 grades of neatness).
fn unlikeness(face: &FontFace, other: &FontFace) -> f64 {
    let x_height = |face: &FontFace| face.x_height().get() / f64::from(face.units_per_em());
    let lean = (face.slant_degrees() - other.slant_degrees()).abs() / 10.0;
    let weight = |face: &FontFace| (face.stroke_em() / x_height(face)).log2();
    let weight = (weight(face) - weight(other)).abs();
    let height = (x_height(face) - x_height(other)).abs() / 0.2;
    let neatness = f64::from(face.record().neatness.abs_diff(other.record().neatness)) / 2.0;
    lean + weight + height + neatness
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
