//! `longhand keys`: creates, lists, changes and revokes API keys, with or without a running server.
//!
//! `report` prints what was used in a month.
//!
//! Input: a parsed command, the store of the keys, the clock. Output: text or one line of JSON on `out`. A key that is
//! to be changed is found by its id, by the beginning of it, or by its name. Reads no configuration, and does not know
//! how keys are stored.

mod report;

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::{self, Path, PathBuf};
use std::str::FromStr;

use clap::{Args, Subcommand};
use serde::Serialize;

use self::report::ReportForm;
use super::{Failure, output};
use crate::access::{ApiKey, CreatedKey, FleetAddress, KeySettings, KeySummary, Keys, Month, RateLimits, StoreError};
use crate::clock::Clock;

/// Create, list, change and revoke API keys.
#[derive(Debug, Args)]
pub struct KeysCommand {
    /// What to do.
    #[command(subcommand)]
    pub action: KeysAction,
    /// Directory of the key store, if no store is shared [default: as configured, else ./data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Store that several servers share, instead of a directory [default: as configured]
    #[arg(long, global = true, value_name = "URL")]
    pub store: Option<FleetAddress>,
}

/// Where the keys are.
#[derive(Clone, Copy, Debug)]
pub enum KeyPlace<'place> {
    /// In a data directory, where there may be none yet.
    Folder(&'place Path),
    /// In a store that several servers share.
    Fleet(&'place FleetAddress),
}

impl KeyPlace<'_> {
    /// The keys, to add to them.
    fn open(self, clock: &Clock) -> Result<Keys, StoreError> {
        match self {
            Self::Folder(data_dir) => Keys::open_in(data_dir, clock.clone()),
            Self::Fleet(store) => Keys::connect(store, clock.clone()),
        }
    }

    /// The keys, and the one that is `wanted` among them.
    fn find(self, wanted: &str, clock: &Clock) -> Result<(Keys, KeySummary), StoreError> {
        let keys = self.open_existing(clock)?.ok_or_else(|| StoreError::UnknownId { id: wanted.to_owned() })?;
        let found = keys.find(wanted)?;
        Ok((keys, found))
    }

    /// The keys, where there are any.
    fn open_existing(self, clock: &Clock) -> Result<Option<Keys>, StoreError> {
        match self {
            Self::Folder(data_dir) => Keys::open_existing_in(data_dir, clock.clone()),
            Self::Fleet(_) => self.open(clock).map(Some),
        }
    }
}

impl fmt::Display for KeyPlace<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The path from the root means the same elsewhere.
            Self::Folder(data_dir) => path::absolute(data_dir).as_deref().unwrap_or(data_dir).display().fmt(formatter),
            Self::Fleet(store) => store.fmt(formatter),
        }
    }
}

