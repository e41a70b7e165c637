//! `longhand keys`: creates, lists and revokes API keys, with or without a running server.
//!
//! Input: a parsed command, the store of the keys, the clock. Output: text or one line of JSON on `out`. Reads no
//! configuration.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::Failure;
use crate::access::{CreatedKey, FleetAddress, KeySummary, Keys, StoreError};
use crate::clock::Clock;

/// Create, list and revoke API keys.
#[derive(Debug, Args)]
pub struct KeysCommand {
    /// What to do.
    #[command(subcommand)]
    pub action: KeysAction,
    /// Directory of the key store [default: as configured, else ./data]
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
            Self::Folder(data_dir) => data_dir.display().fmt(formatter),
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
    /// Revoke a key for good; a running server refuses it within a second
    Revoke {
        /// The key's id, as `keys list` shows it
        id: String,
    },
}

/// `keys create --json`.
#[derive(Serialize)]
struct CreatedKeyJson<'key> {
    id: &'key str,
    key: &'key str,
    name: &'key str,
    monthly_quota: Option<u64>,
}

/// `keys list --json`.
#[derive(Serialize)]
struct KeyListJson {
    keys: Vec<KeySummary>,
}

impl KeysCommand {
    /// Runs the command on the keys of `place` and prints the result to `out`. Creates the directory for a new key.
    ///
    /// # Errors
    /// The keys cannot be read or changed, or the result cannot be printed. A key whose printing failed exists
    /// nevertheless; the list shows it.
    pub fn run(self, place: KeyPlace<'_>, clock: &Clock, out: &mut dyn Write) -> Result<(), Failure> {
        let printed = match self.action {
            KeysAction::Create { name, monthly_quota, json } => {
                let created = place.open(clock)?.create(&name, monthly_quota)?;
                if json { print_created_json(&created, out) } else { print_created(&created, out) }
            }
            KeysAction::List { json } => {
                let keys = place.open_existing(clock)?.map_or(Ok(Vec::new()), |keys| keys.list())?;
                if json { print_json(&KeyListJson { keys }, out) } else { print_list(&keys, place, out) }
            }
            KeysAction::Revoke { id } => {
                let keys = place.open_existing(clock)?.ok_or_else(|| StoreError::UnknownId { id: id.clone() })?;
                keys.revoke(&id)?;
                writeln!(out, "Revoked the key {id}.")
            }
        };
        printed.and_then(|()| out.flush()).map_err(|error| Failure::Io(format!("cannot print the result: {error}")))
    }
}

fn print_created_json(created: &CreatedKey, out: &mut dyn Write) -> io::Result<()> {
    let CreatedKey { id, key, name, monthly_quota } = created;
    print_json(&CreatedKeyJson { id, key: key.reveal(), name, monthly_quota: *monthly_quota }, out)
}

fn print_created(created: &CreatedKey, out: &mut dyn Write) -> io::Result<()> {
    let CreatedKey { id, key, name, monthly_quota } = created;
    writeln!(out, "Created the key \"{name}\" with the id {id} and {}.", quota_in_words(*monthly_quota))?;
    writeln!(out, "Keep it now, it is not shown again:\n\n    {}\n", key.reveal())
}

fn print_list(keys: &[KeySummary], place: KeyPlace<'_>, out: &mut dyn Write) -> io::Result<()> {
    if keys.is_empty() {
        return writeln!(out, "No keys in {place}. `longhand keys create --name NAME` makes one.");
    }
    let name_width = keys.iter().map(|key| key.name.chars().count()).fold("NAME".len(), usize::max);
    writeln!(
        out,
        "{:36}  {:name_width$}  {:7}  {:20}  {:>15}  {:>13}",
        "ID", "NAME", "STATE", "CREATED", "USED THIS MONTH", "MONTHLY QUOTA"
    )?;
    for KeySummary { id, name, monthly_quota, used_this_month, active, created_at } in keys {
        let state = if *active { "active" } else { "revoked" };
        let quota = monthly_quota.map_or_else(|| "none".to_owned(), |quota| quota.to_string());
        writeln!(out, "{id:36}  {name:name_width$}  {state:7}  {created_at:20}  {used_this_month:>15}  {quota:>13}")?;
    }
    Ok(())
}

fn quota_in_words(monthly_quota: Option<u64>) -> String {
    match monthly_quota {
        None => "no monthly quota".to_owned(),
        Some(1) => "a quota of 1 generation a month".to_owned(),
        Some(quota) => format!("a quota of {quota} generations a month"),
    }
}

