//! One open device and the thread that owns it, from its opening to its first failure.

use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::adapter::{AdapterChoice, AdapterDescription};
use super::error::GpuError;
use super::fault::{Fault, FaultPlan};
use super::painter::Painter;
use crate::clock::Clock;
use crate::raster::Coverage;
use crate::scene::Scene;

/// Scenes that may wait for the device. Every caller has one at a time, and callers are a few threads.
const WAITING_SCENES: usize = 4096;
/// Longest that opening a device may take.
const OPENING_TIMEOUT: Duration = Duration::from_secs(60);
/// How often a caller who waits looks whether the device hangs.
const WATCH: Duration = Duration::from_millis(100);
/// What a hanging driver is given beyond its time, so that the owner, who knows more, notices first.
const LENIENCY: Duration = Duration::from_millis(500);
/// How long a device that was asked to hang does.
const HANG: Duration = Duration::from_secs(3600);

/// The only thread that submits, polls and maps. It ends with the first failure of its device, and closes it.
#[derive(Debug)]
pub(super) struct Owner {
    jobs: SyncSender<Job>,
    description: AdapterDescription,
    /// Which job is being drawn since when.
    drawing: Arc<Mutex<Option<(u64, Instant)>>>,
    next_job: AtomicU64,
    thread: JoinHandle<()>,
    timeout: Duration,
    clock: Clock,
}

/// How a device is opened and watched.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub(super) choice: AdapterChoice,
    /// Longest that drawing one page may take.
    pub(super) timeout: Duration,
    pub(super) faults: FaultPlan,
    pub(super) clock: Clock,
}

/// A scene that was not drawn.
#[derive(Debug)]
pub(super) enum Undrawn {
    /// The device failed on it, or it is beyond the device.
    Failed(GpuError),
    /// The device failed on another before it was this one's turn.
    NeverBegun,
}

struct Job {
    number: u64,
    scene: Arc<Scene>,
    reply: SyncSender<Result<Coverage, GpuError>>,
}

impl Owner {
    /// Opens a device on a thread of its own.
    pub(super) fn open(opening: &Opening) -> Result<Self, GpuError> {
        let (jobs, waiting) = sync_channel(WAITING_SCENES);
        let (opened, told) = sync_channel(1);
        let drawing = Arc::default();
        let (for_thread, seen) = (opening.clone(), Arc::clone(&drawing));
        let thread = std::thread::Builder::new()
            .name("gpu".to_owned())
            .spawn(move || own_device(&for_thread, waiting, &seen, &opened))
            .map_err(|error| GpuError::NoDevice(format!("no thread for the device: {error}")))?;
        let description = match told.recv_timeout(OPENING_TIMEOUT) {
            Ok(opened) => opened?,
            Err(RecvTimeoutError::Timeout) => return Err(GpuError::NoDevice("opening it does not end".to_owned())),
            Err(RecvTimeoutError::Disconnected) => return Err(GpuError::ShutDown),
        };
        let (timeout, clock) = (opening.timeout, opening.clock.clone());
        Ok(Self { jobs, description, drawing, next_job: AtomicU64::new(0), thread, timeout, clock })
    }

    /// The adapter in words.
    pub(super) const fn adapter(&self) -> &AdapterDescription {
        &self.description
    }

    /// Draws a scene; blocks until its coverage is there, or the device failed or hangs.
    pub(super) fn draw(&self, scene: &Arc<Scene>) -> Result<Coverage, Undrawn> {
        let number = self.next_job.fetch_add(1, Ordering::Relaxed);
        let (reply, answer) = sync_channel(1);
        if self.jobs.try_send(Job { number, scene: Arc::clone(scene), reply }).is_err() {
            return Err(Undrawn::NeverBegun);
        }
        loop {
            match answer.recv_timeout(WATCH) {
                Ok(outcome) => return outcome.map_err(Undrawn::Failed),
                Err(RecvTimeoutError::Disconnected) => return Err(Undrawn::NeverBegun),
                Err(RecvTimeoutError::Timeout) => {}
            }
            match *lock(&self.drawing) {
                Some((hanging, since)) if self.is_overdue(since) => {
                    let is_own = hanging == number;
                    return Err(if is_own {
                        Undrawn::Failed(GpuError::TimedOut(self.timeout))
                    } else {
                        Undrawn::NeverBegun
                    });
                }
                _ => {}
            }
        }
    }

    /// Closes the device as soon as the scenes that wait are drawn, and waits so long for that.
    pub(super) fn close(self, patience: Duration) {
        let Self { jobs, thread, clock, .. } = self;
        drop(jobs);
        let asked_at = clock.monotonic();
        while !thread.is_finished() && clock.monotonic().duration_since(asked_at) < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        if thread.is_finished() {
            // A panic of the thread has been answered to every caller already.
            let _ = thread.join();
        }
    }

    fn is_overdue(&self, since: Instant) -> bool {
        self.clock.monotonic().saturating_duration_since(since) > self.timeout + LENIENCY
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Draws what comes until nobody can send any more, or the device fails.
fn own_device(
    opening: &Opening,
    waiting: Receiver<Job>,
    drawing: &Mutex<Option<(u64, Instant)>>,
    opened: &SyncSender<Result<AdapterDescription, GpuError>>,
) {
    let open = || opening.faults.next_opening().and_then(|()| Painter::open(opening.choice, opening.timeout));
    let painter = catch_unwind(AssertUnwindSafe(open));
    let mut painter = match painter.unwrap_or_else(|panic| Err(GpuError::NoDevice(panic_text(panic.as_ref())))) {
        Ok(painter) => painter,
        Err(error) => {
            // Whoever opens waits for this answer, or has given up.
            let _ = opened.send(Err(error));
            return;
        }
    };
    let _ = opened.send(Ok(painter.adapter().clone()));
    while let Ok(Job { number, scene, reply }) = waiting.recv() {
        *lock(drawing) = Some((number, opening.clock.monotonic()));
        let outcome = catch_unwind(AssertUnwindSafe(|| draw(&mut painter, &scene, &opening.faults)))
            .unwrap_or_else(|panic| Err(GpuError::Failed(panic_text(panic.as_ref()))));
        *lock(drawing) = None;
        let has_failed = !matches!(outcome, Ok(_) | Err(GpuError::TooLarge { .. }));
        // The caller may have gone away; its page was then drawn for nobody.
        let _ = reply.send(outcome);
        if has_failed {
            // Those who wait are told by this, before a device that may hang is closed.
            drop(waiting);
            return;
        }
    }
}

fn draw(painter: &mut Painter, scene: &Scene, faults: &FaultPlan) -> Result<Coverage, GpuError> {
    match faults.next_drawing() {
        Some(Fault::Loss) => painter.lose_device(),
        #[expect(clippy::panic, reason = "a panic is what was asked for")]
        Some(Fault::Panic) => panic_any("a fault that was asked for"),
        Some(Fault::Hang) => std::thread::sleep(HANG),
        Some(Fault::Memory) => return Err(GpuError::Failed("out of memory: a fault that was asked for".to_owned())),
        Some(Fault::Adapter) | None => {}
    }
    painter.draw(scene)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic without a message".to_owned())
}
