//! Render threads behind a bounded and fair queue. Jobs can be cancelled at any time.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::oneshot;

use super::fair_queue::{Job, JobId};
use super::heartbeat::{HangingPage, Heartbeat};
use super::job_queue::{JobQueue, QueueStatus, shut_down};
use super::job_request::{JobKind, JobRequest, RejectReason, Tenant};
use super::running_job::{Client, Rendered, Taken, Task, without_panic};
use super::work_budget::WorkBudget;
use crate::catalogue::{FontCatalogue, FontId};
use crate::clock::Clock;
use crate::encode::{OutputProfiles, PdfPage};
use crate::gpu::{DeviceHealth, DeviceOptions, DeviceStatus, FaultPlan};
use crate::pipeline::cost::Cost;
use crate::pipeline::engine::production::Production;
use crate::pipeline::engine::warm_up::warm_up;
use crate::pipeline::engine::{Engine, PREVIEW_WIDTH};
use crate::pipeline::error::{RenderError, StartError};
use crate::pipeline::file_part::{FileStart, PartSink};
use crate::pipeline::prepare::Aim;
use crate::pipeline::prepare::preflight::Preflight;
use crate::pipeline::rendered_file::{DrawnPages, Preview, PreviewMark, RenderedFile};
use crate::pipeline::specimens::layouts::SpecimenWords;
use crate::pipeline::stages::{Stage, StageTimes};
use crate::spec::RenderSpec;

/// Longest wait for running pages when the pool is dropped. Threads that still wait for a device are left behind.
const LAST_PATIENCE: Duration = Duration::from_secs(1);

/// Time after which a page thread counts as hanging that has a job and has not asked whether its page is still wanted.
/// All stages ask several times per second, and none works longer than some seconds without asking, so a thread that is
/// silent for so long on a busy machine is in an endless loop.
const HANGS_AFTER: Duration = Duration::from_secs(60);

/// Largest number of pixels in progress, per thread: an A4 page at 600 DPI. A page takes up to 4 bytes per pixel.
const MEGAPIXELS_PER_THREAD: f64 = 35.0;

/// The tenant of specimens, which belong to no key.
const SPECIMENS: &str = "specimens";

/// The size of the pool and its devices.
#[derive(Clone, Debug)]
pub struct PoolOptions {
    /// Render threads with one GPU. One thread more than cores keeps all cores busy while one thread waits for the
    /// device. Each further GPU adds a thread; a software device adds none, because it draws on the same cores.
    pub threads: usize,
    /// Cost of the jobs that may wait.
    pub queue: Cost,
    /// Longest time that a page may wait for a thread.
    pub longest_wait: Duration,
    /// The devices that draw, and their options.
    pub device: DeviceOptions,
    /// Whether the devices are opened. Without them, only specifications that
    /// [need no device](RenderSpec::needs_device) can be made.
    pub opens_device: bool,
    /// Whether the first thread renders pages at the start, so that no client waits for one-time work.
    pub warms_up: bool,
}

impl Default for PoolOptions {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
        Self {
            threads: cores + 1,
            queue: Cost::new(2048.0),
            longest_wait: Duration::from_secs(10),
            device: DeviceOptions::default(),
            opens_device: true,
            warms_up: false,
        }
    }
}

/// An engine with threads. Dropping it finishes the waiting pages and closes the device, but waits only for seconds.
pub struct RenderPool {
    engine: Arc<Engine>,
    jobs: Arc<JobQueue<Task>>,
    threads: Vec<JoinHandle<()>>,
    /// Of each thread.
    heartbeats: Vec<Arc<Heartbeat>>,
    hangs_after: Duration,
    /// The work of free calls.
    free_work: Arc<WorkBudget>,
}

