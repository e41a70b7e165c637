//! Fills polygons.

use super::Plane;

/// Rows of samples in a pixel.
const SAMPLES: usize = 4;

/// How far pixels are covered by polygons, of which those within others are holes. `place` takes their points to pixels,
/// where pixel 0 is from 0 to 1.
pub(in crate::own_hand) fn covered(
    polygons: &[Vec<[f64; 2]>],
    size: [usize; 2],
    place: impl Fn([f64; 2]) -> [f64; 2],
) -> Plane {
    let mut filled = Plane::new(size[0], size[1]);
    let mapped: Vec<Vec<[f64; 2]>> =
        polygons.iter().map(|polygon| polygon.iter().map(|point| place(*point)).collect()).collect();
    for line in 0..size[1] * SAMPLES {
        let y = (line as f64 + 0.5) / SAMPLES as f64;
        let mut crossings: Vec<f64> = Vec::new();
        for polygon in &mapped {
            for (one, other) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
                if (one[1] > y) != (other[1] > y) {
                    crossings.push(one[0] + (y - one[1]) / (other[1] - one[1]) * (other[0] - one[0]));
                }
            }
        }
        crossings.sort_by(f64::total_cmp);
        for span in crossings.chunks_exact(2) {
            let [from, to] = [span[0], span[1]].map(|x| x.clamp(0.0, size[0] as f64));
            for column in from as usize..(to.ceil() as usize).min(size[0]) {
                let share = (to.min(column as f64 + 1.0) - from.max(column as f64)).max(0.0);
                filled.values[line / SAMPLES * size[0] + column] += (share / SAMPLES as f64) as f32;
            }
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_is_the_area_within_each_pixel() {
        let square = vec![vec![[1.5, 1.25], [4.0, 1.25], [4.0, 3.0], [1.5, 3.0]]];
        let plane = covered(&square, [6, 5], |point| point);
        assert!((plane.at(1, 1) - 0.375).abs() < 1e-6 && (plane.at(2, 2) - 1.0).abs() < 1e-6);
        assert!((plane.values.iter().sum::<f32>() - 2.5 * 1.75).abs() < 1e-5);
    }
}
