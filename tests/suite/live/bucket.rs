//! Jobs whose files are in a bucket of S3.
//!
//! The server of the bucket is nanio, of the Python environment of the oracles: a small server of the protocol that checks
//! signatures (`AWS4-HMAC-SHA256`), takes uploads in parts and in ranges, and keeps objects as files, which these tests read. It is
//! there in seconds. AWS itself and `MinIO` are not in a registry of packages; moto, which is, checks no signature and keeps
//! objects in its memory.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::live::jobs::{create_job, get, hashes, until};
use crate::live::program::Program;
use crate::live::server::{CreatedKey, Server, request};
use crate::oracle::python;

const ACCESS_KEY: &str = "letters";
/// Rows of the job that is killed.
const ROWS: usize = 400;
pub(crate) const SECRET: &str = "s3cretOfTheBucket";

/// A server of S3 with the bucket `letters`. Its data survives a kill. Dropping it kills it.
pub(crate) struct Bucket {
    process: Program,
    folder: PathBuf,
    port: u16,
}

impl Bucket {
    pub(crate) fn start(folder: &Path) -> Self {
        let folder = folder.join("s3");
        fs::create_dir_all(folder.join("letters")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let bucket = Self { process: Self::spawn(&folder, port), folder, port };
        bucket.wait();
        bucket
    }

    fn spawn(folder: &Path, port: u16) -> Program {
        let mut command = Command::new(python());
        command.args(["-m", "nanio", "serve", "--no-access-log", "--log-level", "error", "--host", "127.0.0.1"]);
        command.args(["--port", &port.to_string(), "--data-dir"]).arg(folder);
        command.env("NANIO_ACCESS_KEY", ACCESS_KEY).env("NANIO_SECRET_KEY", SECRET);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Program::start(&mut command)
    }

    fn wait(&self) {
        for _ in 0..1500 {
            if crate::live::server::send(&self.address(), &request("GET", "/letters", "", "")).status() != 0 {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("nanio does not answer");
    }

    fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn kill(&mut self) {
        self.process.kill();
    }

    fn start_again(&mut self) {
        // nanio leaves its temporary files if it is killed, and then refuses their objects.
        let is_temporary = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "tmp");
        files(&self.folder).iter().filter(|file| is_temporary(file)).for_each(|file| fs::remove_file(file).unwrap());
        self.process = Self::spawn(&self.folder, self.port);
        self.wait();
    }

    /// Lets a program use the bucket.
    pub(crate) fn given_to(&self, command: &mut Command, secret: &str) {
        command.env("AWS_ENDPOINT_URL_S3", format!("http://{}", self.address())).env("AWS_REGION", "us-east-1");
        command.env("AWS_ACCESS_KEY_ID", ACCESS_KEY).env("AWS_SECRET_ACCESS_KEY", secret);
        command.env("LONGHAND_JOBS_BUCKET", "s3://letters/of/november").env("LONGHAND_RATE_LIMITS", "jobs=10000");
    }

    /// A server whose jobs use the bucket.
    fn server(&self, folder: &Path, secret: &str) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        self.given_to(&mut command, secret);
        Server::start_by(command, folder, &[])
    }

    /// The object of this name under the prefix.
    pub(crate) fn object(&self, name: &str) -> PathBuf {
        self.folder.join("letters/of/november").join(name)
    }
}

/// Files below a folder, which need not be there.
fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = folder.read_dir().into_iter().flatten().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Cards that have more megabytes together than a part of an upload.
fn cards(form: &str) -> Value {
    let rows: Vec<Value> = (1..=ROWS).map(|number| json!({"name": format!("Ann {number}"), "gift": "tea"})).collect();
    let request = json!({"text": "Dear {name},\n\nthank you for the {gift}.", "page_size": "card_96x135"});
    json!({"request": request, "rows": rows, "output": {"form": form, "name": "{row}"}})
}

#[test]
fn a_bucket_has_the_files_that_a_folder_has_though_the_server_is_killed() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let bucket = Bucket::start(folders[1].path());
    let in_folder = Server::start(folders[0].path());
    let expected = create_job(&in_folder, &in_folder.key, &cards("zip"));
    let number = |path: &str| path.rsplit_once('/').unwrap().1.to_owned();

    let mut server = bucket.server(folders[1].path(), SECRET);
    let CreatedKey { id, key, .. } = server.create_key(Some(ROWS as u64));
    let path = create_job(&server, &key, &cards("zip"));
    for made in [ROWS as u64 / 5, ROWS as u64 / 2] {
        until(&server, &key, &path, |job| job["made"].as_u64().unwrap() >= made);
        server.kill();
        server = bucket.server(folders[1].path(), SECRET);
    }
    until(&server, &key, &path, |job| job["state"] == "completed");
    assert_eq!(server.used_this_month(&id), ROWS as u64, "each row is charged once");
    until(&in_folder, &in_folder.key, &expected, |job| job["state"] == "completed");
    assert_eq!(hashes(&server, &key, &path), hashes(&in_folder, &in_folder.key, &expected));

