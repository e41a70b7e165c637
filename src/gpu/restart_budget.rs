//! How often and how soon a failed device is opened again.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time within which losses are counted.
const WINDOW: Duration = Duration::from_secs(60);
/// Losses in a row, no page drawn between them, after which there is no device worth the name.
const MOST_IN_A_ROW: u32 = 8;
/// Wait before the second opening in a row; each further one waits twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(50);
/// Between two openings once the budget is spent.
const SPENT_WAIT: Duration = Duration::from_secs(5);

/// Counts losses. A device that is lost once is opened at once, since most losses are a driver's restart; one that is
/// lost again and again is given time; beyond so many losses in a minute, or eight in a row, the budget is spent.
#[derive(Clone, Debug)]
pub(super) struct RestartBudget {
    allowed: u32,
    losses: VecDeque<Instant>,
    in_a_row: u32,
}

impl RestartBudget {
    /// A budget of so many losses a minute.
    pub(super) const fn new(allowed: u32) -> Self {
        Self { allowed, losses: VecDeque::new(), in_a_row: 0 }
    }

    /// A device failed, or could not be opened.
    pub(super) fn lost(&mut self, now: Instant) {
        self.in_a_row = self.in_a_row.saturating_add(1);
        self.losses.push_back(now);
        if self.losses.len() > self.allowed as usize + 1 {
            self.losses.pop_front();
        }
    }

    /// A page was drawn.
    pub(super) const fn drew(&mut self) {
        self.in_a_row = 0;
    }

    /// Whether the device is not to be relied on any more.
    pub(super) fn is_spent(&self, now: Instant) -> bool {
        let lately = self.losses.iter().filter(|loss| now.saturating_duration_since(**loss) < WINDOW).count();
        lately > self.allowed as usize || self.in_a_row > MOST_IN_A_ROW
    }

    /// How long to wait before the next opening.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        let Some(last) = self.losses.back() else { return Duration::ZERO };
        let wait = match self.in_a_row {
            _ if self.is_spent(now) => SPENT_WAIT,
            0 | 1 => Duration::ZERO,
            several => FIRST_WAIT * (1 << (several - 2).min(MOST_IN_A_ROW)),
        };
        wait.saturating_sub(now.saturating_duration_since(*last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn one_loss_is_mended_at_once_and_those_in_a_row_ever_later() {
        let now = Clock::system().monotonic();
        let mut budget = RestartBudget::new(30);
        let waits: Vec<_> = (0..5)
            .map(|_| {
                budget.lost(now);
                budget.wait(now).as_millis()
            })
            .collect();
        assert_eq!(waits, [0, 50, 100, 200, 400]);
        assert_eq!(budget.wait(now + 150 * MILLISECOND), 250 * MILLISECOND, "time that has passed counts");
        budget.drew();
        budget.lost(now);
        assert_eq!(budget.wait(now), Duration::ZERO);
    }

    #[test]
    fn eight_losses_in_a_row_are_borne_and_the_ninth_spends_the_budget() {
        let now = Clock::system().monotonic();
        let mut budget = RestartBudget::new(30);
        (0..8).for_each(|_| budget.lost(now));
        assert!(!budget.is_spent(now));
        budget.lost(now);
        assert!(budget.is_spent(now));
        assert_eq!(budget.wait(now), SPENT_WAIT);
        budget.drew();
        assert!(!budget.is_spent(now), "a page was drawn after all");
    }

    #[test]
    fn more_losses_in_a_minute_than_allowed_spend_the_budget_until_they_are_past() {
        let start = Clock::system().monotonic();
        let mut budget = RestartBudget::new(3);
        for second in 0..4 {
            budget.lost(start + Duration::from_secs(second));
            budget.drew();
        }
        assert!(budget.is_spent(start + Duration::from_secs(59)));
        assert!(!budget.is_spent(start + Duration::from_secs(60)));
    }
}
