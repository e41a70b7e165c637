//! `longhand batch` with lists as other programs export them: short rows, spare columns, escapes, other encodings.

use std::path::Path;
use std::process::{Command, Output};

use rstest::rstest;
use serde_json::{Value, json};

use crate::oracle::ask;

/// What a trial run of a list and a letter says, with its report, after its exit code was compared.
fn trial(list: &[u8], letter: &str, flags: &[&str], code: i32) -> (String, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), list).unwrap();
    std::fs::write(folder.path().join("letter.txt"), letter).unwrap();
    let output = batch(folder.path(), flags);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{said}");
    let report = std::fs::read_to_string(folder.path().join("dry-run.jsonl")).unwrap_or_default();
    (said, report.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

fn batch(folder: &Path, flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["batch", "--csv", "people.csv", "--template", "letter.txt", "--page-size", "a6", "--dry-run"]);
    let names: &[&str] = if flags.contains(&"-o") { &[] } else { &["-o", "{row}.png"] };
    command.args(names).args(flags).current_dir(folder).env_remove("LONGHAND_KEY").output().unwrap()
}

const LETTER: &str = "Dear {name},\nthank you for {gift}!\n";

#[rstest]
#[case::short_rows("name,gift,a,b\nAnn,tea,x,y\nBob,milk\n", "1 row has fewer cells than the header, first row 2")]
#[case::trailing_delimiters("name;gift;;\nAnn;tea;;\nBob;milk;;\n", "2 of 2 rows can be made")]
#[case::delimiters_after_records("name;gift\nAnn;tea;\nBob;milk;\n", "2 of 2 rows can be made")]
#[case::row_numbers(",name,gift\n0,Ann,tea\n1,Bob,milk\n", "column 1 has no name; nothing uses it")]
#[case::unused_columns(
    "id,name,email,phone,gift,city,country\n1,Ann,a,1,tea,Erie,US\n2,Bob,b,2,milk,Erie,US\n",
    "nothing uses the columns id, email, phone, city, country"
)]
#[case::backslash("\"name\",\"gift\"\n\"Ann \\\"A\\\" Ray\",\"tea\"\n\"Bob\",\"milk\"\n", "a backslash escapes")]
fn lists_as_programs_export_them_are_read(#[case] list: &str, #[case] told: &str) {
    let (said, report) = trial(list.as_bytes(), LETTER, &[], 0);
    assert!(said.contains(told), "{said}");
    assert_eq!(report.len(), 2, "{said}");
}

#[rstest]
#[case::open("name,gift\nAnn,\"tea\nBob,milk\nCy,rice\n", "line 2: the quote that opens cell 2 is not closed")]
#[case::closed_later("name,gift\nAnn,\"tea\nBob,milk\"\nCy,rice\n", "line 3 in it reads as a record")]
#[case::closed_by_another("name,gift\nAnn,\"tea\nBob,\"milk\"\n", "line 2: text follows the closing quote of cell 2")]
#[case::no_name("name,gift,\nMarsh, E.,tea\n", "column 3 has no name, but line 2 has \"tea\" there")]
#[case::field("name,gift,Font-Size\nAnn,tea,30\n", "named like the field font_size")]
fn lists_that_would_lose_something_are_refused_with_the_place(#[case] list: &str, #[case] said: &str) {
    let (all, report) = trial(list.as_bytes(), LETTER, &[], 65);
    assert!(all.contains("people.csv: ") && all.contains(said), "{all}");
    assert!(report.is_empty(), "{report:?}");
}

#[test]
fn a_row_that_lacks_or_shifts_cells_is_an_error_and_others_are_made() {
    let (said, report) = trial(b"name,gift\nAnn\nMarsh, E.,tea\nBob,milk\n", LETTER, &[], 65);
    assert!(said.contains("row 1: {gift} is empty"), "{said}");
    assert!(said.contains("row 2: line 3: has 3 cells where the header has 2; quote a cell"), "{said}");
    assert_eq!(report.iter().filter(|line| line["error"].is_null()).count(), 1);
}