impl RenderPool {
    /// Opens the devices and starts the threads.
    ///
    /// # Errors
    /// When there is no adapter, or the system gives no thread.
    pub fn start(
        options: PoolOptions,
        catalogue: Arc<FontCatalogue>,
        profiles: OutputProfiles,
        clock: Clock,
    ) -> Result<Self, StartError> {
        let faults = options.device.faults.clone();
        let engine = Arc::new(if options.opens_device {
            Engine::open_with(options.device, catalogue, profiles, clock)?
        } else {
            Engine::without_device(catalogue, profiles, clock)
        });
        let most_pixels = Cost::new(MEGAPIXELS_PER_THREAD * options.threads.max(1) as f64);
        let jobs = Arc::new(JobQueue::new(options.queue, options.longest_wait, most_pixels));
        let (threads, heartbeats) = (Vec::new(), Vec::new());
        let hangs_after = faults.hangs_after().unwrap_or(HANGS_AFTER);
        let free_work = Arc::new(WorkBudget::new(engine.clock.clone()));
        let mut pool = Self { engine, jobs, threads, heartbeats, hangs_after, free_work };
        let gpus = pool.engine.devices().iter().filter(|device| !device.adapter.is_software()).count();
        let waiting = gpus.saturating_sub(1);
        for number in 0..options.threads.max(1) + waiting {
            let (engine, jobs) = (Arc::clone(&pool.engine), Arc::clone(&pool.jobs));
            let thread = std::thread::Builder::new().name(format!("page-{number}"));
            let warms_up = options.warms_up && number == 0;
            let heartbeat = Heartbeat::new(pool.engine.clock.clone());
            pool.heartbeats.push(Arc::clone(&heartbeat));
            let faults = faults.clone();
            pool.threads.push(thread.spawn(move || {
                if warms_up && let Err(error) = without_panic(|| warm_up(&engine)) {
                    tracing::warn!(%error, "the first pages, which warm the service up, failed");
                }
                work(&engine, &jobs, &heartbeat, &faults);
            })?);
            pool.jobs.worker_started();
        }
        Ok(pool)
    }

    /// Makes a page on one of the pool's threads, in the tenant's turn. Dropping the future cancels the page: a waiting
    /// page leaves the queue, a running one ends soon.
    ///
    /// # Errors
    /// [`RenderError::Overloaded`] at once if there is no room or the wait would be too long, and after the longest
    /// wait; otherwise as [`Engine::generate`].
    pub async fn generate(&self, spec: RenderSpec, tenant: Tenant) -> Rendered<RenderedFile> {
        let request = self.page_request(&spec, tenant);
        self.run(request, move |production| production.generate(&spec)).await
    }

