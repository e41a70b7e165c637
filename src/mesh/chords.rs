//! Fits the fewest chords that stay within a tolerance of a contour, on both sides of it.
//!
//! If chords had to end on the curve, they would lie inside of it, and no chord could pass the end of a curve;
//! handwriting fonts have many short curves. Here a chord may also end beside the contour, at either edge of a band
//! around it, and may replace many curves. So chords are half again as long, and the area that they add outside
//! balances the area that they remove inside.
//!
//! The allowed chords form a graph, and the fewest chords are its shortest path (H. Imai and M. Iri,
//! Computational-geometric methods for polygonal approximations of a curve, CVGIP 36, 1986). Of several shortest paths,
//! the one with the least squared distance wins. A chord is allowed if its Fréchet distance from the contour is within
//! the tolerance (L. Guibas, J. Hershberger, J. Mitchell and J. Snoeyink, Approximating polygons and subdivisions with
//! minimum link paths, 1993). The directions that pass all samples so far form a cone that only narrows (W. S. Chan and
//! F. Chin, Approximation of polygonal curves with minimum number of line segments, 1992), so testing a chord takes
//! constant time per sample.

use super::samples::Sample;
use super::vector::{Vector, cross, dot, length, minus};

/// Where a chord may end beside a sample: distances to the left, in tolerances of the sample.
const OFFSETS: [f64; 3] = [0.0, 1.0, -1.0];

/// How many quarters of the samples that one more chord reaches are skipped as starts of the next chord: earlier starts
/// hardly ever lead to fewer chords.
const LATE_QUARTERS: usize = 3;

/// The path to an end position with the fewest chords so far.
#[derive(Clone, Copy)]
struct Route {
    chords: usize,
    /// Squared distance between chords and contour, summed along the contour.
    error: f64,
    /// Sample and end position where the last chord starts.
    from: (usize, usize),
}

impl Route {
    const NONE: Self = Self { chords: usize::MAX, error: f64::INFINITY, from: (0, 0) };

    fn is_better(self, other: Self) -> bool {
        self.chords < other.chords || (self.chords == other.chords && self.error < other.error)
    }
}

/// The corners of a polygon within the tolerances of the closed contour's samples, in order. Corners stay in the box
/// from `least` to `most` around the contour, so ink that starts at a margin stays there. A contour that encloses
/// nothing has no corners.
pub(super) fn fit(mut contour: Vec<Sample>, least: Vector, most: Vector) -> Vec<Vector> {
    let sharpest = (0..contour.len()).max_by(|&a, &b| turn(&contour, a).total_cmp(&turn(&contour, b)));
    contour.rotate_left(sharpest.unwrap_or_default());
    contour.extend_from_within(..contour.len().min(1));
    if contour.len() < 4 {
        return Vec::new();
    }
    let end_positions = end_positions(&contour, least, most);
    let routes = routes(&contour, &end_positions);

    let mut corners = Vec::new();
    let (mut sample, mut position) = (contour.len() - 1, 0);
    while sample > 0 {
        corners.push(end_positions[sample][position]);
        (sample, position) = routes[sample][position].from;
    }
    corners.reverse();
    corners
}

/// The angle by which the closed contour turns at a sample, 0 to π.
fn turn(contour: &[Sample], at: usize) -> f64 {
    let sample = |index: usize| contour[index % contour.len()].at;
    let (arriving, leaving) = (minus(sample(at), sample(at + contour.len() - 1)), minus(sample(at + 1), sample(at)));
    cross(arriving, leaving).atan2(dot(arriving, leaving)).abs()
}

/// End positions for each sample: on the contour and, except for the first and last sample, on both sides of it.
fn end_positions(contour: &[Sample], least: Vector, most: Vector) -> Vec<[Vector; OFFSETS.len()]> {
    // Samples of a curve may also be rounded beyond its extremum.
    let within = |[x, y]: Vector| [x.clamp(least[0], most[0]), y.clamp(least[1], most[1])];
    let mut end_positions: Vec<_> = contour.iter().map(|sample| [within(sample.at); OFFSETS.len()]).collect();
    for (end_positions, around) in end_positions[1..].iter_mut().zip(contour.windows(3)) {
        let [before, sample, after] = [0, 1, 2].map(|index| around[index].at);
        let [arriving, leaving] = [minus(sample, before), minus(after, sample)].map(|[x, y]| {
            let length = x.hypot(y);
            [x / length, y / length]
        });
        let along = [arriving[0] + leaving[0], arriving[1] + leaving[1]];
        let aside = around[1].tolerance / length(along);
        // A spike has no sides.
        if aside.is_finite() {
            *end_positions =
                OFFSETS.map(|left| within([sample[0] - along[1] * aside * left, sample[1] + along[0] * aside * left]));
        }
    }
    end_positions
}

