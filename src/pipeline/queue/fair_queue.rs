//! The rules of the job queue: who is admitted, and whose turn it is. It knows no threads and no clock.
//!
//! - **Turns** (start-time fair queueing: Goyal, Vin, Cheng 1996). Each tenant has an account of the work it was given.
//!   The tenant with the smallest account is next. A tenant that joins starts with the fair share: the work so far,
//!   divided among the tenants that waited for it. So idle time earns no credit.
//! - **Admission.** The queue has a limit of cost, and a limit of time: the cost that workers can begin in time. A
//!   tenant may hold as much as is free. So one tenant alone fills half of the queue, and another always finds room.
//!   Previews may fill half of it. A tenant whose turn is further away than that cost is refused at once, because its
//!   job would expire.
//! - **Workers.** One worker is kept free of a tenant's jobs while others were served lately. Without this rule a light
//!   tenant takes four times as long beside large pages of a greedy one.
//! - **Expensive jobs.** For the admission of cheap jobs an expensive job counts as cost 40, and one worker never runs
//!   expensive jobs. Otherwise a few books would keep cards out for seconds.
//! - **Pixels in progress** are limited, because the memory of a page grows with them. A job that exceeds the limit
//!   waits, and smaller jobs go first.

use std::collections::{BTreeMap, VecDeque};

use super::job_request::{JobKind, JobRequest, RejectReason, Tenant};
use crate::pipeline::cost::Cost;

/// Jobs above this cost, about 0.3 s of one core, are expensive.
const EXPENSIVE: Cost = Cost::new(40.0);
/// Share of the queue that previews may fill.
const PREVIEW_SHARE: f64 = 0.5;
/// Jobs of one tenant in a row after which the last free worker is not kept for others any more.
const LONG_STREAK: usize = 100;

/// The waiting jobs. `T` is the work of a job.
pub(super) struct FairQueue<T> {
    /// Largest cost of the waiting jobs.
    pub(super) limit: Cost,
    most_pixels: Cost,
    /// The tenants with waiting jobs or an account above the fair share.
    backlogs: BTreeMap<Tenant, Backlog<T>>,
    fair_share: Cost,
    running: Vec<(JobId, JobRequest)>,
    last_tenant: Option<Tenant>,
    /// Jobs taken since the tenant last changed.
    streak: usize,
    next_id: u64,
}

/// The number of a job. Later jobs have larger numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JobId(u64);

/// A job that a worker takes.
#[derive(Clone, Debug)]
pub(super) struct Job<T> {
    pub(in crate::pipeline) id: JobId,
    pub(in crate::pipeline) request: JobRequest,
    pub(in crate::pipeline) work: T,
}

/// The jobs of one tenant. Their costs are kept as sums: each request asks for them, and thousands of jobs may wait.
struct Backlog<T> {
    /// With ascending numbers.
    jobs: VecDeque<Job<T>>,
    /// Cost of the jobs.
    cost: Cost,
    /// The same where an expensive job counts as [`EXPENSIVE`].
    cost_before_cheap: Cost,
    account: Cost,
}

impl<T> Backlog<T> {
    /// A tenant without jobs.
    const fn new(account: Cost) -> Self {
        Self { jobs: VecDeque::new(), cost: Cost::ZERO, cost_before_cheap: Cost::ZERO, account }
    }

    fn push(&mut self, job: Job<T>) {
        self.cost += job.request.cost;
        self.cost_before_cheap += job.request.cost.min(EXPENSIVE);
        self.jobs.push_back(job);
    }

    fn remove(&mut self, place: usize) -> Option<Job<T>> {
        let job = self.jobs.remove(place)?;
        if self.jobs.is_empty() {
            // Rounding errors do not accumulate.
            (self.cost, self.cost_before_cheap) = (Cost::ZERO, Cost::ZERO);
        } else {
            self.cost -= job.request.cost;
            self.cost_before_cheap -= job.request.cost.min(EXPENSIVE);
        }
        Some(job)
    }
}

impl<T> FairQueue<T> {
    /// An empty queue. Jobs of at most `limit` wait, and pages of at most `most_pixels` are in progress. A job beyond
    /// the limit waits alone, and a page beyond `most_pixels` runs alone.
    pub(in crate::pipeline) const fn new(limit: Cost, most_pixels: Cost) -> Self {
        Self {
            limit,
            most_pixels,
            backlogs: BTreeMap::new(),
            fair_share: Cost::ZERO,
            running: Vec::new(),
            last_tenant: None,
            streak: LONG_STREAK,
            next_id: 0,
        }
    }

    /// The same queue, whose jobs have numbers that no other queue gives.
    pub(super) fn numbered_apart(self) -> Self {
        Self { next_id: 1 << 63, ..self }
    }

    /// Number of jobs that run.
    pub(super) const fn running(&self) -> usize {
        self.running.len()
    }

    /// Cost of the waiting jobs.
    pub(super) fn waiting(&self) -> Cost {
        self.backlogs.values().map(|backlog| backlog.cost).sum()
    }

    /// Number of jobs that wait or run.
    pub(super) fn len(&self) -> usize {
        self.backlogs.values().map(|backlog| backlog.jobs.len()).sum::<usize>() + self.running.len()
    }

