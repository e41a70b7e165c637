//! Random displacement fields (Simard, Steinkraus, Platt: Best Practices for Convolutional Neural Networks, ICDAR 2003,
//! section 2, "elastic deformations").
//!
//! The field of a sigma is computed once, on first use. It repeats after 512 or 1024 page px, so a page may start at
//! any offset. Each repetition to the right is shifted vertically, so one line of text does not meet the same part
//! again. Smooth fields are stored as a lattice with points at most half a sigma apart; from sigma 4 on the lattice has
//! 256 × 256 points.

use std::sync::OnceLock;

use super::stream::mixed;

/// The displacement of ink along x and y at intensity 1, in page px: uniform noise in [-1, 1], one number per page px,
/// smoothed with a normalised Gaussian. A smooth field is stored as a lattice with points at most half a sigma apart.
///
/// A field depends only on `sigma`. It repeats after [`period`](Self::period) page px along both axes; a seed chooses
/// the position of a page in it. The repetition to the right lies [`SKEW`](Self::SKEW) page px higher, so a line of
/// text meets another part of the field there.
#[derive(Debug, PartialEq)]
pub struct ElasticField {
    /// Standard deviation of the Gaussian, in page px.
    pub sigma: u8,
    /// The largest displacement along either axis at intensity 1: the value of a texel component of 1.
    pub full_scale: f64,
    /// The displacements row by row, [`points`](Self::points) per row: x in the low and y in the high 16 bits, both
    /// signed normalised integers (WGSL's `unpack2x16snorm`).
    pub texels: Vec<u32>,
    /// For each [`BLOCK`], row by row, the range of its texels: least x and y, largest x and y.
    blocks: Vec<[i16; 4]>,
}

/// Edge of a block in page px.
const BLOCK: usize = 16;

impl ElasticField {
    /// The longest period, in page px; all others divide it.
    pub const LONGEST_PERIOD: usize = 1024;
    /// How much higher the repetition to the right lies, in page px: a multiple of a block and of two lattice points.
    pub const SKEW: usize = 13 * BLOCK;
    /// Largest standard deviation of the Gaussian, in page px.
    pub const LARGEST_SIGMA: u8 = 10;

