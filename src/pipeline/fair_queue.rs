//! Work that waits, by who wants it: bounded by cost, and served in turns of equal cost.
//!
//! Turns are start-time fair queueing (Goyal, Vin, Cheng 1996) with equal weights: each tenant has a virtual time, up to
//! which it was served; the one furthest behind is next. Room is shared by dynamic thresholds (Choudhury, Hahne 1998):
//! a tenant may hold as much of the queue as is still free, so that one alone gets half of it and there is always room
//! for another.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::cost::Cost;

/// Share of the queue that previews may fill. Beyond it there is room for pages alone.
const PREVIEW_SHARE: f64 = 0.5;

/// Who work is done for: those of equal names share one turn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tenant(Arc<str>);

impl From<&str> for Tenant {
    fn from(name: &str) -> Self {
        Self(Arc::from(name))
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A page at full quality.
    Page,
    /// A preview: free, and so the first to go.
    Preview,
}

/// Why work was turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shed {
    /// The queue is full.
    QueueFull,
    /// The queue is half full: previews go first.
    PreviewsFirst,
    /// The tenant holds as much of the queue as is free.
    TenantShare,
    /// It would likely wait too long.
    TooLate,
    /// It has waited as long as it may.
    Expired,
}

impl Shed {
    /// Every reason.
    pub const ALL: [Self; 5] = [Self::QueueFull, Self::PreviewsFirst, Self::TenantShare, Self::TooLate, Self::Expired];

    /// As metrics call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::QueueFull => "queue_full",
            Self::PreviewsFirst => "previews_first",
            Self::TenantShare => "key_share",
            Self::TooLate => "too_late",
            Self::Expired => "expired",
        }
    }
}

/// Work that waits, and by what name it can be taken back.
pub(super) struct FairQueue<T> {
    limit: Cost,
    waiting: Cost,
    backlogs: BTreeMap<Tenant, Backlog<T>>,
    /// Virtual time of the service: that of the tenant that was served last.
    virtual_time: f64,
    next_ticket: u64,
}

/// Names one piece of work among all that ever waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ticket(u64);

struct Backlog<T> {
    waiting: VecDeque<(Ticket, Cost, T)>,
    cost: Cost,
    /// Up to when the tenant was served, in virtual time.
    served: f64,
}

impl<T> FairQueue<T> {
    /// An empty queue in which work of `limit` may wait. Work that is dearer waits alone.
    pub(super) const fn new(limit: Cost) -> Self {
        Self { limit, waiting: Cost::NONE, backlogs: BTreeMap::new(), virtual_time: 0.0, next_ticket: 0 }
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

    /// Whether there is room for work of this kind and cost.
    pub(super) fn check(&self, tenant: &Tenant, kind: Kind, cost: Cost) -> Result<(), Shed> {
        if self.waiting == Cost::NONE {
            return Ok(());
        }
        let (limit, full) = match kind {
            Kind::Page => (self.limit, Shed::QueueFull),
            Kind::Preview => (Cost::megapixels(self.limit.get() * PREVIEW_SHARE), Shed::PreviewsFirst),
        };
        let free = limit - self.waiting;
        if cost > free {
            return Err(full);
        }
        if self.held_by(tenant) + cost > free {
            return Err(Shed::TenantShare);
        }
        Ok(())
    }

    /// What will be served before the tenant's next work is: all that it has waiting, and of everyone else as much.
    pub(super) fn ahead_of(&self, tenant: &Tenant, cost: Cost) -> Cost {
        let own = self.held_by(tenant);
        let others = self.backlogs.iter().filter(|(other, _)| *other != tenant);
        own + others.map(|(_, backlog)| backlog.cost.min(own + cost)).sum::<Cost>()
    }

    /// Lets work wait.
    pub(super) fn push(&mut self, tenant: Tenant, cost: Cost, work: T) -> Ticket {
        let ticket = Ticket(self.next_ticket);
        self.next_ticket += 1;
        let virtual_time = self.virtual_time;
        let backlog = self.backlogs.entry(tenant).or_insert_with(|| Backlog::served_until(virtual_time));
        if backlog.waiting.is_empty() {
            // Whoever has not asked for anything has saved nothing up.
            backlog.served = backlog.served.max(virtual_time);
        }
        backlog.waiting.push_back((ticket, cost, work));
        backlog.cost += cost;
        self.waiting += cost;
        ticket
    }

    /// Takes the work whose turn it is.
    pub(super) fn pop(&mut self) -> Option<(Cost, T)> {
        let turn = |backlog: &Backlog<T>| backlog.waiting.front().map(|(ticket, ..)| (backlog.served, *ticket));
        let next = self.backlogs.values_mut().filter(|backlog| !backlog.waiting.is_empty());
        let backlog = next.min_by(|a, b| turn(a).partial_cmp(&turn(b)).unwrap_or(std::cmp::Ordering::Equal))?;
        let (_, cost, work) = backlog.waiting.pop_front()?;
        backlog.cost -= cost;
        self.virtual_time = self.virtual_time.max(backlog.served);
        backlog.served += cost.get();
        self.waiting -= cost;
        self.forget_idle();
        Some((cost, work))
    }

    /// Takes work back that waits still; `None` where it does not.
    pub(super) fn withdraw(&mut self, tenant: &Tenant, ticket: Ticket) -> Option<T> {
        let backlog = self.backlogs.get_mut(tenant)?;
        let at = backlog.waiting.iter().position(|(held, ..)| *held == ticket)?;
        let (_, cost, work) = backlog.waiting.remove(at)?;
        backlog.cost -= cost;
        self.waiting -= cost;
        self.forget_idle();
        Some(work)
    }

    fn held_by(&self, tenant: &Tenant) -> Cost {
        self.backlogs.get(tenant).map_or(Cost::NONE, |backlog| backlog.cost)
    }

    /// Forgets tenants that want nothing and are not ahead of the others; with nothing waiting, all. Sums start from
    /// nothing again, so that roundings do not pile up.
    fn forget_idle(&mut self) {
        let virtual_time = self.virtual_time;
        self.backlogs.retain(|_, backlog| !backlog.waiting.is_empty() || backlog.served > virtual_time);
        if self.backlogs.values().all(|backlog| backlog.waiting.is_empty()) {
            self.backlogs.clear();
            self.waiting = Cost::NONE;
            self.virtual_time = 0.0;
        }
    }
}

impl<T> Backlog<T> {
    const fn served_until(served: f64) -> Self {
        Self { waiting: VecDeque::new(), cost: Cost::NONE, served }
    }
}

#[cfg(test)]
mod tests;
