//! Waits for SIGTERM or SIGINT.

use std::io;

use tokio::signal::unix::{SignalKind, signal};

use super::Failure;

/// Two futures: one resolves on the first signal, the other on the second. Must be called in a tokio runtime. From then
/// on the signals do not end the process.
pub(super) fn stop_signals() -> Result<(impl Future<Output = ()>, impl Future<Output = ()>), Failure> {
    let both = || Ok((on_signal(1)?, on_signal(2)?));
    both().map_err(Failure::internal::<io::Error>("cannot wait for signals"))
}

/// Resolves on signal number `times`.
fn on_signal(times: usize) -> io::Result<impl Future<Output = ()>> {
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
