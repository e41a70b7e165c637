//! `longhand batch` with the files that marketers have: gaps, umlauts, exports of spreadsheet programs, trial runs.

use std::path::Path;
use std::process::{Command, Output};

use rstest::rstest;
use serde_json::{Value, json};

use super::commands::without_device;
use crate::oracle::ask;

const LETTER: &str = "Dear {name},\nthank you so much for {gift}!\n";

/// A folder with a mailing.
fn desk(people: &[u8], letter: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), people).unwrap();
    std::fs::write(folder.path().join("letter.txt"), letter).unwrap();
    folder
}

fn batch(folder: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["batch", "--csv", "people.csv", "--template", "letter.txt", "--page-size", "card_96x135"]);
    command.args(flags).current_dir(folder).env_remove("LONGHAND_KEY");
    command
}

/// What a run prints, after its exit code was compared.
fn run(mut command: Command, code: i32) -> String {
    let output: Output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

fn report(folder: &Path, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of<'a>(lines: &'a [Value], member: &str) -> Vec<&'a Value> {
    lines.iter().map(|line| &line[member]).collect()
}

/// Three hundred people. Every eleventh has no gift, and one a letter that no font has.
fn people() -> String {
    let names = ["Zoë", "Jürgen", "Ann", "Łukasz", "Søren", "José"];
    let row = |number: usize| {
        let gift = if number.is_multiple_of(11) { "" } else { "the flowers" };
        let name = if number == 50 { "\u{10D0}" } else { names[number % names.len()] };
        format!("{name},{gift}\n")
    };
    format!("name,gift\n{}", (1..=300).map(row).collect::<String>())
}

#[test]
fn a_row_that_lacks_a_value_is_an_error_and_the_summary_tells_why() {
    let desk = desk(people().as_bytes(), LETTER);
    let said = run(without_device(batch(desk.path(), &["-o", "cards/{row}.pdf", "--dry-run"])), 65);
    assert!(said.contains("272 of 300 rows can be made, 28 cannot; nothing was drawn"), "{said}");
    assert!(said.contains("rows 11, 22, 33 and 24 more: {gift} is empty"), "{said}");
    assert!(said.contains("{gift|…}") && said.contains("--allow-empty"), "{said}");
    assert!(said.contains("row 50: text: no font can write"), "{said}");
    let lines = report(desk.path(), "cards/dry-run.jsonl");
    assert_eq!(lines.len(), 300);
    assert!(lines.iter().all(|line| line["bytes"].is_null() && line["page"].is_null()), "nothing was drawn");
    assert!(lines[0]["calculated_font_size"].is_u64(), "{}", lines[0]);
    let table = std::fs::read_to_string(desk.path().join("cards/dry-run.csv")).unwrap();
    assert!(table.starts_with("\u{FEFF}row,result,file,page,font_size,seed,error,warnings\n1,laid out,cards/001.pdf,"));
    assert!(table.lines().nth(11).unwrap().starts_with("11,failed,cards/011.pdf"), "{table}");

    let said = run(without_device(batch(desk.path(), &["-o", "cards/{row}.pdf", "--dry-run", "--allow-empty"])), 65);
    assert!(said.contains("299 of 300 rows can be made, 1 cannot"), "{said}");
    std::fs::write(desk.path().join("letter.txt"), LETTER.replace("{gift}", "{gift|a kind word}")).unwrap();
    let said = run(without_device(batch(desk.path(), &["-o", "cards/{row}.pdf", "--dry-run"])), 65);
    assert!(said.contains("299 of 300 rows can be made, 1 cannot"), "{said}");
}

#[test]
fn a_default_stands_where_a_cell_is_empty() {
    let desk = desk(b"name,gift\nAnn,\nBob,your advice\n", &LETTER.replace("{gift}", "{gift|a kind word}"));
    let flags = ["--font-size", "40", "--seed", "1"];
    run(batch(desk.path(), &[&["-o", "{row}.png"][..], &flags].concat()), 0);
    for (number, gift) in [(1, "a kind word"), (2, "your advice")] {
        let name = if number == 1 { "Ann" } else { "Bob" };
        let text = LETTER.trim_end().replace("{name}", name).replace("{gift}", gift);
        let mut render = Command::new(env!("CARGO_BIN_EXE_longhand"));
        render.args(["render", &text, "--page-size", "card_96x135", "-o", "same.png"]).args(flags);
        run_in(render, desk.path());
        let read = |name: &str| std::fs::read(desk.path().join(name)).unwrap();
        assert!(read("same.png") == read(&format!("{number}.png")), "row {number} is what render makes of it");
    }
}

