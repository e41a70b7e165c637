//! The buffers of one page on the device, kept and reused from page to page.

use super::band::{BAND_STRIDE, BandRecord};
use super::buffer::{RecordBuffer, most_bound, size_for};
use super::error::GpuError;
use super::page_records::{PageRecords, Section};
use super::readback_pool::ReadbackPool;
use super::segment_store::MeshRange;
use crate::raster::{Strip, TILE};
use crate::scene::{Band, Scene, StripRecord};

/// All buffers of a page, except the one that the CPU reads. Segments and fields outlive a page and are elsewhere.
pub(super) struct PageBuffers {
    /// What is uploaded for a page.
    pub(super) records: PageRecords,
    /// Area and cover of one band.
    pub(super) accumulator: RecordBuffer<i32>,
    /// The raster that `resolve` writes for `warp`: the page or its drawn part, row by row, blank outside the strips.
    pub(super) drawn: RecordBuffer<u8>,
    /// One band of the finished page, if passes cannot write into the buffer that the CPU reads.
    finished_band: RecordBuffer<u8>,
    /// Whether passes write into the buffer that the CPU reads.
    pub(super) in_place: bool,
}

impl PageBuffers {
    /// Small buffers that grow with the pages.
    pub(super) fn new(gpu: &wgpu::Device) -> Self {
        use wgpu::BufferUsages as Usage;
        let bound = most_bound(gpu);
        Self {
            records: PageRecords::new(gpu),
            accumulator: RecordBuffer::new(gpu, "accumulator", Usage::STORAGE | Usage::COPY_DST, bound),
            drawn: RecordBuffer::new(gpu, "drawn", Usage::STORAGE, bound),
            finished_band: RecordBuffer::new(gpu, "finished band", Usage::STORAGE | Usage::COPY_SRC, bound),
            in_place: can_write_in_place(gpu),
        }
    }

    /// Bytes that all buffers together take on the device.
    pub(super) fn bytes(&self) -> u64 {
        let Self { records, accumulator, drawn, finished_band, in_place: _ } = self;
        let pixels = [accumulator.buffer.size(), drawn.buffer.size(), finished_band.buffer.size()];
        records.bytes() + pixels.iter().sum::<u64>()
    }

    /// Estimated bytes of the buffers for this scene, within a few KiB.
    pub(super) fn bytes_for(scene: &Scene, gpu: &wgpu::Device) -> u64 {
        let room = |count: usize, record: usize| size_for(count.saturating_mul(record) as u64);
        let records = size_of_val(scene.instances.as_slice())
            + size_of_val(scene.tile_rows.as_slice())
            + size_of_val(scene.letters.as_slice())
            + size_of_val(scene.corner_runs.as_slice())
            + scene.strips.len() * size_of::<StripRecord>()
            + scene.meshes.len() * size_of::<MeshRange>();
        let pixels = room(largest(&scene.bands), size_of::<i32>());
        let band = if can_write_in_place(gpu) { 0 } else { room(largest(scene.finished().1), 1) };
        let drawn = room(Self::drawn_pixels(scene), 1);
        room(records, 1).saturating_add(pixels).saturating_add(band).saturating_add(drawn)
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
        self.accumulator.reserve(device, largest(&scene.bands))?;
        if !self.in_place {
            self.finished_band.reserve(device, largest(scene.finished().1))?;
        }
        self.drawn.reserve(device, Self::drawn_pixels(scene))?;
        let strip_records = |strips: &[Strip]| strips.iter().map(StripRecord::from).collect::<Vec<_>>();
        let (ink, warp) = (scene.effects.ink.as_ref(), scene.effects.warp.as_ref());
        let bands = band_records(scene, self.in_place);
        let strips = strip_records(&scene.strips);
        let landing_strips = warp.map(|warp| strip_records(&warp.strips)).unwrap_or_default();
        let (ink_rows, ink_losses) = ink.map(|ink| (ink.rows.as_slice(), ink.cells())).unwrap_or_default();
        self.records.upload(
            device,
            queue,
            &[
                (Section::Bands, "bands", &bands),
                (Section::Effects, "effects", bytemuck::bytes_of(&scene.effects.record)),
                (Section::Instances, "instances", bytemuck::cast_slice(&scene.instances)),
                (Section::Letters, "letters", bytemuck::cast_slice(&scene.letters)),
                (Section::CornerRuns, "corner runs", bytemuck::cast_slice(&scene.corner_runs)),
                (Section::Meshes, "meshes", bytemuck::cast_slice(meshes)),
                (Section::TileRows, "tile rows", bytemuck::cast_slice(&scene.tile_rows)),
                (Section::Strips, "strips", bytemuck::cast_slice(&strips)),
                (Section::LandingStrips, "landing strips", bytemuck::cast_slice(&landing_strips)),
                (Section::InkRows, "ink rows", bytemuck::cast_slice(ink_rows)),
                (Section::InkLosses, "ink losses", bytemuck::cast_slice(&ink_losses)),
            ],
        )
    }

