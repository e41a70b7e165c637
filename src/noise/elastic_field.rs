//! Random displacement fields (Simard, Steinkraus, Platt: Best Practices for Convolutional Neural Networks, ICDAR 2003,
//! section 2, "elastic deformations").

use std::sync::OnceLock;

use super::stream::mixed;

/// Two fields of uniform noise in [-1, 1], a number each page px, each smoothed with a normalised Gaussian: the
/// displacement of ink along x and y at an intensity of 1, in page px. What is kept of a smooth field is a lattice of
/// points at most half a sigma apart.
///
/// A field is a property of `sigma` alone. It repeats after [`SIZE`](Self::SIZE) page px either way, so that
/// where a page lies in it is free: a seed chooses that, not the noise.
#[derive(Debug, PartialEq)]
pub struct ElasticField {
    sigma: u8,
    full_scale: f64,
    texels: Vec<u32>,
}

impl ElasticField {
    /// Page px from one repetition to the next; a power of two.
    pub const SIZE: usize = 1024;
    /// Largest standard deviation of the Gaussian, in page px.
    pub const LARGEST_SIGMA: u8 = 10;

    /// The field of `sigma`, computed when it is asked for the first time; `None` above
    /// [`LARGEST_SIGMA`](Self::LARGEST_SIGMA).
    #[must_use]
    pub fn of(sigma: u8) -> Option<&'static Self> {
        static FIELDS: [OnceLock<ElasticField>; ElasticField::LARGEST_SIGMA as usize + 1] =
            [const { OnceLock::new() }; ElasticField::LARGEST_SIGMA as usize + 1];
        FIELDS.get(usize::from(sigma)).map(|field| field.get_or_init(|| Self::new(sigma)))
    }

    fn new(sigma: u8) -> Self {
        let weights = gaussian(f32::from(sigma));
        let along = |axis: u64| {
            let field = smoothed(&smoothed(&uniform_noise(axis), &weights), &weights);
            if sigma == 0 { field } else { of_expected_strength(field, &weights) }
        };
        // Whoever asks first waits for both.
        let (along_x, along_y) = rayon::join(|| along(0), || along(1));
        let full_scale = along_x.iter().chain(&along_y).fold(f32::MIN_POSITIVE, |peak, value| peak.max(value.abs()));
        let packed = |value: f32| u32::from((value / full_scale * f32::from(i16::MAX)).round() as i16 as u16);
        let step = step(sigma);
        let lattice = (0..Self::SIZE).step_by(step);
        let places = lattice.clone().flat_map(|y| lattice.clone().map(move |x| y * Self::SIZE + x));
        let texels = places.map(|place| packed(along_x[place]) | packed(along_y[place]) << 16).collect();
        Self { sigma, full_scale: f64::from(full_scale), texels }
    }

    /// Page px from one lattice point to the next: a power of two.
    #[must_use]
    pub const fn step(&self) -> usize {
        step(self.sigma)
    }

    /// Lattice points from one repetition to the next: a power of two.
    #[must_use]
    pub const fn points(&self) -> usize {
        Self::SIZE / self.step()
    }

    /// Standard deviation of the Gaussian, in page px.
    #[must_use]
    pub const fn sigma(&self) -> u8 {
        self.sigma
    }

    /// What a texel's component of 1 stands for: the largest displacement along either axis at an intensity of 1.
    #[must_use]
    pub const fn full_scale(&self) -> f64 {
        self.full_scale
    }

    /// The displacements row by row, [`points`](Self::points) a row: x in the low and y in the high 16 bits, each a signed
    /// normalised integer (WGSL's `unpack2x16snorm`).
    #[must_use]
    pub fn texels(&self) -> &[u32] {
        &self.texels
    }
}

/// The largest power of two that is at most half of sigma, and at least 1: between points so close a smooth field is
/// linear but for a fiftieth of its strength.
const fn step(sigma: u8) -> usize {
    if sigma < 2 { 1 } else { 1 << (sigma / 2).ilog2() }
}

/// Weights of a normalised Gaussian, cut where it has fallen to e^-8 of its peak (4 standard deviations).
fn gaussian(sigma: f32) -> Vec<f32> {
    let radius = (4.0 * sigma).ceil() as i32;
    let bell: Vec<f32> = (-radius..=radius)
        .map(|step| if step == 0 { 1.0 } else { (-0.5 * (step as f32 / sigma).powi(2)).exp() })
        .collect();
    let sum: f32 = bell.iter().sum();
    bell.iter().map(|weight| weight / sum).collect()
}

/// Uniform numbers in [-1, 1] for every lattice point.
fn uniform_noise(axis: u64) -> Vec<f32> {
    let points = ElasticField::SIZE * ElasticField::SIZE;
    (0..points as u64).map(|point| (mixed(point << 1 | axis) >> 32) as i32 as f32 / 2.0_f32.powi(31)).collect()
}

/// The field scaled to the RMS that uniform noise smoothed with `weights` along both axes is expected to have: so few
/// patches of a wide Gaussian fit into a field that by chance they are up to 4 % weaker or stronger.
fn of_expected_strength(mut field: Vec<f32>, weights: &[f32]) -> Vec<f32> {
    let expected = weights.iter().map(|weight| weight * weight).sum::<f32>() / 3.0_f32.sqrt();
    let mean_square = field.iter().map(|value| f64::from(value * value)).sum::<f64>() / field.len() as f64;
    let factor = expected / mean_square.sqrt() as f32;
    for value in &mut field {
        *value *= factor;
    }
    field
}

/// The field filtered down its columns, and transposed: twice this is a filter along both axes. A few columns at a time
/// lie side by side meanwhile: rows of the field are a power of two apart, and would all want the same place in the cache.
fn smoothed(field: &[f32], weights: &[f32]) -> Vec<f32> {
    const SIZE: usize = ElasticField::SIZE;
    const COLUMNS: usize = 16;
    let radius = weights.len() / 2;
    let mut transposed = vec![0.0; field.len()];
    for (first, columns) in (0..).step_by(COLUMNS).zip(transposed.chunks_exact_mut(COLUMNS * SIZE)) {
        let rows: Vec<[f32; COLUMNS]> =
            field.chunks_exact(SIZE).map(|row| std::array::from_fn(|column| row[first + column])).collect();
        let filtered = |row: usize| {
            weights.iter().enumerate().fold([0.0; COLUMNS], |sums, (step, weight)| {
                let values = &rows[(row + SIZE + step - radius) % SIZE];
                std::array::from_fn(|column| sums[column] + weight * values[column])
            })
        };
        let filtered: Vec<[f32; COLUMNS]> = (0..SIZE).map(filtered).collect();
        for (column, values) in columns.chunks_exact_mut(SIZE).enumerate() {
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
            let unpacked = |texel: &u32| f64::from((texel >> shift) as u16 as i16) / 32_767.0 * field.full_scale();
            field.texels().iter().map(unpacked).collect()
        };
        [component(0), component(16)]
    }

    /// Of all pairs of points of a row that are `lag` lattice points apart.
    fn mean_product(field: &[f64], lag: usize) -> f64 {
        let rows = field.chunks_exact(field.len().isqrt());
        let sum: f64 = rows.flat_map(|row| row.iter().zip(row.iter().cycle().skip(lag))).map(|(a, b)| a * b).sum();
        sum / field.len() as f64
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
    fn there_is_no_field_beyond_the_contract() {
        assert!(ElasticField::of(11).is_none());
    }
}