fn run_in(mut command: Command, folder: &Path) {
    command.current_dir(folder);
    run(command, 0);
}

#[test]
fn a_trial_of_the_first_rows_is_continued_by_the_whole_run() {
    let people = (1..=12).map(|number| format!("Ann{number},tea\n")).collect::<Vec<_>>().concat();
    let desk = desk(format!("name,gift\n{people}").as_bytes(), LETTER);
    let flags = ["-o", "{row}.png", "--font-size", "30"];
    let trial = [&flags[..], &["--limit", "3"]].concat();
    let said = run(batch(desk.path(), &trial), 0);
    assert!(said.contains("3 of 3 rows made, 0 failed"), "{said}");
    assert!(desk.path().join("03.png").exists() && !desk.path().join("04.png").exists());
    run(without_device(batch(desk.path(), &[&flags[..], &["--dry-run"]].concat())), 0);
    let said = run(batch(desk.path(), &flags), 0);
    assert!(said.contains("3 of 12 rows were done before") && said.contains("12 of 12 rows made"), "{said}");
    let said = run(batch(desk.path(), &trial), 0);
    assert!(said.contains("3 of 3 rows were done before"), "{said}");
    assert_eq!(report(desk.path(), "report.jsonl").len(), 12, "a trial forgets no row");
}

#[test]
fn all_rows_have_one_size_and_the_next_run_leaves_them() {
    let long = "every single one of the lovely flowers that you sent";
    let desk = desk(format!("name,gift\nAnn,tea\nZoë,{long}\nBob,milk\nEve,\n").as_bytes(), LETTER);
    let flags = ["-o", "{row}.png", "--same-size", "--enable-writer-variation"];
    let said = run(batch(desk.path(), &flags), 65);
    assert!(said.contains("px, which row 2 needs"), "{said}");
    let lines = report(desk.path(), "report.jsonl");
    let size = &lines[1]["calculated_font_size"];
    assert!(size.is_u64(), "{lines:?}");
    assert_eq!(of(&lines[..3], "calculated_font_size"), [size; 3]);
    let said = run(batch(desk.path(), &flags), 65);
    assert!(said.contains("3 of 4 rows were done before"), "{said}");
    let free = run(without_device(batch(desk.path(), &["-o", "{row}.png", "--dry-run"])), 65);
    assert!(free.contains("3 of 4"), "{free}");
    let own = report(desk.path(), "dry-run.jsonl");
    assert!(own[0]["calculated_font_size"].as_u64() > size.as_u64(), "alone, a short row is larger");
}

#[test]
fn one_pdf_tells_the_page_of_each_row_and_moves_none_unseen() {
    let desk = desk(b"name,gift\nAnn,tea\nBob,\nEve,milk\n", LETTER);
    std::fs::write(desk.path().join("all.pdf"), "of yesterday").unwrap();
    let said = run(batch(desk.path(), &["-o", "all.pdf"]), 65);
    assert!(said.contains("all.pdf is not written") && said.contains("of an earlier run"), "{said}");
    assert!(said.contains("row 2: {gift} is empty") && said.contains("--skip-failed"), "{said}");
    assert_eq!(std::fs::read(desk.path().join("all.pdf")).unwrap(), b"of yesterday");
    run(batch(desk.path(), &["-o", "all.pdf", "--skip-failed"]), 65);
    assert_eq!(of(&report(desk.path(), "all.report.jsonl"), "page"), [&Value::from(1), &Value::Null, &Value::from(2)]);
    let table = std::fs::read_to_string(desk.path().join("all.report.csv")).unwrap();
    assert!(table.lines().nth(3).unwrap().starts_with("3,made,all.pdf,2,"), "{table}");
    let said = run(batch(desk.path(), &["-o", "all.pdf", "--allow-empty"]), 0);
    assert!(said.contains("3 of 3 rows made"), "{said}");
    assert_eq!(of(&report(desk.path(), "all.report.jsonl"), "page"), [1, 2, 3]);
}

/// An export of a spreadsheet program.
fn export(text: &str, encoding: &str) -> Vec<u8> {
    match encoding {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "latin" => text.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect(),
        _ => text.as_bytes().to_vec(),
    }
}

