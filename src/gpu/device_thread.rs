//! One open device and its thread, from opening to the first failure.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::adapter::AdapterDescription;
use super::error::GpuError;
use super::in_flight::InFlightTracker;
use super::opening::Opening;
use super::scene_renderer::SceneRenderer;
use super::submission_loop::{Job, SubmissionLoop, unwinding};
use crate::raster::Coverage;
use crate::scene::Scene;
use crate::work::IsWanted;

/// Scenes that may wait for the device. Each of the few render threads has at most those of one page.
const WAITING_SCENES: usize = 4096;
/// Longest time to open a device.
const OPENING_TIMEOUT: Duration = Duration::from_secs(60);
/// Interval at which a waiter checks whether the device hangs and whether the page is still wanted.
const WATCH: Duration = Duration::from_millis(20);

/// The only thread that submits, polls and maps. It ends with the first failure of its device, and closes it.
#[derive(Debug)]
pub(super) struct DeviceThread {
    jobs: SyncSender<Job>,
    opening: Opening,
    /// The adapter in words.
    pub(super) description: AdapterDescription,
    in_flight: Arc<InFlightTracker>,
    next_job: AtomicU64,
    thread: JoinHandle<()>,
}

/// A scene that the device has been given.
#[derive(Debug)]
pub(super) struct Drawing {
    number: u64,
    answer: Receiver<Result<Coverage, GpuError>>,
    /// Set when nobody waits for the scene any more.
    pub(super) is_cancelled: Arc<AtomicBool>,
}

/// The reason why a scene was not drawn.
#[derive(Debug)]
pub(super) enum DrawError {
    /// The device failed on this scene, or the scene is beyond its limits.
    Failed(GpuError),
    /// The device failed on an earlier scene.
    NeverBegun,
    /// There is no device.
    Away(GpuError),
    /// The client has disconnected.
    Unwanted,
}

impl DeviceThread {
    /// Opens a device on a thread of its own.
    pub(super) fn open(opening: &Opening) -> Result<Self, GpuError> {
        let (jobs, waiting) = sync_channel(WAITING_SCENES);
        let (opened, opening_outcome) = sync_channel(1);
        let in_flight = Arc::<InFlightTracker>::default();
        let (opening_of_thread, tracker) = (opening.clone(), Arc::clone(&in_flight));
        let thread = std::thread::Builder::new()
            .name(format!("gpu-{}", opening.number))
            .spawn(move || own_device(opening_of_thread, waiting, tracker, &opened))
            .map_err(|error| GpuError::NoDevice(format!("no thread for the device: {error}")))?;
        let description = match opening_outcome.recv_timeout(OPENING_TIMEOUT) {
            Ok(opened) => opened?,
            Err(RecvTimeoutError::Timeout) => return Err(GpuError::NoDevice("opening it does not end".to_owned())),
            Err(RecvTimeoutError::Disconnected) => return Err(GpuError::ShutDown),
        };
        let (opening, next_job) = (opening.clone(), AtomicU64::new(0));
        Ok(Self { jobs, opening, description, in_flight, next_job, thread })
    }

    /// Gives a scene to the device, unless it has failed.
    pub(super) fn begin(&self, scene: &Arc<Scene>) -> Result<Drawing, DrawError> {
        let number = self.next_job.fetch_add(1, Ordering::Relaxed);
        let (reply, answer) = sync_channel(1);
        let is_cancelled = Arc::<AtomicBool>::default();
        let job = Job { number, scene: Arc::clone(scene), is_cancelled: Arc::clone(&is_cancelled), reply };
        self.jobs.try_send(job).map_err(|_| DrawError::NeverBegun)?;
        Ok(Drawing { number, answer, is_cancelled })
    }

    /// Blocks until the coverage is there, or the device fails or hangs. An unwanted scene is dropped after its current
    /// piece.
    pub(super) fn finish(&self, drawing: &Drawing, is_wanted: IsWanted<'_>) -> Result<Coverage, DrawError> {
        loop {
            match drawing.answer.recv_timeout(WATCH) {
                Ok(outcome) => return outcome.map_err(DrawError::Failed),
                Err(RecvTimeoutError::Disconnected) => return Err(DrawError::NeverBegun),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !is_wanted() {
                return Err(DrawError::Unwanted);
            }
            let timeout = self.opening.options.timeout;
            let is_overdue = |since| self.opening.clock.monotonic().saturating_duration_since(since) > timeout;
            if self.in_flight.since().is_some_and(is_overdue) {
                self.in_flight.give_up();
                let is_cause = self.in_flight.is_at(drawing.number);
                return Err(if is_cause {
                    DrawError::Failed(GpuError::TimedOut(timeout))
                } else {
                    DrawError::NeverBegun
                });
            }
        }
    }

    /// Closes the device once the waiting scenes are drawn. Waits for at most `patience`.
    pub(super) fn close(self, patience: Duration) {
        let Self { jobs, thread, opening: Opening { clock, .. }, .. } = self;
        drop(jobs);
        let asked_at = clock.monotonic();
        while !thread.is_finished() && clock.monotonic().duration_since(asked_at) < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            // The waiters were answered, also after a panic.
            let _ = thread.join();
        }
    }
}

/// Opens the device and draws scenes until it fails.
fn own_device(
    opening: Opening,
    waiting: Receiver<Job>,
    in_flight: Arc<InFlightTracker>,
    opened: &SyncSender<Result<AdapterDescription, GpuError>>,
) {
    let renderer = unwinding(|| {
        opening.options.faults.next_opening()?;
        SceneRenderer::open(&opening.choice, opening.options.times_passes)
    });
    match renderer {
        Ok(renderer) => {
            let _ = opened.send(Ok(renderer.device.description.clone()));
            SubmissionLoop::run(renderer, waiting, in_flight, opening);
        }
        Err(error) => {
            // A panic while a device is opened means that there is no device.
            let error = if let GpuError::Failed(text) = error { GpuError::NoDevice(text) } else { error };
            // The receiver may have timed out.
            let _ = opened.send(Err(error));
        }
    }
}