    /// The field of `sigma`, computed on first use; `None` above [`LARGEST_SIGMA`](Self::LARGEST_SIGMA).
    #[must_use]
    pub fn of(sigma: u8) -> Option<&'static Self> {
        static FIELDS: [OnceLock<ElasticField>; ElasticField::LARGEST_SIGMA as usize + 1] =
            [const { OnceLock::new() }; ElasticField::LARGEST_SIGMA as usize + 1];
        FIELDS.get(usize::from(sigma)).map(|field| field.get_or_init(|| Self::new(sigma)))
    }

    fn new(sigma: u8) -> Self {
        let (weights, period) = (gaussian(f32::from(sigma)), period(sigma));
        let along = |axis: u64| {
            let down = smoothed(&uniform_noise(axis, period), &weights, 0);
            let field = smoothed(&down, &weights, Self::SKEW);
            if sigma == 0 { field } else { of_expected_strength(field, &weights, sigma) }
        };
        // The first caller computes both axes in parallel.
        let (along_x, along_y) = rayon::join(|| along(0), || along(1));
        let full_scale = along_x.iter().chain(&along_y).fold(f32::MIN_POSITIVE, |peak, value| peak.max(value.abs()));
        let packed = |value: f32| u32::from((value / full_scale * f32::from(i16::MAX)).round() as i16 as u16);
        let step = step(sigma);
        let lattice = (0..period).step_by(step);
        let places = lattice.clone().flat_map(|y| lattice.clone().map(move |x| y * period + x));
        let texels = places.map(|place| packed(along_x[place]) | packed(along_y[place]) << 16).collect();
        let mut field = Self { sigma, full_scale: f64::from(full_scale), texels, blocks: Vec::new() };
        let corners = || (0..period / step).step_by(BLOCK / step);
        field.blocks = corners()
            .flat_map(|top| corners().map(move |left| [left, top]))
            .map(|block| field.range_of(block))
            .collect();
        field
    }

    /// The range of the texels of the block that begins at a lattice point, including the first texels of the next
    /// blocks.
    fn range_of(&self, [left, top]: [usize; 2]) -> [i16; 4] {
        let points = BLOCK / self.step();
        let around = (top..=top + points).flat_map(|y| (left..=left + points).map(move |x| [x, y]));
        let ranges = around.map(|point| {
            let texel = self.texel(point);
            let [x, y] = [texel as i16, (texel >> 16) as i16];
            [x, y, x, y]
        });
        ranges.reduce(wider).unwrap_or_default()
    }

    /// Distance of lattice points in page px: a power of two.
    #[must_use]
    pub const fn step(&self) -> usize {
        step(self.sigma)
    }

    /// Distance of repetitions in page px: a power of two.
    #[must_use]
    pub const fn period(&self) -> usize {
        period(self.sigma)
    }

    /// Number of lattice points per period: a power of two.
    #[must_use]
    pub const fn points(&self) -> usize {
        self.period() / self.step()
    }

    /// How many lattice points higher the repetition to the right lies: an even number.
    #[must_use]
    pub const fn skew(&self) -> usize {
        Self::SKEW / self.step()
    }

    /// The range of the displacements in an area, including zero, at intensity 1: least x and y, largest x and y in
    /// page px. `area` is min x, min y, max x, max y in page px from the field's corner, anywhere.
    #[must_use]
    pub fn range_within(&self, area: [f64; 4]) -> [f64; 4] {
        let bits = (self.period() / BLOCK).ilog2();
        let block = |edge: f64| (edge / BLOCK as f64).floor() as i32;
        let [left, top, right, bottom] = area.map(block);
        let place = |row: i32, column: i32| {
            let row = row + (column >> bits) * (Self::SKEW / BLOCK) as i32;
            let within = (1 << bits) - 1;
            ((row & within) << bits | (column & within)) as usize
        };
        let blocks = (top..=bottom).flat_map(|row| (left..=right).map(move |column| place(row, column)));
        let range = blocks.fold([0; 4], |range, block| wider(range, self.blocks[block]));
        range.map(|edge| f64::from(edge) / f64::from(i16::MAX) * self.full_scale)
    }

    /// The displacement at a lattice point anywhere, along x and y, each as a part of [`full_scale`](Self::full_scale).
    #[must_use]
    pub fn value(&self, [x, y]: [i64; 2]) -> [f64; 2] {
        let points = self.points() as i64;
        let row = (y + x.div_euclid(points) * self.skew() as i64).rem_euclid(points);
        let texel = self.texels.get((row * points + x.rem_euclid(points)) as usize).copied().unwrap_or_default();
        [texel as i16, (texel >> 16) as i16].map(|part| f64::from(part) / f64::from(i16::MAX))
    }

    /// The texel of a lattice point, which may lie in the repetition below or to the right.
    #[must_use]
    pub fn texel(&self, [x, y]: [usize; 2]) -> u32 {
        let points = self.points();
        self.texels[(y + x / points * self.skew()) % points * points + x % points]
    }
}

/// The largest power of two that is at most half of sigma, and at least 1. Between points so close, a smooth field is
/// linear within a fiftieth of its strength.
const fn step(sigma: u8) -> usize {
    if sigma < 2 { 1 } else { 1 << (sigma / 2).ilog2() }
}

/// The period in page px. A smooth field repeats after 256 lattice points if these are at least seventy sigmas, so that
/// the field fits into caches.
const fn period(sigma: u8) -> usize {
    match step(sigma) {
        1 => ElasticField::LONGEST_PERIOD,
        step => 256 * step,
    }
}

/// The union of two ranges: least x and y, largest x and y.
fn wider(one: [i16; 4], other: [i16; 4]) -> [i16; 4] {
    [one[0].min(other[0]), one[1].min(other[1]), one[2].max(other[2]), one[3].max(other[3])]
}

/// Weights of a normalised Gaussian, cut off at e^-8 of its peak (4 standard deviations).
fn gaussian(sigma: f32) -> Vec<f32> {
    let radius = (4.0 * sigma).ceil() as i32;
    let bell: Vec<f32> = (-radius..=radius)
        .map(|step| if step == 0 { 1.0 } else { (-0.5 * (step as f32 / sigma).powi(2)).exp() })
        .collect();
    let sum: f32 = bell.iter().sum();
    bell.iter().map(|weight| weight / sum).collect()
}

/// Uniform numbers in [-1, 1] for every page px of one period.
fn uniform_noise(axis: u64, period: usize) -> Vec<f32> {
    let points = period * period;
    (0..points as u64).map(|point| (mixed(point << 1 | axis) >> 32) as i32 as f32 / 2.0_f32.powi(31)).collect()
}

