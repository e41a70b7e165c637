//! The operator's configuration: one typed value, merged from four sources.
//!
//! A flag takes precedence over its environment variable, the variable over the file, and the file over the default.
//! clap reads flags and variables, serde reads the file, both into [`Settings`]; [`Config`] is the result after the
//! defaults are filled in. An unknown key or an invalid value stops the start with an error that names it. `values` has
//! the types of settings, `printed` writes a configuration as a file, `error` has the errors. The module starts
//! nothing.

mod error;
mod printed;
mod values;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use values::{GpuLabel, LogFilter, LogFormat, OtlpEndpoint, Seconds, masked};

pub use error::ConfigError;

use crate::access::{FleetAddress, OutagePolicy};
use crate::http::Origin;

/// The file that is read when none is named.
pub const DEFAULT_FILE: &str = "longhand.toml";

/// The address that is served when none is named.
pub const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080);

/// The address of the admin listener when none is named.
pub const DEFAULT_ADMIN_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9090);

/// The settings as one source gives them: whatever is absent is left to the next source.
#[derive(clap::Args, Deserialize, Serialize, Clone, Debug, Default, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Address to serve the API on [default: 127.0.0.1:8080]
    #[arg(long, env = "LONGHAND_LISTEN", value_name = "ADDR")]
    pub listen: Option<SocketAddr>,
    /// Address for operators: /livez, /readyz, /metrics; keep it private [default: 127.0.0.1:9090]
    #[arg(long, env = "LONGHAND_ADMIN_LISTEN", value_name = "ADDR")]
    pub admin_listen: Option<SocketAddr>,
    /// Folder of the key store [default: ./data]
    #[arg(long, env = "LONGHAND_DATA_DIR", value_name = "DIR")]
    #[serde(default, deserialize_with = "values::folder")]
    pub data_dir: Option<PathBuf>,
    /// Redis or Valkey that several servers share, as redis: or, by TLS, rediss: address [default: none, a file in the data folder]
    #[arg(long, env = "LONGHAND_STORE", value_name = "URL", hide_env_values = true)]
    pub store: Option<FleetAddress>,
    /// Milliseconds within which that store must answer [default: 50]
    #[arg(long, env = "LONGHAND_STORE_TIMEOUT_MS", value_name = "MS")]
    pub store_timeout_ms: Option<NonZeroU32>,
    /// What becomes of requests while that store is away [default: `fail_closed`, else `fail_open`]
    #[arg(long, env = "LONGHAND_STORE_AWAY", value_name = "CHOICE")]
    pub store_away: Option<OutagePolicy>,
    /// Folder of official ICC profiles for PDF/X, used instead of the bundled ones [default: none]
    #[arg(long, env = "LONGHAND_ICC_DIR", value_name = "DIR")]
    #[serde(default, deserialize_with = "values::folder")]
    pub icc_dir: Option<PathBuf>,
    /// What to log, as a level or tracing directives [default: info]
    #[arg(long, env = "LONGHAND_LOG", value_name = "LEVEL")]
    pub log: Option<LogFilter>,
    /// How to write the log [default: text]
    #[arg(long, env = "LONGHAND_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
    /// Origins that browsers may call from, separated by commas, or * for any [default: none]
    #[arg(long, env = "LONGHAND_CORS_ORIGINS", value_name = "ORIGINS", value_delimiter = ',')]
    pub cors_origins: Option<Vec<Origin>>,
    /// Seconds between saying that the service is not ready and refusing connections on shutdown [default: none]
    #[arg(long, env = "LONGHAND_UNREADY_SECONDS", value_name = "SECONDS")]
    pub unready_seconds: Option<Seconds>,
    /// Seconds that requests in flight are given to finish on shutdown [default: 30]
    #[arg(long, env = "LONGHAND_DRAIN_SECONDS", value_name = "SECONDS")]
    pub drain_seconds: Option<Seconds>,
    /// Seconds within which the head of a request must arrive [default: 10]
    #[arg(long, env = "LONGHAND_HEADER_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub header_timeout_seconds: Option<Seconds>,
    /// Seconds within which the body of a request must arrive [default: 20]
    #[arg(long, env = "LONGHAND_BODY_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub body_timeout_seconds: Option<Seconds>,
    /// Seconds that a connection may stay open without a request [default: 75]
    #[arg(long, env = "LONGHAND_IDLE_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub idle_timeout_seconds: Option<Seconds>,
    /// Seconds within which a client must take some of its answer [default: 30]
    #[arg(long, env = "LONGHAND_WRITE_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub write_timeout_seconds: Option<Seconds>,
    /// Open connections beyond which new ones are answered 503 [default: 4096]
    #[arg(long, env = "LONGHAND_MAX_CONNECTIONS", value_name = "NUMBER")]
    pub max_connections: Option<NonZeroU32>,
    /// Megapixels of inked strips that may wait to be rendered; work beyond that is answered 503 [default: 2048]
    #[arg(long, env = "LONGHAND_QUEUE_MEGAPIXELS", value_name = "NUMBER")]
    pub queue_megapixels: Option<NonZeroU32>,
    /// Seconds that a request may wait to be rendered; one that would likely wait half as long is answered 503 at once [default: 10]
    #[arg(long, env = "LONGHAND_QUEUE_SECONDS", value_name = "SECONDS")]
    pub queue_seconds: Option<Seconds>,
    /// GPUs that draw, each on a thread of its own: auto, or numbers, PCI addresses or parts of names as `doctor` shows them [default: auto]
    #[arg(long = "gpu", env = "LONGHAND_GPUS", value_name = "GPU", value_delimiter = ',')]
    pub gpus: Option<Vec<GpuLabel>>,
    /// Seconds that one page may take on the device; beyond, the device counts as hanging and is replaced [default: 20]
    #[arg(long, env = "LONGHAND_GPU_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub gpu_timeout_seconds: Option<Seconds>,
    /// Collector of traces, which gets a span for every request as OTLP over HTTP, such as `http://127.0.0.1:4318/v1/traces` [default: none]
    #[arg(long, env = "LONGHAND_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<OtlpEndpoint>,
}

