//! The buffers of one page on the device, kept and reused from page to page.

use super::band::{BAND_STRIDE, BandRecord};
use super::buffer::{RecordBuffer, size_for};
use super::error::GpuError;
use super::segment_store::MeshRange;
use crate::raster::TILE;
use crate::scene::{Band, CornerRun, EffectsRecord, InkRow, Instance, Scene, StripRecord, TileRow};
use crate::variation::Letter;

/// All buffers of a page. Segments and fields outlive a page and are elsewhere.
pub(super) struct PageBuffers {
    /// A [`BandRecord`] every [`BAND_STRIDE`] bytes: the drawn bands, then the bands of the finished page if drawn
    /// pixels are displaced.
    pub(super) bands: RecordBuffer<u8>,
    pub(super) instances: RecordBuffer<Instance>,
    /// The maps of the instances, if letters vary.
    pub(super) letters: RecordBuffer<Letter>,
    /// The corners of bent outlines, shared out among lanes.
    pub(super) corner_runs: RecordBuffer<CornerRun>,
    /// Pieces of bent outlines of one band: both ends in device px from the corner of the instance's box.
    pub(super) pieces: RecordBuffer<[f32; 4]>,
    pub(super) meshes: RecordBuffer<MeshRange>,
    pub(super) tile_rows: RecordBuffer<TileRow>,
    pub(super) strips: RecordBuffer<StripRecord>,
    /// Area and cover of one band.
    pub(super) accumulator: RecordBuffer<i32>,
    /// The raster that `resolve` writes for `warp`: the page or its drawn part, row by row, blank outside the strips.
    pub(super) drawn: RecordBuffer<u8>,
    pub(super) effects: RecordBuffer<EffectsRecord>,
    pub(super) ink_rows: RecordBuffer<InkRow>,
    pub(super) ink_wear: RecordBuffer<[u32; 2]>,
    /// The strips of the finished page, if drawn pixels are displaced.
    pub(super) landing_strips: RecordBuffer<StripRecord>,
    /// One band of the finished page, if passes cannot write into the readback.
    finished_band: RecordBuffer<u8>,
    /// The finished page, readable by the CPU.
    pub(super) readback: RecordBuffer<u8>,
    /// Whether passes write into the readback.
    pub(super) in_place: bool,
    /// The binding of passes whose effect is off.
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
        let in_place = can_write_in_place(gpu);
        let (filled, fillable) = if in_place { (Usage::STORAGE, bound) } else { (Usage::COPY_DST, whole) };
        Self {
            bands: RecordBuffer::new(gpu, "bands", Usage::UNIFORM | Usage::COPY_DST, whole),
            instances: RecordBuffer::new(gpu, "instances", read, bound),
            letters: RecordBuffer::new(gpu, "letters", read, bound),
            corner_runs: RecordBuffer::new(gpu, "corner runs", read, bound),
            pieces: RecordBuffer::new(gpu, "pieces", Usage::STORAGE, bound),
            meshes: RecordBuffer::new(gpu, "meshes", read, bound),
            tile_rows: RecordBuffer::new(gpu, "tile rows", read, bound),
            strips: RecordBuffer::new(gpu, "strips", read, bound),
            accumulator: RecordBuffer::new(gpu, "accumulator", read, bound),
            drawn: RecordBuffer::new(gpu, "drawn", Usage::STORAGE, bound),
            effects: RecordBuffer::new(gpu, "effects", Usage::UNIFORM | Usage::COPY_DST, whole),
            ink_rows: RecordBuffer::new(gpu, "ink rows", read, bound),
            ink_wear: RecordBuffer::new(gpu, "ink wear", read, bound),
            landing_strips: RecordBuffer::new(gpu, "landing strips", read, bound),
            finished_band: RecordBuffer::new(gpu, "finished band", Usage::STORAGE | Usage::COPY_SRC, bound),
            readback: RecordBuffer::new(gpu, "readback", Usage::MAP_READ | filled, fillable),
            in_place,
            unused: RecordBuffer::new(gpu, "unused", read, bound),
        }
    }

    /// Bytes that all buffers together take on the device.
    pub(super) fn bytes(&self) -> u64 {
        let Self {
            bands,
            instances,
            letters,
            corner_runs,
            pieces,
            meshes,
            tile_rows,
            strips,
            accumulator,
            drawn,
            effects,
            ink_rows,
            ink_wear,
            landing_strips,
            finished_band,
            readback,
            in_place: _,
            unused,
        } = self;
        [
            bands.bytes(),
            instances.bytes(),
            letters.bytes(),
            corner_runs.bytes(),
            pieces.bytes(),
            meshes.bytes(),
            tile_rows.bytes(),
            strips.bytes(),
            accumulator.bytes(),
            drawn.bytes(),
            effects.bytes(),
            ink_rows.bytes(),
            ink_wear.bytes(),
            landing_strips.bytes(),
            finished_band.bytes(),
            readback.bytes(),
            unused.bytes(),
        ]
        .iter()
        .sum()
    }

    /// Estimated bytes of the buffers for this scene, within a few KiB.
    pub(super) fn bytes_for(scene: &Scene, gpu: &wgpu::Device) -> u64 {
        let room = |count: usize, record: usize| size_for(count.saturating_mul(record) as u64);
        let records = room(scene.instances.len(), size_of::<Instance>())
            .saturating_add(room(scene.tile_rows.len(), size_of::<TileRow>()))
            .saturating_add(room(scene.letters.len(), size_of::<Letter>()))
            .saturating_add(room(scene.corner_runs.len(), size_of::<CornerRun>()))
            .saturating_add(room(scene.most_pieces(), size_of::<[f32; 4]>()));
        let pixels = room(largest(&scene.bands), size_of::<i32>()).saturating_add(room(scene.finished_pixels(), 1));
        let band = if can_write_in_place(gpu) { 0 } else { room(largest(scene.finished().1), 1) };
        let drawn = room(Self::drawn_pixels(scene), 1);
        records.saturating_add(pixels).saturating_add(band).saturating_add(drawn)
    }

    /// Makes room for a page and uploads its records.
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
        self.bands.upload(device, queue, &band_records(scene, self.in_place))?;
        self.instances.upload(device, queue, &scene.instances)?;
        self.letters.upload(device, queue, &scene.letters)?;
        self.corner_runs.upload(device, queue, &scene.corner_runs)?;
        self.pieces.reserve(device, scene.most_pieces())?;
        self.meshes.upload(device, queue, meshes)?;
        self.tile_rows.upload(device, queue, &scene.tile_rows)?;
        self.strips.upload(device, queue, &records(&scene.strips))?;
        self.effects.upload(device, queue, &[scene.effects.record])?;
        if let Some(ink) = &scene.effects.ink {
            self.ink_rows.upload(device, queue, &ink.rows)?;
            self.ink_wear.upload(device, queue, &ink.cells())?;
        }
        if !self.in_place {
            self.finished_band.reserve(device, largest(scene.finished().1))?;
        }
        self.drawn.reserve(device, Self::drawn_pixels(scene))?;
        if let Some(warp) = &scene.effects.warp {
            self.landing_strips.upload(device, queue, &records(&warp.strips))?;
        }
        Ok(())
    }

    /// Pixels of the raster that `warp` reads, if the page is warped.
    pub(super) fn drawn_pixels(scene: &Scene) -> usize {
        if scene.effects.displace_pixels() { raster_pixels(scene) } else { 0 }
    }

    /// The buffer that `resolve` writes for this scene.
    pub(super) fn resolved(&self, scene: &Scene) -> &wgpu::Buffer {
        if scene.effects.displace_pixels() { self.drawn.get() } else { self.finished() }
    }

    /// The buffer that the last pass writes.
    pub(super) fn finished(&self) -> &wgpu::Buffer {
        if self.in_place { self.readback.get() } else { self.finished_band.get() }
    }
}

