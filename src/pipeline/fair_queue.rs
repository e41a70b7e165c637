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
use super::order::{Kind, Order, Shed, Tenant};

/// Share of the queue that previews may fill. Beyond it there is room for pages alone.
const PREVIEW_SHARE: f64 = 0.5;
/// Part of the reach through which a tenant's oldest work may have waited when more of it is taken in.
const OLDEST_PART: f64 = 0.75;
/// How many times what is left of the reach a tenant may hold: one alone gets two thirds of it.
const SHARE_OF_REACH: f64 = 2.0;
/// Work that costs more than this costs much, some 0.3 s of one core: it counts as this before work that costs less.
const DEAR: Cost = Cost::megapixels(40.0);

/// Work that waits, and by what name it can be taken back.
pub(super) struct FairQueue<T> {
    limit: Cost,
    waiting: Cost,
    /// The same, with what costs much counted as [`DEAR`].
    pressing: Cost,
    backlogs: BTreeMap<Tenant, Backlog<T>>,
    /// Virtual time of the service.
    virtual_time: f64,
    next_ticket: u64,
    /// All that was begun.
    begun: Cost,
    /// Pixels of the pages that are being made, and of those that may be made at a time.
    pixels: Cost,
    most_pixels: Cost,
    /// Who was served last, and what had been begun when that was another than before.
    last_turn: Option<(Tenant, Option<Cost>)>,
}

/// Names one piece of work among all that ever waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ticket(u64);

/// Work whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Taken<T> {
    pub(super) tenant: Tenant,
    pub(super) cost: Cost,
    pub(super) pixels: Cost,
    pub(super) work: T,
}

/// Which server work is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FreeServer {
    /// One of several that are free.
    OneOfSeveral,
    /// The only one of several servers that is free.
    Last,
}

struct Backlog<T> {
    waiting: VecDeque<Waiting<T>>,
    cost: Cost,
    /// Up to when the tenant was served, in virtual time.
    served: f64,
    /// How many pieces of its work are being done.
    in_hand: usize,
}

struct Waiting<T> {
    ticket: Ticket,
    cost: Cost,
    pixels: Cost,
    /// What had been begun when it came.
    came: Cost,
    work: T,
}

impl<T> FairQueue<T> {
    /// An empty queue in which work of `limit` may wait, and from which pages of `most_pixels` are made at a time. Work
    /// that is dearer waits alone, and pages that are larger are made alone.
    pub(super) const fn new(limit: Cost, most_pixels: Cost) -> Self {
        Self {
            limit,
            pixels: Cost::NONE,
            most_pixels,
            waiting: Cost::NONE,
            pressing: Cost::NONE,
            backlogs: BTreeMap::new(),
            virtual_time: 0.0,
            next_ticket: 0,
            begun: Cost::NONE,
            last_turn: None,
        }
    }

    /// What waits.
    pub(super) const fn waiting(&self) -> Cost {
        self.waiting
    }

    /// What may wait.
    pub(super) const fn limit(&self) -> Cost {
        self.limit
    }

    /// How many pieces of work wait.
    pub(super) fn len(&self) -> usize {
        self.backlogs.values().map(|backlog| backlog.waiting.len()).sum()
    }

    /// Whether there is room for the order, and it would be begun in time.
    pub(super) fn check(&self, order: &Order, reach: Cost) -> Result<(), Shed> {
        if self.waiting == Cost::NONE {
            return Ok(());
        }
        let (part, full) = match order.kind {
            Kind::Page => (1.0, Shed::QueueFull),
            Kind::Preview => (PREVIEW_SHARE, Shed::PreviewsFirst),
        };
        let free = self.limit.part(part) - self.waiting;
        if order.cost > free {
            return Err(full);
        }
        let held = self.held_by(&order.tenant);
        if held + order.cost > free {
            return Err(Shed::TenantShare);
        }
        // What it costs itself does not delay its beginning.
        let before = if order.cost > DEAR { self.waiting } else { self.pressing };
        let free = reach.part(part) - before;
        if free == Cost::NONE {
            return Err(if order.kind == Kind::Preview { full } else { Shed::TooLate });
        }
        if held > free.part(SHARE_OF_REACH) {
            return Err(Shed::TenantShare);
        }
        let is_late = self.ahead_of(order) > reach || self.oldest_of(&order.tenant) > reach.part(OLDEST_PART);
        if is_late { Err(Shed::TooLate) } else { Ok(()) }
    }

    /// What will likely be begun before the order: all that its tenant has waiting, and of each of the others what comes
    /// before its turn. Those who get less than the tenant had before them leave, and others come in their place.
    pub(super) fn ahead_of(&self, order: &Order) -> Cost {
        let own = self.held_by(&order.tenant);
        let served = self.backlogs.get(&order.tenant).map_or(self.virtual_time, |backlog| backlog.served);
        let advance = (served - self.virtual_time).max(0.0);
        let turn = self.virtual_time + advance + own.get();
        let others = self.backlogs.iter().filter(|(other, backlog)| **other != order.tenant && !backlog.is_empty());
        let before_turn = others.map(|(_, backlog)| {
            let until_turn = Cost::megapixels((turn - backlog.served).max(0.0)) + order.cost;
            backlog.cost.min(until_turn).max(Cost::megapixels(advance))
        });
        own + before_turn.sum::<Cost>()
    }

