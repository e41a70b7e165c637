//! Bounds the work of free calls per client: how long previews, preflights and specimens keep render threads busy.
//!
//! Requests are counted elsewhere. One request may take a hundred times as long as another, so a client with few but
//! expensive free calls could keep all threads busy. Limits are in memory and per process, because they protect the
//! processor of this machine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use dashmap::DashMap;

use super::job_request::Tenant;
use crate::clock::Clock;

/// How long work counts, in seconds.
const WINDOW: u64 = 60;
/// The time of one render thread that a tenant's free calls may take in a window. 300 usual previews take 8 s.
const BUDGET: Duration = Duration::from_secs(20);

/// The time that free calls took, per tenant and second. Takes 1 KiB per tenant; tenants without work in the last minute
/// are forgotten.
#[derive(Debug)]
pub(super) struct WorkBudget {
    clock: Clock,
    started: Instant,
    spent: DashMap<Tenant, Spent>,
    next_sweep: AtomicU64,
}

/// The time that was spent in each of the last seconds.
#[derive(Debug)]
struct Spent {
    seconds: [Duration; WINDOW as usize],
    /// The second that was written last.
    newest: u64,
}

impl WorkBudget {
    /// A budget of which nothing is spent.
    pub(in crate::pipeline) fn new(clock: Clock) -> Self {
        let started = clock.monotonic();
        Self { clock, started, spent: DashMap::new(), next_sweep: AtomicU64::new(WINDOW) }
    }

    /// Returns whether a tenant may have another free call, or the seconds after which it may.
    pub(in crate::pipeline) fn check(&self, tenant: &Tenant) -> Result<(), u64> {
        let now = self.second();
        let Some(mut spent) = self.spent.get_mut(tenant) else { return Ok(()) };
        spent.forget_before(now);
        let mut left: Duration = spent.seconds.iter().sum();
        if left < BUDGET {
            return Ok(());
        }
        // The oldest seconds leave the window first.
        for age in (0..WINDOW).rev().filter(|age| *age <= now) {
            left = left.saturating_sub(spent.of(now - age));
            if left < BUDGET {
                return Err(WINDOW - age);
            }
        }
        Err(WINDOW)
    }

    /// Adds the time that a free call took.
    pub(super) fn spend(&self, tenant: &Tenant, took: Duration) {
        let now = self.second();
        let mut spent = self
            .spent
            .entry(tenant.clone())
            .or_insert(Spent { seconds: [Duration::ZERO; WINDOW as usize], newest: now });
        spent.forget_before(now);
        if let Some(second) = spent.seconds.get_mut((now % WINDOW) as usize) {
            *second += took;
        }
        drop(spent);
        let due = self.next_sweep.load(Ordering::Relaxed);
        if now >= due {
            self.next_sweep.store(now + WINDOW, Ordering::Relaxed);
            self.spent.retain(|_, spent| now < spent.newest + WINDOW);
        }
    }

    fn second(&self) -> u64 {
        self.clock.monotonic().saturating_duration_since(self.started).as_secs()
    }
}

impl Spent {
    /// Forgets what left the window, and begins the present second.
    fn forget_before(&mut self, now: u64) {
        for second in (self.newest + 1..=now).rev().take(WINDOW as usize) {
            if let Some(spent) = self.seconds.get_mut((second % WINDOW) as usize) {
                *spent = Duration::ZERO;
            }
        }
        self.newest = self.newest.max(now);
    }

    fn of(&self, second: u64) -> Duration {
        self.seconds.get((second % WINDOW) as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget() -> (Clock, WorkBudget, Tenant) {
        let clock = Clock::manual(std::time::UNIX_EPOCH);
        (clock.clone(), WorkBudget::new(clock), Tenant::from("key"))
    }

    #[test]
    fn a_tenant_is_refused_once_its_work_of_a_minute_reaches_the_budget() {
        let (clock, budget, tenant) = budget();
        for _ in 0..20 {
            assert_eq!(budget.check(&tenant), Ok(()));
            budget.spend(&tenant, Duration::from_secs(1));
            clock.advance(Duration::from_secs(1));
        }
        assert_eq!(budget.check(&tenant), Err(40), "the work of the first second leaves after 60");
        assert_eq!(budget.check(&Tenant::from("other")), Ok(()));
        clock.advance(Duration::from_secs(39));
        assert_eq!(budget.check(&tenant), Err(1));
        clock.advance(Duration::from_secs(1));
        assert_eq!(budget.check(&tenant), Ok(()), "waiting as long as told is enough");
    }

    #[test]
    fn one_expensive_call_is_worked_off_as_a_whole() {
        let (clock, budget, tenant) = budget();
        clock.advance(Duration::from_secs(1000));
        budget.spend(&tenant, Duration::from_secs(100));
        assert_eq!(budget.check(&tenant), Err(60));
        clock.advance(Duration::from_secs(60));
        assert_eq!(budget.check(&tenant), Ok(()));
    }

    #[test]
    fn tenants_without_work_are_forgotten() {
        let (clock, budget, _) = budget();
        for minute in 0..10 {
            for number in 0..100 {
                budget.spend(&Tenant::from(format!("{minute}/{number}").as_str()), Duration::from_millis(5));
            }
            clock.advance(Duration::from_secs(61));
        }
        assert!(budget.spent.len() <= 200, "{}", budget.spent.len());
    }
}
