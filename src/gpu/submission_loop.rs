//! The loop of a device thread.
//!
//! Input: scenes from a channel. Output: an answer per scene. The loop takes scenes, gathers small ones, keeps several
//! submissions in flight and completes the first. A scene that is drawn at once becomes the first where the first is
//! drawn in pieces. The loop ends when the device fails. It does not open or replace devices.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Duration;

use super::device_limits::LOOK;
use super::encoders::PIECE_PIXELS;
use super::error::GpuError;
use super::fault::Fault;
use super::in_flight::InFlightTracker;
use super::opening::Opening;
use super::scene_renderer::{InFlight, SceneRenderer};
use crate::raster::Coverage;
use crate::scene::Scene;

/// Longest wait for the device before the loop checks again whether its waiters have given it up.
const SLICE: Duration = Duration::from_millis(20);

/// A scene to be drawn.
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) scene: Arc<Scene>,
    /// Whether the waiter has gone.
    pub(super) is_cancelled: Arc<AtomicBool>,
    pub(super) reply: SyncSender<Result<Coverage, GpuError>>,
}

/// The state of the loop. Dropping it answers the remaining waiters first, and then closes the device, which may hang.
pub(super) struct SubmissionLoop {
    waiting: Receiver<Job>,
    /// Scenes received and not begun.
    held: VecDeque<Job>,
    /// The first of them if it was about to begin, and has a fault that waits until nothing else is in flight.
    faulty: Option<(Job, Fault)>,
    /// Submissions and their waiters, in the order in which they are completed.
    in_flight: VecDeque<(Vec<Job>, InFlight)>,
    renderer: SceneRenderer,
    tracker: Arc<InFlightTracker>,
    opening: Opening,
}

/// All senders are gone, or the device failed and its waiters were answered.
struct Ended;

impl SubmissionLoop {
    /// Draws the scenes of `waiting` until all senders are gone, or the device fails. The waiters give the device up
    /// after the longest time of a page.
    pub(super) fn run(
        renderer: SceneRenderer,
        waiting: Receiver<Job>,
        tracker: Arc<InFlightTracker>,
        opening: Opening,
    ) {
        let (held, in_flight) = (VecDeque::new(), VecDeque::new());
        let mut own = Self { waiting, held, faulty: None, in_flight, renderer, tracker, opening };
        while own.step().is_ok() {}
    }

    /// Begins the next scenes, or else waits for the oldest submission.
    fn step(&mut self) -> Result<(), Ended> {
        self.receive();
        let Some((job, fault)) = self.next_job() else {
            let patience = if self.is_open() || self.is_divided() { LOOK } else { SLICE };
            return if self.in_flight.is_empty() { Err(Ended) } else { self.complete_first(patience) };
        };
        let batch = self.batch(job, fault);
        self.begin(batch, fault)
    }

    /// Takes all scenes that wait, and drops those whose waiters have gone. Blocks only while there is nothing else to do.
    fn receive(&mut self) {
        let is_wanted = |job: &Job| !job.is_cancelled.load(Ordering::Relaxed);
        self.held.retain(is_wanted);
        while self.in_flight.is_empty() && self.held.is_empty() && self.faulty.is_none() {
            let Ok(job) = self.waiting.recv() else { return };
            self.held.extend(Some(job).filter(is_wanted));
        }
        self.held.extend(self.waiting.try_iter().filter(is_wanted));
    }

    /// The first scene, if it can be submitted now, or else one that goes ahead.
    fn next_job(&mut self) -> Option<(Job, Option<Fault>)> {
        if self.in_flight.is_empty()
            && let Some((job, fault)) = self.faulty.take()
        {
            return Some((job, Some(fault)));
        }
        let may_be_first = |at: usize| at == 0 && self.faulty.is_none();
        let mut held = self.held.iter().enumerate();
        let next = held.find(|(at, job)| (may_be_first(*at) && self.can_begin(job)) || self.goes_ahead(job));
        let (at, _) = next?;
        let job = self.held.remove(at)?;
        match self.opening.options.faults.next_drawing() {
            Some(fault) if !self.in_flight.is_empty() && self.faulty.is_none() => {
                self.faulty = Some((job, fault));
                None
            }
            fault => Some((job, fault)),
        }
    }