fn print_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use clap::Parser;
    use serde_json::{Value, json};

    use super::*;
    use crate::access::ApiKey;

    #[derive(Debug, Parser)]
    struct CommandLine {
        #[command(flatten)]
        keys: KeysCommand,
    }

    fn parse(arguments: &[&str]) -> Result<KeysCommand, clap::Error> {
        CommandLine::try_parse_from([&["keys"], arguments].concat()).map(|line| line.keys)
    }

    fn run(data_dir: &Path, arguments: &[&str]) -> Result<String, Failure> {
        let clock = Clock::manual(UNIX_EPOCH + Duration::from_secs(1_796_083_199));
        let mut out = Vec::new();
        parse(arguments).unwrap().run(KeyPlace::Folder(data_dir), &clock, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    fn run_json(data_dir: &Path, arguments: &[&str]) -> Value {
        serde_json::from_str(&run(data_dir, arguments).unwrap()).unwrap()
    }

    #[test]
    fn create_prints_exactly_the_documented_members_on_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let line = run(folder.path(), &["create", "--name", "demo", "--monthly-quota", "5", "--json"]).unwrap();
        let created: Value = serde_json::from_str(&line).unwrap();
        let members: Vec<_> = created.as_object().unwrap().keys().collect();
        assert_eq!(members, ["id", "key", "monthly_quota", "name"]);
        assert_eq!((&created["name"], &created["monthly_quota"]), (&json!("demo"), &json!(5)));
        assert!(ApiKey::parse(created["key"].as_str().unwrap()).is_ok());
        assert_eq!(line.lines().count(), 1);
    }

    #[test]
    fn a_key_without_quota_has_a_null_quota() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(run_json(folder.path(), &["create", "--name", "demo", "--json"])["monthly_quota"], Value::Null);
    }

    #[test]
    fn list_prints_exactly_the_documented_members_and_not_the_key() {
        let folder = tempfile::tempdir().unwrap();
        let created = run_json(folder.path(), &["create", "--name", "demo", "--monthly-quota", "5", "--json"]);
        let expected = json!({"keys": [{
            "id": created["id"], "name": "demo", "monthly_quota": 5, "used_this_month": 0, "active": true,
            "created_at": "2026-11-30T23:59:59Z",
        }]});
        assert_eq!(run_json(folder.path(), &["list", "--json"]), expected);
    }

    #[test]
    fn the_texts_for_people_show_the_key_once() {
        let folder = tempfile::tempdir().unwrap();
        let text = run(folder.path(), &["create", "--name", "demo"]).unwrap();
        let key = text.lines().find_map(|line| ApiKey::parse(line.trim()).ok()).expect("the key on a line of its own");
        let list = run(folder.path(), &["list"]).unwrap();
        assert!(list.contains("demo") && list.contains("active"), "{list}");
        assert!(!list.contains(key.reveal()));
    }

    #[test]
    fn a_revoked_key_is_listed_as_inactive() {
        let folder = tempfile::tempdir().unwrap();
        let created = run_json(folder.path(), &["create", "--name", "demo", "--json"]);
        run(folder.path(), &["revoke", created["id"].as_str().unwrap()]).unwrap();
        assert_eq!(run_json(folder.path(), &["list", "--json"])["keys"][0]["active"], json!(false));
        assert!(run(folder.path(), &["list"]).unwrap().contains("revoked"));
    }

    #[test]
    fn listing_and_revoking_create_no_store() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        assert_eq!(run_json(&missing, &["list", "--json"]), json!({"keys": []}));
        assert!(run(&missing, &["list"]).unwrap().contains("missing"), "says where it looked");
        assert!(matches!(run(&missing, &["revoke", "nobody"]), Err(Failure::BadData(_))));
        assert!(!missing.exists());
    }

    #[test]
    fn what_went_wrong_says_whose_fault_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let unnamed = run(folder.path(), &["create", "--name", " "]).unwrap_err();
        assert!(matches!(unnamed, Failure::Usage(_)), "{unnamed}");
        let unknown = run(folder.path(), &["revoke", "nobody"]).unwrap_err();
        assert!(matches!(&unknown, Failure::BadData(_)) && unknown.to_string().contains("nobody"), "{unknown}");
        let occupied = folder.path().join("file");
        std::fs::write(&occupied, "").unwrap();
        let unusable = run(&occupied, &["create", "--name", "demo"]).unwrap_err();
        assert!(matches!(unusable, Failure::Io(_)), "{unusable}");
    }

    #[test]
    fn quotas_the_store_cannot_count_are_usage_errors() {
        for quota in ["-1", "1.5", "many", "9223372036854775808"] {
            let error = parse(&["create", "--name", "demo", "--monthly-quota", quota]).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{quota}");
        }
        assert!(parse(&["create", "--name", "demo", "--monthly-quota", "9223372036854775807"]).is_ok());
    }

    #[test]
    fn the_data_directory_may_be_given_after_the_action() {
        let command = parse(&["list", "--data-dir", "elsewhere"]).unwrap();
        assert_eq!(command.data_dir.as_deref(), Some(Path::new("elsewhere")));
    }
}
