//! `longhand health`: asks a running server for its status, for supervisors and containers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use ureq::Agent;

use super::{Failure, output};
use crate::config::{Config, listen_address};

/// Longest wait for the answer.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Most bytes of an answer that are read; the status is far smaller.
const LARGEST_ANSWER: u64 = 64 * 1024;

/// The arguments of `health`.
#[derive(clap::Args, Debug)]
pub(super) struct HealthCommand {
    /// Address of the server [default: the configured one]
    #[arg(long, env = "LONGHAND_LISTEN", value_name = "ADDR", value_parser = listen_address)]
    listen: Option<SocketAddr>,
    /// Configuration file [default: longhand.toml, if there is one]
    #[arg(long, env = "LONGHAND_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Report {
    status: String,
}

impl HealthCommand {
    /// Prints the status and succeeds if it is `ok`.
    pub(super) fn run(self) -> Result<(), Failure> {
        let config = Config::from_file(self.config.as_deref())?;
        let server = reachable(self.listen.unwrap_or(config.listen));
        let body = ask(server).map_err(|error| Failure::Unavailable(format!("no answer from {server}: {error}")))?;
        let Ok(report) = serde_json::from_str::<Report>(&body) else {
            return Err(Failure::Unavailable(format!("{server} does not answer like this service")));
        };
        output::print(&body)?;
        if report.status == "ok" { Ok(()) } else { Err(Failure::Unavailable(format!("{server} is {}", report.status))) }
    }
}

/// The loopback address of a server that listens on every address.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let address = match listen.ip() {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    };
    SocketAddr::new(address, listen.port())
}

/// The body of the server's status. Never uses a proxy.
fn ask(server: SocketAddr) -> Result<String, ureq::Error> {
    let config = Agent::config_builder().timeout_global(Some(TIMEOUT)).max_redirects(0).proxy(None).build();
    let mut response = config.new_agent().get(format!("http://{server}/api/v1/status")).call()?;
    response.body_mut().with_config().limit(LARGEST_ANSWER).read_to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unspecified_address_is_asked_on_the_loopback() {
        let asked = |listen: &str| reachable(listen.parse().unwrap()).to_string();
        assert_eq!(asked("0.0.0.0:80"), "127.0.0.1:80");
        assert_eq!(asked("[::]:80"), "[::1]:80");
        assert_eq!(asked("10.1.2.3:80"), "10.1.2.3:80");
    }
}
