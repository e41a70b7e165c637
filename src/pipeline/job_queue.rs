//! The job queue: clients submit jobs, and the render threads take them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::cost::Cost;
use super::fair_queue::{FairQueue, FreeServer, Taken, Ticket};
use super::order::{Order, Shed, Tenant};

/// How much of what was learnt about the speed counts still after one more page.
const MEMORY: f64 = 0.95;
/// Part of the patience in which all that waits can be made when more is taken in. The other part is for later comers who
/// overtake, in their turn, and for pages that take longer than they did lately.
const REACH: f64 = 0.5;
/// Longest time after which one who was turned away is told to try again.
const LONGEST_RETRY: Duration = Duration::from_secs(30);

/// How the queue stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueStanding {
    /// Pages waiting or being made.
    pub pages: usize,
    /// What waits.
    pub waiting: Cost,
    /// What may wait before everything is turned away.
    pub limit: Cost,
    /// How long it would take until all that waits is being made, as fast as pages were made lately.
    pub wait: Duration,
}

/// Work that is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) reason: Shed,
    pub(super) retry_after_seconds: u64,
}

/// The queue, with those who serve it. `T` is a piece of work.
pub(super) struct Desk<T> {
    counter: Mutex<Counter<T>>,
    /// Told when work comes, when the desk closes, and when a server leaves.
    changed: Condvar,
    /// Longest time that work may wait.
    patience: Duration,
}

struct Counter<T> {
    queue: FairQueue<T>,
    servers: usize,
    served: usize,
    speed: Speed,
    /// Time in which all that waits can be made when more is taken in.
    reach: Duration,
    is_closed: bool,
}

impl<T> Desk<T> {
    /// An open desk, at which work of `limit` may wait for `patience`, and from which pages of `most_pixels` are made at a
    /// time.
    pub(super) fn new(limit: Cost, patience: Duration, most_pixels: Cost) -> Self {
        let queue = FairQueue::new(limit, most_pixels);
        let reach = patience.mul_f64(REACH);
        let counter = Counter { queue, servers: 0, served: 0, speed: Speed::default(), reach, is_closed: false };
        Self { counter: Mutex::new(counter), changed: Condvar::new(), patience }
    }

    /// Longest time that work may wait.
    pub(super) const fn patience(&self) -> Duration {
        self.patience
    }

    /// Lets work wait for a server; `Ok(None)` where the desk is closed.
    pub(super) fn hand_in(&self, order: &Order, work: T) -> Result<Option<Ticket>, Refusal> {
        let mut counter = self.counter();
        if counter.is_closed {
            return Ok(None);
        }
        let refused = |reason| Refusal { reason, retry_after_seconds: whole_seconds(counter.wait_of(order)) };
        counter.queue.check(order, counter.reach()).map_err(refused)?;
        let ticket = counter.queue.push(order, work);
        drop(counter);
        self.changed.notify_one();
        Ok(Some(ticket))
    }

    /// Takes back work that still waits.
    pub(super) fn withdraw(&self, tenant: &Tenant, ticket: Ticket) -> Option<T> {
        self.counter().queue.withdraw(tenant, ticket)
    }

    /// One who was turned away after waiting in vain may try again after this many seconds.
    pub(super) fn retry_after_waiting(&self, order: &Order) -> u64 {
        whole_seconds(self.counter().wait_of(order))
    }

