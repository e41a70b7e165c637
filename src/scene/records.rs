//! Records as the shaders read them: `repr(C)`, padding spelled out. A test compares every offset with naga's.

use bytemuck::{Pod, Zeroable};

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
    /// Which of the scene's meshes.
    pub mesh: u32,
    /// First tile row of the box on the page.
    pub tile_row: u32,
    /// Number of tile rows.
    pub tile_rows: u32,
    /// The box's first entry in the scene's [`TileRow`]s.
    pub first_tile_row: u32,
    /// Keeps the record a multiple of 16 bytes.
    pub padding: [u32; 2],
}

/// Where one tile row of an instance's box lies in the accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct TileRow {
    /// Address of the pixel at the box's left edge in the row's first line of pixels, counted over all strips.
    pub address: u32,
    /// Pixels from one line to the next: the width of the strip.
    pub stride: u32,
    /// Pixels from the box's left edge to the end of the strip.
    pub reach: u32,
}

/// A strip as the resolve pass reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct StripRecord {
    /// Address of its first pixel, counted over all strips.
    pub address: u32,
    /// Width in device px.
    pub width: u32,
}
