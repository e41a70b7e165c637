//! The rules of the job queue: bounded by cost, served in turns of equal cost, without missed deadlines.
//!
//! **Turns** are start-time fair queueing (Goyal, Vin, Cheng 1996) with equal weights. Each tenant has a virtual time
//! up to which it was served, and the tenant furthest behind is next. The virtual time of the service advances with the
//! work as in WF²Q+ (Bennett, Zhang 1997), by the work divided among the waiting tenants and one possible newcomer. So
//! the work that a tenant was given counts against it until the others had as much, but not longer.
//!
//! **Space** is shared by dynamic thresholds (Choudhury, Hahne 1998): a tenant may hold as much of the queue as is
//! free, so one tenant alone gets half of it and there is always space for another. The `reach` is the work that can be
//! done in half of the longest waiting time. No job is admitted behind more than the reach, and a tenant may hold twice
//! what is left of it.
//!
//! **Deadlines.** Later jobs may overtake by turns. A job that saw a whole reach of other work begin goes before all
//! turns, in order of arrival. At most one more reach waited when it arrived, so less than two are begun before it, and
//! it begins in time unless pages become slower meanwhile. The rule is rarely needed: a tenant whose turn is further
//! away than the reach, or whose oldest job has waited through most of it, is refused at once.
//!
//! **Memory** is bounded by the pixels of all pages in progress. A job that would exceed the bound waits, and smaller
//! jobs go first. An expensive job counts in full before other expensive jobs, and as a small one before cheap jobs, whose
//! turn comes before its end.
//!
//! **The last free thread** is kept for tenants without a job in progress, if more than one tenant was served within
//! the last reach. So a tenant with few requests does not wait for a page of a tenant with many.

use std::collections::{BTreeMap, VecDeque};

use super::cost::Cost;
use super::job_request::{JobKind, JobRequest, RejectReason, Tenant};

/// Share of the queue that previews may fill. Beyond it there is room for pages alone.
const PREVIEW_SHARE: f64 = 0.5;
/// Part of the reach that a tenant's oldest job may have waited when another one is admitted.
const OLDEST_PART: f64 = 0.75;
/// A tenant may hold this many times the rest of the reach: one alone gets two thirds of the reach.
const SHARE_OF_REACH: f64 = 2.0;
/// Jobs above this cost, some 0.3 s of one core, are expensive. They count as this cost before cheaper jobs.
const DEAR: Cost = Cost::megapixels(40.0);

/// The waiting jobs in turns. `T` is the work of a job.
pub(super) struct FairQueue<T> {
    limit: Cost,
    waiting: Cost,
    /// The same, with expensive jobs counted as [`DEAR`].
    pressing: Cost,
    backlogs: BTreeMap<Tenant, Backlog<T>>,
    /// Virtual time of the service.
    virtual_time: f64,
    next_id: u64,
    /// Cost of all jobs begun so far.
    begun: Cost,
    /// Pixels of the pages in progress, and their bound.
    pixels: Cost,
    most_pixels: Cost,
    /// The tenant that was served last, and `begun` when the tenant last changed.
    last_turn: Option<(Tenant, Option<Cost>)>,
}

/// The number of a job among all that ever waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JobId(u64);

/// A job whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Job<T> {
    pub(super) tenant: Tenant,
    pub(super) cost: Cost,
    pub(super) pixels: Cost,
    pub(super) work: T,
}

/// The worker that takes a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FreeWorker {
    /// One of several free workers.
    OneOfSeveral,
    /// The only free one of several workers.
    Last,
}

struct Backlog<T> {
    waiting: VecDeque<Waiting<T>>,
    cost: Cost,
    /// Virtual time up to which the tenant was served.
    served: f64,
    /// Number of its jobs in progress.
    in_hand: usize,
}

struct Waiting<T> {
    id: JobId,
    cost: Cost,
    pixels: Cost,
    /// `begun` at its arrival.
    came: Cost,
    work: T,
}

impl<T> FairQueue<T> {
    /// An empty queue. Jobs of `limit` may wait, and pages of `most_pixels` may be in progress. A job beyond the limit
    /// waits alone, and a page beyond `most_pixels` runs alone.
    pub(super) const fn new(limit: Cost, most_pixels: Cost) -> Self {
        Self {
            limit,
            pixels: Cost::NONE,
            most_pixels,
            waiting: Cost::NONE,
            pressing: Cost::NONE,
            backlogs: BTreeMap::new(),
            virtual_time: 0.0,
            next_id: 0,
            begun: Cost::NONE,
            last_turn: None,
        }
    }

