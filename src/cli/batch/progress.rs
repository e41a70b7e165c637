//! Shows the progress of a batch: a bar on a terminal, otherwise a line from time to time.

use std::io::IsTerminal as _;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::output;
use crate::clock::Clock;

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Tells the user something while rows are made. Clones tell the same user.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(Arc<OnceLock<ProgressBar>>);

impl Notes {
    /// Prints a note, above the bar if there is one.
    pub(super) fn say(&self, text: &str) {
        match self.0.get() {
            Some(bar) => bar.suspend(|| output::note(text)),
            None => output::note(text),
        }
    }
}

/// Rows done, failed and left.
pub(super) struct Progress {
    clock: Clock,
    bar: Option<ProgressBar>,
    total: usize,
    done: usize,
    failed: usize,
    started: Instant,
    said: Instant,
}

impl Progress {
    /// Of `total` rows, none is done. `notes` are printed above its bar.
    pub(super) fn of(total: usize, clock: Clock, notes: &Notes) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total as u64);
            let style = "{bar:40} {pos}/{len} rows, {per_sec}, {eta} left {msg}";
            bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
            notes.0.get_or_init(|| bar.clone());
            bar
        });
        let started = clock.monotonic();
        Self { clock, bar, total, done: 0, failed: 0, started, said: started }
    }

    /// One more row is done, well or badly.
    pub(super) fn step(&mut self, failed: bool) {
        self.set(self.done + 1, self.failed + usize::from(failed));
    }

    /// Sets the number of rows that are done, and of those among them that failed.
    pub(super) fn set(&mut self, done: usize, failed: usize) {
        (self.done, self.failed) = (done, failed);
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
            if failed > 0 {
                bar.set_message(format!("({failed} failed)"));
            }
        } else if self.clock.monotonic().duration_since(self.said) >= LINE_EVERY {
            self.said = self.clock.monotonic();
            output::note(&self.line());
        }
    }

    fn line(&self) -> String {
        let begun = format!("{} of {} rows, {} failed", self.done, self.total, self.failed);
        if self.done == 0 {
            return begun;
        }
        let rate = self.done as f64 / self.clock.monotonic().duration_since(self.started).as_secs_f64().max(1e-3);
        let left = (self.total.saturating_sub(self.done) as f64 / rate).ceil();
        format!("{begun}, {rate:.1} rows/s, {left} s left")
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_rate_and_time_left() {
        let clock = Clock::manual(std::time::UNIX_EPOCH);
        let mut progress = Progress { bar: None, ..Progress::of(100, clock.clone(), &Notes::default()) };
        clock.advance(Duration::from_secs(6));
        assert_eq!(progress.line(), "0 of 100 rows, 0 failed");
        clock.advance(Duration::from_secs(10));
        for number in 0..20 {
            progress.step(number == 0);
        }
        clock.advance(Duration::from_secs(4));
        assert_eq!(progress.line(), "20 of 100 rows, 1 failed, 1.0 rows/s, 80 s left");
    }
}
