//! A device buffer of records that grows when necessary.

use std::marker::PhantomData;
use std::sync::mpsc::{Receiver, sync_channel};

use bytemuck::NoUninit;

use super::error::GpuError;

/// Alignment of offsets in bindings: WebGPU's default. No device asks for a coarser one.
pub(super) const OFFSET_ALIGNMENT: usize = 256;

/// The most bytes of a storage buffer that a pass can bind.
pub(super) fn most_bound(device: &wgpu::Device) -> u64 {
    let limits = device.limits();
    limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
}

/// The outcome of a mapping, once it is there.
pub(super) type Mapping = Receiver<Result<(), wgpu::BufferAsyncError>>;

/// Maps the first bytes of a buffer. They are readable once the submissions that use the buffer are done.
pub(super) fn map(buffer: &wgpu::Buffer, bytes: u64) -> Mapping {
    let (sender, mapping) = sync_channel(1);
    buffer.slice(..bytes).map_async(wgpu::MapMode::Read, move |outcome| {
        // The receiver is dropped only if the submission has failed.
        let _ = sender.send(outcome);
    });
    mapping
}

/// A buffer of `T`, at least as large as the largest use so far, never larger than the device can bind.
pub(super) struct RecordBuffer<T> {
    what: &'static str,
    usage: wgpu::BufferUsages,
    limit: u64,
    /// The buffer on the device.
    pub(super) buffer: wgpu::Buffer,
    record: PhantomData<T>,
}

impl<T: NoUninit> RecordBuffer<T> {
    /// An empty buffer; `what` names its content in labels and errors, `limit` is its largest size in bytes.
    pub(super) fn new(device: &wgpu::Device, what: &'static str, usage: wgpu::BufferUsages, limit: u64) -> Self {
        let buffer = create(device, what, usage, SMALLEST);
        Self { what, usage, limit, buffer, record: PhantomData }
    }

    /// Makes room for `count` records. The content is lost when the buffer has to grow, in which case it returns true.
    pub(super) fn reserve(&mut self, device: &wgpu::Device, count: usize) -> Result<bool, GpuError> {
        let needed = (count * size_of::<T>()) as u64;
        if needed > self.limit {
            return Err(GpuError::TooLarge { what: self.what, needed, limit: self.limit });
        }
        if needed <= self.buffer.size() {
            return Ok(false);
        }
        let size = size_for(needed).min(self.limit);
        self.buffer = create(device, self.what, self.usage, size);
        Ok(true)
    }

    /// Uploads records into the reserved room, from index `first` on.
    pub(super) fn upload_at(&self, queue: &wgpu::Queue, first: usize, records: &[T]) {
        if !records.is_empty() {
            queue.write_buffer(&self.buffer, (first * size_of::<T>()) as u64, bytemuck::cast_slice(records));
        }
    }

    /// Records that fit now.
    pub(super) fn capacity(&self) -> usize {
        self.buffer.size() as usize / size_of::<T>()
    }

    /// Records that can ever fit.
    pub(super) fn largest_capacity(&self) -> usize {
        self.limit as usize / size_of::<T>()
    }
}

/// The size of a buffer for `needed` bytes: equal for pages of similar size, and little more than they use, because a
/// new buffer is cleared completely.
pub(super) fn size_for(needed: u64) -> u64 {
    needed.max(1).next_multiple_of((needed.next_power_of_two() / 8).max(SMALLEST))
}

/// Bytes of an empty buffer: more than any record, so that bindings are never too small.
const SMALLEST: u64 = 4096;

/// A buffer with this label.
pub(super) fn create(device: &wgpu::Device, what: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(what), size, usage, mapped_at_creation: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_at_most_a_quarter_larger_than_what_is_asked_for() {
        assert_eq!([0, 1, 4096, 4097].map(size_for), [4096, 4096, 4096, 8192]);
        for needed in [40_000, 65_536, 65_537, 1_000_000, 34_000_000, u64::from(u32::MAX)] {
            let size = size_for(needed);
            assert!(
                size >= needed && size <= needed + needed / 4 && size.is_multiple_of(SMALLEST),
                "{size} for {needed}"
            );
        }
    }
}
