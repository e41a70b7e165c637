//! Draws scenes: uploads, records and submits passes band by band, reads back. Several submissions may be in flight.
//! Accumulation buffers are cleared after each page. Does not wait for scenes, retry or answer: see `submission_loop`.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::adapter::AdapterChoice;
use super::band::BAND_STRIDE;
use super::buffer::{Mapping, most_bound, size_for};
use super::buffer_pool::{BufferPool, PooledBuffers};
use super::compile_ahead::CompileAhead;
use super::device_limits::DeviceLimits;
use super::encoders::Encoders;
use super::error::GpuError;
use super::field_store::FieldStore;
use super::open_device::OpenDevice;
use super::page_buffers::{PageBuffers, largest, readback_pool};
use super::pass_times::PassTimes;
use super::passes::{Bound, Pass, Passes};
use super::readback_pool::{Readback, ReadbackPool};
use super::segment_store::{MeshRange, SegmentStore};
use crate::raster::{Coverage, TILE};
use crate::scene::{Band, Scene};

/// A device with its passes and buffers, ready to draw.
pub(super) struct SceneRenderer {
    /// Dropped first, because it uses the device.
    ahead: Option<CompileAhead>,
    pub(super) device: OpenDevice,
    passes: Passes,
    segments: SegmentStore,
    fields: FieldStore,
    buffers: BufferPool<PageBuffers>,
    readbacks: ReadbackPool,
}

/// A submission in flight. Large scenes are submitted piece by piece.
pub(super) struct InFlight {
    submission: wgpu::SubmissionIndex,
    /// Pieces that are not submitted yet.
    pieces: VecDeque<wgpu::CommandBuffer>,
    /// Clearing of buffers, which runs while the pages are read and encoded. Submitted with the last piece.
    behind: Option<wgpu::CommandBuffer>,
    /// Times of the passes, if they are measured.
    times: Option<PassTimes>,
    sheets: Vec<Sheet>,
}

/// Pages by their index in the submission, each with the range of its bytes.
type Pages = Vec<(usize, Arc<Scene>, Range<usize>)>;

/// Pages drawn in the same dispatches.
struct Sheet {
    slot: PooledBuffers<PageBuffers>,
    pages: Pages,
    /// Pixels of all its pages.
    pixels: usize,
    readback: Readback,
    /// The mapping of the readback, once all pieces are submitted.
    mapping: Option<Mapping>,
}

impl InFlight {
    /// Whether pieces are left to submit.
    pub(super) fn is_divided(&self) -> bool {
        !self.pieces.is_empty()
    }
}

impl SceneRenderer {
    /// Opens a device, which times its passes if wanted and if it can. Hardware compiles all its pipelines ahead. A
    /// software driver compiles a pipeline when it first runs, and each takes megabytes.
    pub(super) fn open(choice: &AdapterChoice, times_passes: bool) -> Result<Self, GpuError> {
        let mut renderer = Self::new(OpenDevice::open(choice, times_passes)?)?;
        if !renderer.device.is_software() {
            let passes = renderer.passes.all().into_iter().cloned().collect();
            renderer.ahead = Some(CompileAhead::start(&renderer.device.device, passes));
        }
        Ok(renderer)
    }

    fn new(device: OpenDevice) -> Result<Self, GpuError> {
        let gpu = &device.device;
        let own = DeviceLimits::of(device.is_software());
        let renderer = Self {
            passes: Passes::new(gpu, device.subgroup),
            segments: SegmentStore::new(gpu, most_bound(gpu)),
            fields: FieldStore::new(device.is_software()),
            buffers: BufferPool::new(own.bytes, PageBuffers::bytes),
            readbacks: readback_pool(gpu, own.readbacks),
            ahead: None,
            device,
        };
        renderer.device.check()?;
        Ok(renderer)
    }

    /// Bounds of the work in flight.
    pub(super) fn limits(&self) -> DeviceLimits {
        DeviceLimits::of(self.device.is_software())
    }

    /// Whether there are buffers for this scene beside those in flight.
    pub(super) fn has_room(&self, scene: &Scene) -> bool {
        let readback = size_for(scene.finished_pixels() as u64);
        self.buffers.has_room(PageBuffers::bytes_for(scene, &self.device.device).saturating_add(readback))
    }

