//! The places of a sheet as data, for tools and testers.

use serde::Serialize;

use super::draw::on_paper;
use super::form::SheetForm;
use super::places::{BASELINE, BOX_HEIGHT, BOX_WIDTH, COLUMNS, X_HEIGHT, box_origin, lattice};
use super::sheet_page::SheetPage;
use super::{CORNER_MARKS, LATTICE_RADIUS, MARK_SIDE, VOID_CIRCLE};

/// What a form prints, and where. Lengths are in mm from the upper left corner of the paper, y downwards; boxes are left,
/// top, right and bottom.
#[derive(Clone, Debug, Serialize)]
pub struct SheetDescription {
    paper: [f64; 2],
    /// Height of the x-height line over the baseline.
    x_height: f64,
    /// The black dots: their radius, and their centres, on every page.
    dot_radius: f64,
    dots: Vec<[f64; 2]>,
    /// The corner marks of every page.
    marks: Vec<[f64; 4]>,
    pages: Vec<u8>,
    boxes: Vec<BoxDescription>,
    lines: Vec<LineDescription>,
}

#[derive(Clone, Debug, Serialize)]
struct BoxDescription {
    page: u8,
    /// From 1, as reports count them.
    row: usize,
    column: usize,
    character: char,
    copy: usize,
    r#box: [f64; 4],
    baseline: f64,
    /// The circle to drop the box: x, y and radius.
    circle: [f64; 3],
}

#[derive(Clone, Debug, Serialize)]
struct LineDescription {
    page: u8,
    row: usize,
    text: &'static str,
    r#box: [f64; 4],
    baseline: f64,
}

impl SheetDescription {
    /// Describes a form.
    #[must_use]
    pub fn of(form: SheetForm) -> Self {
        let rounded = |length: f64| (length * 1000.0).round() / 1000.0;
        let at = |point: [f64; 2]| on_paper(form, point).map(rounded);
        let area = |corner: [f64; 2], size: [f64; 2]| {
            let ([left, top], [right, bottom]) = (at(corner), at([corner[0] + size[0], corner[1] + size[1]]));
            [left, top, right, bottom]
        };
        let paper = [0, 1].map(|axis| rounded(2.0 * on_paper(form, super::PAPER.map(|side| side / 2.0))[axis]));
        let boxes = form.pages().collect::<Vec<SheetPage>>();
        let of_box = |each: super::SheetBox| {
            let corner = box_origin(each.row, each.column);
            let ([x, y], radius) = VOID_CIRCLE;
            let [x, y] = at([corner[0] + x, corner[1] + y]);
            BoxDescription {
                page: each.page.number,
                row: each.row + 1,
                column: each.column + 1,
                character: each.character,
                copy: each.copy,
                r#box: area(corner, [BOX_WIDTH, BOX_HEIGHT]),
                baseline: at([0.0, corner[1] + BASELINE])[1],
                circle: [x, y, radius],
            }
        };
        let of_line = |page: u8, line: super::SheetLine| {
            let corner = box_origin(line.row, 0);
            LineDescription {
                page,
                row: line.row + 1,
                text: line.text,
                r#box: area(corner, [COLUMNS as f64 * BOX_WIDTH, BOX_HEIGHT]),
                baseline: at([0.0, corner[1] + BASELINE])[1],
            }
        };
        Self {
            paper,
            x_height: X_HEIGHT,
            dot_radius: LATTICE_RADIUS,
            dots: lattice().map(at).collect(),
            marks: CORNER_MARKS.into_iter().map(|corner| area(corner, [MARK_SIDE; 2])).collect(),
            pages: boxes.iter().map(|page| page.number).collect(),
            boxes: boxes.iter().flat_map(SheetPage::boxes).map(of_box).collect(),
            lines: boxes.iter().flat_map(|page| page.lines().map(|line| of_line(page.number, line))).collect(),
        }
    }
}
