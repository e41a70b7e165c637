//! `GET /api/v1/status`: how the service is, for anyone who asks.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::Service;
use crate::pipeline::AdapterDescription;

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) status: &'static str,
    pub(super) version: &'static str,
    pub(super) uptime_seconds: u64,
    pub(super) gpu: Gpu,
    pub(super) queue_depth: usize,
}

#[derive(Serialize)]
pub(super) struct Gpu {
    pub(super) name: String,
    pub(super) backend: &'static str,
    pub(super) r#type: &'static str,
}

pub(super) async fn status(State(service): State<Arc<Service>>) -> Json<Report> {
    let AdapterDescription { name, backend, kind, driver: _ } = service.renderer.adapter();
    Json(Report {
        status: service.condition().name(),
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: service.clock.monotonic().duration_since(service.started).as_secs(),
        gpu: Gpu { name, backend, r#type: kind },
        queue_depth: service.renderer.queue().pages,
    })
}
