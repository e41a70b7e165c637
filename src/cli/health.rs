//! `longhand health`: asks a running server for its status, for supervisors and containers.

use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use super::{Failure, output};
use crate::config::{Config, Settings};

/// Longest wait for each step: connecting, sending, receiving.
const PATIENCE: Duration = Duration::from_secs(5);
/// Most bytes of an answer that are read; the status is far smaller.
const LARGEST_ANSWER: u64 = 64 * 1024;

/// The arguments of `health`.
#[derive(clap::Args, Debug)]
pub(super) struct HealthCommand {
    /// Address of the server [default: the configured one]
    #[arg(long, env = "LONGHAND_LISTEN", value_name = "ADDR")]
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
        let flags = Settings { listen: self.listen, ..Settings::default() };
        let config = Config::from(flags.over(Settings::from_file(self.config.as_deref())?));
        let server = reachable(config.listen);
        let answer = ask(server).map_err(|error| Failure::Unavailable(format!("no answer from {server}: {error}")))?;
        let body = body_of(&answer).and_then(|body| Some((body, serde_json::from_str::<Report>(body).ok()?)));
        let Some((body, report)) = body else {
            return Err(Failure::Unavailable(format!("{server} does not answer like this service")));
        };
        output::print(body)?;
        if report.status == "ok" { Ok(()) } else { Err(Failure::Unavailable(format!("{server} is {}", report.status))) }
    }
}

/// A server that listens on every address is asked on this machine's own.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let address = match listen.ip() {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    };
    SocketAddr::new(address, listen.port())
}

/// One HTTP/1.1 exchange; `Connection: close` makes the end of the answer the end of the stream.
fn ask(server: SocketAddr) -> io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&server, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let request = format!("GET /api/v1/status HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.take(LARGEST_ANSWER).read_to_string(&mut answer)?;
    Ok(answer)
}

/// The body of a successful answer.
fn body_of(answer: &str) -> Option<&str> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.starts_with("HTTP/1.1 200 ").then_some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_success_has_a_body_to_read() {
        assert_eq!(body_of("HTTP/1.1 200 OK\r\na: b\r\n\r\n{}"), Some("{}"));
        for answer in ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 404 Not Found\r\n\r\n{}", "SSH-2.0\r\n\r\n{}"] {
            assert_eq!(body_of(answer), None, "{answer:?}");
        }
    }

    #[test]
    fn the_unspecified_address_is_asked_on_the_loopback() {
        let asked = |listen: &str| reachable(listen.parse().unwrap()).to_string();
        assert_eq!(asked("0.0.0.0:80"), "127.0.0.1:80");
        assert_eq!(asked("[::]:80"), "[::1]:80");
        assert_eq!(asked("10.1.2.3:80"), "10.1.2.3:80");
    }
}
