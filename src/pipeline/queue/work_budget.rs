//! Bounds the work of free calls per client: how long previews, preflights, specimens and first rows of jobs keep
//! render threads busy.
//!
//! Requests are counted elsewhere. One request may take a hundred times as long as another, so a client with few but
//! expensive free calls could keep all threads busy. Limits are in memory and per process, because they protect the
//! processor of this machine.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use dashmap::DashMap;

use super::job_request::Tenant;
use crate::clock::Clock;

/// How long work counts, in seconds.
const WINDOW: u64 = 60;
/// The time of one render thread that a tenant's free calls may take in a window. 300 usual previews take 8 s.
const BUDGET: Duration = Duration::from_secs(20);

/// The time that free calls took. Takes up to 2 KiB per tenant; tenants without work in the last minute are forgotten.
#[derive(Debug)]
pub(super) struct WorkBudget {
    clock: Clock,
    started: Instant,
    /// Of each tenant: the seconds with work, the oldest first, and the time that was spent in each.
    spent: DashMap<Tenant, VecDeque<(u64, Duration)>>,
    next_sweep: AtomicU64,
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
        let Some(spent) = self.spent.get(tenant) else { return Ok(()) };
        let counted = || spent.iter().filter(|(second, _)| now < second + WINDOW);
        let mut left: Duration = counted().map(|(_, took)| *took).sum();
        // The oldest seconds leave the window first.
        for (second, took) in counted() {
            if left < BUDGET {
                break;
            }
            left -= *took;
            if left < BUDGET {
                return Err(second + WINDOW - now);
            }
        }
        Ok(())
    }

    /// Adds the time that a free call took.
    pub(super) fn spend(&self, tenant: &Tenant, took: Duration) {
        let now = self.second();
        let mut spent = self.spent.entry(tenant.clone()).or_default();
        while spent.front().is_some_and(|(second, _)| second + WINDOW <= now) {
            spent.pop_front();
        }
        match spent.back_mut() {
            Some((second, time)) if *second >= now => *time += took,
            _ => spent.push_back((now, took)),
        }
        drop(spent);
        if now >= self.next_sweep.load(Ordering::Relaxed) {
            self.next_sweep.store(now + WINDOW, Ordering::Relaxed);
            self.spent.retain(|_, spent| spent.back().is_some_and(|(second, _)| now < second + WINDOW));
        }
    }

    fn second(&self) -> u64 {
        self.clock.monotonic().saturating_duration_since(self.started).as_secs()
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
