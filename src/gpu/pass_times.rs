//! Times passes on the device by timestamp queries.
//!
//! A timestamp is written between the dispatches of a compute pass, and the time since the last one belongs to the pass
//! that was recorded in between. The sums over a submission go to the metrics. The clearing of buffers behind the pages
//! is not timed.

use std::collections::BTreeMap;
use std::time::Duration;

use super::buffer::{Mapping, create, map};
use crate::telemetry;

/// What a device must offer.
pub(super) const FEATURES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY
    .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
    .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES);
/// Timestamps of a submission: three per band. Passes beyond them are not timed.
const MOST_MARKS: usize = 1024;
const BYTES: u64 = MOST_MARKS as u64 * wgpu::QUERY_SIZE as u64;

/// The timestamps of one submission.
pub(super) struct PassTimes {
    /// Nanoseconds of one tick of the device's clock.
    period: f32,
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readback: wgpu::Buffer,
    /// For each timestamp the pass that ended there; none where a sequence of passes begins.
    marks: Vec<Option<&'static str>>,
    mapped: Option<Mapping>,
}

impl PassTimes {
    /// Times for a new submission, if the device was opened with [`FEATURES`].
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Option<Self> {
        use wgpu::BufferUsages as Usage;
        let period = device.features().contains(FEATURES).then(|| queue.get_timestamp_period())?;
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("pass times"),
            ty: wgpu::QueryType::Timestamp,
            count: MOST_MARKS as u32,
        });
        Some(Self {
            period,
            queries,
            resolved: create(device, "resolved pass times", Usage::QUERY_RESOLVE | Usage::COPY_SRC, BYTES),
            readback: create(device, "pass times", Usage::MAP_READ | Usage::COPY_DST, BYTES),
            marks: Vec::new(),
            mapped: None,
        })
    }

    /// Writes a timestamp where `ended` ends, or where passes begin.
    pub(super) fn mark(&mut self, pass: &mut wgpu::ComputePass<'_>, ended: Option<&'static str>) {
        if self.marks.len() < MOST_MARKS {
            pass.write_timestamp(&self.queries, self.marks.len() as u32);
            self.marks.push(ended);
        }
    }

    /// Records the copy to the CPU, after all passes.
    pub(super) fn copy(&self, encoder: &mut wgpu::CommandEncoder) {
        if !self.marks.is_empty() {
            encoder.resolve_query_set(&self.queries, 0..self.marks.len() as u32, &self.resolved, 0);
            encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readback, 0, Some(self.bytes()));
        }
    }

    /// Makes the times readable once the submission is done.
    pub(super) fn map(&mut self) {
        if self.marks.is_empty() {
            return;
        }
        self.mapped = Some(map(&self.readback, self.bytes()));
    }

    /// Reports the times of a finished submission. If they cannot be read, its pages report why.
    pub(super) fn report(self) {
        if matches!(self.mapped.as_ref().map(std::sync::mpsc::Receiver::try_recv), Some(Ok(Ok(()))))
            && let Ok(view) = self.readback.slice(..self.bytes()).get_mapped_range()
        {
            let ticks: Vec<u64> = view.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
            for (pass, ticks) in sums(&self.marks, &ticks) {
                telemetry::gpu_pass(pass, Duration::from_secs_f64(ticks as f64 * f64::from(self.period) * 1e-9));
            }
        }
    }

    const fn bytes(&self) -> u64 {
        self.marks.len() as u64 * wgpu::QUERY_SIZE as u64
    }
}

/// Ticks of each pass: the differences between its timestamps and those before them.
fn sums(marks: &[Option<&'static str>], ticks: &[u64]) -> BTreeMap<&'static str, u64> {
    let mut sums = BTreeMap::new();
    for (mark, pair) in marks.iter().skip(1).zip(ticks.windows(2)) {
        if let Some(pass) = mark {
            // Clocks of some devices step back when their power state changes.
            *sums.entry(*pass).or_default() += pair[1].saturating_sub(pair[0]);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_takes_the_time_since_the_timestamp_before_its_own() {
        let marks = [None, Some("bend"), Some("resolve"), None, Some("resolve"), Some("warp")];
        let ticks = [100, 103, 110, 200, 205, 190];
        assert_eq!(sums(&marks, &ticks), [("bend", 3), ("resolve", 12), ("warp", 0)].into());
        assert_eq!(sums(&[], &[]), BTreeMap::new());
    }
}
