//! Makes the rows of jobs through the renderer of pages.

use std::sync::Arc;

use super::errors::table::ApiError;
use super::handlers::jobs::create::first_problem;
use super::service::Service;
use crate::jobs::{MadeRow, Making, RowError, RowRenderer, RowRequest, RowWarning};
use crate::pipeline::{RenderError, Rendered, RenderedFile, Tenant};
use crate::spec::{Endpoint, FontSize, RenderSpec, parse_value_for};

/// The renderer of a service, with its fonts at present.
struct ServiceRows(Arc<Service>);

impl Service {
    /// Makes the rows of jobs, and sends their events, until it is dropped. Without jobs it never ends.
    pub async fn make_jobs(self: Arc<Self>) {
        match self.jobs.clone() {
            Some(jobs) => {
                tokio::join!(Arc::clone(&jobs).run(Arc::new(ServiceRows(self))), jobs.send_events());
            }
            None => std::future::pending().await,
        }
    }
}

impl ServiceRows {
    fn spec(&self, row: RowRequest<'_>) -> Result<RenderSpec, RowError> {
        let spec = parse_value_for(self.0.known_to(row.key), row.request, Endpoint::Generate, || 0);
        let spec = spec.map_err(|violations| row_error(&ApiError::Validation(violations)))?;
        let font_size = match (spec.font_size, row.largest) {
            (FontSize::Auto { max }, Some(largest)) => FontSize::Auto { max: max.min(largest) },
            (size, _) => size,
        };
        Ok(RenderSpec { created: Some(row.created), font_size, ..spec })
    }
}

impl RowRenderer for ServiceRows {
    fn make<'a>(&'a self, row: RowRequest<'a>) -> Making<'a> {
        Box::pin(async move {
            let spec = self.spec(row)?;
            made(self.0.renderer.generate_in_background(spec, Tenant::from(row.key.as_str())).await)
        })
    }

    fn lay_out<'a>(&'a self, row: RowRequest<'a>) -> Making<'a> {
        Box::pin(async move {
            let spec = self.spec(row)?;
            made(self.0.renderer.lay_out_in_background(spec, Tenant::from(row.key.as_str())).await)
        })
    }
}

fn made(Rendered { outcome, .. }: Rendered<RenderedFile>) -> Result<MadeRow, RowError> {
    match outcome {
        Ok(RenderedFile { bytes, pages, seed, calculated_font_size, warnings, .. }) => {
            let warnings = warnings.into_iter().map(RowWarning::from).collect();
            Ok(MadeRow { bytes, pages, seed, calculated_font_size, warnings })
        }
        Err(
            error @ (RenderError::DeviceUnavailable(_)
            | RenderError::Overloaded { .. }
            | RenderError::WorkSpent { .. }
            | RenderError::Abandoned),
        ) => Err(RowError::Later(error.to_string())),
        Err(error) => Err(row_error(&error.into())),
    }
}

/// The error of a row that cannot be made.
fn row_error(error: &ApiError) -> RowError {
    let (kind, message) = first_problem(error);
    RowError::Failed { kind, message }
}
