//! The scenes in flight on a device and the start of the first, to detect a hanging device.

use std::collections::VecDeque;
use std::time::Instant;

use parking_lot::Mutex;

/// The scene numbers of each submission, in the order of their completion, and the time since which the device works on
/// the first.
#[derive(Debug, Default)]
pub(super) struct InFlightTracker(Mutex<Submissions>);

#[derive(Debug, Default)]
struct Submissions {
    numbers: VecDeque<Vec<u64>>,
    at_first_since: Option<Instant>,
    is_given_up: bool,
}

impl InFlightTracker {
    /// Records a submission, which goes ahead of all others or is the last.
    pub(super) fn begin(&self, numbers: Vec<u64>, ahead: bool, now: Instant) {
        let mut submissions = self.0.lock();
        if ahead {
            submissions.numbers.push_front(numbers);
            submissions.at_first_since = Some(now);
        } else {
            submissions.numbers.push_back(numbers);
            submissions.at_first_since.get_or_insert(now);
        }
    }

    /// Removes the first submission.
    pub(super) fn end(&self, now: Instant) {
        let mut submissions = self.0.lock();
        submissions.numbers.pop_front();
        submissions.at_first_since = (!submissions.numbers.is_empty()).then_some(now);
    }

    /// Undoes the last `begin`: nothing was submitted.
    pub(super) fn withdraw(&self, ahead: bool) {
        let mut submissions = self.0.lock();
        if ahead {
            submissions.numbers.pop_front()
        } else {
            submissions.numbers.pop_back()
        };
        if submissions.numbers.is_empty() {
            submissions.at_first_since = None;
        }
    }

    /// The time since which the device works on the first submission.
    pub(super) fn since(&self) -> Option<Instant> {
        self.0.lock().at_first_since
    }

    /// Records that the device hangs.
    pub(super) fn give_up(&self) {
        self.0.lock().is_given_up = true;
    }

    /// Whether a waiter has found that the device hangs.
    pub(super) fn is_given_up(&self) -> bool {
        self.0.lock().is_given_up
    }

    /// Whether the scene belongs to the first submission.
    pub(super) fn is_at(&self, number: u64) -> bool {
        self.0.lock().numbers.front().is_some_and(|first| first.contains(&number))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::Clock;

    #[test]
    fn the_time_of_a_submission_counts_from_the_end_of_the_one_before_it() {
        let (tracker, start) = (InFlightTracker::default(), Clock::system().monotonic());
        let after = |seconds| start + Duration::from_secs(seconds);
        tracker.begin(vec![1, 2], false, start);
        tracker.begin(vec![3], false, after(1));
        assert_eq!((tracker.since(), tracker.is_at(2), tracker.is_at(3)), (Some(start), true, false));
        tracker.end(after(5));
        assert_eq!((tracker.since(), tracker.is_at(2), tracker.is_at(3)), (Some(after(5)), false, true));
        tracker.end(after(6));
        assert_eq!((tracker.since(), tracker.is_at(3)), (None, false));
    }

    #[test]
    fn the_time_of_one_that_goes_ahead_counts_from_its_start_and_that_of_the_other_from_its_end() {
        let (tracker, start) = (InFlightTracker::default(), Clock::system().monotonic());
        let after = |seconds| start + Duration::from_secs(seconds);
        tracker.begin(vec![1], false, start);
        tracker.begin(vec![2], true, after(3));
        assert_eq!((tracker.since(), tracker.is_at(1), tracker.is_at(2)), (Some(after(3)), false, true));
        tracker.begin(vec![3], true, after(4));
        tracker.withdraw(true);
        tracker.end(after(5));
        assert_eq!((tracker.since(), tracker.is_at(1)), (Some(after(5)), true));
    }
}
