//! Finds the corner marks of a sheet on a picture.

use super::homography::Homography;
use super::{Place, distance};
use crate::own_hand::picture::{Picture, Plane, Regions};
use crate::own_hand::sheet::{MARK_CELLS, SheetPage, corner_of_code};

/// Longer sides of the scaled pictures on which marks are looked for, until four are found.
const SIDES: [usize; 3] = [1600, 1000, 2600];
/// The block whose mean a dark pixel is below, as a share of the shorter side, and by how much it is, of 255.
const BLOCK: f64 = 1.0 / 12.0;
const DARKER: f32 = 8.0;
/// Least and most side of a mark, as shares of the shorter side.
const LEAST_SIDE: f64 = 0.015;
const MOST_SIDE: f64 = 0.14;
/// Least area of the four-sided figure of a mark, as a share of that of a square with its perimeter.
const LEAST_SQUARE: f64 = 0.55;
/// Samples along a cell of a mark; the outer quarter of a cell is not looked at.
const SAMPLES: usize = 4;
/// Least difference between light and dark cells, of 255.
const LEAST_CONTRAST: f32 = 40.0;
/// The most cells of the ring that may be light.
const MOST_LIGHT: usize = 2;

/// A mark on a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FoundMark {
    pub(super) page: SheetPage,
    /// Which corner of the page, as in the sheet.
    pub(super) corner: usize,
    /// Its corners, clockwise from the upper left one of the page.
    pub(super) corners: [Place; 4],
}

/// What was found on a picture.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundMarks {
    pub(super) marks: Vec<FoundMark>,
    /// Whether there are marks that are mirrored.
    pub(super) are_mirrored: bool,
}

/// The marks of a picture; of several at the same corner of a page the first.
pub(super) fn find_marks(picture: &Picture) -> FoundMarks {
    let mut found = FoundMarks::default();
    for side in SIDES {
        let (plane, scale) = picture.scaled(side);
        for corners in squares(&plane) {
            let corners = corners.map(|corner| corner.map(|at| (at + 0.5) / scale - 0.5));
            match read(picture, corners) {
                Reading::Mark(mark) => {
                    let is_same = |known: &FoundMark| (known.page, known.corner) == (mark.page, mark.corner);
                    if !found.marks.iter().any(is_same) {
                        found.marks.push(mark);
                    }
                }
                Reading::Mirrored => found.are_mirrored = true,
                Reading::None => {}
            }
        }
        if found.marks.len() >= 4 || scale >= 1.0 && side == SIDES[0] {
            break;
        }
    }
    found.marks.sort_by_key(|mark| (mark.page.index(), mark.corner));
    found
}

/// Corners of dark regions that could be marks, clockwise.
fn squares(plane: &Plane) -> Vec<[Place; 4]> {
    let shorter = plane.width.min(plane.height) as f64;
    let means = plane.box_means((shorter * BLOCK / 2.0) as usize);
    let regions = Regions::of(plane.width, plane.height, |at| plane.values[at] < means.values[at] - DARKER);
    let (least, most) = (LEAST_SIDE * shorter, MOST_SIDE * shorter);
    let mut squares = Vec::new();
    for (number, region) in (1..).zip(&regions.all) {
        let sides = [region.right - region.left, region.bottom - region.top].map(|side| side as f64 + 1.0);
        let is_sized = sides.iter().all(|side| (least..=most).contains(side));
        if is_sized && region.area as f64 > 0.2 * sides[0] * sides[1] {
            let pixels: Vec<Place> = regions.pixels(number).map(|pixel| pixel.map(|at| at as f64)).collect();
            squares.extend(corners_of(&pixels));
        }
    }
    squares
}