    /// Submits scenes. Small plain scenes share dispatches.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub(super) fn begin(&mut self, scenes: &[Arc<Scene>]) -> Result<InFlight, GpuError> {
        self.device.check()?;
        let plans = plan(scenes);
        let (device, queue) = (&self.device.device, &self.device.queue);
        // All meshes first: the store may have to be emptied, and every upload precedes the first dispatch.
        let meshes: Vec<_> = plans.iter().flat_map(|(scene, _)| scene.meshes.iter().cloned()).collect();
        let mut ranges = self.segments.place(device, queue, &meshes)?.into_iter();
        let mut sheets: Vec<Sheet> = Vec::with_capacity(plans.len());
        let mut encoders = Encoders::new(device, PassTimes::new(device, queue));
        for (scene, pages) in plans {
            let ranges: Vec<MeshRange> = ranges.by_ref().take(scene.meshes.len()).collect();
            match self.upload(&scene, &ranges) {
                Ok((slot, readback)) => {
                    let kept = self.buffers.can_keep(&slot);
                    self.record(&mut encoders, &scene, &slot.buffers, &readback.buffer, kept);
                    sheets.push(Sheet { slot, pages, pixels: scene.finished_pixels(), readback, mapping: None });
                }
                Err(error) => {
                    for sheet in sheets {
                        self.buffers.take_back(sheet.slot);
                    }
                    return Err(error);
                }
            }
        }
        let (mut pieces, behind, times) = encoders.finish();
        let submission = self.device.submit(pieces.pop_front())?;
        let mut in_flight = InFlight { submission, pieces, behind: Some(behind), times, sheets };
        if in_flight.pieces.is_empty() {
            self.submit_end(&mut in_flight)?;
        }
        Ok(in_flight)
    }

    /// Waits for a piece of a submission for at most `patience`, and then submits the next one. Returns whether all are
    /// done. Of a cancelled one, only the clearing of buffers is still submitted.
    ///
    /// # Errors
    /// When the device fails or is lost.
    pub(super) fn wait(
        &self,
        in_flight: &mut InFlight,
        patience: Duration,
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<bool, GpuError> {
        if !self.device.wait(&in_flight.submission, patience)? {
            return Ok(false);
        }
        if in_flight.behind.is_none() {
            return Ok(true);
        }
        if is_cancelled() && !in_flight.pieces.is_empty() {
            in_flight.pieces.clear();
            in_flight.times = None;
        }
        if let Some(piece) = in_flight.pieces.pop_front() {
            in_flight.submission = self.device.submit([piece])?;
        }
        if in_flight.pieces.is_empty() {
            self.submit_end(in_flight)?;
        }
        Ok(false)
    }

    /// Submits the clearing of buffers, and maps the readback.
    fn submit_end(&self, in_flight: &mut InFlight) -> Result<(), GpuError> {
        self.device.submit(in_flight.behind.take())?;
        for sheet in &mut in_flight.sheets {
            sheet.mapping = Some(sheet.readback.map(sheet.pixels));
        }
        if let Some(times) = &mut in_flight.times {
            times.map();
        }
        Ok(())
    }

    /// Reads the pages of a finished submission, in the order of `begin`.
    ///
    /// # Errors
    /// When the device fails or is lost, or the scene is beyond its limits. After any of these but
    /// [`GpuError::TooLarge`] the device must be opened again.
    pub(super) fn finish(&mut self, in_flight: InFlight) -> Result<Vec<Coverage>, GpuError> {
        let mut pages = Vec::new();
        // Another thread may lose the device at any time: see `readback_pool`.
        let copies = self.ahead.as_ref().is_some_and(CompileAhead::is_running);
        for Sheet { slot, pages: of_sheet, readback, mapping, .. } in in_flight.sheets {
            match mapping.map(|mapping| mapping.try_recv()) {
                Some(Ok(Ok(()))) => {}
                Some(Ok(Err(error))) => return Err(GpuError::Failed(error.to_string())),
                Some(Err(_)) | None => return Err(GpuError::Failed("the readback was not mapped".to_owned())),
            }
            let readback = Arc::new(readback);
            for (place, scene, bytes) in of_sheet {
                let part = readback.part(bytes)?;
                let bytes = if copies { Bytes::copy_from_slice(&part) } else { part };
                let strips = scene.finished().0.to_vec();
                pages.push((place, Coverage::new(scene.size.width, scene.size.height, strips, bytes)));
            }
            self.buffers.take_back(slot);
        }
        in_flight.times.into_iter().for_each(PassTimes::report);
        pages.sort_unstable_by_key(|(place, _)| *place);
        Ok(pages.into_iter().map(|(_, coverage)| coverage).collect())
    }

    /// Fills buffers with a scene, and chooses the one that its page is read from.
    fn upload(
        &mut self,
        scene: &Scene,
        meshes: &[MeshRange],
    ) -> Result<(PooledBuffers<PageBuffers>, Readback), GpuError> {
        let (device, queue) = (&self.device.device, &self.device.queue);
        let readback = self.readbacks.lend(device, scene.finished_pixels())?;
        self.fields.place(device, queue, scene);
        let mut slot = self.buffers.lend(PageBuffers::bytes_for(scene, device), || PageBuffers::new(device));
        self.buffers.count(&mut slot, readback.buffer.size());
        match slot.buffers.upload(device, queue, scene, meshes) {
            Ok(()) => Ok((slot, readback)),
            Err(error) => {
                self.buffers.take_back(slot);
                Err(error)
            }
        }
    }

    /// Records every band: bend or accumulate for each portion, then resolve and, unless passes write into the
    /// readback, a copy to the band's position. If drawn pixels are displaced, the bands of the finished page are
    /// recorded after all drawn bands. Accumulation buffers start zeroed: new ones are, `kept` ones are cleared
    /// afterwards.
    fn record(&self, encoders: &mut Encoders, scene: &Scene, page: &PageBuffers, readback: &wgpu::Buffer, kept: bool) {
        let (passes, field, finished) = (&self.passes, self.fields.get(scene), page.finished(readback));
        let bound = Bound { scene, page, outlines: self.segments.buffer(), field, finished };
        let bound_pass = |pass| Pass::bind(pass, &self.device.device, &bound);
        let bends = scene.bends_outlines();
        let sum = bound_pass(if bends { passes.bend(field) } else { &passes.accumulate });
        let resolve = bound_pass(&passes.resolve);
        let lines = |band: &Band| band.strips.len() as u32 * TILE;
        let mut offsets = (0_u32..).step_by(BAND_STRIDE);
        let mut next_offset = move || offsets.next().unwrap_or_default();
        let mut of_bands = Vec::with_capacity(scene.bands.len());
        let largest = largest(&scene.bands);
        let is_in_portions = scene.bands.iter().any(|band| band.portions.len() > 1);
        let copy_back = |encoder: &mut wgpu::CommandEncoder, pixels: &Range<usize>| {
            if !page.in_place {
                let length = pixels.len() as u64;
                encoder.copy_buffer_to_buffer(finished, 0, readback, pixels.start as u64, Some(length));
            }
        };
        for (index, band) in scene.bands.iter().enumerate() {
            let mut timed = encoders.begin_pass();
            let mut offset = 0;
            for (number, portion) in band.portions.iter().enumerate() {
                if number > 0 {
                    drop(timed);
                    encoders.end_portion();
                    timed = encoders.begin_pass();
                }
                offset = next_offset();
                if bends {
                    sum.record_each(&mut timed.pass, offset, portion.corner_runs.len() as u32);
                    timed.ended("bend");
                } else {
                    sum.record(&mut timed.pass, offset, portion.instances.len() as u32);
                    timed.ended("accumulate");
                }
            }
            of_bands.push(offset);
            resolve.record_each(&mut timed.pass, offset, lines(band));
            timed.ended("resolve");
            drop(timed);
            if !scene.effects.displace_pixels() {
                copy_back(&mut encoders.pages, &band.pixels);
            }
            let is_last = index + 1 == scene.bands.len();
            // A page that is cancelled between two portions leaves the sums of any band.
            let to_clear = if is_last && is_in_portions { largest } else { band.pixels.len() };
            if let Some(encoder) = encoders.after(is_last, kept) {
                let bytes = to_clear * size_of::<i32>();
                encoder.clear_buffer(&page.accumulator.buffer, 0, Some(bytes as u64));
            }
            encoders.end_band(band.pixels.len());
        }
        if let Some(moved) = &scene.effects.warp {
            let (warp, erase) = (bound_pass(&passes.warp), bound_pass(&passes.erase));
            for band in &moved.bands {
                let mut timed = encoders.begin_pass();
                warp.record_each(&mut timed.pass, next_offset(), lines(band));
                timed.ended("warp");
                drop(timed);
                copy_back(&mut encoders.pages, &band.pixels);
                encoders.end_band(band.pixels.len());
            }
            if let Some(encoder) = encoders.after(true, kept) {
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                for (band, offset) in scene.bands.iter().zip(of_bands) {
                    erase.record_each(&mut pass, offset, lines(band));
                }
            }
        }
    }
}

/// Groups the scenes of a submission into sheets.
fn plan(scenes: &[Arc<Scene>]) -> Vec<(Arc<Scene>, Pages)> {
    let (small, others): (Vec<_>, Vec<_>) =
        scenes.iter().enumerate().partition(|(_, scene)| scenes.len() > 1 && scene.can_be_gathered());
    let sheet = |of_sheet: &[(usize, &Arc<Scene>)]| {
        let mut end = 0;
        let pages = of_sheet.iter().map(|(place, scene)| {
            let start = end;
            end += scene.finished_pixels();
            (*place, Arc::clone(scene), start..end)
        });
        let pages = pages.collect();
        let scene = match of_sheet {
            [(_, scene)] => Arc::clone(scene),
            _ => Arc::new(Scene::gathered(of_sheet.iter().map(|(_, scene)| scene.as_ref()))),
        };
        (scene, pages)
    };
    let gathered = (!small.is_empty()).then_some(small.as_slice());
    others.chunks(1).chain(gathered).map(sheet).collect()
}

#[cfg(test)]
mod tests;
