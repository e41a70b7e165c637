//! Reads picture files.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder as _, ImageError, ImageReader, Limits, RgbImage};

use super::Plane;

/// The most pixels of a picture.
pub(super) const MOST_PIXELS: u64 = 60_000_000;
/// The least pixels along the shorter side: five for a mm of the sheet would need more.
pub(super) const LEAST_SIDE: u32 = 400;
/// The most memory that a decoder may take, in bytes.
const MOST_MEMORY: u64 = 384 << 20;
/// Shares of red, green and blue in the light that is measured.
const LUMA: [f64; 3] = [0.30, 0.59, 0.11];
/// The part of a picture's pixels that is darker than its paper.
const PAPER_RANK: f64 = 0.85;
/// The light of paper in a picture, and the steps of light from 0 to 1.
const PAPER_LIGHT: f64 = 0.8;
/// Values between black and white, and the share of them that a picture in black and white has at most: a JPEG of it has
/// a few.
const BETWEEN: std::ops::Range<u8> = 64..192;
const MOST_BETWEEN: f64 = 0.001;
const STEPS: f64 = 40_000.0;

/// Why a file is no picture that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// The format is none of those that are read.
    #[error("it is no JPEG or PNG{0}")]
    UnknownFormat(&'static str),
    /// It is too large.
    #[error("it has {width} × {height} pixels; {} million are allowed", MOST_PIXELS / 1_000_000)]
    TooLarge {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// It is too small.
    #[error("it has {width} × {height} pixels; take it at the full resolution of the camera")]
    TooSmall {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// It is broken.
    #[error("it cannot be read: {0}")]
    Broken(String),
}

/// A picture: the light of its pixels on a linear scale, with its colour cast taken out.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct Picture {
    width: usize,
    height: usize,
    /// Row by row, in steps.
    light: Vec<u16>,
    /// For each step of light its value as sRGB encodes it, 0 to 255.
    encoded: Vec<u8>,
    /// Whether it is in black and white alone.
    has_two_levels: bool,
}

impl Picture {
    /// Reads a file.
    ///
    /// # Errors
    /// Another format, a broken file, too many or too few pixels.
    pub(in crate::own_hand) fn read(bytes: &[u8]) -> Result<Self, PictureError> {
        let broken = |error: &dyn std::fmt::Display| PictureError::Broken(error.to_string());
        let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| broken(&error))?;
        if reader.format().is_none() {
            return Err(PictureError::UnknownFormat(hint(bytes)));
        }
        let mut limits = Limits::default();
        limits.max_alloc = Some(MOST_MEMORY);
        reader.limits(limits);
        let mut decoder = reader.into_decoder().map_err(|error| match error {
            ImageError::Unsupported(_) => PictureError::UnknownFormat(hint(bytes)),
            error => broken(&error),
        })?;
        let (width, height) = decoder.dimensions();
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(PictureError::TooLarge { width, height });
        }
        if width.min(height) < LEAST_SIDE {
            return Err(PictureError::TooSmall { width, height });
        }
        let turn = decoder.orientation().map_err(|error| broken(&error))?;
        let mut image = DynamicImage::from_decoder(decoder).map_err(|error| broken(&error))?;
        image.apply_orientation(turn);
        Ok(Self::of(&image.into_rgb8()))
    }

    /// The light of an image in sRGB.
    fn of(image: &RgbImage) -> Self {
        let linear: Vec<f64> = (0..=255).map(|value| linear(f64::from(value) / 255.0)).collect();
        let papers: [f64; 3] = std::array::from_fn(|channel| {
            let mut counts = [0_usize; 256];
            for pixel in image.pixels() {
                counts[usize::from(pixel.0[channel])] += 1;
            }
            let mut left = (PAPER_RANK * f64::from(image.width()) * f64::from(image.height())) as usize;
            let rank = counts.iter().position(|count| {
                let found = *count > left;
                left -= if found { 0 } else { *count };
                found
            });
            linear[rank.unwrap_or(255)].max(0.05)
        });
        // For each channel and value, its part of the light in steps.
        let parts: Vec<[f64; 3]> = linear
            .iter()
            .map(|light| std::array::from_fn(|channel| LUMA[channel] * light / papers[channel] * PAPER_LIGHT * STEPS))
            .collect();
        let light = |pixel: &image::Rgb<u8>| {
            let sum: f64 = (0..3).map(|channel| parts[usize::from(pixel.0[channel])][channel]).sum();
            sum.min(f64::from(u16::MAX)) as u16
        };
        let between = image.pixels().filter(|pixel| BETWEEN.contains(&pixel.0[1])).count() as f64;
        let encoded = (0..=u16::MAX).map(|step| encoded(f64::from(step) / STEPS)).collect();
        Self {
            width: image.width() as usize,
            height: image.height() as usize,
            light: image.pixels().map(light).collect(),
            encoded,
            has_two_levels: between < MOST_BETWEEN * f64::from(image.width()) * f64::from(image.height()),
        }
    }

    /// Whether it is in black and white, without gray levels.
    #[must_use]
    pub(in crate::own_hand) const fn has_two_levels(&self) -> bool {
        self.has_two_levels
    }

    /// Its width and height in pixels.
    #[must_use]
    pub(in crate::own_hand) const fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    fn step(&self, x: isize, y: isize) -> u16 {
        let x = x.clamp(0, self.width as isize - 1) as usize;
        let y = y.clamp(0, self.height as isize - 1) as usize;
        self.light[y * self.width + x]
    }

    /// The light at a place, 0 to 1 and more, by cubic interpolation (Catmull–Rom); that of the edge beyond it.
    pub(in crate::own_hand) fn light_at(&self, [x, y]: [f64; 2]) -> f32 {
        let (left, top) = (floor(x), floor(y));
        let (across, down) = (cubic_weights((x - left as f64) as f32), cubic_weights((y - top as f64) as f32));
        let inside = left >= 1 && top >= 1 && left + 2 < self.width as isize && top + 2 < self.height as isize;
        let mut sum = 0.0;
        for (row, weight) in down.into_iter().enumerate() {
            let y = top - 1 + row as isize;
            let line = if inside {
                let start = y as usize * self.width + left as usize - 1;
                let steps = &self.light[start..start + 4];
                (0..4).map(|column| across[column] * f32::from(steps[column])).sum::<f32>()
            } else {
                (0..4).map(|column| across[column] * f32::from(self.step(left - 1 + column as isize, y))).sum()
            };
            sum += weight * line;
        }
        sum / STEPS as f32
    }

    /// The sRGB value at a place, 0 to 255, by linear interpolation; that of the edge beyond it.
    pub(in crate::own_hand) fn value_at(&self, [x, y]: [f64; 2]) -> f32 {
        let (left, top) = (x.floor(), y.floor());
        let (across, down) = ((x - left) as f32, (y - top) as f32);
        let value = |column: isize, row: isize| f32::from(self.encoded[usize::from(self.step(column, row))]);
        let line = |row: isize| {
            let left = left as isize;
            value(left, row) + across * (value(left + 1, row) - value(left, row))
        };
        let (above, below) = (line(top as isize), line(top as isize + 1));
        above + down * (below - above)
    }

    /// The sRGB value of a pixel.
    pub(in crate::own_hand) fn value(&self, x: usize, y: usize) -> f32 {
        f32::from(self.encoded[usize::from(self.light[y * self.width + x])])
    }

    /// The sRGB values, scaled so that the longer side has at most `longest` pixels; and the scale.
    pub(in crate::own_hand) fn scaled(&self, longest: usize) -> (Plane, f64) {
        let scale = (longest as f64 / self.width.max(self.height) as f64).min(1.0);
        let size = |side: usize| ((side as f64 * scale).round() as usize).max(1);
        let mut plane = Plane::new(size(self.width), size(self.height));
        let ends = |index: usize, count: usize, side: usize| {
            let start = index * side / count;
            start..((index + 1) * side / count).max(start + 1)
        };
        let (width, height) = (plane.width, plane.height);
        for y in 0..height {
            for x in 0..width {
                let (rows, columns) = (ends(y, height, self.height), ends(x, width, self.width));
                let count = rows.len() * columns.len();
                let sum: f32 = rows.flat_map(|row| columns.clone().map(move |column| self.value(column, row))).sum();
                plane.values[y * width + x] = sum / count as f32;
            }
        }
        (plane, scale)
    }
}

/// Rounds down. [`f64::floor`] is a function call unless the build may use the processor's instruction.
const fn floor(value: f64) -> isize {
    let towards_zero = value as isize;
    towards_zero - (towards_zero as f64 > value) as isize
}

/// What to do with a file of another format.
fn hint(bytes: &[u8]) -> &'static str {
    let kind = bytes.get(4..12).unwrap_or_default();
    if kind.starts_with(b"ftypheic") || kind.starts_with(b"ftypheix") || kind.starts_with(b"ftypmif1") {
        ", but HEIC: export it as JPEG, or set the camera to \"most compatible\""
    } else {
        ""
    }
}

/// The light of an sRGB value (IEC 61966-2-1), both 0 to 1.
fn linear(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn encoded(light: f64) -> u8 {
    let value = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round().clamp(0.0, 255.0) as u8
}

/// The weights of four neighbours at a place between the middle two.
fn cubic_weights(at: f32) -> [f32; 4] {
    let (square, cube) = (at * at, at * at * at);
    [
        -0.5 * cube + square - 0.5 * at,
        1.5 * cube - 2.5 * square + 1.0,
        -1.5 * cube + 2.0 * square + 0.5 * at,
        0.5 * cube - 0.5 * square,
    ]
}
