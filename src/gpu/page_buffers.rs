//! The buffers of one page on the device, kept and reused from page to page.

use super::buffer::{RecordBuffer, size_for};
use super::error::GpuError;
use super::passes::{BAND_STRIDE, BandRecord};
use super::segment_store::MeshRange;
use crate::scene::{Band, EffectsRecord, InkRow, Instance, Scene, StripRecord, TilePlace, TileRow, Warp};

/// Everything the passes read and write, but for what outlives a page: segments and fields.
pub(super) struct PageBuffers {
    /// A [`BandRecord`] every [`BAND_STRIDE`] bytes: the bands that are drawn, then where drawn pixels are displaced the
    /// source of each band of the finished page, and the band.
    pub(super) bands: RecordBuffer<u8>,
    pub(super) instances: RecordBuffer<Instance>,
    pub(super) meshes: RecordBuffer<MeshRange>,
    pub(super) tile_rows: RecordBuffer<TileRow>,
    pub(super) strips: RecordBuffer<StripRecord>,
    /// Area and cover of one band.
    pub(super) accumulator: RecordBuffer<i32>,
    /// What `resolve` writes: one band, or the whole page where drawn pixels are displaced.
    pub(super) coverage: RecordBuffer<u8>,
    pub(super) effects: RecordBuffer<EffectsRecord>,
    pub(super) ink_rows: RecordBuffer<InkRow>,
    pub(super) ink_wear: RecordBuffer<[u32; 2]>,
    pub(super) tile_places: RecordBuffer<TilePlace>,
    pub(super) moved_strips: RecordBuffer<StripRecord>,
    /// What `quads` writes: a pixel and its neighbours a word, for the source of one band.
    pub(super) spread: RecordBuffer<u32>,
    /// What `warp` writes: one band of the finished page.
    pub(super) moved_coverage: RecordBuffer<u8>,
    /// The finished page, where the CPU can read it.
    pub(super) readback: RecordBuffer<u8>,
    /// Bound where a pass with its effect off has no use for a buffer.
    pub(super) unused: RecordBuffer<u8>,
}

impl PageBuffers {
    /// Small buffers that grow with the pages.
    pub(super) fn new(gpu: &wgpu::Device) -> Self {
        use wgpu::BufferUsages as Usage;
        let limits = gpu.limits();
        let (whole, bound) =
            (limits.max_buffer_size, limits.max_storage_buffer_binding_size.min(limits.max_buffer_size));
        let read = Usage::STORAGE | Usage::COPY_DST;
        let written = Usage::STORAGE | Usage::COPY_SRC;
        Self {
            bands: RecordBuffer::new(gpu, "bands", Usage::UNIFORM | Usage::COPY_DST, whole),
            instances: RecordBuffer::new(gpu, "instances", read, bound),
            meshes: RecordBuffer::new(gpu, "meshes", read, bound),
            tile_rows: RecordBuffer::new(gpu, "tile rows", read, bound),
            strips: RecordBuffer::new(gpu, "strips", read, bound),
            accumulator: RecordBuffer::new(gpu, "accumulator", read, bound),
            coverage: RecordBuffer::new(gpu, "coverage", written, bound),
            effects: RecordBuffer::new(gpu, "effects", Usage::UNIFORM | Usage::COPY_DST, whole),
            ink_rows: RecordBuffer::new(gpu, "ink rows", read, bound),
            ink_wear: RecordBuffer::new(gpu, "ink wear", read, bound),
            tile_places: RecordBuffer::new(gpu, "tile places", read, bound),
            moved_strips: RecordBuffer::new(gpu, "moved strips", read, bound),
            spread: RecordBuffer::new(gpu, "spread", read, bound),
            moved_coverage: RecordBuffer::new(gpu, "moved coverage", written, bound),
            readback: RecordBuffer::new(gpu, "readback", Usage::MAP_READ | Usage::COPY_DST, whole),
            unused: RecordBuffer::new(gpu, "unused", read, bound),
        }
    }