#[test]
fn single_quotes_that_tear_a_cell_are_told() {
    let (said, report) = trial(b"name,gift\n'Ann','the lamp, red'\n'Bob','the book'\n", LETTER, &[], 65);
    assert!(
        said.contains("row 1: line 2: has 3 cells") && said.contains("is in single quotes; a CSV file has"),
        "{said}"
    );
    assert!(said.contains("warning suspicious_value in 1 row, first in row 2: {gift} is 'the book'"), "{said}");
    assert_eq!(report.len(), 2, "{report:?}");
}

#[rstest]
#[case::french(b"name,gift\nH\xE9l\xE8ne,tea\n", "windows-1250 (\"Hélčne\") or windows-1252 (\"Hélène\")")]
#[case::hungarian(b"name,gift\nBerta,Gy\xF5r\n", "windows-1252 (\"Gy\u{F5}r\"), windows-1250 (\"Győr\")")]
#[case::turkish(b"name,gift\nAy\xFEe,tea\n", "windows-1254 (\"Ayşe\")")]
#[case::mac(b"name,gift\nGarc\x92a,tea\n", "macintosh (\"García\")")]
#[case::dos(b"name,gift\nM\x81ller,tea\n", "cp850 (\"Müller\")")]
#[case::french_of_unix(b"name,gift\nC\xBDur \xC9lise,No\xEBl\n", "iso-8859-15 (\"Cœur Élise")]
fn an_uncertain_encoding_is_asked_for_with_its_readings(#[case] list: &[u8], #[case] reading: &str) {
    let (said, report) = trial(list, LETTER, &[], 65);
    assert!(said.contains("people.csv: is not UTF-8") && said.contains(reading), "{said}");
    assert!(said.contains("--encoding") && report.is_empty(), "{said}");
}

#[rstest]
#[case::error_of_a_formula("Ann,#N/A", LETTER, "suspicious_value", "{gift} is \"#N/A\"")]
#[case::null("Ann,NULL", LETTER, "suspicious_value", "{gift} is \"NULL\"")]
#[case::entity("Ann,Tom &amp; Bob", LETTER, "suspicious_value", "\"&amp;\" literally")]
#[case::tag("Ann,one<br>two", LETTER, "suspicious_value", "\"<br>\" literally")]
#[case::escape("Ann,one\\nTwo", LETTER, "suspicious_value", "\"\\n\" literally")]
#[case::lost("M?ller,tea", LETTER, "suspicious_value", "{name} is \"M?ller\"")]
#[case::misread("ZoÃ«,tea", LETTER, "suspicious_value", "\"Ã«\" literally")]
#[case::shortened("4.47911E+11,tea", LETTER, "suspicious_value", "{name} is \"4.47911E+11\"")]
#[case::midnight("Ann,2026-11-27 00:00:00", LETTER, "suspicious_value", "{gift} is \"2026-11-27 00:00:00\"")]
#[case::formula("Ann,=SUM(A1)", LETTER, "suspicious_value", "{gift} is \"=SUM(A1)\"")]
#[case::of_pandas("Ann,2134.0", LETTER, "suspicious_value", "{gift} is \"2134.0\"")]
#[case::percent_escape("Ann%20Lee,tea", LETTER, "suspicious_value", "\"%20\" literally")]
#[case::single_quotes("'Ann',tea", LETTER, "suspicious_value", "{name} is 'Ann', and its single quotes would be")]
#[case::placeholder("Ann,tea", "{name} {gift} [Name]", "literal_placeholder", "\"[Name]\" literally")]
#[case::dollar("Ann,tea", "${name} {gift}", "literal_placeholder", "\"${name}\"")]
fn what_was_hardly_meant_is_a_warning_of_its_rows(
    #[case] row: &str,
    #[case] letter: &str,
    #[case] kind: &str,
    #[case] message: &str,
) {
    let (said, report) = trial(format!("name,gift\n{row}\n").as_bytes(), letter, &[], 0);
    assert!(said.contains(&format!("warning {kind} in 1 row, first in row 1")) && said.contains(message), "{said}");
    assert_eq!(report[0]["warnings"][0]["type"], kind, "{report:?}");
}

