//! A bounded cache of drawn grids of marks, shared by all previews.
//!
//! Software adapters draw the marks of a page for about as long as its writing, and there are at most 36 grids per
//! page size.

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::{Grid, Watermark};
use crate::geometry::Rect;
use crate::raster::Coverage;
use crate::scene::RenderParams;

/// Bytes of all entries.
const CAPACITY: u64 = 16 << 20;
/// Expected number of entries: grids of A4.
const ENTRIES: usize = 24;
/// Bytes of an entry besides its strips and pixels: the key and the bookkeeping. The cache never drops what weighs
/// nothing, and a region may have no mark.
const ENTRY: usize = 256;

/// All that a drawn grid depends on: the bits of the page's width and height, of both shifts and of the scale, and the
/// window.
type GridKey = ([u64; 5], Option<Rect<u32>>);

/// The drawn marks of previews.
#[derive(Debug)]
pub(in crate::pipeline) struct DrawnMarks(Cache<GridKey, Coverage, Bytes>);

/// The weight of drawn marks: their bytes.
#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<GridKey, Coverage> for Bytes {
    fn weight(&self, _: &GridKey, marks: &Coverage) -> u64 {
        (ENTRY + size_of_val(marks.strips()) + marks.strip_pixels()) as u64
    }
}

impl DrawnMarks {
    /// All marks of the watermark's grid, if they were drawn with `params` before.
    pub(in crate::pipeline) fn get(&self, watermark: &Watermark<'_>, params: &RenderParams) -> Option<Coverage> {
        self.0.get(&key(&watermark.grid, params))
    }

    /// Keeps a copy of all marks of the watermark's grid, drawn with `params`.
    pub(in crate::pipeline) fn insert(&self, watermark: &Watermark<'_>, params: &RenderParams, marks: &Coverage) {
        // The memory of what a device drew is used again.
        self.0.insert(key(&watermark.grid, params), marks.copied());
    }
}

impl Default for DrawnMarks {
    fn default() -> Self {
        Self(Cache::with_weighter(ENTRIES, CAPACITY, Bytes))
    }
}

fn key(Grid { size, shift: [along, across], .. }: &Grid, params: &RenderParams) -> GridKey {
    let lengths = [size.width.get(), size.height.get(), *along, *across, params.scale.get()];
    (lengths.map(f64::to_bits), params.window)
}
