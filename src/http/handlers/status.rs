//! `GET /api/v1/status`: the state of the service, without a key.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::Service;
use crate::http::service::Condition;
use crate::pipeline::{AdapterDescription, DeviceHealth, DeviceStatus};

/// The state of the service.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Status")]
pub(in crate::http) struct Report {
    /// `ok`; `degraded`: the last page failed for want of the device; `draining`: shutting down.
    pub(in crate::http) status: Condition,
    /// Version of the program.
    pub(in crate::http) version: &'static str,
    /// Seconds since the service started.
    pub(in crate::http) uptime_seconds: u64,
    pub(in crate::http) gpu: Gpu,
    /// All devices that render, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::http) gpus: Vec<OneOfSeveral>,
    /// Pages that wait or are being rendered.
    pub(in crate::http) queue_depth: usize,
}

/// The device that renders; the first of several.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct Gpu {
    /// Name of the adapter.
    pub(in crate::http) name: String,
    /// Graphics interface that drives it.
    pub(in crate::http) backend: &'static str,
    /// Kind of adapter.
    pub(in crate::http) r#type: &'static str,
}

/// One of several devices that render.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OneOfSeveralGpus")]
pub(in crate::http) struct OneOfSeveral {
    #[serde(flatten)]
    pub(in crate::http) gpu: Gpu,
    /// `degraded` if it failed too often.
    #[schemars(extend("enum" = ["ok", "degraded"]))]
    pub(in crate::http) status: &'static str,
}

impl From<&AdapterDescription> for Gpu {
    fn from(adapter: &AdapterDescription) -> Self {
        Self { name: adapter.name.clone(), backend: adapter.backend, r#type: adapter.kind }
    }
}

impl From<&DeviceStatus> for OneOfSeveral {
    fn from(device: &DeviceStatus) -> Self {
        let is_well = device.health == DeviceHealth::Working;
        Self { gpu: Gpu::from(&device.adapter), status: if is_well { "ok" } else { "degraded" } }
    }
}

/// Whether the devices differ. A software adapter that is opened several times counts as one device while it works.
fn are_several(devices: &[DeviceStatus]) -> bool {
    let [first, others @ ..] = devices else { return false };
    let is_plain = first.adapter.is_software() && first.health == DeviceHealth::Working;
    others.iter().any(|device| !is_plain || device != first)
}

pub(in crate::http) async fn status(State(service): State<Arc<Service>>) -> Json<Report> {
    let devices = service.renderer.devices();
    // There always is a device.
    let none = || Gpu { name: String::new(), backend: "none", r#type: "other" };
    Json(Report {
        status: service.condition(),
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: service.clock.monotonic().duration_since(service.started).as_secs(),
        gpu: devices.first().map_or_else(none, |device| Gpu::from(&device.adapter)),
        gpus: if are_several(&devices) { devices.iter().map(OneOfSeveral::from).collect() } else { Vec::new() },
        queue_depth: service.renderer.queue().pages,
    })
}
