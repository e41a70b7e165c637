//! The commands of a submission while they are recorded.

use std::collections::VecDeque;

use super::pass_times::PassTimes;

/// Pixels of bands per piece of a submission. The next piece is submitted when the last is done, so that an unwanted
/// scene stops early.
pub(super) const PIECE_PIXELS: usize = 4 << 20;

/// The commands of a submission.
pub(super) struct Encoders {
    device: wgpu::Device,
    /// The commands of the current piece, and the finished pieces before it.
    pub(super) pages: wgpu::CommandEncoder,
    pieces: VecDeque<wgpu::CommandBuffer>,
    /// Pixels of bands since the last piece.
    pixels: usize,
    /// Clearing of buffers, which runs while the pages are read and encoded.
    behind: wgpu::CommandEncoder,
    /// Times of the passes, if they are measured.
    times: Option<PassTimes>,
}

/// A compute pass that may be timed.
pub(super) struct TimedPass<'a> {
    pub(super) pass: wgpu::ComputePass<'a>,
    times: Option<&'a mut PassTimes>,
}

impl Encoders {
    /// No commands yet.
    pub(super) fn new(device: &wgpu::Device, times: Option<PassTimes>) -> Self {
        let (device, pieces) = (device.clone(), VecDeque::new());
        let (pages, behind) = (encoder(&device, "pages"), encoder(&device, "behind pages"));
        Self { device, pages, pieces, pixels: 0, behind, times }
    }

    /// Begins a compute pass of the pages, and before it a new piece if the last one has enough pixels.
    pub(super) fn begin_pass(&mut self) -> TimedPass<'_> {
        if self.pixels >= PIECE_PIXELS {
            let next = encoder(&self.device, "pages");
            self.pieces.push_back(std::mem::replace(&mut self.pages, next).finish());
            self.pixels = 0;
        }
        let mut pass = self.pages.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        let mut times = self.times.as_mut();
        if let Some(times) = &mut times {
            times.mark(&mut pass, None);
        }
        TimedPass { pass, times }
    }

    /// Ends a portion of a band that has others: it takes as long as the pixels of a piece.
    pub(super) const fn end_portion(&mut self) {
        self.pixels = PIECE_PIXELS;
    }

    /// Ends a band.
    pub(super) const fn end_band(&mut self, pixels: usize) {
        self.pixels += pixels;
    }

    /// The encoder for clearing buffers after a band: behind the page after its last band, none if its buffers are not
    /// kept.
    pub(super) const fn after(&mut self, is_last: bool, kept: bool) -> Option<&mut wgpu::CommandEncoder> {
        match (is_last, kept) {
            (false, _) => Some(&mut self.pages),
            (true, true) => Some(&mut self.behind),
            (true, false) => None,
        }
    }

    /// Ends the recording. Returns the pieces of the pages, at least one; the clearing of buffers, which runs behind
    /// them; and the times of the passes, if they are measured.
    pub(super) fn finish(self) -> (VecDeque<wgpu::CommandBuffer>, wgpu::CommandBuffer, Option<PassTimes>) {
        let Self { mut pages, mut pieces, behind, times, .. } = self;
        if let Some(times) = &times {
            times.copy(&mut pages);
        }
        pieces.push_back(pages.finish());
        (pieces, behind.finish(), times)
    }
}

impl TimedPass<'_> {
    /// Ends the part of the compute pass that the shader of this name took.
    pub(super) fn ended(&mut self, name: &'static str) {
        if let Some(times) = &mut self.times {
            times.mark(&mut self.pass, Some(name));
        }
    }
}

fn encoder(device: &wgpu::Device, label: &str) -> wgpu::CommandEncoder {
    device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) })
}