impl Settings {
    /// Reads `file`, or [`DEFAULT_FILE`] where none is named and it exists.
    ///
    /// # Errors
    /// The file is named but cannot be read, or it holds something other than known settings with good values.
    pub fn from_file(file: Option<&Path>) -> Result<Self, ConfigError> {
        let path = file.unwrap_or_else(|| Path::new(DEFAULT_FILE));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if file.is_none() && error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(ConfigError::Unreadable { path: path.to_owned(), cause: error.to_string() }),
        };
        Self::from_toml(&text)
            .map_err(|error| ConfigError::Invalid { path: path.to_owned(), message: masked(&error.to_string()) })
    }

    fn from_toml(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// These settings, with the gaps filled from `lower`.
    #[must_use]
    pub fn over(self, lower: Self) -> Self {
        Self {
            listen: self.listen.or(lower.listen),
            admin_listen: self.admin_listen.or(lower.admin_listen),
            data_dir: self.data_dir.or(lower.data_dir),
            store: self.store.or(lower.store),
            store_timeout_ms: self.store_timeout_ms.or(lower.store_timeout_ms),
            store_away: self.store_away.or(lower.store_away),
            icc_dir: self.icc_dir.or(lower.icc_dir),
            log: self.log.or(lower.log),
            log_format: self.log_format.or(lower.log_format),
            cors_origins: self.cors_origins.or(lower.cors_origins),
            unready_seconds: self.unready_seconds.or(lower.unready_seconds),
            drain_seconds: self.drain_seconds.or(lower.drain_seconds),
            header_timeout_seconds: self.header_timeout_seconds.or(lower.header_timeout_seconds),
            body_timeout_seconds: self.body_timeout_seconds.or(lower.body_timeout_seconds),
            idle_timeout_seconds: self.idle_timeout_seconds.or(lower.idle_timeout_seconds),
            write_timeout_seconds: self.write_timeout_seconds.or(lower.write_timeout_seconds),
            max_connections: self.max_connections.or(lower.max_connections),
            queue_megapixels: self.queue_megapixels.or(lower.queue_megapixels),
            queue_seconds: self.queue_seconds.or(lower.queue_seconds),
            gpus: self.gpus.or(lower.gpus),
            gpu_timeout_seconds: self.gpu_timeout_seconds.or(lower.gpu_timeout_seconds),
            otlp_endpoint: self.otlp_endpoint.or(lower.otlp_endpoint),
        }
    }
}

/// The configuration in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Address of the API.
    pub listen: SocketAddr,
    /// Address for operators.
    pub admin_listen: SocketAddr,
    /// Folder of the key store.
    pub data_dir: PathBuf,
    /// The store that several servers share; absent for a server alone.
    pub store: Option<FleetAddress>,
    /// Longest wait for that store.
    pub store_timeout: Duration,
    /// What becomes of requests while that store is away.
    pub store_away: OutagePolicy,
    /// Folder of the operator's ICC profiles.
    pub icc_dir: Option<PathBuf>,
    /// What is logged.
    pub log: LogFilter,
    /// How it is logged.
    pub log_format: LogFormat,
    /// Origins that browsers may call from; empty refuses all.
    pub cors_origins: Vec<Origin>,
    /// How long connections are still accepted on shutdown.
    pub unready_notice: Duration,
    /// Longest wait for requests in flight on shutdown.
    pub drain_grace: Duration,
    /// Longest wait for the head of a request.
    pub header_timeout: Duration,
    /// Longest wait for the whole body of a request.
    pub body_timeout: Duration,
    /// Longest wait for the next request on a connection.
    pub idle_timeout: Duration,
    /// Longest wait for a client to take some of its answer.
    pub write_timeout: Duration,
    /// Most open connections.
    pub max_connections: u32,
    /// Most megapixels of strips that wait to be rendered.
    pub queue_megapixels: u32,
    /// Longest wait to be rendered.
    pub queue_patience: Duration,
    /// GPUs that draw; at least one.
    pub gpus: Vec<GpuLabel>,
    /// Longest that one page may take on the device.
    pub gpu_timeout: Duration,
    /// Collector of traces.
    pub otlp_endpoint: Option<OtlpEndpoint>,
}

