//! `longhand openapi`: the interface as an `OpenAPI` document.

use super::{Failure, output};
use crate::http::openapi;

/// The arguments of `openapi`.
#[derive(clap::Args, Debug)]
pub(super) struct OpenapiCommand {}

impl OpenapiCommand {
    /// Prints the document as `GET /openapi.json` answers it.
    #[expect(clippy::unused_self, reason = "every command runs alike")]
    pub(super) fn run(self) -> Result<(), Failure> {
        output::print(openapi::text())
    }
}