/// The corners of a region that has the outline of a square seen askew, clockwise: the pixel farthest from the middle, the
/// one farthest from that, and those farthest from the line between both on either side.
fn corners_of(pixels: &[Place]) -> Option<[Place; 4]> {
    let farthest = |of: &dyn Fn(&Place) -> f64| pixels.iter().copied().max_by(|a, b| of(a).total_cmp(&of(b)));
    let count = pixels.len() as f64;
    let middle = [0, 1].map(|axis| pixels.iter().map(|pixel| pixel[axis]).sum::<f64>() / count);
    let first = farthest(&|pixel| distance(*pixel, middle))?;
    let third = farthest(&|pixel| distance(*pixel, first))?;
    let side =
        |pixel: &Place| (third[0] - first[0]) * (pixel[1] - first[1]) - (third[1] - first[1]) * (pixel[0] - first[0]);
    // y points down, so what is on the positive side follows clockwise after the third.
    let (second, fourth) = (farthest(&|pixel| -side(pixel))?, farthest(&side)?);
    let corners = [first, second, third, fourth];
    let area = shoelace(&corners);
    let perimeter: f64 = (0..4).map(|at| distance(corners[at], corners[(at + 1) % 4])).sum();
    if area < LEAST_SQUARE * (perimeter / 4.0).powi(2) {
        return None;
    }
    let is_outside = |pixel: &&Place| {
        (0..4).any(|at| {
            let (from, to) = (corners[at], corners[(at + 1) % 4]);
            let length = distance(from, to).max(1e-9);
            let across = (to[0] - from[0]) * (pixel[1] - from[1]) - (to[1] - from[1]) * (pixel[0] - from[0]);
            across / length < -0.07 * perimeter / 4.0
        })
    };
    if pixels.iter().filter(is_outside).count() as f64 > 0.03 * count {
        return None;
    }
    // Corners are centres of pixels; the mark reaches half a pixel further.
    Some(corners.map(|corner| {
        let far = distance(corner, middle).max(1e-9);
        [0, 1].map(|axis| corner[axis] + 0.7 * (corner[axis] - middle[axis]) / far)
    }))
}

fn shoelace(corners: &[Place; 4]) -> f64 {
    let each = (0..4).map(|at| {
        let (one, other) = (corners[at], corners[(at + 1) % 4]);
        one[0] * other[1] - other[0] * one[1]
    });
    each.sum::<f64>() / 2.0
}

enum Reading {
    Mark(FoundMark),
    Mirrored,
    None,
}

/// Reads the cells of a possible mark.
fn read(picture: &Picture, corners: [Place; 4]) -> Reading {
    let Some(map) = Homography::of_square(corners) else { return Reading::None };
    let mut cells = [[0.0_f32; MARK_CELLS]; MARK_CELLS];
    for (row, line) in cells.iter_mut().enumerate() {
        for (column, cell) in line.iter_mut().enumerate() {
            let samples = (0..SAMPLES * SAMPLES).map(|index| {
                let part = |at: usize| 0.25 + 0.5 * (at as f64 + 0.5) / SAMPLES as f64;
                let x = (column as f64 + part(index % SAMPLES)) / MARK_CELLS as f64;
                let y = (row as f64 + part(index / SAMPLES)) / MARK_CELLS as f64;
                picture.value_at(map.at([x, y]))
            });
            *cell = samples.sum::<f32>() / (SAMPLES * SAMPLES) as f32;
        }
    }
    let sorted = {
        let mut all: Vec<f32> = cells.iter().flatten().copied().collect();
        all.sort_by(f32::total_cmp);
        all
    };
    let (dark, light) = (sorted[2], sorted[sorted.len() - 2]);
    if light - dark < LEAST_CONTRAST {
        return Reading::None;
    }
    let is_light = |row: usize, column: usize| cells[row][column] > f32::midpoint(dark, light);
    let last = MARK_CELLS - 1;
    let ring = (0..MARK_CELLS * MARK_CELLS)
        .map(|at| (at / MARK_CELLS, at % MARK_CELLS))
        .filter(|(row, column)| [0, last].contains(row) || [0, last].contains(column));
    if ring.filter(|(row, column)| is_light(*row, *column)).count() > MOST_LIGHT {
        return Reading::None;
    }
    let code = |mirrored: bool| {
        (0..16_usize).fold(0_u16, |code, at| {
            let (row, column) = (at / 4, if mirrored { 3 - at % 4 } else { at % 4 });
            code << 1 | u16::from(is_light(row + 1, column + 1))
        })
    };
    match corner_of_code(code(false)) {
        Some((page, corner, turns)) => {
            let corners = std::array::from_fn(|at| corners[(at + turns) % 4]);
            Reading::Mark(FoundMark { page, corner, corners })
        }
        None if corner_of_code(code(true)).is_some() => Reading::Mirrored,
        None => Reading::None,
    }
}
