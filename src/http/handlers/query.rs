//! The query of a request.

use crate::http::errors::table::ApiError;
use crate::spec::ViolationKind;

/// Why a parameter of this name is refused.
pub(super) fn unknown(name: &str) -> ApiError {
    ApiError::refused(name, ViolationKind::ExtraForbidden, "Unknown parameter")
}

/// The names and values of a query, as they were sent. A parameter without `=` has an empty value.
pub(super) fn pairs(query: &str) -> impl DoubleEndedIterator<Item = (&str, &str)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}
