//! The time that each stage of a page takes.

use std::time::Duration;

use super::queue::heartbeat::Heartbeat;
use crate::clock::Clock;

/// A stage of a page, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Waiting for a thread.
    Queue,
    /// Placing the glyphs.
    LayOut,
    /// Composing the scene for the device.
    Compose,
    /// Drawing on the device, with the wait for it.
    Draw,
    /// Encoding the file.
    Encode,
}

/// The time spent in each stage that was begun. A stage that ran twice has the sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes([Option<Duration>; Stage::ALL.len()]);

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 5] = [Self::Queue, Self::LayOut, Self::Compose, Self::Draw, Self::Encode];

    /// The name in logs and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::LayOut => "lay_out",
            Self::Compose => "compose",
            Self::Draw => "draw",
            Self::Encode => "encode",
        }
    }
}

impl StageTimes {
    /// Does the work of a stage and adds the time it took.
    pub fn time<T>(&mut self, stage: Stage, clock: &Clock, work: impl FnOnce() -> T) -> T {
        Heartbeat::enter(stage.name());
        let started = clock.monotonic();
        let done = work();
        self.add(stage, clock.monotonic().duration_since(started));
        done
    }

    /// Adds time to a stage.
    pub fn add(&mut self, stage: Stage, took: Duration) {
        if let Some(time) = self.0.get_mut(stage as usize) {
            *time = Some(time.unwrap_or_default() + took);
        }
    }

    /// The time of a stage, if it was begun.
    #[must_use]
    pub fn of(&self, stage: Stage) -> Option<Duration> {
        self.0.get(stage as usize).copied().flatten()
    }

    /// The stages that were begun, in order.
    pub fn met(&self) -> impl Iterator<Item = (Stage, Duration)> {
        Stage::ALL.into_iter().filter_map(|stage| Some((stage, self.of(stage)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stages_that_were_met_have_a_time_and_a_second_visit_adds_to_it() {
        let clock = Clock::manual(std::time::UNIX_EPOCH);
        let mut times = StageTimes::default();
        for seconds in [2, 3] {
            times.time(Stage::Draw, &clock, || clock.advance(Duration::from_secs(seconds)));
        }
        times.add(Stage::Queue, Duration::ZERO);
        let met: Vec<_> = times.met().map(|(stage, took)| (stage.name(), took.as_secs())).collect();
        assert_eq!(met, [("queue", 0), ("draw", 5)]);
    }
}
