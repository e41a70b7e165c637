//! The failures of commands and their exit codes (sysexits.h).

use std::fmt::Display;
use std::path::Path;

use crate::access::StoreError;
use crate::catalogue::CatalogueError;
use crate::config::ConfigError;
use crate::encode::ProfileError;
use crate::jobs::JobError;
use crate::pipeline::{LayoutError, RenderError, StartError};
use crate::spec::{RequestError, Violations};

/// `EX_USAGE`: the command was used incorrectly.
pub(super) const USAGE: u8 = 64;
/// `EX_TEMPFAIL`: the same command continues where this one stopped.
pub(super) const TRY_AGAIN: u8 = 75;

/// Why a command failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The command was used incorrectly (64).
    #[error("{0}")]
    Usage(String),
    /// A request, file or value is wrong (65).
    #[error("{0}")]
    BadData(String),
    /// Something the command needs is not there, such as a GPU adapter (69).
    #[error("{0}")]
    Unavailable(String),
    /// Preflight found errors (1).
    #[error("{0}")]
    Refused(String),
    /// A defect of this program (70).
    #[error("{0}")]
    Internal(String),
    /// Reading or writing failed (74).
    #[error("{0}")]
    Io(String),
    /// Interrupted before the end (75).
    #[error("{0}")]
    Interrupted(String),
}

impl Failure {
    /// The exit code of the process.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => USAGE,
            Self::BadData(_) => 65,
            Self::Refused(_) => 1,
            Self::Unavailable(_) => 69,
            Self::Internal(_) => 70,
            Self::Io(_) => 74,
            Self::Interrupted(_) => TRY_AGAIN,
        }
    }

    /// For `map_err` on calls that read or write `path`; `doing` as in "read" or "write".
    pub(super) fn io(doing: &'static str, path: &Path) -> impl Fn(std::io::Error) -> Self {
        move |error| Self::Io(format!("cannot {doing} {}: {error}", path.display()))
    }

    /// For `map_err` on what is wrong in `file`.
    pub(super) fn data<E: Display>(file: &Path) -> impl Fn(E) -> Self {
        move |error| Self::BadData(format!("{}: {error}", file.display()))
    }

    /// For `map_err` on calls that should not fail; `what` as in "cannot wait for signals".
    pub(super) fn internal<E: Display>(what: &'static str) -> impl Fn(E) -> Self {
        move |error| Self::Internal(format!("{what}: {error}"))
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        match error {
            ConfigError::Unreadable { .. } => Self::Io(error.to_string()),
            ConfigError::Argument(_) | ConfigError::UnknownVariable { .. } => Self::Usage(error.to_string()),
            ConfigError::Invalid { .. } => Self::BadData(error.to_string()),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::InvalidName
            | StoreError::QuotaTooLarge { .. }
            | StoreError::FutureMonth { .. }
            | StoreError::ForgottenMonth { .. } => Self::Usage(error.to_string()),
            StoreError::UnknownId { .. }
            | StoreError::Ambiguous { .. }
            | StoreError::Revoked { .. }
            | StoreError::TooNew { .. }
            | StoreError::NoDataDir => Self::BadData(error.to_string()),
            StoreError::InUse { .. } | StoreError::Away { .. } => Self::Unavailable(error.to_string()),
            StoreError::File { .. }
            | StoreError::Sqlite { .. }
            | StoreError::OpenToOthers { .. }
            | StoreError::Deleted { .. } => Self::Io(error.to_string()),
            StoreError::Thread { .. } | StoreError::Random(_) | StoreError::Closed => Self::Internal(error.to_string()),
        }
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Store(error) => error.into(),
            JobError::File { .. } => Self::Io(error.to_string()),
            JobError::Unknown | JobError::NoFile | JobError::NoResult => Self::BadData(error.to_string()),
        }
    }
}

impl From<CatalogueError> for Failure {
    fn from(error: CatalogueError) -> Self {
        Self::Internal(format!("the fonts cannot be loaded: {error}"))
    }
}

impl From<ProfileError> for Failure {
    fn from(error: ProfileError) -> Self {
        match error {
            ProfileError::Unreadable { .. } => Self::Io(error.to_string()),
            ProfileError::Unusable { .. } | ProfileError::NoneFound { .. } => Self::BadData(error.to_string()),
            ProfileError::Bundled(_) => Self::Internal(error.to_string()),
        }
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Device(_) => Self::Unavailable(error.to_string()),
            StartError::Thread(_) => Self::Internal(error.to_string()),
        }
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Self::BadData(error.to_string())
    }
}

impl From<Violations> for Failure {
    fn from(violations: Violations) -> Self {
        Self::BadData(violations.to_string())
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Failed(cause) => Self::Internal(format!("the page could not be rendered: {cause}")),
            RenderError::Layout(LayoutError::UnusableFont(_))
            | RenderError::Block { error: LayoutError::UnusableFont(_), .. }
            | RenderError::Abandoned => Self::Internal(error.to_string()),
            RenderError::Layout(_) | RenderError::TooManyPages { .. } => Self::BadData(format!("text: {error}")),
            RenderError::FontNotLoaded { .. }
            | RenderError::Artwork { .. }
            | RenderError::NoStrokes { .. }
            | RenderError::Block { .. }
            | RenderError::TooCostly { .. }
            | RenderError::Findings(_) => Self::BadData(error.to_string()),
            RenderError::DeviceUnavailable(_)
            | RenderError::Undrawn(_)
            | RenderError::Overloaded { .. }
            | RenderError::WorkSpent { .. } => Self::Unavailable(error.to_string()),
        }
    }
}
