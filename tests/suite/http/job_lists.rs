//! Jobs whose rows are in a file.

use std::io::{Cursor, Write as _};

use serde_json::json;

use crate::http::jobs::Worker;

#[tokio::test]
async fn a_file_beside_the_job_is_read_as_batch_reads_it() {
    let worker = Worker::open();
    let head = json!({"request": {"text": "Dear {name}, {gift|thanks}"}, "table": {"ignore": ["age"]}});
    for (file, rows) in [
        ("list.csv", "name;gift;age\nZoë;a lamp;7\n;;\nBob;;8\n"),
        ("list.jsonl", "{\"name\":\"Zoë\",\"gift\":\"a lamp\",\"age\":7}\n\n{\"name\":\"Bob\",\"age\":8}\n"),
    ] {
        let answer = worker.send_list(&head, file, rows.as_bytes()).await;
        assert_eq!(answer.status, 202, "{answer:?}");
        let path = answer.header("location").unwrap().to_owned();
        let done = worker.is(&path, "completed").await;
        assert_eq!(done["made"], 2);
        let rows = worker.rows(&path).await;
        let last = if file == "list.csv" { 3 } else { 2 };
        assert_eq!([&rows[0]["row"], &rows[1]["row"]], [1, last], "a record that is left out keeps its number");
        let first = rows[0]["name"].as_str().unwrap().to_owned();
        let text = worker.get_unlimited(&format!("{path}/files/{first}")).await.body;
        assert!(text.starts_with("Dear Zoë, a lamp ".as_bytes()), "{text:?}");
    }
}

/// A workbook with these elements in its sheet, and these shared strings.
fn workbook(elements: &str, strings: &str) -> Vec<u8> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let relation = |number: usize, kind: &str, target: &str| {
        format!("<Relationship Id=\"r{number}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    };
    let relations = |each: String| format!("<Relationships xmlns=\"{PACKAGE}\">{each}</Relationships>");
    let sheet = "<sheets><sheet name=\"list\" sheetId=\"1\" r:id=\"r1\"/></sheets>";
    let parts = [
        ("_rels/.rels", relations(relation(1, "officeDocument", "xl/workbook.xml"))),
        ("xl/workbook.xml", format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\">{sheet}</workbook>")),
        (
            "xl/_rels/workbook.xml.rels",
            relations(relation(1, "worksheet", "sheet.xml") + &relation(2, "sharedStrings", "sharedStrings.xml")),
        ),
        ("xl/sharedStrings.xml", format!("<sst xmlns=\"{MAIN}\" {strings}</sst>")),
        ("xl/sheet.xml", format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{elements}</sheetData></worksheet>")),
    ];
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[tokio::test]
async fn a_hostile_workbook_is_refused_and_harms_nobody() {
    let worker = Worker::open();
    let head = json!({"request": {"text": "Dear {name}"}});
    let row = |reference: &str, text: &str| {
        format!("<row><c r=\"{reference}\" t=\"inlineStr\"><is><t>{text}</t></is></c></row>")
    };
    let list = row("A1", "name") + &row("A2", "Ann");
    let good = worker.send_list(&head, "list.xlsx", &workbook(&list, ">")).await;
    assert_eq!(good.status, 202, "{good:?}");
    assert_eq!(good.json()["rows"], 1);
    let shared = "<row><c r=\"A3\"><f t=\"shared\" ref=\"A3:A4\" si=\"99999999999\">1</f><v>1</v></c></row>";
    for (elements, strings) in [
        // 17 billion cells.
        (list.clone() + &row("XFD1048576", "x"), ">"),
        // 6 million cells: they can be read, but a list may have 5 million.
        (list.clone() + &row("ALM6000", "x"), ">"),
        (list.clone(), "uniqueCount=\"999999999999999\">"),
        (list.clone() + shared, ">"),
    ] {
        let answer = worker.send_list(&head, "list.xlsx", &workbook(&elements, strings)).await;
        assert_eq!(answer.status, 422, "{elements} {strings} {answer:?}");
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        let is_told = message.contains("too much memory") || message.contains("more than 5 million cells");
        assert!(message.starts_with("rows: the file ") && is_told, "{message}");
    }
}
