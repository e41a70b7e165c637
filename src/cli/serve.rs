//! `longhand serve`: runs the service until it is stopped.

use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::reload::{FontsOfHands, ServerFonts, reload_on, reload_signal};
use super::signals::stop_signals;
use super::{Failure, demo_key, logging, output, program};
use crate::access::{Access, ApiKey, FleetOptions};
use crate::clock::Clock;
use crate::config::{
    AllowedTo, Config, DEFAULT_ADMIN_LISTEN, GivenSettings, GpuFallback, Seconds, Switch, refuse_unknown_variables,
};
use crate::encode::OutputProfiles;
use crate::hands::Hands;
use crate::http::{self, AdminListener, ListenerConfig, PreviewWatermark, Service, Timeouts};
use crate::jobs::{self, Jobs, JobsOptions, WorkbookReader};
use crate::pipeline::{Cost, DeviceHealth, DeviceOptions, FaultPlan, HangingPage, PoolOptions, RenderPool};
use crate::telemetry::{Exporter, Traces};
use crate::uploads::{self, Uploads};

/// Open files besides connections to the API: the store, the device, the admin listener, refused connections.
pub(super) const FILES_FOR_THE_REST: u64 = 256;

/// How often a software adapter is opened, at most once per core: on two cores, one device leaves a sixth of their time
/// unused, and two a thirtieth.
const SOFTWARE_DEVICES: usize = 2;

/// Bytes of the disk that the files of jobs leave free: the log of the database of jobs grows by less until it is emptied.
const KEEP_FREE: u64 = 64 << 20;
/// Rows on their way to a bucket, beside those that are made: an upload waits for the network, not for a core.
const UPLOADS: usize = 16;

/// How often to check whether the device was given up, or a page hangs.
const WATCH: Duration = Duration::from_millis(250);

/// The arguments of `serve`.
#[derive(clap::Args, Debug)]
pub(super) struct ServeCommand {
    #[command(flatten)]
    settings: GivenSettings,
    /// Configuration file [default: longhand.toml, if there is one]
    #[arg(long, env = "LONGHAND_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Create an API key on the first start, keep it in the data directory, and print it with an example
    #[arg(long)]
    demo_key: bool,
    /// Print the configuration in force as a configuration file, and end
    #[arg(long)]
    print_config: bool,
    /// Which drawings fail and how, such as loss@3,panic@7-9,hang@20,memory@21, openings (adapter@2) and jobs
    /// (stuck@5), from 1
    #[cfg(feature = "faults")]
    #[arg(long, env = "LONGHAND_FAULTS", value_name = "FAULTS", hide = true)]
    faults: Option<FaultPlan>,
}

impl ServeCommand {
    /// The same command with `--demo-key`.
    pub(super) fn with_demo_key(self) -> Self {
        Self { demo_key: true, ..self }
    }

