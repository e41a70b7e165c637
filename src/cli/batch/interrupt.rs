//! Stops a batch on a signal: no further row is started, and rows in progress are finished.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::cli::{Failure, failure};

/// Longest sleep before the flags are checked again.
const CHECK_EVERY: Duration = Duration::from_millis(100);

/// Tells the batch when to stop.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt {
    halted: Arc<AtomicBool>,
    signalled: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens to SIGINT and SIGTERM. A second signal ends the process at once.
    pub(super) fn listening() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let register = |signal| -> io::Result<()> {
            // Ends the process if the flag is set already. So it comes first.
            flag::register_conditional_shutdown(signal, failure::TRY_AGAIN.into(), Arc::clone(&interrupt.signalled))?;
            flag::register(signal, Arc::clone(&interrupt.signalled))?;
            Ok(())
        };
        [SIGINT, SIGTERM].into_iter().try_for_each(register).map_err(Failure::internal("cannot wait for signals"))?;
        Ok(interrupt)
    }

    /// Stops the batch: no further row is started.
    pub(super) fn halt(&self) {
        self.halted.store(true, Ordering::SeqCst);
    }

    /// Whether no further row may be started.
    pub(super) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::SeqCst) || self.was_signalled()
    }

    /// Whether there was a signal.
    pub(super) fn was_signalled(&self) -> bool {
        self.signalled.load(Ordering::SeqCst)
    }

    /// Sleeps for `time`, or until the batch is stopped. Whether to go on.
    pub(super) fn wait(&self, time: Duration) -> bool {
        let mut left = time;
        while !left.is_zero() && !self.is_halted() {
            let step = left.min(CHECK_EVERY);
            thread::sleep(step);
            left -= step;
        }
        !self.is_halted()
    }
}
