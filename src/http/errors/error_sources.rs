//! Converts the errors of other modules to API errors.

use super::table::ApiError;
use crate::access::{AuthError, QuotaError, StoreError};
use crate::hands::{HandReport, HandsError, ProblemKind};
use crate::jobs::JobError;
use crate::pipeline::{LayoutError, RenderError};
use crate::preflight::Finding;
use crate::spec::{RequestError, Violation, ViolationKind, Violations};
use crate::uploads::UploadError;

impl From<AuthError> for ApiError {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::Unknown => Self::InvalidKey,
            AuthError::Store(error) => error.into(),
        }
    }
}

impl From<QuotaError> for ApiError {
    fn from(error: QuotaError) -> Self {
        match error {
            QuotaError::Exhausted { limit, used, in_progress: 0, reset_at } => {
                Self::QuotaExhausted { limit, used, reset_at }
            }
            QuotaError::Exhausted { limit, used, in_progress, reset_at } => {
                Self::QuotaHeld { limit, used, in_progress, reset_at }
            }
            QuotaError::Store(error) => error.into(),
        }
    }
}

impl From<JobError> for ApiError {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Unknown => Self::NO_SUCH_JOB,
            JobError::NoFile => Self::NO_SUCH_JOB_FILE,
            JobError::NoResult => Self::NO_RESULT,
            // The database of jobs; a store that instances share has keys and quotas as well.
            JobError::Store(StoreError::Sqlite { .. }) | JobError::File { .. } => {
                Self::JobsUnavailable(error.to_string())
            }
            JobError::Store(error) => error.into(),
        }
    }
}

impl From<HandsError> for ApiError {
    fn from(error: HandsError) -> Self {
        match error {
            HandsError::Busy { retry_after_seconds } => Self::Overloaded { retry_after_seconds, reason: "hands" },
            HandsError::CutOff(_) => Self::refused("pictures", ViolationKind::TooCostly, error.to_string()),
            HandsError::NoHand(report) => no_hand(&report),
            HandsError::Full => Self::refused("hand", ViolationKind::TooLong, error.to_string()),
            HandsError::Unknown => Self::refused("hand.font_id", ViolationKind::LiteralError, error.to_string()),
            HandsError::NoId | HandsError::Folder(_) => Self::HandsUnavailable(error.to_string()),
            HandsError::Failed(cause) => Self::GenerationFailed(cause),
        }
    }
}

impl From<UploadError> for ApiError {
    fn from(error: UploadError) -> Self {
        match error {
            UploadError::Busy { retry_after_seconds } => Self::Overloaded { retry_after_seconds, reason: "artwork" },
            UploadError::Refused(reason) => Self::refused("artwork", ViolationKind::ValueError, reason),
            UploadError::Full(_) => Self::refused("artwork", ViolationKind::TooLong, error.to_string()),
            UploadError::Folder(_) => Self::ArtworkUnavailable(error.to_string()),
            UploadError::Failed(cause) => Self::GenerationFailed(cause),
        }
    }
}

/// What is wrong with the pictures of a hand that was to be saved.
fn no_hand(report: &HandReport) -> ApiError {
    let refused = report.pictures.iter().filter_map(|picture| Some((&picture.name, picture.refused.as_ref()?)));
    let violation = |text: String| Violation::of_field("pictures", ViolationKind::ValueError, text);
    let mut violations: Vec<Violation> = refused.map(|(name, reason)| violation(format!("{name}: {reason}"))).collect();
    if let Some(problem) = report.problem.as_ref().filter(|_| violations.is_empty()) {
        let field = match problem.kind {
            ProblemKind::Record => "record",
            ProblemKind::NothingToKeep => "hand.keep",
            _ => "pictures",
        };
        violations.push(Violation::of_field(field, ViolationKind::ValueError, problem.message.clone()));
    }
    let none = || ApiError::GenerationFailed("there is no hand, and no reason".to_owned());
    Violations::from_list(violations).map_or_else(none, ApiError::Validation)
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::StoreUnavailable(error.to_string())
    }
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Malformed { message } => Self::InvalidRequest(message),
            RequestError::Invalid(violations) => Self::Validation(violations),
        }
    }
}

impl From<RenderError> for ApiError {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Layout(error) => of_layout("text", &error),
            RenderError::Block { field, error } => of_layout(&field, &error),
            RenderError::FontNotLoaded { ref field, .. } => {
                Self::refused(field, ViolationKind::LiteralError, error.to_string())
            }
            RenderError::Artwork { field, message } => Self::refused(&field, ViolationKind::LiteralError, message),
            RenderError::TooManyPages { .. } => Self::refused("text", ViolationKind::TextOverflow, error.to_string()),
            RenderError::NoStrokes { field, message } => {
                Self::refused(&field, ViolationKind::UnsupportedForFont, message)
            }
            RenderError::TooCostly { field, message } => Self::refused(&field, ViolationKind::TooCostly, message),
            RenderError::Findings(findings) => {
                let violation = |finding: &Finding| {
                    Violation::of_field(&finding.field, ViolationKind::Preflight, finding.refusal())
                };
                match Violations::from_list(findings.iter().map(violation).collect()) {
                    Some(violations) => Self::Validation(violations),
                    None => Self::GenerationFailed("a refusal without a finding".to_owned()),
                }
            }
            RenderError::Overloaded { retry_after_seconds, reason } => {
                Self::Overloaded { retry_after_seconds, reason: reason.name() }
            }
            RenderError::WorkSpent { retry_after_seconds } => Self::WorkSpent { retry_after_seconds },
            RenderError::Abandoned => Self::GenerationFailed(error.to_string()),
            RenderError::DeviceUnavailable(cause) | RenderError::Undrawn(cause) => Self::Unavailable(cause),
            RenderError::Failed(cause) => Self::GenerationFailed(cause),
        }
    }
}

/// The error of a text that cannot be laid out.
fn of_layout(field: &str, error: &LayoutError) -> ApiError {
    let kind = match error {
        LayoutError::TextOverflow { .. } => ViolationKind::TextOverflow,
        LayoutError::UnsupportedCharacters(_) => ViolationKind::UnsupportedCharacter,
        LayoutError::UnusableFont(_) | LayoutError::Stopped(_) => {
            return ApiError::GenerationFailed(error.to_string());
        }
    };
    ApiError::refused(field, kind, error.to_string())
}
