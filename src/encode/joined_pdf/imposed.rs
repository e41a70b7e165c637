//! Pages placed side by side on sheets, to be cut apart: imposition.
//!
//! A page becomes a form (ISO 32000-1, 8.10) that is placed unscaled by its trim box. What lies beyond the trim is shown as
//! far as half of the gap. Crop marks stand outside the whole of the tiles, at each cut.

use std::fmt::Write as _;
use std::io::{self, Write};

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

use super::objects::{Copied, reference};
use super::{JoinedPdf, PdfPages, whole_page};

/// Points in a mm.
const PT: f64 = 72.0 / 25.4;
/// Least distance of crop marks from the tiles, their length, and their distance from bleed, in mm; their width in points.
const MARK_DISTANCE: f64 = 3.0;
const MARK_LENGTH: f64 = 4.0;
const BESIDE_BLEED: f64 = 0.5;
const MARK_WIDTH: f64 = 0.25;
/// How much less than half of the gap is shown, in points: where bleed ends, pages have marks of their own.
const BESIDE_MARKS: f64 = 0.2;
/// The colour space of what every plate prints (ISO 32000-1, 8.6.6.4).
const REGISTRATION: &str = "Registration";

/// How pages are placed on a sheet. Lengths are in mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetPlan {
    /// Width and height of the sheet.
    pub sheet: [f64; 2],
    /// Columns and rows of tiles.
    pub tiles: [usize; 2],
    /// Between tiles.
    pub gap: f64,
    /// Whether there are crop marks.
    pub has_marks: bool,
}

/// Where the pages stand on the sheets of a plan, which all have one size. Lengths are in mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetLayout {
    plan: SheetPlan,
    /// Width and height of a page.
    tile: [f64; 2],
    /// Width and height of all tiles with their gaps.
    extent: [f64; 2],
}

impl SheetPlan {
    /// The layout of pages of this size: on the sheet upright or turned, as they have room there with their marks.
    ///
    /// # Errors
    /// Width and height of the sheet that they need.
    pub fn fitting(self, tile: [f64; 2]) -> Result<SheetLayout, [f64; 2]> {
        let marks = if self.has_marks { 2.0 * (self.mark_distance() + MARK_LENGTH) } else { 0.0 };
        let extent = [0, 1].map(|axis| self.tiles[axis] as f64 * (tile[axis] + self.gap) - self.gap);
        let needed = extent.map(|length| length + marks);
        let [width, height] = self.sheet;
        let fits = |sheet: &[f64; 2]| needed[0] <= sheet[0] + 1e-6 && needed[1] <= sheet[1] + 1e-6;
        let sheet = [[width, height], [height, width]].into_iter().find(fits).ok_or(needed)?;
        Ok(SheetLayout { plan: Self { sheet, ..self }, tile, extent })
    }

    /// Crop marks stand outside what is shown beyond the trim, in mm.
    const fn mark_distance(&self) -> f64 {
        MARK_DISTANCE.max(self.gap / 2.0 + BESIDE_BLEED)
    }

    /// Tiles of a sheet.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.tiles[0] * self.tiles[1]
    }
}

impl SheetLayout {
    /// Left and lower end of all tiles.
    fn start(&self) -> [f64; 2] {
        [0, 1].map(|axis| (self.plan.sheet[axis] - self.extent[axis]) / 2.0)
    }

    /// The box around all tiles, as far beyond them as this, in points: left, bottom, right and top.
    fn box_around(&self, beyond: f64) -> [f64; 4] {
        let ([left, bottom], [width, height]) = (self.start().map(|side| side - beyond), self.plan.sheet);
        [left, bottom, width - left, height - bottom].map(|length| length * PT)
    }

    /// The lower left corner of a tile, in points. Tiles are counted row by row from the top left, or on the back from the
    /// top right, so that they are behind those of the front.
    fn corner(&self, number: usize, is_back: bool) -> [f64; 2] {
        let [columns, rows] = self.plan.tiles;
        let (column, row) = (number % columns, number / columns);
        let place = [if is_back { columns - 1 - column } else { column }, rows - 1 - row];
        [0, 1].map(|axis| (self.start()[axis] + place[axis] as f64 * (self.tile[axis] + self.plan.gap)) * PT)
    }

