//! Heartbeats of the page threads, by which a thread that hangs is found.
//!
//! All stages of a page ask often whether it is still wanted. Each time, the thread's heartbeat is stamped. A thread
//! that has not asked for long cannot be stopped: its client may hang up and its core stays busy. Only the end of the
//! process helps.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::job_request::Tenant;
use crate::clock::Clock;

thread_local! {
    static OF_THREAD: RefCell<Option<Arc<Heartbeat>>> = const { RefCell::new(None) };
}

/// A page whose thread hangs.
#[derive(Clone, Debug)]
pub struct HangingPage {
    /// The stage in which it hangs; `None` before the first.
    pub stage: Option<&'static str>,
    /// The tenant whose page it is.
    pub tenant: Tenant,
    /// The span of its request, which has the request's id.
    pub span: tracing::Span,
    /// Time since the last sign of life.
    pub silent_for: Duration,
}

/// The heartbeat of a page thread.
pub(in crate::pipeline) struct Heartbeat {
    clock: Clock,
    /// The last sign of life.
    beat: Mutex<Instant>,
    /// The job of the thread, if it has one.
    job: Mutex<Option<HangingPage>>,
}

impl Heartbeat {
    /// The heartbeat of an idle thread.
    pub(super) fn new(clock: Clock) -> Arc<Self> {
        let beat = Mutex::new(clock.monotonic());
        Arc::new(Self { clock, beat, job: Mutex::default() })
    }

    /// Makes this the heartbeat of the calling thread.
    pub(super) fn watch_thread(self: &Arc<Self>) {
        OF_THREAD.set(Some(Arc::clone(self)));
    }

    /// The heartbeat of the calling thread, if it is watched.
    pub(super) fn of_thread() -> Option<Arc<Self>> {
        OF_THREAD.with_borrow(Clone::clone)
    }

    /// Records that the thread takes a job.
    pub(super) fn begin(&self, tenant: Tenant, span: tracing::Span) {
        self.beat();
        *self.job.lock() = Some(HangingPage { stage: None, tenant, span, silent_for: Duration::ZERO });
    }

    /// Records that the thread is idle again.
    pub(super) fn end(&self) {
        *self.job.lock() = None;
    }

    /// Records a sign of life. May be called from any thread that works for this one.
    pub(super) fn beat(&self) {
        *self.beat.lock() = self.clock.monotonic();
    }

    /// Records that the calling thread, if it is watched, begins a stage.
    pub(in crate::pipeline) fn enter(stage: &'static str) {
        OF_THREAD.with_borrow(|heartbeat| {
            if let Some(heartbeat) = heartbeat {
                heartbeat.beat();
                if let Some(job) = &mut *heartbeat.job.lock() {
                    job.stage = Some(stage);
                }
            }
        });
    }

    /// The page of the thread, if the thread is in a job and has given no sign of life for `limit`.
    pub(super) fn hanging_page(&self, limit: Duration) -> Option<HangingPage> {
        let page = self.job.lock().clone()?;
        let silent_for = self.clock.monotonic().duration_since(*self.beat.lock());
        (silent_for >= limit).then_some(HangingPage { silent_for, ..page })
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    #[test]
    fn a_thread_hangs_if_it_is_in_a_job_and_silent() {
        let clock = Clock::manual(UNIX_EPOCH);
        let heartbeat = Heartbeat::new(clock.clone());
        heartbeat.watch_thread();
        clock.advance(LIMIT);
        assert!(heartbeat.hanging_page(LIMIT).is_none(), "it is idle");
        heartbeat.begin(Tenant::from("a"), tracing::Span::none());
        assert!(heartbeat.hanging_page(LIMIT).is_none(), "it has just begun");
        clock.advance(LIMIT / 2);
        Heartbeat::enter("compose");
        clock.advance(LIMIT / 2);
        Heartbeat::of_thread().unwrap().beat();
        clock.advance(LIMIT / 2);
        assert!(heartbeat.hanging_page(LIMIT).is_none(), "it has given signs");
        clock.advance(LIMIT / 2);
        let page = heartbeat.hanging_page(LIMIT).unwrap();
        assert_eq!((page.stage, page.tenant, page.silent_for), (Some("compose"), Tenant::from("a"), LIMIT));
        heartbeat.end();
        assert!(heartbeat.hanging_page(LIMIT).is_none(), "it is idle again");
    }

    #[test]
    fn threads_of_others_are_not_watched() {
        std::thread::spawn(|| {
            Heartbeat::enter("encode");
            assert!(Heartbeat::of_thread().is_none());
        })
        .join()
        .unwrap();
    }
}