    /// Bytes that all buffers together take on the device.
    pub(super) fn bytes(&self) -> u64 {
        let Self {
            bands,
            instances,
            meshes,
            tile_rows,
            strips,
            accumulator,
            coverage,
            effects,
            ink_rows,
            ink_wear,
            tile_places,
            moved_strips,
            spread,
            moved_coverage,
            readback,
            unused,
        } = self;
        [
            bands.bytes(),
            instances.bytes(),
            meshes.bytes(),
            tile_rows.bytes(),
            strips.bytes(),
            accumulator.bytes(),
            coverage.bytes(),
            effects.bytes(),
            ink_rows.bytes(),
            ink_wear.bytes(),
            tile_places.bytes(),
            moved_strips.bytes(),
            spread.bytes(),
            moved_coverage.bytes(),
            readback.bytes(),
            unused.bytes(),
        ]
        .iter()
        .sum()
    }

    /// Bytes that they take for this scene, but for a few KiB.
    pub(super) fn bytes_for(scene: &Scene) -> u64 {
        let room = |count: usize, record: usize| size_for(count.saturating_mul(record) as u64);
        let drawn = largest(&scene.bands);
        let records = room(scene.instances.len(), size_of::<Instance>())
            .saturating_add(room(scene.tile_rows.len(), size_of::<TileRow>()));
        let pixels = room(drawn, size_of::<i32>()).saturating_add(room(scene.finished_pixels(), 1));
        let moved = scene.effects.warp.as_ref().map_or_else(
            || room(drawn, 1),
            |warp| {
                let places = room(warp.tiles.len(), size_of::<TilePlace>());
                let spread = room(largest_spread(warp), size_of::<u32>());
                room(scene.drawn_pixels(), 1) + room(largest(&warp.bands), 1) + places + spread
            },
        );
        records.saturating_add(pixels).saturating_add(moved)
    }

    /// Makes room for a page and uploads what it consists of.
    ///
    /// # Errors
    /// When the page is beyond the device's limits.
    pub(super) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &Scene,
        meshes: &[MeshRange],
    ) -> Result<(), GpuError> {
        let records = |strips: &[crate::raster::Strip]| strips.iter().map(StripRecord::from).collect::<Vec<_>>();
        self.accumulator.reserve(device, largest(&scene.bands))?;
        self.readback.reserve(device, scene.finished_pixels())?;
        self.bands.upload(device, queue, &band_records(scene))?;
        self.instances.upload(device, queue, &scene.instances)?;
        self.meshes.upload(device, queue, meshes)?;
        self.tile_rows.upload(device, queue, &scene.tile_rows)?;
        self.strips.upload(device, queue, &records(&scene.strips))?;
        self.effects.upload(device, queue, &[scene.effects.record])?;
        if let Some(ink) = &scene.effects.ink {
            self.ink_rows.upload(device, queue, &ink.rows)?;
            self.ink_wear.upload(device, queue, &ink.cells())?;
        }
        if let Some(warp) = &scene.effects.warp {
            self.coverage.reserve(device, scene.drawn_pixels())?;
            self.spread.reserve(device, largest_spread(warp))?;
            self.moved_coverage.reserve(device, largest(&warp.bands))?;
            self.tile_places.upload(device, queue, &warp.tiles)?;
            self.moved_strips.upload(device, queue, &records(&warp.strips))
        } else {
            self.coverage.reserve(device, largest(&scene.bands)).map(|_| ())
        }
    }
}

/// Pixels of the largest band.
fn largest(bands: &[Band]) -> usize {
    bands.iter().map(|band| band.pixels.len()).max().unwrap_or(0)
}

/// Pixels that the largest source is spread out over.
fn largest_spread(warp: &Warp) -> usize {
    warp.sources.iter().map(|source| warp.spread_pixels(source)).max().unwrap_or(0)
}

/// The records of all bands, each at a multiple of [`BAND_STRIDE`].
fn band_records(scene: &Scene) -> Vec<u8> {
    let warp = scene.effects.warp.as_ref();
    let drawn = scene.bands.iter().map(|band| {
        let first_coverage = if warp.is_some() { band.pixels.start } else { 0 };
        BandRecord::new(band, first_coverage)
    });
    let moved = warp.into_iter().flat_map(|warp| {
        warp.sources
            .iter()
            .zip(&warp.bands)
            .flat_map(|(source, band)| [BandRecord::of_source(source), BandRecord::new(band, 0).moved_from(source)])
    });
    let mut bytes = Vec::new();
    for record in drawn.chain(moved) {
        bytes.extend_from_slice(bytemuck::bytes_of(&record));
        bytes.resize(bytes.len().next_multiple_of(BAND_STRIDE), 0);
    }
    bytes
}