    /// Makes a file on one of the pool's threads, in the tenant's turn, and answers with its first part. Further parts
    /// go to `sink`, which is dropped before the end of the file if a later page fails.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub async fn generate_file(
        &self,
        spec: RenderSpec,
        tenant: Tenant,
        sink: Box<dyn PartSink>,
    ) -> Rendered<FileStart> {
        let request = self.page_request(&spec, tenant);
        self.run_in_parts(request, Some(sink), move |production, client| {
            production.generate_file(&spec, &mut |part| client.give(part))?;
            Ok(None)
        })
        .await
    }

    /// Makes a preview on one of the pool's threads. Previews may fill half of the queue.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub async fn preview(&self, spec: RenderSpec, mark: PreviewMark, tenant: Tenant) -> Rendered<Preview> {
        let scale = f64::from(PREVIEW_WIDTH) / spec.page.px().width.get();
        let cost = Cost::of_preview(&spec, &self.engine.catalogue(), PREVIEW_WIDTH);
        let request = JobRequest { tenant, kind: JobKind::Preview, cost, pixels: Cost::of_all_pixels(&spec, scale) };
        self.run(request, move |production| production.preview(&spec, mark)).await
    }

    /// Reports what a file would be on one of the pool's threads, in the tenant's turn. It counts as a preview.
    ///
    /// # Errors
    /// Where the request is not to blame: as [`generate`](Self::generate).
    pub async fn preflight(&self, spec: RenderSpec, tenant: Tenant) -> Rendered<Preflight> {
        let cost = Cost::of_preview(&spec, &self.engine.catalogue(), PREVIEW_WIDTH);
        let request = JobRequest { tenant, kind: JobKind::Preview, cost, pixels: Cost::ZERO };
        self.run(request, move |production| {
            // Only the layout is paid for, which the estimate covers; the drawing that is checked is not done.
            production.control.report_cost = &|_| ();
            production.preflight(&spec)
        })
        .await
    }

    /// Makes the specimen of a font on one of the pool's threads, with writer variation if it `varies`.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub async fn specimen(&self, font: FontId, varies: bool) -> Rendered<Vec<u8>> {
        let (cost, pixels) = (Cost::SPECIMEN, Cost::SPECIMEN);
        let request = JobRequest { tenant: Tenant::from(SPECIMENS), kind: JobKind::Preview, cost, pixels };
        self.run(request, move |production| production.specimen(font, varies)).await
    }

    /// Makes the picture of these words in all fonts, in the tenant's turn.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub async fn specimen_words(&self, words: SpecimenWords, tenant: Tenant) -> Rendered<Vec<u8>> {
        let cost = if words.varies { Cost::VARIED_SPECIMEN_WORDS } else { Cost::SPECIMEN_WORDS };
        let request = JobRequest { tenant, kind: JobKind::Preview, cost, pixels: Cost::SPECIMEN_WORDS };
        self.run(request, move |production| production.specimen_words(&words)).await
    }

    /// Makes a file in the tenant's turn, while no page is asked for. Dropping the future cancels it.
    ///
    /// # Errors
    /// As [`Engine::generate`].
    pub async fn generate_in_background(&self, spec: RenderSpec, tenant: Tenant) -> Rendered<RenderedFile> {
        let request = JobRequest { kind: JobKind::Background, ..self.page_request(&spec, tenant) };
        self.run(request, move |production| production.generate(&spec)).await
    }

    /// Lays out what [`generate_in_background`](Self::generate_in_background) would make. The file has no bytes.
    ///
    /// # Errors
    /// As there, save that no device fails.
    pub async fn lay_out_in_background(&self, spec: RenderSpec, tenant: Tenant) -> Rendered<RenderedFile> {
        self.lay_out_as(JobKind::Background, spec, tenant).await
    }

    /// Lays out what [`generate`](Self::generate) would make, in the tenant's turn. It counts as a preview. The file has
    /// no bytes.
    ///
    /// # Errors
    /// As there, save that no device fails.
    pub async fn lay_out(&self, spec: RenderSpec, tenant: Tenant) -> Rendered<RenderedFile> {
        self.lay_out_as(JobKind::Preview, spec, tenant).await
    }

    async fn lay_out_as(&self, kind: JobKind, spec: RenderSpec, tenant: Tenant) -> Rendered<RenderedFile> {
        let cost = Cost::of_preview(&spec, &self.engine.catalogue(), PREVIEW_WIDTH);
        let request = JobRequest { tenant, kind, cost, pixels: Cost::ZERO };
        self.run(request, move |production| {
            let sheet = production.prepare(&spec, Aim::File)?;
            sheet.file().ok_or_else(RenderError::without_page)
        })
        .await
    }

    fn page_request(&self, spec: &RenderSpec, tenant: Tenant) -> JobRequest {
        let cost = Cost::of_file(spec, &self.engine.catalogue());
        let pixels = Cost::of_all_pixels(spec, spec.drawn_dpi().scale().get());
        JobRequest { tenant, kind: JobKind::Page, cost, pixels }
    }

    async fn run<T: Send + 'static>(
        &self,
        request: JobRequest,
        make: impl FnOnce(&mut Production<'_>) -> Result<T, RenderError> + Send + 'static,
    ) -> Rendered<T> {
        self.run_in_parts(request, None, move |production, _| make(production).map(Some)).await
    }

    async fn run_in_parts<T: Send + 'static>(
        &self,
        request: JobRequest,
        sink: Option<Box<dyn PartSink>>,
        make: impl FnOnce(&mut Production<'_>, &Client<T>) -> Result<Option<T>, RenderError> + Send + 'static,
    ) -> Rendered<T> {
        // Specimens of fonts are drawn once, and kept for all keys.
        let pays = request.kind == JobKind::Preview && request.tenant != Tenant::from(SPECIMENS);
        let payer = pays.then(|| (Arc::clone(&self.free_work), request.tenant.clone()));
        if let Some(Err(retry_after_seconds)) = payer.as_ref().map(|(budget, tenant)| budget.check(tenant)) {
            return RenderError::WorkSpent { retry_after_seconds }.into();
        }
        let (reply, mut answer) = oneshot::channel();
        let client = Client::new(reply, sink);
        // A font that is taken away while the job waits is drawn nonetheless.
        let catalogue = self.engine.catalogue();
        let asked_at = self.engine.clock.monotonic();
        let make = Box::new(move |taken: &Taken<'_>| {
            let clock = &taken.engine.clock;
            let started = clock.monotonic();
            let mut times = StageTimes::default();
            times.add(Stage::Queue, started.duration_since(asked_at));
            client.serve(taken, &catalogue, times, make);
            if let Some((budget, tenant)) = payer {
                budget.spend(&tenant, clock.monotonic().duration_since(started));
            }
        });
        let task = Task { make, span: tracing::Span::current() };
        let id = match self.jobs.submit(&request, task) {
            Ok(id) => id,
            Err(error) => return error.into(),
        };
        let _entry = QueueEntry { jobs: &self.jobs, id };
        if request.kind == JobKind::Background {
            return answer.await.unwrap_or_else(|_| shut_down().into());
        }
        if let Ok(rendered) = tokio::time::timeout(self.jobs.longest_wait, &mut answer).await {
            return rendered.unwrap_or_else(|_| shut_down().into());
        }
        if self.jobs.withdraw(id).is_some() {
            return self.jobs.refusal(RejectReason::Expired).into();
        }
        answer.await.unwrap_or_else(|_| shut_down().into())
    }

    /// Makes a page on the calling thread, which must not belong to an async runtime.
    ///
    /// # Errors
    /// As [`Engine::generate`].
    pub fn generate_blocking(&self, spec: &RenderSpec) -> Result<RenderedFile, RenderError> {
        self.here(|production| production.generate(spec))
    }

    /// Draws the pages of one text on the calling thread, which must not belong to an async runtime.
    ///
    /// # Errors
    /// As [`Engine::generate`].
    pub fn draw_pages_blocking(&self, spec: &RenderSpec) -> Result<DrawnPages, RenderError> {
        self.here(|production| production.draw_pages(spec))
    }

    /// Makes one PDF of drawn pages on the calling thread.
    ///
    /// # Errors
    /// If the output of `spec` is no PDF, or lcms2 cannot use the profile.
    pub fn bind_blocking(&self, spec: &RenderSpec, pages: &[PdfPage]) -> Result<Vec<u8>, RenderError> {
        self.here(|production| production.bind(spec, pages))
    }

    fn here<T>(&self, make: impl FnOnce(&mut Production<'_>) -> Result<T, RenderError>) -> Result<T, RenderError> {
        without_panic(|| self.engine.produce(&mut StageTimes::default(), make))
    }

    /// Replaces the fonts for requests from now on. Pages that wait or are in progress keep theirs.
    pub fn set_catalogue(&self, catalogue: Arc<FontCatalogue>) {
        self.engine.set_catalogue(catalogue);
    }

    /// The state of the queue.
    #[must_use]
    pub fn queue(&self) -> QueueStatus {
        self.jobs.status()
    }

    /// A page whose thread hangs, if there is one. It cannot be stopped, so the process should exit and be started
    /// again.
    #[must_use]
    pub fn hanging_page(&self) -> Option<HangingPage> {
        self.heartbeats.iter().find_map(|heartbeat| heartbeat.hanging_page(self.hangs_after))
    }

    /// The devices that draw; none only if none was to be opened.
    #[must_use]
    pub fn devices(&self) -> Vec<DeviceStatus> {
        self.engine.devices()
    }

    /// The health of all devices together.
    #[must_use]
    pub fn device_health(&self) -> DeviceHealth {
        self.engine.device_health()
    }
}

impl Drop for RenderPool {
    fn drop(&mut self) {
        self.jobs.close();
        if self.jobs.wait_for_workers(LAST_PATIENCE) {
            for thread in self.threads.drain(..) {
                // Panics are caught per page, so a thread has no error to report.
                let _ = thread.join();
            }
        } else {
            tracing::warn!("pages are still being made and are abandoned");
        }
    }
}

/// A waiting request's queue entry. Dropping it removes the job.
struct QueueEntry<'a> {
    jobs: &'a JobQueue<Task>,
    id: JobId,
}

impl Drop for QueueEntry<'_> {
    fn drop(&mut self) {
        self.jobs.withdraw(self.id);
    }
}

/// Makes pages until the pool is dropped.
fn work(engine: &Engine, jobs: &JobQueue<Task>, heartbeat: &Arc<Heartbeat>, faults: &FaultPlan) {
    heartbeat.watch_thread();
    while let Some(Job { id, request, work: Task { make, span } }) = jobs.next_job() {
        heartbeat.begin(request.tenant, span);
        faults.begin_job();
        make(&Taken { engine, jobs, id, cost: request.cost });
        heartbeat.end();
    }
    jobs.worker_stopped();
}