    /// Cost of the waiting jobs.
    pub(super) const fn waiting(&self) -> Cost {
        self.waiting
    }

    /// Largest cost of the waiting jobs.
    pub(super) const fn limit(&self) -> Cost {
        self.limit
    }

    /// Number of waiting jobs.
    pub(super) fn len(&self) -> usize {
        self.backlogs.values().map(|backlog| backlog.waiting.len()).sum()
    }

    /// Whether a job may be admitted: there is room, and it would begin in time.
    pub(super) fn check(&self, request: &JobRequest, reach: Cost) -> Result<(), RejectReason> {
        if self.waiting == Cost::NONE {
            return Ok(());
        }
        let (part, full) = match request.kind {
            JobKind::Page => (1.0, RejectReason::QueueFull),
            JobKind::Preview => (PREVIEW_SHARE, RejectReason::PreviewsFirst),
        };
        let free = self.limit.part(part) - self.waiting;
        if request.cost > free {
            return Err(full);
        }
        let held = self.held_by(&request.tenant);
        if held + request.cost > free {
            return Err(RejectReason::TenantShare);
        }
        // Its own cost does not delay its beginning.
        let before = if request.cost > DEAR { self.waiting } else { self.pressing };
        let free = reach.part(part) - before;
        if free == Cost::NONE {
            return Err(if request.kind == JobKind::Preview { full } else { RejectReason::TooLate });
        }
        if held > free.part(SHARE_OF_REACH) {
            return Err(RejectReason::TenantShare);
        }
        let is_late = self.ahead_of(request) > reach || self.oldest_of(&request.tenant) > reach.part(OLDEST_PART);
        if is_late { Err(RejectReason::TooLate) } else { Ok(()) }
    }

    /// Estimated cost of the jobs that begin before this one: all of its tenant, and of each other tenant the jobs before
    /// its turn. Tenants that are behind this one may leave, and others take their place.
    pub(super) fn ahead_of(&self, request: &JobRequest) -> Cost {
        let own = self.held_by(&request.tenant);
        let served = self.backlogs.get(&request.tenant).map_or(self.virtual_time, |backlog| backlog.served);
        let advance = (served - self.virtual_time).max(0.0);
        let turn = self.virtual_time + advance + own.get();
        let others = self.backlogs.iter().filter(|(other, backlog)| **other != request.tenant && !backlog.is_empty());
        let before_turn = others.map(|(_, backlog)| {
            let until_turn = Cost::megapixels((turn - backlog.served).max(0.0)) + request.cost;
            backlog.cost.min(until_turn).max(Cost::megapixels(advance))
        });
        own + before_turn.sum::<Cost>()
    }

    /// Adds a job.
    pub(super) fn push(&mut self, request: &JobRequest, work: T) -> JobId {
        let id = JobId(self.next_id);
        self.next_id += 1;
        let virtual_time = self.virtual_time;
        let backlog =
            self.backlogs.entry(request.tenant.clone()).or_insert_with(|| Backlog::served_until(virtual_time));
        if backlog.is_empty() {
            // An idle tenant earns no credit.
            backlog.served = backlog.served.max(virtual_time);
        }
        let (cost, pixels) = (request.cost, request.pixels);
        backlog.waiting.push_back(Waiting { id, cost, pixels, came: self.begun, work });
        backlog.cost += request.cost;
        self.waiting += request.cost;
        self.pressing += request.cost.min(DEAR);
        id
    }

    /// Takes the job whose turn it is. Returns `None` if there is none for this worker.
    pub(super) fn pop(&mut self, reach: Cost, worker: FreeWorker) -> Option<Job<T>> {
        let is_kept = worker == FreeWorker::Last && self.are_turns_mixed(reach);
        let tenants = self.backlogs.values().filter(|backlog| !backlog.is_empty()).count();
        let (tenant, is_overdue) = self.next_tenant(reach, is_kept)?;
        let backlog = self.backlogs.get_mut(&tenant)?;
        let Waiting { cost, pixels, work, .. } = backlog.waiting.pop_front()?;
        backlog.cost -= cost;
        backlog.in_hand += 1;
        // Divided by n + 1, so that a newcomer is served before the next job of a lone tenant.
        self.virtual_time += cost.get() / (tenants + 1) as f64;
        if !is_overdue {
            self.virtual_time = self.virtual_time.max(backlog.served);
        }
        backlog.served += cost.get();
        self.waiting -= cost;
        self.pressing -= cost.min(DEAR);
        self.pixels += pixels;
        self.turn_to(&tenant);
        self.begun += cost;
        self.forget_idle();
        Some(Job { tenant, cost, pixels, work })
    }