    /// Serves until SIGTERM or SIGINT, then finishes the requests in flight.
    pub(super) fn run(self) -> Result<(), Failure> {
        refuse_unknown_variables(std::env::vars_os())?;
        let config = self.settings.over(Config::from_file(self.config.as_deref())?)?;
        if self.print_config {
            return output::print(config.to_toml().trim_end());
        }
        #[cfg(feature = "faults")]
        let faults = self.faults.unwrap_or_default();
        #[cfg(not(feature = "faults"))]
        let faults = FaultPlan::default();
        logging::start(&config.log, config.log_format);
        let exporter = Exporter::install().map_err(Failure::internal("cannot keep metrics"))?;
        let clock = Clock::system();
        let traces = start_traces(&config)?;
        let profiles = OutputProfiles::load(config.icc_dir.as_deref())?;
        let access = Arc::new(open_access(&config, &clock)?.with_rate_limits(config.rate_limits));
        let jobs = open_jobs(&config, &access, &clock)?;
        let hands = open_hands(&config)?;
        let uploads = open_uploads(&config)?;
        // The data directory keeps what is known of them.
        let fonts = Arc::new(ServerFonts::open(&config)?);
        let catalogue = fonts.catalogue();
        let unread = access.unread_keys();
        if let Some(error) = &unread {
            tracing::warn!(%error, "the shared store is away; starting without it: no key is known until it answers");
        }
        let demo =
            if self.demo_key && unread.is_none() { demo_key::find_or_create(&access, &config.data_dir)? } else { None };
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let pool = PoolOptions {
            queue: Cost::new(config.queue_megapixels.get().into()),
            longest_wait: config.queue_seconds.duration(),
            // Planned faults count drawings from the first that a client requests.
            warms_up: faults.is_empty(),
            device: DeviceOptions { software_devices: SOFTWARE_DEVICES.min(cores), ..device_options(&config, faults) },
            ..PoolOptions::default()
        };
        let pool = Arc::new(RenderPool::start(pool, Arc::clone(&catalogue), profiles, clock.clone())?);
        let service =
            Service::new(access, Arc::clone(&pool) as _, &catalogue, config.body_timeout_seconds.duration(), clock)
                .map_err(|error| Failure::Internal(error.to_string()))?;
        let service = service.with_traces(traces.clone()).with_preview_watermark(config.preview_watermark);
        let service = service.with_links(config.client_links == Switch::On);
        let service = Arc::new(service.with_jobs(jobs).with_hands(hands.clone()).with_uploads(uploads));
        if let Some(hands) = hands {
            let (fonts, pool, service) = (Arc::clone(&fonts), Arc::clone(&pool), Arc::downgrade(&service));
            hands.serve(Arc::new(FontsOfHands { fonts, pool, service }));
        }
        let admin = open_admin(&config, &service, exporter)?;

        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(Failure::internal("cannot start the runtime"))?;
        runtime.block_on(async {
            let reload = reload_signal(&fonts)?;
            let reloading = reload_on(reload, Arc::clone(&fonts), Arc::clone(&pool), Arc::clone(&service));
            let serving =
                listen_and_serve(Arc::clone(&service), &config, admin.as_ref(), demo.as_ref(), given_up(&pool));
            tokio::select! {
                served = serving => served,
                () = reloading => Ok(()),
                () = Arc::clone(&service).make_jobs() => Ok(()),
            }
        })?;

        // Pages of disconnected clients are not awaited; charges for answered requests are.
        drop(runtime);
        service.access().shutdown();
        drop(admin);
        if let Some(traces) = traces {
            traces.finish();
        }
        tracing::info!("stopped");
        defect(&pool).map_or(Ok(()), Err)
    }
}

/// Opens the key store of this server, or the one that a fleet shares.
fn open_access(config: &Config, clock: &Clock) -> Result<Access, Failure> {
    let Some(store) = &config.store else { return Ok(Access::open_local(&config.data_dir, clock.clone())?) };
    let timeout = Duration::from_millis(config.store_timeout_ms.get().into());
    let options = FleetOptions { address: store.clone(), timeout, outage_policy: config.store_away };
    Ok(Access::open_fleet(&options, &config.data_dir, clock.clone())?)
}

/// Opens the jobs of this server. Instances that share a store need a place for files that all of them reach.
fn open_jobs(config: &Config, access: &Arc<Access>, clock: &Clock) -> Result<Option<Arc<Jobs>>, Failure> {
    if config.store.is_some() && config.jobs_bucket.is_none() && config.jobs_dir.is_none() {
        tracing::info!("no jobs: name a bucket (jobs_bucket), or a folder that all instances share (jobs_dir)");
        return Ok(None);
    }
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let uploads = if config.jobs_bucket.is_some() { UPLOADS } else { 0 };
    let options = JobsOptions {
        dir: config.jobs_dir.clone().unwrap_or_else(|| jobs::dir_in(&config.data_dir)),
        bucket: config.jobs_bucket.clone(),
        store: config.store.clone(),
        keep: Duration::from_secs(24 * 3600) * config.jobs_keep_days.get(),
        most_bytes: config.jobs_max_bytes.get(),
        keep_free: KEEP_FREE,
        rows_at_a_time: 2 * cores + 2 + uploads,
        notify_hosts: config.notify_hosts.clone(),
        workbooks: WorkbookReader::of(program()?),
    };
    Ok(Some(Arc::new(Jobs::open(options, Arc::clone(access), clock.clone())?)))
}

