//! The width of the pen stroke and how far it differs, measured on outlines.

use super::glyphs::Boundary;
use crate::catalogue::FontFace;
use crate::mesh::MeshError;

/// Lines across an em in each direction.
const LINES: f64 = 300.0;
/// Rank of the run of ink that counts as a stroke. Runs along a stroke or across it aslant are longer than it is wide,
/// so the width is found among the shorter runs; the shortest are ends of strokes.
const RANK: f64 = 0.25;

/// Width of the pen stroke in ems: the lower quartile of the runs of ink on horizontal and vertical lines through the
/// letters a to z.
///
/// # Errors
/// A letter cannot be tessellated.
pub fn stroke_em(face: &FontFace) -> Result<f64, MeshError> {
    let em = f64::from(face.units_per_em());
    let mut runs = Vec::new();
    for boundary in Boundary::of_letters(face, 'a'..='z')? {
        for axis in [0, 1] {
            boundary.runs(axis, em / LINES, &mut runs);
        }
    }
    runs.sort_by(f64::total_cmp);
    Ok(runs.get((runs.len() as f64 * RANK) as usize).copied().unwrap_or_default() / em)
}

/// How far strokes differ in width: the logarithm of the upper over the lower quartile of the thickness of the letters a
/// to z, over the length of their outlines. A pen of one width makes 0.1 to 0.35, thick and thin strokes more.
///
/// # Errors
/// A letter cannot be tessellated.
pub fn stroke_contrast(face: &FontFace) -> Result<f64, MeshError> {
    // Thickness and length of each edge.
    let mut edges = Vec::new();
    for boundary in Boundary::of_letters(face, 'a'..='z')? {
        boundary.thicknesses(&mut edges);
    }
    edges.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let whole: f64 = edges.iter().map(|edge| edge[1]).sum();
    let quantile = |share: f64| {
        let mut passed = 0.0;
        let found = edges.iter().find(|[_, length]| {
            passed += length;
            passed >= share * whole
        });
        found.map_or(1.0, |[thickness, _]| *thickness)
    };
    Ok((quantile(0.75) / quantile(0.25)).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FontCatalogue;

    /// The table was measured by another program on pictures of the same letters, and rounded to 1/1000 em. In fonts
    /// with thick and thin strokes one width is a matter of definition, so single fonts may be off by a third; the
    /// ninety together must agree, or substitutes (`catalogue::fallback`, a quarter of the width is clearly visible)
    /// would be chosen by two different measures.
    #[test]
    fn the_strokes_of_the_ninety_fonts_are_those_of_the_table() {
        let catalogue = FontCatalogue::load().unwrap();
        let ratios: Vec<f64> = catalogue.faces().map(|face| stroke_em(face).unwrap() / face.stroke_em()).collect();
        let mean = ratios.iter().sum::<f64>() / 90.0;
        let deviation = (ratios.iter().map(|ratio| (ratio - mean).powi(2)).sum::<f64>() / 90.0).sqrt();
        let outside: Vec<_> = catalogue
            .faces()
            .zip(&ratios)
            .filter(|(_, ratio)| !(0.75..=1.25).contains(*ratio))
            .map(|(face, ratio)| (face.slug(), *ratio))
            .collect();
        assert!((0.96..1.04).contains(&mean) && deviation < 0.1, "{mean} {deviation} {outside:?}");
        assert!(outside.len() <= 2 && outside.iter().all(|(_, ratio)| *ratio > 0.55), "{outside:?}");
    }

    /// The table was made by this measure.
    #[test]
    fn the_contrasts_of_the_ninety_fonts_are_those_of_the_table() {
        let catalogue = FontCatalogue::load().unwrap();
        let wrong: Vec<_> = catalogue
            .faces()
            .map(|face| (face.id().get(), face.slug(), (stroke_contrast(face).unwrap() * 100.0).round() / 100.0, face))
            .filter(|(.., measured, face)| (measured - face.contrast()).abs() > 0.006)
            .map(|(id, slug, measured, _)| format!("{id} {slug} {measured:.2}"))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// A person called 26 of the fonts without strokes designed with contrast; three of these have even strokes.
    #[test]
    fn fonts_of_a_pen_are_told_from_those_of_thick_and_thin_strokes() {
        let catalogue = FontCatalogue::load().unwrap();
        let uneven: Vec<u16> =
            catalogue.faces().filter(|face| !face.has_even_strokes()).map(|face| face.id().get()).collect();
        let expected = [3, 46, 49, 52, 53, 54, 55, 56, 57, 58, 59, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73];
        assert_eq!(uneven, expected);
    }
}