    /// Crop marks on all sides of the tiles.
    fn marks(&self) -> String {
        let [away, length] = [self.plan.mark_distance(), MARK_LENGTH].map(|length| length * PT);
        let around = self.box_around(0.0);
        let mut content = format!("/{REGISTRATION} CS 1 SCN {MARK_WIDTH} w\n");
        for axis in [0, 1] {
            let [low, high] = [around[1 - axis], around[3 - axis]];
            let edges = (0..self.plan.tiles[axis]).flat_map(|number| {
                let edge = self.start()[axis] + number as f64 * (self.tile[axis] + self.plan.gap);
                [edge * PT, (edge + self.tile[axis]) * PT]
            });
            for edge in edges {
                for (from, to) in [(low - away - length, low - away), (high + away, high + away + length)] {
                    let [start, end] = if axis == 0 { [[edge, from], [edge, to]] } else { [[from, edge], [to, edge]] };
                    // Writing to a string never fails.
                    let _ = writeln!(content, "{:.3} {:.3} m {:.3} {:.3} l S", start[0], start[1], end[0], end[1]);
                }
            }
        }
        content
    }
}

/// A page of a file.
#[derive(Clone, Copy, Debug)]
pub struct PageOf<'a> {
    /// The file.
    pub file: &'a PdfPages,
    /// The number of the page in it, from 0.
    pub page: usize,
}

impl PdfPages {
    /// Width and height of the trim of the first page, in mm.
    ///
    /// # Errors
    /// There is none with a size.
    pub fn trim_size(&self) -> io::Result<[f64; 2]> {
        let Self(document) = self;
        let id = document.page_iter().next().ok_or_else(|| io::Error::other("there is no page"))?;
        let (_, [left, bottom, right, top]) = media_and_trim(document, &whole_page(document, id)?)?;
        Ok([right - left, top - bottom].map(|length| length / PT))
    }
}

