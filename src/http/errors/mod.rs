//! Errors of the API.
//!
//! Input: what went wrong in any module. Output: status, headers and JSON body. `table` has one row for each error: its
//! status, code, message, when it occurs, and its headers; the `OpenAPI` document is written from the same rows.
//! `fixed` names the errors that are always the same, `error_sources` converts errors of other modules,
//! `error_response` and `error_body` write the response. No message quotes a key or a text.

pub(super) mod error_body;
pub(super) mod error_response;
mod error_sources;
mod fixed;
pub(super) mod table;