    /// Blocks for the next work; `None` once the desk is closed and nothing waits any more.
    pub(super) fn fetch(&self) -> Option<Taken<T>> {
        let mut counter = self.counter();
        loop {
            if let Some(taken) = counter.next() {
                return Some(taken);
            }
            if counter.is_closed {
                return None;
            }
            counter = self.changed.wait(counter).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Work of the tenant that was fetched turns out to cost more than it was thought to.
    pub(super) fn add_cost(&self, tenant: &Tenant, cost: Cost) {
        self.counter().queue.add_cost(tenant, cost);
    }

    /// Work of the tenant that was fetched is done; `took` is how long where that says something of the speed.
    pub(super) fn done(&self, tenant: &Tenant, cost: Cost, pixels: Cost, took: Option<Duration>) {
        let mut counter = self.counter();
        counter.served = counter.served.saturating_sub(1);
        counter.queue.done(tenant, pixels);
        if let Some(took) = took {
            counter.speed.learn(cost, took);
        }
        drop(counter);
        // What the last server had to leave, or had no memory for, may be anyone's now.
        self.changed.notify_all();
    }

    /// A server came.
    pub(super) fn enter(&self) {
        self.counter().servers += 1;
    }

    /// A server left.
    pub(super) fn leave(&self) {
        self.counter().servers -= 1;
        self.changed.notify_all();
    }

    /// Nothing more is taken in; what waits is still served.
    pub(super) fn close(&self) {
        self.counter().is_closed = true;
        self.changed.notify_all();
    }

    /// Whether all servers have left within `patience`.
    pub(super) fn wait_for_servers(&self, patience: Duration) -> bool {
        let counter = self.counter();
        let waited = self.changed.wait_timeout_while(counter, patience, |counter| counter.servers > 0);
        let (counter, _) = waited.unwrap_or_else(PoisonError::into_inner);
        counter.servers == 0
    }

    /// How the queue stands.
    pub(super) fn standing(&self) -> QueueStanding {
        let counter = self.counter();
        let queue = &counter.queue;
        let (waiting, limit) = (queue.waiting(), queue.limit());
        QueueStanding { pages: queue.len() + counter.served, waiting, limit, wait: counter.time_for(waiting) }
    }

    fn counter(&self) -> MutexGuard<'_, Counter<T>> {
        self.counter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A wait as `Retry-After` tells it.
fn whole_seconds(wait: Duration) -> u64 {
    wait.clamp(Duration::from_secs(1), LONGEST_RETRY).as_secs_f64().ceil() as u64
}

impl<T> Counter<T> {
    /// The work whose turn it is.
    fn next(&mut self) -> Option<Taken<T>> {
        // Once the desk is closed nobody comes for whom a server could be kept.
        let is_last = self.servers > 1 && self.served + 1 >= self.servers && !self.is_closed;
        let server = if is_last { FreeServer::Last } else { FreeServer::OneOfSeveral };
        let taken = self.queue.pop(self.reach(), server)?;
        self.served += 1;
        Some(taken)
    }

    /// How long the order would wait for its turn.
    fn wait_of(&self, order: &Order) -> Duration {
        self.time_for(self.queue.ahead_of(order))
    }

    fn time_for(&self, work: Cost) -> Duration {
        self.speed.time_for_one(work).map_or(Duration::ZERO, |time| time / self.busy() as u32)
    }

    /// What is made while work is expected to wait at most; without bound before anything is known of the speed.
    fn reach(&self) -> Cost {
        self.speed.work_of_one(self.reach).map_or(Cost::UNBOUNDED, |work| work.part(self.busy() as f64))
    }

    /// Servers that count: one fills the gaps of the others, and adds nothing when all are busy.
    fn busy(&self) -> usize {
        self.servers.saturating_sub(1).max(1)
    }
}

/// How fast one server is, learnt from what was served lately.
#[derive(Clone, Copy, Debug, Default)]
struct Speed {
    work: Cost,
    seconds: f64,
}

impl Speed {
    fn learn(&mut self, work: Cost, took: Duration) {
        self.work = Cost::megapixels(self.work.get() * MEMORY) + work;
        self.seconds = self.seconds * MEMORY + took.as_secs_f64();
    }

    /// How long one server takes; `None` before anything was learnt.
    fn time_for_one(self, work: Cost) -> Option<Duration> {
        Duration::try_from_secs_f64(work.get() * self.seconds / self.work.get()).ok()
    }

    /// What one server makes; `None` before anything was learnt.
    fn work_of_one(self, time: Duration) -> Option<Cost> {
        (self.seconds > 0.0).then(|| Cost::megapixels(time.as_secs_f64() * self.work.get() / self.seconds))
    }
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::order::Kind;

    fn order(tenant: &str, cost: f64) -> Order {
        let (cost, pixels) = (Cost::megapixels(cost), Cost::megapixels(1.0));
        Order { tenant: Tenant::from(tenant), kind: Kind::Page, cost, pixels }
    }

    /// A desk with three servers, two of them busy, each of which makes a megapixel a second.
    fn desk() -> Desk<u32> {
        let desk = Desk::new(Cost::megapixels(100.0), Duration::from_secs(8), Cost::UNBOUNDED);
        (0..3).for_each(|_| desk.enter());
        desk.hand_in(&order("a", 1.0), 0).unwrap();
        let taken = desk.fetch().unwrap();
        desk.done(&taken.tenant, taken.cost, taken.pixels, Some(Duration::from_secs(1)));
        desk
    }

    #[test]
    fn behind_what_takes_half_as_long_as_work_may_wait_nothing_is_taken_in_and_told_when_to_come_back() {
        let desk = desk();
        for (tenant, pages) in [("a", 6), ("b", 2)] {
            (0..pages).for_each(|work| _ = desk.hand_in(&order(tenant, 1.0), work).unwrap());
        }
        let refusal = desk.hand_in(&order("a", 1.0), 9).unwrap_err();
        assert_eq!(refusal, Refusal { reason: Shed::TooLate, retry_after_seconds: 4 });
        assert_eq!(desk.hand_in(&order("c", 1.0), 9).unwrap_err().reason, Shed::TooLate);
        desk.fetch().unwrap();
        desk.fetch().unwrap();
        desk.hand_in(&order("c", 1.0), 10).expect("less than that waits");
    }

    #[test]
    fn the_wait_of_a_full_queue_is_what_it_takes_all_servers() {
        let desk = desk();
        for work in 0..5 {
            desk.hand_in(&order("a", 1.0), work).unwrap();
        }
        let standing = desk.standing();
        assert_eq!((standing.pages, standing.waiting.get(), standing.wait), (5, 5.0, Duration::from_secs_f64(2.5)));
    }

    #[test]
    fn before_anything_is_known_of_the_speed_only_the_room_counts() {
        let desk = Desk::new(Cost::megapixels(10.0), Duration::from_millis(1), Cost::UNBOUNDED);
        for work in 0..5 {
            desk.hand_in(&order("a", 1.0), work).unwrap();
        }
        assert_eq!(desk.hand_in(&order("a", 1.0), 5).unwrap_err().reason, Shed::TenantShare);
    }

    #[test]
    fn a_closed_desk_takes_nothing_in_and_gives_out_what_waits() {
        let desk = desk();
        desk.hand_in(&order("a", 1.0), 7).unwrap();
        desk.close();
        assert_eq!(desk.hand_in(&order("a", 1.0), 8), Ok(None));
        assert_eq!(desk.fetch().map(|taken| taken.work), Some(7));
        assert_eq!(desk.fetch().map(|taken| taken.work), None);
    }

    #[test]
    fn servers_that_stay_are_waited_for_only_so_long() {
        let desk = desk();
        (0..2).for_each(|_| desk.leave());
        assert!(!desk.wait_for_servers(Duration::from_millis(1)));
        desk.leave();
        assert!(desk.wait_for_servers(Duration::ZERO));
    }
}
