//! One device that is opened again when it fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::adapter::AdapterDescription;
use super::device_thread::{DeviceThread, DrawError, Drawing};
use super::error::GpuError;
use super::opening::Opening;
use crate::raster::Coverage;
use crate::scene::Scene;
use crate::telemetry;
use crate::work::IsWanted;

/// Longest wait for the device to close.
pub(super) const CLOSING_PATIENCE: Duration = Duration::from_secs(2);
/// Attempts to open a device in a row: a driver that restarts takes a moment.
const OPENINGS: u32 = 3;
/// Pause before the second attempt. The pause before the third is twice as long.
const PAUSE: Duration = Duration::from_millis(100);
/// Failures in a row, without a page in between, after which the device counts as away.
const MOST_FAILURES_IN_A_ROW: u32 = 8;
/// Time after which a device that is away is opened again.
const AWAY: Duration = Duration::from_secs(5);

/// The health of one device, or of all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceHealth {
    /// It draws.
    #[default]
    Working,
    /// It failed too often, or cannot be opened. It is tried again every few seconds while another device draws.
    Away,
    /// Every device is away.
    GivenUp,
}

/// A device and its health.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceStatus {
    /// The adapter that draws, or drew last, in words.
    pub adapter: AdapterDescription,
    /// Its health.
    pub health: DeviceHealth,
}

/// A device that replaces its thread after a failure.
#[derive(Debug)]
pub(super) struct SupervisedDevice {
    opening: Opening,
    state: Mutex<State>,
    /// Whether `state` has a thread; readable while another thread holds `state`.
    is_open: AtomicBool,
    /// Readable while the device is being opened.
    status: Mutex<DeviceStatus>,
    /// Pixels of the scenes it has been given.
    load: AtomicU64,
}

#[derive(Debug)]
struct State {
    thread: Option<Arc<DeviceThread>>,
    failures_in_a_row: u32,
    /// When a device that is away may be opened again, and why it is away.
    away: Option<(Instant, GpuError)>,
}

/// A scene that a device has been given, and counts in its load.
#[derive(Debug)]
pub(super) struct BegunDrawing<'a> {
    device: &'a SupervisedDevice,
    thread: Arc<DeviceThread>,
    drawing: Drawing,
    pixels: u64,
}

impl BegunDrawing<'_> {
    /// Blocks until the coverage is there or the device fails.
    pub(super) fn finish(self, is_wanted: IsWanted<'_>) -> Result<Coverage, DrawError> {
        let drawn = self.thread.finish(&self.drawing, is_wanted);
        drawn.inspect(|_| self.device.drew()).inspect_err(|error| self.device.failed(&self.thread, error))
    }
}

impl Drop for BegunDrawing<'_> {
    fn drop(&mut self) {
        self.drawing.is_cancelled.store(true, Ordering::Relaxed);
        self.device.load.fetch_sub(self.pixels, Ordering::Relaxed);
    }
}

impl SupervisedDevice {
    /// Opens the device. The error says why it is away.
    pub(super) fn open(opening: Opening) -> (Self, Option<GpuError>) {
        let status = DeviceStatus { adapter: AdapterDescription::unknown(), health: DeviceHealth::Working };
        let device = Self {
            opening,
            state: Mutex::new(State { thread: None, failures_in_a_row: 0, away: None }),
            is_open: AtomicBool::new(false),
            status: Mutex::new(status),
            load: AtomicU64::new(0),
        };
        let failure = device.open_once(&mut device.state.lock()).err();
        (device, failure)
    }

    /// The adapter and its health.
    pub(super) fn status(&self) -> DeviceStatus {
        self.status.lock().clone()
    }

    /// Whether the adapter needs no hardware. Unknown before it has been opened, and then taken for hardware.
    pub(super) fn is_software(&self) -> bool {
        self.status.lock().adapter.is_software()
    }

    /// Whether the device is open, or may be opened now and no other thread is opening it.
    pub(super) fn is_usable(&self) -> bool {
        self.is_open.load(Ordering::Relaxed) || self.state.try_lock().is_some_and(|state| !self.is_away(&state))
    }

    /// Pixels of the scenes that it has been given and has not drawn.
    pub(super) fn load(&self) -> u64 {
        self.load.load(Ordering::Relaxed)
    }

