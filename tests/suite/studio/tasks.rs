//! What people do in the studio beside writing: finding hands, keeping, opening and printing pages, and looking closely.

use serde_json::{Value, json};

use crate::studio::page::visit;

#[test]
fn people_find_hands_and_keep_print_and_turn_pages() {
    let (seen, server, _place, _folder) = visit("studio_pages.py");
    assert_eq!(seen["complaints"], json!([]), "nothing goes wrong unseen");
    assert_eq!(seen["screens"], json!({"axe": [], "too_wide": [0, 0, 0, 0]}), "at three sizes and in both themes");
    hands_are_found_by_use(&seen["hands"]);
    let strokes = &seen["strokes"];
    assert_eq!(strokes["wrong"], "Dancing Script has no strokes.", "before the download");
    assert_eq!((&strokes["offered"], &strokes["mended"], &strokes["lines"]), (&json!(0), &json!(true), &json!(true)));
    pages_are_kept(&seen["kept"], &server.key);
    assert_eq!(seen["printed"], json!({"sheets": 1, "mm": [148, 210], "words": ""}), "the page alone, at its size");
    let facts = seen["facts"][0].as_str().unwrap();
    assert!(facts.contains("of bleed and crop marks, to be cut to") && facts.contains("PDF/X-1a:2001 for "), "{facts}");
    assert_eq!(seen["facts"][1], 1, "the bleed is drawn");
    let envelope = &seen["envelope"];
    assert_eq!(envelope["words"], "Ann Whitfield\nBristol", "by keyboard alone: {envelope}");
    assert_eq!(envelope["file"], "ann-whitfield-bristol.pdf");
    let letter =
        json!({"offered": "Download PDF", "signed": ["Tom Miller", "last", true], "elsewhere": 0, "link": true});
    assert_eq!(seen["letter"], letter);
    let light = &seen["light"];
    assert_eq!((&light["slip"], &light["axe"]), (&json!("rgb(60, 58, 56)"), &json!([])), "light ink is on dark slips");
    let clicks = &seen["clicks"];
    assert_eq!(
        (&clicks["selected"], &clicks["focus"]),
        (&json!("flowers"), &json!("text")),
        "a click goes to the word"
    );
    assert_eq!(clicks["turned"], json!(["Page 2 of 3", 2, "paginate", 0]), "text boxes are on the first page");
    assert_eq!((&clicks["paper_color"], &clicks["axe"]), (&json!([205, 171, 125]), &json!([])));
}

fn hands_are_found_by_use(hands: &Value) {
    assert!(hands["first"].as_str().unwrap().contains("lively"), "believable hands come first: {hands}");
    for words in ["messy", "wedding", "child", "business", "signature", "français", "43"] {
        assert!(hands[words].as_u64() >= Some(1), "{words}: {hands}");
    }
    assert!(hands["business"].as_u64() < Some(45) && hands["zz"] == 0, "a search leaves some out: {hands}");
}

fn pages_are_kept(kept: &Value, key: &str) {
    assert_eq!((&kept["name"], &kept["axe"]), (&json!("Dear Ann, thank you!"), &json!([])), "its first words");
    assert_eq!((&kept["file"], &kept["new"]), (&json!("dear-ann-thank-you.json"), &json!(["", "text"])));
    assert_eq!((&kept["opened"], &kept["dropped"]), (&kept["name"], &kept["name"]));
    assert_eq!((&kept["deleted"], &kept["back"]), (&json!([0, "Put it back"]), &json!(1)));
    assert_eq!(kept["damaged"], "damaged.json is damaged and was not opened.");
    assert!(!kept["stored"].as_str().unwrap().contains(key), "no key is kept beyond the tab");
}
