//! Records as the shaders read them: `repr(C)`, padding spelled out. A test compares every offset with naga's.

use bytemuck::{Pod, Zeroable};

use crate::raster::{Strip, TILE};

/// The most workgroups of a dispatch in one dimension (WebGPU's default limit); larger counts continue in y.
pub const MAX_GROUPS_PER_DIMENSION: u32 = 65_535;

/// One glyph on the page.
///
/// A mesh point `p` in font units is drawn at `matrix · p + translation`, in device px from the corner of the
/// instance's box. Position and size of the box are whole tiles.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Instance {
    /// Columns of the linear part: xx, yx, xy, yy, in device px per font unit.
    pub matrix: [f32; 4],
    /// The glyph's origin, in device px from the box's corner.
    pub translation: [f32; 2],
    /// Left edge of the box on the page, in device px.
    pub left: u32,
    /// The pen in its strokes ([`LinePen`](crate::pen::LinePen)); 0 without a pen.
    pub pen: u32,
    /// Index of its mesh in the scene.
    pub mesh: u32,
    /// First tile row of the box on the page.
    pub tile_row: u32,
    /// Number of tile rows.
    pub tile_rows: u16,
    /// Width of the box in device px; beyond it is beyond the page.
    pub width: u16,
    /// Index of the box's first entry in the scene's [`TileRow`]s.
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

/// The position of one tile row of an instance's box in its band's accumulator, in whole tiles. The low
/// [`STRIDE_BITS`](Self::STRIDE_BITS) bits are the distance of lines (the width of the strip). The next bit is set if
/// the strip continues to the right of the box. The bits above are the signed address of the pixel at the box's left
/// edge in the first line. That pixel may lie outside the strip, which has only the tiles that ink may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct TileRow(pub u32);

impl TileRow {
    /// Bits of the stride: strips are narrower than 16,384 px.
    pub const STRIDE_BITS: u32 = 10;
    /// The most pixels of a band whose addresses fit.
    pub const MOST_BAND_PIXELS: usize = (TILE as usize) << (i32::BITS - Self::STRIDE_BITS - 2);
    /// A tile row that no ink touches.
    pub const WITHOUT_INK: Self = Self(0);

    /// The record of a tile row at an address of its band, in px, in a strip `stride` px wide.
    pub(super) fn new(address: i64, stride: u32, goes_on: bool) -> Self {
        let address = (address / i64::from(TILE)) as u32;
        Self(address << (Self::STRIDE_BITS + 1) | u32::from(goes_on) << Self::STRIDE_BITS | (stride / TILE))
    }

    /// The record for a strip that begins `by` px later.
    pub(super) fn moved(self, by: usize) -> Self {
        let tiles = (by / TILE as usize) as u32;
        Self(self.0.wrapping_add(tiles << (Self::STRIDE_BITS + 1)))
    }
}

/// A strip as the resolve pass reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct StripRecord {
    /// Address of its first pixel among all strips.
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

/// The effects on the ink of a page. Members of an effect that is off are zero and not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct EffectsRecord {
    /// Position of the page's corner in the elastic field, in lattice steps.
    pub lattice_offset: [f32; 2],
    /// The page in device px.
    pub page_size: [f32; 2],
    /// The corner of the raster of drawn pixels, in device px: that of a tile.
    pub raster_corner: [f32; 2],
    /// The raster of drawn pixels in device px: the page, or its drawn part.
    pub raster_size: [f32; 2],
    /// Lattice steps per device px.
    pub lattice_step: f32,
    /// The largest displacement, in device px: that of a field value of 1.
    pub largest_displacement: f32,
    /// Page px per device px.
    pub px_per_device_px: f32,
    /// How strongly the loss of ink shows.
    pub ink_intensity: f32,
    /// Seed of the ink's grain.
    pub ink_seed: u32,
    /// Samples of losses per line.
    pub ink_samples: u32,
    /// Cells of stroke-scale variation per page px.
    pub stroke_cells_per_px: f32,
    /// Strength of the paper's grain, 0 to 1.
    pub grain: f32,
    /// How many lattice points higher the field's repetition to the right lies.
    pub lattice_skew: u32,
    /// Seed of the field of the pen's width.
    pub pen_seed: u32,
    /// Seed of the field of the pen's darkness, and of its grain.
    pub tone_seed: u32,
    /// Zero.
    pub padding: u32,
    /// Knots per page px of both octaves of the field of width.
    pub pen_knots: [f32; 2],
    /// Knots per page px of both octaves of the field of darkness.
    pub tone_knots: [f32; 2],
    /// The nib's matrix (xx, xy, yy), and half the thinnest line in page px.
    pub nib: [f32; 4],
    /// Starts of lines: mean and deviation of what they lose, one over its length in page px, and zero.
    pub line_start: [f32; 4],
    /// The same of their ends.
    pub line_end: [f32; 4],
    /// Coefficients of the polynomial of the ink's opacity.
    pub tone: [f32; 4],
    /// Deviation, grain and largest value of its variable; and zero.
    pub tone_limits: [f32; 4],
}

/// The two lines of text between which a row of page px lies. The ink is that of `line` above `blend_start`, and that
/// of the next line from `1 / blend_rate` page px below it on.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct InkRow {
    /// The line whose letters are at or above the row.
    pub line: u32,
    /// Where the blend begins, in page px from the top.
    pub blend_start: f32,
    /// One over the height of the blend in page px; 0 without a next line.
    pub blend_rate: f32,
}
