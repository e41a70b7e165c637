//! Why a page could not be made.

use thiserror::Error;

use super::job_request::RejectReason;
use crate::encode::ProfileDefect;
use crate::gpu::GpuError;
use crate::layout::LayoutError;
use crate::scene::SceneError;
use crate::work::Stopped;

/// A page that was not rendered.
#[derive(Debug, Error)]
pub enum RenderError {
    /// The text cannot be written as asked; the client can mend it.
    #[error(transparent)]
    Layout(LayoutError),
    /// The text needs more pages than a file may have; the client can mend it.
    #[error("the text needs {needed} pages, more than the {most} of a file; use a smaller font_size or a larger page")]
    TooManyPages {
        /// Pages of the whole text.
        needed: usize,
        /// Pages that a file may have.
        most: usize,
    },
    /// The request asks for more work than one request may cause; the client can mend it.
    #[error("{field}: {message}")]
    TooCostly {
        /// The field to change first.
        field: &'static str,
        /// What is too much, and what to change.
        message: String,
    },
    /// Too many pages are waiting.
    #[error("too many pages are waiting; try again in {retry_after_seconds} s")]
    Overloaded {
        /// When it is worth trying again.
        retry_after_seconds: u64,
        /// Why it was this page that was turned away.
        reason: RejectReason,
    },
    /// Nobody wants the page any more.
    #[error("the client has gone away")]
    Abandoned,
    /// There is no device to draw on at present.
    #[error("no device to draw on: {0}")]
    DeviceUnavailable(String),
    /// Every device failed on the page, time and again.
    #[error("the page could not be drawn: {0}")]
    Undrawn(String),
    /// Something failed that neither the client nor a second try can mend.
    #[error("{0}")]
    Failed(String),
}

impl From<LayoutError> for RenderError {
    fn from(error: LayoutError) -> Self {
        match error {
            LayoutError::Stopped(stopped) => stopped.into(),
            error => Self::Layout(error),
        }
    }
}

impl From<Stopped> for RenderError {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Unwanted => Self::Abandoned,
            Stopped::OverBudget => Self::TooCostly {
                field: "text",
                message: "finding where its lines break takes too much work; use a shorter text, a fixed font_size or \
                          smaller margins"
                    .to_owned(),
            },
        }
    }
}

impl From<ProfileDefect> for RenderError {
    fn from(defect: ProfileDefect) -> Self {
        Self::Failed(format!("the output profile cannot be used: {defect}"))
    }
}

impl From<SceneError> for RenderError {
    fn from(error: SceneError) -> Self {
        match error {
            SceneError::Stopped(stopped) => stopped.into(),
            SceneError::Mesh { .. } => Self::Failed(error.to_string()),
        }
    }
}

impl From<GpuError> for RenderError {
    fn from(error: GpuError) -> Self {
        match error {
            GpuError::NoAdapter(_) | GpuError::UnknownGpu { .. } | GpuError::NoDevice(_) | GpuError::ShutDown => {
                Self::DeviceUnavailable(error.to_string())
            }
            GpuError::Stopped(stopped) => stopped.into(),
            GpuError::Failed(_) | GpuError::TimedOut(_) => Self::Undrawn(error.to_string()),
            GpuError::TooLarge { .. } => Self::Failed(error.to_string()),
        }
    }
}

/// A pool that could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// There is no adapter, not the one that was named, or it gives no device. The message says what to do.
    #[error("{message}")]
    NoAdapter {
        /// What is missing and how to get it.
        message: String,
    },
    /// The system gave no thread.
    #[error("no thread for rendering: {0}")]
    Thread(#[from] std::io::Error),
}

impl From<GpuError> for StartError {
    fn from(error: GpuError) -> Self {
        Self::NoAdapter { message: error.to_string() }
    }
}