/// The best routes from the first sample to the end positions of all others, as far as they can be part of the best
/// route to the last sample.
fn routes(contour: &[Sample], end_positions: &[[Vector; OFFSETS.len()]]) -> Vec<[Route; OFFSETS.len()]> {
    let mut routes = vec![[Route::NONE; OFFSETS.len()]; contour.len()];
    routes[0][0] = Route { chords: 0, error: 0.0, ..Route::NONE };
    // By number of chords, the last sample that they reach.
    let mut farthest = vec![0_usize];
    for start in 0..contour.len() - 1 {
        for (position, &from) in end_positions[start].iter().enumerate() {
            let here = routes[start][position];
            let Some(&reached) = farthest.get(here.chords) else { continue };
            let fewer = here.chords.checked_sub(1).map_or(0, |fewer| farthest[fewer]);
            if 4 * start.saturating_sub(fewer) < LATE_QUARTERS * (reached - fewer) {
                continue;
            }
            let mut fan = Fan::new(from, contour[start], contour[start + 1]);
            for end in start + 1..contour.len() {
                if !fan.walk_to(contour[end - 1], contour[end]) {
                    break;
                }
                // Samples that fewer chords reach need no more chords.
                let ends = if end > reached { &end_positions[end][..] } else { &[] };
                for (&to, best) in ends.iter().zip(&mut routes[end]) {
                    if let Some(error) = fan.error_of_chord(to, &contour[start..=end]) {
                        let route =
                            Route { chords: here.chords + 1, error: here.error + error, from: (start, position) };
                        *best = if route.is_better(*best) { route } else { *best };
                        farthest.resize(farthest.len().max(route.chords + 1), 0);
                        farthest[route.chords] = farthest[route.chords].max(end);
                    }
                }
                if !fan.narrow(contour[end]) {
                    break;
                }
            }
        }
    }
    routes
}

/// The chords from one start, while their end moves along the contour.
struct Fan {
    from: Vector,
    /// The rightmost and leftmost directions that pass all samples so far; `None` while all samples are within their
    /// tolerance of `from`.
    cone: Option<[Vector; 2]>,
    /// The rightmost and leftmost directions of the contour so far.
    turns: [Vector; 2],
    /// Sums of xx, xy and yy along the contour so far, for vectors from `from`.
    moments: [f64; 3],
}

impl Fan {
    fn new(from: Vector, first: Sample, second: Sample) -> Self {
        let direction = minus(second.at, first.at);
        Self { from, cone: None, turns: [direction, direction], moments: [0.0; 3] }
    }

    /// Moves on by one sample; false if the contour has turned by more than a quarter, the limit for chords.
    fn walk_to(&mut self, before: Sample, sample: Sample) -> bool {
        let direction = minus(sample.at, before.at);
        let [right, left] = &mut self.turns;
        if dot(*right, direction) < 0.0 || dot(*left, direction) < 0.0 {
            return false;
        }
        if cross(*right, direction) < 0.0 {
            *right = direction;
        }
        if cross(*left, direction) > 0.0 {
            *left = direction;
        }
        let half = length(direction) / 2.0;
        for [x, y] in [minus(before.at, self.from), minus(sample.at, self.from)] {
            self.moments =
                [self.moments[0] + half * x * x, self.moments[1] + half * x * y, self.moments[2] + half * y * y];
        }
        dot(*right, *left) >= 0.0
    }

    /// Squared distance of the contour from the chord to `to`, an end position at the last of `walked`, summed along
    /// the contour; `None` if the contour leaves the tolerance of the chord.
    fn error_of_chord(&self, to: Vector, walked: &[Sample]) -> Option<f64> {
        let chord = minus(to, self.from);
        let square = dot(chord, chord);
        if square <= 0.0 {
            return self.cone.is_none().then_some(0.0);
        }
        let is_followed = walked.len() == 2 || self.turns.iter().all(|turn| dot(*turn, chord) >= 0.0);
        let passes = self.cone.is_none_or(|[right, left]| cross(right, chord) >= 0.0 && cross(chord, left) >= 0.0);
        // Samples beyond the end of the chord must be within their tolerance of the end.
        let mut beyond = walked[1..walked.len() - 1]
            .iter()
            .rev()
            .take_while(|sample| dot(minus(sample.at, self.from), chord) > square);
        let ends = beyond.all(|sample| length(minus(sample.at, to)) <= sample.tolerance);
        let [xx, xy, yy] = self.moments;
        let error = (xx * chord[1] * chord[1] - 2.0 * xy * chord[0] * chord[1] + yy * chord[0] * chord[0]) / square;
        (is_followed && passes && ends).then_some(error)
    }

    /// Keeps the directions that pass the sample within its tolerance; false if none are left.
    fn narrow(&mut self, sample: Sample) -> bool {
        let [x, y] = minus(sample.at, self.from);
        let radius = sample.tolerance;
        let rest = x * x + y * y - radius * radius;
        if rest > 0.0 {
            // The tangents from `from` to the circle around the sample.
            let along = rest.sqrt();
            let (right, left) =
                ([x * along + y * radius, y * along - x * radius], [x * along - y * radius, y * along + x * radius]);
            let [rightmost, leftmost] = self.cone.unwrap_or([right, left]);
            self.cone = Some([
                if cross(rightmost, right) > 0.0 { right } else { rightmost },
                if cross(leftmost, left) < 0.0 { left } else { leftmost },
            ]);
        }
        self.cone.is_none_or(|[right, left]| cross(right, left) >= 0.0)
    }
}

#[cfg(test)]
mod tests;
