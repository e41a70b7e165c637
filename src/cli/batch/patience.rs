//! How long a row waits for a service that asks for it.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::progress::Notes;
use crate::clock::Clock;

/// Shortest and longest time between two attempts, whatever the service asks for.
const SHORTEST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// Most time that one row waits in all.
const MOST_PER_ROW: Duration = Duration::from_secs(600);
/// Time between two messages to the user that rows wait.
const NOTE_EVERY: Duration = Duration::from_secs(5);

/// The waits of one row.
#[derive(Debug, Default)]
pub(super) struct Patience {
    waited: Duration,
}

impl Patience {
    /// How long to wait where the service asks for `asked`. `None` if the row has waited for as long as it may.
    pub(super) fn wait(&mut self, asked: Duration) -> Option<Duration> {
        let wait = asked.clamp(SHORTEST_WAIT, LONGEST_WAIT).min(MOST_PER_ROW.saturating_sub(self.waited));
        self.waited += wait;
        (!wait.is_zero()).then_some(wait)
    }

    /// Why a row waits no longer; `reason` is what the service said last.
    pub(super) fn ended(reason: &str) -> String {
        format!("{reason}; a row waited for {} minutes, the most; run it again later", MOST_PER_ROW.as_secs() / 60)
    }
}

/// Tells the user that rows wait, from time to time.
#[derive(Debug)]
pub(super) struct WaitNotes {
    notes: Notes,
    clock: Clock,
    said: Mutex<Option<Instant>>,
}

impl WaitNotes {
    pub(super) fn new(notes: Notes, clock: Clock) -> Self {
        Self { notes, clock, said: Mutex::default() }
    }

    /// Says that a row waits for `wait`, why, and what the service asks for if that is longer. Says nothing within five
    /// seconds of the last note.
    pub(super) fn say(&self, reason: &str, asked: Duration, wait: Duration) {
        if self.is_due() {
            self.notes.say(&line(reason, asked, wait));
        }
    }

    fn is_due(&self) -> bool {
        let (mut said, now) = (self.said.lock(), self.clock.monotonic());
        let is_due = said.is_none_or(|said| now.saturating_duration_since(said) >= NOTE_EVERY);
        if is_due {
            *said = Some(now);
        }
        is_due
    }
}

fn line(reason: &str, asked: Duration, wait: Duration) -> String {
    let asks = if asked > wait { format!(" (it asks for {} s)", asked.as_secs()) } else { String::new() };
    format!("waiting for {} s{asks}: {reason}", wait.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn no_service_makes_a_row_wait_for_more_than_a_minute_or_ten_in_all() {
        let wait = |asked| Patience::default().wait(Duration::from_secs(asked)).unwrap().as_millis();
        assert_eq!([wait(0), wait(7), wait(60), wait(61), wait(u64::MAX)], [500, 7_000, 60_000, 60_000, 60_000]);
        for (asked, waits) in [(u64::MAX, 10), (45, 14), (0, 1200)] {
            let mut patience = Patience::default();
            let all: Vec<Duration> = std::iter::from_fn(|| patience.wait(Duration::from_secs(asked))).collect();
            assert_eq!((all.len(), all.iter().sum::<Duration>()), (waits, MOST_PER_ROW));
        }
    }

    #[test]
    fn the_first_wait_is_told_at_once_and_further_ones_every_five_seconds() {
        let clock = Clock::manual(UNIX_EPOCH);
        let notes = WaitNotes::new(Notes::default(), clock.clone());
        assert_eq!([notes.is_due(), notes.is_due()], [true, false]);
        clock.advance(NOTE_EVERY);
        assert_eq!([notes.is_due(), notes.is_due()], [true, false]);
    }

    #[test]
    fn a_note_says_how_long_why_and_what_was_asked_for() {
        let seconds = Duration::from_secs;
        assert_eq!(
            line("busy", seconds(u64::MAX), seconds(60)),
            "waiting for 60 s (it asks for 18446744073709551615 s): busy"
        );
        assert_eq!(line("busy", seconds(3), seconds(3)), "waiting for 3 s: busy");
    }
}
