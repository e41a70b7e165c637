//! Glyph meshes that stay on the device from page to page.

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::buffer::RecordBuffer;
use super::error::GpuError;
use crate::mesh::{GlyphMesh, MeshKey, Segment};

/// Where a mesh's segments lie in the store. The normals at their ends, if the mesh has any, lie behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct MeshRange {
    /// Index of the first segment.
    pub(super) first: u32,
    /// Number of segments.
    pub(super) count: u32,
}

/// All segments on the device: appended to, and emptied when it is full.
pub(super) struct SegmentStore {
    segments: RecordBuffer<Segment>,
    used: usize,
    ranges: HashMap<MeshKey, MeshRange>,
}

impl SegmentStore {
    /// An empty store of at most `limit` bytes.
    pub(super) fn new(device: &wgpu::Device, limit: u64) -> Self {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        Self { segments: RecordBuffer::new(device, "segments", usage, limit), used: 0, ranges: HashMap::new() }
    }

    /// Brings the meshes that are not there yet to the device and tells where each one lies.
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
            meshes
                .iter()
                .filter(|(key, _)| !store.ranges.contains_key(key))
                .map(|(_, mesh)| mesh.segments().len() + mesh.normals().len())
                .sum()
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
        self.segments.get()
    }

    fn forget(&mut self) {
        self.ranges.clear();
        self.used = 0;
    }

    fn append(&mut self, queue: &wgpu::Queue, meshes: &[(MeshKey, Arc<GlyphMesh>)]) -> Vec<MeshRange> {
        let first_new = self.used;
        let mut new: Vec<Segment> = Vec::new();
        let ranges = meshes
            .iter()
            .map(|(key, mesh)| {
                *self.ranges.entry(*key).or_insert_with(|| {
                    let range = MeshRange { first: self.used as u32, count: mesh.segments().len() as u32 };
                    new.extend_from_slice(mesh.segments());
                    new.extend_from_slice(mesh.normals());
                    self.used += mesh.segments().len() + mesh.normals().len();
                    range
                })
            })
            .collect();
        self.segments.upload_at(queue, first_new, &new);
        ranges
    }
}
