//! The admin listener: `/livez`, `/readyz` and `/metrics`.
//!
//! Input: the running [`Service`] and the [`Exporter`] of its metrics. Output: answers for supervisors and Prometheus.
//! The listener has its own thread and runtime, so that load on the API cannot delay `/livez`:
//! - `/livez`: the process runs. Says nothing about the device or the store.
//! - `/readyz` (`readiness`): whether to send requests here, and if not, why.
//! - `/metrics`: all metrics.
//!
//! It requires no key and shows full error details: it must be on a private network.

mod key_metrics;
mod readiness;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use tokio::sync::oneshot;

pub use self::key_metrics::KeyMetrics;
use self::readiness::Readiness;
use super::Service;
use super::errors::table::ApiError;
use super::responses::response_headers::name_request;
use super::{ListenerConfig, Timeouts, listen, serve};
use crate::pipeline::DeviceHealth;
use crate::telemetry::{Exporter, Gauges, UPKEEP_EVERY};

/// The media type of Prometheus' text format.
const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Few clients, on a private network.
const LISTENER: ListenerConfig = ListenerConfig {
    listener: "admin",
    connections: 64,
    timeouts: Timeouts { head: Duration::from_secs(10), idle: Duration::from_secs(75), write: Duration::from_secs(10) },
    notice: Duration::ZERO,
    drain: Duration::from_secs(1),
};

/// The running listener. Dropping it stops it.
#[derive(Debug)]
pub struct AdminListener {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Admin {
    readiness: Readiness,
    exporter: Option<Exporter>,
    key_metrics: KeyMetrics,
}

impl AdminListener {
    /// Listens on `address` and answers on its own thread. Without an exporter there is no `/metrics`. It names keys as
    /// `key_metrics` says.
    ///
    /// # Errors
    /// The address cannot be listened on, or the thread cannot be started.
    pub fn open(
        address: SocketAddr,
        service: Arc<Service>,
        exporter: Option<Exporter>,
        key_metrics: KeyMetrics,
    ) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(async { listen(address) })?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let admin = Arc::new(Admin { readiness: Readiness::of(service), exporter, key_metrics });
        let answer = async move {
            tokio::spawn(upkeep_for_ever(Arc::clone(&admin)));
            // A message and a dropped sender both stop it.
            let stopped = async { drop(stopped.await) };
            serve(listener, router(admin), LISTENER, stopped).await;
        };
        let thread = std::thread::Builder::new().name("admin".to_owned()).spawn(move || runtime.block_on(answer))?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    /// The address that it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for AdminListener {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // The panic hook has logged a panic of the thread.
            let _ = thread.join();
        }
    }
}

async fn upkeep_for_ever(admin: Arc<Admin>) {
    loop {
        tokio::time::sleep(UPKEEP_EVERY).await;
        if let Some(exporter) = &admin.exporter {
            exporter.run_upkeep();
        }
    }
}

fn router(admin: Arc<Admin>) -> Router {
    Router::new()
        .route("/livez", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .fallback(async || ApiError::NotFound("no such path; GET /livez, /readyz or /metrics"))
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .with_state(admin)
        .layer(from_fn(name_request))
}

async fn ready(State(admin): State<Arc<Admin>>) -> Response {
    let report = admin.readiness.report().await;
    let status = if report.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, axum::Json(report)).into_response()
}

async fn metrics(State(admin): State<Arc<Admin>>) -> Response {
    let Some(exporter) = &admin.exporter else {
        return ApiError::NotFound("this process keeps no metrics").into_response();
    };
    let service = &admin.readiness.service;
    let (devices, queue) = (service.renderer.devices(), service.renderer.queue());
    let store = service.access.status();
    let page = exporter.page(Gauges {
        store_up: store.is_up,
        waiting_charges: store.waiting_charges,
        queue_depth: queue.pages,
        queue_megapixels: queue.waiting.get(),
        queue_megapixels_limit: queue.limit.get(),
        queue_wait: queue.wait,
        uptime: service.clock.monotonic().duration_since(service.started),
        ready: *admin.readiness.latest.lock(),
        degraded: service.renderer.device_health() != DeviceHealth::Working,
        key_charges: admin.key_metrics.of(service.access.charges()),
        adapters: devices.into_iter().map(|device| (device.adapter.name, device.adapter.backend)).collect(),
    });
    ([(CONTENT_TYPE, EXPOSITION)], page).into_response()
}
