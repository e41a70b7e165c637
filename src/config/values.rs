//! Types of settings that are more than a number or a path.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use tracing_subscriber::EnvFilter;

/// A log level (`info`) or tracing directives (`longhand=debug,warn`).
pub(super) fn log_filter(text: &str) -> Result<String, String> {
    match EnvFilter::try_new(text) {
        Ok(_) if !text.is_empty() => Ok(text.to_owned()),
        Ok(_) => Err("log is empty; use error, warn, info, debug or trace".to_owned()),
        Err(error) => Err(format!("{error}; use error, warn, info, debug or trace")),
    }
}

/// Address of a trace collector: scheme, host and path.
pub(super) fn otlp_endpoint(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let (host, path) = rest.and_then(|rest| rest.split_once('/')).unwrap_or_default();
    let (name, port) = host.rsplit_once(':').filter(|_| !host.ends_with(']')).unwrap_or((host, "443"));
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic() && !b"?#@,\"<>".contains(&byte));
    if !name.is_empty() && !path.is_empty() && is_plain(host) && is_plain(path) && port.parse::<u16>().is_ok() {
        return Ok(text.to_owned());
    }
    // It is not repeated: it may hold a password.
    Err("no endpoint; write scheme, host and path without credentials, such as http://127.0.0.1:4318/v1/traces"
        .to_owned())
}

/// Address to listen on: an IP address or a name of this machine, and a port. Of the addresses of a name, the first of
/// IPv4 is taken if it has one.
///
/// # Errors
/// What would be an address.
pub fn listen_address(text: &str) -> Result<SocketAddr, String> {
    let found: Vec<SocketAddr> = text.to_socket_addrs().map(Iterator::collect).unwrap_or_default();
    let address = found.iter().find(|address| address.is_ipv4()).or(found.first());
    address.copied().ok_or_else(|| {
        "no address; write an IP address or a name, and a port, such as 127.0.0.1:8080 or localhost:8080".to_owned()
    })
}

/// Selects GPUs: `auto`, a number, a PCI address or part of a name. Opening them shows whether they exist.
pub(super) fn gpu(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a GPU without a name; write auto, a number, a PCI address or part of a name".to_owned()),
        name => Ok(name.to_owned()),
    }
}

/// Reads [`listen_address`] from a file.
pub(super) fn read_listen_address<'source, D: Deserializer<'source>>(source: D) -> Result<SocketAddr, D::Error> {
    listen_address(&String::deserialize(source)?).map_err(D::Error::custom)
}

/// Reads [`log_filter`] from a file.
pub(super) fn read_log_filter<'source, D: Deserializer<'source>>(source: D) -> Result<String, D::Error> {
    log_filter(&String::deserialize(source)?).map_err(D::Error::custom)
}

/// Reads [`otlp_endpoint`] from a file.
pub(super) fn read_otlp_endpoint<'source, D: Deserializer<'source>>(source: D) -> Result<Option<String>, D::Error> {
    otlp_endpoint(&String::deserialize(source)?).map(Some).map_err(D::Error::custom)
}

/// Reads a list of [`gpu`] from a file. An empty one means `auto`.
pub(super) fn read_gpus<'source, D: Deserializer<'source>>(source: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(source)?;
    let names = names.iter().map(|name| gpu(name)).collect::<Result<Vec<_>, _>>().map_err(D::Error::custom)?;
    Ok(if names.is_empty() { vec!["auto".to_owned()] } else { names })
}

/// A message with `…` for possible passwords: on each line, the text between the first `://` and the last `@` after it.
#[must_use]
pub fn masked(message: &str) -> String {
    let mask = |line: &str| {
        let parts = line.split_once("://").and_then(|(start, rest)| Some((start, rest.rsplit_once('@')?.1)));
        parts.map_or_else(|| line.to_owned(), |(start, end)| format!("{start}://…@{end}"))
    };
    message.split('\n').map(mask).collect::<Vec<_>>().join("\n")
}

