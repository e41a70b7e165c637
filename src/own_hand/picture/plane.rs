//! A plane of numbers, and filters of it.

/// Numbers of pixels, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::own_hand) struct Plane {
    pub(in crate::own_hand) width: usize,
    pub(in crate::own_hand) height: usize,
    pub(in crate::own_hand) values: Vec<f32>,
}

impl Plane {
    /// A plane of zeros.
    pub(in crate::own_hand) fn new(width: usize, height: usize) -> Self {
        Self { width, height, values: vec![0.0; width * height] }
    }

    /// The number of a pixel; that of the nearest one beyond the edge.
    pub(in crate::own_hand) fn at(&self, x: isize, y: isize) -> f32 {
        let x = x.clamp(0, self.width as isize - 1) as usize;
        let y = y.clamp(0, self.height as isize - 1) as usize;
        self.values[y * self.width + x]
    }

    fn row(&self, y: usize) -> &[f32] {
        &self.values[y * self.width..(y + 1) * self.width]
    }

    /// The part from a pixel on, of this size. Its values beyond the edge are those of the edge.
    pub(in crate::own_hand) fn part(&self, [left, top]: [isize; 2], width: usize, height: usize) -> Self {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (left + x as isize, top + y as isize)));
        Self { width, height, values: places.map(|(x, y)| self.at(x, y)).collect() }
    }

    /// The plane after a Gaussian of this standard deviation, in pixels.
    pub(in crate::own_hand) fn blurred(&self, sigma: f64) -> Self {
        let reach = (3.0 * sigma).ceil() as isize;
        let weights: Vec<f32> = (-reach..=reach).map(|at| (-0.5 * (at as f64 / sigma).powi(2)).exp() as f32).collect();
        let sum: f32 = weights.iter().sum();
        let weights: Vec<f32> = weights.into_iter().map(|weight| weight / sum).collect();
        self.filtered_across(&weights).filtered_down(&weights)
    }

    fn filtered_across(&self, weights: &[f32]) -> Self {
        let reach = weights.len() / 2;
        let mut filtered = Self::new(self.width, self.height);
        let mut padded = vec![0.0; self.width + 2 * reach];
        for y in 0..self.height {
            let row = self.row(y);
            for (index, value) in padded.iter_mut().enumerate() {
                *value = row[index.saturating_sub(reach).min(self.width - 1)];
            }
            let out = &mut filtered.values[y * self.width..(y + 1) * self.width];
            for (offset, weight) in weights.iter().enumerate() {
                for (value, source) in out.iter_mut().zip(&padded[offset..offset + self.width]) {
                    *value += weight * source;
                }
            }
        }
        filtered
    }

    fn filtered_down(&self, weights: &[f32]) -> Self {
        let reach = weights.len() / 2;
        let mut filtered = Self::new(self.width, self.height);
        for y in 0..self.height {
            let out = &mut filtered.values[y * self.width..(y + 1) * self.width];
            for (offset, weight) in weights.iter().enumerate() {
                let source = (y + offset).saturating_sub(reach).min(self.height - 1);
                for (value, source) in out.iter_mut().zip(self.row(source)) {
                    *value += weight * source;
                }
            }
        }
        filtered
    }

    /// The largest values within `reach` pixels across and down.
    pub(in crate::own_hand) fn dilated(&self, reach: usize) -> Self {
        self.extremes(reach, f32::max)
    }

    /// The smallest values within `reach` pixels across and down.
    pub(in crate::own_hand) fn eroded(&self, reach: usize) -> Self {
        self.extremes(reach, f32::min)
    }

    fn extremes(&self, reach: usize, of: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = self.clone();
        let mut row = Runs::<1>::new(self.width, reach);
        for values in result.values.chunks_exact_mut(self.width) {
            row.read(|x| [values[x]]);
            row.find(&of);
            values.iter_mut().enumerate().for_each(|(x, value)| [*value] = row.extreme(x, &of));
        }
        let mut columns = Runs::<STRIP>::new(self.height, reach);
        for left in (0..self.width).step_by(STRIP) {
            let width = STRIP.min(self.width - left);
            columns.read(|y| {
                let start = y * self.width + left;
                let mut values = [0.0; STRIP];
                values[..width].copy_from_slice(&result.values[start..start + width]);
                values
            });
            columns.find(&of);
            for y in 0..self.height {
                let start = y * self.width + left;
                result.values[start..start + width].copy_from_slice(&columns.extreme(y, &of)[..width]);
            }
        }
        result
    }

    /// The medians of 3 × 3 values.
    pub(in crate::own_hand) fn median(&self) -> Self {
        let mut median = Self::new(self.width, self.height);
        for y in 0..self.height {
            for x in 0..self.width {
                let mut around = [0.0; 9];
                for (index, value) in around.iter_mut().enumerate() {
                    *value = self.at(x as isize + index as isize % 3 - 1, y as isize + index as isize / 3 - 1);
                }
                around.sort_unstable_by(f32::total_cmp);
                median.values[y * self.width + x] = around[4];
            }
        }
        median
    }

    /// Means of blocks of `side` pixels, those at the edges of what is there.
    pub(in crate::own_hand) fn shrunk(&self, side: usize) -> Self {
        let mut shrunk = Self::new(self.width.div_ceil(side), self.height.div_ceil(side));
        let mut counts = vec![0.0_f32; shrunk.values.len()];
        for y in 0..self.height {
            for (x, value) in self.row(y).iter().enumerate() {
                let at = y / side * shrunk.width + x / side;
                shrunk.values[at] += value;
                counts[at] += 1.0;
            }
        }
        shrunk.values.iter_mut().zip(counts).for_each(|(value, count)| *value /= count);
        shrunk
    }

    /// The value of a pixel of a plane of which this is the [shrunk](Self::shrunk) one, by linear interpolation.
    pub(in crate::own_hand) fn at_grown(&self, x: usize, y: usize, side: usize) -> f32 {
        let place = |at: usize| (at as f32 + 0.5) / side as f32 - 0.5;
        let (x, y) = (place(x), place(y));
        let (left, top) = (x.floor(), y.floor());
        let (across, down) = (x - left, y - top);
        let (left, top) = (left as isize, top as isize);
        let line = |row: isize| {
            let start = self.at(left, row);
            start + across * (self.at(left + 1, row) - start)
        };
        let above = line(top);
        above + down * (line(top + 1) - above)
    }

    /// Means over squares of `2 reach + 1` pixels, cut at the edges.
    pub(in crate::own_hand) fn box_means(&self, reach: usize) -> Self {
        let stride = self.width + 1;
        let mut sums = vec![0.0_f64; stride * (self.height + 1)];
        for y in 0..self.height {
            let mut sum = 0.0;
            for (x, value) in self.row(y).iter().enumerate() {
                sum += f64::from(*value);
                sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + sum;
            }
        }
        let mut means = Self::new(self.width, self.height);
        for y in 0..self.height {
            let (top, bottom) = (y.saturating_sub(reach), (y + reach + 1).min(self.height));
            for x in 0..self.width {
                let (left, right) = (x.saturating_sub(reach), (x + reach + 1).min(self.width));
                let sum = sums[bottom * stride + right] - sums[top * stride + right] - sums[bottom * stride + left]
                    + sums[top * stride + left];
                means.values[y * self.width + x] = (sum / ((bottom - top) * (right - left)) as f64) as f32;
            }
        }
        means
    }
}

