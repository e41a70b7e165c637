//! Sends events to the servers of clients, as Standard Webhooks 1.0 (standardwebhooks.com) says.
//!
//! A server is told the `webhook-id`, the `webhook-timestamp` and the `webhook-signature`: HMAC-SHA256 of `id.timestamp.body`
//! with the secret of the key that created the job. Only hosts that the operator names are called, no redirect is followed,
//! and a name that leads to an address of a private network is refused: nobody can make the service call machines behind it.

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use ureq::Agent;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

/// Longest wait for an answer (Standard Webhooks asks for 15 to 30 s).
const PATIENCE: Duration = Duration::from_secs(20);
/// What a secret begins with.
const SECRET: &str = "whsec_";

/// A host that may be told of events: a name, or an address. An address may be one of a private network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NotifyHost(String);

impl FromStr for NotifyHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_address = text.parse::<IpAddr>().is_ok();
        let is_name = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || ".-".contains(c));
        let host = if text.parse::<Ipv6Addr>().is_ok() { format!("[{text}]") } else { text.to_ascii_lowercase() };
        let wanted = || format!("`{text}` is no host; use a name such as crm.example.org, or an address");
        (is_address || is_name).then_some(Self(host)).ok_or_else(wanted)
    }
}

impl TryFrom<String> for NotifyHost {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<NotifyHost> for String {
    fn from(host: NotifyHost) -> Self {
        host.0.trim_matches(['[', ']']).to_owned()
    }
}

/// The longest address of a client's server, in bytes.
pub(super) const LONGEST_URL: usize = 2048;

/// Checks the address that a client wants to be told at.
///
/// # Errors
/// What would be right.
pub(super) fn check_url(url: &str, hosts: &[NotifyHost]) -> Result<(), String> {
    if url.len() > LONGEST_URL {
        return Err(format!("use a URL of at most {LONGEST_URL} bytes"));
    }
    let uri: Uri =
        url.parse().map_err(|_| "it is no URL; use one such as https://crm.example.org/longhand".to_owned())?;
    let host = uri.host().unwrap_or_default().to_ascii_lowercase();
    let is_address = address_of(&host).is_some();
    if uri.scheme_str() != Some("https") && !(is_address && uri.scheme_str() == Some("http")) {
        return Err("use https; http is for addresses alone".to_owned());
    }
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err("it may not hold a name or password".to_owned());
    }
    if hosts.is_empty() {
        return Err("this service tells nobody of events; its operator can name hosts in notify_hosts".to_owned());
    }
    let is_known = hosts.iter().any(|known| known.0 == host);
    is_known.then_some(()).ok_or_else(|| format!("the operator does not allow the host `{host}`"))
}

/// The address that a host is, if it is one.
fn address_of(host: &str) -> Option<IpAddr> {
    host.trim_matches(['[', ']']).parse().ok()
}

/// An event as it is sent.
pub(super) struct Message<'a> {
    pub(super) id: &'a str,
    pub(super) body: &'a str,
    pub(super) url: &'a str,
    /// As [`ApiKey::webhook_secret`](crate::access::ApiKey::webhook_secret) gives it.
    pub(super) secret: &'a str,
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    Delivered,
    /// The server wants no more (410).
    Unwanted,
    /// To be sent again.
    Failed(String),
}

/// Sends messages.
#[derive(Debug)]
pub(super) struct Sender(Agent);

impl Sender {
    pub(super) fn new() -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(None)
            .user_agent(concat!("longhand/", env!("CARGO_PKG_VERSION")))
            .build();
        Self(Agent::with_parts(config, DefaultConnector::default(), PublicResolver(DefaultResolver::default())))
    }

    /// Sends a message at this time, in Unix seconds. Blocks for up to 20 seconds.
    pub(super) fn send(&self, message: &Message<'_>, now: i64) -> Sent {
        let Some(signature) = signature(message, now) else { return Sent::Failed("it cannot be signed".to_owned()) };
        let request = self.0.post(message.url).content_type("application/json");
        let request = request.header("webhook-id", message.id).header("webhook-timestamp", now.to_string());
        match request.header("webhook-signature", signature).send(message.body) {
            Ok(answer) if answer.status().is_success() => Sent::Delivered,
            Ok(answer) if answer.status() == 410 => Sent::Unwanted,
            Ok(answer) => Sent::Failed(format!("the server answered {}", answer.status().as_u16())),
            Err(error) => Sent::Failed(error.to_string()),
        }
    }
}

