//! The extent of the ink at each height of a glyph.

use super::vector::Segment;

/// Number of slices: for a letter 60 px tall each is a quarter of a tile.
const SLICES: usize = 16;

/// The boxes around the parts of a closed boundary in equal slices of its height: min x, min y, max x, max y in font
/// units, from the lowest up. Together they contain all ink, and are tighter than one box.
pub(super) fn slices(segments: &[Segment]) -> Vec<[f32; 4]> {
    let heights = || segments.iter().flat_map(|&[_, y0, _, y1]| [y0, y1]).map(f64::from);
    let (bottom, top) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    let height = (top - bottom) / SLICES as f64;
    if segments.is_empty() || height <= 0.0 {
        return Vec::new();
    }
    let limit = |slice: usize| bottom + slice as f64 * height;
    let mut extents = [[f64::INFINITY, f64::NEG_INFINITY]; SLICES];
    for segment in segments {
        let [x0, y0, x1, y1] = segment.map(f64::from);
        let (low, high) = (y0.min(y1), y0.max(y1));
        // Rounding must not exclude an end from either of its slices.
        let first = (((low - bottom) / height - 1e-6).max(0.0) as usize).min(SLICES - 1);
        let last = (((high - bottom) / height + 1e-6) as usize).min(SLICES - 1);
        for (slice, [left, right]) in (first..).zip(&mut extents[first..=last]) {
            let at = |y: f64| x0 + (x1 - x0) * ((y.clamp(low, high) - y0) / (y1 - y0));
            let ends = if low < high { [at(limit(slice)), at(limit(slice + 1))] } else { [x0, x1] };
            *left = left.min(ends[0]).min(ends[1]);
            *right = right.max(ends[0]).max(ends[1]);
        }
    }
    let inked = (0..).zip(extents).filter(|(_, [left, right])| left <= right);
    inked.map(|(slice, [left, right])| [left, limit(slice), right, limit(slice + 1)].map(|edge| edge as f32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};
    use crate::mesh::tessellate;
    use crate::units::FontUnits;

    #[test]
    fn a_triangle_is_wide_at_its_foot_and_narrow_at_its_top() {
        let triangle = [[0.0, 0.0, 32.0, 0.0], [32.0, 0.0, 0.0, 16.0], [0.0, 16.0, 0.0, 0.0]];
        let expected: Vec<[f32; 4]> = (0_u8..16).map(f32::from).map(|y| [0.0, y, 32.0 - 2.0 * y, y + 1.0]).collect();
        assert_eq!(slices(&triangle).len(), expected.len());
        for (slice, expected) in slices(&triangle).iter().zip(&expected) {
            // Rounding may let a slice share in the limit of the next.
            assert!(slice.iter().zip(expected).all(|(edge, expected)| (edge - expected).abs() < 1e-3), "{slice:?}");
        }
    }

    #[test]
    fn between_two_dots_there_is_no_slice() {
        let square =
            |y: f32| [[0.0, y, 4.0, y], [4.0, y, 4.0, y + 4.0], [4.0, y + 4.0, 0.0, y + 4.0], [0.0, y + 4.0, 0.0, y]];
        assert_eq!(slices(&[square(0.0), square(12.0)].concat()).len(), 10);
        assert!(slices(&[]).is_empty());
    }

    #[test]
    fn every_point_of_a_boundary_lies_in_a_slice() {
        let catalogue = FontCatalogue::load().unwrap();
        let mut seen = 0;
        for font in [1, 7, 23, 60] {
            let face = catalogue.face(FontId::new(font).unwrap());
            for letter in "Handwriting, quickly: &@%".chars() {
                let Some(outline) = face.glyph_for(letter).and_then(|glyph| face.outline(glyph)) else { continue };
                let mesh = tessellate(&outline, FontUnits::new(0.5)).unwrap();
                for &[x0, y0, x1, y1] in &mesh.segments {
                    for along in [0.0, 0.3, 0.5, 1.0] {
                        let at = [x0 + (x1 - x0) * along, y0 + (y1 - y0) * along];
                        let holds = |[left, low, right, high]: &[f32; 4]| {
                            let near = |edge: f32, at: f32| edge <= at + 1e-2;
                            near(*left, at[0]) && near(at[0], *right) && near(*low, at[1]) && near(at[1], *high)
                        };
                        assert!(mesh.slices.iter().any(holds), "{letter} of {font}: {at:?}");
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 5_000, "{seen}");
    }
}