/// Opens the hands of clients, if the operator allows them. Instances that share a store make none: each would know its own
/// alone.
fn open_hands(config: &Config) -> Result<Option<Arc<Hands>>, Failure> {
    if config.hands == AllowedTo::Off || config.store.is_some() {
        return Ok(None);
    }
    let hands = Hands::new(program()?, config.fonts_dir.clone()).ok_or_else(|| {
        let remedy = "name the folder in which hands are saved by fonts_dir (--fonts-dir)";
        Failure::Usage(format!("hands = \"keys\" needs a folder of fonts: {remedy}"))
    })?;
    if let Err(error) = hands.check_folder() {
        tracing::warn!(%error, "no hand can be saved: the first folder of fonts cannot be written");
    }
    Ok(Some(Arc::new(hands)))
}

/// Opens the artwork of clients, if the operator allows it. Instances that share a store need a folder that they share as
/// well: else each would know its own pictures alone.
fn open_uploads(config: &Config) -> Result<Option<Arc<Uploads>>, Failure> {
    if config.artwork == AllowedTo::Off {
        return Ok(None);
    }
    let folder = match (&config.artwork_dir, &config.store) {
        (Some(folder), _) => folder.clone(),
        (None, None) => uploads::dir_in(&config.data_dir),
        (None, Some(_)) => {
            let message = "artwork: instances that share a store need artwork_dir, a folder that all of them share";
            return Err(Failure::Usage(message.to_owned()));
        }
    };
    let uploads = Uploads::new(program()?, folder);
    if let Err(error) = uploads.check_folder() {
        tracing::warn!(%error, "no artwork can be kept: its folder cannot be written");
    }
    Ok(Some(Arc::new(uploads)))
}

/// Starts sending traces, if a collector is configured.
fn start_traces(config: &Config) -> Result<Option<Arc<Traces>>, Failure> {
    let traces = Traces::start(config.otlp_endpoint.as_deref());
    let traces = traces.map_err(|error| Failure::Usage(format!("cannot send traces: {error}")))?;
    Ok(traces.map(Arc::new))
}

/// Opens the admin listener. If the default port is taken and none was configured, runs without one.
fn open_admin(config: &Config, service: &Arc<Service>, exporter: Exporter) -> Result<Option<AdminListener>, Failure> {
    let address = config.admin_listen;
    match AdminListener::open(address, Arc::clone(service), Some(exporter), config.key_metrics) {
        Ok(admin) => Ok(Some(admin)),
        Err(error) if error.kind() == ErrorKind::AddrInUse && address == DEFAULT_ADMIN_LISTEN => {
            tracing::warn!(%address, "in use: no /livez, /readyz and /metrics; choose another with --admin-listen");
            Ok(None)
        }
        Err(error) => Err(Failure::Io(format!("cannot listen on {address} for operators: {error}"))),
    }
}

async fn listen_and_serve(
    service: Arc<Service>,
    config: &Config,
    admin: Option<&AdminListener>,
    demo: Option<&ApiKey>,
    given_up: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let unavailable = |error: std::io::Error| Failure::Io(format!("cannot listen on {}: {error}", config.listen));
    let (stop, hurry) = stop_signals()?;
    let listener = http::listen(config.listen).map_err(unavailable)?;
    let address = listener.local_addr().map_err(unavailable)?;
    announce(address, admin.map(AdminListener::address), demo, config.preview_watermark)?;

    let router = http::router(Arc::clone(&service), &config.cors_origins);
    let listener_config = ListenerConfig {
        listener: "api",
        connections: most_connections(config.max_connections.get()),
        timeouts: Timeouts {
            head: config.header_timeout_seconds.duration(),
            idle: config.idle_timeout_seconds.duration(),
            write: config.write_timeout_seconds.duration(),
        },
        notice: config.unready_seconds.map_or(Duration::ZERO, Seconds::duration),
        drain: config.drain_seconds.duration(),
    };
    let stop = async move {
        tokio::select! {
            () = stop => {}
            () = given_up => {}
        }
        tracing::info!("stopping: finishing the requests in flight");
        service.start_draining();
    };
    tokio::select! {
        () = http::serve(listener, router, listener_config, stop) => {}
        () = hurry => tracing::warn!("second signal: exiting without waiting for requests in flight"),
    }
    Ok(())
}

