//! Ends of strokes that lie away from all other ink: where a pen lands and leaves.

use super::outline::OutlineCommand;
use super::strokes::Stroke;

/// The distance to other lines within which an end is not free, in pen widths.
const REACH: f64 = 0.75;
/// The shortest stroke with ends, in pen widths: a dot has none.
const SHORTEST: f64 = 2.5;
/// Points per cubic of a stroke.
const POINTS: u32 = 12;

/// An end of a stroke, in font units, y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeEnd {
    /// Its place on the centre line.
    pub at: [f32; 2],
    /// Whether the stroke starts here.
    pub is_start: bool,
}

/// A point of a stroke, and the length of the stroke up to it.
type Sample = ([f64; 2], f64);

/// The free ends of the strokes of a glyph, drawn with a pen of this width in font units.
pub(super) fn free_ends(strokes: &[Stroke], pen: f64) -> Vec<FreeEnd> {
    let lines: Vec<Vec<Sample>> = strokes.iter().map(samples).collect();
    let reach = REACH * pen;
    let is_free = |own: usize, at: [f64; 2], place: f64| {
        let others =
            lines.iter().enumerate().flat_map(|(line, samples)| samples.iter().map(move |sample| (line, sample)));
        !others.into_iter().any(|(line, (other, along))| {
            let is_apart = line != own || (along - place).abs() > 3.0 * reach;
            is_apart && (other[0] - at[0]).hypot(other[1] - at[1]) < reach
        })
    };
    let mut free = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let (Some(&(start, _)), Some(&(end, length))) = (line.first(), line.last()) else { continue };
        if length < SHORTEST * pen {
            continue;
        }
        for (at, place, is_start) in [(start, 0.0, true), (end, length, false)] {
            if is_free(number, at, place) {
                free.push(FreeEnd { at: at.map(|part| part as f32), is_start });
            }
        }
    }
    free
}

/// Points along a stroke.
fn samples(stroke: &Stroke) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    let mut add = |at: [f64; 2]| {
        let length = samples.last().map_or(0.0, |(last, length)| length + (at[0] - last[0]).hypot(at[1] - last[1]));
        samples.push((at, length));
    };
    let mut from = [0.0; 2];
    for command in &stroke.commands {
        let vector = |at: &crate::geometry::Point<crate::units::FontUnits>| [at.x.get(), at.y.get()];
        match command {
            OutlineCommand::MoveTo(to) => {
                from = vector(to);
                add(from);
            }
            OutlineCommand::LineTo(to) => {
                let to = vector(to);
                for step in 1..=POINTS {
                    let share = f64::from(step) / f64::from(POINTS);
                    add([0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share));
                }
                from = to;
            }
            OutlineCommand::CubicTo(first, second, to) => {
                let points = [from, vector(first), vector(second), vector(to)];
                for step in 1..=POINTS {
                    let share = f64::from(step) / f64::from(POINTS);
                    let rest = 1.0 - share;
                    let weights = [rest.powi(3), 3.0 * rest * rest * share, 3.0 * rest * share * share, share.powi(3)];
                    add([0, 1].map(|axis| weights.iter().zip(&points).map(|(weight, at)| weight * at[axis]).sum()));
                }
                from = vector(to);
            }
            // Strokes have neither.
            OutlineCommand::QuadTo(..) | OutlineCommand::Close => {}
        }
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};

    fn ends(font: u16, letter: char) -> Vec<FreeEnd> {
        let catalogue = FontCatalogue::load().unwrap();
        let face = catalogue.face(FontId::new(font).unwrap());
        face.free_ends(face.glyph_for(letter).unwrap())
    }

    #[test]
    fn a_line_has_two_ends_a_ring_none_and_a_bar_that_meets_a_stem_one_less() {
        assert_eq!(ends(15, 'l').len(), 2);
        assert!(ends(15, 'o').len() <= 1, "{:?}", ends(15, 'o'));
        // The arms of a T meet its stem.
        assert_eq!(ends(15, 'T').len(), 3, "{:?}", ends(15, 'T'));
        assert!(ends(15, '.').is_empty(), "a dot");
        assert!(ends(53, 'l').is_empty(), "a font without strokes");
    }
}
