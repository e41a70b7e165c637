//! Hands of clients: pictures of a sheet that another program printed, filled and scanned.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use axum::body::Body;
use axum::http::Method;
use longhand::access::Keys;
use rstest::rstest;
use serde_json::{Value, json};

use crate::http::harness::{Answer, Settings, Site, fonts_in};
use crate::oracle::{ask, font_file};

/// A box of page 1 in which another letter is written than should be, and that letter.
pub(crate) const WRONG_BOX: ([usize; 3], &str) = ([1, 2, 3], "q");

/// Pictures of the three pages of a sheet, filled with font 13: a p is written as q, and no Q is there.
pub(crate) fn pictures() -> &'static [PathBuf; 3] {
    static PICTURES: OnceLock<(tempfile::TempDir, [PathBuf; 3])> = OnceLock::new();
    let (_, pictures) = PICTURES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let sheet = folder.path().join("sheet.pdf");
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        let printed = command.args(["hand", "sheet"]).arg(&sheet).arg("--layout").output().unwrap();
        let layout: Value = serde_json::from_slice(&printed.stdout).unwrap();
        let [page, row, column] = WRONG_BOX.0;
        let wrong = json!({ format!("{page}:{row}:{column}"): WRONG_BOX.1 });
        let job = json!({
            "file": sheet, "layout": layout, "font": font_file(13), "folder": folder.path(), "wrong": wrong,
        });
        let made: Vec<PathBuf> = serde_json::from_value(ask("filled_sheet.py", &job)["pictures"].clone()).unwrap();
        (folder, made.try_into().unwrap())
    });
    pictures
}

/// A part of a body: its name, the name of its file if it is one, and its bytes.
type Part<'a> = (&'a str, Option<&'a str>, Vec<u8>);

