//! Where boxes, lines and dots are.

use serde::{Deserialize, Serialize};

use super::sheet_page::SheetPage;
use super::texts;

/// Upper left corner of the first box.
pub(in crate::own_hand) const ORIGIN: [f64; 2] = [11.4, 28.0];
/// Size of a box.
pub(in crate::own_hand) const BOX_WIDTH: f64 = 14.4;
pub(in crate::own_hand) const BOX_HEIGHT: f64 = 20.0;
/// Boxes in a row, and rows on a page.
pub(in crate::own_hand) const COLUMNS: usize = 13;
pub(in crate::own_hand) const ROWS: usize = 12;
/// Baseline of a box or line from its top.
pub(in crate::own_hand) const BASELINE: f64 = 13.6;
/// Height of the x-height line, of the tick for ascenders, and depth of that for descenders, from the baseline.
pub(in crate::own_hand) const X_HEIGHT: f64 = 3.4;
const ASCENDER: f64 = 7.6;
const DESCENDER: f64 = 3.8;
/// Height of the tick that says where strokes lead out of the letters of a joined hand.
const EXIT: f64 = 0.5 * X_HEIGHT;
/// The circle to drop a box: its centre from the box's corner, and its outer radius.
pub(in crate::own_hand) const VOID_CIRCLE: ([f64; 2], f64) = ([6.6, 1.9], 1.1);
/// Radius of the black dots at the corners of all boxes.
pub(in crate::own_hand) const LATTICE_RADIUS: f64 = 0.45;
/// Radii of guide dots: of the baseline and the ticks, and of the other guides.
pub(super) const BOLD_RADIUS: f64 = 0.15;
const FINE_RADIUS: f64 = 0.11;
/// Distances between dots of the baseline, of the x-height line and of columns.
const BASELINE_PITCH: f64 = 0.9;
const X_HEIGHT_PITCH: f64 = 1.8;
const COLUMN_PITCH: f64 = 2.0;
/// The dots of a column from the top of a box, without those near a line: where each run begins, and their number.
const COLUMN_RUNS: [(f64, usize); 3] = [(2.0, 4), (12.0, 1), (16.0, 2)];
/// Half the width of a tick.
const TICK: f64 = 0.6;

/// A box for one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetBox {
    /// Its page.
    pub page: SheetPage,
    /// Its row from the top, from 0.
    pub row: usize,
    /// Its column from the left, from 0.
    pub column: usize,
    /// What is written into it.
    pub character: char,
    /// Which box of the character this is, on the pages in order, from 1.
    pub copy: usize,
}

/// A line to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetLine {
    /// Its row from the top, from 0.
    pub row: usize,
    /// Its text.
    pub text: &'static str,
}

/// Guide dots in a row, at equal distances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuideDots {
    /// The first.
    pub first: [f64; 2],
    /// From one to the next.
    pub step: [f64; 2],
    /// Their number.
    pub count: usize,
    /// Their radius.
    pub radius: f64,
}

impl GuideDots {
    /// Their centres.
    pub fn places(&self) -> impl Iterator<Item = [f64; 2]> {
        let Self { first, step, count, .. } = *self;
        (0..count).map(move |index| [0, 1].map(|axis| first[axis] + index as f64 * step[axis]))
    }

    /// Whether they are darker than others: those of the baseline and the ticks.
    #[must_use]
    pub fn is_bold(&self) -> bool {
        self.radius > FINE_RADIUS
    }
}

/// The upper left corner of a box; that of a line with column 0.
pub(in crate::own_hand) fn box_origin(row: usize, column: usize) -> [f64; 2] {
    [ORIGIN[0] + column as f64 * BOX_WIDTH, ORIGIN[1] + row as f64 * BOX_HEIGHT]
}

/// The black dots, row by row.
pub(in crate::own_hand) fn lattice() -> impl Iterator<Item = [f64; 2]> {
    (0..=ROWS).flat_map(|row| (0..=COLUMNS).map(move |column| box_origin(row, column)))
}

impl SheetPage {
    /// Its boxes, row by row; none on the page of lines.
    pub fn boxes(&self) -> impl Iterator<Item = SheetBox> {
        let page = *self;
        let of_row = move |(row, text): (usize, &'static &'static str)| {
            text.chars().enumerate().map(move |(column, character)| {
                let above = texts::rows(page).iter().take(row).chain(std::iter::once(text));
                let own = above.flat_map(|text| text.chars()).filter(|each| *each == character).count();
                let copy = texts::copies_of(character, page.number - 1) + own;
                SheetBox { page, row, column, character, copy }
            })
        };
        texts::rows(page).iter().enumerate().flat_map(of_row)
    }

    /// Its lines, from the top; none on pages of boxes.
    pub fn lines(&self) -> impl Iterator<Item = SheetLine> {
        let lines: &'static [&'static str] = if self.has_lines() { &texts::LINES } else { &[] };
        lines.iter().enumerate().map(|(row, text)| SheetLine { row, text })
    }

    /// Its guides: rows of dots.
    #[must_use]
    pub fn guide_dots(self) -> Vec<GuideDots> {
        let width = COLUMNS as f64 * BOX_WIDTH - 2.0 * BASELINE_PITCH;
        let row_of = |left: f64, y: f64, pitch: f64, radius: f64| GuideDots {
            first: [ORIGIN[0] + left, y],
            step: [pitch, 0.0],
            count: (width / pitch) as usize + 1,
            radius,
        };
        let mut dots = Vec::new();
        for row in 0..ROWS {
            let baseline = box_origin(row, 0)[1] + BASELINE;
            dots.push(row_of(BASELINE_PITCH, baseline, BASELINE_PITCH, BOLD_RADIUS));
            dots.push(row_of(1.5 * BASELINE_PITCH, baseline - X_HEIGHT, X_HEIGHT_PITCH, FINE_RADIUS));
            for column in (0..=COLUMNS).step_by(if self.has_lines() { COLUMNS } else { 1 }) {
                let [x, top] = box_origin(row, column);
                let run = |(y, count): (f64, usize)| GuideDots {
                    first: [x, top + y],
                    step: [0.0, COLUMN_PITCH],
                    count,
                    radius: FINE_RADIUS,
                };
                dots.extend(COLUMN_RUNS.map(run));
                let tick =
                    |y: f64| GuideDots { first: [x - TICK, y], step: [2.0 * TICK, 0.0], count: 2, radius: BOLD_RADIUS };
                dots.extend([baseline - ASCENDER, baseline + DESCENDER].map(tick));
                dots.extend(self.joined.then(|| tick(baseline - EXIT)));
            }
        }
        dots
    }
}