/// Whether the CPU may read what passes write.
fn can_write_in_place(gpu: &wgpu::Device) -> bool {
    gpu.features().contains(wgpu::Features::MAPPABLE_PRIMARY_BUFFERS)
}

/// Pixels of the largest band.
fn largest(bands: &[Band]) -> usize {
    bands.iter().map(|band| band.pixels.len()).max().unwrap_or(0)
}

/// Pixels of the tiles of the raster of drawn pixels, and of one more row below them, which is read with the last one.
fn raster_pixels(scene: &Scene) -> usize {
    let edges = scene.effects.record.raster_size;
    let [width, height] = edges.map(|edge| (edge as u32).next_multiple_of(TILE) as usize);
    width * (height + 1)
}

/// The records of all bands, each at a multiple of [`BAND_STRIDE`]. A band's coverage goes to its position among all
/// pixels, or to the start of a buffer.
fn band_records(scene: &Scene, in_place: bool) -> Vec<u8> {
    let warp = scene.effects.warp.as_ref();
    let record = |band: &Band, of_page: bool| BandRecord::new(band, if of_page { band.pixels.start } else { 0 });
    let drawn = scene.bands.iter().map(|band| record(band, in_place && !scene.effects.displace_pixels()));
    let moved = warp.into_iter().flat_map(|warp| &warp.bands).map(|band| record(band, in_place));
    let mut bytes = Vec::new();
    for record in drawn.chain(moved) {
        bytes.extend_from_slice(bytemuck::bytes_of(&record));
        bytes.resize(bytes.len().next_multiple_of(BAND_STRIDE), 0);
    }
    bytes
}
