//! Coverage of two levels, for shades that a press must not print as a pattern of dots.

use super::{Coverage, TILE};

/// The same page in pixels that are either solid or blank: a pixel is solid with the probability of its coverage, by
/// noise of the seed and its place. So shades become grain, like graphite on the tooth of paper.
#[must_use]
pub fn grained(coverage: Coverage, seed: u32) -> Coverage {
    let (width, height, strips) = (coverage.width(), coverage.height(), coverage.strips().to_vec());
    let mut bytes = coverage.into_memory();
    for strip in &strips {
        let pixels = bytes.get_mut(strip.offset..strip.offset + strip.pixels()).unwrap_or_default();
        let first_row = strip.tile_row * TILE;
        for (row, line) in (first_row..).zip(pixels.chunks_exact_mut(strip.width as usize)) {
            for (column, pixel) in (strip.x..).zip(line).filter(|(_, pixel)| **pixel > 0) {
                *pixel = if u32::from(*pixel) > threshold(column, row, seed) { u8::MAX } else { 0 };
            }
        }
    }
    Coverage::new(width, height, strips, bytes)
}

/// A uniform number from 0 to 254 for a pixel.
const fn threshold(x: u32, y: u32, seed: u32) -> u32 {
    // lowbias32 (Wellons, Prospecting for Hash Functions, 2018).
    let number = x.wrapping_add(y << 16).wrapping_add(seed.wrapping_mul(0x9e37_79b9));
    let bits = (number ^ number >> 16).wrapping_mul(0x7feb_352d);
    let bits = (bits ^ bits >> 15).wrapping_mul(0x846c_a68b);
    (bits ^ bits >> 16) % 255
}

#[cfg(test)]
mod tests {
    use super::super::Strip;
    use super::*;

    #[test]
    fn shades_become_as_many_solid_pixels_and_solid_and_blank_ones_stay() {
        let strip = |x: u32, offset: usize| Strip { tile_row: 2, x, width: 256, offset };
        let strips = vec![strip(0, 0), strip(512, 4096)];
        let bytes: Vec<u8> = (0..8192).map(|at| [0, 255, 64, 191][at % 4]).collect();
        let page = |seed| grained(Coverage::new(800, 200, strips.clone(), bytes.clone()), seed).into_memory();
        let found = page(7);
        let solid = |of: usize| found.iter().skip(of).step_by(4).filter(|byte| **byte == 255).count() as f64 / 2048.0;
        assert!(found.iter().all(|byte| [0, 255].contains(byte)));
        assert!(solid(0) <= 0.0 && solid(1) >= 1.0, "{} {}", solid(0), solid(1));
        assert!((solid(2) - 0.25).abs() < 0.04 && (solid(3) - 0.75).abs() < 0.04, "{} {}", solid(2), solid(3));
        assert_eq!(found, page(7));
        assert_ne!(found, page(8));
    }
}
