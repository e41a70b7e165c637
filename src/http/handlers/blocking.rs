//! Calls that block, on threads for them.

use crate::http::errors::table::ApiError;

/// Runs a call on a thread that may block.
pub(super) async fn blocking<T: Send + 'static>(call: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(call).await.map_err(|error| ApiError::GenerationFailed(error.to_string()))
}
