//! Prints a filled page, and takes a picture of it with a scanner or a telephone.
//!
//! Light is mixed and blurred on a linear scale; then come the encoding of sRGB, noise, sharpening and JPEG.

use image::codecs::jpeg::JpegEncoder;
use tiny_skia::{FillRule, Mask, PathBuilder, Transform};

use super::writer::{FilledPage, PIXELS};
use crate::catalogue::FontCatalogue;
use crate::own_hand::picture::Plane;
use crate::own_hand::sheet::{PAPER, draw_for_tests};

/// A camera or scanner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    /// Longer side of the picture, in pixels; a scanner's has this many for 303 mm.
    pub(super) long: usize,
    /// Whether it is a scanner: neither perspective nor shadow.
    pub(super) scans: bool,
    /// Turns about the axes across, down and towards the camera, in degrees.
    pub(super) turns: [f64; 3],
    /// How far the paper rises, in mm.
    pub(super) curl: f64,
    /// Radial distortion of the lens.
    pub(super) barrel: f64,
    /// How much light falls off over the page, and what is left of it in a shadow.
    pub(super) falloff: f64,
    pub(super) shadow: f64,
    /// Width of the shadow's edge, in mm.
    pub(super) shadow_edge: f64,
    /// Standard deviation of the blur, in pixels.
    pub(super) blur: f64,
    /// Length of a sideways motion, in pixels.
    pub(super) motion: usize,
    /// Standard deviation of noise, of 255.
    pub(super) noise: f32,
    pub(super) sharpening: f32,
    /// Quality of the JPEG.
    pub(super) quality: u8,
    /// Whether a scanner gives black and white alone.
    pub(super) two_levels: bool,
    /// Factors of red, green and blue.
    pub(super) cast: [f32; 3],
}

/// Steps of light from 0 to 1: the darkest steps of sRGB have some of them.
const LIGHT_STEPS: u32 = 16_384;
/// Light of the desk.
const DESK: [f32; 3] = [0.13, 0.10, 0.07];
/// Reflectance of paper.
const WHITE: [f32; 3] = [0.82, 0.81, 0.79];
/// Reflectance of blue ink, and its strength.
const INK: [f32; 3] = [0.05, 0.07, 0.32];
const STRENGTH: f32 = 0.93;

impl Camera {
    pub(super) const SCAN: Self = Self {
        long: 3579,
        scans: true,
        turns: [0.0, 0.0, 0.7],
        curl: 0.0,
        barrel: 0.0,
        falloff: 0.0,
        shadow: 1.0,
        shadow_edge: 1.0,
        blur: 0.55,
        motion: 0,
        noise: 1.5,
        sharpening: 0.0,
        quality: 90,
        two_levels: false,
        cast: [1.0; 3],
    };
    pub(super) const BLACK_AND_WHITE: Self = Self { long: 2386, two_levels: true, ..Self::SCAN };
    pub(super) const PHONE: Self = Self {
        long: 4000,
        scans: false,
        turns: [8.0, 5.0, 3.0],
        curl: 4.0,
        barrel: -0.04,
        falloff: 0.25,
        shadow: 0.65,
        shadow_edge: 6.0,
        blur: 0.9,
        noise: 4.0,
        sharpening: 0.4,
        quality: 75,
        cast: [1.06, 1.0, 0.86],
        ..Self::SCAN
    };
    pub(super) const HARD: Self = Self {
        turns: [15.0, -9.0, -6.0],
        curl: 9.0,
        barrel: -0.06,
        falloff: 0.35,
        shadow: 0.45,
        shadow_edge: 1.5,
        blur: 1.4,
        noise: 7.0,
        sharpening: 0.6,
        quality: 60,
        cast: [0.9, 1.0, 1.12],
        ..Self::PHONE
    };

    /// Width and height of its picture, by the turn of the camera.
    fn size(&self) -> [usize; 2] {
        if self.scans {
            return [self.long * 216 / 303, self.long];
        }
        let short = self.long * 3 / 4;
        if self.turns[2].to_radians().cos().abs() > 0.7 { [short, self.long] } else { [self.long, short] }
    }

    /// Where a place of the page, in mm, is on the picture.
    fn pixel(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [width, height] = self.size().map(|side| side as f64);
        let [across, down, towards] = self.turns.map(f64::to_radians);
        let (x, y) = (x - PAPER[0] / 2.0, y - PAPER[1] / 2.0);
        if self.scans {
            let scale = height / 303.0;
            let turned = [towards.cos() * x - towards.sin() * y, towards.sin() * x + towards.cos() * y];
            return [turned[0] * scale + width / 2.0, turned[1] * scale + height / 2.0];
        }
        let tau = std::f64::consts::TAU;
        let rise = self.curl
            * (0.3 * (1.0 - (tau * (x + 85.0) / 260.0).cos())
                + 0.4 * (0.5 * tau * (y + 118.5 + 0.2 * x) / 240.0).cos());
        // Down, then across, then towards the camera.
        let (x, z) = (down.cos() * x - down.sin() * rise, -down.sin() * x - down.cos() * rise);
        let (y, z) = (across.cos() * y - across.sin() * z, across.sin() * y + across.cos() * z);
        let (x, y) = (towards.cos() * x - towards.sin() * y, towards.sin() * x + towards.cos() * y);
        let (far, focus) = (318.0, 0.95 * self.long as f64);
        let (x, y) = (x / (far + z), y / (far + z));
        let bent = 1.0 + 4.0 * self.barrel * (x * x + y * y);
        [focus * x * bent + width / 2.0, focus * y * bent + height / 2.0]
    }

