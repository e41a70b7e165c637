//! A hand of one's own, made in the studio of pictures that another program printed, filled and scanned.

use serde_json::json;

use crate::http::hands::pictures;
use crate::live::server::Server;
use crate::oracle::ask;

#[test]
fn a_hand_is_made_in_the_studio_by_the_keyboard_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("fonts")).unwrap();
    let server = Server::start_with(folder.path(), &["--hands", "keys", "--fonts-dir", "fonts"]);
    let shots = std::env::var_os("LONGHAND_SCREENSHOTS").map(std::path::PathBuf::from);
    let place = shots.unwrap_or_else(|| folder.path().to_owned());
    let address = format!("http://{}", server.address);
    let job = json!({"address": address, "key": server.key, "folder": place, "pictures": pictures()});
    let seen = ask("own_hand_page.py", &job);
    for name in ["axe", "complaints", "dark_axe", "phone_axe", "dark_doubts_axe", "phone_doubts_axe"] {
        assert_eq!(seen[name], json!([]), "{name}");
    }
    for name in ["dark", "phone"] {
        assert_eq!((&seen[format!("{name}_complaints")], &seen[format!("{name}_too_wide")]), (&json!([]), &json!(0)));
    }
    let text = |name: &str| seen[name].as_str().unwrap_or_default().to_owned();
    assert_eq!((text("sheet").as_str(), text("problem").as_str()), ("%PDF-", ""));
    assert!(text("without_lines").contains("page 3 is missing"), "{seen}");
    let listed: Vec<bool> =
        ["page 2: read", "page 1: read"].iter().map(|page| seen["pictures"].to_string().contains(page)).collect();
    assert_eq!(listed, [true, true], "{}", seen["pictures"]);
    let doubts = seen["doubts"].as_array().unwrap();
    assert!(doubts.iter().any(|doubt| doubt.as_str().unwrap().starts_with("p looks like q")), "{doubts:?}");
    assert_eq!(seen["ink"], doubts.len());
    assert_eq!(seen["kept"][0], "true");
    assert!(seen["kept"][1].as_str().unwrap().starts_with("Use it: p"), "the focus stays: {seen}");
    assert!(text("chosen").starts_with("Ann's hand"), "{seen}");
    assert_eq!(seen["mended"], json!(["Ann's hand", "true"]));
    assert!(seen["saved"][0].as_str().unwrap().contains("1999"), "{seen}");
    assert_eq!((&seen["asked"], &seen["left"]), (&json!("Delete for good?"), &json!(0)));
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(!log.contains("page1.jpg"), "no picture is logged: {log}");
    let left: Vec<_> = std::fs::read_dir(folder.path().join("fonts")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
