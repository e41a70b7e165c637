//! The part of the page that a dispatch works on: its record for the shaders.

use bytemuck::{Pod, Zeroable};

use super::buffer::OFFSET_ALIGNMENT;
use crate::scene::{Band, Portion};

/// Bytes from one record to the next.
pub(super) const BAND_STRIDE: usize = OFFSET_ALIGNMENT;

/// Ranges of one portion of a band: tile rows, instances, strips, the address of its first pixel among all pixels and
/// in the buffer of coverage, and corner runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct BandRecord {
    pub(super) first_tile_row: u32,
    pub(super) end_tile_row: u32,
    pub(super) first_instance: u32,
    pub(super) end_instance: u32,
    pub(super) first_strip: u32,
    pub(super) end_strip: u32,
    pub(super) first_pixel: u32,
    pub(super) first_coverage: u32,
    pub(super) first_corner_run: u32,
    pub(super) end_corner_run: u32,
}

impl BandRecord {
    /// The record of a portion of a band whose coverage goes to `first_coverage` of its buffer.
    pub(super) fn new(band: &Band, portion: &Portion, first_coverage: usize) -> Self {
        Self {
            first_tile_row: band.tile_rows.start,
            end_tile_row: band.tile_rows.end,
            first_instance: portion.instances.start as u32,
            end_instance: portion.instances.end as u32,
            first_strip: band.strips.start as u32,
            end_strip: band.strips.end as u32,
            first_pixel: band.pixels.start as u32,
            first_coverage: first_coverage as u32,
            first_corner_run: portion.corner_runs.start as u32,
            end_corner_run: portion.corner_runs.end as u32,
        }
    }
}
