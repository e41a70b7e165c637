//! Bounds of the work that one device has in flight.

use std::time::Duration;

/// Bounds of the work in flight on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeviceLimits {
    /// Bytes of the buffers of pages in flight. One page alone may take more.
    pub(super) bytes: u64,
    /// Bytes of free buffers to read pages from: enough for an A4 page at 600 DPI without margins.
    pub(super) readbacks: u64,
    /// Submissions. While one is drawn, the next is already on the device. More of them hide more latency of the bus.
    pub(super) in_flight: usize,
    /// Pixels of pages drawn together. One page alone may have more.
    pub(super) pixels: usize,
    /// Pixels of the strips of a page that are drawn together: its bands.
    pub(super) band_pixels: usize,
}

/// Interval at which a busy device thread looks for new scenes.
pub(super) const LOOK: Duration = Duration::from_millis(2);

impl DeviceLimits {
    /// The limits of a device. On hardware, drawing a page takes less time than its transfers, so several pages are in
    /// flight. On a software adapter one page occupies all cores, so only small pages are drawn together, and a preview
    /// with its marks. This also limits memory. Bands are small on a software adapter, so that the accumulator (8 MiB)
    /// stays in the processor's caches until it is read. On hardware each band costs several waits of all lanes. With
    /// bands of 8 megapixels, most pages at 600 DPI have one band.
    pub(super) const fn of(is_software: bool) -> Self {
        if is_software {
            Self { bytes: 24 << 20, readbacks: 40 << 20, in_flight: 2, pixels: 2 << 20, band_pixels: 2 << 20 }
        } else {
            Self { bytes: 512 << 20, readbacks: 256 << 20, in_flight: 6, pixels: 8 << 20, band_pixels: 8 << 20 }
        }
    }
}
