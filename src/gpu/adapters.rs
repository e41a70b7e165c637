//! The adapters of the system and their capabilities, to find out why one is or is not used.

use std::time::Duration;

use super::adapter::{AdapterChoice, AdapterDescription, OpenDevice, describe, every_adapter};
use super::choice::PciAddress;
use super::error::GpuError;
use crate::clock::Clock;

/// Bytes that are read back to see how fast that is: as many as a dense A3 page at 600 DPI has.
const TRIAL_BYTES: u64 = 32 << 20;
/// Longest wait for them.
const TRIAL_PATIENCE: Duration = Duration::from_secs(60);

/// An adapter that the system offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedAdapter {
    /// What it is.
    pub description: AdapterDescription,
    /// Where it is plugged in, as far as the driver says.
    pub pci: Option<PciAddress>,
    /// Most bytes of one buffer.
    pub largest_buffer: u64,
    /// Most bytes of one buffer that a pass can use.
    pub largest_binding: u64,
}

/// Every adapter of every backend, in the system's order. Blocks while drivers are loaded.
#[must_use]
pub fn offered_adapters() -> Vec<OfferedAdapter> {
    let offered = every_adapter().into_iter().map(|adapter| {
        let (info, limits) = (adapter.get_info(), adapter.limits());
        OfferedAdapter {
            pci: PciAddress::parse(&info.device_pci_bus_id),
            description: describe(&info),
            largest_buffer: limits.max_buffer_size,
            largest_binding: limits.max_storage_buffer_binding_size,
        }
    });
    offered.collect()
}

/// How many bytes a second come back from the most capable adapter, in one piece as a page's do.
///
/// # Errors
/// When there is no adapter, no device, or it fails.
pub fn readback_bytes_a_second(clock: &Clock) -> Result<f64, GpuError> {
    let open = OpenDevice::open(&AdapterChoice::MostCapable)?;
    let buffer = |label, usage| {
        let (size, mapped_at_creation) = (TRIAL_BYTES, false);
        open.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation })
    };
    let drawn = buffer("drawn", wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST);
    let readback = buffer("readback", wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let copy = || {
        let mut encoder = open.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&drawn, 0, &readback, 0, Some(TRIAL_BYTES));
        let submission_index = Some(open.queue.submit([encoder.finish()]));
        readback.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        let wait = wgpu::PollType::Wait { submission_index, timeout: Some(TRIAL_PATIENCE) };
        open.device.poll(wait).map_err(|error| GpuError::Failed(error.to_string()))?;
        open.check()?;
        let view = readback.slice(..).get_mapped_range().map_err(|error| GpuError::Failed(error.to_string()))?;
        let bytes = view.to_vec().len();
        drop(view);
        readback.unmap();
        Ok(bytes)
    };
    // The first copy brings the memory into being.
    copy()?;
    let started = clock.monotonic();
    let bytes = copy()?;
    Ok(bytes as f64 / clock.monotonic().duration_since(started).as_secs_f64())
}