    /// The place of the page at a pixel, by Newton's method.
    fn place(&self, pixel: [f64; 2], guess: [f64; 2]) -> [f64; 2] {
        let mut place = guess;
        for _ in 0..12 {
            let at = self.pixel(place);
            let off = [pixel[0] - at[0], pixel[1] - at[1]];
            let step = 0.05;
            let right = self.pixel([place[0] + step, place[1]]).map(|part| part / step);
            let low = self.pixel([place[0], place[1] + step]).map(|part| part / step);
            let (a, c) = (right[0] - at[0] / step, right[1] - at[1] / step);
            let (b, d) = (low[0] - at[0] / step, low[1] - at[1] / step);
            let determinant = a * d - b * c;
            let by = [(d * off[0] - b * off[1]) / determinant, (a * off[1] - c * off[0]) / determinant];
            place = [0, 1].map(|axis| (place[axis] + by[axis]).clamp(-500.0, 800.0));
            if by[0].hypot(by[1]) < 1e-5 {
                break;
            }
        }
        place
    }

    /// The JPEG of a page.
    pub(super) fn photograph(&self, paper: &[Plane; 3], seed: u32) -> Vec<u8> {
        let image = self.expose(paper, seed);
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, self.quality).encode_image(&image).unwrap();
        jpeg
    }

    fn expose(&self, paper: &[Plane; 3], seed: u32) -> image::RgbImage {
        const STEP: usize = 8;
        let [width, height] = self.size();
        let knots = [width / STEP + 2, height / STEP + 2];
        // The place on the paper of every eighth pixel, and the light there.
        let mut grid: Vec<[f64; 3]> = Vec::with_capacity(knots[0] * knots[1]);
        for row in 0..knots[1] {
            for column in 0..knots[0] {
                let guess = match (column, row) {
                    (0, 0) => PAPER.map(|side| side / 2.0),
                    (0, _) => [grid[(row - 1) * knots[0]][0], grid[(row - 1) * knots[0]][1]],
                    _ => [grid[row * knots[0] + column - 1][0], grid[row * knots[0] + column - 1][1]],
                };
                let place = self.place([(column * STEP) as f64, (row * STEP) as f64], guess);
                grid.push([place[0], place[1], self.light(place).into()]);
            }
        }
        let mut planes: [Plane; 3] = std::array::from_fn(|_| Plane::new(width, height));
        for y in 0..height {
            let (row, down) = (y / STEP, (y % STEP) as f64 / STEP as f64);
            let at_row = |column: usize| {
                let (above, below) = (grid[row * knots[0] + column], grid[(row + 1) * knots[0] + column]);
                [0, 1, 2].map(|part| above[part] + down * (below[part] - above[part]))
            };
            let mut ends = [at_row(0), at_row(0)];
            for x in 0..width {
                if x % STEP == 0 {
                    ends = [ends[1], at_row(x / STEP + 1)];
                }
                let across = (x % STEP) as f64 / STEP as f64;
                let [left, top, light] = [0, 1, 2].map(|part| ends[0][part] + across * (ends[1][part] - ends[0][part]));
                let values = sample(paper, [left, top]).map_or(DESK, |values| values.map(|value| value * light as f32));
                for ((plane, value), cast) in planes.iter_mut().zip(values).zip(self.cast) {
                    plane.values[y * width + x] = value * cast;
                }
            }
        }
        let mut noise = Noise(u64::from(seed) << 20 | 0x9E37);
        for plane in &mut planes {
            *plane = plane.blurred(self.blur);
            if self.motion > 1 {
                *plane = moved(plane, self.motion);
            }
            // Bright paper is exposed to about 0.8.
            let exposure = if self.scans { 0.80 } else { 0.86 };
            let steps: Vec<f32> = (0..=LIGHT_STEPS)
                .map(|step| 255.0 * encoded(f64::from(step) / f64::from(LIGHT_STEPS)) as f32)
                .collect();
            for value in &mut plane.values {
                let step = (*value / exposure * LIGHT_STEPS as f32 + 0.5) as usize;
                *value = steps[step.min(steps.len() - 1)] + self.noise * noise.normal();
            }
            if self.sharpening > 0.0 {
                let soft = plane.blurred(1.6);
                let pairs = plane.values.iter_mut().zip(&soft.values);
                pairs.for_each(|(value, soft)| *value += self.sharpening * (*value - soft));
            }
        }
        let mut pixels = Vec::with_capacity(3 * width * height);
        let [red, green, blue] = &planes;
        for ((red, green), blue) in red.values.iter().zip(&green.values).zip(&blue.values) {
            if self.two_levels {
                let gray = 0.3 * red + 0.59 * green + 0.11 * blue;
                pixels.extend([if gray < 218.0 { 0 } else { 255 }; 3]);
            } else {
                pixels.extend([red, green, blue].map(|value| (value + 0.5) as u8));
            }
        }
        image::RgbImage::from_raw(width as u32, height as u32, pixels).unwrap()
    }

    fn light(&self, [x, y]: [f64; 2]) -> f32 {
        if self.scans {
            return 1.0;
        }
        let fall = 1.0 - 0.5 * self.falloff * ((x - 105.0) * 0.6 / 105.0 + (y - 148.0) * 0.8 / 148.0);
        let edge = (x - 112.0) * 0.77 + (y - 160.0) * 0.64;
        let shadow = 1.0 - (1.0 - self.shadow) / (1.0 + (-2.0 * edge / self.shadow_edge).clamp(-30.0, 30.0).exp());
        (fall * shadow) as f32
    }
}

