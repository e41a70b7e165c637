//! The operator's configuration: one typed value, merged from four sources.
//!
//! Input: flags and `LONGHAND_…` variables, which clap reads into [`GivenSettings`], and a TOML file, which serde reads
//! into [`Config`]. Output: a [`Config`]. A flag takes precedence over its variable, the variable over the file, and
//! the file over the default.
//!
//! 1. [`Config::from_file`] reads the file over the defaults.
//! 2. [`GivenSettings::over`] applies flags and variables to it.
//!
//! An unknown name or an invalid value is an error that names it. `values` has the types of settings, `variables` finds
//! unknown variables, `printed` writes a configuration as a file, `error` has the errors. The module starts nothing.

mod error;
mod given;
mod printed;
mod values;
mod variables;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use given::GivenSettings;
pub use values::{AllowedTo, FontsFailure, GpuFallback, LogFormat, Seconds, Switch, listen_address, masked};
pub use variables::refuse_unknown_variables;

pub use error::ConfigError;

use crate::access::{FleetAddress, OutagePolicy, RateLimits};
use crate::http::{KeyMetrics, Origin, PreviewWatermark};
use crate::jobs::{BucketAddress, NotifyHost};

/// The file that is read when none is named.
pub const DEFAULT_FILE: &str = "longhand.toml";

/// The address of the admin listener when none is named.
pub const DEFAULT_ADMIN_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9090);

