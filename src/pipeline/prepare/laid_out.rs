//! The texts of a file after their layout.

use std::sync::Arc;

use crate::geometry::{Point, Rect};
use crate::layout::{PageLayout, PlacedWord};
use crate::pipeline::rendered_file::RenderedFile;
use crate::raster::{Coverage, TILE};
use crate::spec::{RenderSpec, side_name};
use crate::units::Px;

/// A text of a page, laid out.
#[derive(Clone, Debug)]
pub(in crate::pipeline) struct LaidOutText {
    /// The number of the block; `None` for the body.
    pub(in crate::pipeline) block: Option<usize>,
    /// The specification of a page with this text alone.
    pub(in crate::pipeline) spec: Arc<RenderSpec>,
    /// The page with it.
    pub(in crate::pipeline) layout: PageLayout,
}

/// The texts of a side of a sheet, and what is known of its file.
#[derive(Clone, Debug)]
pub(in crate::pipeline) struct LaidOutFile {
    /// The texts of each page, the lowest first. There is at least one page.
    pub(in crate::pipeline) pages: Vec<Vec<LaidOutText>>,
    /// The file, without its bytes.
    pub(in crate::pipeline) file: RenderedFile,
}

impl LaidOutFile {
    /// The texts of the first page.
    pub(in crate::pipeline) fn first_page(&self) -> &[LaidOutText] {
        self.pages.first().map(Vec::as_slice).unwrap_or_default()
    }
}

/// The sides of a sheet, laid out: one, or the front and the back.
#[derive(Debug)]
pub(in crate::pipeline) struct LaidOutSheet<'a> {
    /// Each with its specification. There is at least one.
    pub(in crate::pipeline) sides: Vec<(&'a RenderSpec, LaidOutFile)>,
}

/// A page of a sheet.
#[derive(Clone, Copy, Debug)]
pub(in crate::pipeline) struct SheetPage<'a> {
    /// The specification of its side.
    pub(in crate::pipeline) spec: &'a RenderSpec,
    /// Its number on its side, from 0.
    pub(in crate::pipeline) number: usize,
    /// Its texts.
    pub(in crate::pipeline) texts: &'a [LaidOutText],
}

impl LaidOutSheet<'_> {
    /// All pages in order: at least one.
    pub(in crate::pipeline) fn pages(&self) -> impl Iterator<Item = SheetPage<'_>> {
        self.sides.iter().flat_map(|(spec, side)| {
            let pages = side.pages.iter().enumerate();
            pages.map(|(number, texts)| SheetPage { spec, number, texts })
        })
    }

    /// A page, counted from 1, or the last if there are fewer; and its number.
    pub(in crate::pipeline) fn page(&self, number: usize) -> Option<(usize, SheetPage<'_>)> {
        (1..).zip(self.pages()).take(number.max(1)).last()
    }

    /// The file of all sides, without its bytes. Its size is that of the front; warnings of two sides are named as such.
    pub(in crate::pipeline) fn file(&self) -> Option<RenderedFile> {
        let of_side = |(number, (_, side)): (usize, &(_, LaidOutFile))| {
            let mut file = side.file.clone();
            if self.sides.len() > 1 {
                file.warnings = file.warnings.iter().map(|warning| warning.inside(&side_name(number))).collect();
            }
            file
        };
        self.sides.iter().enumerate().map(of_side).reduce(|mut front, back| {
            front.pages += back.pages;
            front.blocks.extend(back.blocks);
            front.warnings.extend(back.warnings);
            front
        })
    }
}

impl LaidOutText {
    /// The box around its ink.
    pub(in crate::pipeline) fn ink(&self) -> Option<Rect<Px>> {
        self.layout.word_boxes().reduce(Rect::union)
    }
}

/// All words of a page.
pub(in crate::pipeline) fn all_words(texts: &[LaidOutText]) -> impl Iterator<Item = &PlacedWord> {
    texts.iter().flat_map(|text| &text.layout.words)
}

/// The corner of the box around the strips of a page, and that box; `None` for a blank page.
pub(in crate::pipeline) fn inked_window(page: &Coverage) -> Option<Rect<u32>> {
    let boxes = page.strips().iter().map(|strip| {
        let min = Point::new(strip.x, strip.tile_row * TILE);
        let max = Point::new((strip.x + strip.width).min(page.width()), (min.y + TILE).min(page.height()));
        Rect { min, max }
    });
    boxes.reduce(Rect::union)
}
