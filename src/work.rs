//! Bounds on the work that one request may cause: counted steps, and whether the client still waits.
//!
//! Input: a budget of steps and a closure that returns whether the result is still wanted. Output: [`Stopped`] once the
//! budget is spent or the result is not wanted. Code that loops over text or glyphs calls [`WorkMeter::spend`]
//! repeatedly. Steps are counted, not timed, so that a request has the same outcome on every machine.

use std::cell::Cell;

use thiserror::Error;

/// Steps after which the meter checks again whether the result is wanted: less than 10 ms of work.
const STEPS_PER_CHECK: u64 = 100_000;

/// Why work was stopped before its end.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Stopped {
    /// The budget is spent.
    #[error("the work exceeds its budget")]
    OverBudget,
    /// The client has disconnected, or the service stops.
    #[error("the result is no longer wanted")]
    Unwanted,
}

/// Returns whether a result is still wanted. Called from any thread.
pub type IsWanted<'a> = &'a (dyn Fn() -> bool + Sync);

/// Counts the steps of one piece of work. A step is some 20 ns on a current core.
pub struct WorkMeter<'a> {
    spent: Cell<u64>,
    budget: u64,
    next_check: Cell<u64>,
    is_wanted: IsWanted<'a>,
}

impl<'a> WorkMeter<'a> {
    /// A meter that stops after `budget` steps, or once `is_wanted` returns false.
    #[must_use]
    pub const fn new(budget: u64, is_wanted: IsWanted<'a>) -> Self {
        Self { spent: Cell::new(0), budget, next_check: Cell::new(0), is_wanted }
    }

    /// Adds steps.
    ///
    /// # Errors
    /// The budget is spent, or the result is no longer wanted.
    pub fn spend(&self, steps: usize) -> Result<(), Stopped> {
        let spent = self.spent.get() + steps as u64;
        self.spent.set(spent);
        if spent > self.budget {
            return Err(Stopped::OverBudget);
        }
        if spent >= self.next_check.get() {
            self.next_check.set(spent + STEPS_PER_CHECK);
            if !(self.is_wanted)() {
                return Err(Stopped::Unwanted);
            }
        }
        Ok(())
    }

    /// Steps so far.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent.get()
    }
}

impl Default for WorkMeter<'_> {
    /// A meter that never stops.
    fn default() -> Self {
        Self::new(u64::MAX, &|| true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_meter_stops_when_the_budget_is_spent() {
        let meter = WorkMeter::new(10, &|| true);
        assert_eq!(meter.spend(10), Ok(()));
        assert_eq!(meter.spend(1), Err(Stopped::OverBudget));
        assert_eq!(meter.spent(), 11);
    }

    #[test]
    fn a_meter_asks_from_time_to_time_whether_the_result_is_wanted() {
        let asked = AtomicUsize::new(0);
        let twice = || asked.fetch_add(1, Ordering::Relaxed) < 2;
        let meter = WorkMeter::new(u64::MAX, &twice);
        let steps = (0..10_000_000).find(|_| meter.spend(1) == Err(Stopped::Unwanted)).unwrap();
        assert_eq!(steps, 2 * STEPS_PER_CHECK as usize);
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }
}
