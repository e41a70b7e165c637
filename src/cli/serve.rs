//! `longhand serve`: the service, until it is told to stop.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::{Failure, demo_key, logging, output};
use crate::access::{Access, ApiKey};
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::config::{Config, Settings};
use crate::encode::OutputProfiles;
use crate::http::{self, AdminListener, Patience, Service};
use crate::pipeline::{PoolOptions, RenderPool};
use crate::telemetry::Exporter;

/// The arguments of `serve`.
#[derive(clap::Args, Debug)]
pub(super) struct ServeCommand {
    #[command(flatten)]
    settings: Settings,
    /// Configuration file [default: longhand.toml, if there is one]
    #[arg(long, env = "LONGHAND_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Create an API key on the first start, keep it in the data directory, and print it with an example
    #[arg(long)]
    demo_key: bool,
}

impl ServeCommand {
    /// Serves until SIGTERM or SIGINT, then answers what is in flight.
    pub(super) fn run(self) -> Result<(), Failure> {
        let config = Config::from(self.settings.over(Settings::from_file(self.config.as_deref())?));
        logging::start(&config.log, config.log_format);
        let exporter = Exporter::install().map_err(|error| Failure::Internal(error.to_string()))?;
        let clock = Clock::system();
        let catalogue = Arc::new(FontCatalogue::load()?);
        let profiles = OutputProfiles::load(config.icc_dir.as_deref())?;
        let access = Access::open(&config.data_dir, clock.clone())?;
        let demo = if self.demo_key { demo_key::find_or_create(&access, &config.data_dir)? } else { None };
        let pool =
            Arc::new(RenderPool::start(PoolOptions::default(), Arc::clone(&catalogue), profiles, clock.clone())?);
        let service = Service::new(access, pool as _, &catalogue, config.body_timeout, clock)
            .map_err(|error| Failure::Internal(error.to_string()))?;
        let service = Arc::new(service);
        let admin = AdminListener::open(config.admin_listen, Arc::clone(&service), Some(exporter))
            .map_err(|error| Failure::Io(format!("cannot listen on {} for operators: {error}", config.admin_listen)))?;

        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::Internal(format!("cannot start the runtime: {error}")))?;
        runtime.block_on(listen_and_serve(Arc::clone(&service), &config, admin.address(), demo.as_ref()))?;

        // The pages whose callers are gone must not be waited for; the charges of those who were answered must.
        drop(runtime);
        service.access().shutdown();
        drop(admin);
        tracing::info!("stopped");
        Ok(())
    }
}

async fn listen_and_serve(
    service: Arc<Service>,
    config: &Config,
    admin: SocketAddr,
    demo: Option<&ApiKey>,
) -> Result<(), Failure> {
    let unavailable = |error: std::io::Error| Failure::Io(format!("cannot listen on {}: {error}", config.listen));
    let stop = stop_signal().map_err(|error| Failure::Internal(format!("cannot wait for signals: {error}")))?;
    let listener = TcpListener::bind(config.listen).await.map_err(unavailable)?;
    announce(listener.local_addr().map_err(unavailable)?, admin, demo)?;

    let router = http::router(Arc::clone(&service), &config.cors_origins);
    let patience = Patience { head: config.header_timeout, drain: config.drain_grace };
    let stop = async move {
        stop.await;
        tracing::info!("stopping: no new connections, answering what is in flight");
        service.start_draining();
    };
    http::serve(listener, router, patience, stop).await;
    Ok(())
}

/// Ready on the first SIGTERM or SIGINT. Must be made inside the runtime.
fn stop_signal() -> std::io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Says where the service is, and how to try it where there is a demo key.
fn announce(address: SocketAddr, admin: SocketAddr, demo: Option<&ApiKey>) -> Result<(), Failure> {
    output::print(&format!("Longhand {} listens on http://{address}", env!("CARGO_PKG_VERSION")))?;
    output::print(&format!("For operators: http://{admin} has /livez, /readyz and /metrics"))?;
    let Some(key) = demo else { return Ok(()) };
    let key = key.reveal();
    output::print(&format!(
        "\nAPI key: {key}\n\nTry it; this writes letter.png:\n\n\
         curl -sS http://{address}/api/v1/generate -H 'Authorization: Bearer {key}' \
         -H 'Content-Type: application/json' -d '{{\"text\":\"Dear Ada,\\n\\nthis was written by a machine.\"}}' \
         | sed 's/.*\"image_base64\":\"\\([^\"]*\\)\".*/\\1/' | base64 -d > letter.png\n"
    ))
}
