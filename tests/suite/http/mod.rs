//! The service in this process: each route, its headers and errors, and the `OpenAPI` document.

pub(crate) mod accept;
pub(crate) mod access;
pub(crate) mod admin;
pub(crate) mod artwork;
pub(crate) mod errors;
pub(crate) mod generate;
pub(crate) mod hands;
pub(crate) mod harness;
pub(crate) mod idempotency;
pub(crate) mod job_lists;
mod job_rows;
pub(crate) mod jobs;
pub(crate) mod links;
pub(crate) mod metrics;
pub(crate) mod openapi;
pub(crate) mod openapi_client;
pub(crate) mod pdf;
pub(crate) mod preview;
pub(crate) mod reference;
pub(crate) mod schemathesis;
pub(crate) mod server;
pub(crate) mod status;