/// What `longhand keys` can do.
#[derive(Debug, Subcommand)]
pub enum KeysAction {
    /// Create a key and show it, this once; a running server knows it at once
    Create {
        /// What the key is for, as `keys list` shows it
        #[arg(long)]
        name: String,
        /// Generations allowed in a UTC calendar month; without it, as many as wanted
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
        monthly_quota: Option<u64>,
        /// Requests allowed in any 60 seconds, such as generate=2000,preview=600; without it, as the server allows
        #[arg(long, value_name = "LIMITS", default_value_t)]
        rate: RateLimits,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List all keys with what they used this month
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Tell what each key used in a month: month, id, name, quota, use and state
    Report {
        /// The UTC calendar month, such as 2026-11 [default: the present one]
        #[arg(long, value_name = "YYYY-MM")]
        month: Option<Month>,
        /// Print CSV
        #[arg(long, conflicts_with = "json")]
        csv: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Give a key a new secret and show it, this once; a running server refuses the old one within a second
    Rotate {
        /// The key: its id, the first 4 or more characters of it, or its name
        key: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Change the quota or the rate limits of a key; a running server knows it within a second
    #[command(group(clap::ArgGroup::new("settings").required(true).multiple(true)))]
    Set {
        /// The key: its id, the first 4 or more characters of it, or its name
        key: String,
        /// Generations allowed in a UTC calendar month, or none for as many as wanted
        #[arg(long, value_name = "N|none", group = "settings")]
        monthly_quota: Option<Quota>,
        /// All limits of its own, such as generate=2000,preview=600, or default for those of the server
        #[arg(long, value_name = "LIMITS", group = "settings")]
        rate: Option<RateLimits>,
    },
    /// Change the monthly quota of a key; a running server knows it within a second
    SetQuota {
        /// The key: its id, the first 4 or more characters of it, or its name
        key: String,
        /// Generations allowed in a UTC calendar month, or none for as many as wanted
        #[arg(value_name = "N|none")]
        quota: Quota,
    },
    /// Revoke a key for good; a running server refuses it within a second
    Revoke {
        /// The key: its id, the first 4 or more characters of it, or its name
        key: String,
    },
}

/// A monthly quota, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota(pub Option<u64>);

impl FromStr for Quota {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "none" => Ok(Self(None)),
            _ => text.parse().map(|quota| Self(Some(quota))).map_err(|_| "a whole number such as 1000, or none"),
        }
    }
}

/// `keys create --json`.
#[derive(Serialize)]
struct CreatedKeyJson<'key> {
    id: &'key str,
    key: &'key str,
    /// Signs the events of its jobs.
    webhook_secret: &'key str,
    name: &'key str,
    monthly_quota: Option<u64>,
    #[serde(skip_serializing_if = "RateLimits::is_unset")]
    rate_limits: RateLimits,
}

impl KeysCommand {
    /// Runs the command on the keys of `place` and prints the result to `out`. Creates the directory for a new key.
    ///
    /// # Errors
    /// The keys cannot be read or changed, or the result cannot be printed. A key whose printing failed exists
    /// nevertheless; the list shows it.
    pub fn run(self, place: KeyPlace<'_>, clock: &Clock, out: &mut dyn Write) -> Result<(), Failure> {
        let text = match self.action {
            KeysAction::Create { name, monthly_quota, rate, json } => {
                let created = place.open(clock)?.create_limited(&name, monthly_quota, rate)?;
                if json {
                    output::note(&format!("the key is kept in {place}"));
                    created_json(&created)?
                } else {
                    created_text(&created, place)
                }
            }
            KeysAction::Rotate { key, json } => {
                let (keys, found) = place.find(&key, clock)?;
                let rotated = keys.rotate(&found.id)?;
                if json { created_json(&rotated)? } else { rotated_text(&rotated) }
            }
            KeysAction::Set { key, monthly_quota, rate } => {
                let monthly_quota = monthly_quota.map(|Quota(quota)| quota);
                set(&key, KeySettings { monthly_quota, rate_limits: rate }, place, clock)?
            }
            KeysAction::SetQuota { key, quota: Quota(quota) } => {
                set(&key, KeySettings { monthly_quota: Some(quota), ..KeySettings::default() }, place, clock)?
            }
            KeysAction::List { json } => {
                let keys = place.open_existing(clock)?.map_or(Ok(Vec::new()), |keys| keys.list())?;
                if json { json_line(&BTreeMap::from([("keys", keys)]))? } else { list_text(&keys, place) }
            }
            KeysAction::Report { month, csv, json } => {
                let form = if csv {
                    ReportForm::Csv
                } else if json {
                    ReportForm::Json
                } else {
                    ReportForm::Text
                };
                let report = place.open_existing(clock)?.map(|keys| keys.report(month)).transpose()?;
                report::print(report.as_ref(), form, place)?
            }
            KeysAction::Revoke { key } => {
                let (keys, KeySummary { id, name, .. }) = place.find(&key, clock)?;
                keys.revoke(&id)?;
                format!("Revoked the key {id} (\"{name}\").")
            }
        };
        let printed = writeln!(out, "{text}").and_then(|()| out.flush());
        printed.map_err(|error| Failure::Io(format!("cannot print the result: {error}")))
    }
}

