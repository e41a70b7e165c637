//! Stops a batch on a signal: no further row is started, and rows in progress are finished.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::cli::signals::stop_signals;
use crate::cli::{Failure, failure};

/// Longest time without looking whether to stop.
const GLANCE: Duration = Duration::from_millis(100);

/// Whether to go on.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt {
    halted: Arc<AtomicBool>,
    signalled: Arc<AtomicBool>,
}

impl Interrupt {
    /// One that SIGINT and SIGTERM set off. A second signal ends the process at once.
    pub(super) fn listening() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let heard = interrupt.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        let runtime = runtime.map_err(|error| Failure::Internal(format!("cannot wait for signals: {error}")))?;
        let (first, second) = {
            let _inside = runtime.enter();
            stop_signals()?
        };
        let listen = move || {
            runtime.block_on(async {
                first.await;
                heard.signalled.store(true, Ordering::SeqCst);
                heard.halt();
                second.await;
                std::process::exit(failure::TRY_AGAIN.into());
            });
        };
        let thread = thread::Builder::new().name("signals".to_owned()).spawn(listen);
        thread.map_err(|error| Failure::Internal(format!("cannot wait for signals: {error}")))?;
        Ok(interrupt)
    }

    /// Begin no further row.
    pub(super) fn halt(&self) {
        self.halted.store(true, Ordering::SeqCst);
    }

    /// Whether no further row should be begun.
    pub(super) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::SeqCst)
    }

    /// Whether that is because of a signal.
    pub(super) fn was_signalled(&self) -> bool {
        self.signalled.load(Ordering::SeqCst)
    }

    /// Waits, unless told to stop. Whether to go on.
    pub(super) fn wait(&self, time: Duration) -> bool {
        let mut left = time;
        while !left.is_zero() && !self.is_halted() {
            let step = left.min(GLANCE);
            thread::sleep(step);
            left -= step;
        }
        !self.is_halted()
    }
}
