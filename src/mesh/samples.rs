//! Contours as closed sequences of points, so dense that the curve between two is nearly straight.

use lyon::geom::{CubicBezierSegment, QuadraticBezierSegment};

use super::vector::{Vector, length, minus};
use crate::catalogue::OutlineCommand;
use crate::geometry::Point;
use crate::units::FontUnits;

/// Largest deviation of a curve from the line between two samples, as a share of the tolerance. Denser samples give
/// chords more end positions but take longer to fit.
const FINE: f64 = 0.2;

/// A point on a contour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// Its position.
    pub(super) at: Vector,
    /// The largest distance of a chord from it, so that the curves on either side are within the tolerance of the chord
    /// too.
    pub(super) tolerance: f64,
}

/// The closed contours of an outline, each sample once. A chord within the tolerances of two neighbouring samples is
/// within `tolerance` of the curve between them.
pub(super) fn contours(commands: &[OutlineCommand], tolerance: FontUnits) -> Vec<Vec<Sample>> {
    let mut contours: Vec<Contour> = Vec::new();
    for command in commands {
        if let OutlineCommand::MoveTo(start) = *command {
            let tolerance = tolerance.get();
            contours.push(Contour { samples: vec![Sample { at: vector(start), tolerance }], tolerance });
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

/// An unfinished contour; it has at least one sample.
struct Contour {
    samples: Vec<Sample>,
    tolerance: f64,
}

impl Contour {
    /// Adds a point; the curve to it deviates from the straight line by up to `deviation`.
    fn push(&mut self, at: Vector, deviation: f64) {
        let tolerance = self.tolerance - deviation;
        if let Some(last) = self.samples.last_mut() {
            last.tolerance = last.tolerance.min(tolerance);
            if length(minus(last.at, at)) <= 0.0 {
                return;
            }
        }
        self.samples.push(Sample { at, tolerance });
    }

    fn at(&self) -> Vector {
        self.samples.last().map_or([0.0; 2], |sample| sample.at)
    }

    /// A parabola deviates from its chord by an eighth of its second derivative times the square of the parameter's
    /// step.
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

    /// Adds a curve that deviates from its chord by at most `deviation`; n chords deviate by at most 1/n² of that.
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
            first.tolerance = first.tolerance.min(last.tolerance);
            self.samples.pop();
        }
        self.samples
    }
}

fn lyon([x, y]: Vector) -> lyon::geom::Point<f64> {
    lyon::geom::point(x, y)
}
