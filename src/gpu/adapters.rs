//! The adapters of the system and their capabilities, for `doctor`.

use std::time::Duration;

use super::adapter::{AdapterChoice, OfferedAdapter, PciAddress, describe};
use super::buffer::create;
use super::error::GpuError;
use super::open_device::{OpenDevice, every_adapter};
use crate::clock::Clock;

/// Bytes of the readback probe: a dense A3 page at 600 DPI.
const TRIAL_BYTES: u64 = 32 << 20;
/// Longest wait for the probe.
const TRIAL_PATIENCE: Duration = Duration::from_secs(60);

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

/// Readback speed of the most capable adapter in bytes per second, in one copy, as for a page.
///
/// # Errors
/// When there is no adapter, no device, or it fails.
pub fn readback_bytes_a_second(clock: &Clock) -> Result<f64, GpuError> {
    let open = OpenDevice::open(&AdapterChoice::MostCapable, false)?;
    let buffer = |what, usage| create(&open.device, what, usage | wgpu::BufferUsages::COPY_DST, TRIAL_BYTES);
    let drawn = buffer("drawn", wgpu::BufferUsages::COPY_SRC);
    let readback = buffer("readback", wgpu::BufferUsages::MAP_READ);
    let copy = || {
        let mut encoder = open.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&drawn, 0, &readback, 0, Some(TRIAL_BYTES));
        let submission = open.submit([encoder.finish()])?;
        readback.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        if !open.wait(&submission, TRIAL_PATIENCE)? {
            return Err(GpuError::TimedOut(TRIAL_PATIENCE));
        }
        let view = readback.slice(..).get_mapped_range().map_err(|error| GpuError::Failed(error.to_string()))?;
        let bytes = view.to_vec().len();
        drop(view);
        readback.unmap();
        Ok(bytes)
    };
    // The first copy makes the kernel allocate the memory.
    copy()?;
    let started = clock.monotonic();
    let bytes = copy()?;
    Ok(bytes as f64 / clock.monotonic().duration_since(started).as_secs_f64())
}
