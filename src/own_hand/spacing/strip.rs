//! The ink of a line.

use crate::own_hand::ink::InkPage;
use crate::own_hand::picture::{Plane, Regions};
use crate::own_hand::sheet::{BASELINE, BOX_HEIGHT, BOX_WIDTH, COLUMNS, ORIGIN, SheetLine, box_origin};

/// Pixels of the flat page along a side of one of the line: 4 in a mm.
const SCALE: f64 = 4.0;
/// Above and below a line, from its top, in mm.
const RANGE: [f64; 2] = [1.2, 22.5];
/// Smaller regions are dirt, in tips of the pen.
const LEAST_REGION: f64 = 0.3;

/// The ink of a line, at 4 pixels per mm.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct LineInk {
    /// The line.
    pub(in crate::own_hand) line: SheetLine,
    /// Coverage of the ink, 0 to 1 and a little more.
    pub(super) coverage: Plane,
    /// The row of the baseline.
    pub(super) baseline: usize,
    /// Connected parts of the ink: left, bottom, right and top in mm, from the left of the line and from its baseline.
    pub(super) parts: Vec<[f64; 4]>,
    /// For each pixel the number of its part, from 1; 0 of none.
    pub(super) numbers: Vec<u32>,
}

impl LineInk {
    /// Pixels per mm.
    pub(super) const SCALE: f64 = SCALE;

    /// The lines of a page; none of a page of boxes.
    pub(in crate::own_hand) fn of(page: &InkPage) -> Vec<Self> {
        if page.sheet.lines().next().is_none() {
            return Vec::new();
        }
        let (width, height) = (page.ink.width, page.ink.height);
        let regions = Regions::of(width, height, |at| page.is_connected(at));
        let least = LEAST_REGION * page.tip_area();
        let is_ink = |number: u32| number > 0 && regions.region(number).area as f64 > least;
        page.sheet.lines().map(|line| Self::cut(page, &regions, &is_ink, line)).collect()
    }

    fn cut(page: &InkPage, regions: &Regions, is_ink: &dyn Fn(u32) -> bool, line: SheetLine) -> Self {
        let step = (page.flat.scale / SCALE).round() as usize;
        let [x, top] = box_origin(line.row, 0);
        let start = page.flat.pixel([x, top + RANGE[0]]).map(|at| at.max(0.0) as usize);
        let size = [COLUMNS as f64 * BOX_WIDTH, RANGE[1] - RANGE[0]].map(|length| (length * SCALE) as usize);
        let mut coverage = Plane::new(size[0], size[1]);
        let mut numbers = vec![0; size[0] * size[1]];
        let (width, height) = (page.ink.width, page.ink.height);
        for (at, value) in coverage.values.iter_mut().enumerate() {
            let (column, row) = (start[0] + at % size[0] * step, start[1] + at / size[0] * step);
            for y in row..(row + step).min(height) {
                for x in column..(column + step).min(width) {
                    let pixel = y * width + x;
                    if page.ink.values[pixel] <= 0.0 {
                        continue;
                    }
                    // The soft edge of a region belongs to it.
                    let around =
                        [pixel, pixel.saturating_sub(1), pixel + 1, pixel.saturating_sub(width), pixel + width];
                    let numbers_around = around.map(|at| regions.numbers.get(at).copied().unwrap_or_default());
                    if let Some(number) = numbers_around.into_iter().find(|number| is_ink(*number)) {
                        *value += page.coverage(pixel) / (step * step) as f32;
                        numbers[at] = number;
                    }
                }
            }
        }
        let mut found: Vec<u32> = numbers.iter().copied().filter(|number| *number > 0).collect();
        found.sort_unstable();
        found.dedup();
        let baseline = top + BASELINE;
        let part = |number: &u32| {
            let region = regions.region(*number);
            let [left, high] = page.flat.place([region.left as f64 - 0.5, region.top as f64 - 0.5]);
            let [right, low] = page.flat.place([region.right as f64 + 0.5, region.bottom as f64 + 0.5]);
            [left - ORIGIN[0], baseline - low, right - ORIGIN[0], baseline - high]
        };
        let own = |[_, low, _, high]: &[f64; 4]| {
            let middle = f64::midpoint(*low, *high);
            (BASELINE - BOX_HEIGHT..BASELINE).contains(&middle)
        };
        let parts: Vec<[f64; 4]> = found.iter().map(part).collect();
        // Ink of the neighbouring lines is none of this one's.
        for (number, pixel) in numbers.iter_mut().zip(coverage.values.iter_mut()) {
            let index = found.binary_search(number).ok();
            let is_own = index.and_then(|index| parts.get(index)).is_some_and(&own);
            *number = index.filter(|_| is_own).map_or(0, |index| index as u32 + 1);
            if !is_own {
                *pixel = 0.0;
            }
        }
        let baseline = ((BASELINE - RANGE[0]) * SCALE).round() as usize;
        Self { line, coverage, baseline, parts, numbers }
    }
}
