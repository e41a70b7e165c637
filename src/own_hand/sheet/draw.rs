//! The sheet as a PDF.
//!
//! Rows of dots are dashed lines with round caps and short dashes (ISO 32000-1, 8.4.3.6), which makes a page of
//! some 3,000 dots small. The file has no fonts: words are paths.

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::LineCapStyle;
use pdf_writer::{Content, Filter, Finish as _, Pdf, Rect, Ref, TextStr};

use super::form::SheetForm;
use super::labels::{LabelFont, all_labels};
use super::marks::is_white;
use super::places::{GuideDots, box_origin, lattice};
use super::sheet_page::SheetPage;
use super::{CORNER_MARKS, LATTICE_RADIUS, MARK_CELLS, MARK_SIDE, PAPER, VOID_CIRCLE};
use crate::catalogue::{FontCatalogue, OutlineCommand};
use crate::geometry::Point;
use crate::units::FontUnits;

/// Points in a mm.
const PT: f64 = 72.0 / 25.4;
/// Width and height of Letter.
const LETTER: [f64; 2] = [215.9, 279.4];
/// The colours of the baseline and the ticks, of other guides, and of words: light enough to be told from ink, and not
/// so light that printers leave them out.
const GUIDE: [u8; 3] = [170, 222, 241];
const FINE: [u8; 3] = [190, 230, 245];
const WORDS: [u8; 3] = [95, 170, 205];
const BLACK: [u8; 3] = [0; 3];
const WHITE: [u8; 3] = [255; 3];
/// Width of the line of the circle to drop a box.
const CIRCLE_LINE: f64 = 0.15;
/// The length of the dashes that are dots. `PDFium` draws dashes of no length 0.1 pt long and does not shorten the gaps,
/// so that the thirteenth dot of a row is half a mm off.
const DASH: f64 = 0.1 / PT;
/// How far a row of dots goes on after the last one, as a share of the distance of two: some renderers leave out a dot
/// that is exactly at the end.
const SLACK: f64 = 0.3;
/// Overlap of white cells of marks, so that no hairline shows between two.
const OVERLAP: f64 = 0.01;
/// How hard pages are packed.
const LEVEL: u8 = 9;
/// Control points of a quarter circle (a cubic's best fit).
const CIRCLE: f64 = 0.5523;

/// Draws the pages of a form. Equal forms give equal bytes.
#[must_use]
pub fn draw_sheet(form: SheetForm, catalogue: &FontCatalogue) -> Vec<u8> {
    let font = LabelFont::new(catalogue);
    let pages: Vec<SheetPage> = form.pages().collect();
    let mut pdf = Pdf::new();
    let mut next = Ref::new(1);
    let [catalog, tree, info] = std::array::from_fn(|_| next.bump());
    let ids: Vec<[Ref; 2]> = pages.iter().map(|_| [next.bump(), next.bump()]).collect();
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).kids(ids.iter().map(|[page, _]| *page)).count(pages.len() as i32);
    pdf.document_info(info).title(TextStr("Longhand sheet"));
    let canvas = Canvas::of(form);
    for (page, [id, stream]) in pages.iter().zip(ids) {
        let [width, height] = canvas.paper.map(|side| (side * PT) as f32);
        let mut object = pdf.page(id);
        object.parent(tree).media_box(Rect::new(0.0, 0.0, width, height)).contents(stream);
        object.resources();
        object.finish();
        let bytes = compress_to_vec_zlib(&content(form, *page, &font).finish(), LEVEL);
        pdf.stream(stream, &bytes).filter(Filter::FlateDecode);
    }
    pdf.set_binary_marker(b"\x80\x81\x82\x83");
    pdf.finish()
}

/// A content stream, and where the sheet is on the paper.
struct Canvas {
    content: Content,
    paper: [f64; 2],
}

/// Where a point of the sheet is on the paper of a form, from the paper's upper left corner.
pub(super) fn on_paper(form: SheetForm, [x, y]: [f64; 2]) -> [f64; 2] {
    let paper = if form.letter { LETTER } else { PAPER };
    [x + (paper[0] - PAPER[0]) / 2.0, y + (paper[1] - PAPER[1]) / 2.0]
}

impl Canvas {
    fn of(form: SheetForm) -> Self {
        Self { content: Content::new(), paper: if form.letter { LETTER } else { PAPER } }
    }

