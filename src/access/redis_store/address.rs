//! The configured address of the shared store, and the policy while it is away.

use std::fmt;
use std::str::FromStr;

use redis::{Client, IntoConnectionInfo as _, RedisError};
use serde::{Deserialize, Serialize};

/// The address of a Redis or Valkey server: `redis://[user:password@]host[:port][/database]`, `rediss://…` where it is
/// reached by TLS, or `redis+unix:///path`. May contain a password: `Debug`, `Display` and the serialised form omit it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct FleetAddress(String);

impl FleetAddress {
    /// A client that has not yet connected. For TLS it trusts the certificate authorities of the system, or those in
    /// `SSL_CERT_FILE`.
    pub(super) fn client(&self) -> Result<Client, RedisError> {
        // A provider that was installed before serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Client::open(self.0.as_str())
    }
}

impl FromStr for FleetAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Neither the text nor the parser's error is repeated: both may contain the password.
        // A fragment after `#` could make the client accept any certificate.
        let is_address = ["redis://", "rediss://", "redis+unix://"].iter().any(|scheme| text.starts_with(scheme))
            && !text.contains('#');
        match text.into_connection_info() {
            Ok(_) if is_address => Ok(Self(text.to_owned())),
            _ => Err(
                "store is no address like redis://host:6379/0; user and password stand before the host as in every URL"
                    .to_owned(),
            ),
        }
    }
}

impl TryFrom<String> for FleetAddress {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for FleetAddress {
    /// Writes `…` for what is between the scheme and `@`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.split_once("://"), self.0.rsplit_once('@')) {
            (Some((scheme, _)), Some((_, place))) => write!(formatter, "{scheme}://…@{place}"),
            _ => formatter.write_str(&self.0),
        }
    }
}

impl fmt::Debug for FleetAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "FleetAddress({self})")
    }
}

impl Serialize for FleetAddress {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What happens to requests while the shared store is away.
#[derive(Deserialize, Serialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum OutagePolicy {
    /// They are refused: no limit is ever exceeded.
    #[default]
    FailClosed,
    /// Known keys are accepted. Each instance counts in its own memory, and sends the charges afterwards.
    FailOpen,
}

impl FromStr for OutagePolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "fail_closed" => Ok(Self::FailClosed),
            "fail_open" => Ok(Self::FailOpen),
            other => Err(format!("{other:?} is neither fail_closed nor fail_open")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_of_an_address_shows_its_password() {
        let address: FleetAddress = "rediss://ada:s3cret@store:6379/2".parse().unwrap();
        let forms = [format!("{address}"), format!("{address:?}"), serde_json::to_string(&address).unwrap()];
        for form in forms {
            assert!(form.contains("rediss://…@store:6379/2") && !form.contains("s3cret"), "{form}");
        }
        assert_eq!("redis://store".parse::<FleetAddress>().unwrap().to_string(), "redis://store");
    }

    #[test]
    fn what_is_no_address_is_refused_without_being_repeated() {
        for text in [
            "",
            "store:6379",
            "http://s3cret@store",
            "rediss://:s3cret@store#insecure",
            "redis://:s3cret@",
            "redis://h:x",
        ] {
            let error = text.parse::<FleetAddress>().unwrap_err();
            assert!(error.contains("redis://") && !error.contains("s3cret"), "{text}: {error}");
        }
    }
}
