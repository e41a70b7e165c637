//! `GET /api/v1/status`: how the service is, for anyone who asks.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::Service;
use super::service::Condition;
use crate::pipeline::AdapterDescription;

#[derive(Serialize)]
pub(super) struct Report {
    status: &'static str,
    version: &'static str,
    uptime_seconds: u64,
    gpu: Gpu,
    queue_depth: usize,
}

#[derive(Serialize)]
struct Gpu {
    name: String,
    backend: &'static str,
    r#type: &'static str,
}

pub(super) async fn status(State(service): State<Arc<Service>>) -> Json<Report> {
    let AdapterDescription { name, backend, kind, driver: _ } = service.renderer.adapter().clone();
    Json(Report {
        status: match service.condition() {
            Condition::Ok => "ok",
            Condition::Degraded => "degraded",
            Condition::Draining => "draining",
        },
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: service.clock.monotonic().duration_since(service.started).as_secs(),
        gpu: Gpu { name, backend, r#type: kind },
        queue_depth: service.renderer.queue_depth(),
    })
}