    /// A point in PDF points, to a hundredth: 0.004 mm.
    fn at(&self, [x, y]: [f64; 2]) -> [f32; 2] {
        let left = (self.paper[0] - PAPER[0]) / 2.0;
        let bottom = f64::midpoint(self.paper[1], PAPER[1]) - y;
        [x + left, bottom].map(|length| ((length * PT * 100.0).round() / 100.0) as f32)
    }

    fn color(&mut self, color: [u8; 3]) {
        let [red, green, blue] = color.map(|part| f32::from(part) / 255.0);
        self.content.set_fill_rgb(red, green, blue).set_stroke_rgb(red, green, blue);
    }

    fn fill_rect(&mut self, corner: [f64; 2], [width, height]: [f64; 2]) {
        let [x, y] = self.at([corner[0], corner[1] + height]);
        self.content.rect(x, y, (width * PT) as f32, (height * PT) as f32).fill_nonzero();
    }

    /// Dots in a row: a line with round caps and short dashes.
    fn dots(&mut self, dots: &GuideDots) {
        let pitch = dots.step[0].hypot(dots.step[1]);
        let along = |steps: f64| [0, 1].map(|axis| dots.first[axis] + steps * dots.step[axis]);
        let start = self.at(along(-0.5 * DASH / pitch));
        let end = self.at(along((dots.count - 1) as f64 + SLACK));
        self.content.set_line_width((2.0 * dots.radius * PT) as f32);
        self.content.set_dash_pattern([DASH, pitch - DASH].map(|length| (length * PT) as f32), 0.0);
        self.content.move_to(start[0], start[1]).line_to(end[0], end[1]).stroke();
    }

    fn circle(&mut self, [x, y]: [f64; 2], radius: f64) {
        let [x, y] = self.at([x, y]);
        let (radius, far) = ((radius * PT) as f32, (radius * PT * CIRCLE) as f32);
        self.content.move_to(x + radius, y);
        for (sin, cos) in [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)] {
            // From (cos, sin) a quarter turn to (-sin, cos).
            let point = |along: f32, across: f32| [x + along * cos - across * sin, y + along * sin + across * cos];
            let [first, second, end] = [point(radius, far), point(far, radius), point(0.0, radius)];
            self.content.cubic_to(first[0], first[1], second[0], second[1], end[0], end[1]);
        }
        self.content.close_and_stroke();
    }

    fn outline(&mut self, commands: &[OutlineCommand], origin: [f64; 2], unit: f64) {
        let at = |canvas: &Self, point: Point<FontUnits>| {
            canvas.at([origin[0] + point.x.get() * unit, origin[1] - point.y.get() * unit])
        };
        let mut last = Point::new(FontUnits::ZERO, FontUnits::ZERO);
        for command in commands {
            match *command {
                OutlineCommand::MoveTo(to) => {
                    let [x, y] = at(self, to);
                    self.content.move_to(x, y);
                    last = to;
                }
                OutlineCommand::LineTo(to) => {
                    let [x, y] = at(self, to);
                    self.content.line_to(x, y);
                    last = to;
                }
                OutlineCommand::QuadTo(control, to) => {
                    // The same curve as a cubic.
                    let third = |from: Point<FontUnits>| {
                        let part = |from: FontUnits, to: FontUnits| {
                            FontUnits::new(from.get() + 2.0 / 3.0 * (to.get() - from.get()))
                        };
                        Point::new(part(from.x, control.x), part(from.y, control.y))
                    };
                    let [first, second, end] = [third(last), third(to), to].map(|point| at(self, point));
                    self.content.cubic_to(first[0], first[1], second[0], second[1], end[0], end[1]);
                    last = to;
                }
                OutlineCommand::CubicTo(one, other, to) => {
                    let [first, second, end] = [one, other, to].map(|point| at(self, point));
                    self.content.cubic_to(first[0], first[1], second[0], second[1], end[0], end[1]);
                    last = to;
                }
                OutlineCommand::Close => {
                    self.content.close_path();
                }
            }
        }
    }
}