    let whole = fs::read(folders[0].path().join("keys/jobs").join(number(&expected)).join("result.zip")).unwrap();
    assert!(whole.len() > 10 << 20, "more than a part of an upload: {}", whole.len());
    let object = bucket.object(&number(&path)).join("result.zip");
    assert!(fs::read(&object).unwrap() == whole, "the files of all rows differ");
    assert!(!folders[1].path().join("keys/jobs").join(number(&path)).exists(), "nothing of it is in the folder");

    let ranged = |range: &str| {
        let plain = String::from_utf8(request("GET", &format!("{path}/result"), &key, "")).unwrap();
        server.send(plain.replacen("\r\n", &format!("\r\nRange: {range}\r\n"), 1).as_bytes())
    };
    let all = whole.len();
    let part = ranged(&format!("bytes={}-{}", all - 22, all - 19));
    assert_eq!((part.status(), part.body.as_str()), (206, "PK\u{5}\u{6}"), "the end of a ZIP");
    assert_eq!(part.header("content-range"), Some(format!("bytes {}-{}/{all}", all - 22, all - 19).as_str()));
    assert_eq!(part.header("content-type"), Some("application/zip"));
    assert!(part.header("etag").is_some() && part.header("last-modified").is_some(), "{part:?}");
    let beyond = ranged(&format!("bytes={all}-"));
    assert_eq!((beyond.status(), beyond.header("content-range")), (416, Some(format!("bytes */{all}").as_str())));
    let file = server.send(&request("GET", &format!("{path}/files/007.png"), &key, ""));
    let length = fs::metadata(bucket.object(&number(&path)).join("0/7")).unwrap().len();
    assert_eq!((file.status(), file.header("content-length")), (200, Some(length.to_string().as_str())));
    assert_eq!(file.header("content-type"), Some("image/png"));

    // Deleted, nothing of it is left.
    assert!(files(&bucket.object("")).len() > ROWS);
    assert_eq!(server.send(&request("DELETE", &path, &key, "")).status(), 200);
    assert_eq!(files(&bucket.object("")).len(), 0);
    assert_eq!(server.terminate(), Some(0));
    assert_eq!(in_folder.terminate(), Some(0));
}

#[test]
fn a_bucket_that_refuses_pauses_a_job_and_one_that_is_away_for_a_while_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut bucket = Bucket::start(folder.path());
    let small = || {
        let rows: Vec<Value> = (1..=300).map(|number| json!({"name": format!("Ann {number}")})).collect();
        json!({"request": {"text": "Dear {name}", "page_size": "card_96x135"}, "rows": rows})
    };
    let wrong = bucket.server(folder.path(), "wr0ngSecret");
    assert!(wrong.log().contains("the bucket of jobs cannot be read at present"), "{}", wrong.log());
    let CreatedKey { id, key, .. } = wrong.create_key(Some(600));
    let path = create_job(&wrong, &key, &small());
    let paused = until(&wrong, &key, &path, |job| job["state"] == "paused");
    assert_eq!((&paused["reason"], &paused["made"]), (&json!("disk"), &json!(0)));
    assert_eq!(wrong.used_this_month(&id), 0, "what is not kept is not charged");
    let log = wrong.log();
    assert!(!log.contains("wr0ngSecret") && !log.contains("panic"), "{log}");
    assert_eq!(wrong.terminate(), Some(0));

    let server = bucket.server(folder.path(), SECRET);
    assert_eq!(server.send(&request("POST", &format!("{path}/resume"), &key, "")).status(), 200);
    until(&server, &key, &path, |job| job["made"].as_u64().unwrap() > 5);
    bucket.kill();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(get(&server, &key, &path)["state"], "running");
    let made = get(&server, &key, &format!("{path}/rows?state=made&limit=1"));
    let lost = server.send(&request("GET", &format!("{path}/files/{}", made["name"].as_str().unwrap()), &key, ""));
    assert_eq!((lost.status(), &lost.json()["error"]), (503, &json!("STORE_UNAVAILABLE")), "{lost:?}");
    bucket.start_again();
    let done = until(&server, &key, &path, |job| job["state"] == "completed");
    assert_eq!((&done["made"], server.used_this_month(&id)), (&json!(300), 300));
    assert_eq!(server.terminate(), Some(0));
}
