//! The objects of small files as text, so that a change to them is seen in review.
//!
//! Where a snapshot differs, the text of now is written to `target/` and the test says where; copy it over the
//! committed one if it is what was meant.

use std::path::Path;

use rstest::rstest;
use serde_json::{Value, json};

use super::files::{CREATED, encoded};

/// Strings and streams longer than this are cut.
const LONGEST: usize = 96;

/// The file as text: no cross-reference table (its offsets say nothing), streams of bytes by their length alone.
fn as_text(file: &[u8]) -> String {
    let end = file.windows(6).rposition(|six| six == b"\nxref\n").unwrap();
    let trailer = file.windows(8).rposition(|eight| eight == b"trailer\n").unwrap();
    let text = String::from_utf8_lossy(&file[..end]) + String::from_utf8_lossy(&file[trailer..]);
    let mut shown = String::new();
    let mut rest = text.as_ref();
    while let Some((before, after)) = rest.split_once("\nstream\n") {
        let (stream, after) = after.split_once("\nendstream").unwrap();
        let stream = if stream.is_ascii() { stream.to_owned() } else { "(bytes)".to_owned() };
        shown.extend([before, "\nstream\n", &stream, "\nendstream"]);
        rest = after;
    }
    shown.push_str(rest);
    let header_end = shown.find("\n\n").unwrap();
    shown.replace_range(8..header_end, "");
    shown.lines().filter(|line| !line.starts_with("startxref") && line.parse::<u64>().is_err()).map(cut).collect()
}

fn cut(line: &str) -> String {
    let characters: Vec<char> = line.trim_end().chars().collect();
    if characters.len() <= LONGEST {
        return format!("{}\n", line.trim_end());
    }
    let (start, end) = (&characters[..LONGEST / 2], &characters[characters.len() - LONGEST / 4..]);
    format!("{} … {}\n", start.iter().collect::<String>(), end.iter().collect::<String>())
}

#[rstest]
#[case::document("rgb_document", json!({"page_size": "a6", "text_color": [20, 30, 120]}))]
#[case::press("rgb_press", json!({"page_size": "card_a2", "pdf": {"profile": "press", "crop_box": "bleed"}}))]
#[case::x1a("x1a_marks", json!({"page_size": "card_96x135", "text_color": [200, 16, 46],
    "pdf": {"standard": "pdfx1a", "icc_profile": "iso_coated_v2"}}))]
#[case::lob("x1a_lob", json!({"page_size": "postcard_us", "dpi": 600, "pdf": {"preset": "lob"}}))]
fn the_objects_of_a_file_are_those_of_its_snapshot(#[case] name: &str, #[case] mut request: Value) {
    request["text"] = json!("x");
    request["output_format"] = json!("pdf");
    let text = as_text(&encoded(&request, 1, CREATED));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let committed = root.join("tests/snapshots").join(format!("pdf_{name}.txt"));
    if std::fs::read_to_string(&committed).ok().as_ref() != Some(&text) {
        let now = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pdf_{name}.txt"));
        std::fs::write(&now, &text).unwrap();
        panic!("{} is not the file of now, which is {}", committed.display(), now.display());
    }
}