    /// Lets work wait.
    pub(super) fn push(&mut self, order: &Order, work: T) -> Ticket {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        let virtual_time = self.virtual_time;
        let backlog = self.backlogs.entry(order.tenant.clone()).or_insert_with(|| Backlog::served_until(virtual_time));
        if backlog.is_empty() {
            // Whoever has not asked for anything has saved nothing up.
            backlog.served = backlog.served.max(virtual_time);
        }
        let (cost, pixels) = (order.cost, order.pixels);
        backlog.waiting.push_back(Waiting { ticket, cost, pixels, came: self.begun, work });
        backlog.cost += order.cost;
        self.waiting += order.cost;
        self.pressing += order.cost.min(DEAR);
        ticket
    }

    /// Takes the work whose turn it is, for any server or the last one that is free; `None` where there is none for it.
    pub(super) fn pop(&mut self, reach: Cost, server: FreeServer) -> Option<Taken<T>> {
        let is_kept = server == FreeServer::Last && self.are_turns_mixed(reach);
        let tenants = self.backlogs.values().filter(|backlog| !backlog.is_empty()).count();
        let (tenant, is_overdue) = self.next_tenant(reach, is_kept)?;
        let backlog = self.backlogs.get_mut(&tenant)?;
        let Waiting { cost, pixels, work, .. } = backlog.waiting.pop_front()?;
        backlog.cost -= cost;
        backlog.in_hand += 1;
        // With one more who may come, so that whoever comes now is before the next turn of one who is alone.
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
        Some(Taken { tenant, cost, pixels, work })
    }

    /// Work of the tenant that was taken turns out to cost more than it was thought to.
    pub(super) fn add_cost(&mut self, tenant: &Tenant, cost: Cost) {
        if let Some(backlog) = self.backlogs.get_mut(tenant) {
            backlog.served += cost.get();
        }
        self.begun += cost;
    }

    /// Work of the tenant that was taken is done, and its pages with it.
    pub(super) fn done(&mut self, tenant: &Tenant, pixels: Cost) {
        self.pixels -= pixels;
        if let Some(backlog) = self.backlogs.get_mut(tenant) {
            backlog.in_hand = backlog.in_hand.saturating_sub(1);
        }
        self.forget_idle();
    }

    /// Takes work back that waits still; `None` where it does not.
    pub(super) fn withdraw(&mut self, tenant: &Tenant, ticket: Ticket) -> Option<T> {
        let backlog = self.backlogs.get_mut(tenant)?;
        let at = backlog.waiting.iter().position(|held| held.ticket == ticket)?;
        let Waiting { cost, work, .. } = backlog.waiting.remove(at)?;
        backlog.cost -= cost;
        self.waiting -= cost;
        self.pressing -= cost.min(DEAR);
        self.forget_idle();
        Some(work)
    }

    /// Whose turn it is, and whether that is because the work has waited for long. A server that `is_kept` is for those
    /// who have nothing in hand.
    fn next_tenant(&self, reach: Cost, is_kept: bool) -> Option<(Tenant, bool)> {
        let heads = || {
            let eligible = self.backlogs.iter().filter(|(_, backlog)| !is_kept || backlog.in_hand == 0);
            let heads = eligible.filter_map(|(tenant, backlog)| Some((tenant, backlog, backlog.waiting.front()?)));
            heads.filter(|(.., head)| self.has_memory_for(head))
        };
        let overdue = heads().filter(|(.., head)| self.age(head) >= reach).min_by_key(|(.., head)| head.ticket);
        if let Some((tenant, ..)) = overdue {
            return Some((tenant.clone(), true));
        }
        let turn = heads().min_by(|(_, a, first), (_, b, second)| {
            a.served.total_cmp(&b.served).then_with(|| first.ticket.cmp(&second.ticket))
        });
        turn.map(|(tenant, ..)| (tenant.clone(), false))
    }

    /// Whether its pages can be made beside those that are being made.
    fn has_memory_for(&self, work: &Waiting<T>) -> bool {
        self.pixels == Cost::NONE || self.pixels + work.pixels <= self.most_pixels
    }

    /// What was begun since the work came.
    fn age(&self, work: &Waiting<T>) -> Cost {
        self.begun - work.came
    }

    /// What was begun since the oldest of the tenant's work came.
    fn oldest_of(&self, tenant: &Tenant) -> Cost {
        let oldest = self.backlogs.get(tenant).and_then(|backlog| backlog.waiting.front());
        oldest.map_or(Cost::NONE, |work| self.age(work))
    }

    /// Notes whose turn it was.
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

    /// Forgets tenants that want nothing, have nothing in hand and are not ahead of the others. With nothing waiting
    /// nobody is ahead, and sums start from nothing again, so that roundings do not pile up.
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
