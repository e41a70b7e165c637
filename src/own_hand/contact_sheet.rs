//! A picture of all boxes as they were read, with their doubts, to be looked at.

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder as _};

use super::letters::BoxReading;
use super::picture::covered;
use super::sheet::{LabelFont, X_HEIGHT};

/// Width and height of a box on the picture, in px, and px in a mm.
const CELL: [usize; 2] = [92, 104];
const SCALE: f64 = 4.6;
/// Boxes in a row.
const COLUMNS: usize = 13;
/// The row of the baseline, and where label and doubt are written: x, y and size, in px.
const BASELINE: f64 = 68.0;
const LABEL: ([f64; 2], f64) = ([4.0, 14.0], 14.0);
const DOUBT: ([f64; 2], f64) = ([3.0, 99.0], 10.0);
/// Colours.
const PAPER: [u8; 3] = [255; 3];
const INK: [u8; 3] = [0; 3];
const GUIDE: [u8; 3] = [170, 205, 225];
const WORDS: [u8; 3] = [80, 115, 165];
const GRID: [u8; 3] = [220; 3];
const RED: [u8; 3] = [190, 0, 0];
const GREEN: [u8; 3] = [0, 125, 40];

/// Draws the boxes in their order as a PNG. Boxes in doubt have a red frame, doubted ones that are used a green one.
///
/// # Errors
/// None for pictures of this size.
pub(super) fn contact_sheet(
    boxes: &[BoxReading],
    kept: &[[usize; 3]],
    font: &LabelFont<'_>,
) -> Result<Vec<u8>, String> {
    let rows = boxes.len().div_ceil(COLUMNS).max(1);
    let mut picture = Pixels::new([CELL[0] * COLUMNS, CELL[1] * rows]);
    for (index, reading) in boxes.iter().enumerate() {
        let corner = [index % COLUMNS * CELL[0], index / COLUMNS * CELL[1]];
        let mut cell = Pixels::new(CELL);
        cell.fill([0, BASELINE as usize], [CELL[0], 1], GUIDE);
        cell.fill([0, (BASELINE - X_HEIGHT * SCALE) as usize], [CELL[0], 1], GRID);
        cell.words(font, &reading.place.character.to_string(), LABEL, WORDS);
        let place = reading.place;
        let is_kept = kept.contains(&[usize::from(place.page.number), place.row + 1, place.column + 1]);
        let is_asked = reading.doubts.iter().any(|doubt| !doubt.is_blank()) && !is_kept;
        let frame = if is_asked {
            RED
        } else if is_kept {
            GREEN
        } else {
            GRID
        };
        cell.frame(frame, if is_asked || is_kept { 2 } else { 1 });
        let [middle, _] = reading.bounds().middle();
        let half = CELL[0] as f64 / 2.0;
        let on_cell = |[x, y]: [f64; 2]| [(x - middle) * SCALE + half, BASELINE - y * SCALE];
        cell.polygons(&reading.contours, on_cell, INK);
        if let Some(doubt) = reading.doubts.first() {
            cell.words(font, &doubt.to_string(), DOUBT, if is_kept { GREEN } else { RED });
        }
        picture.paste(&cell, corner);
    }
    let mut png = Vec::new();
    let [width, height] = picture.size.map(|side| side as u32);
    PngEncoder::new(&mut png)
        .write_image(&picture.bytes, width, height, ExtendedColorType::Rgb8)
        .map_err(|error| format!("the contact sheet cannot be written: {error}"))?;
    Ok(png)
}

/// A picture in RGB.
struct Pixels {
    size: [usize; 2],
    bytes: Vec<u8>,
}

impl Pixels {
    fn new(size: [usize; 2]) -> Self {
        Self { size, bytes: PAPER.repeat(size[0] * size[1]) }
    }

    fn blend(&mut self, x: usize, y: usize, color: [u8; 3], share: f32) {
        let start = 3 * (y * self.size[0] + x);
        for (byte, color) in self.bytes[start..start + 3].iter_mut().zip(color) {
            *byte = (f32::from(*byte) * (1.0 - share) + f32::from(color) * share).round() as u8;
        }
    }

    fn fill(&mut self, corner: [usize; 2], size: [usize; 2], color: [u8; 3]) {
        for y in corner[1]..(corner[1] + size[1]).min(self.size[1]) {
            for x in corner[0]..(corner[0] + size[0]).min(self.size[0]) {
                self.blend(x, y, color, 1.0);
            }
        }
    }

    fn frame(&mut self, color: [u8; 3], line: usize) {
        let [width, height] = self.size;
        self.fill([0, 0], [width, line], color);
        self.fill([0, height - line], [width, line], color);
        self.fill([0, 0], [line, height], color);
        self.fill([width - line, 0], [line, height], color);
    }

    fn polygons(&mut self, polygons: &[Vec<[f64; 2]>], place: impl Fn([f64; 2]) -> [f64; 2], color: [u8; 3]) {
        let coverage = covered(polygons, self.size, place);
        for (at, share) in coverage.values.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            self.blend(at % self.size[0], at / self.size[0], color, share.min(1.0));
        }
    }

    fn words(&mut self, font: &LabelFont<'_>, text: &str, (at, size): ([f64; 2], f64), color: [u8; 3]) {
        for letter in font.polygons(text, at, size) {
            self.polygons(&letter, |point| point, color);
        }
    }

    fn paste(&mut self, other: &Self, [left, top]: [usize; 2]) {
        let length = 3 * other.size[0];
        for (row, bytes) in other.bytes.chunks_exact(length).enumerate() {
            let start = 3 * ((top + row) * self.size[0] + left);
            self.bytes[start..start + length].copy_from_slice(bytes);
        }
    }
}
