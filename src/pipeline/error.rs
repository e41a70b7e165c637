//! The reasons why a page could not be made.

use thiserror::Error;

use super::queue::job_request::RejectReason;
use crate::catalogue::FontId;
use crate::encode::ProfileDefect;
use crate::gpu::GpuError;
use crate::layout::LayoutError;
use crate::preflight::Finding;
use crate::scene::ComposeError;
use crate::spec::field_of;
use crate::work::Stopped;

/// A page that was not rendered.
#[derive(Debug, Error)]
pub enum RenderError {
    /// The text cannot be written as requested; the client can correct it.
    #[error(transparent)]
    Layout(LayoutError),
    /// The text of a block or of a side cannot be written as requested; the client can correct it.
    #[error("{field}: {error}")]
    Block {
        /// The field of the text.
        field: String,
        /// The defect.
        error: LayoutError,
    },
    /// The text needs more pages than a file may have; the client can correct it.
    #[error("the text needs {needed} pages, more than the {most} of a file; use a smaller font_size or a larger page")]
    TooManyPages {
        /// Pages of the whole text.
        needed: usize,
        /// Pages that a file may have.
        most: usize,
    },
    /// Strokes were asked for, and a font has none; the client can correct it.
    #[error("{field}: {message}")]
    NoStrokes {
        /// The field to change.
        field: String,
        /// The font or the characters without strokes, and what to change.
        message: String,
    },
    /// The request asks for more work than one request may cause; the client can correct it.
    #[error("{field}: {message}")]
    TooCostly {
        /// The field to change first.
        field: String,
        /// The excess, and what to change.
        message: String,
    },
    /// The font was taken away after the request was accepted.
    #[error("{field}: font {} is not loaded; GET /api/v1/fonts lists those that are", font.get())]
    FontNotLoaded {
        /// The field to change.
        field: String,
        /// The font.
        font: FontId,
    },
    /// A picture is no longer there; the client can correct it.
    #[error("{field}: {message}")]
    Artwork {
        /// The field of the picture.
        field: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// Preflight found errors, and the request refuses such pages; the client can correct it. Never empty.
    #[error("{}", finding_message(.0))]
    Findings(Vec<Finding>),
    /// Too many pages are waiting.
    #[error("too many pages are waiting; try again in {retry_after_seconds} s")]
    Overloaded {
        /// Seconds after which the client may try again.
        retry_after_seconds: u64,
        /// Why this page was refused.
        reason: RejectReason,
    },
    /// The free calls of the client took as much work as they may.
    #[error("the free calls of this key took as much work as they may in 60 seconds; retry in {retry_after_seconds} s")]
    WorkSpent {
        /// Seconds after which the client may try again.
        retry_after_seconds: u64,
    },
    /// The client has disconnected.
    #[error("the client has gone away")]
    Abandoned,
    /// No device can draw now.
    #[error("no device to draw on: {0}")]
    DeviceUnavailable(String),
    /// All attempts to draw the page failed.
    #[error("the page could not be drawn: {0}")]
    Undrawn(String),
    /// An internal error, which the client cannot correct.
    #[error("{0}")]
    Failed(String),
}

/// One line per finding.
fn finding_message(findings: &[Finding]) -> String {
    let lines: Vec<String> = findings.iter().map(|found| format!("{}: {}", found.field, found.refusal())).collect();
    lines.join("\n")
}

impl From<LayoutError> for RenderError {
    fn from(error: LayoutError) -> Self {
        Self::of_layout(error, None)
    }
}

impl From<Stopped> for RenderError {
    fn from(stopped: Stopped) -> Self {
        LayoutError::Stopped(stopped).into()
    }
}

impl RenderError {
    /// A file needs a page.
    pub(super) fn without_page() -> Self {
        Self::Failed("a file without a page".to_owned())
    }

    /// The same error about fields of this member, such as `sides[1]`.
    pub(super) fn inside(self, member: &str) -> Self {
        let inside = |field: &str| format!("{member}.{field}");
        match self {
            Self::Layout(error) => Self::Block { field: inside("text"), error },
            Self::Block { field, error } => Self::Block { field: inside(&field), error },
            Self::TooManyPages { .. } => Self::TooCostly { field: inside("text"), message: self.to_string() },
            Self::NoStrokes { field, message } => Self::NoStrokes { field: inside(&field), message },
            Self::TooCostly { field, message } => Self::TooCostly { field: inside(&field), message },
            Self::FontNotLoaded { field, font } => Self::FontNotLoaded { field: inside(&field), font },
            Self::Artwork { field, message } => Self::Artwork { field: inside(&field), message },
            Self::Findings(findings) => Self::Findings(findings.iter().map(|found| found.inside(member)).collect()),
            Self::Overloaded { .. }
            | Self::WorkSpent { .. }
            | Self::Abandoned
            | Self::DeviceUnavailable(_)
            | Self::Undrawn(_)
            | Self::Failed(_) => self,
        }
    }

    /// The error of laying out the body or a block.
    pub(super) fn of_layout(error: LayoutError, block: Option<usize>) -> Self {
        let field = field_of(block, "text");
        match error {
            LayoutError::Stopped(Stopped::Unwanted) => Self::Abandoned,
            LayoutError::Stopped(Stopped::OverBudget) => {
                let message = "finding where its lines break takes too much work; use a shorter text, a fixed \
                               font_size or smaller margins";
                Self::TooCostly { field, message: message.to_owned() }
            }
            error if block.is_some() => Self::Block { field, error },
            error => Self::Layout(error),
        }
    }
}

impl From<ProfileDefect> for RenderError {
    fn from(defect: ProfileDefect) -> Self {
        Self::Failed(format!("the output profile cannot be used: {defect}"))
    }
}

impl From<ComposeError> for RenderError {
    fn from(error: ComposeError) -> Self {
        match error {
            ComposeError::Stopped(stopped) => stopped.into(),
            ComposeError::Mesh { .. } => Self::Failed(error.to_string()),
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
            // Scenes of bounded cost fit every device; this is the answer where an estimate was too low.
            GpuError::TooLarge { .. } => Self::TooCostly {
                field: "font_size".to_owned(),
                message: format!("{error}; use a smaller font_size, a shorter text or another font_id"),
            },
        }
    }
}

/// A pool that could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// No adapter, not the named one, or no device from it. The message says what to do.
    #[error(transparent)]
    Device(#[from] GpuError),
    /// The system could not start a thread.
    #[error("no thread for rendering: {0}")]
    Thread(#[from] std::io::Error),
}
