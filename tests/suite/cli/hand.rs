//! `longhand hand`: the sheet as another program draws it, and what is refused.

use rstest::rstest;
use serde_json::{Value, json};

use super::commands::longhand;
use crate::http::hands::pictures;
use crate::oracle::{ask, number};

#[rstest]
#[case::whole(&[], [210.0, 297.0], 3, 312 + 12)]
#[case::joined_and_quick_on_letter(&["--joined", "--quick", "--letter"], [215.9, 279.4], 2, 156 + 12)]
fn a_sheet_is_printed_where_its_layout_says(
    #[case] options: &[&str],
    #[case] paper: [f64; 2],
    #[case] pages: u32,
    #[case] places: u32,
) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&["hand", "sheet", "sheet.pdf", "--layout"], options].concat();
    let output = longhand(folder.path(), &arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let layout: Value = serde_json::from_slice(&output.stdout).unwrap();
    let file = folder.path().join("sheet.pdf");
    let size = std::fs::metadata(&file).unwrap().len();
    assert!(size < 300_000 * u64::from(pages), "{size}");
    let facts = ask("sheet_print.py", &json!({ "file": file, "layout": layout }));
    let of_paper: Vec<f64> = facts["paper"].as_array().unwrap().iter().map(|side| side.as_f64().unwrap()).collect();
    assert!(of_paper.iter().zip(paper).all(|(found, side)| (found - side).abs() < 0.1), "{facts}");
    let expected =
        [("pages", pages), ("dots", 182 * pages), ("marks", 4 * pages), ("baselines", places), ("characters", 0)];
    for (name, count) in expected {
        assert!((number(&facts, name) - f64::from(count)).abs() < 0.5, "{name}: {facts}");
    }
}

#[test]
fn the_same_sheet_has_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one.pdf", "two.pdf"] {
        assert!(longhand(folder.path(), &["hand", "sheet", name]).status().unwrap().success());
    }
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("one.pdf") == read("two.pdf"));
}

#[rstest]
#[case::no_sheet(&["hand", "sheet"], 64, "FILE")]
#[case::no_picture(&["hand", "make", "-o", "x", "--name", "A", "--id", "1001"], 64, "PICTURE")]
#[case::number(&["hand", "make", "a.txt", "-o", "x", "--name", "A", "--id", "7"], 64, "1001..=1999")]
#[case::box_number(&["hand", "make", "a.txt", "-o", "x", "--name", "A", "--id", "1001", "--keep", "1:2"], 64, "1:3:6")]
#[case::name(&["hand", "make", "a.txt", "-o", "x", "--name", " ", "--id", "1001"], 64, "--name")]
#[case::missing_file(&["hand", "make", "b.jpg", "-o", "x", "--name", "A", "--id", "1001"], 74, "b.jpg")]
#[case::no_picture_file(&["hand", "make", "a.txt", "-o", "x", "--name", "A", "--id", "1001"], 65, "a.txt: it is no JPEG or PNG")]
#[case::no_picture_in_pdf(&["hand", "make", "b.pdf", "-o", "x", "--name", "A", "--id", "1001"], 65, "b.pdf: it is a PDF without a picture")]
#[case::no_record(&["hand", "make", "--mend", "a.txt", "-o", "x"], 65, "a.txt: it is no record of a hand")]
fn what_is_wrong_is_told(#[case] arguments: &[&str], #[case] code: i32, #[case] told: &str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.txt"), "no picture").unwrap();
    std::fs::write(folder.path().join("b.pdf"), "%PDF-1.7").unwrap();
    let output = longhand(folder.path(), arguments).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(message.contains(told), "{message}");
    assert!(!folder.path().join("x").exists(), "a hand was written");
}

#[test]
fn a_service_that_makes_hands_needs_a_folder_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let output = longhand(folder.path(), &["serve", "--hands", "keys", "--listen", "127.0.0.1:0"]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(64), "{message}");
    assert!(message.contains("fonts_dir (--fonts-dir)"), "{message}");
}

#[test]
fn a_scan_in_black_and_white_is_read_from_a_pdf_of_another_program() {
    let folder = tempfile::tempdir().unwrap();
    // Pillow writes a picture of two levels as a fax of group 4.
    let file = folder.path().join("scan.pdf");
    ask("fax_pdf.py", &json!({ "picture": pictures()[0], "file": file }));
    let written = std::fs::read(&file).unwrap();
    assert!(written.windows(14).any(|part| part == b"CCITTFaxDecode"));
    let arguments = ["hand", "make", "scan.pdf", "-o", "x", "--name", "A", "--id", "1001"];
    let output = longhand(folder.path(), &arguments).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(65), "{message}");
    assert!(message.contains("page 3 is missing"), "page 1 was read: {message}");
}
