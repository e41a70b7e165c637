//! Smooth noise over the page, as `shaders/noise.wgsl` computes it.

/// Knots of the coarse and of the fine octave, in correlation lengths, and their shares. A third octave of a sixth of a
/// millimetre would make edges like caterpillars; the grain of the ink stands for it.
const KNOTS: [f64; 2] = [1.7, 0.5];
/// How much closer knots are along lines of text than down the page: neighbouring stems are other strokes, which share
/// nothing, while a stem runs down. Otherwise short words would be wide or narrow as a whole.
pub(crate) const CLOSER_ALONG_LINES: f32 = 1.6;
/// Shares of the octaves, times what gives value noise of uniform corners a standard deviation of 1.
pub(crate) const OCTAVES: [f32; 2] = [2.129, 0.946];

/// What mixes the seed in, what the corners of the noise are made of (an odd number for each axis), and what mixes it.
const GOLDEN: u32 = 0x9e37_79b9;
pub(crate) const COLUMN_STEP: u32 = 0x9e37_79b1;
pub(crate) const ROW_STEP: u32 = 0x85eb_ca77;
pub(crate) const MIXER: u32 = 0x2c1b_3c6d;

/// A field over the page of about a standard deviation of 1, close to an exponential correlation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenField {
    seed: u32,
    /// Knots per page px of both octaves.
    knots_per_px: [f32; 2],
}

impl PenField {
    /// The farthest from zero that it gets.
    pub const MOST: f32 = OCTAVES[0] + OCTAVES[1];

    /// A field of this correlation length in page px.
    pub(super) fn new(seed: u32, length: f64) -> Self {
        Self { seed, knots_per_px: KNOTS.map(|knot| (1.0 / (knot * length)) as f32) }
    }

    /// Its seed; the fine octave has the next.
    #[must_use]
    pub const fn seed(&self) -> u32 {
        self.seed
    }

    /// Knots per page px of the coarse and of the fine octave.
    #[must_use]
    pub const fn knots_per_px(&self) -> [f32; 2] {
        self.knots_per_px
    }

    /// Its value at a point of the page in page px.
    #[must_use]
    pub fn at(&self, at: [f32; 2]) -> f32 {
        let octave = |index: usize| {
            let place = [at[0] * CLOSER_ALONG_LINES, at[1]].map(|part| part * self.knots_per_px[index]);
            OCTAVES[index] * value(place, self.seed.wrapping_add(index as u32))
        };
        octave(0) + octave(1)
    }
}

/// Value noise in [-1, 1]: uniform at whole places, smooth between them.
fn value(place: [f32; 2], seed: u32) -> f32 {
    let first = place.map(f32::floor);
    let [across, down] = [0, 1].map(|axis| {
        let share = place[axis] - first[axis];
        share * share * (3.0 - 2.0 * share)
    });
    let [column, row] = first.map(|whole| whole as i32 as u32);
    let row = row.wrapping_mul(ROW_STEP).wrapping_add(seed.wrapping_mul(GOLDEN));
    let column = column.wrapping_mul(COLUMN_STEP);
    let corner = |right: u32, below: u32| {
        let column = column.wrapping_add(right.wrapping_mul(COLUMN_STEP));
        mixed(column ^ row.wrapping_add(below.wrapping_mul(ROW_STEP))) as i32 as f32 / 2_147_483_648.0
    };
    let between = |a: f32, b: f32, share: f32| a + (b - a) * share;
    let above = between(corner(0, 0), corner(1, 0), across);
    between(above, between(corner(0, 1), corner(1, 1), across), down)
}

/// Its upper bits depend on all of the number. Corners of a lattice made of odd steps need no more.
const fn mixed(number: u32) -> u32 {
    (number ^ number >> 15).wrapping_mul(MIXER)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values down 20 columns of the page, 1.07 px apart.
    fn samples() -> Vec<f64> {
        let field = PenField::new(7, 14.0);
        let at = |n: u16| [f32::from(n / 2000) * 53.0 - 300.0, f32::from(n % 2000) * 1.07];
        (0..40_000).map(|n| f64::from(field.at(at(n)))).collect()
    }

    /// Half the mean square of differences at a lag of samples, over the variance: the variogram.
    fn variogram(values: &[f64], lag: usize) -> f64 {
        let squares = values.iter().zip(&values[lag..]).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        0.5 * squares / (values.len() - lag) as f64
    }

    #[test]
    fn its_standard_deviation_is_one_and_its_correlation_about_exponential() {
        let values = samples();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
        assert!(mean.abs() < 0.05 && (0.9..1.1).contains(&variance), "{mean} {variance}");
        assert!(values.iter().all(|value| value.abs() <= f64::from(PenField::MOST)));
        // At the lags of 0.3, 1 and 3 correlation lengths of 14 px; samples are 1.07 px apart.
        for (lag, expected) in [(4, 0.10..0.32), (13, 0.50..0.80), (39, 0.90..1.1)] {
            let found = variogram(&values, lag);
            assert!(expected.contains(&found), "{found} at a lag of {lag}");
        }
    }

    #[test]
    fn it_is_continuous_also_left_of_the_page() {
        let field = PenField::new(3, 10.0);
        let line: Vec<f32> =
            (-4000..4000).map(|n| field.at([n as f32 / 40.0 / CLOSER_ALONG_LINES, n as f32 / 90.0])).collect();
        assert!(line.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.05));
    }
}
