//! Contours as closed sequences of points, so close that the curve between two is nearly straight.

use lyon::geom::{CubicBezierSegment, QuadraticBezierSegment};

use super::vector::{Vector, length, minus};
use crate::catalogue::OutlineCommand;
use crate::geometry::Point;
use crate::units::FontUnits;

/// Farthest that a curve may lie from the line between two samples, as a share of the tolerance. Closer samples give
/// chords more places to end and take longer to fit.
const FINE: f64 = 0.2;

/// A point on a contour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// Where it lies.
    pub(super) at: Vector,
    /// How far a chord may pass from it, so that the curve on either side stays within the tolerance of the chord too.
    pub(super) reach: f64,
}

/// The closed contours of an outline, each sample once. A chord that is within reach of two neighbouring samples is
/// within `tolerance` of the curve between them.
pub(super) fn contours(commands: &[OutlineCommand], tolerance: FontUnits) -> Vec<Vec<Sample>> {
    let mut contours: Vec<Contour> = Vec::new();
    for command in commands {
        if let OutlineCommand::MoveTo(start) = *command {
            let tolerance = tolerance.get();
            contours.push(Contour { samples: vec![Sample { at: vector(start), reach: tolerance }], tolerance });
        }
        let Some(contour) = contours.last_mut() else { continue };
        match *command {
            OutlineCommand::MoveTo(_) | OutlineCommand::Close => {}
            OutlineCommand::LineTo(to) => contour.push(vector(to), 0.0),
            OutlineCommand::QuadTo(control, to) => contour.quadratic_to(vector(control), vector(to)),
            OutlineCommand::CubicTo(first, second, to) => contour.cubic_to(vector(first), vector(second), vector(to)),
        }
    }
    contours.into_iter().map(Contour::closed).collect()
}

fn vector(at: Point<FontUnits>) -> Vector {
    [at.x.get(), at.y.get()]
}

/// A contour on its way; there is always a sample.
struct Contour {
    samples: Vec<Sample>,
    tolerance: f64,
}

impl Contour {
    /// Goes on to a point; the curve on the way leaves the straight line by up to `deviation`.
    fn push(&mut self, at: Vector, deviation: f64) {
        let reach = self.tolerance - deviation;
        if let Some(last) = self.samples.last_mut() {
            last.reach = last.reach.min(reach);
            if length(minus(last.at, at)) <= 0.0 {
                return;
            }
        }
        self.samples.push(Sample { at, reach });
    }

    fn at(&self) -> Vector {
        self.samples.last().map_or([0.0; 2], |sample| sample.at)
    }

    /// A parabola leaves its chord by an eighth of its second derivative times the square of the parameter's step.
    fn quadratic_to(&mut self, control: Vector, to: Vector) {
        let from = self.at();
        let bend = length(minus(minus(from, control), minus(control, to)));
        let curve = QuadraticBezierSegment { from: lyon(from), ctrl: lyon(control), to: lyon(to) };
        self.curve_to(to, bend / 4.0, |share| curve.sample(share));
    }

    /// The same with the bound of a cubic's second derivative (Wang's formula; R. Goldman, Pyramid Algorithms, 2003,
    /// section 5.6.3).
    fn cubic_to(&mut self, first: Vector, second: Vector, to: Vector) {
        let from = self.at();
        let bend = length(minus(minus(from, first), minus(first, second)))
            .max(length(minus(minus(first, second), minus(second, to))));
        let curve = CubicBezierSegment { from: lyon(from), ctrl1: lyon(first), ctrl2: lyon(second), to: lyon(to) };
        self.curve_to(to, bend * 0.75, |share| curve.sample(share));
    }

    /// A curve that leaves its chord by `deviation` at most, and by a share of 1/n² of that where n chords are drawn.
    fn curve_to(&mut self, to: Vector, deviation: f64, sample: impl Fn(f64) -> lyon::geom::Point<f64>) {
        let pieces = (deviation / (FINE * self.tolerance)).sqrt().ceil().max(1.0);
        let deviation = deviation / (pieces * pieces);
        for piece in 1..pieces as u32 {
            self.push(sample(f64::from(piece) / pieces).to_array(), deviation);
        }
        self.push(to, deviation);
    }

    /// The samples, the first not repeated at the end.
    fn closed(mut self) -> Vec<Sample> {
        if let [first, .., last] = self.samples.as_mut_slice()
            && length(minus(first.at, last.at)) <= 0.0
        {
            first.reach = first.reach.min(last.reach);
            self.samples.pop();
        }
        self.samples
    }
}

fn lyon([x, y]: Vector) -> lyon::geom::Point<f64> {
    lyon::geom::point(x, y)
}