/// Lists of which other programs make every letter wrong, and texts that people write.
#[rstest]
#[case::mailchimp("Dear *|FNAME|*, {name} {gift}", true)]
#[case::word("Liebe «Vorname», {name} {gift}", true)]
#[case::mustache("Dear {{{{first_name}}}}, {name} {gift}", true)]
#[case::hubspot("Dear {{{{ contact.firstname }}}}, {name} {gift}", true)]
#[case::percent("Dear %FIRSTNAME%, {name} {gift}", true)]
#[case::brackets("Dear [Name], {name} {gift}", true)]
#[case::chevrons("Dear <<Name>>, {name} {gift}", true)]
#[case::libreoffice("Dear <Name>, {name} {gift}", true)]
#[case::handlebars("Dear {{{{{{ content }}}}}}, {name} {gift}", true)]
#[case::part_of_a_name("Dear [MERGE_FIRST_NAME], {name} {gift}", true)]
#[case::sendgrid("Dear -name-, {name} {gift}", true)]
#[case::notify("Dear ((first name)), {name} {gift}", true)]
#[case::printf("Dear %1$s, {name} {gift}", true)]
#[case::share("It is 100 %s -nothing- ((so)), {name} {gift}", false)]
#[case::price("$5 {{each}}, {name} {gift}", false)]
#[case::path("C:\\new {name} {gift}", false)]
#[case::quotes("«{gift}» [sic] {name} 100 % of 5 %", false)]
#[case::signs("{name} <3 {gift} :-\\ What??", false)]
fn placeholders_of_other_programs_are_told_and_other_signs_are_not(#[case] letter: &str, #[case] is_told: bool) {
    let (said, _) = trial(b"name,gift\nAnn,tea\n", letter, &[], 0);
    assert_eq!(said.contains("warning literal_placeholder in 1 row"), is_told, "{said}");
    assert_eq!(said.contains("warning "), is_told, "{said}");
}

#[test]
fn the_first_visible_sheet_of_a_workbook_is_read() {
    let folder = tempfile::tempdir().unwrap();
    ask("workbook.py", &json!({"file": folder.path().join("people.csv")}));
    std::fs::write(folder.path().join("letter.txt"), LETTER).unwrap();
    let output = batch(folder.path(), &["-o", "{row} {whole} {when} {sum} {paid}.png"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("read the sheet people only; others are more"), "{said}");
    assert!(said.contains("row 3 is hidden, and is read as well"), "{said}");
    assert!(said.contains("without their format, such as 2026-12-24"), "{said}");
    let report = std::fs::read_to_string(folder.path().join("dry-run.jsonl")).unwrap_or_else(|_| panic!("{said}"));
    for file in ["1 Zoë Marsh 2026-12-24 12.5 TRUE.png", "2 Łukasz Kowal 2026-12-25 1501 FALSE.png"] {
        assert!(report.contains(file), "{report}");
    }
}

#[test]
fn an_address_line_without_content_leaves() {
    let list = b"name,street,extra,city\nAnn,1 Elm St,,Erie\n";
    let flags = ["--generation-type", "address", "--font-size", "40"];
    let (said, _) = trial(list, "{name}\n{street}\n{extra|}\n{city}\n{name}\n{city}\n", &flags, 65);
    assert!(said.contains("text:"), "six lines are too many where none is empty: {said}");
    let (said, _) = trial(list, "{name}\n{street}\n{extra|}\n{city}\n", &flags, 0);
    assert!(said.contains("1 of 1 rows can be made"), "{said}");
}

#[test]
fn requests_of_the_user_give_the_same_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let request = "{\"text\":\"Dear Ann,\\\\n\\\\nThank you\",\"page_size\":\"a6\"}\n{\"text\":\"Dear Ann\"}\n";
    std::fs::write(folder.path().join("jobs.jsonl"), request).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["batch", "--requests", "jobs.jsonl", "--dry-run", "-o", "{row}.png"]).current_dir(folder.path());
    let output = command.env_remove("LONGHAND_KEY").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("warning suspicious_value in 1 row, first in row 1: text: it says \"\\n\""), "{said}");
}
