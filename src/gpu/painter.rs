//! One scene to coverage: upload, accumulate and resolve band by band, read back in one piece.

use std::time::Duration;

use super::adapter::{AdapterDescription, OpenDevice};
use super::buffer::RecordBuffer;
use super::error::GpuError;
use super::passes::{Accumulate, AccumulateBuffers, BAND_STRIDE, BandRecord, Resolve, ResolveBuffers};
use super::segment_store::{MeshRange, SegmentStore};
use crate::raster::Coverage;
use crate::scene::{Instance, Scene, StripRecord, TileRow};

/// Longest that one page may take on the device; far beyond the slowest page on a software device.
const DEVICE_TIMEOUT: Duration = Duration::from_secs(60);

/// A device with its passes and buffers, ready to draw. Buffers are kept from page to page.
pub(super) struct Painter {
    device: OpenDevice,
    accumulate: Accumulate,
    resolve: Resolve,
    segments: SegmentStore,
    bands: RecordBuffer<u8>,
    instances: RecordBuffer<Instance>,
    meshes: RecordBuffer<MeshRange>,
    tile_rows: RecordBuffer<TileRow>,
    strips: RecordBuffer<StripRecord>,
    accumulator: RecordBuffer<i32>,
    coverage: RecordBuffer<u8>,
    readback: RecordBuffer<u8>,
}

impl Painter {
    /// Opens a device and compiles the passes.
    pub(super) fn open() -> Result<Self, GpuError> {
        use wgpu::BufferUsages as Usage;
        let device = OpenDevice::open()?;
        let gpu = &device.device;
        let limits = gpu.limits();
        let bound = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let read = Usage::STORAGE | Usage::COPY_DST;
        let painter = Self {
            accumulate: Accumulate::new(gpu),
            resolve: Resolve::new(gpu),
            segments: SegmentStore::new(gpu, bound),
            bands: RecordBuffer::new(gpu, "bands", Usage::UNIFORM | Usage::COPY_DST, limits.max_buffer_size),
            instances: RecordBuffer::new(gpu, "instances", read, bound),
            meshes: RecordBuffer::new(gpu, "meshes", read, bound),
            tile_rows: RecordBuffer::new(gpu, "tile rows", read, bound),
            strips: RecordBuffer::new(gpu, "strips", read, bound),
            accumulator: RecordBuffer::new(gpu, "accumulator", read, bound),
            coverage: RecordBuffer::new(gpu, "coverage", Usage::STORAGE | Usage::COPY_SRC, bound),
            readback: RecordBuffer::new(gpu, "readback", Usage::MAP_READ | Usage::COPY_DST, limits.max_buffer_size),
            device,
        };
        painter.device.check()?;
        Ok(painter)
    }

    /// The adapter in words.
    pub(super) const fn adapter(&self) -> &AdapterDescription {
        &self.device.description
    }

    /// Draws the scene.
    ///
    /// # Errors
    /// When the device fails or is lost, does not finish in time, or the scene is beyond its limits. After any of
    /// these but [`GpuError::TooLarge`] the painter must be opened anew.
    pub(super) fn draw(&mut self, scene: &Scene) -> Result<Coverage, GpuError> {
        let Scene { size, strips, .. } = scene;
        if scene.strip_pixels() == 0 {
            return Ok(Coverage::new(size.width, size.height, Vec::new(), Vec::new()));
        }
        self.upload(scene)?;
        let submission = self.device.queue.submit([self.record(scene)]);
        let bytes = self.read_back(scene.strip_pixels(), submission)?;
        Ok(Coverage::new(size.width, size.height, strips.clone(), bytes))
    }

    /// Takes the device away, as a driver's crash would.
    #[cfg(test)]
    pub(super) fn lose_device(&self) {
        self.device.device.destroy();
    }

