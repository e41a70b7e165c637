//! The readings of a table whose encoding is not known: the studio lists those of the command line.

use std::process::Command;

use axum::body::Body;
use axum::http::{Method, Request};
use rstest::rstest;
use serde_json::{Value, json};

use crate::http::harness::Site;

const PATH: &str = "/page/readings";

/// The cells with letters beyond ASCII as the studio sends them: text whose characters are bytes.
fn cells(list: &[u8]) -> Vec<String> {
    let cells = list.split(|byte| matches!(byte, b',' | b';' | b'\n')).filter(|cell| !cell.is_ascii());
    cells.map(|cell| cell.iter().copied().map(char::from).collect()).collect()
}

/// What the command line says of a list.
fn said(list: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), list).unwrap();
    std::fs::write(folder.path().join("letter.txt"), "Dear {name}").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["batch", "--csv", "people.csv", "--template", "letter.txt", "--dry-run", "-o", "{row}.png"]);
    let output = command.current_dir(folder.path()).env_remove("LONGHAND_KEY").output().unwrap();
    assert_eq!(output.status.code(), Some(65));
    String::from_utf8(output.stderr).unwrap()
}

#[rstest]
#[case::latin_2(b"name;city\nMia Or\xB9uli\xE6;Dubrovnik\n", "iso-8859-2 (\"Mia Oršulić\")")]
#[case::polish_latin_2(b"name\n\xA3\xF3d\xBC\n", "\"Łódź\"")]
#[case::thai(b"name\n\xCA\xC1\xAA\xD2\xC2 \xE3\xA8\xB4\xD5\n", "windows-874 (\"สมชาย ใจดี\")")]
#[case::dos(b"name;city\nJ\x81rgen Wei\xE1;K\x94ln\n", "cp850 (\"Jürgen Weiß")]
#[case::central_dos(b"name\n\xE6tef\xA0nia Bondrov\xA0\n", "cp852 (\"Štefánia Bondrová\")")]
#[case::latin_9(b"name;city\nC\xBDur \xC9lise;No\xEBl\n", "iso-8859-15 (\"Cœur Élise\")")]
#[case::hungarian(b"name;city\nBerta;Gy\xF5r\n", "windows-1250 (\"Győr\")")]
#[case::japanese(b"name\n\x8ER\x93c\n", "shift_jis (\"山田\")")]
#[case::russian(b"name\n\xC8\xE2\xE0\xED \xCF\xE5\xF2\xF0\xEE\xE2\n", "windows-1251 (\"Иван Петров\")")]
#[case::mac(b"name\nM\x9Fller\n", "macintosh (\"Müller\")")]
#[tokio::test]
async fn the_studio_lists_the_readings_of_the_command_line(#[case] list: &[u8], #[case] right: &str) {
    let answer = Site::open().post(PATH, json!({"cells": cells(list)}).to_string()).await;
    assert_eq!(answer.status, 200);
    let answer = answer.json();
    let readings = answer["readings"].as_array().unwrap();
    let text = |reading: &Value, member: &str| reading[member].as_str().unwrap().to_owned();
    let listed =
        readings.iter().map(|reading| format!("{} (\"{}\")", text(reading, "encoding"), text(reading, "sample")));
    let listed = listed.collect::<Vec<_>>().join(", ");
    assert!(listed.contains(right), "{listed}");
    let said = said(list).replace("\") or ", "\"), ");
    assert!(said.contains(&format!("it may be {listed}; name the right one")), "{listed}: {said}");
    assert!(readings.iter().all(|reading| reading["cells"].as_array().unwrap().len() == cells(list).len()), "{answer}");
}

#[tokio::test]
async fn cells_are_read_in_the_encoding_that_was_chosen() {
    let site = Site::open();
    let ask = async |body: Value| site.post(PATH, body.to_string()).await;
    let answer = ask(json!({"cells": ["Wei\u{E1}", "K\u{94}ln"], "encoding": "cp850"})).await.json();
    assert_eq!(answer["readings"][0]["cells"], json!(["Weiß", "Köln"]));
    let answer = ask(json!({"cells": ["\u{82}\u{FF}"], "encoding": "shift_jis"})).await.json();
    assert_eq!(answer["readings"], json!([]), "no text of this encoding");
    for body in [json!({"cells": ["Győr"]}), json!({"cells": ["a"], "encoding": "cp9"}), json!({}), json!([1])] {
        ask(body).await.refused(400, "INVALID_REQUEST");
    }
}

#[tokio::test]
async fn readings_need_a_key_and_count_toward_a_limit() {
    let site = Site::open();
    let request = Request::post(PATH).header("content-type", "application/json").body(Body::from("{\"cells\":[]}"));
    site.send(request.unwrap()).await.refused(401, "INVALID_API_KEY");
    let request = site.request(Method::POST, PATH).header("content-type", "application/json");
    let answer = site.send(request.body(Body::from("{\"cells\":[]}")).unwrap()).await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("x-ratelimit-remaining").is_some());
}