/// Every setting, with its flag, its variable and its key in the file.
#[derive(clap::Args, Deserialize, Serialize, Clone, Debug, PartialEq, Eq)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Address to serve the API on [default: 127.0.0.1:8080]
    #[arg(long, env = "LONGHAND_LISTEN", value_name = "ADDR", value_parser = values::listen_address)]
    #[serde(deserialize_with = "values::read_listen_address")]
    pub listen: SocketAddr,
    /// Address for operators: /livez, /readyz, /metrics; keep it private [default: 127.0.0.1:9090]
    #[arg(long, env = "LONGHAND_ADMIN_LISTEN", value_name = "ADDR", value_parser = values::listen_address)]
    #[serde(deserialize_with = "values::read_listen_address")]
    pub admin_listen: SocketAddr,
    /// Folder of the key store [default: ./data]
    #[arg(long, env = "LONGHAND_DATA_DIR", value_name = "DIR")]
    #[serde(deserialize_with = "values::folder")]
    pub data_dir: PathBuf,
    /// Redis or Valkey that several servers share, as redis: or, by TLS, rediss: address [default: none, a file in the
    /// data folder]
    #[arg(long, env = "LONGHAND_STORE", value_name = "URL", hide_env_values = true)]
    pub store: Option<FleetAddress>,
    /// Milliseconds within which that store must answer [default: 50]
    #[arg(long, env = "LONGHAND_STORE_TIMEOUT_MS", value_name = "MS")]
    pub store_timeout_ms: NonZeroU32,
    /// What becomes of requests while that store is away [default: `fail_closed`, else `fail_open`]
    #[arg(long, env = "LONGHAND_STORE_AWAY", value_name = "CHOICE")]
    pub store_away: OutagePolicy,
    /// Folder of official ICC profiles for PDF/X, used instead of the bundled ones [default: none]
    #[arg(long, env = "LONGHAND_ICC_DIR", value_name = "DIR")]
    #[serde(deserialize_with = "values::folder")]
    pub icc_dir: Option<PathBuf>,
    /// Folders of your own fonts, each with a TOML file beside it, separated by commas; the flag may be repeated;
    /// SIGHUP reads them again [default: none]
    #[arg(long, env = "LONGHAND_FONTS_DIR", value_name = "DIR", value_delimiter = ',')]
    #[serde(deserialize_with = "values::folders")]
    pub fonts_dir: Vec<PathBuf>,
    /// What becomes of the start if a font of those folders cannot be used: it is left out, or the start fails
    /// [default: skip]
    #[arg(long, env = "LONGHAND_FONTS_FAILURE", value_name = "CHOICE")]
    pub fonts_failure: FontsFailure,
    /// Who may make hands of photographs of a filled sheet, each for its own key: nobody, or all keys; they are saved in the
    /// first of those folders [default: off]
    #[arg(long, env = "LONGHAND_HANDS", value_name = "CHOICE")]
    pub hands: AllowedTo,
    /// Who may upload pictures that lie under the writing, each for its own key: nobody, or all keys [default: off]
    #[arg(long, env = "LONGHAND_ARTWORK", value_name = "CHOICE")]
    pub artwork: AllowedTo,
    /// Folder of those pictures [default: artwork in the data folder]
    #[arg(long, env = "LONGHAND_ARTWORK_DIR", value_name = "DIR")]
    #[serde(deserialize_with = "values::folder")]
    pub artwork_dir: Option<PathBuf>,
    /// What to log, as a level or tracing directives [default: info]
    #[arg(long, env = "LONGHAND_LOG", value_name = "LEVEL", value_parser = values::log_filter)]
    #[serde(deserialize_with = "values::read_log_filter")]
    pub log: String,
    /// How to write the log [default: text]
    #[arg(long, env = "LONGHAND_LOG_FORMAT", value_name = "FORMAT")]
    pub log_format: LogFormat,
    /// Origins that browsers may call from, separated by commas, or * for any [default: none]
    #[arg(long, env = "LONGHAND_CORS_ORIGINS", value_name = "ORIGINS", value_delimiter = ',')]
    pub cors_origins: Vec<Origin>,
    /// Seconds between saying that the service is not ready and refusing connections on shutdown [default: none]
    #[arg(long, env = "LONGHAND_UNREADY_SECONDS", value_name = "SECONDS")]
    pub unready_seconds: Option<Seconds>,
    /// Seconds that requests in flight are given to finish on shutdown [default: 30]
    #[arg(long, env = "LONGHAND_DRAIN_SECONDS", value_name = "SECONDS")]
    pub drain_seconds: Seconds,
    /// Seconds within which the head of a request must arrive [default: 10]
    #[arg(long, env = "LONGHAND_HEADER_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub header_timeout_seconds: Seconds,
    /// Seconds within which the body of a request must arrive [default: 20]
    #[arg(long, env = "LONGHAND_BODY_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub body_timeout_seconds: Seconds,
    /// Seconds that a connection may stay open without a request [default: 75]
    #[arg(long, env = "LONGHAND_IDLE_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub idle_timeout_seconds: Seconds,
    /// Seconds within which a client must take some of its answer [default: 30]
    #[arg(long, env = "LONGHAND_WRITE_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub write_timeout_seconds: Seconds,
    /// Open connections beyond which new ones are answered 503 [default: 4096]
    #[arg(long, env = "LONGHAND_MAX_CONNECTIONS", value_name = "NUMBER")]
    pub max_connections: NonZeroU32,
    /// Megapixels of inked strips that may wait to be rendered; work beyond that is answered 503 [default: 2048]
    #[arg(long, env = "LONGHAND_QUEUE_MEGAPIXELS", value_name = "NUMBER")]
    pub queue_megapixels: NonZeroU32,
    /// Seconds that a request may wait to be rendered; one that would likely wait half as long is answered 503 at once
    /// [default: 10]
    #[arg(long, env = "LONGHAND_QUEUE_SECONDS", value_name = "SECONDS")]
    pub queue_seconds: Seconds,
    /// Requests of a key in any 60 seconds, by endpoint, where the key has no limits of its own
    /// [default: `generate=500,preview=300,fonts=100,usage=100,jobs=300,job_files=6000,hands=60,artwork=60`]
    #[arg(long, env = "LONGHAND_RATE_LIMITS", value_name = "LIMITS")]
    pub rate_limits: RateLimits,
    /// Which previews have a watermark: on for all, quota for those of keys with a monthly quota, or off [default: on]
    #[arg(long, env = "LONGHAND_PREVIEW_WATERMARK", value_name = "CHOICE")]
    pub preview_watermark: PreviewWatermark,
    /// Whether clients may make links that show a page to people without a key [default: off]
    #[arg(long, env = "LONGHAND_CLIENT_LINKS", value_name = "SWITCH")]
    pub client_links: Switch,
    /// Folder of jobs, which holds their files [default: jobs in the data folder]
    #[arg(long, env = "LONGHAND_JOBS_DIR", value_name = "DIR")]
    #[serde(deserialize_with = "values::folder")]
    pub jobs_dir: Option<PathBuf>,
    /// Bucket of S3 that holds the files of jobs instead, as s3: address, perhaps with a prefix; endpoint, region and
    /// credentials are read from the variables of AWS [default: none]
    #[arg(long, env = "LONGHAND_JOBS_BUCKET", value_name = "URL")]
    pub jobs_bucket: Option<BucketAddress>,
    /// Days for which a job and its files are kept after its end [default: 7]
    #[arg(long, env = "LONGHAND_JOBS_KEEP_DAYS", value_name = "DAYS")]
    pub jobs_keep_days: NonZeroU32,
    /// Bytes that the files of all jobs may take; beyond, jobs pause [default: 21474836480, 20 GiB]
    #[arg(long, env = "LONGHAND_JOBS_MAX_BYTES", value_name = "BYTES")]
    pub jobs_max_bytes: NonZeroU64,
    /// Hosts that jobs may tell of their end, separated by commas: names, or addresses [default: none]
    #[arg(long, env = "LONGHAND_NOTIFY_HOSTS", value_name = "HOSTS", value_delimiter = ',')]
    pub notify_hosts: Vec<NotifyHost>,
    /// GPUs that draw, each on a thread of its own: auto, or numbers, PCI addresses or parts of names as `doctor` shows
    /// them [default: auto]
    #[arg(long = "gpu", env = "LONGHAND_GPUS", value_name = "GPU", value_delimiter = ',', value_parser = values::gpu)]
    #[serde(deserialize_with = "values::read_gpus")]
    pub gpus: Vec<String>,
    /// Adapters that draw if no selected GPU can be opened at the start: other GPUs and then a software adapter, or
    /// other GPUs only [default: software]
    #[arg(long, env = "LONGHAND_GPU_FALLBACK", value_name = "KIND")]
    pub gpu_fallback: GpuFallback,
    /// Seconds that one page may take on the device; beyond, the device counts as hanging and is replaced [default: 20]
    #[arg(long, env = "LONGHAND_GPU_TIMEOUT_SECONDS", value_name = "SECONDS")]
    pub gpu_timeout_seconds: Seconds,
    /// Whether the time of each pass on the device goes to /metrics, if the device can measure it [default: off]
    #[arg(long, env = "LONGHAND_GPU_TIMINGS", value_name = "SWITCH")]
    pub gpu_timings: Switch,
    /// How /metrics names API keys in what they used: names with their ids, ids alone, or off [default: names]
    #[arg(long, env = "LONGHAND_KEY_METRICS", value_name = "CHOICE")]
    pub key_metrics: KeyMetrics,
    /// Collector of traces, which gets a span for every request as OTLP over HTTP, such as
    /// `http://127.0.0.1:4318/v1/traces` [default: none]
    #[arg(long, env = "LONGHAND_OTLP_ENDPOINT", value_name = "URL", value_parser = values::otlp_endpoint)]
    #[serde(deserialize_with = "values::read_otlp_endpoint")]
    pub otlp_endpoint: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080),
            admin_listen: DEFAULT_ADMIN_LISTEN,
            data_dir: PathBuf::from("data"),
            store: None,
            store_timeout_ms: at_least_one(50),
            store_away: OutagePolicy::default(),
            icc_dir: None,
            fonts_dir: Vec::new(),
            fonts_failure: FontsFailure::default(),
            hands: AllowedTo::default(),
            artwork: AllowedTo::default(),
            artwork_dir: None,
            log: "info".to_owned(),
            log_format: LogFormat::default(),
            cors_origins: Vec::new(),
            unready_seconds: None,
            drain_seconds: Seconds::of(30),
            header_timeout_seconds: Seconds::of(10),
            body_timeout_seconds: Seconds::of(20),
            idle_timeout_seconds: Seconds::of(75),
            write_timeout_seconds: Seconds::of(30),
            max_connections: at_least_one(4096),
            queue_megapixels: at_least_one(2048),
            queue_seconds: Seconds::of(10),
            rate_limits: RateLimits::of_contract(),
            preview_watermark: PreviewWatermark::default(),
            client_links: Switch::default(),
            jobs_dir: None,
            jobs_bucket: None,
            jobs_keep_days: at_least_one(7),
            jobs_max_bytes: NonZeroU64::MIN.saturating_add((20 << 30) - 1),
            notify_hosts: Vec::new(),
            gpus: vec!["auto".to_owned()],
            gpu_fallback: GpuFallback::default(),
            gpu_timeout_seconds: Seconds::of(20),
            gpu_timings: Switch::default(),
            key_metrics: KeyMetrics::default(),
            otlp_endpoint: None,
        }
    }
}

