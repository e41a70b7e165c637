//! Which adapters there are, for whoever looks for the reason why none is used, or the wrong one.

use super::adapter::{AdapterDescription, describe};

/// An adapter that the system offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedAdapter {
    /// What it is.
    pub description: AdapterDescription,
    /// Most bytes of one buffer.
    pub largest_buffer: u64,
    /// Most bytes of one buffer that a pass can use.
    pub largest_binding: u64,
}

/// Every adapter of every backend, in the system's order. Blocks while drivers are loaded.
#[must_use]
pub fn offered_adapters() -> Vec<OfferedAdapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let offered = adapters.iter().map(|adapter| {
        let limits = adapter.limits();
        OfferedAdapter {
            description: describe(&adapter.get_info()),
            largest_buffer: limits.max_buffer_size,
            largest_binding: limits.max_storage_buffer_binding_size,
        }
    });
    offered.collect()
}