/// Changes the key that is `wanted`, and says what it has now.
fn set(wanted: &str, settings: KeySettings, place: KeyPlace<'_>, clock: &Clock) -> Result<String, Failure> {
    let (keys, found) = place.find(wanted, clock)?;
    let changed = keys.set(&found.id, settings)?;
    let KeySummary { id, name, monthly_quota, rate_limits, used_this_month, .. } = changed;
    let quota = quota_in_words(monthly_quota);
    let limits = limits_in_words(rate_limits);
    Ok(format!("The key \"{name}\" with the id {id} has {quota}; {used_this_month} are used this month.{limits}"))
}

fn created_json(created: &CreatedKey) -> Result<String, Failure> {
    let CreatedKey { id, key, name, monthly_quota, rate_limits } = created;
    let (monthly_quota, rate_limits) = (*monthly_quota, *rate_limits);
    let webhook_secret = &key.webhook_secret();
    json_line(&CreatedKeyJson { id, key: key.reveal(), webhook_secret, name, monthly_quota, rate_limits })
}

fn created_text(created: &CreatedKey, place: KeyPlace<'_>) -> String {
    let CreatedKey { id, key, name, monthly_quota, rate_limits } = created;
    let known = match place {
        KeyPlace::Folder(_) => {
            "A server knows the key if that is its data directory.\n\
             A server looks where --data-dir, LONGHAND_DATA_DIR or data_dir in longhand.toml says; without\n\
             these, in data in the folder that it is started in."
        }
        KeyPlace::Fleet(_) => "Every server with this store knows the key.",
    };
    let quota = quota_in_words(*monthly_quota);
    let limits = limits_in_words(*rate_limits);
    let created = format!("Created the key \"{name}\" with the id {id} and {quota}.{limits}");
    format!("{created}\nIts hash is kept in {place}. {known}\n{}", secret(key))
}

fn rotated_text(CreatedKey { id, key, name, .. }: &CreatedKey) -> String {
    let rotated = format!("The key \"{name}\" with the id {id} has a new secret; the old one ends within a second.");
    format!("{rotated}\n{}", secret(key))
}

fn secret(key: &ApiKey) -> String {
    let (key, webhook) = (key.reveal(), key.webhook_secret());
    format!("Keep it now, it is not shown again:\n\n    {key}\n\nEvents of its jobs are signed with {webhook}\n")
}

fn list_text(keys: &[KeySummary], place: KeyPlace<'_>) -> String {
    if keys.is_empty() {
        return format!("No keys in {place}. `longhand keys create --name NAME` makes one.");
    }
    let name_width = keys.iter().map(|key| key.name.chars().count()).fold("NAME".len(), usize::max);
    let row = |[id, name, state, created, used, quota, rate]: [&str; 7]| {
        format!("{id:36}  {name:name_width$}  {state:7}  {created:20}  {used:>15}  {quota:>13}  {rate}")
    };
    let titles = ["ID", "NAME", "STATE", "CREATED", "USED THIS MONTH", "MONTHLY QUOTA", "RATE LIMITS"];
    let mut rows = vec![row(titles)];
    rows.extend(keys.iter().map(|key| {
        let KeySummary { id, name, monthly_quota, rate_limits, used_this_month, active, created_at } = key;
        let state = state_in_words(*active);
        let quota = monthly_quota.map_or_else(|| "none".to_owned(), |quota| quota.to_string());
        row([id, name, state, created_at, &used_this_month.to_string(), &quota, &rate_limits.to_string()])
    }));
    rows.join("\n")
}

/// A sentence about the limits of a key, if it has any of its own.
fn limits_in_words(rate_limits: RateLimits) -> String {
    if rate_limits.is_unset() { String::new() } else { format!(" Its limits per 60 seconds: {rate_limits}.") }
}

fn state_in_words(active: bool) -> &'static str {
    if active { "active" } else { "revoked" }
}

fn quota_in_words(monthly_quota: Option<u64>) -> String {
    match monthly_quota {
        None => "no monthly quota".to_owned(),
        Some(1) => "a quota of 1 generation a month".to_owned(),
        Some(quota) => format!("a quota of {quota} generations a month"),
    }
}

fn json_line(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(Failure::internal("no JSON"))
}

#[cfg(test)]
mod tests;