/// The reflectance of a page with its print and its ink, in linear light.
pub(super) fn printed(page: &FilledPage, catalogue: &FontCatalogue) -> [Plane; 3] {
    let [width, height] = PAPER.map(|side| (side * PIXELS) as usize);
    let mut planes: [Plane; 3] =
        std::array::from_fn(|channel| Plane { width, height, values: vec![WHITE[channel]; width * height] });
    let lay = |planes: &mut [Plane; 3], mask: &Mask, color: [f32; 3], strength: f32| {
        for (at, coverage) in mask.data().iter().enumerate().filter(|(_, coverage)| **coverage > 0) {
            let share = strength * f32::from(*coverage) / 255.0;
            for (plane, color) in planes.iter_mut().zip(color) {
                let value = &mut plane.values[at];
                *value *= 1.0 - share * (1.0 - color);
            }
        }
    };
    let scale = Transform::from_scale(PIXELS as f32, PIXELS as f32);
    for (shapes, color) in draw_for_tests(page.sheet, catalogue) {
        let mut mask = Mask::new(width as u32, height as u32).unwrap();
        let mut builder = PathBuilder::new();
        for shape in shapes {
            for (index, [x, y]) in shape.iter().enumerate() {
                if index == 0 {
                    builder.move_to(*x as f32, *y as f32);
                } else {
                    builder.line_to(*x as f32, *y as f32);
                }
            }
            builder.close();
        }
        mask.fill_path(&builder.finish().unwrap(), FillRule::Winding, true, scale);
        let linear = color.map(|part| linear(f64::from(part) / 255.0) as f32);
        lay(&mut planes, &mask, linear, 1.0);
    }
    lay(&mut planes, &page.ink, INK, STRENGTH);
    planes
}

/// The reflectances at a place of the paper; `None` beyond it.
fn sample(paper: &[Plane; 3], [x, y]: [f64; 2]) -> Option<[f32; 3]> {
    let (width, height) = (paper[0].width, paper[0].height);
    let (x, y) = (x * PIXELS - 0.5, y * PIXELS - 0.5);
    if x < 0.0 || y < 0.0 || x >= (width - 1) as f64 || y >= (height - 1) as f64 {
        return None;
    }
    let (column, row) = (x as usize, y as usize);
    let (across, down) = ((x - column as f64) as f32, (y - row as f64) as f32);
    let at = row * width + column;
    let of = |plane: &Plane| {
        let [above, below] = [&plane.values[at..at + 2], &plane.values[at + width..at + width + 2]];
        let [above, below] = [above, below].map(|pair| pair[0] + across * (pair[1] - pair[0]));
        above + down * (below - above)
    };
    Some([of(&paper[0]), of(&paper[1]), of(&paper[2])])
}

fn moved(plane: &Plane, length: usize) -> Plane {
    let mut moved = Plane::new(plane.width, plane.height);
    for (at, value) in moved.values.iter_mut().enumerate() {
        let (x, y) = ((at % plane.width) as isize, (at / plane.width) as isize);
        let sum: f32 = (0..length).map(|step| plane.at(x + step as isize - length as isize / 2, y)).sum();
        *value = sum / length as f32;
    }
    moved
}

fn linear(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn encoded(light: f64) -> f64 {
    let light = light.clamp(0.0, 1.0);
    if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// A quick source of noise.
struct Noise(u64);

impl Noise {
    /// About normal: the sum of four uniform numbers.
    fn normal(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = self.0 ^ self.0 >> 33;
        // Pairs, then the two sums.
        let pairs = (bits & 0x0000_FFFF_0000_FFFF) + (bits >> 16 & 0x0000_FFFF_0000_FFFF);
        let sum = (pairs & 0xFFFF_FFFF) + (pairs >> 32);
        (sum as f32 - 2.0 * 65_535.0) / (65_535.0 * (1.0_f32 / 3.0).sqrt())
    }
}
