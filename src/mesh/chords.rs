//! The fewest chords that stay within a tolerance of a contour, on both sides of it.
//!
//! Chords whose ends lie on a curve lie inside of it, and ends of curves, which stand close in a drawn hand, are corners
//! that no chord may pass. Here a chord may end beside the contour, at either edge of a band around it, and may stand for
//! many short curves. It is half again as long, and what it adds outside makes up for what it takes away inside.
//!
//! Which chords are allowed is a graph, and the fewest are its shortest path (H. Imai and M. Iri, Computational-geometric
//! methods for polygonal approximations of a curve, CVGIP 36, 1986); of paths with as many chords, the one with the least
//! squared distance is taken. A chord is allowed if, walked along from end to end, it can be followed on the contour
//! without ever being farther away than the tolerance (the Fréchet distance, as in L. Guibas, J. Hershberger, J. Mitchell
//! and J. Snoeyink, Approximating polygons and subdivisions with minimum link paths, 1993). Directions that pass all
//! samples so far make a cone that only narrows (W. S. Chan and F. Chin, Approximation of polygonal curves with minimum
//! number of line segments, 1992), so each chord costs the same to test.

use super::samples::Sample;
use super::vector::{Vector, cross, dot, length, minus};

/// Where a chord may end beside a sample, in reaches to the left.
const PLACES: [f64; 3] = [0.0, 1.0, -1.0];

/// Quarters of the samples, of those that one more chord reaches, after which the next one has to start: from earlier
/// ones it hardly ever leads to fewer chords.
const LATE_QUARTERS: usize = 3;

/// The way to a place by the fewest chords so far.
#[derive(Clone, Copy)]
struct Route {
    chords: usize,
    /// Squared distance between chords and contour, summed along the contour.
    error: f64,
    /// Sample and place where the last chord starts.
    from: (usize, usize),
}

impl Route {
    const NONE: Self = Self { chords: usize::MAX, error: f64::INFINITY, from: (0, 0) };

    fn is_better(self, other: Self) -> bool {
        self.chords < other.chords || (self.chords == other.chords && self.error < other.error)
    }
}

/// The corners of a polygon that stays within reach of the closed contour's samples, in their order. Every corner is kept
/// in the box from `least` to `most`, in which the contour lies: ink that starts at a margin stays there. A contour that
/// encloses nothing has no corners.
pub(super) fn fit(mut contour: Vec<Sample>, least: Vector, most: Vector) -> Vec<Vector> {
    let sharpest = (0..contour.len()).max_by(|&a, &b| turn(&contour, a).total_cmp(&turn(&contour, b)));
    contour.rotate_left(sharpest.unwrap_or_default());
    contour.extend_from_within(..contour.len().min(1));
    if contour.len() < 4 {
        return Vec::new();
    }
    let places = places(&contour, least, most);
    let routes = routes(&contour, &places);

    let mut corners = Vec::new();
    let (mut sample, mut place) = (contour.len() - 1, 0);
    while sample > 0 {
        corners.push(places[sample][place]);
        (sample, place) = routes[sample][place].from;
    }
    corners.reverse();
    corners
}

/// How far the closed contour turns at a sample, 0 to π.
fn turn(contour: &[Sample], at: usize) -> f64 {
    let sample = |index: usize| contour[index % contour.len()].at;
    let (arriving, leaving) = (minus(sample(at), sample(at + contour.len() - 1)), minus(sample(at + 1), sample(at)));
    cross(arriving, leaving).atan2(dot(arriving, leaving)).abs()
}