/// A number above zero; zero becomes 1.
const fn at_least_one(number: u32) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(number.saturating_sub(1))
}

impl Config {
    /// Reads `file`, or [`DEFAULT_FILE`] if none is named and it exists. Settings that the file lacks have their
    /// default.
    ///
    /// # Errors
    /// The file is named but cannot be read, or it has an unknown setting or an invalid value.
    pub fn from_file(file: Option<&Path>) -> Result<Self, ConfigError> {
        let path = file.unwrap_or_else(|| Path::new(DEFAULT_FILE));
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if file.is_none() && error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(ConfigError::Unreadable { path: path.to_owned(), cause: error.to_string() }),
        };
        toml::from_str(&text)
            .map_err(|error| ConfigError::Invalid { path: path.to_owned(), message: masked(&error.to_string()) })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use clap::{Args as _, FromArgMatches as _};

    use super::*;

    fn toml(text: &str) -> Config {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn nothing_given_is_the_documented_default() {
        let config = toml("");
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.admin_listen.to_string(), "127.0.0.1:9090");
        assert_eq!(config.data_dir, Path::new("data"));
        assert_eq!(config.drain_seconds.duration(), Duration::from_secs(30));
        assert!(config.cors_origins.is_empty());
        assert_eq!(config.gpus, ["auto"]);
        assert_eq!(toml("gpus = []").gpus, ["auto"]);
    }

