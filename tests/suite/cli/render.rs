//! `longhand render`: where its text comes from, and what its file may be called.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rstest::rstest;

const FLAGS: [&str; 5] = ["--page-size=card_96x135", "--font-size=40", "--seed=1", "-o", "page.png"];

fn render(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.arg("render").args(arguments).args(FLAGS).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(input).unwrap();
    process.wait_with_output().unwrap()
}

/// The page that a run writes, and what it says.
fn page(arguments: &[&str], input: &[u8]) -> (Vec<u8>, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("letter.txt"), "\u{FEFF}Dear Zoë,\r\n\r\nthank you!\r\n").unwrap();
    let output = render(folder.path(), arguments, input);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    (std::fs::read(folder.path().join("page.png")).unwrap(), said)
}

#[test]
fn the_text_may_come_from_the_argument_a_file_or_standard_input() {
    let text = "Dear Zoë,\n\nthank you!";
    let (expected, said) = page(&[text], b"");
    assert!(!said.contains("warning"), "{said}");
    for (arguments, input) in [
        (&["--text-file", "letter.txt"][..], ""),
        (&["--text-file", "-"], text),
        (&["-"], text),
        (&["--escapes", r"Dear Zoë,\n\nthank you!"], ""),
    ] {
        let (found, said) = page(arguments, input.as_bytes());
        assert!(found == expected, "{arguments:?}");
        assert!(!said.contains("warning"), "{said}");
    }
    let (literal, said) = page(&[r"Dear Zoë,\n\nthank you!"], b"");
    assert!(literal != expected && said.contains("warning") && said.contains("--escapes"), "{said}");
}

#[rstest]
#[case::escape(&["--escapes", r"a\x"], 64, r"\x means nothing")]
#[case::escapes_of_a_file(&["--escapes", "--text-file", "letter.txt"], 64, "--escapes")]
#[case::escapes_of_standard_input(&["--escapes", "-"], 64, "--escapes")]
#[case::text_and_file(&["text", "--text-file", "letter.txt"], 64, "--text-file")]
#[case::no_file(&["--text-file", "none.txt"], 74, "none.txt")]
#[case::no_text(&["--text-file", "-"], 65, "standard input is not UTF-8")]
#[case::picture(&["text", "--output=page.jpg"], 64, "png, pdf or svg")]
#[case::font(&["text", "--font-id=Caveat", "--output=a.png"], 65, "did you mean 1 (Caveat)?")]
#[case::color(&["text", "--text-color=#1a2b3c", "--output=a.png"], 65, "did you mean [26, 43, 60]?")]
#[case::page_size(&["text", "--page-size=4x6", "--output=a.png"], 65, "did you mean 'postcard_us'?")]
fn what_cannot_be_is_said_in_plain_words(#[case] arguments: &[&str], #[case] code: i32, #[case] said: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.arg("render").args(arguments).current_dir(folder.path()).stdin(Stdio::piped());
    if !arguments.iter().any(|argument| argument.starts_with("--output")) {
        command.args(["-o", "page.png"]);
    }
    let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
    // A run that reads nothing has ended already.
    let _ = process.stdin.take().unwrap().write_all(b"\xFF\xFE\xFF");
    let output = process.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert!(told.contains(said), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn a_format_that_is_asked_for_needs_no_extension() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["render", "text", "--output-format=png", "-o", "page.tmp"]).current_dir(folder.path());
    assert!(command.output().unwrap().status.success());
    assert!(std::fs::read(folder.path().join("page.tmp")).unwrap().starts_with(b"\x89PNG"));
}