    /// Pixels of the raster that `warp` reads, if the page is warped.
    pub(super) fn drawn_pixels(scene: &Scene) -> usize {
        if scene.effects.displace_pixels() { raster_pixels(scene) } else { 0 }
    }

    /// The buffer that the last pass writes; `readback` is that of the page.
    pub(super) fn finished<'a>(&'a self, readback: &'a wgpu::Buffer) -> &'a wgpu::Buffer {
        if self.in_place { readback } else { &self.finished_band.buffer }
    }
}

/// A pool of buffers for the finished pages of this device, which keeps at most `budget` bytes.
pub(super) fn readback_pool(gpu: &wgpu::Device, budget: u64) -> ReadbackPool {
    if can_write_in_place(gpu) {
        ReadbackPool::new(wgpu::BufferUsages::STORAGE, most_bound(gpu), budget)
    } else {
        ReadbackPool::new(wgpu::BufferUsages::COPY_DST, gpu.limits().max_buffer_size, budget)
    }
}

/// Whether the CPU may read what passes write.
fn can_write_in_place(gpu: &wgpu::Device) -> bool {
    gpu.features().contains(wgpu::Features::MAPPABLE_PRIMARY_BUFFERS)
}

/// Pixels of the largest band.
pub(super) fn largest(bands: &[Band]) -> usize {
    bands.iter().map(|band| band.pixels.len()).max().unwrap_or(0)
}

/// Pixels of the tiles of the raster of drawn pixels, and of one more row below them, which is read with the last one.
fn raster_pixels(scene: &Scene) -> usize {
    let edges = scene.effects.record.raster_size;
    let [width, height] = edges.map(|edge| (edge as u32).next_multiple_of(TILE) as usize);
    width * (height + 1)
}

/// The records of the portions of all bands, each at a multiple of [`BAND_STRIDE`]. A band's coverage goes to its
/// position among all pixels, or to the start of a buffer.
fn band_records(scene: &Scene, in_place: bool) -> Vec<u8> {
    let warp = scene.effects.warp.as_ref();
    let records = |band: &Band, of_page: bool| -> Vec<BandRecord> {
        let first_coverage = if of_page { band.pixels.start } else { 0 };
        band.portions.iter().map(|portion| BandRecord::new(band, portion, first_coverage)).collect()
    };
    let drawn = scene.bands.iter().flat_map(|band| records(band, in_place && !scene.effects.displace_pixels()));
    let moved = warp.into_iter().flat_map(|warp| &warp.bands).flat_map(|band| records(band, in_place));
    let mut bytes = Vec::new();
    for record in drawn.chain(moved) {
        bytes.extend_from_slice(bytemuck::bytes_of(&record));
        bytes.resize(bytes.len().next_multiple_of(BAND_STRIDE), 0);
    }
    bytes
}