    #[test]
    fn the_upper_source_wins_and_the_lower_fills_the_gaps() {
        let command = GivenSettings::augment_args(clap::Command::new("serve"));
        let flags = command.try_get_matches_from(["serve", "--listen", "localhost:9000"]).unwrap();
        let given = GivenSettings::from_arg_matches(&flags).unwrap();
        let config = given.over(toml("listen = \"127.0.0.1:1\"\ndata_dir = \"/srv\"")).unwrap();
        assert!(config.listen.ip().is_loopback());
        assert_eq!((config.listen.port(), config.data_dir.as_path()), (9000, Path::new("/srv")));
    }

    #[test]
    fn every_key_can_stand_in_the_file() {
        let config = toml(
            "listen = \"[::1]:80\"\nadmin_listen = \"0.0.0.0:91\"\ndata_dir = \"d\"\n\
             store = \"redis://s/1\"\nstore_timeout_ms = 8\n\
             store_away = \"fail_open\"\nicc_dir = \"i\"\nlog = \"longhand=debug\"\nlog_format = \"json\"\n\
             cors_origins = [\"https://example.org\", \"*\"]\ndrain_seconds = 1\nheader_timeout_seconds = 2\n\
             body_timeout_seconds = 3600\nunready_seconds = 4\nidle_timeout_seconds = 5\nwrite_timeout_seconds = 6\n\
             max_connections = 7\nqueue_megapixels = 8\nqueue_seconds = 9\n\
             rate_limits = { generate = 2000 }\npreview_watermark = \"quota\"\n\
             jobs_dir = \"j\"\njobs_bucket = \"s3://letters/a\"\njobs_keep_days = 3\njobs_max_bytes = 5\nnotify_hosts = [\"crm.example.org\"]\nhands = \"keys\"\n\
             artwork = \"keys\"\nartwork_dir = \"a\"\n\
             gpus = [\"1\", \"h100\"]\ngpu_fallback = \"hardware\"\n\
             gpu_timeout_seconds = 10\ngpu_timings = \"on\"\n\
             otlp_endpoint = \"http://[::1]/b\"",
        );
        assert_eq!(config.admin_listen.to_string(), "0.0.0.0:91");
        assert_eq!(
            (config.store.unwrap().to_string().as_str(), config.store_away),
            ("redis://s/1", OutagePolicy::FailOpen)
        );
        assert_eq!((config.log_format, config.hands), (LogFormat::Json, AllowedTo::Keys));
        assert_eq!(config.jobs_bucket.unwrap().to_string(), "s3://letters/a");
        assert_eq!((config.artwork, config.artwork_dir.as_deref()), (AllowedTo::Keys, Some(Path::new("a"))));
        assert_eq!(config.icc_dir.as_deref(), Some(Path::new("i")));
        assert_eq!(config.log, "longhand=debug");
        assert!(!config.cors_origins[0].is_any() && config.cors_origins[1].is_any());
        assert_eq!(
            [config.drain_seconds, config.header_timeout_seconds, config.body_timeout_seconds]
                .map(|wait| wait.duration().as_secs()),
            [1, 2, 3600]
        );
        assert_eq!(
            [config.unready_seconds.unwrap(), config.idle_timeout_seconds, config.write_timeout_seconds]
                .map(|wait| wait.duration().as_secs()),
            [4, 5, 6]
        );
        assert_eq!([config.max_connections, config.queue_megapixels].map(NonZeroU32::get), [7, 8]);
        assert_eq!([config.queue_seconds, config.gpu_timeout_seconds].map(|wait| wait.duration().as_secs()), [9, 10]);
        assert_eq!(config.gpus, ["1", "h100"]);
        assert_eq!((config.gpu_fallback, config.gpu_timings), (GpuFallback::Hardware, Switch::On));
        assert_eq!(config.store_timeout_ms.get(), 8);
        assert_eq!(config.otlp_endpoint.unwrap(), "http://[::1]/b");
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
            ("gpu_fallback = \"none\"", "gpu_fallback"),
            ("store = \"valkey://s\"", "store"),
            ("jobs_bucket = \"letters\"", "jobs_bucket"),
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
            let message = toml::from_str::<Config>(text).unwrap_err().to_string();
            assert!(message.contains(named), "{text}: {message}");
        }
    }

    #[test]
    fn a_named_file_must_exist_and_the_default_need_not() {
        let missing = Path::new("no/such/longhand.toml");
        assert!(matches!(Config::from_file(Some(missing)), Err(ConfigError::Unreadable { .. })));
        assert_eq!(Config::from_file(None), Ok(Config::default()));
    }
}
