//! Hidden text in PDFs: what poppler and `MuPDF` find, and where, and that it changes nothing that is seen.

use std::process::Command;

use serde_json::{Value, json};

use super::files::ask_of_files;
use crate::oracle::{ask, number};
use crate::pages::rendered::{Pictures, render, with};

/// `request` as a PDF with hidden text.
fn searchable(request: &Value, pdf: &Value) -> Value {
    let pdf = with(pdf, &json!({"text_layer": "invisible"}));
    with(request, &json!({"output_format": "pdf", "pdf": pdf}))
}

/// The words of a text.
fn words(text: &Value) -> Vec<String> {
    text.as_str().unwrap().split_whitespace().map(str::to_owned).collect()
}

/// The facts about a file, and about its picture.
fn facts(request: &Value, pdf: &Value) -> Value {
    let mut pictures = Pictures::new();
    let file = pictures.add_bytes(&render(&searchable(request, pdf)).bytes);
    let png = pictures.add(request);
    ask("pdf_text.py", &json!([{"path": file, "png": png}]))[0].clone()
}

const TEXT: &str = "Dear Ångström,\nfive dozen liquor jugs & a façade (№ 7).\n\nYours, Ann";

#[test]
fn text_is_found_in_reading_order_where_it_is_written() {
    let turned = json!({"enable_word_rotation": true, "word_rotation_range": 9, "enable_writer_variation": true,
                        "enable_random_indentation": true});
    let page = json!({"text": TEXT, "font_id": 3, "page_size": "a6", "seed": 5});
    let expected: Vec<String> = TEXT.split_whitespace().map(str::to_owned).collect();
    for request in [page.clone(), with(&page, &turned)] {
        for pdf in [json!({}), json!({"writing": "outlines"}), json!({"profile": "press", "crop_box": "trim"})] {
            let facts = facts(&request, &pdf);
            assert_eq!(words(&facts["pdftotext"][0]), expected, "{facts}");
            assert_eq!(words(&facts["mupdf"][0]), expected, "{facts}");
            assert_eq!(facts["qpdf"], "", "{facts}");
            assert_eq!(facts["fonts"], json!([["AAAAAA+Glyphless", "CID TrueType", "yes", "yes", "yes"]]));
            assert!(number(&facts, "inked") > 0.99, "{facts}");
        }
    }
}

#[test]
fn text_from_right_to_left_is_found_as_it_is_read() {
    let text = "שלום לכולם\nhello שלום 123 עולם";
    let request = json!({"text": text, "font_id": 88, "page_size": "a6", "seed": 5});
    let facts = facts(&request, &json!({}));
    let marks =
        |text: &Value| text.as_str().unwrap().replace(|mark: char| ('\u{200E}'..='\u{202E}').contains(&mark), "");
    let mut expected: Vec<&str> = text.split_whitespace().collect();
    expected.sort_unstable();
    let read = marks(&facts["mupdf"][0]);
    let mut found: Vec<&str> = read.split_whitespace().collect();
    found.sort_unstable();
    assert_eq!(found, expected, "{facts}");
    // Poppler puts the space beside a number in such a line on the wrong side of it; whole words are found all the
    // same.
    let read = marks(&facts["pdftotext"][0]);
    assert!(expected.iter().all(|word| read.contains(word)), "{facts}");
    assert_eq!(marks(&facts["pdftotext"][0]).lines().next(), Some("שלום לכולם"), "{facts}");
}

#[test]
fn every_page_of_a_text_and_every_row_of_a_mailing_has_its_text() {
    let request = json!({"text": "one two three four ".repeat(40), "font_size": 120, "page_size": "a6",
                         "overflow": "paginate", "seed": 5});
    for pdf in [json!({}), json!({"writing": "outlines"})] {
        let mut pictures = Pictures::new();
        let path = pictures.add_bytes(&render(&searchable(&request, &pdf)).bytes);
        let facts = &ask("pdf_text.py", &json!([{"path": path, "png": null}]))[0];
        let pages = facts["pdftotext"].as_array().unwrap();
        assert!(pages.len() > 3 && facts["mupdf"].as_array().unwrap().len() == pages.len(), "{facts}");
        let found: Vec<String> = pages.iter().flat_map(words).collect();
        assert_eq!(found.join(" "), "one two three four ".repeat(40).trim_end());
        assert_eq!((facts["fonts"].as_array().unwrap().len(), &facts["qpdf"]), (1, &json!("")));
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("guests.csv"), "name\nAnn\nBob\n").unwrap();
    std::fs::write(folder.path().join("card.txt"), "Dear {name}").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_longhand"))
        .args(["batch", "--csv", "guests.csv", "--template", "card.txt", "--pdf-writing", "outlines", "-o", "all.pdf"])
        .args(["--page-size", "a6", "--pdf-text-layer", "invisible"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let facts = &ask("pdf_text.py", &json!([{"path": folder.path().join("all.pdf"), "png": null}]))[0];
    let found: Vec<Vec<String>> = facts["pdftotext"].as_array().unwrap().iter().map(words).collect();
    assert_eq!(found, [["Dear", "Ann"], ["Dear", "Bob"]]);
}

#[test]
fn hidden_text_keeps_the_rules_of_pdfx_and_is_warned_of_there() {
    let request = json!({"text": TEXT, "page_size": "card_96x135", "seed": 5});
    for pdf in [json!({"standard": "pdfx1a"}), json!({"preset": "lob", "writing": "outlines"})] {
        let file = render(&searchable(&request, &pdf));
        let kinds: Vec<&str> = file.warnings.iter().map(|warning| warning.kind.name()).collect();
        assert!(kinds.contains(&"hidden_text"), "{kinds:?}");
        let facts = ask_of_files(&[], [file.bytes]);
        assert_eq!(facts[0]["broken"], json!([]), "{facts}");
    }
    assert!(render(&searchable(&request, &json!({}))).warnings.is_empty());
}

#[test]
fn a_file_without_a_text_layer_has_no_text_and_one_with_it_looks_the_same() {
    let request = json!({"text": TEXT, "page_size": "a6", "seed": 5, "dpi": 300});
    let mut pictures = Pictures::new();
    let plain = pictures.add_bytes(&render(&with(&request, &json!({"output_format": "pdf"}))).bytes);
    let path = pictures.add_bytes(&render(&searchable(&request, &json!({}))).bytes);
    let facts = &ask("pdf_text.py", &json!([{"path": plain, "png": null}]))[0];
    assert_eq!((&facts["pdftotext"], &facts["fonts"]), (&json!([""]), &json!([])));
    let png = pictures.add(&request);
    let jobs = [plain, path].map(|path| json!({"path": path, "png": png, "dpi": 300, "origin": [0, 0]}));
    let answers = ask("pdf_renderers.py", &json!(jobs));
    assert_eq!(answers[0]["shown"], answers[1]["shown"]);
    assert_eq!(answers[1]["qpdf"], "");
    let again = [(); 2].map(|()| render(&searchable(&request, &json!({}))).bytes);
    assert_eq!(again[0], again[1], "the same request gives the same bytes");
}
