//! Scaling along one axis, by the cubic convolution of Keys (1981) with a = −1/2.
//!
//! The pixel at place p of the target is the mean of the source around the point that lies under its middle, weighted
//! with the kernel. The kernel is stretched where the source is finer than the target, so that every pixel of the source
//! counts.

/// Reach of the kernel, in pixels of the coarser side.
const REACH: f64 = 2.0;

/// The weights of each pixel of a target.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// The first pixel of the source with a weight, for each pixel of the target; and where its weights begin.
    starts: Vec<(u32, usize)>,
    weights: Vec<f32>,
}

impl Axis {
    /// For a source of `source` px that is stretched over `target` px, of which those in `visible` are wanted.
    pub(super) fn new(source: u32, target: f64, visible: std::ops::Range<f64>) -> Self {
        let step = f64::from(source) / target;
        let stretch = step.max(1.0);
        let (mut starts, mut weights) = (Vec::new(), Vec::new());
        let mut place = visible.start;
        while place < visible.end {
            let middle = (place + 0.5) * step;
            let first = (middle - REACH * stretch + 0.5).floor().max(0.0);
            let end = (middle + REACH * stretch + 0.5).floor().min(f64::from(source));
            // A target beyond the source shows its edge.
            let (first, end) = (first.min(f64::from(source) - 1.0), end.max(1.0));
            let taps = first as u32..(end as u32).max(first as u32 + 1);
            let of_taps: Vec<f64> = taps.clone().map(|tap| kernel((f64::from(tap) + 0.5 - middle) / stretch)).collect();
            let sum: f64 = of_taps.iter().sum();
            starts.push((taps.start, weights.len()));
            if sum.abs() < f64::EPSILON {
                weights.extend(of_taps.iter().map(|_| 1.0 / of_taps.len() as f32));
            } else {
                weights.extend(of_taps.iter().map(|weight| (weight / sum) as f32));
            }
            place += 1.0;
        }
        Self { starts, weights }
    }

    /// The first pixel of the source for a pixel of the target, and its weights.
    pub(super) fn taps(&self, at: usize) -> (u32, &[f32]) {
        let Some((first, start)) = self.starts.get(at).copied() else { return (0, &[]) };
        let end = self.starts.get(at + 1).map_or(self.weights.len(), |(_, start)| *start);
        (first, self.weights.get(start..end).unwrap_or_default())
    }

    /// Number of pixels of the target.
    pub(super) const fn len(&self) -> usize {
        self.starts.len()
    }
}

/// The kernel of cubic convolution.
fn kernel(distance: f64) -> f64 {
    const A: f64 = -0.5;
    let x = distance.abs();
    if x < 1.0 {
        ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0
    } else if x < REACH {
        (((x - 5.0) * x + 8.0) * x - 4.0) * A
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_of_the_same_size_is_the_source() {
        let axis = Axis::new(7, 7.0, 0.0..7.0);
        for at in 0..7 {
            let (first, weights) = axis.taps(at);
            let peak = weights.iter().position(|weight| (weight - 1.0).abs() < 1e-6).unwrap();
            assert_eq!(first as usize + peak, at);
            assert!(weights.iter().enumerate().all(|(tap, weight)| tap == peak || weight.abs() < 1e-6));
        }
    }

    #[test]
    fn weights_sum_to_one_at_every_scale_and_every_source_pixel_counts() {
        for (source, target) in [(1, 5.0), (2, 900.0), (4000, 1200.0), (4001, 37.0), (10_000, 1.0)] {
            let axis = Axis::new(source, target, 0.0..target);
            let mut counted = vec![0.0_f32; source as usize];
            for at in 0..axis.len() {
                let (first, weights) = axis.taps(at);
                assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{source} to {target}");
                weights.iter().enumerate().for_each(|(tap, weight)| counted[first as usize + tap] += weight);
            }
            assert!(axis.len() == target as usize && counted.iter().all(|sum| *sum > 0.0), "{source} to {target}");
        }
    }
}