/// Columns that are filtered at the same time: the values of a row that stand in one line of the cache.
const STRIP: usize = 16;

/// The extremes of each run of `2 reach + 1` values of `N` lines: those of blocks of that length, from their starts and
/// from their ends (M. van Herk, 1992).
struct Runs<const N: usize> {
    reach: usize,
    count: usize,
    /// The lines, with the first and last values repeated beyond their ends.
    padded: Vec<[f32; N]>,
    ahead: Vec<[f32; N]>,
    behind: Vec<[f32; N]>,
}

impl<const N: usize> Runs<N> {
    fn new(count: usize, reach: usize) -> Self {
        let none = vec![[0.0; N]; (count + 2 * reach).next_multiple_of(2 * reach + 1)];
        Self { reach, count, padded: none.clone(), ahead: none.clone(), behind: none }
    }

    fn read(&mut self, line: impl Fn(usize) -> [f32; N]) {
        for (index, values) in self.padded.iter_mut().enumerate() {
            *values = line(index.saturating_sub(self.reach).min(self.count - 1));
        }
    }

    fn find(&mut self, of: impl Fn(f32, f32) -> f32) {
        let both = |one: &[f32; N], other: &[f32; N]| std::array::from_fn(|line| of(one[line], other[line]));
        let length = 2 * self.reach + 1;
        for start in (0..self.padded.len()).step_by(length) {
            let end = start + length;
            self.ahead[start] = self.padded[start];
            for index in start + 1..end {
                self.ahead[index] = both(&self.ahead[index - 1], &self.padded[index]);
            }
            self.behind[end - 1] = self.padded[end - 1];
            for index in (start..end - 1).rev() {
                self.behind[index] = both(&self.behind[index + 1], &self.padded[index]);
            }
        }
    }

    fn extreme(&self, index: usize, of: impl Fn(f32, f32) -> f32) -> [f32; N] {
        let (behind, ahead) = (&self.behind[index], &self.ahead[index + 2 * self.reach]);
        std::array::from_fn(|line| of(behind[line], ahead[line]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane() -> Plane {
        let values = (0_u32..35).map(|index| (index.wrapping_mul(2_654_435_761) >> 20) as f32).collect();
        Plane { width: 7, height: 5, values }
    }

    #[test]
    fn extremes_are_those_of_each_square() {
        let plane = plane();
        for reach in 1..4_isize {
            let (high, low) = (plane.dilated(reach as usize), plane.eroded(reach as usize));
            for (y, x) in (0..5).flat_map(|y| (0..7).map(move |x| (y, x))) {
                let around = (-reach..=reach).flat_map(|down| (-reach..=reach).map(move |across| (across, down)));
                let around: Vec<f32> = around.map(|(across, down)| plane.at(x + across, y + down)).collect();
                let (most, least) =
                    around.iter().fold((f32::MIN, f32::MAX), |(high, low), at| (high.max(*at), low.min(*at)));
                assert!((high.at(x, y) - most).abs() < 1e-3 && (low.at(x, y) - least).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn blur_keeps_the_mean_and_spreads_by_its_deviation() {
        let mut point = Plane::new(41, 41);
        point.values[20 * 41 + 20] = 1.0;
        let blurred = point.blurred(2.5);
        let moment = |power: i32| -> f64 {
            let each = blurred.values.iter().enumerate();
            each.map(|(index, value)| f64::from(*value) * ((index % 41) as f64 - 20.0).powi(power)).sum()
        };
        assert!((moment(0) - 1.0).abs() < 1e-5 && (moment(2).sqrt() - 2.5).abs() < 0.05, "{}", moment(2).sqrt());
    }

    #[test]
    fn box_means_are_cut_at_the_edges() {
        let plane = plane();
        let means = plane.box_means(1);
        let corner: f32 = [(0, 0), (1, 0), (0, 1), (1, 1)].iter().map(|(x, y)| plane.at(*x, *y)).sum();
        assert!((means.at(0, 0) - corner / 4.0).abs() < 1e-3);
    }
}