impl<W: Write> JoinedPdf<W> {
    /// Appends a sheet with these pages, row by row; `None` is an empty tile. A sheet without any page has its marks alone.
    ///
    /// # Errors
    /// A file has no such page, or the joined file cannot be written.
    pub fn append_sheet(
        &mut self,
        layout: &SheetLayout,
        pages: &[Option<PageOf<'_>>],
        is_back: bool,
    ) -> io::Result<()> {
        let mut forms = Dictionary::new();
        let mut content = String::new();
        for (number, page) in pages.iter().enumerate() {
            let Some(PageOf { file: PdfPages(document), page }) = page else { continue };
            let mut copied = Copied::new();
            if self.count == 0 && forms.is_empty() {
                self.begin(document, &mut copied)?;
            }
            let id = document.page_iter().nth(*page).ok_or_else(|| io::Error::other("there is no such page"))?;
            let (form, trim) = self.form(document, id, layout.plan.gap, &mut copied)?;
            let corner = layout.corner(number, is_back);
            let name = format!("P{number}");
            let [x, y] = [0, 1].map(|axis| corner[axis] - trim[axis]);
            // Writing to a string never fails.
            let _ = writeln!(content, "q 1 0 0 1 {x:.3} {y:.3} cm /{name} Do Q");
            forms.set(name, reference(form));
        }
        let mut resources = Dictionary::new();
        resources.set("XObject", forms);
        if layout.plan.has_marks {
            content += &layout.marks();
            let mut spaces = Dictionary::new();
            spaces.set(REGISTRATION, registration());
            resources.set("ColorSpace", spaces);
        }
        let content = self.objects.write_equal_once(&Object::Stream(Stream::new(Dictionary::new(), content.into())))?;
        let [width, height] = layout.plan.sheet.map(|length| length * PT);
        let mut page = Dictionary::new();
        page.set("Type", "Page");
        page.set("MediaBox", reals([0.0, 0.0, width, height]));
        page.set("BleedBox", reals(layout.box_around(layout.plan.gap / 2.0)));
        page.set("TrimBox", reals(layout.box_around(0.0)));
        page.set("Resources", resources);
        page.set("Contents", reference(content));
        self.append_page(page)
    }

    /// Writes a page as a form. Returns its number, and the trim of the page in points: left, bottom, right and top.
    fn form(
        &mut self,
        document: &Document,
        id: ObjectId,
        gap: f64,
        copied: &mut Copied,
    ) -> io::Result<(u32, [f64; 4])> {
        let page = whole_page(document, id)?;
        let (media, trim) = media_and_trim(document, &page)?;
        let beyond = (gap / 2.0 * PT - BESIDE_MARKS).max(0.0);
        let around = [
            (trim[0] - beyond).max(media[0]),
            (trim[1] - beyond).max(media[1]),
            (trim[2] + beyond).min(media[2]),
            (trim[3] + beyond).min(media[3]),
        ];
        let content = document.get_page_content(id);
        if content.is_empty() && page.has(b"Contents") {
            return Err(io::Error::other("the content of a page cannot be read"));
        }
        let mut form = Dictionary::new();
        form.set("Type", "XObject");
        form.set("Subtype", "Form");
        form.set("BBox", reals(around));
        for name in [b"Resources".as_slice(), b"Group"] {
            if let Ok(value) = page.get(name) {
                let value = self.objects.copy(document, value, copied)?;
                form.set(name.to_vec(), value);
            }
        }
        let mut form = Stream::new(form, content);
        form.compress().map_err(io::Error::other)?;
        Ok((self.objects.write_equal_once(&Object::Stream(form))?, trim))
    }
}

fn reals<const N: usize>(numbers: [f64; N]) -> Object {
    Object::Array(numbers.map(|number| Object::Real(number as f32)).to_vec())
}

/// The colour space of marks: black on every plate.
fn registration() -> Object {
    let mut function = Dictionary::new();
    function.set("FunctionType", 2);
    function.set("N", 1);
    function.set("Domain", vec![0.into(), 1.into()]);
    function.set("C0", vec![0.into(); 4]);
    function.set("C1", vec![1.into(); 4]);
    let names = ["Separation", "All", "DeviceCMYK"].map(|name| Object::Name(name.into()));
    Object::Array(names.into_iter().chain([Object::Dictionary(function)]).collect())
}

/// The media box and the trim box of a page.
fn media_and_trim(document: &Document, page: &Dictionary) -> io::Result<([f64; 4], [f64; 4])> {
    let media = numbers(document, page, b"MediaBox").ok_or_else(|| io::Error::other("a page has no size"))?;
    Ok((media, numbers(document, page, b"TrimBox").unwrap_or(media)))
}

/// A box of a page.
fn numbers(document: &Document, page: &Dictionary, name: &[u8]) -> Option<[f64; 4]> {
    let (_, value) = document.dereference(page.get(name).ok()?).ok()?;
    let numbers: Vec<f64> =
        value.as_array().ok()?.iter().filter_map(|side| side.as_float().ok()).map(f64::from).collect();
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: SheetPlan = SheetPlan { sheet: [210.0, 297.0], tiles: [2, 3], gap: 4.0, has_marks: true };

    #[test]
    fn a_sheet_is_turned_if_the_tiles_need_it() {
        let sheet = |tile| PLAN.fitting(tile).unwrap().plan.sheet.map(|side| side.round() as u32);
        assert_eq!([sheet([80.0, 60.0]), sheet([120.0, 60.0])], [[210, 297], [297, 210]]);
        let needed = PLAN.fitting([150.0, 60.0]).unwrap_err();
        assert!((needed[0] - 318.0).abs() < 1e-6 && (needed[1] - 202.0).abs() < 1e-6, "{needed:?}");
    }

    #[test]
    fn tiles_of_the_back_are_behind_those_of_the_front() {
        let layout = PLAN.fitting([80.0, 60.0]).unwrap();
        for (front, back) in [(0, 1), (1, 0), (4, 5)] {
            let [front, back] = [(front, false), (back, true)].map(|(tile, side)| layout.corner(tile, side));
            assert!((front[0] - back[0]).abs() < 1e-9 && (front[1] - back[1]).abs() < 1e-9, "{front:?} {back:?}");
        }
        let [x, y] = layout.corner(0, false);
        assert!((x / PT - 23.0).abs() < 1e-9 && (y / PT - (297.0 - 188.0) / 2.0 - 128.0).abs() < 1e-9, "{x} {y}");
    }
}
