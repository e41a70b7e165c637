//! The commands on a data directory.

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
    assert_eq!(members, ["id", "key", "monthly_quota", "name", "webhook_secret"]);
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
fn create_says_where_the_key_is_kept_and_where_a_server_looks() {
    let folder = tempfile::tempdir().unwrap();
    let text = run(folder.path(), &["create", "--name", "demo"]).unwrap();
    for said in [folder.path().to_str().unwrap(), "--data-dir", "LONGHAND_DATA_DIR", "data in the folder"] {
        assert!(text.contains(said), "{text}");
    }
    let relative = KeyPlace::Folder(Path::new("data")).to_string();
    assert!(Path::new(&relative).is_absolute(), "{relative}");
}

#[test]
fn a_key_is_changed_and_revoked_by_its_name_or_the_beginning_of_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let created = run_json(folder.path(), &["create", "--name", "shop", "--monthly-quota", "5", "--json"]);
    let id = created["id"].as_str().unwrap();
    let rotated = run_json(folder.path(), &["rotate", "shop", "--json"]);
    assert_eq!([&rotated["id"], &rotated["monthly_quota"]], [&created["id"], &json!(5)]);
    assert_ne!(rotated["key"], created["key"]);
    let text = run(folder.path(), &["rotate", &id[..8]]).unwrap();
    assert!(text.lines().any(|line| ApiKey::parse(line.trim()).is_ok()) && text.contains("new secret"), "{text}");

    for (quota, expected) in [("7", json!(7)), ("none", Value::Null)] {
        run(folder.path(), &["set-quota", "shop", quota]).unwrap();
        assert_eq!(run_json(folder.path(), &["list", "--json"])["keys"][0]["monthly_quota"], expected);
    }
    for quota in ["-1", "many", "1.5", "None"] {
        assert_eq!(parse(&["set-quota", "shop", quota]).unwrap_err().exit_code(), 2, "{quota}");
    }
    run(folder.path(), &["create", "--name", "shop"]).unwrap();
    for action in [&["revoke", "shop"][..], &["rotate", "shop"], &["set-quota", "shop", "1"]] {
        let error = run(folder.path(), action).unwrap_err();
        assert!(matches!(error, Failure::BadData(_)) && error.to_string().contains(id), "{error}");
    }
    assert!(run(folder.path(), &["revoke", &id[..8]]).unwrap().contains(id));
    run(folder.path(), &["revoke", "shop"]).unwrap();
    let keys = run_json(folder.path(), &["list", "--json"]);
    assert!(keys["keys"].as_array().unwrap().iter().all(|key| key["active"] == json!(false)), "{keys}");
}

#[test]
fn a_key_has_rate_limits_of_its_own_until_they_are_set_back() {
    let folder = tempfile::tempdir().unwrap();
    let listed = || run_json(folder.path(), &["list", "--json"])["keys"][0].clone();
    let created = run_json(folder.path(), &["create", "--name", "shop", "--rate", "generate=2000", "--json"]);
    assert_eq!(created["rate_limits"], json!({"generate": 2000}));
    assert_eq!(listed()["rate_limits"], json!({"generate": 2000}));
    assert_eq!(run_json(folder.path(), &["rotate", "shop", "--json"])["rate_limits"], json!({"generate": 2000}));

    let said = run(folder.path(), &["set", "shop", "--rate", "preview=50", "--monthly-quota", "9"]).unwrap();
    assert!(said.contains("9 generations") && said.contains("preview=50"), "{said}");
    assert_eq!((&listed()["rate_limits"], &listed()["monthly_quota"]), (&json!({"preview": 50}), &json!(9)));
    assert!(run(folder.path(), &["list"]).unwrap().contains("preview=50"));
    run(folder.path(), &["set", "shop", "--rate", "default"]).unwrap();
    assert_eq!((&listed()["rate_limits"], &listed()["monthly_quota"]), (&Value::Null, &json!(9)));
    for refused in [&["set", "shop"][..], &["set", "shop", "--rate", "0"], &["set", "shop", "--rate", "pages=4"]] {
        assert_eq!(parse(refused).unwrap_err().exit_code(), 2, "{refused:?}");
    }
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

#[test]
fn a_report_is_csv_that_a_spreadsheet_reads() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    assert_eq!(run(&missing, &["report", "--csv"]).unwrap(), "month,id,name,monthly_quota,used,state\n");
    assert!(!missing.exists());
    let created = run_json(folder.path(), &["create", "--name", "shop, \"north\"", "--monthly-quota", "5", "--json"]);
    let csv = run(folder.path(), &["report", "--csv", "--month", "2026-11"]).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap(), ["month", "id", "name", "monthly_quota", "used", "state"].as_slice());
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let id = created["id"].as_str().unwrap();
    assert_eq!(rows, [vec!["2026-11", id, "shop, \"north\"", "5", "0", "active"]]);
    let json = run_json(folder.path(), &["report", "--json"]);
    assert_eq!((&json["keys"][0]["month"], &json["keys"][0]["used"]), (&json!("2026-11"), &json!(0)));
    let text = run(folder.path(), &["report"]).unwrap();
    assert!(text.contains("USED 2026-11") && text.lines().last().unwrap().starts_with("all"), "{text}");
    let future = run(folder.path(), &["report", "--month", "2026-12"]).unwrap_err();
    assert!(matches!(future, Failure::Usage(_)), "{future}");
    for refused in
        [&["report", "--csv", "--json"][..], &["report", "--month", "November"], &["report", "--month", "2026-13"]]
    {
        assert_eq!(parse(refused).unwrap_err().exit_code(), 2, "{refused:?}");
    }
}
