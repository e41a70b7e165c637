//! The handlers: one function for each route of the service.
//!
//! Input: an admitted request. Output: a response, or an `ApiError`. `body` reads and checks a request's body, `multipart`
//! one in parts, `query` splits a query. Pages (`pages`) come from the [`Renderer`](super::Renderer), and `responses`
//! writes them. `specimen` answers with a picture of a font; `lists`, `usage` and `status` answer with JSON; `jobs` are
//! large mailings, `hands` those that clients make, `artwork` the pictures that they upload, `links` show a page without
//! a key. `idempotency` tells a request from its repetition; `blocking` runs what blocks. A handler holds no state of
//! its own.

pub(super) mod artwork;
mod blocking;
mod body;
pub(super) mod hands;
mod idempotency;
pub(super) mod jobs;
pub(super) mod links;
pub(super) mod lists;
mod multipart;
pub(super) mod pages;
mod query;
pub(super) mod specimen;
pub(super) mod status;
pub(super) mod usage;