/// The field without its mean, scaled so that interpolated values have the expected RMS of uniform noise smoothed with
/// `weights` along both axes. Few patches of a wide Gaussian fit into a period, so the sample RMS is up to 4 % off; and
/// interpolation between lattice points weakens a smooth field.
fn of_expected_strength(mut field: Vec<f32>, weights: &[f32], sigma: u8) -> Vec<f32> {
    let mean_of =
        |powers: i32| field.iter().map(|value| f64::from(*value).powi(powers)).sum::<f64>() / field.len() as f64;
    let expected = weights.iter().map(|weight| f64::from(weight * weight)).sum::<f64>() / 3.0_f64.sqrt();
    let (mean, mean_square) = (mean_of(1), mean_of(2));
    let factor = expected / strength_between_points(sigma) / (mean_square - mean * mean).sqrt();
    for value in &mut field {
        *value = ((f64::from(*value) - mean) * factor) as f32;
    }
    field
}

/// The RMS of interpolated values, relative to that at lattice points. Along each axis, linear interpolation between
/// two points with correlation c has the mean square 2/3 + c/3. Grain is read at its points.
fn strength_between_points(sigma: u8) -> f64 {
    let apart = step(sigma) as f64 / f64::from(sigma);
    if sigma < 2 { 1.0 } else { 2.0 / 3.0 + (-0.25 * apart * apart).exp() / 3.0 }
}

