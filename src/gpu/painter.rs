//! One scene to coverage: upload, accumulate and resolve band by band, read back in one piece.

use std::time::Duration;

use super::adapter::{AdapterChoice, AdapterDescription, OpenDevice};
use super::error::GpuError;
use super::field_store::FieldStore;
use super::page_buffers::PageBuffers;
use super::passes::{Accumulate, BAND_STRIDE, Resolve, Warp};
use super::segment_store::SegmentStore;
use crate::raster::Coverage;
use crate::scene::Scene;

/// A device with its passes and buffers, ready to draw. Buffers are kept from page to page.
pub(super) struct Painter {
    device: OpenDevice,
    accumulate: Accumulate,
    resolve: Resolve,
    warp: Warp,
    segments: SegmentStore,
    fields: FieldStore,
    page: PageBuffers,
    timeout: Duration,
}

impl Painter {
    /// Opens a device and compiles the passes. One page may take `timeout` on it.
    pub(super) fn open(choice: AdapterChoice, timeout: Duration) -> Result<Self, GpuError> {
        let device = OpenDevice::open(choice)?;
        let gpu = &device.device;
        let limits = gpu.limits();
        let painter = Self {
            accumulate: Accumulate::new(gpu, device.subgroup),
            resolve: Resolve::new(gpu),
            warp: Warp::new(gpu),
            segments: SegmentStore::new(gpu, limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)),
            fields: FieldStore::default(),
            page: PageBuffers::new(gpu),
            timeout,
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
        let (width, height) = (scene.size.width, scene.size.height);
        if scene.drawn_pixels() == 0 {
            return Ok(Coverage::new(width, height, Vec::new(), Vec::new()));
        }
        self.upload(scene)?;
        let submission = self.device.queue.submit([self.record(scene)]);
        let bytes = self.read_back(scene.finished_pixels(), submission)?;
        Ok(Coverage::new(width, height, scene.finished().0.to_vec(), bytes))
    }

    /// Takes the device away, as a driver's crash would.
    pub(super) fn lose_device(&self) {
        self.device.device.destroy();
    }

    fn upload(&mut self, scene: &Scene) -> Result<(), GpuError> {
        let (device, queue) = (&self.device.device, &self.device.queue);
        if let Some(field) = scene.effects.field {
            self.fields.place(device, queue, field);
        }
        let meshes = self.segments.place(device, queue, &scene.meshes)?;
        self.page.upload(device, queue, scene, &meshes)
    }

    /// Records every band: clear, accumulate, resolve, copy to where its pixels belong on the page. Where drawn pixels
    /// are displaced, what is copied are the bands of the finished page, once the whole page is drawn.
    fn record(&self, scene: &Scene) -> wgpu::CommandBuffer {
        let (device, page) = (&self.device.device, &self.page);
        let field = scene.effects.field.and_then(|field| self.fields.get(field));
        let bends = field.filter(|_| scene.effects.warp.is_none());
        let accumulate = self.accumulate.bind(device, page, self.segments.buffer(), bends);
        let resolve = self.resolve.bind(device, page, &scene.effects);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("page") });
        let band_offset = |index: usize| (index * BAND_STRIDE) as u32;
        let copy_back = |encoder: &mut wgpu::CommandEncoder, band: &wgpu::Buffer, pixels: &std::ops::Range<usize>| {
            let length = pixels.len() as u64;
            encoder.copy_buffer_to_buffer(band, 0, page.readback.get(), pixels.start as u64, Some(length));
        };
        for (index, band) in scene.bands.iter().enumerate() {
            let bytes = (band.pixels.len() * size_of::<i32>()) as u64;
            encoder.clear_buffer(page.accumulator.get(), 0, Some(bytes));
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            accumulate.record(&mut pass, band_offset(index), Accumulate::groups(band));
            resolve.record(&mut pass, band_offset(index), Resolve::groups(band));
            drop(pass);
            if scene.effects.warp.is_none() {
                copy_back(&mut encoder, page.coverage.get(), &band.pixels);
            }
        }
        if let (Some(moved), Some(field)) = (&scene.effects.warp, field) {
            let warp = self.warp.bind(device, page, field);
            for (index, band) in moved.bands.iter().enumerate() {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                warp.record(&mut pass, band_offset(scene.bands.len() + index), Warp::groups(band));
                drop(pass);
                copy_back(&mut encoder, page.moved_coverage.get(), &band.pixels);
            }
        }
        encoder.finish()
    }

    fn read_back(&self, pixels: usize, submission: wgpu::SubmissionIndex) -> Result<Vec<u8>, GpuError> {
        let slice = self.page.readback.get().slice(..pixels as u64);
        let (sender, mapped) = std::sync::mpsc::sync_channel(1);
        slice.map_async(wgpu::MapMode::Read, move |outcome| {
            // The receiver is gone only when this page has already failed.
            let _ = sender.send(outcome);
        });
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(self.timeout) };
        match self.device.device.poll(wait) {
            Ok(_) => {}
            Err(wgpu::PollError::Timeout) => return Err(GpuError::TimedOut(self.timeout)),
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
        self.page.readback.get().unmap();
        Ok(bytes)
    }
}