/// A body in parts.
async fn send(site: &Site, path: &str, parts: &[Part<'_>]) -> Answer {
    let mut body = Vec::new();
    for (name, file, bytes) in parts {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        body.extend(format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").bytes());
        body.extend(bytes);
        body.extend(b"\r\n");
    }
    body.extend(b"--B--\r\n");
    let request = site.request(Method::POST, path).header("content-type", "multipart/form-data; boundary=B");
    site.send(request.body(Body::from(body)).unwrap()).await
}

fn open() -> Site {
    Site::of(&Settings { makes_hands: true, ..Settings::default() })
}

async fn delete(site: &Site, id: u64) -> Answer {
    let request = site.request(Method::DELETE, &format!("/api/v1/hands/{id}"));
    site.send(request.body(Body::empty()).unwrap()).await
}

/// Names of files in the folder of fonts.
fn files(site: &Site) -> Vec<String> {
    let entries = std::fs::read_dir(fonts_in(site.folder.path())).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_service_makes_no_hands_unless_its_operator_allows_it() {
    let site = Site::open();
    for path in ["/api/v1/hands", "/api/v1/hands/sheet.pdf", "/api/v1/hands/1999"] {
        let said = site.get(path).await.refused(404, "NOT_FOUND");
        assert!(said["message"].as_str().unwrap().contains("hands = \"keys\""), "{said}");
    }
    for path in ["/api/v1/hands", "/api/v1/hands/read"] {
        send(&site, path, &[("pictures", Some("a.jpg"), b"x".to_vec())]).await.refused(404, "NOT_FOUND");
    }
    assert_eq!(site.get("/api/v1/usage").await.json()["makes_hands"], false);
    assert_eq!(open().get("/api/v1/usage").await.json()["makes_hands"], true);
}

#[tokio::test]
async fn the_sheet_is_a_pdf_of_the_form_that_is_asked_for() {
    let site = open();
    let whole = site.get("/api/v1/hands/sheet.pdf").await;
    assert_eq!((whole.status.as_u16(), whole.header("content-type")), (200, Some("application/pdf")));
    let quick = site.get("/api/v1/hands/sheet.pdf?quick=true&joined=true&letter=true").await;
    assert!(whole.body.starts_with(b"%PDF-") && quick.body.starts_with(b"%PDF-"));
    assert!(quick.body.len() < whole.body.len() && quick.body != whole.body);
    let refused = site.get("/api/v1/hands/sheet.pdf?paper=a4").await.refused(422, "VALIDATION_ERROR");
    assert_eq!(refused["details"][0]["field"], "paper");
}

#[rstest]
#[case::nothing(&[], "pictures")]
#[case::only_words(&[("hand", None, "{\"name\":\"Ann\"}")], "pictures")]
#[case::unknown_part(&[("photos", Some("a.jpg"), "x")], "body")]
#[case::long_name(&[("hand", None, "{\"name\":\"\"}"), ("record", None, "x")], "hand.name")]
#[case::unknown_member(&[("hand", None, "{\"nmae\":\"Ann\"}"), ("record", None, "x")], "hand.nmae")]
#[case::no_name(&[("record", None, "x")], "hand.name")]
#[case::record(&[("hand", None, "{\"name\":\"Ann\"}"), ("record", None, "x")], "record")]
#[case::picture(&[("hand", None, "{\"name\":\"Ann\"}"), ("pictures", Some("note.txt"), "x")], "pictures")]
#[case::other_hand(&[("hand", None, "{\"name\":\"Ann\",\"font_id\":1998}"), ("record", None, "x")], "hand.font_id")]
#[tokio::test]
async fn what_is_wrong_is_named_and_nothing_is_saved(
    #[case] parts: &[(&str, Option<&str>, &str)],
    #[case] field: &str,
) {
    let site = open();
    let parts: Vec<Part<'_>> =
        parts.iter().map(|(name, file, text)| (*name, *file, text.as_bytes().to_vec())).collect();
    let said = send(&site, "/api/v1/hands", &parts).await.refused(422, "VALIDATION_ERROR");
    assert_eq!(said["details"][0]["field"], field, "{said}");
    let has_file = parts.iter().any(|(_, file, _)| *file == Some("note.txt"));
    assert!(!has_file || said.to_string().contains("note.txt"), "the file is named: {said}");
    assert_eq!(files(&site), [""; 0]);
}

#[tokio::test]
async fn a_body_that_is_not_in_parts_is_refused() {
    let said = open().post("/api/v1/hands", "{}").await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    assert!(said["message"].as_str().unwrap().contains("multipart/form-data"), "{said}");
}

#[tokio::test]
async fn a_hand_is_read_kept_saved_replaced_and_deleted() {
    let site = open();
    let other = Keys::open_in(site.folder.path(), site.clock.clone()).unwrap().create("other", None).unwrap();
    let other = other.key.reveal().to_owned();
    let [one, two, three] = pictures().each_ref().map(|path| std::fs::read(path).unwrap());
    let words = |text: Value| ("hand", None, text.to_string().into_bytes());

    // One page alone is no hand, and says which is missing; a file that is no picture stands beside it.
    let parts = [("pictures", Some("one.jpg"), one.clone()), ("pictures", Some("note.txt"), b"no picture".to_vec())];
    let report = send(&site, "/api/v1/hands/read", &parts).await.json();
    assert_eq!((&report["pictures"][0]["page"], &report["pictures"][0]["refused"]), (&json!(1), &Value::Null));
    assert!(report["pictures"][1]["refused"].as_str().unwrap().contains("JPEG or PNG"), "{report}");
    assert_eq!((&report["problem"]["kind"], &report["record"]), (&json!("pictures"), &Value::Null));

    let all = [
        ("pictures", Some("3.jpg"), three),
        ("pictures", Some("1.jpg"), one),
        ("pictures", Some("2.jpg"), two),
        words(json!({"text": "Dear Ann, a quick letter"})),
    ];
    let report = send(&site, "/api/v1/hands/read", &all).await.json();
    assert_eq!(report["problem"], Value::Null, "{report}");
    let doubt = report["doubts"].as_array().unwrap().iter().find(|doubt| doubt["character"] == "p").unwrap();
    assert_eq!(json!([doubt["page"], doubt["row"], doubt["box"]]), json!(WRONG_BOX.0));
    assert_eq!((&doubt["doubts"], &doubt["kept"]), (&json!(["looks like q"]), &json!(false)));
    assert_eq!(doubt["good_copies"], 2);
    assert!(doubt["ink"].as_str().unwrap().starts_with('M'), "{doubt}");
    assert!(report["trial_svg"].as_str().unwrap().contains("<path"), "{report}");
    assert_eq!(files(&site), [""; 0], "reading keeps nothing");

    let record = report["record"].as_str().unwrap().as_bytes().to_vec();
    let keeping = words(json!({"name": "Ann's hand", "keep": [WRONG_BOX.0]}));
    let parts = [("record", None, record.clone()), keeping.clone()];
    let kept = send(&site, "/api/v1/hands/read", &parts).await.json();
    assert_eq!(kept["doubts"][0]["kept"], true, "{}", kept["doubts"]);
    let saved = send(&site, "/api/v1/hands", &parts).await;
    assert_eq!(saved.json(), json!({"font_id": 1999, "name": "Ann's hand"}));
    assert_eq!(files(&site), ["hand-1999.hand.json", "hand-1999.toml", "hand-1999.ttf"]);
    assert_eq!(site.get("/api/v1/hands").await.json(), json!({"hands": [saved.json()], "most": 5}));

    // It is the key's alone.
    let page = json!({"text": "Hi", "font_id": 1999}).to_string();
    assert_eq!(site.generate(page.clone()).await.status, 200);
    let shown = |list: Value| list["fonts"].as_array().unwrap().iter().any(|font| font["id"] == 1999);
    assert!(shown(site.get("/api/v1/fonts").await.json()));
    let own_key = site.key.clone();
    let stranger = Site { key: other, ..site };
    assert!(!shown(stranger.get("/api/v1/fonts").await.json()));
    let unknown = stranger.generate(page.replace("1999", "1998")).await.refused(422, "VALIDATION_ERROR");
    let refused = stranger.generate(page.clone()).await.refused(422, "VALIDATION_ERROR");
    let said = |body: &Value| body["details"].to_string().replace("1999", "1998");
    assert_eq!(said(&refused), said(&unknown), "as an id that there is not");
    assert_eq!(stranger.get("/api/v1/hands").await.json()["hands"], json!([]));
    stranger.get("/api/v1/hands/1999").await.refused(404, "NOT_FOUND");
    delete(&stranger, 1999).await.refused(404, "NOT_FOUND");

    // Its record mends it; another name replaces it under its id, and it goes.
    let site = Site { key: own_key, ..stranger };
    let kept = site.get("/api/v1/hands/1999").await.json();
    let record = kept["record"].as_str().unwrap().as_bytes().to_vec();
    let parts = [("record", None, record), words(json!({"name": "Mine", "font_id": 1999}))];
    let replaced = send(&site, "/api/v1/hands", &parts).await.json();
    assert_eq!(replaced, json!({"font_id": 1999, "name": "Mine"}));
    let record: Value =
        serde_json::from_str(site.get("/api/v1/hands/1999").await.json()["record"].as_str().unwrap()).unwrap();
    assert_eq!((&record["kept"], &record["id"]), (&json!([WRONG_BOX.0]), &json!(1999)), "boxes stay kept");
    assert_eq!(delete(&site, 1999).await.json()["name"], "Mine");
    assert_eq!(files(&site), [""; 0]);
    site.generate(page).await.refused(422, "VALIDATION_ERROR");
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_told() {
    let site = open();
    std::fs::remove_dir(fonts_in(site.folder.path())).unwrap();
    let parts = [("hand", None, b"{\"name\":\"Ann\"}".to_vec()), ("record", None, b"x".to_vec())];
    let answer = send(&site, "/api/v1/hands", &parts).await;
    let said = answer.refused(503, "HANDS_UNAVAILABLE");
    assert!(said["message"].as_str().unwrap().contains("fonts_dir"), "{said}");
    assert!(!said.to_string().contains("No such file"), "the cause is for the log: {said}");
    assert!(answer.header("retry-after").is_some());
}