    /// Gives a scene to the device. Opens the device first, if it is closed.
    pub(super) fn begin(&self, scene: &Arc<Scene>) -> Result<BegunDrawing<'_>, DrawError> {
        let thread = self.thread().map_err(DrawError::Away)?;
        let drawing = thread.begin(scene).inspect_err(|error| self.failed(&thread, error))?;
        let pixels = scene.drawn_pixels() as u64;
        self.load.fetch_add(pixels, Ordering::Relaxed);
        Ok(BegunDrawing { device: self, thread, drawing, pixels })
    }

    /// Closes the device, unless that takes too long or the device is being opened.
    pub(super) fn close(&self) {
        let Some(mut state) = self.state.try_lock() else { return };
        if let Some(thread) = state.thread.take().and_then(Arc::into_inner) {
            thread.close(CLOSING_PATIENCE);
        }
    }

    /// The thread of the device, a new one if there is none.
    fn thread(&self) -> Result<Arc<DeviceThread>, GpuError> {
        let mut state = self.state.lock();
        if let Some(thread) = &state.thread {
            return Ok(Arc::clone(thread));
        }
        if let Some((_, reason)) = state.away.as_ref().filter(|_| self.is_away(&state)) {
            return Err(reason.clone());
        }
        for attempt in 1..OPENINGS {
            if let Ok(thread) = self.open_once(&mut state) {
                return Ok(thread);
            }
            std::thread::sleep(attempt * PAUSE);
        }
        self.open_once(&mut state).map_err(|error| self.leave(&mut state, &error))
    }

    /// Opens the device, if it can be opened.
    fn open_once(&self, state: &mut State) -> Result<Arc<DeviceThread>, GpuError> {
        let opened = DeviceThread::open(&self.opening)
            .inspect_err(|error| tracing::warn!(device = self.opening.number, %error, "no device could be opened"))?;
        telemetry::device_opened(self.opening.number);
        self.status.lock().adapter = opened.description.clone();
        let thread = Arc::new(opened);
        state.thread = Some(Arc::clone(&thread));
        self.is_open.store(true, Ordering::Relaxed);
        Ok(thread)
    }

    /// Counts the failure of a thread once, however many pages report it, if the error tells of one.
    fn failed(&self, failed: &Arc<DeviceThread>, error: &DrawError) {
        let error = match error {
            DrawError::Failed(GpuError::TooLarge { .. }) | DrawError::Away(_) | DrawError::Unwanted => return,
            DrawError::Failed(error) => error.clone(),
            DrawError::NeverBegun => GpuError::Failed("it failed on another page".to_owned()),
        };
        let mut state = self.state.lock();
        if state.thread.as_ref().is_none_or(|thread| !Arc::ptr_eq(thread, failed)) {
            return;
        }
        tracing::warn!(device = self.opening.number, %error, "the device failed and is opened again");
        telemetry::device_lost(self.opening.number);
        state.thread = None;
        self.is_open.store(false, Ordering::Relaxed);
        state.failures_in_a_row += 1;
        if state.failures_in_a_row > MOST_FAILURES_IN_A_ROW {
            let _ = self.leave(&mut state, &error);
        }
    }

    /// Marks the device as away, and returns the reason.
    fn leave(&self, state: &mut State, error: &GpuError) -> GpuError {
        let reason = GpuError::NoDevice(format!("it failed too often: {error}"));
        state.away = Some((self.opening.clock.monotonic() + AWAY, reason.clone()));
        let was = std::mem::replace(&mut self.status.lock().health, DeviceHealth::Away);
        if was != DeviceHealth::Away {
            tracing::error!(device = self.opening.number, %error, "the device failed too often: degraded");
        }
        reason
    }

    fn is_away(&self, state: &State) -> bool {
        state.away.as_ref().is_some_and(|(until, _)| self.opening.clock.monotonic() < *until)
    }

    fn drew(&self) {
        let mut state = self.state.lock();
        state.failures_in_a_row = 0;
        state.away = None;
        let mut status = self.status.lock();
        if status.health == DeviceHealth::Away {
            status.health = DeviceHealth::Working;
            tracing::info!(device = self.opening.number, "the device draws again");
        }
    }
}