/// Where chords may end, for each sample: on the contour and, but for its first and last sample, on both sides of it.
fn places(contour: &[Sample], least: Vector, most: Vector) -> Vec<[Vector; PLACES.len()]> {
    // Samples of a curve, too, may be rounded beyond its extremum.
    let within = |[x, y]: Vector| [x.clamp(least[0], most[0]), y.clamp(least[1], most[1])];
    let mut places: Vec<_> = contour.iter().map(|sample| [within(sample.at); PLACES.len()]).collect();
    for (places, around) in places[1..].iter_mut().zip(contour.windows(3)) {
        let [before, sample, after] = [0, 1, 2].map(|index| around[index].at);
        let [arriving, leaving] = [minus(sample, before), minus(after, sample)].map(|[x, y]| {
            let length = x.hypot(y);
            [x / length, y / length]
        });
        let along = [arriving[0] + leaving[0], arriving[1] + leaving[1]];
        let aside = around[1].reach / length(along);
        // A spike has no side.
        if aside.is_finite() {
            *places =
                PLACES.map(|left| within([sample[0] - along[1] * aside * left, sample[1] + along[0] * aside * left]));
        }
    }
    places
}

/// The best routes from the first sample to the places of all others, as far as they matter for that to the last.
fn routes(contour: &[Sample], places: &[[Vector; PLACES.len()]]) -> Vec<[Route; PLACES.len()]> {
    let mut routes = vec![[Route::NONE; PLACES.len()]; contour.len()];
    routes[0][0] = Route { chords: 0, error: 0.0, ..Route::NONE };
    // The last sample that so many chords reach.
    let mut farthest = vec![0_usize];
    for start in 0..contour.len() - 1 {
        for (place, &from) in places[start].iter().enumerate() {
            let here = routes[start][place];
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
                // What fewer chords reach needs no more of them.
                let ends = if end > reached { &places[end][..] } else { &[] };
                for (&to, best) in ends.iter().zip(&mut routes[end]) {
                    if let Some(error) = fan.error_of_chord(to, &contour[start..=end]) {
                        let route = Route { chords: here.chords + 1, error: here.error + error, from: (start, place) };
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

/// The chords from one place, while their other end is walked along the contour.
struct Fan {
    from: Vector,
    /// The rightmost and the leftmost direction that pass all samples so far; `None` while all are within reach of `from`.
    cone: Option<[Vector; 2]>,
    /// The rightmost and the leftmost direction that the contour took so far.
    turns: [Vector; 2],
    /// Sums of xx, xy and yy along the contour so far, for vectors from `from`.
    moments: [f64; 3],
}

impl Fan {
    fn new(from: Vector, first: Sample, second: Sample) -> Self {
        let direction = minus(second.at, first.at);
        Self { from, cone: None, turns: [direction, direction], moments: [0.0; 3] }
    }

    /// Goes on by one sample; false where the contour has turned by more than a quarter, which is as far as chords go.
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

    /// Squared distance of the contour from the chord to `to`, a place of the last of `walked`, summed along the contour;
    /// `None` where the contour is out of reach of the chord.
    fn error_of_chord(&self, to: Vector, walked: &[Sample]) -> Option<f64> {
        let chord = minus(to, self.from);
        let square = dot(chord, chord);
        if square <= 0.0 {
            return self.cone.is_none().then_some(0.0);
        }
        let is_followed = walked.len() == 2 || self.turns.iter().all(|turn| dot(*turn, chord) >= 0.0);
        let passes = self.cone.is_none_or(|[right, left]| cross(right, chord) >= 0.0 && cross(chord, left) >= 0.0);
        // Samples beyond the end of the chord have to be within reach of the end.
        let mut beyond = walked[1..walked.len() - 1]
            .iter()
            .rev()
            .take_while(|sample| dot(minus(sample.at, self.from), chord) > square);
        let ends = beyond.all(|sample| length(minus(sample.at, to)) <= sample.reach);
        let [xx, xy, yy] = self.moments;
        let error = (xx * chord[1] * chord[1] - 2.0 * xy * chord[0] * chord[1] + yy * chord[0] * chord[0]) / square;
        (is_followed && passes && ends).then_some(error)
    }

    /// Leaves the directions that pass the sample within reach; false where there are none left.
    fn narrow(&mut self, sample: Sample) -> bool {
        let [x, y] = minus(sample.at, self.from);
        let reach = sample.reach;
        let rest = x * x + y * y - reach * reach;
        if rest > 0.0 {
            // The tangents from `from` to the circle around the sample.
            let along = rest.sqrt();
            let (right, left) =
                ([x * along + y * reach, y * along - x * reach], [x * along - y * reach, y * along + x * reach]);
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
