//! Calls that block, on threads for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::http::errors::table::ApiError;

/// Runs a call on a thread that may block.
pub(super) async fn blocking<T: Send + 'static>(call: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(call).await.map_err(|error| ApiError::GenerationFailed(error.to_string()))
}

/// The same; the call is told whether the client still waits.
pub(super) async fn blocking_while_awaited<T: Send + 'static>(
    call: impl FnOnce(&dyn Fn() -> bool) -> T + Send + 'static,
) -> Result<T, ApiError> {
    /// Tells that the client hung up, when the future of its request is dropped.
    struct Waiting(Arc<AtomicBool>);
    impl Drop for Waiting {
        fn drop(&mut self) {
            self.0.store(false, Ordering::Relaxed);
        }
    }
    let waiting = Waiting(Arc::new(AtomicBool::new(true)));
    let is_awaited = Arc::clone(&waiting.0);
    let done = blocking(move || call(&|| is_awaited.load(Ordering::Relaxed))).await;
    drop(waiting);
    done
}
