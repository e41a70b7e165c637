//! Fonts of an operator in the running program: loaded, added and taken away by SIGHUP, named to clients, refused.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use longhand::clock::Clock;
use serde_json::{Value, json};

use crate::live::server::{RawAnswer, Server, request, send};
use crate::oracle::font_file;

/// How long the server may take to load fonts again.
const PATIENCE: Duration = Duration::from_secs(60);

/// Puts a font of ours into the folder `hands` as font `id` of an operator.
fn put(site: &Path, id: u16, from: u16) -> PathBuf {
    let hands = site.join("hands");
    std::fs::create_dir_all(&hands).unwrap();
    let file = hands.join(format!("{id}.ttf"));
    let text = format!("id = {id}\nname = \"Hand {id}\"\nstyle = \"print\"\nlicence = \"ours\"\n");
    std::fs::write(file.with_extension("toml"), text).unwrap();
    // As the documentation says: a finished file is put in place, so that none is read half-written.
    let unfinished = hands.join("unfinished");
    std::fs::copy(font_file(from), &unfinished).unwrap();
    std::fs::rename(unfinished, &file).unwrap();
    file
}

fn start(site: &Path) -> Server {
    Server::start_with(site, &["--fonts-dir", "hands"])
}

/// Sends SIGHUP, and waits until the log says this.
fn reload(server: &Server, told: &str) {
    server.signal("HUP");
    let clock = Clock::system();
    let start = clock.monotonic();
    while !server.log().contains(told) {
        assert!(clock.monotonic() - start < PATIENCE, "no {told:?} in {}", server.log());
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn body(font: u16) -> String {
    json!({"text": "Dear Ada", "font_id": font, "page_size": "card_a2", "font_size": 60, "seed": 1}).to_string()
}

fn post(server: &Server, path: &str, font: u16) -> RawAnswer {
    server.send(&request("POST", path, &server.key, &body(font)))
}

fn picture(answer: &RawAnswer) -> Value {
    assert_eq!(answer.status(), 200, "{answer:?}");
    answer.json()["image_base64"].clone()
}

fn listed(server: &Server) -> Vec<u64> {
    let list = server.exchange("GET", "/api/v1/fonts", "").1;
    let ids = list["fonts"].as_array().unwrap_or_else(|| list.as_array().unwrap()).iter();
    ids.map(|font| font["id"].as_u64().unwrap()).filter(|id| *id > 90).collect()
}

#[test]
fn every_endpoint_knows_an_operators_fonts() {
    let site = tempfile::tempdir().unwrap();
    put(site.path(), 1001, 2);
    put(site.path(), 1003, 12);
    let server = start(site.path());
    assert_eq!(listed(&server), [1001, 1003]);
    assert!(picture(&post(&server, "/api/v1/generate", 1001)) == picture(&post(&server, "/api/v1/generate", 2)));
    assert_eq!(post(&server, "/api/v1/preview", 1001).status(), 200);
    let report = post(&server, "/api/v1/preflight", 1003);
    assert_eq!((report.status(), report.json()["verdict"].is_string()), (200, true), "{report:?}");
    let specimen = |id: u16| server.send(&request("GET", &format!("/api/v1/fonts/{id}/specimen.png"), &server.key, ""));
    assert_eq!(specimen(1003).status(), 200);
    assert!(specimen(1003).header("content-type").unwrap().starts_with("image/png"));
    assert_eq!(specimen(1002).status(), 404);

    for path in ["/api/v1/generate", "/api/v1/preview", "/api/v1/preflight"] {
        let refused = post(&server, path, 1002);
        let told = "font_id: Input should be 1 to 90, 1001 or 1003, got 1002";
        assert!(refused.status() == 422 && refused.body.contains(told), "{path}: {refused:?}");
    }
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn a_font_is_for_the_keys_that_it_is_given_to_alone() {
    let site = tempfile::tempdir().unwrap();
    let file = put(site.path(), 1001, 2);
    put(site.path(), 1002, 12);
    let server = start(site.path());
    let owner = server.create_key(None);
    let description = file.with_extension("toml");
    let text = std::fs::read_to_string(&description).unwrap();
    std::fs::write(&description, format!("{text}keys = [\"{}\"]\n", owner.id)).unwrap();
    reload(&server, "font changed");

    let send = |method: &str, path: &str, key: &str, body: &str| server.send(&request(method, path, key, body));
    let get = |path: &str, key: &str| send("GET", path, key, "");
    let own_fonts = |key: &str| -> Vec<u64> {
        let list = get("/api/v1/fonts", key).json();
        list["fonts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|font| font["id"].as_u64().unwrap())
            .filter(|id| *id > 90)
            .collect()
    };
    assert_eq!((own_fonts(&owner.key), own_fonts(&server.key)), (vec![1001, 1002], vec![1002]));
    for path in ["/api/v1/generate", "/api/v1/preview", "/api/v1/preflight"] {
        assert_eq!(send("POST", path, &owner.key, &body(1001)).status(), 200, "{path}");
        let refused = post(&server, path, 1001);
        let told = "font_id: Input should be 1 to 90 or 1002, got 1001";
        assert!(refused.status() == 422 && refused.body.contains(told), "{path}: {refused:?}");
    }
    let statuses = |path: &str| [&owner.key, &server.key].map(|key| get(path, key).status());
    assert_eq!(statuses("/api/v1/fonts/1001/specimen.png"), [200, 404]);
    assert_eq!(statuses("/api/v1/fonts/1002/specimen.png"), [200, 200]);
    let words = [&owner.key, &server.key].map(|key| get("/api/v1/fonts/specimens.png?text=Ann", key));
    assert!(words.iter().all(|answer| answer.status() == 200) && words[0].body != words[1].body);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn sighup_adds_and_takes_away_fonts_and_requests_that_wait_are_answered() {
    const CLIENTS: usize = 6;
    let site = tempfile::tempdir().unwrap();
    put(site.path(), 1001, 2);
    let taken = put(site.path(), 1002, 12);
    let room = ["--fonts-dir", "hands", "--queue-megapixels", "10000", "--queue-seconds", "60"];
    let server = Server::start_with(site.path(), &room);
    put(site.path(), 1003, 13);
    reload(&server, "Hand 1003");
    assert_eq!(listed(&server), [1001, 1002, 1003]);
    picture(&post(&server, "/api/v1/generate", 1003));

    // Large pages, each of which takes a device for a good while.
    let large = |font: u16| {
        json!({"text": "The quick brown fox. ".repeat(60), "font_id": font, "page_size": "a3", "dpi": 600, "seed": 1,
               "font_size": 60, "enable_natural_variation": true, "overflow": "clip"})
        .to_string()
    };
    let expected = picture(&server.send(&request("POST", "/api/v1/generate", &server.key, &large(12))));
    let ask = |_| {
        let bytes = request("POST", "/api/v1/generate", &server.key, &large(1002));
        let address = server.address.clone();
        std::thread::spawn(move || send(&address, &bytes))
    };
    let clients: Vec<_> = (0..CLIENTS).map(ask).collect();
    let answered = || clients.iter().filter(|client| client.is_finished()).count();
    let depth = || server.exchange("GET", "/api/v1/status", "").1["queue_depth"].as_u64().unwrap();
    let clock = Clock::system();
    let start = clock.monotonic();
    while answered() + (depth() as usize) < CLIENTS {
        assert!(clock.monotonic() - start < PATIENCE, "the service has all requests");
    }
    std::fs::remove_file(&taken).unwrap();
    reload(&server, "font gone");
    let late = CLIENTS - answered();
    println!("{late} of {CLIENTS} pages were not finished when their font was gone");
    assert!(late > 0, "the test shows nothing");
    let refused = post(&server, "/api/v1/generate", 1002);
    assert!(refused.status() == 422 && refused.body.contains("1 to 90, 1001 or 1003"), "{refused:?}");
    for client in clients {
        assert!(picture(&client.join().unwrap()) == expected, "a page in the font that is gone");
    }
    assert_eq!(listed(&server), [1001, 1003]);
    assert_eq!(server.terminate(), Some(0));
}

/// A pipe would keep its reader waiting for a writer.
#[test]
fn a_pipe_among_the_fonts_stalls_neither_the_start_nor_a_reload_nor_the_end() {
    let site = tempfile::tempdir().unwrap();
    let font = put(site.path(), 1001, 2);
    std::fs::copy(&font, site.path().join("hands/pipe.ttf")).unwrap();
    assert!(Command::new("mkfifo").arg(site.path().join("hands/pipe.toml")).status().unwrap().success());
    let server = start(site.path());
    assert_eq!(listed(&server), [1001]);
    put(site.path(), 1002, 12);
    reload(&server, "Hand 1002");
    assert_eq!(listed(&server), [1001, 1002]);
    assert!(server.log().contains("it is no regular file"), "{}", server.log());
    assert_eq!(server.terminate(), Some(0));
}

fn run(site: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(arguments).current_dir(site).env_remove("LONGHAND_FONTS_DIR").env_remove("LONGHAND_KEY");
    command.output().unwrap()
}

#[test]
fn a_broken_font_is_named_and_left_out_or_stops_the_start() {
    let site = tempfile::tempdir().unwrap();
    put(site.path(), 1001, 2);
    let broken = put(site.path(), 1002, 12);
    std::fs::write(&broken, b"no font").unwrap();
    let server = start(site.path());
    assert_eq!(listed(&server), [1001]);
    let log = server.log();
    let line = log.lines().find(|line| line.contains("a font is left out")).expect(&log);
    assert!(line.contains("1002.ttf") && line.contains("no TrueType or OpenType font"), "{line}");
    assert_eq!(server.terminate(), Some(0));

    std::fs::write(site.path().join("longhand.toml"), "fonts_failure = \"stop\"\nfonts_dir = \"hands\"\n").unwrap();
    let flags = ["serve", "--config", "longhand.toml", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"];
    let stopped = run(site.path(), &[&flags[..], &["--data-dir", "keys"]].concat());
    let told = String::from_utf8_lossy(&stopped.stderr).into_owned();
    assert_eq!(stopped.status.code(), Some(65), "{told}");
    assert!(told.contains("fonts_failure = \"stop\"") && told.contains("1002.ttf: it is no TrueType"), "{told}");
}

#[test]
fn a_batch_is_written_in_an_operators_font_here_and_by_a_server() {
    let site = tempfile::tempdir().unwrap();
    put(site.path(), 1001, 12);
    std::fs::write(site.path().join("people.csv"), "name\nAnn\nBob\n").unwrap();
    std::fs::write(site.path().join("letter.txt"), "Dear {name}").unwrap();
    let merge = |more: &[&str]| {
        let flags = ["batch", "--csv", "people.csv", "--template", "letter.txt", "--page-size", "card_a2"];
        let output = run(site.path(), &[&flags[..], &["--font-size", "60", "--seed", "1"], more].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let own = ["--font-id", "1001"];
    let (code, told) = merge(&[&own[..], &["--fonts-dir", "hands", "-o", "here/{row}.png"]].concat());
    assert_eq!(code, Some(0), "{told}");
    let server = start(site.path());
    let (address, key) = (format!("http://{}", server.address), server.key.clone());
    let remote = ["--server", &address, "--key", &key, "-o", "there/{row}.png"];
    let (code, told) = merge(&[&own[..], &remote].concat());
    assert_eq!(code, Some(0), "{told}");
    let file = |name: &str| std::fs::read(site.path().join(name)).unwrap();
    for row in ["1", "2"] {
        assert!(file(&format!("here/{row}.png")) == file(&format!("there/{row}.png")), "row {row}");
    }
    let (code, told) = merge(&["--font-id", "1002", "--fonts-dir", "hands", "-o", "none/{row}.png"]);
    assert!(code == Some(65) && told.contains("1 to 90 or 1001"), "{code:?} {told}");
    assert_eq!(server.terminate(), Some(0));
}

/// `longhand openapi` tells the schema of the ninety and the range of an operator's fonts.
#[test]
fn the_openapi_document_tells_the_range_of_an_operators_fonts() {
    let site = tempfile::tempdir().unwrap();
    let printed = run(site.path(), &["openapi"]);
    let document: Value = serde_json::from_slice(&printed.stdout).unwrap();
    let text = document.to_string();
    assert!(text.contains("1001") && text.contains("1999"), "the range is told");
    let server = {
        put(site.path(), 1001, 2);
        start(site.path())
    };
    assert!(server.exchange("GET", "/openapi.json", "").1 == document, "one document for all servers");
    assert_eq!(server.terminate(), Some(0));
}