    /// Whether another submission may be in flight.
    fn is_open(&self) -> bool {
        self.in_flight.len() < self.renderer.limits().in_flight
    }

    /// Whether the first submission is drawn in pieces, and not all of them are submitted.
    fn is_divided(&self) -> bool {
        self.in_flight.front().is_some_and(|(_, in_flight)| in_flight.is_divided())
    }

    /// Whether the scene is drawn before the rest of the first submission: it is drawn at once, and that one is not.
    /// One such scene may be in flight beyond the limit.
    fn goes_ahead(&self, job: &Job) -> bool {
        let has_place = self.in_flight.len() <= self.renderer.limits().in_flight;
        has_place && self.is_divided() && is_drawn_at_once(&job.scene)
    }

    /// Whether the scene can be submitted now.
    fn can_begin(&self, job: &Job) -> bool {
        self.in_flight.is_empty() || (self.is_open() && self.renderer.has_room(&job.scene))
    }

    /// The scene together with waiting scenes that can share its submission: those that are drawn at once, as it is. A
    /// scene in pieces would hold the others up.
    fn batch(&mut self, first: Job, fault: Option<Fault>) -> Vec<Job> {
        let most = self.renderer.limits().pixels;
        let mut pixels = first.scene.drawn_pixels();
        let mut batch = vec![first];
        let is_alone = fault.is_some() || !is_drawn_at_once(&batch[0].scene);
        let can_join = |job: &&Job| !is_alone && is_drawn_at_once(&job.scene);
        while let Some(next) = self.held.front().filter(|job| self.faulty.is_none() && can_join(job)) {
            pixels = pixels.saturating_add(next.scene.drawn_pixels());
            if pixels > most {
                break;
            }
            let Some(job) = self.held.pop_front() else { break };
            match self.opening.options.faults.next_drawing() {
                Some(fault) => self.faulty = Some((job, fault)),
                None => batch.push(job),
            }
        }
        batch
    }

    /// Submits scenes.
    fn begin(&mut self, mut batch: Vec<Job>, fault: Option<Fault>) -> Result<(), Ended> {
        let ahead = batch.iter().all(|job| self.goes_ahead(job));
        self.tracker.begin(batch.iter().map(|job| job.number).collect(), ahead, self.opening.clock.monotonic());
        let scenes: Vec<Arc<Scene>> = batch.iter().map(|job| Arc::clone(&job.scene)).collect();
        let renderer = &mut self.renderer;
        let begun = unwinding(|| {
            fault.map_or(Ok(()), |fault| fault.strike(renderer))?;
            renderer.begin(&scenes)
        });
        match begun {
            Ok(in_flight) => {
                let place = if ahead { 0 } else { self.in_flight.len() };
                self.in_flight.insert(place, (batch, in_flight));
                Ok(())
            }
            Err(error @ GpuError::TooLarge { .. }) => {
                self.tracker.withdraw(ahead);
                if batch.len() > 1 {
                    // One of them is too large. Drawing each alone shows which.
                    for job in batch {
                        self.begin(vec![job], None)?;
                        while !self.in_flight.is_empty() {
                            self.complete_first(SLICE)?;
                        }
                    }
                } else {
                    answer(batch, || Err(error.clone()));
                }
                Ok(())
            }
            Err(error) => {
                // The first submission may be the cause as well.
                batch.extend(self.in_flight.pop_front().into_iter().flat_map(|(waiters, _)| waiters));
                answer(batch, || Err(error.clone()));
                Err(Ended)
            }
        }
    }