/// Reads the path of a folder, which must not be empty.
pub(super) fn folder<'source, D, T>(source: D) -> Result<T, D::Error>
where
    D: Deserializer<'source>,
    T: From<PathBuf>,
{
    let path = PathBuf::deserialize(source)?;
    if path.as_os_str().is_empty() {
        return Err(D::Error::custom("the folder is empty; name one, such as \"data\""));
    }
    Ok(path.into())
}

/// Reads the path of a folder, or a list of paths, none of them empty.
pub(super) fn folders<'source, D: Deserializer<'source>>(source: D) -> Result<Vec<PathBuf>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a folder or a list of folders")]
    enum OneOrMore {
        One(PathBuf),
        More(Vec<PathBuf>),
    }
    let folders = match OneOrMore::deserialize(source)? {
        OneOrMore::One(folder) => vec![folder],
        OneOrMore::More(folders) => folders,
    };
    if folders.iter().any(|folder| folder.as_os_str().is_empty()) {
        return Err(D::Error::custom("a folder is empty; name it, such as \"fonts\""));
    }
    Ok(folders)
}

/// What becomes of the start if a font cannot be used.
#[derive(Deserialize, Serialize, clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum FontsFailure {
    /// The font is left out, with a warning.
    #[default]
    Skip,
    /// The start fails.
    Stop,
}

/// The shape of a log line.
#[derive(Deserialize, Serialize, clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// The adapters that draw if no selected GPU can be opened at the start.
#[derive(Deserialize, Serialize, clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum GpuFallback {
    /// Other GPUs, then a software adapter.
    #[default]
    Software,
    /// Other GPUs only.
    Hardware,
}

/// A part of the service that is off or on.
#[derive(Deserialize, Serialize, clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    /// It is off.
    #[default]
    Off,
    /// It is on.
    On,
}

/// To whom the service allows what takes room on its disk.
#[derive(Deserialize, Serialize, clap::ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum AllowedTo {
    /// Nobody.
    #[default]
    Off,
    /// Every valid key, for itself.
    Keys,
}

/// A waiting time of 1 to 3600 whole seconds.
#[derive(Deserialize, Serialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(try_from = "i64")]
pub struct Seconds(u16);

impl Seconds {
    /// A default.
    pub(super) const fn of(seconds: u16) -> Self {
        Self(seconds)
    }

    /// As a duration.
    #[must_use]
    pub fn duration(self) -> Duration {
        Duration::from_secs(self.0.into())
    }
}

impl TryFrom<i64> for Seconds {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        match u16::try_from(number) {
            Ok(seconds @ 1..=3600) => Ok(Self(seconds)),
            _ => Err(format!("{number} is out of range; use 1 to 3600 seconds")),
        }
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number: i64 = text.parse().map_err(|_| format!("{text:?} is not a whole number of seconds"))?;
        Self::try_from(number)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    /// The error for a file with this line.
    fn refusal(line: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("longhand.toml");
        std::fs::write(&file, format!("log = \"info\"\n{line}\n")).unwrap();
        Config::from_file(Some(&file)).unwrap_err().to_string()
    }

    #[test]
    fn an_error_shows_no_password_of_an_address() {
        for (name, address) in [("otlp_endpoint", "http://ada:s3cr@t@a:4318/v1"), ("store", "http://:s3cr@t@store")] {
            let message = refusal(&format!("{name} = \"{address}\""));
            assert!(message.contains(name) && message.contains("://…@"), "{message}");
            assert!(!message.contains("s3cr") && !message.contains("t@"), "{message}");
        }
    }

    #[test]
    fn an_empty_folder_is_none() {
        for name in ["data_dir", "icc_dir"] {
            let message = refusal(&format!("{name} = \"\""));
            assert!(message.contains(name) && message.contains("is empty"), "{message}");
        }
    }
}
