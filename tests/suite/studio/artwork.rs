//! What designers of cards do in the studio: artwork under the writing, a front and a back, and rules on the sheet.

use serde_json::{Value, json};

use crate::live::server::Server;
use crate::oracle::ask;

#[test]
fn designers_place_artwork_and_make_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--artwork", "keys"]);
    let shots = std::env::var_os("LONGHAND_SCREENSHOTS").map(std::path::PathBuf::from);
    let place = shots.unwrap_or_else(|| folder.path().to_owned());
    let address = format!("http://{}", server.address);
    let seen = ask("artwork_studio.py", &json!({"address": address, "key": server.key, "folder": place}));
    assert_eq!(seen["complaints"], json!([]), "nothing goes wrong unseen");
    assert_eq!(seen["screens"], json!({"axe": [], "too_wide": [0, 0, 0, 0]}), "at three sizes and in both themes");
    for part in ["placed", "bleed", "kept", "sides", "rules"] {
        assert_eq!(seen[part]["axe"], json!([]), "{part}");
    }
    pictures_are_placed(&seen["placed"]);
    pictures_are_kept(&seen["kept"]);
    assert!(seen["bleed"]["said"].as_str().unwrap().contains("of bleed"), "{seen}");
    let dropped = &seen["dropped"];
    assert!(
        dropped["middle"].as_f64().is_some_and(|middle| (62.0..65.0).contains(&middle)),
        "where it fell: {dropped}"
    );
    assert!(dropped["refused"].as_str().unwrap().starts_with("none.svg was not added. "), "{dropped}");
    both_sides_are_made(&seen["sides"]);
    let late = json!({"said": "logo.png is on the front.", "focus": "text", "pictures": [1, 0]});
    assert_eq!(seen["late"], late, "it lands where it was sent for");
    assert!(seen["mail_rules"].as_f64().is_some_and(|px| px < 1.0), "beside the zones: {}", seen["mail_rules"]);
    let rules = &seen["rules"];
    assert_eq!((&rules["pitch"], &rules["drawn"]), (&json!(84.375), &json!(0)), "on the sheet alone: {rules}");
    assert!(rules["lines"].as_u64() >= Some(20), "{rules}");
}

fn pictures_are_placed(placed: &Value) {
    assert_eq!(placed["added"], json!([["id"], ["id", "width_mm", "x_mm", "y_mm"]]), "a background and a logo");
    assert_eq!(placed["focus"], "Picture: logo.png", "keys move it at once");
    assert_eq!(placed["place"], json!([51, 25]), "in the upper middle, 25 mm wide");
    assert_eq!(placed["keyed"], json!([1, 2]), "arrow keys move by 1 mm, and size in its shape with Shift");
    assert_eq!(placed["middle"], json!(63.5), "it is held to the middle: {placed}");
    assert_eq!((&placed["shape"], &placed["exact"]), (&json!(2.0), &json!(["in", 50.8])), "in the shape of its file");
    assert_eq!((&placed["copies"], &placed["removed"]), (&json!(3), &json!(2)));
    assert_eq!(placed["order"], json!([true, false]), "the logo lies under the background");
    assert_eq!((&placed["reloaded"], &placed["listed"]), (&json!(2), &json!(["logo.png", "meadow.jpg"])));
}

fn pictures_are_kept(kept: &Value) {
    assert_eq!((&kept["names"], &kept["used"]), (&json!(["logo.png", "meadow.jpg"]), &json!(3)));
    assert_eq!(kept["asked"][0], "Delete for good?");
    assert!(kept["asked"][1].as_str().unwrap().starts_with("It is on this page."), "{kept}");
    let gone = "Picture 2, File: This picture is no longer there: add it again, or remove it.";
    assert_eq!((&kept["gone"], &kept["mended"]), (&json!([gone, 1]), &json!("")));
}

fn both_sides_are_made(sides: &Value) {
    assert_eq!((&sides["focus"], &sides["front"]), (&json!("text"), &json!(["Dear Ann, you are invited", 2])));
    assert_eq!(sides["paper"], json!(["a5", "card_5x7"]), "the paper is one for both, also where it is taken back");
    let sent = json!([["artwork", "seed", "text"], ["seed", "text"], "card_5x7"]);
    assert_eq!(sides["sent"], sent, "what both have in common stands beside the sides");
    assert_eq!((&sides["pdf"], &sides["file"]), (&json!([2, true]), &json!("dear-ann-you-are-pdfx.pdf")));
    assert_eq!(sides["png"], "dear-ann-you-are-front.png", "a PNG is of the side on the screen");
    assert_eq!(sides["reloaded"], json!(["front", "With love from all of us"]));
    assert_eq!(sides["mail"], json!(["lob_postcard_4x6_back", "lob_postcard_4x6_front"]), "a pair of mail pieces");
    let once = sides["once"].as_array().unwrap();
    assert!(once.len() == 1 && !once[0].as_str().unwrap().contains("Front"), "what both have is told once: {sides}");
    assert_eq!((&sides["led"], &sides["removed"]), (&json!("front"), &json!([false, "side-add"])));
}