impl From<Settings> for Config {
    fn from(settings: Settings) -> Self {
        let seconds = |given: Option<Seconds>, default| given.map_or(Duration::from_secs(default), Duration::from);
        Self {
            listen: settings.listen.unwrap_or(DEFAULT_LISTEN),
            admin_listen: settings.admin_listen.unwrap_or(DEFAULT_ADMIN_LISTEN),
            data_dir: settings.data_dir.unwrap_or_else(|| PathBuf::from("data")),
            store: settings.store,
            store_timeout: Duration::from_millis(settings.store_timeout_ms.map_or(50, |wait| wait.get().into())),
            store_away: settings.store_away.unwrap_or_default(),
            icc_dir: settings.icc_dir,
            log: settings.log.unwrap_or_default(),
            log_format: settings.log_format.unwrap_or_default(),
            cors_origins: settings.cors_origins.unwrap_or_default(),
            unready_notice: seconds(settings.unready_seconds, 0),
            drain_grace: seconds(settings.drain_seconds, 30),
            header_timeout: seconds(settings.header_timeout_seconds, 10),
            body_timeout: seconds(settings.body_timeout_seconds, 20),
            idle_timeout: seconds(settings.idle_timeout_seconds, 75),
            write_timeout: seconds(settings.write_timeout_seconds, 30),
            max_connections: settings.max_connections.map_or(4096, NonZeroU32::get),
            queue_megapixels: settings.queue_megapixels.map_or(2048, NonZeroU32::get),
            queue_patience: seconds(settings.queue_seconds, 10),
            gpus: settings.gpus.filter(|gpus| !gpus.is_empty()).unwrap_or_else(|| vec![GpuLabel::auto()]),
            gpu_timeout: seconds(settings.gpu_timeout_seconds, 20),
            otlp_endpoint: settings.otlp_endpoint,
        }
    }
}