#[rstest]
#[case::csv_utf_8("\u{FEFF}name;gift\r\nJörg;\"die Blumen\"\r\n", "utf-8", &[], "")]
#[case::csv("name;gift\r\nJörg;\"die Blumen\"\r\n;\r\n", "latin", &[], "read as windows-1252 (\"Jörg\")")]
#[case::csv_by_name("name;gift\r\nJörg;\"die Blumen\"\r\n", "latin", &["--encoding", "windows-1252"], "")]
#[case::unicode_text("\u{FEFF}name\tgift\r\nJörg\tdie Blumen\r\n", "utf-16le", &[], "")]
#[case::unicode_text_by_name("name\tgift\r\nJörg\tdie Blumen\r\n", "utf-16be", &["--encoding", "utf-16be", "--delimiter", "\\t"], "")]
#[case::declared("sep=;\r\nname;gift\r\nJörg;die Blumen\r\n", "utf-8", &[], "")]
#[case::tab("name\tgift\nJörg\tdie Blumen\n", "utf-8", &["--delimiter", "tab"], "")]
fn exports_of_spreadsheet_programs_are_read(
    #[case] text: &str,
    #[case] encoding: &str,
    #[case] flags: &[&str],
    #[case] told: &str,
) {
    let desk = desk(&export(text, encoding), LETTER);
    let said =
        run(without_device(batch(desk.path(), &[&["-o", "{row}-{name}-{gift}.png", "--dry-run"], flags].concat())), 0);
    assert!(said.contains(told) && (!told.is_empty() || said.lines().count() == 1), "{said}");
    assert_eq!(of(&report(desk.path(), "dry-run.jsonl"), "file"), ["1-Jörg-die Blumen.png"]);
}

#[test]
fn wrong_flags_and_columns_are_told_together() {
    let desk = desk(b"name,gift,gender,Font Size\nAnn,tea,x,30\n", LETTER);
    let said = run(without_device(batch(desk.path(), &["-o", "{row}.png", "--font-id", "Caveat"])), 65);
    assert!(said.contains("did you mean 1 (Caveat)?") && said.contains("nothing uses {Font Size}"), "{said}");
    assert_eq!(std::fs::read_dir(desk.path()).unwrap().count(), 2, "nothing was written");
}

#[test]
fn an_encoding_that_cannot_be_told_is_asked_for_by_name() {
    // Polish in windows-1250.
    let polish = b"name,gift\n\xA3ukasz,kwiaty\nMa\xB3gorzata \xAFak,\xB3\xF3d\x9F\n";
    let desk = desk(polish, LETTER);
    let flags = ["-o", "{row}-{name}.png", "--dry-run"];
    let said = run(without_device(batch(desk.path(), &flags)), 65);
    assert!(said.contains("people.csv: is not UTF-8") && said.contains("--encoding"), "{said}");
    run(without_device(batch(desk.path(), &[&flags[..], &["--encoding", "windows-1250"]].concat())), 0);
    assert_eq!(report(desk.path(), "dry-run.jsonl")[1]["file"], "2-Małgorzata Żak.png");
}

#[test]
fn a_template_in_another_encoding_is_read_and_told() {
    let desk = desk("name,gift\nAnn,Tee\n".as_bytes(), "");
    std::fs::write(desk.path().join("letter.txt"), b"Liebe {name},\nviele Gr\xFC\xDFe und {gift}!").unwrap();
    let said = run(without_device(batch(desk.path(), &["-o", "{row}.png", "--dry-run"])), 0);
    assert!(said.contains("letter.txt: read as windows-1252 (\"Grüße\")"), "{said}");
}

#[test]
fn blocks_of_two_inks_take_their_values_in_one_pdf() {
    let desk = desk(b"name,gift\nAnn,flowers\nBo,advice\n", "{gift}");
    let blocks =
        r#"[{"text": "for {name}", "x": 200, "y": 900, "width": 700, "height": 200, "text_color": [200, 0, 0]}]"#;
    for (writing, standard) in [("image", "pdf"), ("outlines", "pdfx1a")] {
        let flags = ["-o", "all.pdf", "--blocks", blocks, "--pdf-text-layer", "invisible"];
        let kind = ["--pdf-writing", writing, "--pdf-standard", standard];
        run(batch(desk.path(), &[&flags[..], &kind].concat()), 0);
        let read = ask("pdf_text.py", &json!([{"path": desk.path().join("all.pdf"), "png": null}]));
        assert_eq!(read[0]["qpdf"], "", "{read}");
        let pages: Vec<Vec<&str>> = read[0]["pdftotext"]
            .as_array()
            .unwrap()
            .iter()
            .map(|page| page.as_str().unwrap().split_whitespace().collect())
            .collect();
        assert_eq!(pages, [["flowers", "for", "Ann"], ["advice", "for", "Bo"]], "{writing}");
    }
}
