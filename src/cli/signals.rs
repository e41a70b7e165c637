//! Waits for SIGTERM or SIGINT.

use std::io;

use tokio::signal::unix::{SignalKind, signal};

use super::Failure;

/// Ready on the first and on the second of these signals, each whether or not the other is awaited. Must be made inside
/// the runtime; from then on the signals do not end the process.
pub(super) fn stop_signals() -> Result<(impl Future<Output = ()>, impl Future<Output = ()>), Failure> {
    let both = || Ok((told(1)?, told(2)?));
    both().map_err(|error: io::Error| Failure::Internal(format!("cannot wait for signals: {error}")))
}

/// Ready when told so many times.
fn told(times: usize) -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        for _ in 0..times {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
    })
}