impl From<&Config> for Settings {
    /// Every setting as it is in force; a wait of no time is a setting that is not given.
    fn from(config: &Config) -> Self {
        let seconds = |wait: Duration| i64::try_from(wait.as_secs()).ok().and_then(|wait| Seconds::try_from(wait).ok());
        Self {
            listen: Some(config.listen),
            admin_listen: Some(config.admin_listen),
            data_dir: Some(config.data_dir.clone()),
            store: config.store.clone(),
            store_timeout_ms: u32::try_from(config.store_timeout.as_millis()).ok().and_then(NonZeroU32::new),
            store_away: Some(config.store_away),
            icc_dir: config.icc_dir.clone(),
            log: Some(config.log.clone()),
            log_format: Some(config.log_format),
            cors_origins: Some(config.cors_origins.clone()),
            unready_seconds: seconds(config.unready_notice),
            drain_seconds: seconds(config.drain_grace),
            header_timeout_seconds: seconds(config.header_timeout),
            body_timeout_seconds: seconds(config.body_timeout),
            idle_timeout_seconds: seconds(config.idle_timeout),
            write_timeout_seconds: seconds(config.write_timeout),
            max_connections: NonZeroU32::new(config.max_connections),
            queue_megapixels: NonZeroU32::new(config.queue_megapixels),
            queue_seconds: seconds(config.queue_patience),
            gpus: Some(config.gpus.clone()),
            gpu_timeout_seconds: seconds(config.gpu_timeout),
            otlp_endpoint: config.otlp_endpoint.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toml(text: &str) -> Settings {
        Settings::from_toml(text).unwrap()
    }

    #[test]
    fn nothing_given_is_the_documented_default() {
        let config = Config::from(toml(""));
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.admin_listen.to_string(), "127.0.0.1:9090");
        assert_eq!(config.data_dir, Path::new("data"));
        assert_eq!(config.drain_grace, Duration::from_secs(30));
        assert!(config.cors_origins.is_empty());
        assert_eq!(config.gpus, [GpuLabel::auto()]);
        assert_eq!(Config::from(toml("gpus = []")).gpus, [GpuLabel::auto()]);
    }

    #[test]
    fn the_upper_source_wins_and_the_lower_fills_the_gaps() {
        let flags = Settings { listen: Some(([0, 0, 0, 0], 9000).into()), ..Settings::default() };
        let config = Config::from(flags.over(toml("listen = \"127.0.0.1:1\"\ndata_dir = \"/srv\"")));
        assert_eq!((config.listen.port(), config.data_dir.as_path()), (9000, Path::new("/srv")));
    }

    #[test]
    fn every_key_can_stand_in_the_file() {
        let config = Config::from(toml(
            "listen = \"[::1]:80\"\nadmin_listen = \"0.0.0.0:91\"\ndata_dir = \"d\"\nstore = \"redis://s/1\"\nstore_timeout_ms = 8\nstore_away = \"fail_open\"\nicc_dir = \"i\"\nlog = \"longhand=debug\"\nlog_format = \"json\"\n\
             cors_origins = [\"https://example.org\", \"*\"]\ndrain_seconds = 1\nheader_timeout_seconds = 2\n\
             body_timeout_seconds = 3600\nunready_seconds = 4\nidle_timeout_seconds = 5\nwrite_timeout_seconds = 6\n\
             max_connections = 7\nqueue_megapixels = 8\nqueue_seconds = 9\n\
             gpus = [\"1\", \"h100\"]\ngpu_timeout_seconds = 10\n\
             otlp_endpoint = \"http://[::1]/b\"",
        ));
        assert_eq!(config.admin_listen.to_string(), "0.0.0.0:91");
        assert_eq!(
            (config.store.unwrap().to_string().as_str(), config.store_away),
            ("redis://s/1", OutagePolicy::FailOpen)
        );
        assert_eq!(config.log_format, LogFormat::Json);
        assert_eq!(config.icc_dir.as_deref(), Some(Path::new("i")));
        assert_eq!(config.log.as_str(), "longhand=debug");
        assert!(!config.cors_origins[0].is_any() && config.cors_origins[1].is_any());
        assert_eq!(
            [config.drain_grace, config.header_timeout, config.body_timeout].map(|wait| wait.as_secs()),
            [1, 2, 3600]
        );
        assert_eq!(
            [config.unready_notice, config.idle_timeout, config.write_timeout].map(|wait| wait.as_secs()),
            [4, 5, 6]
        );
        assert_eq!([config.max_connections, config.queue_megapixels], [7, 8]);
        assert_eq!([config.queue_patience, config.gpu_timeout].map(|wait| wait.as_secs()), [9, 10]);
        assert_eq!(config.gpus.iter().map(GpuLabel::as_str).collect::<Vec<_>>(), ["1", "h100"]);
        assert_eq!(config.store_timeout, Duration::from_millis(8));
        assert_eq!(config.otlp_endpoint.unwrap().as_str(), "http://[::1]/b");
    }

    #[test]
    fn a_bad_file_is_refused_with_the_key_named() {
        for (text, named) in [
            ("lisen = \"127.0.0.1:1\"", "lisen"),
            ("listen = \"localhost\"", "listen"),
            ("listen = 8080", "listen"),
            ("admin_listen = \"9090\"", "admin_listen"),
            ("drain_seconds = 0", "drain_seconds"),
            ("drain_seconds = \"5\"", "drain_seconds"),
            ("max_connections = 0", "max_connections"),
            ("queue_megapixels = 0", "queue_megapixels"),
            ("queue_seconds = 4000", "queue_seconds"),
            ("gpus = [\" \"]", "gpus"),
            ("gpus = \"auto\"", "gpus"),
            ("store = \"valkey://s\"", "store"),
            ("store_away = \"open\"", "store_away"),
            ("otlp_endpoint = \"ftp://a:1/b\"", "otlp_endpoint"),
            ("otlp_endpoint = \"http://a:b/c\"", "otlp_endpoint"),
            ("otlp_endpoint = \"http://a:4318\"", "otlp_endpoint"),
            ("log = \"longhand=loud\"", "log"),
            ("log = \"\"", "log"),
            ("log_format = \"xml\"", "log_format"),
            ("cors_origins = [\"example.org\"]", "cors_origins"),
            ("cors_origins = [\"https://example.org/path\"]", "cors_origins"),
        ] {
            let message = Settings::from_toml(text).unwrap_err().to_string();
            assert!(message.contains(named), "{text}: {message}");
        }
    }

    #[test]
    fn a_named_file_must_exist_and_the_default_need_not() {
        let missing = Path::new("no/such/longhand.toml");
        assert!(matches!(Settings::from_file(Some(missing)), Err(ConfigError::Unreadable { .. })));
        assert_eq!(Settings::from_file(None), Ok(Settings::default()));
    }
}
