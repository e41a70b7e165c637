//! PDF files made in process without a device, and what the oracles say of them.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use longhand::clock::Timestamp;
use longhand::encode::{Drawing, OutputProfiles, PageColors, PageImage, PdfDocument, PdfPage, encode_pdf};
use longhand::raster::{Coverage, Strip};
use longhand::spec::{OutputFormat, RenderSpec};
use longhand::units::Px;
use serde_json::Value;

use crate::oracle::{folder, python};
use crate::pages::rendered::spec;

/// 2026-11-21T12:00:00Z.
pub(crate) const CREATED: Timestamp = Timestamp::constant(1_795_262_400, 0);

static PROFILES: LazyLock<OutputProfiles> = LazyLock::new(|| OutputProfiles::load(None).unwrap());

/// A page of the request's size with one tile of ink, every coverage once.
fn page_with_one_tile(spec: &RenderSpec) -> PageImage {
    let size = spec.page.px();
    let device = |length: Px| length.to_device(spec.dpi.scale()).get() as u32;
    let strips = vec![Strip { tile_row: 1, x: 16, width: 16, offset: 0 }];
    PageImage::of(&Coverage::new(device(size.width), device(size.height), strips, (0..=255).collect::<Vec<u8>>()))
}

/// The file of a request, with one tile of ink for its writing, on as many pages as asked.
pub(crate) fn encoded(request: &Value, pages: usize, created: Timestamp) -> Vec<u8> {
    let spec = spec(request);
    let OutputFormat::Pdf(plan) = spec.output else { panic!("no PDF: {request}") };
    let colors = PageColors::new(spec.ink, plan.colors, &PROFILES).unwrap();
    let pages = vec![PdfPage::from(Drawing::Image(page_with_one_tile(&spec))); pages];
    let title = spec.file_stem();
    encode_pdf(&PdfDocument { plan: &plan, dpi: spec.dpi, colors: &colors, title: &title, created }, &pages)
}

/// Feeds files to `pdf_facts.py`, all to one process, and returns its answer.
pub(crate) fn ask_of_files(arguments: &[&str], files: impl IntoIterator<Item = Vec<u8>>) -> Value {
    ask_oracle_of_files("pdf_facts.py", arguments, files)
}

/// Feeds files to an oracle that reads them as `pdf_facts.py` does.
pub(crate) fn ask_oracle_of_files(script: &str, arguments: &[&str], files: impl IntoIterator<Item = Vec<u8>>) -> Value {
    let mut oracle = Command::new(python())
        .arg(folder().join(script))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`make test` prepares the oracles");
    let mut input = oracle.stdin.take().unwrap();
    for file in files {
        input.write_all(&(file.len() as u64).to_be_bytes()).unwrap();
        input.write_all(&file).unwrap();
    }
    drop(input);
    let output = oracle.wait_with_output().unwrap();
    assert!(output.status.success(), "{script} failed; its message stands above");
    serde_json::from_slice(&output.stdout).unwrap()
}
