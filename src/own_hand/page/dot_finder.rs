//! Finds a black dot near a place, and its exact centre.

use std::sync::LazyLock;

use super::{Place, distance, quantile};
use crate::own_hand::picture::{Picture, Plane};
use crate::own_hand::sheet::LATTICE_RADIUS;

/// Samples in a mm.
const SAMPLES: f64 = 8.0;
/// Samples from the middle of the pattern of a dot to its edge.
const REACH: usize = 10;
const SIDE: usize = 2 * REACH + 1;
/// Least correlation of a dot with its pattern.
const LEAST_LIKENESS: f32 = 0.55;
/// The radius around a dot in which its centre is measured, in radii, and the rounds of the measurement.
const CENTRE_REACH: f64 = 1.9;
const CENTRE_ROUNDS: usize = 3;

/// The pattern of a dot, with mean 0 and length 1.
static PATTERN: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let mut plane = Plane::new(SIDE, SIDE);
    for (at, value) in plane.values.iter_mut().enumerate() {
        let far = ((at % SIDE) as f64 - REACH as f64).hypot((at / SIDE) as f64 - REACH as f64);
        *value = -((LATTICE_RADIUS * SAMPLES + 0.5 - far).clamp(0.0, 1.0) as f32);
    }
    let values = plane.blurred(1.0).values;
    let mean = values.iter().sum::<f32>() / values.len() as f32;
    let length = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>().sqrt();
    values.into_iter().map(|value| (value - mean) / length).collect()
});

/// The dot nearest to a place, within `window` mm along either axis; `map` says where a place is on the picture.
pub(super) fn find_dot(picture: &Picture, map: &dyn Fn(Place) -> Place, near: Place, window: f64) -> Option<Place> {
    let reach = (window * SAMPLES).round() as usize;
    let side = 2 * (reach + REACH) + 1;
    let place = |at: usize| (at as f64 - (reach + REACH) as f64) / SAMPLES;
    let sample = |at: usize| picture.value_at(map([near[0] + place(at % side), near[1] + place(at / side)]));
    let samples: Vec<f32> = (0..side * side).map(sample).collect();
    let offsets = 2 * reach + 1;
    let likeness: Vec<f32> = (0..offsets * offsets)
        .map(|at| {
            let start = at / offsets * side + at % offsets;
            let (mut sum, mut squares, mut product) = (0.0_f32, 0.0_f32, 0.0_f32);
            for (row, pattern) in PATTERN.chunks_exact(SIDE).enumerate() {
                let from = start + row * side;
                for (value, pattern) in samples[from..from + SIDE].iter().zip(pattern) {
                    sum += value;
                    squares += value * value;
                    product += value * pattern;
                }
            }
            let spread = squares - sum * sum / (SIDE * SIDE) as f32;
            // Noise of paper is no dot, however alike.
            if spread < 100.0 * (SIDE * SIDE) as f32 * 0.05 { 0.0 } else { product / spread.sqrt() }
        })
        .collect();
    let value = |x: usize, y: usize| likeness[y * offsets + x];
    let is_peak = |at: usize| {
        let (x, y) = (at % offsets, at / offsets);
        let around = (y.saturating_sub(1)..=(y + 1).min(offsets - 1))
            .flat_map(|row| (x.saturating_sub(1)..=(x + 1).min(offsets - 1)).map(move |column| (column, row)));
        likeness[at] > LEAST_LIKENESS
            && around.map(|(column, row)| value(column, row)).all(|other| other <= likeness[at])
    };
    let offset = |at: usize| [at % offsets, at / offsets].map(|at| (at as f64 - reach as f64) / SAMPLES);
    let peaks = (0..likeness.len()).filter(|at| is_peak(*at)).map(offset);
    let nearest = peaks.min_by(|a, b| a[0].hypot(a[1]).total_cmp(&b[0].hypot(b[1])))?;
    Some([near[0] + nearest[0], near[1] + nearest[1]])
}

/// The centre of the dot at a place on a picture: that of its darkness; `None` where it is farther off than 0.4 mm, or
/// beyond the picture. `scale` is in pixels per mm.
pub(super) fn centre(picture: &Picture, at: Place, scale: f64) -> Option<Place> {
    let radius = LATTICE_RADIUS * scale * CENTRE_REACH;
    let reach = radius.ceil() as isize + 1;
    let (left, top) = (at[0] as isize - reach, at[1] as isize - reach);
    let [width, height] = picture.size().map(|side| side as isize);
    let size = 2 * reach + 2;
    if left < 0 || top < 0 || left + size > width || top + size > height {
        return None;
    }
    let pixels: Vec<(Place, f64)> = (0..size * size)
        .map(|index| (left + index % size, top + index / size))
        .map(|(x, y)| ([x as f64, y as f64], 255.0 - f64::from(picture.value(x as usize, y as usize))))
        .collect();
    let mut middle = at;
    for _ in 0..CENTRE_ROUNDS {
        let near: Vec<&(Place, f64)> = pixels.iter().filter(|(place, _)| distance(*place, middle) < radius).collect();
        let values: Vec<f64> = near.iter().map(|(_, dark)| *dark).collect();
        let paper = quantile(&values, 0.3);
        let floor = paper + 0.25 * (values.iter().copied().fold(0.0, f64::max) - paper);
        let weighed = || near.iter().map(|(place, dark)| (place, (dark - floor).max(0.0)));
        let sum: f64 = weighed().map(|(_, weight)| weight).sum();
        if sum <= 0.0 {
            return None;
        }
        middle = [0, 1].map(|axis| weighed().map(|(place, weight)| place[axis] * weight).sum::<f64>() / sum);
    }
    (distance(middle, at) < 0.4 * scale).then_some(middle)
}
