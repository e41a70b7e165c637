//! Faults of devices and page threads on demand, for tests. Only builds with the feature `faults` take a plan of them.

use std::ops::RangeInclusive;
use std::panic::panic_any;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use thiserror::Error;

use super::error::GpuError;
use super::scene_renderer::SceneRenderer;

/// How long a fault of the kind `hang` lasts.
const HANG: Duration = Duration::from_secs(3600);

/// How long a fault of the kind `stuck` lasts until the service notices.
const STUCK_FOR: Duration = Duration::from_secs(1);

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The device is lost while a page is drawn.
    Loss,
    /// Drawing panics, as a lost device makes wgpu do.
    Panic,
    /// Drawing never ends.
    Hang,
    /// The device has no memory left.
    Memory,
    /// There is no adapter when a device is opened.
    Adapter,
    /// The thread of a page never returns from its job.
    Stuck,
}

impl Fault {
    /// Makes the device fail.
    pub(super) fn strike(self, renderer: &SceneRenderer) -> Result<(), GpuError> {
        match self {
            Self::Loss => renderer.device.lose(),
            #[expect(clippy::panic, reason = "the fault is a panic")]
            Self::Panic => panic_any("a fault that was asked for"),
            Self::Hang => std::thread::sleep(HANG),
            Self::Memory => return Err(GpuError::Failed("out of memory: a fault that was asked for".to_owned())),
            Self::Adapter | Self::Stuck => {}
        }
        Ok(())
    }
}

/// The drawings, openings and jobs of the process that fail, and how. Clones share their counts.
///
/// Written as `loss@3,panic@7-9,hang@20,memory@21,adapter@2,stuck@5`: a kind and the numbers of the drawings, for
/// `adapter` of the openings, or for `stuck` of the jobs, from 1.
#[derive(Clone, Debug, Default)]
pub struct FaultPlan {
    faults: Vec<(Fault, RangeInclusive<u64>)>,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    drawings: AtomicU64,
    openings: AtomicU64,
    jobs: AtomicU64,
}

/// A plan that cannot be parsed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{0:?} is no fault; write loss, panic, hang, memory, adapter or stuck, @ and a number or a range, such as \
     loss@3,hang@7-9"
)]
pub struct InvalidFault(String);

impl FaultPlan {
    /// Whether nothing goes wrong on purpose.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// The fault of the next drawing.
    pub(super) fn next_drawing(&self) -> Option<Fault> {
        self.next(&self.counts.drawings, |fault| !matches!(fault, Fault::Adapter | Fault::Stuck))
    }

    /// Fails if the next opening is to fail.
    pub(super) fn next_opening(&self) -> Result<(), GpuError> {
        match self.next(&self.counts.openings, |fault| fault == Fault::Adapter) {
            Some(_) => Err(GpuError::NoAdapter("a fault that was asked for".to_owned())),
            None => Ok(()),
        }
    }

    /// Never returns if the next job is to be stuck.
    pub fn begin_job(&self) {
        if self.next(&self.counts.jobs, |fault| fault == Fault::Stuck).is_some() {
            std::thread::sleep(HANG);
        }
    }

    /// The time after which a silent page thread counts as hanging, if one is to be stuck: short, so that tests end
    /// soon.
    #[must_use]
    pub fn hangs_after(&self) -> Option<Duration> {
        self.faults.iter().any(|(fault, _)| *fault == Fault::Stuck).then_some(STUCK_FOR)
    }

    /// Counts one more, and returns the fault that is planned for its number.
    fn next(&self, count: &AtomicU64, applies: impl Fn(Fault) -> bool) -> Option<Fault> {
        let number = count.fetch_add(1, Ordering::Relaxed) + 1;
        let planned = self.faults.iter().find(|(fault, numbers)| applies(*fault) && numbers.contains(&number));
        planned.map(|(fault, _)| *fault)
    }
}

impl FromStr for FaultPlan {
    type Err = InvalidFault;

    fn from_str(text: &str) -> Result<Self, InvalidFault> {
        let fault = |part: &str| parse_fault(part).ok_or_else(|| InvalidFault(part.to_owned()));
        Ok(Self { faults: text.split(',').map(fault).collect::<Result<_, _>>()?, counts: Arc::default() })
    }
}

fn parse_fault(part: &str) -> Option<(Fault, RangeInclusive<u64>)> {
    let (name, numbers) = part.trim().split_once('@')?;
    let fault = match name {
        "loss" => Fault::Loss,
        "panic" => Fault::Panic,
        "hang" => Fault::Hang,
        "memory" => Fault::Memory,
        "adapter" => Fault::Adapter,
        "stuck" => Fault::Stuck,
        _ => return None,
    };
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (1 <= first && first <= last).then_some((fault, first..=last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_drawing_and_opening_meets_the_fault_of_its_number() {
        let plan: FaultPlan = "loss@2,panic@4-5,adapter@2,stuck@6".parse().unwrap();
        assert_eq!(plan.hangs_after(), Some(STUCK_FOR));
        (0..5).for_each(|_| plan.begin_job());
        let twin = plan.clone();
        let drawn: Vec<_> = (0..6).map(|_| twin.next_drawing()).collect();
        let (loss, panic) = (Some(Fault::Loss), Some(Fault::Panic));
        assert_eq!(drawn, [None, loss, None, panic, panic, None]);
        assert_eq!(plan.next_drawing(), None, "clones count together");
        assert!(plan.next_opening().is_ok());
        assert!(matches!(plan.next_opening(), Err(GpuError::NoAdapter(_))));
        assert!(plan.next_opening().is_ok());
    }

    #[test]
    fn a_plan_that_says_nothing_is_refused_and_named() {
        for text in ["", "loss", "loss@", "loss@0", "loss@3-2", "fire@1", "loss@1,x"] {
            let error = text.parse::<FaultPlan>().unwrap_err();
            assert!(error.to_string().contains("loss@3"), "{error}");
        }
    }
}
