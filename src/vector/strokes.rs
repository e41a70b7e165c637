//! The centre lines of a glyph in its place, bent where its page is.

use kurbo::PathEl;

use crate::catalogue::{FontCatalogue, OutlineCommand, Stroke, StrokePart};
use crate::geometry::{PathCommand, Point, append_line};
use crate::layout::PlacedGlyph;
use crate::scene::{OutlineMap, Placement};
use crate::units::FontUnits;
use crate::variation::LetterMap;

/// Largest deviation of chords from a stroke that is bent, in page px.
const CHORD_TOLERANCE: f64 = 0.02;
/// Longest chord of a stroke that is bent, in page px, so that its ends follow the map.
pub(super) const LONGEST_CHORD: f64 = 2.0;
/// Largest deviation of cubics from the bent chords, in page px: 0.004 mm.
const TOLERANCE: f64 = 0.05;

/// The strokes of a glyph in page px, each a path and what it is of its letter, in the order of writing; none without
/// strokes.
pub(super) fn strokes_of(
    glyph: &PlacedGlyph,
    letter: Option<&LetterMap>,
    placement: &Placement,
    map: &OutlineMap,
    catalogue: &FontCatalogue,
) -> Vec<(StrokePart, Vec<PathCommand>)> {
    let strokes = catalogue.face(glyph.font).glyph_strokes(glyph.glyph).unwrap_or_default();
    let placed = |stroke: &Stroke| {
        if map.bends(letter) {
            let moved = |[x, y]: [f64; 2]| {
                let at = [x as f32, y as f32];
                // The line lies in the middle of the ink, so it has no way to its edge.
                let [x, y] = letter.map_or(at, |letter| letter.bend(at, [0.0; 2])).map(f64::from);
                map.displaced(placement.applied([x, y]))
            };
            let px_per_unit = distance(placement.applied([0.0; 2]), placement.applied([1.0, 0.0]));
            let points: Vec<[f64; 2]> = chords(stroke, px_per_unit).into_iter().map(moved).collect();
            let mut path = Vec::new();
            append_line(&points, TOLERANCE, &mut path);
            path
        } else {
            commands(stroke).map(|command| command.mapped(|at| placement.applied(at))).collect()
        }
    };
    strokes.iter().map(|stroke| (stroke.part, placed(stroke))).collect()
}

/// The commands of a stroke in font units.
fn commands(stroke: &Stroke) -> impl Iterator<Item = PathCommand> {
    let vector = |at: Point<FontUnits>| [at.x.get(), at.y.get()];
    stroke.commands.iter().filter_map(move |command| match *command {
        OutlineCommand::MoveTo(to) => Some(PathCommand::MoveTo(vector(to))),
        OutlineCommand::LineTo(to) => Some(PathCommand::LineTo(vector(to))),
        OutlineCommand::CubicTo(first, second, to) => {
            Some(PathCommand::CubicTo(vector(first), vector(second), vector(to)))
        }
        // Strokes have neither.
        OutlineCommand::QuadTo(..) | OutlineCommand::Close => None,
    })
}

/// The points of short chords along a stroke, in font units.
fn chords(stroke: &Stroke, px_per_unit: f64) -> Vec<[f64; 2]> {
    let mut points: Vec<[f64; 2]> = Vec::new();
    kurbo::flatten(commands(stroke).map(PathEl::from), CHORD_TOLERANCE / px_per_unit, |element| {
        let (PathEl::MoveTo(to) | PathEl::LineTo(to)) = element else { return };
        let to = [to.x, to.y];
        let from = points.last().copied().unwrap_or(to);
        let pieces = (distance(from, to) * px_per_unit / LONGEST_CHORD).ceil().max(1.0);
        let along = |piece: u32| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * f64::from(piece) / pieces);
        points.extend((1..=pieces as u32).map(along));
    });
    points
}

fn distance(from: [f64; 2], to: [f64; 2]) -> f64 {
    (to[0] - from[0]).hypot(to[1] - from[1])
}