fn signature(message: &Message<'_>, now: i64) -> Option<String> {
    let secret = BASE64_STANDARD.decode(message.secret.strip_prefix(SECRET)?).ok()?;
    let mut code = Hmac::<Sha256>::new_from_slice(&secret).ok()?;
    code.update(format!("{}.{now}.{}", message.id, message.body).as_bytes());
    Some(format!("v1,{}", BASE64_STANDARD.encode(code.finalize().into_bytes())))
}

/// Resolves names, and refuses those of private networks. The operator may name a private address itself.
#[derive(Debug)]
struct PublicResolver(DefaultResolver);

impl Resolver for PublicResolver {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.0.resolve(uri, config, timeout)?;
        let is_named = uri.host().and_then(address_of).is_some();
        if is_named || found.iter().all(|address| is_public(address.ip())) {
            Ok(found)
        } else {
            Err(ureq::Error::Other("the host is in a private network".into()))
        }
    }
}

/// Whether an address is one of the public internet (IANA's registries of special addresses, RFC 6890).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, third, _] = address.octets();
            let is_special = address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_multicast()
                || address.is_documentation()
                || first == 0
                || first >= 240
                || (first == 100 && (64..128).contains(&second))
                || (first == 198 && (18..20).contains(&second))
                || (first, second, third) == (192, 0, 0);
            !is_special
        }
        IpAddr::V6(address) => {
            let segments = address.segments();
            // Global unicast is 2000::/3; of it, Teredo, ORCHID, documentation and 6to4 are not hosts themselves.
            let is_global = segments[0] & 0xe000 == 0x2000;
            let is_special =
                segments[0] == 0x2002 || (segments[0] == 0x2001 && (segments[1] < 0x200 || segments[1] == 0xdb8));
            match address.to_ipv4_mapped() {
                Some(mapped) => is_public(IpAddr::V4(mapped)),
                None => is_global && !is_special,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_that_of_the_standard() {
        // The example of the specification's reference libraries.
        let message = Message {
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            body: r#"{"test": 2432232314}"#,
            url: "",
            secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        };
        let signed = signature(&message, 1_614_265_330).unwrap();
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn only_public_addresses_are_called_by_name() {
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "192.0.0.8",
            "::1",
            "::",
            "fc00::1",
            "fe80::1",
            "::ffff:10.0.0.1",
            "2001:db8::1",
            "2002:7f00:1::",
            "64:ff9b::7f00:1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07::1", "::ffff:8.8.8.8"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        let sent =
            Sender::new().send(&Message { id: "a", body: "{}", url: "https://localhost:9/", secret: "whsec_AAAA" }, 0);
        let Sent::Failed(problem) = sent else { panic!("{sent:?}") };
        assert!(problem.contains("private network"), "{problem}");
    }

    #[test]
    fn a_url_is_one_of_an_allowed_host() {
        let hosts: Vec<NotifyHost> = ["CRM.example.org", "10.0.0.7", "::1"].map(|host| host.parse().unwrap()).into();
        for url in
            ["https://crm.example.org/a?b=c", "https://crm.example.org:8443", "http://10.0.0.7/x", "http://[::1]:80/"]
        {
            assert_eq!(check_url(url, &hosts), Ok(()), "{url}");
        }
        for (url, told) in [
            ("http://crm.example.org/", "https"),
            ("https://example.org/", "does not allow"),
            ("https://a:b@crm.example.org/", "password"),
            ("crm.example.org", "https"),
            ("https://crm.example.org.evil.net/", "does not allow"),
            ("", "no URL"),
        ] {
            assert!(check_url(url, &hosts).unwrap_err().contains(told), "{url}");
        }
        let long = format!("https://crm.example.org/{}", "a".repeat(LONGEST_URL));
        assert!(check_url(&long, &hosts).unwrap_err().contains("2048"));
        assert!(check_url("https://crm.example.org/", &[]).unwrap_err().contains("notify_hosts"));
        for host in ["", "https://a", "a/b", "a:80", "a@b"] {
            assert!(host.parse::<NotifyHost>().is_err(), "{host}");
        }
    }
}
