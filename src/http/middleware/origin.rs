//! The web origins that browsers may call from.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A web origin such as `https://example.org`, or `*`.
#[derive(Deserialize, Serialize, Clone, Debug, PartialEq, Eq)]
#[serde(try_from = "String")]
pub struct Origin(String);

impl Origin {
    /// The origin as browsers send it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is `*`.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.0 == "*"
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
        let plain = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_graphic() && !b"/?#@,*".contains(&byte));
        if plain || text == "*" {
            Ok(Self(text.to_owned()))
        } else {
            Err(format!("{text:?} is not an origin; write scheme and host, such as https://example.org, or *"))
        }
    }
}

impl TryFrom<String> for Origin {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_and_host_or_the_star() {
        for text in ["https://example.org", "http://localhost:3000", "https://[::1]:8080"] {
            assert!(text.parse::<Origin>().is_ok_and(|origin| !origin.is_any()), "{text}");
        }
        assert!("*".parse::<Origin>().is_ok_and(|origin| origin.is_any()));
        for text in
            ["", "example.org", "https://", "https://a/b", "https://a/", "ftp://a", "https://a b", "https://*.a"]
        {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }
}
