//! Glyph meshes that stay on the device from page to page.

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::buffer::RecordBuffer;
use super::error::GpuError;
use crate::mesh::{GlyphMesh, MeshKey};

/// The position of a mesh's records in the store: segments, or corners of paths if outlines are bent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct MeshRange {
    /// Index of the first.
    pub(super) first: u32,
    /// Their number.
    pub(super) count: u32,
}

/// All outlines on the device: appended to, and emptied when it is full.
pub(super) struct SegmentStore {
    segments: RecordBuffer<[u32; 4]>,
    used: usize,
    ranges: HashMap<MeshKey, MeshRange, foldhash::fast::RandomState>,
}

impl SegmentStore {
    /// An empty store of at most `limit` bytes.
    pub(super) fn new(device: &wgpu::Device, limit: u64) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        Self { segments: RecordBuffer::new(device, "segments", usage, limit), used: 0, ranges: HashMap::default() }
    }

    /// Uploads the missing meshes. Returns the position of each mesh.
    ///
    /// # Errors
    /// When the meshes of one page alone are beyond the store's limit.
    pub(super) fn place(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        meshes: &[(MeshKey, Arc<GlyphMesh>)],
    ) -> Result<Vec<MeshRange>, GpuError> {
        let missing = |store: &Self| -> usize {
            meshes.iter().filter(|(key, _)| !store.ranges.contains_key(key)).map(|(_, mesh)| mesh.record_count()).sum()
        };
        let mut new = missing(self);
        if self.used + new > self.segments.largest_capacity() {
            self.forget();
            new = missing(self);
        }
        if self.used + new > self.segments.capacity() && self.segments.reserve(device, self.used + new)? {
            self.forget();
        }
        Ok(self.append(queue, meshes))
    }

    /// The buffer on the device.
    pub(super) const fn buffer(&self) -> &wgpu::Buffer {
        &self.segments.buffer
    }

    fn forget(&mut self) {
        self.ranges.clear();
        self.used = 0;
    }

    fn append(&mut self, queue: &wgpu::Queue, meshes: &[(MeshKey, Arc<GlyphMesh>)]) -> Vec<MeshRange> {
        let first_new = self.used;
        let mut new: Vec<[u32; 4]> = Vec::new();
        let ranges = meshes
            .iter()
            .map(|(key, mesh)| {
                *self.ranges.entry(*key).or_insert_with(|| {
                    let range = MeshRange { first: self.used as u32, count: mesh.record_count() as u32 };
                    mesh.append_records(&mut new);
                    self.used += mesh.record_count();
                    range
                })
            })
            .collect();
        self.segments.upload_at(queue, first_new, &new);
        ranges
    }
}
