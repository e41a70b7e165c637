//! How a printed dot looks: blurred by the camera or scanner, and by the printer.

use crate::own_hand::page::{FlatPage, Place, quantile};

/// Steps of the integral over a dot.
const STEPS: usize = 48;
/// Directions in which a dot is sampled, and samples of a pixel outwards.
const DIRECTIONS: usize = 16;
const SAMPLES: f64 = 2.0;
/// Steps of the blur that are tried, in mm, and their number.
const BLUR_STEP: f64 = 0.008;
const BLUR_STEPS: u32 = 60;
/// The least dots of a measurement.
const LEAST_DOTS: usize = 12;

/// How dots are blurred and how dark they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DotLook {
    /// Standard deviation of the blur, in mm.
    pub(super) blur: f64,
    /// Radius, in mm.
    pub(super) radius: f64,
    /// Darkness of a wide area of its colour.
    pub(super) darkness: f64,
}

/// The darkness at a distance from the centre of a black dot of this radius under a Gaussian blur (the integral over
/// rings, whose angular part is a modified Bessel function).
pub(super) fn profile(radius: f64, blur: f64, far: f64) -> f64 {
    let (from, to) = ((far - 6.0 * blur).max(0.0), radius.min(far + 6.0 * blur));
    if from >= to {
        return 0.0;
    }
    let step = (to - from) / STEPS as f64;
    let ring = |index: usize| {
        let at = from + (index as f64 + 0.5) * step;
        let square = blur * blur;
        at / square * (-(at - far).powi(2) / (2.0 * square)).exp() * scaled_bessel(at * far / square)
    };
    ((0..STEPS).map(ring).sum::<f64>() * step).clamp(0.0, 1.0)
}

/// exp(−x) I₀(x) (M. Abramowitz, I. Stegun, 9.8.1 and 9.8.2; off by 2·10⁻⁷ at most).
fn scaled_bessel(x: f64) -> f64 {
    let polynomial = |terms: &[f64], at: f64| terms.iter().rev().fold(0.0, |sum, term| sum * at + term);
    if x < 3.75 {
        let terms = [1.0, 3.515_622_9, 3.089_942_4, 1.206_749_2, 0.265_973_2, 0.036_076_8, 0.004_581_3];
        return (-x).exp() * polynomial(&terms, (x / 3.75).powi(2));
    }
    let terms = [
        0.398_942_28,
        0.013_285_92,
        0.002_253_19,
        -0.001_575_65,
        0.009_162_81,
        -0.020_577_06,
        0.026_355_37,
        -0.016_476_33,
        0.003_923_77,
    ];
    polynomial(&terms, 3.75 / x) / x.sqrt()
}

/// Measures dots at these places of a page within `reach` mm: of the medians over all dots and directions, the best radius
/// among `radii` and the best blur; `None` of too few dots. `darkness` has the pixels of `page`.
pub(super) fn measure(
    page: &FlatPage,
    darkness: &[f32],
    places: &[Place],
    (radii, reach): (&[f64], f64),
) -> Option<DotLook> {
    if places.len() < LEAST_DOTS {
        return None;
    }
    let count = (reach * page.scale * SAMPLES) as usize;
    let sample = |place: Place, at: usize, direction: usize| {
        let far = at as f64 / SAMPLES;
        let angle = std::f64::consts::TAU * direction as f64 / DIRECTIONS as f64;
        let [x, y] = page.pixel(place);
        interpolated(page, darkness, [x + far * angle.cos(), y + far * angle.sin()])
    };
    let medians: Vec<f64> = (0..count)
        .map(|at| {
            let all = places.iter().flat_map(|place| (0..DIRECTIONS).map(|direction| sample(*place, at, direction)));
            quantile(&all.collect::<Vec<f64>>(), 0.5)
        })
        .collect();
    let mut best: Option<(f64, DotLook)> = None;
    for radius in radii {
        for step in 2..BLUR_STEPS {
            let blur = f64::from(step) * BLUR_STEP;
            let ideal: Vec<f64> =
                (0..count).map(|at| profile(*radius, blur, at as f64 / SAMPLES / page.scale)).collect();
            // Outer samples stand for wider rings.
            let sum = |of: &dyn Fn(usize) -> f64| (0..count).map(|at| (at as f64 + 0.5) * of(at)).sum::<f64>();
            let darkness = sum(&|at| ideal[at] * medians[at]) / sum(&|at| ideal[at] * ideal[at]).max(1e-12);
            let error = sum(&|at| (medians[at] - darkness * ideal[at]).powi(2));
            if best.is_none_or(|(least, _)| error < least) {
                best = Some((error, DotLook { blur, radius: *radius, darkness }));
            }
        }
    }
    best.map(|(_, look)| look)
}

fn interpolated(page: &FlatPage, values: &[f32], [x, y]: Place) -> f64 {
    let (width, height) = (page.light.width, page.light.height);
    let value = |x: f64, y: f64| {
        let (x, y) = (x.clamp(0.0, (width - 1) as f64) as usize, y.clamp(0.0, (height - 1) as f64) as usize);
        f64::from(values[y * width + x])
    };
    let (left, top) = (x.floor(), y.floor());
    let (across, down) = (x - left, y - top);
    let line = |row: f64| value(left, row) + across * (value(left + 1.0, row) - value(left, row));
    line(top) + down * (line(top + 1.0) - line(top))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_of_a_blurred_dot_is_that_of_its_points() {
        let (radius, blur) = (0.45, 0.12);
        for far in [0.0, 0.2, 0.45, 0.6] {
            let (mut sum, steps) = (0.0, 400);
            for row in 0..steps {
                for column in 0..steps {
                    let part = |at: i32| radius * (2.0 * (f64::from(at) + 0.5) / f64::from(steps) - 1.0);
                    let (x, y) = (part(column), part(row));
                    if x.hypot(y) <= radius {
                        sum += (-((x - far).powi(2) + y * y) / (2.0 * blur * blur)).exp();
                    }
                }
            }
            let exact = sum * (2.0 * radius / f64::from(steps)).powi(2) / (std::f64::consts::TAU * blur * blur);
            assert!((profile(radius, blur, far) - exact).abs() < 2e-3, "{far}: {} {exact}", profile(radius, blur, far));
        }
    }
}
