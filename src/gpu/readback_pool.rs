//! Buffers from which the CPU reads finished pages where they are.
//!
//! The coverage of a page is a view of its buffer, so no page is copied, unless another thread uses the device. The
//! buffer returns to the pool with the last coverage that is read from it. A buffer that is dropped in flight returns as
//! well; the device thread ends then and lends nothing more. A buffer of a page that was refused is freed.
//!
//! wgpu frees the memory of all buffers, mapped or not, when it is called after a device was lost. So
//! [`OpenDevice`](super::open_device::OpenDevice) does not call it then. Another thread that calls it may lose the
//! device unnoticed; while there is one, pages are copied.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parking_lot::Mutex;

use super::buffer::{Mapping, create, map, size_for};
use super::error::GpuError;

/// Free buffers, least recently used first. Lent ones return on drop, if they were mapped.
pub(super) struct ReadbackPool {
    free: Arc<Mutex<FreeBuffers>>,
    usage: wgpu::BufferUsages,
    /// Largest buffer.
    limit: u64,
}

/// The buffers that no page uses.
struct FreeBuffers {
    buffers: Vec<wgpu::Buffer>,
    /// Most bytes of them.
    budget: u64,
}

/// A lent buffer.
pub(super) struct Readback {
    /// The buffer on the device.
    pub(super) buffer: wgpu::Buffer,
    /// Whether its mapping was asked for.
    is_mapped: bool,
    free: Arc<Mutex<FreeBuffers>>,
}

/// A part of a mapped buffer.
struct MappedPart {
    /// Dropped before the buffer returns.
    view: wgpu::BufferView,
    _lent: Arc<Readback>,
}

impl ReadbackPool {
    /// An empty pool that keeps at most `budget` bytes. `usage` is what passes do with the buffers, which have at most
    /// `limit` bytes.
    pub(super) fn new(usage: wgpu::BufferUsages, limit: u64, budget: u64) -> Self {
        let free = Arc::new(Mutex::new(FreeBuffers { buffers: Vec::new(), budget }));
        Self { free, usage: usage | wgpu::BufferUsages::MAP_READ, limit }
    }

    /// A buffer of at least `bytes` bytes: the smallest free one that has them, or a new one. Call it on the thread
    /// that submits, because a free buffer is unmapped here.
    ///
    /// # Errors
    /// When no buffer can be so large.
    pub(super) fn lend(&self, device: &wgpu::Device, bytes: usize) -> Result<Readback, GpuError> {
        let (needed, limit) = (bytes as u64, self.limit);
        if needed > limit {
            return Err(GpuError::TooLarge { what: "readback", needed, limit });
        }
        let new = || create(device, "readback", self.usage, size_for(needed).min(limit));
        let free = self.free.lock().take(needed);
        let buffer = free.inspect(wgpu::Buffer::unmap).unwrap_or_else(new);
        Ok(Readback { buffer, is_mapped: false, free: Arc::clone(&self.free) })
    }
}

impl FreeBuffers {
    /// The smallest buffer of at least `needed` bytes.
    fn take(&mut self, needed: u64) -> Option<wgpu::Buffer> {
        let size = |place: &usize| self.buffers[*place].size();
        let place = (0..self.buffers.len()).filter(|place| size(place) >= needed).min_by_key(size)?;
        Some(self.buffers.remove(place))
    }

    /// Keeps a buffer. Returns the least recently used ones beyond the budget, or the buffer if it alone is beyond it.
    fn give_back(&mut self, returned: wgpu::Buffer) -> Vec<wgpu::Buffer> {
        if returned.size() > self.budget {
            return vec![returned];
        }
        self.buffers.push(returned);
        let mut dropped = Vec::new();
        while self.buffers.iter().map(wgpu::Buffer::size).sum::<u64>() > self.budget {
            dropped.push(self.buffers.remove(0));
        }
        dropped
    }
}

impl Readback {
    /// As [`map`], until the buffer is lent again.
    pub(super) fn map(&mut self, bytes: usize) -> Mapping {
        self.is_mapped = true;
        map(&self.buffer, bytes as u64)
    }

    /// These bytes of the buffer, which is mapped.
    ///
    /// # Errors
    /// When they are not mapped.
    pub(super) fn part(self: &Arc<Self>, bytes: Range<usize>) -> Result<Bytes, GpuError> {
        let slice = self.buffer.slice(bytes.start as u64..bytes.end as u64);
        let view = slice.get_mapped_range().map_err(|error| GpuError::Failed(error.to_string()))?;
        Ok(Bytes::from_owner(MappedPart { view, _lent: Arc::clone(self) }))
    }
}

impl Drop for Readback {
    fn drop(&mut self) {
        if !self.is_mapped {
            return;
        }
        let dropped = self.free.lock().give_back(self.buffer.clone());
        // Memory is freed while no other thread waits for the lock.
        drop(dropped);
    }
}

impl AsRef<[u8]> for MappedPart {
    fn as_ref(&self) -> &[u8] {
        &self.view
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device() -> wgpu::Device {
        wgpu::Device::noop(&wgpu::DeviceDescriptor::default()).0
    }

    fn pool(budget: u64) -> ReadbackPool {
        ReadbackPool::new(wgpu::BufferUsages::COPY_DST, 64 << 20, budget)
    }

    /// Lends a buffer and maps it.
    fn read(pool: &ReadbackPool, device: &wgpu::Device, bytes: usize) -> Readback {
        let mut lent = pool.lend(device, bytes).unwrap();
        drop(lent.map(bytes));
        lent
    }

    /// Lends buffers of these sizes in MiB at once, and takes them back in this order.
    fn use_at_once(pool: &ReadbackPool, device: &wgpu::Device, sizes: &[usize]) {
        let lent: Vec<Readback> = sizes.iter().map(|mebibytes| read(pool, device, mebibytes << 20)).collect();
        drop(lent);
    }

    /// The sizes of the free buffers in MiB.
    fn kept(pool: &ReadbackPool) -> Vec<u64> {
        pool.free.lock().buffers.iter().map(|free| free.size() >> 20).collect()
    }

    #[test]
    fn the_smallest_buffer_that_fits_is_used_and_the_oldest_go_where_there_is_no_room() {
        let (device, pool) = (device(), pool(44 << 20));
        use_at_once(&pool, &device, &[20, 10, 8]);
        assert_eq!(kept(&pool), [20, 10, 8]);
        let lent = read(&pool, &device, 9 << 20);
        assert_eq!((lent.buffer.size() >> 20, kept(&pool)), (10, vec![20, 8]));
        drop(lent);
        use_at_once(&pool, &device, &[24]);
        assert_eq!(kept(&pool), [8, 10, 24]);
        use_at_once(&pool, &device, &[48]);
        assert_eq!(kept(&pool), [8, 10, 24], "one that is beyond the budget is not kept");
    }

    #[test]
    fn a_page_beyond_the_largest_buffer_is_refused() {
        let refused = pool(40 << 20).lend(&device(), (64 << 20) + 1).err();
        let (needed, limit) = ((64 << 20) + 1, 64 << 20);
        assert_eq!(refused, Some(GpuError::TooLarge { what: "readback", needed, limit }));
    }
}
