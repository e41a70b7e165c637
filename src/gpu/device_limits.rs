//! How much work one device has in in_flight.

use std::time::Duration;

/// What may be under way on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeviceLimits {
    /// Bytes of page buffers. One page alone may take more.
    pub(super) bytes: u64,
    /// Bytes of copies of pages that nobody reads any more, kept for the next: one of A4 at 600 DPI from edge to edge, or
    /// many.
    pub(super) copies: u64,
    /// Submissions. While one is drawn, the next is there already; more of them hide more of the way to the device.
    pub(super) in_flight: usize,
    /// Pixels that pages drawn together may have. One page alone may have more.
    pub(super) pixels: usize,
}

/// How often the owner of a device that draws looks whether there is something to put beside it.
pub(super) const LOOK: Duration = Duration::from_millis(2);

impl DeviceLimits {
    /// Pages in hardware take less time than their way there and back: many together, and many on the way. A software
    /// adapter has the cores busy with one page; it only gains where pages are small, and where they are not, two devices
    /// of it keep memory within bounds.
    pub(super) const fn of(is_software: bool) -> Self {
        if is_software {
            Self { bytes: 24 << 20, copies: 40 << 20, in_flight: 2, pixels: 1 << 20 }
        } else {
            Self { bytes: 512 << 20, copies: 256 << 20, in_flight: 6, pixels: 8 << 20 }
        }
    }
}