/// The field, filtered along its columns and transposed: applied twice, it filters along both axes. Below its last row,
/// the field continues with its first row, shifted by `skew` columns. A few columns at a time are copied side by side:
/// rows are a power of two apart and would compete for the same cache lines.
fn smoothed(field: &[f32], weights: &[f32], skew: usize) -> Vec<f32> {
    const COLUMNS: usize = 16;
    let (size, radius) = (field.len().isqrt(), weights.len() / 2);
    let mut transposed = vec![0.0; field.len()];
    for (first, columns) in (0..).step_by(COLUMNS).zip(transposed.chunks_exact_mut(COLUMNS * size)) {
        // From `radius` rows above the first to as many below the last; columns that lie side by side do so beyond
        // them.
        let row = |row: usize| -> [f32; COLUMNS] {
            let (turns, row) = ((row + size - radius) / size, (row + size - radius) % size);
            let first = (first + size + turns * skew - skew) % size;
            std::array::from_fn(|column| field[row * size + first + column])
        };
        let rows: Vec<[f32; COLUMNS]> = (0..size + 2 * radius).map(row).collect();
        let filtered = |row: usize| {
            weights.iter().zip(&rows[row..]).fold([0.0; COLUMNS], |sums, (weight, values)| {
                std::array::from_fn(|column| sums[column] + weight * values[column])
            })
        };
        let filtered: Vec<[f32; COLUMNS]> = (0..size).map(filtered).collect();
        for (column, values) in columns.chunks_exact_mut(size).enumerate() {
            for (value, row) in values.iter_mut().zip(&filtered) {
                *value = row[column];
            }
        }
    }
    transposed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both components of every texel, at an intensity of 1.
    fn displacements(sigma: u8) -> [Vec<f64>; 2] {
        let field = ElasticField::of(sigma).unwrap();
        let component = |shift: u32| {
            let unpacked = |texel: &u32| f64::from((texel >> shift) as u16 as i16) / 32_767.0 * field.full_scale;
            field.texels.iter().map(unpacked).collect()
        };
        [component(0), component(16)]
    }

    /// Of all pairs of points of a row that are `lag` lattice points apart.
    fn mean_product(field: &[f64], lag: usize) -> f64 {
        let points = field.len().isqrt();
        let rows = field.chunks_exact(points);
        let sum: f64 = rows.flat_map(|row| row.iter().zip(&row[lag..])).map(|(a, b)| a * b).sum();
        sum / (points * (points - lag)) as f64
    }

    #[test]
    fn displacements_have_the_strength_and_the_reach_of_the_formula() {
        for sigma in 0..=ElasticField::LARGEST_SIGMA {
            for field in displacements(sigma) {
                let s = f64::from(sigma);
                let variance = mean_product(&field, 0);
                let expected =
                    if sigma == 0 { 1.0 / 3.0_f64.sqrt() } else { 0.577 / (2.0 * std::f64::consts::PI.sqrt() * s) };
                assert!(
                    (variance.sqrt() / expected - 1.0).abs() < 0.06,
                    "sigma {sigma}: {} of {expected}",
                    variance.sqrt()
                );
                // A field smoothed with a Gaussian is correlated as a Gaussian √2 as wide: e^-1 at a lag of 2 sigma.
                let step = step(sigma);
                let points = (2 * usize::from(sigma).max(1)).div_ceil(step);
                let lag = (points * step) as f64;
                let correlation = mean_product(&field, points) / variance;
                let expected = if sigma == 0 { 0.0 } else { (-(lag / (2.0 * s)).powi(2)).exp() };
                assert!((correlation - expected).abs() < 0.06, "sigma {sigma}: {correlation}");
            }
        }
    }

    #[test]
    fn repetitions_go_on_where_the_field_ends() {
        for sigma in [2, 4, 7, 10] {
            let field = ElasticField::of(sigma).unwrap();
            let points = field.points();
            assert_eq!((field.skew() % 2, ElasticField::SKEW % BLOCK), (0, 0));
            let x_at = |point| f64::from(field.texel(point) as i16);
            let steepest = |pairs: &dyn Fn(usize) -> [[usize; 2]; 2]| {
                let rise = |[one, other]: [[usize; 2]; 2]| (x_at(one) - x_at(other)).abs();
                (0..points).map(|along| rise(pairs(along))).fold(0.0, f64::max)
            };
            let inside = steepest(&|y| [[points / 2, y], [points / 2 + 1, y]]);
            let to_the_right = steepest(&|y| [[points - 1, y], [points, y]]);
            let down = steepest(&|x| [[x, points - 1], [x, points]]);
            assert!(to_the_right < 1.7 * inside && down < 1.7 * inside, "{inside}: {to_the_right}, {down}");
            assert_eq!(field.texel([points + 3, 5]), field.texel([3, 5 + field.skew()]));
            assert_eq!(field.texel([3, points + 5]), field.texel([3, 5]));
        }
    }

    #[test]
    fn the_axes_are_independent_and_free_of_drift() {
        for sigma in [0, 2, 5] {
            let [x, y] = displacements(sigma);
            let rms = mean_product(&x, 0).sqrt();
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            let product = x.iter().zip(&y).map(|(x, y)| x * y).sum::<f64>() / x.len() as f64;
            assert!(mean.abs() < 0.05 * rms, "sigma {sigma}: mean {mean}");
            assert!(product.abs() < 0.05 * rms * rms, "sigma {sigma}: covariance {product}");
        }
    }

    #[test]
    fn no_displacement_of_an_area_is_out_of_its_range() {
        for sigma in [2, 3, 5, 7, 10] {
            let field = ElasticField::of(sigma).unwrap();
            let [x, y] = displacements(sigma);
            let (step, points) = (field.step() as f64, field.points());
            // From within a block, over several, over the seam, more than once around, and before the corner.
            let areas = [
                [3.0, 5.0, 9.0, 6.0],
                [40.3, 7.9, 81.7, 99.2],
                [505.0, 1020.0, 530.0, 1030.0],
                [0.0, 3.0, 2100.0, 9.0],
            ];
            for [left, top, right, bottom] in areas.into_iter().chain([[-20.0, -90.0, -3.0, 4.0]]) {
                let range = field.range_within([left, top, right, bottom]);
                let lattice = |from: f64, to: f64| (from / step).floor() as i64..=(to / step).ceil() as i64;
                let mut most = [0.0_f64; 4];
                for (row, column) in lattice(top, bottom).flat_map(|row| lattice(left, right).map(move |x| (row, x))) {
                    let row = row + column.div_euclid(points as i64) * field.skew() as i64;
                    let [row, column] = [row, column].map(|point| point.rem_euclid(points as i64) as usize);
                    let (x, y) = (x[row * points + column], y[row * points + column]);
                    most = [most[0].min(x), most[1].min(y), most[2].max(x), most[3].max(y)];
                }
                let holds = (0..4).all(|edge| range[edge].abs() >= most[edge].abs() - 1e-9);
                assert!(holds, "sigma {sigma}: {range:?} for {most:?}");
                assert!(range.iter().all(|edge| edge.abs() <= field.full_scale + 1e-9));
            }
            let [left, .., bottom] = field.range_within([100.0, 100.0, 104.0, 104.0]);
            assert!(bottom - left < 1.9 * field.full_scale, "sigma {sigma}: an area has a range of its own");
        }
    }

    #[test]
    fn there_is_no_field_beyond_the_contract() {
        assert!(ElasticField::of(11).is_none());
    }
}
