//! Links, tables and storage that mean harm, opened on the try-it page in a real browser.

use serde_json::{Map, Value, json};

use crate::studio::page::visit;

#[test]
fn what_a_link_a_table_or_the_storage_holds_is_checked_and_quoted() {
    let (seen, _server, _place, _folder) = visit("hostile_page.py");
    assert_eq!(seen["complaints"], json!([]), "nothing breaks the page");
    let said = seen["said"].as_str().unwrap();
    let left = "The link was opened without more, page_size, output_format, x $(touch pwn-name), font_id and 11 more: ";
    assert!(said.starts_with(left), "{said}");
    programs_ask_for_what_is_left(&seen["programs"], seen["taken"].as_object().unwrap());
    the_list_is_text(&seen["merged"]);
    what_is_malformed_is_told(&seen);
}

/// The programs ask for what is left of the page, and run nothing else.
fn programs_ask_for_what_is_left(programs: &Value, taken: &Map<String, Value>) {
    let [mut png, mut pdf] = [taken.clone(), taken.clone()];
    png.remove("pdf");
    pdf.insert("output_format".to_owned(), json!("pdf"));
    assert_eq!(programs["kinds"]["png"], json!([["page.png"], png]));
    assert_eq!(programs["kinds"]["pdf"], json!([[], pdf]));
    assert_eq!((&programs["python"], &programs["javascript"]), (&json!(pdf), &json!(pdf)));
    let rust = programs["rust"].as_str().unwrap();
    syn::parse_file(rust).unwrap_or_else(|error| panic!("{error}: {rust}"));
}

/// Names, columns and cells of a list are text wherever they stand.
fn the_list_is_text(merged: &Value) {
    assert_eq!(merged["name"], "--report=$(touch pwn-file) 'x'.csv, 1 row");
    assert_eq!((&merged["columns"][0], &merged["columns"][2]), (&json!("{na'me}"), &json!("{$(touch pwn-column)}")));
    assert_eq!(merged["hit"], false, "names and cells are text");
    assert_eq!(merged["file"], "report-touch-pwn-file.zip");
    let files = merged["files"].as_array().unwrap();
    assert!(files.len() == 1 && !files[0].as_str().unwrap().contains(['/', '\\']), "{files:?}");
}

/// A malformed link or storage is one sentence on the page.
fn what_is_malformed_is_told(seen: &Value) {
    let malformed = seen["malformed"].as_object().unwrap();
    assert_eq!(malformed.len(), 15);
    for (name, said) in malformed {
        let (sentence, text) = (said[0].as_str().unwrap(), said[1].as_str().unwrap());
        if name == "no look" {
            assert_eq!((sentence, text), ("", "Kept"));
        } else if name.contains("look") {
            assert!(sentence.starts_with("The link was opened without look: "), "{name}: {sentence}");
            assert_eq!(text, "Kept", "{name}");
        } else {
            assert!(sentence.starts_with("The link is damaged and was not opened."), "{name}: {sentence}");
        }
    }
    let storage = &seen["storage"];
    for name in ["list", "no JSON"] {
        assert!(storage[name].as_str().unwrap().contains("The page that this tab kept is damaged"), "{storage}");
    }
    let said = storage["look"].as_str().unwrap();
    assert!(said.contains("kept was opened without look: ") && said.contains("list that this tab kept"), "{storage}");
    assert_eq!((&storage["text"], &storage["mended"]), (&json!("Kept"), &json!("")));
    let [refused, hand] = [&seen["huge"][0], &seen["huge"][1]].map(|said| said.as_str().unwrap());
    assert!(!refused.contains("The link"), "the service says what is wrong with numbers: {refused}");
    assert!(!hand.is_empty(), "another hand can be chosen");
}
