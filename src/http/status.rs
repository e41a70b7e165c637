//! `GET /api/v1/status`: the state of the service, without a key.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use super::Service;
use crate::pipeline::{AdapterDescription, DeviceHealth, DeviceStanding};

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) status: &'static str,
    pub(super) version: &'static str,
    pub(super) uptime_seconds: u64,
    /// The first of the devices.
    pub(super) gpu: Gpu,
    /// All of them, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) gpus: Vec<OneOfSeveral>,
    pub(super) queue_depth: usize,
}

#[derive(Serialize)]
pub(super) struct Gpu {
    pub(super) name: String,
    pub(super) backend: &'static str,
    pub(super) r#type: &'static str,
}

/// One of several devices.
#[derive(Serialize)]
pub(super) struct OneOfSeveral {
    #[serde(flatten)]
    pub(super) gpu: Gpu,
    /// `ok`, or `degraded` where it failed too often.
    pub(super) status: &'static str,
}

impl From<&AdapterDescription> for Gpu {
    fn from(adapter: &AdapterDescription) -> Self {
        Self { name: adapter.name.clone(), backend: adapter.backend, r#type: adapter.kind }
    }
}

impl From<&DeviceStanding> for OneOfSeveral {
    fn from(device: &DeviceStanding) -> Self {
        let is_well = device.health == DeviceHealth::Working;
        Self { gpu: Gpu::from(&device.adapter), status: if is_well { "ok" } else { "degraded" } }
    }
}

impl Gpu {
    /// The first of the devices; there is one.
    fn first(devices: &[DeviceStanding]) -> Self {
        let none = || Self { name: String::new(), backend: "none", r#type: "other" };
        devices.first().map_or_else(none, |device| Self::from(&device.adapter))
    }
}

/// Whether there is more to tell than one device would: a software adapter that is opened several times is one all the
/// same while it works.
fn are_several(devices: &[DeviceStanding]) -> bool {
    let [first, others @ ..] = devices else { return false };
    let is_plain = first.adapter.is_software() && first.health == DeviceHealth::Working;
    others.iter().any(|device| !is_plain || device != first)
}

pub(super) async fn status(State(service): State<Arc<Service>>) -> Json<Report> {
    let devices = service.renderer.devices();
    Json(Report {
        status: service.condition().name(),
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: service.clock.monotonic().duration_since(service.started).as_secs(),
        gpu: Gpu::first(&devices),
        gpus: if are_several(&devices) { devices.iter().map(OneOfSeveral::from).collect() } else { Vec::new() },
        queue_depth: service.renderer.queue().pages,
    })
}
