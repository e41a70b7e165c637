//! What came back, counted and timed.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::client::Answer;

/// Answers by status, and the times of each status.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    times: BTreeMap<u16, Vec<Duration>>,
    /// Bytes of the bodies that came with 200.
    pub(crate) bytes: u64,
    /// Exchanges without a whole answer.
    pub(crate) broken: u64,
    /// Answers 503 that do not say when to retry.
    pub(crate) silent_refusals: u64,
    /// Requests never sent, because too many were under way.
    pub(crate) not_sent: u64,
}

impl Tally {
    /// Counts one exchange that took so long.
    pub(crate) fn note(&mut self, answer: &Result<Answer, std::io::Error>, took: Duration) {
        match answer {
            Ok(answer) => {
                self.times.entry(answer.status).or_default().push(took);
                self.bytes += if answer.status == 200 { answer.bytes as u64 } else { 0 };
                self.silent_refusals += u64::from(answer.status == 503 && !answer.says_when_to_retry);
            }
            Err(_) => self.broken += 1,
        }
    }

    /// Takes in what another counted.
    pub(crate) fn merge(&mut self, other: Self) {
        for (status, times) in other.times {
            self.times.entry(status).or_default().extend(times);
        }
        self.bytes += other.bytes;
        self.broken += other.broken;
        self.silent_refusals += other.silent_refusals;
        self.not_sent += other.not_sent;
    }

    /// Answers with this status.
    pub(crate) fn count(&self, status: u16) -> usize {
        self.times.get(&status).map_or(0, Vec::len)
    }

    /// Answers with this status that took longer than this.
    pub(crate) fn longer_than(&self, status: u16, milliseconds: f64) -> usize {
        let times = self.times.get(&status).into_iter().flatten();
        times.filter(|time| time.as_secs_f64() * 1e3 > milliseconds).count()
    }

    /// Statuses other than these.
    pub(crate) fn others_than(&self, expected: &[u16]) -> Vec<(u16, usize)> {
        let unexpected = self.times.iter().filter(|(status, _)| !expected.contains(status));
        unexpected.map(|(status, times)| (*status, times.len())).collect()
    }

    /// The time within which the part `part` (0 to 1) of the answers with this status came, in milliseconds; the
    /// nearest rank, so that it is one that was measured.
    pub(crate) fn quantile_ms(&self, status: u16, part: f64) -> f64 {
        let mut times = self.times.get(&status).cloned().unwrap_or_default();
        times.sort_unstable();
        let rank = (times.len() as f64 * part).ceil() as usize;
        times.get(rank.saturating_sub(1)).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (status, times) in &self.times {
            let [p50, p99, worst] = [0.5, 0.99, 1.0].map(|part| self.quantile_ms(*status, part));
            write!(formatter, "{} × {status} (p50 {p50:.1}, p99 {p99:.1}, worst {worst:.1} ms); ", times.len())?;
        }
        write!(formatter, "{} broken, {} not sent", self.broken, self.not_sent)
    }
}
