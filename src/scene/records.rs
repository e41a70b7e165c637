//! Records as the shaders read them: `repr(C)`, padding spelled out. A test compares every offset with naga's.

use bytemuck::{Pod, Zeroable};

use crate::raster::{Strip, TILE};

/// Most workgroups a dispatch may have in one dimension (WebGPU's default limit); larger counts fold into y.
pub const MAX_GROUPS_A_DIMENSION: u32 = 65_535;

/// One glyph on the page.
///
/// A mesh point `p` in font units lands at `matrix · p + translation`, in device pixels from the corner of the
/// instance's box; the box's corner and size are whole tiles.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Instance {
    /// Columns of the linear part: xx, yx, xy, yy, in device px a font unit.
    pub matrix: [f32; 4],
    /// Where the glyph's origin stands, in device px from the box's corner.
    pub translation: [f32; 2],
    /// Left edge of the box on the page, in device px.
    pub left: u32,
    /// Where its pieces begin among those of the scene, where outlines are bent.
    pub first_piece: u32,
    /// Which of the scene's meshes.
    pub mesh: u32,
    /// First tile row of the box on the page, which gives its upper edge.
    pub tile_row: u32,
    /// Number of tile rows.
    pub tile_rows: u16,
    /// Width of the box in device px: what lies beyond it is beyond the page.
    pub reach: u16,
    /// The box's first entry in the scene's [`TileRow`]s.
    pub first_tile_row: u32,
}

/// Corners of one instance's outline, in their order, that a lane of the device bends one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct CornerRun {
    /// Number of the instance.
    pub instance: u32,
    /// The first of its mesh's corners.
    pub first: u32,
    /// One past the last.
    pub end: u32,
    /// Zero.
    pub padding: u32,
}

/// Where one tile row of an instance's box lies in its band's accumulator, all in whole tiles: the way from one line to
/// the next (the width of the strip) in the low [`STRIDE_BITS`](Self::STRIDE_BITS) bits, then a bit that is set where the
/// strip goes on to the right of the box, and above it, signed, the address of the pixel at the box's left edge in the
/// first line, or that it would have: only the tiles that ink may touch have a place in the strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct TileRow(pub u32);

impl TileRow {
    /// Bits of the stride: strips are narrower than 16,384 px.
    pub const STRIDE_BITS: u32 = 10;
    /// Pixels that a band may have for all its addresses to have room.
    pub const MOST_BAND_PIXELS: usize = (TILE as usize) << (i32::BITS - Self::STRIDE_BITS - 2);
    /// A tile row that no ink touches.
    pub const WITHOUT_INK: Self = Self(0);

    /// The record of a tile row at an address of its band, in px, in a strip of `stride` px.
    pub(super) fn new(address: i64, stride: u32, goes_on: bool) -> Self {
        let address = (address / i64::from(TILE)) as u32;
        Self(address << (Self::STRIDE_BITS + 1) | u32::from(goes_on) << Self::STRIDE_BITS | (stride / TILE))
    }

    /// The record where its strip begins so many px later.
    pub(super) fn moved(self, by: usize) -> Self {
        let tiles = (by / TILE as usize) as u32;
        Self(self.0.wrapping_add(tiles << (Self::STRIDE_BITS + 1)))
    }
}

/// A strip as the resolve pass reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct StripRecord {
    /// Address of its first pixel, counted over all strips.
    pub address: u32,
    /// Width in device px.
    pub width: u32,
    /// First column in device px.
    pub x: u32,
    /// Row of tiles on the page.
    pub tile_row: u32,
}

impl From<&Strip> for StripRecord {
    fn from(strip: &Strip) -> Self {
        Self { address: strip.offset as u32, width: strip.width, x: strip.x, tile_row: strip.tile_row }
    }
}

/// What happens to the ink of a page. Members of an effect that is off are zero and not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct EffectsRecord {
    /// Where the page's corner lies in the elastic field, in lattice steps.
    pub lattice_offset: [f32; 2],
    /// The page in device px.
    pub page_size: [f32; 2],
    /// Lattice steps for each device px.
    pub lattice_step: f32,
    /// Displacement where the field is 1, and the largest of all, in device px.
    pub reach: f32,
    /// Page px for each device px.
    pub px_a_device_px: f32,
    /// How much of its wear the ink shows.
    pub ink_intensity: f32,
    /// Seed of the ink's grain.
    pub ink_seed: u32,
    /// Samples of wear of a line.
    pub ink_samples: u32,
    /// Cells of stroke-scale variation for each page px.
    pub stroke_cells_a_px: f32,
    /// Strength of the paper's grain, 0 to 1.
    pub grain: f32,
    /// By how many lattice points the field's repetition to the right lies higher.
    pub lattice_skew: u32,
    /// Zero.
    pub padding: u32,
}

/// Between which two lines of writing a row of page px lies. The ink is that of `line` above `blend_start` and that of
/// the next line from `1 / blend_rate` page px below it on.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct InkRow {
    /// The line whose letters stand at or above the row.
    pub line: u32,
    /// Where the blend begins, in page px from the top.
    pub blend_start: f32,
    /// One over its height in page px; 0 where there is no next line.
    pub blend_rate: f32,
}
