//! Threads that make pages, behind a bounded queue.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use super::artifact::{Artifact, Preview};
use super::error::{RenderError, StartError};
use super::stages::{Stage, StageTimes};
use super::studio::Studio;
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::encode::OutputProfiles;
use crate::gpu::AdapterDescription;
use crate::spec::RenderSpec;

/// When a caller who found the queue full should try again.
const RETRY_AFTER_SECONDS: u64 = 1;

/// How large the pool is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolOptions {
    /// Threads. One more than there are cores keeps all of them busy while one waits for the device.
    pub threads: usize,
    /// Pages that may wait for a thread.
    pub queue: usize,
}

impl Default for PoolOptions {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        Self { threads: cores + 1, queue: 256 }
    }
}

/// What became of a page, and how long its stages took, those before a failure included.
#[derive(Debug)]
pub struct Rendered<T> {
    /// The page, or why there is none.
    pub outcome: Result<T, RenderError>,
    /// As far as they were met.
    pub stages: StageTimes,
}

impl<T> From<RenderError> for Rendered<T> {
    /// A page that met no stage.
    fn from(error: RenderError) -> Self {
        Self { outcome: Err(error), stages: StageTimes::default() }
    }
}

/// A studio with threads. Dropped, it finishes the pages that wait and closes the device.
pub struct RenderPool {
    studio: Arc<Studio>,
    jobs: Option<SyncSender<Job>>,
    depth: Arc<AtomicUsize>,
    limit: usize,
    threads: Vec<JoinHandle<()>>,
}

/// Work for one thread: makes a page and answers its caller.
type Job = Box<dyn FnOnce(&Studio) + Send>;

impl RenderPool {
    /// Opens the device and starts the threads.
    ///
    /// # Errors
    /// When there is no adapter, or the system gives no thread.
    pub fn start(
        options: PoolOptions,
        catalogue: Arc<FontCatalogue>,
        profiles: OutputProfiles,
        clock: Clock,
    ) -> Result<Self, StartError> {
        let (jobs, waiting) = sync_channel(options.queue);
        let mut pool = Self {
            studio: Arc::new(Studio::open(catalogue, profiles, clock)?),
            jobs: Some(jobs),
            depth: Arc::default(),
            limit: options.queue + options.threads.max(1),
            threads: Vec::new(),
        };
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..options.threads.max(1) {
            let (studio, waiting) = (Arc::clone(&pool.studio), Arc::clone(&waiting));
            let thread = std::thread::Builder::new().name(format!("page-{number}"));
            pool.threads.push(thread.spawn(move || work(&studio, &waiting))?);
        }
        Ok(pool)
    }

    /// Makes a page on one of the pool's threads.
    ///
    /// # Errors
    /// [`RenderError::Overloaded`] at once where too many pages wait; otherwise as [`Studio::generate`].
    pub async fn generate(&self, spec: RenderSpec) -> Rendered<Artifact> {
        self.run(move |studio, times| studio.generate(&spec, times)).await
    }

    /// Makes a preview on one of the pool's threads.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub async fn preview(&self, spec: RenderSpec) -> Rendered<Preview> {
        self.run(move |studio, times| studio.preview(&spec, times)).await
    }

    async fn run<T: Send + 'static>(
        &self,
        make: impl FnOnce(&Studio, &mut StageTimes) -> Result<T, RenderError> + Send + 'static,
    ) -> Rendered<T> {
        let (reply, answer) = oneshot::channel();
        let Some(jobs) = &self.jobs else { return shut_down().into() };
        let asked_at = self.studio.clock().monotonic();
        let counted = Counted::in_queue(&self.depth);
        let job = Box::new(move |studio: &Studio| {
            // A caller who has gone away costs nothing more, and one who goes away meanwhile is not missed.
            if !reply.is_closed() {
                let mut stages = StageTimes::default();
                stages.add(Stage::Queue, studio.clock().monotonic().duration_since(asked_at));
                let outcome = without_panic(|| make(studio, &mut stages));
                // A page that its caller has is not in the queue any more.
                drop(counted);
                let _ = reply.send(Rendered { outcome, stages });
            }
        });
        if let Err(refused) = jobs.try_send(job) {
            let error = match refused {
                TrySendError::Full(_) => RenderError::Overloaded { retry_after_seconds: RETRY_AFTER_SECONDS },
                TrySendError::Disconnected(_) => shut_down(),
            };
            return error.into();
        }
        answer.await.unwrap_or_else(|_| shut_down().into())
    }

    /// Makes a page on the calling thread, which must not be one of an async runtime.
    ///
    /// # Errors
    /// As [`Studio::generate`].
    pub fn generate_blocking(&self, spec: &RenderSpec) -> Result<Artifact, RenderError> {
        without_panic(|| self.studio.generate(spec, &mut StageTimes::default()))
    }

    /// Pages that wait or are being made.
    #[must_use]
    pub fn queue_depth(&self) -> usize {
        self.depth.load(Ordering::Relaxed)
    }

    /// Pages that may wait or be made before further ones are refused.
    #[must_use]
    pub const fn queue_limit(&self) -> usize {
        self.limit
    }

    /// The adapter in words.
    #[must_use]
    pub fn adapter(&self) -> &AdapterDescription {
        self.studio.adapter()
    }
}

impl Drop for RenderPool {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // Panics are caught per page; a thread has nothing left to say.
            let _ = thread.join();
        }
    }
}

/// One of the pages that wait or are being made.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn in_queue(depth: &Arc<AtomicUsize>) -> Self {
        depth.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(depth))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn shut_down() -> RenderError {
    RenderError::DeviceUnavailable("the service is shutting down".to_owned())
}

/// Makes pages until the pool is dropped.
fn work(studio: &Studio, waiting: &Mutex<Receiver<Job>>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        job(studio);
    }
}

/// Makes a page; a panic costs this page only.
fn without_panic<T>(make: impl FnOnce() -> Result<T, RenderError>) -> Result<T, RenderError> {
    catch_unwind(AssertUnwindSafe(make))
        .unwrap_or_else(|_| Err(RenderError::Failed("a panic while the page was made".to_owned())))
}