    /// Whether a job may be admitted, if `startable_cost` is the cost that workers can begin in time.
    pub(in crate::pipeline) fn check(&self, request: &JobRequest, startable_cost: Cost) -> Result<(), RejectReason> {
        if self.nothing_waits() {
            return Ok(());
        }
        let (share, full, late) = match request.kind {
            // The background has a queue of its own, whose owner bounds it.
            JobKind::Background => return Ok(()),
            JobKind::Page => (1.0, RejectReason::QueueFull, RejectReason::TooLate),
            JobKind::Preview => (PREVIEW_SHARE, RejectReason::PreviewsFirst, RejectReason::PreviewsFirst),
        };
        // Without its own cost, which does not delay its beginning.
        let waiting = self.waiting();
        let before_cheap = || self.backlogs.values().map(|backlog| backlog.cost_before_cheap).sum();
        let ahead = if request.cost > EXPENSIVE { waiting } else { before_cheap() };
        let (room, time) = (self.limit * share - waiting, startable_cost * share - ahead);
        let backlog = self.backlogs.get(&request.tenant);
        let (held, account) = backlog.map_or((Cost::ZERO, self.fair_share), |backlog| (backlog.cost, backlog.account));
        // Each waiting tenant is given as much before its turn.
        let until_turn = ((account - self.fair_share).max(Cost::ZERO) + held) * self.waiting_tenants();
        if request.cost > room {
            Err(full)
        } else if time <= Cost::ZERO || until_turn > startable_cost {
            Err(late)
        } else if held + request.cost > room || held > time {
            Err(RejectReason::TenantShare)
        } else {
            Ok(())
        }
    }

    /// Adds a job.
    pub(in crate::pipeline) fn push(&mut self, request: &JobRequest, work: T) -> JobId {
        let id = JobId(self.next_id);
        self.next_id += 1;
        self.backlog(&request.tenant).push(Job { id, request: request.clone(), work });
        id
    }

    /// Takes the job whose turn it is, for one of `workers` in total. Returns `None` if no job may run now.
    pub(in crate::pipeline) fn pop(&mut self, workers: usize) -> Option<Job<T>> {
        // One more tenant, so that a newcomer is served before the next job of a lone tenant.
        let tenants = self.waiting_tenants() + 1.0;
        let heads = self.backlogs.values().filter_map(|backlog| Some((backlog.account, backlog.jobs.front()?)));
        let (_, next) = heads
            .filter(|(_, job)| self.may_run(&job.request, workers))
            .min_by(|(a, first), (b, second)| a.get().total_cmp(&b.get()).then_with(|| first.id.cmp(&second.id)))?;
        let backlog = self.backlogs.get_mut(&next.request.tenant.clone())?;
        let job = backlog.remove(0)?;
        let (tenant, cost) = (&job.request.tenant, job.request.cost);
        self.fair_share = (self.fair_share + cost / tenants).max(backlog.account);
        backlog.account += cost;
        let is_other = self.last_tenant.as_ref().is_some_and(|last| last != tenant);
        self.streak = if is_other { 0 } else { self.streak.saturating_add(1) };
        self.last_tenant = Some(tenant.clone());
        self.running.push((job.id, job.request.clone()));
        self.forget();
        Some(job)
    }

    /// Whether a job may run beside those in progress.
    fn may_run(&self, request: &JobRequest, workers: usize) -> bool {
        let most = workers.saturating_sub(1).max(1);
        let running = || self.running.iter().map(|(_, job)| job);
        let has_memory = self.running.is_empty()
            || running().map(|job| job.pixels).sum::<Cost>() + request.pixels <= self.most_pixels;
        let own = running().filter(|job| job.tenant == request.tenant).count();
        let expensive = running().filter(|job| job.cost > EXPENSIVE).count();
        has_memory && (own < most || self.streak >= LONG_STREAK) && (expensive < most || request.cost <= EXPENSIVE)
    }

    /// Removes a waiting job. Returns `None` if it does not wait.
    pub(super) fn withdraw(&mut self, id: JobId) -> Option<T> {
        let remove =
            |backlog: &mut Backlog<T>| backlog.remove(backlog.jobs.binary_search_by_key(&id, |job| job.id).ok()?);
        let job = self.backlogs.values_mut().find_map(remove)?;
        self.forget();
        Some(job.work)
    }

    /// Charges the tenant of a running job that costs more than its estimate.
    pub(super) fn add_cost(&mut self, id: JobId, cost: Cost) {
        let tenant = self.running.iter().find(|(running, _)| *running == id).map(|(_, job)| job.tenant.clone());
        if let Some(tenant) = tenant.filter(|_| !self.nothing_waits()) {
            self.backlog(&tenant).account += cost;
        }
    }

    /// Ends a running job.
    pub(in crate::pipeline) fn done(&mut self, id: JobId) {
        self.running.retain(|(running, _)| *running != id);
    }

    fn nothing_waits(&self) -> bool {
        self.backlogs.values().all(|backlog| backlog.jobs.is_empty())
    }

    /// Number of tenants with waiting jobs.
    fn waiting_tenants(&self) -> f64 {
        self.backlogs.values().filter(|backlog| !backlog.jobs.is_empty()).count() as f64
    }

    fn backlog(&mut self, tenant: &Tenant) -> &mut Backlog<T> {
        self.backlogs.entry(tenant.clone()).or_insert_with(|| Backlog::new(self.fair_share))
    }

    /// Forgets tenants that have no waiting job and are not ahead of the others. If nothing waits, no tenant is ahead.
    fn forget(&mut self) {
        if self.nothing_waits() {
            self.fair_share = Cost::ZERO;
            self.backlogs.clear();
        }
        let fair_share = self.fair_share;
        self.backlogs.retain(|_, backlog| !backlog.jobs.is_empty() || backlog.account > fair_share);
    }
}

#[cfg(test)]
mod tests;