    /// Charges a tenant for a running job that costs more than its estimate.
    pub(super) fn add_cost(&mut self, tenant: &Tenant, cost: Cost) {
        if let Some(backlog) = self.backlogs.get_mut(tenant) {
            backlog.served += cost.get();
        }
        self.begun += cost;
    }

    /// Ends a running job.
    pub(super) fn done(&mut self, tenant: &Tenant, pixels: Cost) {
        self.pixels -= pixels;
        if let Some(backlog) = self.backlogs.get_mut(tenant) {
            backlog.in_hand = backlog.in_hand.saturating_sub(1);
        }
        self.forget_idle();
    }

    /// Removes a waiting job. Returns `None` if it does not wait.
    pub(super) fn withdraw(&mut self, tenant: &Tenant, id: JobId) -> Option<T> {
        let backlog = self.backlogs.get_mut(tenant)?;
        let at = backlog.waiting.iter().position(|held| held.id == id)?;
        let Waiting { cost, work, .. } = backlog.waiting.remove(at)?;
        backlog.cost -= cost;
        self.waiting -= cost;
        self.pressing -= cost.min(DEAR);
        self.forget_idle();
        Some(work)
    }

    /// The tenant whose turn it is, and whether its job is overdue. A worker that `is_kept` serves only tenants without a
    /// job in progress.
    fn next_tenant(&self, reach: Cost, is_kept: bool) -> Option<(Tenant, bool)> {
        let heads = || {
            let eligible = self.backlogs.iter().filter(|(_, backlog)| !is_kept || backlog.in_hand == 0);
            let heads = eligible.filter_map(|(tenant, backlog)| Some((tenant, backlog, backlog.waiting.front()?)));
            heads.filter(|(.., head)| self.has_memory_for(head))
        };
        let overdue = heads().filter(|(.., head)| self.age(head) >= reach).min_by_key(|(.., head)| head.id);
        if let Some((tenant, ..)) = overdue {
            return Some((tenant.clone(), true));
        }
        let turn = heads().min_by(|(_, a, first), (_, b, second)| {
            a.served.total_cmp(&b.served).then_with(|| first.id.cmp(&second.id))
        });
        turn.map(|(tenant, ..)| (tenant.clone(), false))
    }

    /// Whether its pages fit beside those in progress.
    fn has_memory_for(&self, work: &Waiting<T>) -> bool {
        self.pixels == Cost::NONE || self.pixels + work.pixels <= self.most_pixels
    }

    /// Cost of the jobs begun since its arrival.
    fn age(&self, work: &Waiting<T>) -> Cost {
        self.begun - work.came
    }

    /// The age of the tenant's oldest job.
    fn oldest_of(&self, tenant: &Tenant) -> Cost {
        let oldest = self.backlogs.get(tenant).and_then(|backlog| backlog.waiting.front());
        oldest.map_or(Cost::NONE, |work| self.age(work))
    }

    /// Records the tenant that was served.
    fn turn_to(&mut self, tenant: &Tenant) {
        match &self.last_turn {
            Some((last, _)) if last == tenant => {}
            last => self.last_turn = Some((tenant.clone(), last.is_some().then_some(self.begun))),
        }
    }

    /// Whether different tenants were served within the last `reach`.
    fn are_turns_mixed(&self, reach: Cost) -> bool {
        let changed = self.last_turn.as_ref().and_then(|(_, changed)| *changed);
        changed.is_some_and(|changed| self.begun - changed < reach)
    }

    fn held_by(&self, tenant: &Tenant) -> Cost {
        self.backlogs.get(tenant).map_or(Cost::NONE, |backlog| backlog.cost)
    }

    /// Forgets tenants without jobs that are not ahead of the others. If nothing waits, nobody is ahead, and sums restart
    /// at zero, so that rounding errors do not accumulate.
    fn forget_idle(&mut self) {
        if self.backlogs.values().all(Backlog::is_empty) {
            (self.waiting, self.pressing) = (Cost::NONE, Cost::NONE);
            self.virtual_time = 0.0;
            self.backlogs.values_mut().for_each(|backlog| backlog.served = 0.0);
        }
        let virtual_time = self.virtual_time;
        self.backlogs.retain(|_, backlog| !backlog.is_empty() || backlog.in_hand > 0 || backlog.served > virtual_time);
    }
}

impl<T> Backlog<T> {
    const fn served_until(served: f64) -> Self {
        Self { waiting: VecDeque::new(), cost: Cost::NONE, served, in_hand: 0 }
    }

    fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests;