fn content(form: SheetForm, page: SheetPage, font: &LabelFont<'_>) -> Content {
    let mut canvas = Canvas::of(form);
    let cell = MARK_SIDE / MARK_CELLS as f64;
    for (corner, [x, y]) in CORNER_MARKS.into_iter().enumerate() {
        canvas.color(BLACK);
        canvas.fill_rect([x, y], [MARK_SIDE; 2]);
        canvas.color(WHITE);
        for (row, column) in (0..MARK_CELLS).flat_map(|row| (0..MARK_CELLS).map(move |column| (row, column))) {
            if is_white(page, corner, row, column) {
                canvas.fill_rect([x + column as f64 * cell, y + row as f64 * cell], [cell + OVERLAP; 2]);
            }
        }
    }
    canvas.content.set_line_cap(LineCapStyle::RoundCap);
    canvas.color(BLACK);
    let black: Vec<[f64; 2]> = lattice().collect();
    for row in black.chunk_by(|one, next| next[0] > one[0]) {
        let (first, step) = (row[0], [row[1][0] - row[0][0], 0.0]);
        canvas.dots(&GuideDots { first, step, count: row.len(), radius: LATTICE_RADIUS });
    }
    for (bold, color) in [(true, GUIDE), (false, FINE)] {
        canvas.color(color);
        page.guide_dots().iter().filter(|dots| dots.is_bold() == bold).for_each(|dots| canvas.dots(dots));
    }
    canvas.color(WORDS);
    canvas.content.set_dash_pattern([], 0.0).set_line_width((CIRCLE_LINE * PT) as f32);
    let ([x, y], radius) = VOID_CIRCLE;
    for each in page.boxes() {
        let origin = box_origin(each.row, each.column);
        canvas.circle([origin[0] + x, origin[1] + y], radius - CIRCLE_LINE / 2.0);
    }
    for label in all_labels(form, page) {
        for (commands, origin, unit) in font.outlines(&label) {
            canvas.outline(&commands, origin, unit);
        }
        canvas.content.fill_nonzero();
    }
    canvas.content
}

/// Polygons, in mm.
#[cfg(test)]
type Polygons = Vec<Vec<[f64; 2]>>;

/// What a page prints, as polygons by colour, in mm, y downwards.
#[cfg(test)]
pub(in crate::own_hand) fn draw_for_tests(page: SheetPage, catalogue: &FontCatalogue) -> Vec<(Polygons, [u8; 3])> {
    let disc = |[x, y]: [f64; 2], radius: f64| -> Vec<[f64; 2]> {
        let angle = |at: usize| std::f64::consts::TAU * at as f64 / 24.0;
        (0..24).map(|at| [x + radius * angle(at).cos(), y + radius * angle(at).sin()]).collect()
    };
    let square = |[x, y]: [f64; 2], side: f64| vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
    let cell = MARK_SIDE / MARK_CELLS as f64;
    let mut black: Vec<Vec<[f64; 2]>> = lattice().map(|at| disc(at, LATTICE_RADIUS)).collect();
    for (corner, [x, y]) in CORNER_MARKS.into_iter().enumerate() {
        let cells = (0..MARK_CELLS).flat_map(|row| (0..MARK_CELLS).map(move |column| (row, column)));
        let dark = cells.filter(|(row, column)| !is_white(page, corner, *row, *column));
        black.extend(
            dark.map(|(row, column)| square([x + column as f64 * cell, y + row as f64 * cell], cell + OVERLAP)),
        );
    }
    let dots = |bold: bool| {
        let rows = page.guide_dots().into_iter().filter(move |dots| dots.is_bold() == bold);
        rows.flat_map(|dots| dots.places().map(|at| disc(at, dots.radius)).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let mut words: Vec<Vec<[f64; 2]>> = Vec::new();
    let font = LabelFont::new(catalogue);
    let form = SheetForm { joined: page.joined, ..SheetForm::default() };
    for label in all_labels(form, page) {
        words.extend(font.polygons(&label.text, label.at, label.size).into_iter().flatten());
    }
    let ([x, y], radius) = VOID_CIRCLE;
    for each in page.boxes() {
        let origin = box_origin(each.row, each.column);
        let centre = [origin[0] + x, origin[1] + y];
        words.push(disc(centre, radius));
        words.push(disc(centre, radius - CIRCLE_LINE).into_iter().rev().collect());
    }
    vec![(black, BLACK), (dots(true), GUIDE), (dots(false), FINE), (words, WORDS)]
}
