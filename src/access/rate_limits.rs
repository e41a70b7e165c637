//! How many requests a key may send in 60 seconds: the limits of the contract, of the operator, and of a key.
//!
//! A key's own limit takes precedence over the operator's, and that over the contract's. [`LimitedEndpoint`] is the table
//! that the configuration, the command line, `GET /usage` and the API document follow.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The highest limit. The memory of a key's window grows with it: 8 bytes per request.
pub const HIGHEST_RATE: u32 = 100_000;

/// The text for limits of which none is set.
const UNSET: &str = "default";

/// A limit of requests. Each is counted separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitedEndpoint {
    /// Pages.
    Generate,
    /// What is rendered for free.
    Preview,
    /// What the service offers.
    Fonts,
    /// What a key used.
    Usage,
    /// Jobs and what became of them.
    Jobs,
    /// Files of jobs.
    JobFiles,
    /// Hands of clients.
    Hands,
    /// Pictures of clients.
    Artwork,
}

impl LimitedEndpoint {
    /// All limits.
    pub const ALL: [Self; 8] = [
        Self::Generate,
        Self::Preview,
        Self::Fonts,
        Self::Usage,
        Self::Jobs,
        Self::JobFiles,
        Self::Hands,
        Self::Artwork,
    ];

    /// Requests that the contract allows in any 60 seconds. Of jobs, hands and artwork it says nothing.
    #[must_use]
    pub const fn contract_limit(self) -> u32 {
        match self {
            Self::Generate => 500,
            Self::Preview | Self::Jobs => 300,
            Self::JobFiles => 6000,
            Self::Hands | Self::Artwork => 60,
            Self::Fonts | Self::Usage => 100,
        }
    }

    /// Its name, part of the counter's key in the shared store. A new name would start a new count.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Generate => "generate",
            Self::Preview => "preview",
            Self::Fonts => "fonts",
            Self::Usage => "usage",
            Self::Jobs => "jobs",
            Self::JobFiles => "job_files",
            Self::Hands => "hands",
            Self::Artwork => "artwork",
        }
    }
}

/// Requests accepted in any 60 seconds, for some of the endpoints or for all. As text `generate=1000,preview=600`, in
/// TOML and JSON an object with these members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateLimits([Option<u32>; LimitedEndpoint::ALL.len()]);

impl RateLimits {
    /// The limits of the contract, for all endpoints.
    #[must_use]
    pub fn of_contract() -> Self {
        Self(LimitedEndpoint::ALL.map(|endpoint| Some(endpoint.contract_limit())))
    }

    /// These limits, and those of `others` where these have none.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self(std::array::from_fn(|index| {
            self.0.get(index).copied().flatten().or(others.0.get(index).copied().flatten())
        }))
    }

    /// The limit of `endpoint`: that of the contract if none is set.
    #[must_use]
    pub fn of(self, endpoint: LimitedEndpoint) -> u32 {
        self.iter().find(|(set, _)| *set == endpoint).map_or(endpoint.contract_limit(), |(_, limit)| limit)
    }

    /// Whether no limit is set.
    #[must_use]
    pub fn is_unset(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The limits that are set.
    fn iter(self) -> impl Iterator<Item = (LimitedEndpoint, u32)> {
        LimitedEndpoint::ALL.into_iter().zip(self.0).filter_map(|(endpoint, limit)| Some((endpoint, limit?)))
    }

    /// Sets one limit.
    fn set(&mut self, name: &str, limit: i64) -> Result<(), String> {
        let names = LimitedEndpoint::ALL.map(LimitedEndpoint::name);
        let slot = names.iter().position(|known| *known == name).and_then(|index| self.0.get_mut(index));
        let slot = slot.ok_or_else(|| format!("`{name}` has no limit; {} have one", names.join(", ")))?;
        match u32::try_from(limit) {
            Ok(limit @ 1..=HIGHEST_RATE) => *slot = Some(limit),
            _ => return Err(format!("{name} is {limit}; use 1 to {HIGHEST_RATE} requests in 60 seconds")),
        }
        Ok(())
    }
}

impl fmt::Display for RateLimits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits: Vec<String> = self.iter().map(|(endpoint, limit)| format!("{}={limit}", endpoint.name())).collect();
        let text = limits.join(",");
        formatter.write_str(if text.is_empty() { UNSET } else { &text })
    }
}

impl FromStr for RateLimits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut limits = Self::default();
        if text == UNSET {
            return Ok(limits);
        }
        for part in text.split(',') {
            let pair = part.split_once('=').and_then(|(name, limit)| Some((name, limit.trim().parse().ok()?)));
            let (name, limit) = pair.ok_or_else(|| {
                format!("`{part}` is no limit; write generate=1000,preview=600, or {UNSET} for those of the server")
            })?;
            limits.set(name.trim(), limit)?;
        }
        Ok(limits)
    }
}

impl Serialize for RateLimits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(endpoint, limit)| (endpoint.name(), limit)))
    }
}

impl<'source> Deserialize<'source> for RateLimits {
    fn deserialize<D: Deserializer<'source>>(source: D) -> Result<Self, D::Error> {
        let mut limits = Self::default();
        for (name, limit) in std::collections::BTreeMap::<String, i64>::deserialize(source)? {
            limits.set(&name, limit).map_err(D::Error::custom)?;
        }
        Ok(limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(text: &str) -> RateLimits {
        text.parse().unwrap()
    }

    #[test]
    fn limits_and_names_are_those_of_the_contract() {
        let table = LimitedEndpoint::ALL.map(|endpoint| (endpoint.name(), endpoint.contract_limit()));
        assert_eq!(
            table,
            [
                ("generate", 500),
                ("preview", 300),
                ("fonts", 100),
                ("usage", 100),
                ("jobs", 300),
                ("job_files", 6000),
                ("hands", 60),
                ("artwork", 60)
            ]
        );
    }

    #[test]
    fn a_key_comes_before_the_operator_and_the_operator_before_the_contract() {
        let (key, operator) = (limits("generate=9"), limits("generate=5, preview=7"));
        let resolved = key.or(operator);
        assert_eq!(LimitedEndpoint::ALL.map(|endpoint| resolved.of(endpoint)), [9, 7, 100, 100, 300, 6000, 60, 60]);
        assert_eq!(
            resolved.or(RateLimits::of_contract()).to_string(),
            "generate=9,preview=7,fonts=100,usage=100,jobs=300,job_files=6000,hands=60,artwork=60"
        );
    }

    #[test]
    fn text_and_json_say_the_same_when_they_are_read_again() {
        for text in ["default", "generate=1", "preview=100000,usage=3"] {
            let given = limits(text);
            assert_eq!(given.to_string(), text);
            let json = serde_json::to_string(&given).unwrap();
            assert_eq!(serde_json::from_str::<RateLimits>(&json).unwrap(), given, "{json}");
        }
    }

    #[test]
    fn what_is_no_limit_is_refused_by_name() {
        for (text, named) in [
            ("", "``"),
            ("generate", "`generate`"),
            ("generate=many", "`generate=many`"),
            ("generat=5", "`generat`"),
            ("generate=0", "1 to 100000"),
            ("preview=100001", "1 to 100000"),
            ("preview=-1", "1 to 100000"),
        ] {
            let refusal = text.parse::<RateLimits>().unwrap_err();
            assert!(refusal.contains(named), "{text}: {refusal}");
        }
    }
}
