//! Where the sheet is printed, pixel by pixel: from the same layout as it is printed.

use crate::own_hand::page::{FlatPage, Place};
use crate::own_hand::sheet::{
    BOX_HEIGHT, GuideDots, LATTICE_RADIUS, LabelFont, ORIGIN, ROWS, SheetPage, VOID_CIRCLE, box_origin, lattice,
};

/// What is printed at a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Print {
    /// Nothing: paper, or ink.
    #[default]
    Nothing,
    /// A guide dot, which may be under ink.
    Guide,
    /// A word, a circle, or nothing that belongs to boxes: no ink is looked for.
    Words,
    /// A black dot: no ink can be told from it.
    Dot,
}

/// How far beyond a guide, a circle and a black dot its print reaches, in mm.
pub(super) const GUIDE_MARGIN: f64 = 0.14;
const CIRCLE_MARGIN: f64 = 0.25;
const DOT_MARGIN: f64 = 0.18;
/// How far above the first and below the last box ink belongs to them, in mm.
const OVERSHOOT: f64 = 2.5;

/// The print of every pixel of a flat page.
pub(super) struct Printed {
    pub(super) pixels: Vec<Print>,
    width: usize,
}

impl Printed {
    pub(super) fn of(page: &FlatPage, sheet: SheetPage, font: &LabelFont<'_>) -> Self {
        let mut printed = Self { pixels: vec![Print::Nothing; page.light.values.len()], width: page.light.width };
        for dots in sheet.guide_dots() {
            dots.places().for_each(|at| printed.disc(page, at, dots.radius + GUIDE_MARGIN, Print::Guide));
        }
        for [left, top, right, bottom] in font.covered(sheet) {
            printed.area(page, [left, top], [right, bottom]);
        }
        let ([x, y], radius) = VOID_CIRCLE;
        for each in sheet.boxes() {
            let origin = box_origin(each.row, each.column);
            printed.disc(page, [origin[0] + x, origin[1] + y], radius + CIRCLE_MARGIN, Print::Words);
        }
        lattice().for_each(|at| printed.disc(page, at, LATTICE_RADIUS + DOT_MARGIN, Print::Dot));
        let [top, bottom] = [ORIGIN[1] - OVERSHOOT, ORIGIN[1] + ROWS as f64 * BOX_HEIGHT + OVERSHOOT];
        printed.area(page, [0.0, 0.0], [f64::MAX, top]);
        printed.area(page, [0.0, bottom], [f64::MAX; 2]);
        printed
    }

    fn set(&mut self, columns: std::ops::Range<usize>, row: usize, print: Print) {
        let start = row * self.width;
        self.pixels[start + columns.start..start + columns.end].fill(print);
    }

    /// The columns and rows of a box of pixels, within the page.
    fn within(&self, from: Place, to: Place) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let height = self.pixels.len() / self.width;
        let range = |from: f64, to: f64, most: usize| {
            let start = (from.ceil().max(0.0) as usize).min(most);
            start..((to.floor() + 1.0).max(0.0) as usize).clamp(start, most)
        };
        (range(from[0], to[0], self.width), range(from[1], to[1], height))
    }

    fn area(&mut self, page: &FlatPage, from: Place, to: Place) {
        let (columns, rows) = self.within(page.pixel(from), page.pixel(to));
        for row in rows {
            self.set(columns.clone(), row, Print::Words);
        }
    }

    fn disc(&mut self, page: &FlatPage, centre: Place, radius: f64, print: Print) {
        for (index, _) in pixels_of_disc(page, centre, radius) {
            self.pixels[index] = print;
        }
    }
}

/// The pixels of a disc within a page, and the distance of each from its centre in pixels.
pub(super) fn pixels_of_disc(page: &FlatPage, centre: Place, radius: f64) -> Vec<(usize, f64)> {
    let ([x, y], radius) = (page.pixel(centre), radius * page.scale);
    let (width, height) = (page.light.width, page.light.height);
    let range = |at: f64, most: usize| ((at - radius).ceil().max(0.0) as usize)..((at + radius) as usize + 1).min(most);
    let places = range(y, height).flat_map(|row| range(x, width).map(move |column| (column, row)));
    places
        .map(|(column, row)| (row * width + column, (column as f64 - x).hypot(row as f64 - y)))
        .filter(|(_, far)| *far <= radius)
        .collect()
}

/// Every guide dot of a page: its centre, and whether it is a dark one.
pub(super) fn guide_places(sheet: SheetPage) -> Vec<(Place, f64, bool)> {
    let of_row = |dots: GuideDots| dots.places().map(|at| (at, dots.radius, dots.is_bold())).collect::<Vec<_>>();
    sheet.guide_dots().into_iter().flat_map(of_row).collect()
}