/// Which devices draw, and how they are treated.
pub(super) fn device_options(config: &Config, faults: FaultPlan) -> DeviceOptions {
    let name = |name: &String| name.parse().unwrap_or_else(|never: Infallible| match never {});
    DeviceOptions {
        gpus: config.gpus.iter().map(name).collect(),
        software_fallback: config.gpu_fallback == GpuFallback::Software,
        timeout: config.gpu_timeout_seconds.duration(),
        times_passes: config.gpu_timings == Switch::On,
        faults,
        ..DeviceOptions::default()
    }
}

/// Why the service cannot go on and has to be started again; `None` if it can.
fn defect(pool: &RenderPool) -> Option<Failure> {
    if pool.device_health() == DeviceHealth::GivenUp {
        return Some(Failure::Internal("no device is left; start the service again".to_owned()));
    }
    pool.hanging_page().map(|_| Failure::Internal("a page hangs; start the service again".to_owned()))
}

/// Resolves once the service cannot go on.
async fn given_up(pool: &RenderPool) {
    while defect(pool).is_none() {
        tokio::time::sleep(WATCH).await;
    }
    if let Some(HangingPage { stage, tenant, span, silent_for }) = pool.hanging_page() {
        let (stage, key, seconds) = (stage.unwrap_or("begin"), tenant.name(), silent_for.as_secs());
        span.in_scope(|| tracing::error!(stage, key, seconds, "the thread of a page hangs and cannot be stopped"));
    }
}

/// The wanted number of connections, or fewer if the system's limit on open files requires it.
fn most_connections(wanted: u32) -> usize {
    let wanted = u64::from(wanted);
    // If the limit cannot be read or raised, a failure to accept is logged when it happens.
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::MAX);
    let allowed = wanted.min(files.saturating_sub(FILES_FOR_THE_REST)).max(1);
    if allowed < wanted {
        tracing::warn!(wanted, allowed, "the system's limit on open files allows fewer connections");
    }
    usize::try_from(allowed).unwrap_or(usize::MAX)
}

/// Prints the addresses of the service. If there is a demo key, also an example, and, on this machine alone, how previews
/// lose their watermark.
fn announce(
    address: SocketAddr,
    admin: Option<SocketAddr>,
    demo: Option<&ApiKey>,
    watermark: PreviewWatermark,
) -> Result<(), Failure> {
    output::print(&format!("Longhand {} listens on http://{address}", env!("CARGO_PKG_VERSION")))?;
    if let Some(admin) = admin {
        output::print(&format!("For operators: http://{admin} has /livez, /readyz and /metrics"))?;
    }
    let Some(key) = demo else { return Ok(()) };
    let key = key.reveal();
    output::print(&format!(
        "\nAPI key: {key}\n\nTry it in a browser: http://{address}/#key={key}\n\nOr here; this writes letter.png:\n\n\
         curl -sS http://{address}/api/v1/generate -H 'Authorization: Bearer {key}' \
         -H 'Content-Type: application/json' -d '{{\"text\":\"Dear Ada,\\n\\nthis was written by a machine.\"}}' \
         | sed 's/.*\"image_base64\":\"\\([^\"]*\\)\".*/\\1/' | base64 -d > letter.png\n"
    ))?;
    // Whoever reads this on the same machine is the operator.
    if address.ip().is_loopback() && watermark == PreviewWatermark::On {
        output::print("Previews have a watermark; `serve --preview-watermark off` leaves it out.\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_that_share_a_store_need_a_folder_of_artwork_that_they_share() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().to_owned();
        let alone = Config { artwork: AllowedTo::Keys, data_dir, ..Config::default() };
        assert!(open_uploads(&alone).unwrap().is_some());
        let fleet = Config { store: Some("redis://127.0.0.1/".parse().unwrap()), ..alone.clone() };
        let Err(Failure::Usage(said)) = open_uploads(&fleet) else { panic!("it starts") };
        assert!(said.contains("artwork_dir"), "{said}");
        let shared = Config { artwork_dir: Some(folder.path().to_owned()), ..fleet };
        assert!(open_uploads(&shared).unwrap().is_some());
        assert!(open_uploads(&Config { artwork: AllowedTo::Off, ..alone }).unwrap().is_none());
    }
}
