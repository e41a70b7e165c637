//! The slant of letters, measured on outlines.

use super::glyphs::Boundary;
use crate::catalogue::FontFace;
use crate::mesh::MeshError;

/// Letters with long stems.
const STEMS: &str = "bdfhkltpqIHLTENMF";
/// Edges that lean more than this many degrees are no edges of stems.
const MOST_DEGREES: f64 = 50.0;
/// Width of the window in which the most edges are found, degrees.
const WINDOW: f64 = 6.0;

/// Slant of the stems in degrees, positive to the right: the middle of the six degrees in which the edges of letters
/// with stems are the longest together.
///
/// # Errors
/// A letter cannot be tessellated.
pub fn slant_degrees(face: &FontFace) -> Result<f64, MeshError> {
    let mut edges: Vec<(f64, f64)> = Vec::new();
    for boundary in Boundary::of_letters(face, STEMS.chars())? {
        edges.extend(boundary.0.iter().map(|[from, to]| {
            let (right, up) = (to[0] - from[0], to[1] - from[1]);
            ((right / up).atan().to_degrees(), up.abs())
        }));
    }
    edges.retain(|(degrees, _)| degrees.abs() <= MOST_DEGREES);
    edges.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut best, mut found) = (0.0, 0.0);
    let mut first = 0;
    let mut sum = 0.0;
    for last in 0..edges.len() {
        sum += edges[last].1;
        while edges[last].0 - edges[first].0 > WINDOW {
            sum -= edges[first].1;
            first += 1;
        }
        if sum > best {
            best = sum;
            let inside = &edges[first..=last];
            found = inside.iter().map(|(degrees, length)| degrees * length).sum::<f64>() / sum;
        }
    }
    // Adding zero turns -0 into 0.
    Ok(found + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FontCatalogue;

    /// The table was estimated by eye and by another program. Half a step between its words for slants (7 degrees) may
    /// lie between the measures; hands whose stems lean in several directions may be farther off.
    #[test]
    fn the_slants_of_the_ninety_fonts_are_those_of_the_table() {
        let catalogue = FontCatalogue::load().unwrap();
        let differences: Vec<_> = catalogue
            .faces()
            .map(|face| (face.slug().to_owned(), slant_degrees(face).unwrap() - face.slant_degrees()))
            .collect();
        let far: Vec<_> = differences.iter().filter(|(_, difference)| difference.abs() > 7.0).collect();
        let mean = differences.iter().map(|(_, difference)| difference.abs()).sum::<f64>() / 90.0;
        assert!(far.len() <= 5 && mean < 3.0, "{mean} {far:?}");
    }
}