    fn upload(&mut self, scene: &Scene) -> Result<(), GpuError> {
        let (device, queue) = (&self.device.device, &self.device.queue);
        let largest_band = scene.bands.iter().map(|band| band.pixels.len()).max().unwrap_or(0);
        self.accumulator.reserve(device, largest_band)?;
        self.coverage.reserve(device, largest_band)?;
        self.readback.reserve(device, scene.strip_pixels())?;
        let mut bands = vec![0; scene.bands.len() * BAND_STRIDE];
        for (slot, band) in bands.chunks_exact_mut(BAND_STRIDE).zip(&scene.bands) {
            slot[..size_of::<BandRecord>()].copy_from_slice(bytemuck::bytes_of(&BandRecord::from(band)));
        }
        let strips: Vec<_> =
            scene.strips.iter().map(|strip| StripRecord { address: strip.offset as u32, width: strip.width }).collect();
        let meshes = self.segments.place(device, queue, &scene.meshes)?;
        self.bands.upload(device, queue, &bands)?;
        self.instances.upload(device, queue, &scene.instances)?;
        self.meshes.upload(device, queue, &meshes)?;
        self.tile_rows.upload(device, queue, &scene.tile_rows)?;
        self.strips.upload(device, queue, &strips)
    }

    /// Records every band: clear, accumulate, resolve, copy to where its pixels belong on the page.
    fn record(&self, scene: &Scene) -> wgpu::CommandBuffer {
        let device = &self.device.device;
        let accumulate = self.accumulate.bind(device, &self.accumulate_buffers());
        let resolve = self.resolve.bind(device, &self.resolve_buffers());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("page") });
        for (index, band) in scene.bands.iter().enumerate() {
            let band_offset = (index * BAND_STRIDE) as u32;
            let pixels = band.pixels.len() as u64;
            encoder.clear_buffer(self.accumulator.get(), 0, Some(pixels * size_of::<i32>() as u64));
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            self.accumulate.record(&mut pass, &accumulate, band, band_offset);
            self.resolve.record(&mut pass, &resolve, band, band_offset);
            drop(pass);
            encoder.copy_buffer_to_buffer(
                self.coverage.get(),
                0,
                self.readback.get(),
                band.pixels.start as u64,
                Some(pixels),
            );
        }
        encoder.finish()
    }

    fn accumulate_buffers(&self) -> AccumulateBuffers<'_> {
        AccumulateBuffers {
            bands: self.bands.get(),
            instances: self.instances.get(),
            meshes: self.meshes.get(),
            segments: self.segments.buffer(),
            tile_rows: self.tile_rows.get(),
            accumulator: self.accumulator.get(),
        }
    }

    fn resolve_buffers(&self) -> ResolveBuffers<'_> {
        ResolveBuffers {
            bands: self.bands.get(),
            strips: self.strips.get(),
            accumulator: self.accumulator.get(),
            coverage: self.coverage.get(),
        }
    }

    fn read_back(&self, pixels: usize, submission: wgpu::SubmissionIndex) -> Result<Vec<u8>, GpuError> {
        let slice = self.readback.get().slice(..pixels as u64);
        let (sender, mapped) = std::sync::mpsc::sync_channel(1);
        slice.map_async(wgpu::MapMode::Read, move |outcome| {
            // The receiver is gone only when this page has already failed.
            let _ = sender.send(outcome);
        });
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(DEVICE_TIMEOUT) };
        match self.device.device.poll(wait) {
            Ok(_) => {}
            Err(wgpu::PollError::Timeout) => return Err(GpuError::TimedOut(DEVICE_TIMEOUT)),
            Err(error) => return Err(GpuError::Failed(error.to_string())),
        }
        self.device.check()?;
        match mapped.try_recv() {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(GpuError::Failed(error.to_string())),
            Err(_) => return Err(GpuError::Failed("the readback was not mapped".to_owned())),
        }
        let view = slice.get_mapped_range().map_err(|error| GpuError::Failed(error.to_string()))?;
        let bytes = view.to_vec();
        drop(view);
        self.readback.get().unmap();
        Ok(bytes)
    }
}