    /// Waits for the first submission for at most `patience`, and answers its waiters when it is done.
    fn complete_first(&mut self, patience: Duration) -> Result<(), Ended> {
        let Some((waiters, in_flight)) = self.in_flight.front_mut() else { return Ok(()) };
        let renderer = &mut self.renderer;
        let is_cancelled = || waiters.iter().all(|job| job.is_cancelled.load(Ordering::Relaxed));
        let waited = unwinding(|| renderer.wait(in_flight, patience, &is_cancelled));
        if waited == Ok(false) && !self.tracker.is_given_up() {
            return Ok(());
        }
        let Some((waiters, in_flight)) = self.in_flight.pop_front() else { return Ok(()) };
        let outcome = match waited {
            Ok(true) => unwinding(|| renderer.finish(in_flight)),
            Ok(false) => Err(GpuError::TimedOut(self.opening.options.timeout)),
            Err(error) => Err(error),
        };
        match outcome {
            Ok(pages) => {
                self.tracker.end(self.opening.clock.monotonic());
                let mut pages = pages.into_iter();
                answer(waiters, || pages.next().ok_or_else(|| GpuError::Failed("a page was not drawn".to_owned())));
                Ok(())
            }
            Err(error) => {
                answer(waiters, || Err(error.clone()));
                Err(Ended)
            }
        }
    }
}

/// Whether the scene is drawn in one piece.
fn is_drawn_at_once(scene: &Scene) -> bool {
    scene.drawn_pixels() <= PIECE_PIXELS && scene.bands.iter().all(|band| band.portions.len() <= 1)
}

/// Answers the waiters in order. A waiter may have gone.
fn answer(waiters: Vec<Job>, mut outcome: impl FnMut() -> Result<Coverage, GpuError>) {
    for waiter in waiters {
        let _ = waiter.reply.send(outcome());
    }
}

/// Turns a panic into a failure of the device, because wgpu panics when a device is lost.
pub(super) fn unwinding<T>(work: impl FnOnce() -> Result<T, GpuError>) -> Result<T, GpuError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(GpuError::Failed(panic_text(panic.as_ref()))))
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{TryRecvError, sync_channel};

    use super::*;
    use crate::catalogue::FontCatalogue;
    use crate::clock::Clock;
    use crate::gpu::adapter::AdapterChoice;
    use crate::layout::lay_out;
    use crate::mesh::MeshCache;
    use crate::scene::{RenderParams, compose};
    use crate::spec::{Endpoint, parse_value};

    /// A small page of bent letters, in portions of at most `most` corners.
    fn scene(text: &str, most: usize) -> Scene {
        let (catalogue, meshes) = (FontCatalogue::load().unwrap(), MeshCache::default());
        let request = serde_json::json!({"text": text, "page_size": "a6", "enable_writer_variation": true});
        let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
        let params = RenderParams::of(&spec, spec.dpi.scale());
        let layout = lay_out(&spec, &catalogue).unwrap();
        compose(&layout, &params, &catalogue, &meshes, usize::MAX).unwrap().bent_in_portions(most)
    }

    #[test]
    fn a_small_page_that_comes_with_one_in_pieces_is_done_before_it() {
        let (sender, waiting) = sync_channel(2);
        let replies = [(1, scene(&"All work and no play ".repeat(20), 20)), (2, scene("Hello", usize::MAX))];
        let [of_pieces, small] = replies.map(|(number, scene)| {
            let (reply, answer) = sync_channel(1);
            sender.send(Job { number, scene: Arc::new(scene), is_cancelled: Arc::default(), reply }).unwrap();
            answer
        });
        drop(sender);
        std::thread::spawn(move || {
            let renderer = SceneRenderer::open(&AdapterChoice::MostCapable, false).unwrap();
            let (choice, options, clock) = (AdapterChoice::MostCapable, Arc::default(), Clock::system());
            let opening = Opening { number: 0, choice, options, clock };
            SubmissionLoop::run(renderer, waiting, Arc::default(), opening);
        });
        assert!(small.recv().unwrap().is_ok());
        assert!(matches!(of_pieces.try_recv(), Err(TryRecvError::Empty)), "they shared a submission");
        assert!(of_pieces.recv().unwrap().is_ok());
    }
}
