//! Reads the pictures of a request, in the process that has limits, and writes a trial of the hand.

use std::io::{BufRead, Write};
use std::sync::Arc;

use serde_json::json;

use super::message::{HandInput, HandOrder, HandOutput};
use super::report::{HandReport, PictureReport, Problem, ProblemKind};
use crate::catalogue::{CatalogueError, FontCatalogue};
use crate::clock::Clock;
use crate::encode::OutputProfiles;
use crate::own_fonts::unsaved_font;
use crate::own_hand::{HandFiles, HandRecord, HandRequest, pictures_in, read_hand};
use crate::pipeline::{Engine, StageTimes};
use crate::spec::{Endpoint, parse_value_for};

/// Margins of a trial, in px at 300 DPI.
const TRIAL_MARGIN: u16 = 75;

/// Reads a [`HandInput`] from `source`, and writes what was read in it to `target`. For the process with limits.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn read_from(source: &mut impl BufRead, target: &mut impl Write) -> std::io::Result<()> {
    let input = HandInput::from_reader(source)?;
    read(input).map_err(std::io::Error::other)?.write_to(target)
}

/// Reads what is in an input.
///
/// # Errors
/// The fonts of the program cannot be loaded, which is a defect of it.
fn read(input: HandInput) -> Result<HandOutput, CatalogueError> {
    let HandInput { order, files, record } = input;
    let earlier = record.map(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
    let mut earlier = match earlier.map(|text| HandRecord::read(&text?)).transpose() {
        Ok(earlier) => earlier,
        Err(error) => return Ok(without_hand(Vec::new(), Problem::new(ProblemKind::Record, error))),
    };
    let (mut pictures, mut refused) = (Vec::new(), Vec::new());
    for (name, file) in files {
        match pictures_in(&name, file) {
            Ok(found) => pictures.extend(found),
            Err(error) => refused.push(PictureReport::refused(&name, error.to_string())),
        }
    }
    let catalogue = FontCatalogue::load()?;
    let HandOrder { name, id, keep, text } = order;
    if let (Some(earlier), Some(_)) = (&mut earlier, &keep) {
        earlier.kept.clear();
    }
    let request = HandRequest { pictures: &pictures, name, id, keep: keep.unwrap_or_default(), earlier };
    let reading = read_hand(request, &catalogue);
    let names: Vec<String> = pictures.into_iter().map(|(name, _)| name).collect();
    let mut report = HandReport::of(&names, &reading);
    if !refused.is_empty() {
        report.problem.get_or_insert_with(|| {
            Problem::new(ProblemKind::Pictures, "a file has no pictures that can be read; leave it out".to_owned())
        });
        report.pictures.extend(refused);
        report.figures = None;
    }
    let (Ok(HandFiles { font, description }), None) = (&reading.outcome, &report.problem) else {
        return Ok(HandOutput { report: json(&report), ..HandOutput::default() });
    };
    let record = match reading.record.to_json() {
        Ok(record) => record,
        Err(error) => return Ok(without_hand(report.pictures, Problem::new(ProblemKind::Font, error))),
    };
    match trial(&catalogue, font, description, &text) {
        Ok(Ok(svg)) => report.trial_svg = Some(svg),
        Ok(Err(reason)) => report.trial_problem = Some(reason),
        Err(reason) => {
            let message = format!("the font that was made cannot be used: {reason}");
            return Ok(without_hand(report.pictures, Problem::new(ProblemKind::Font, message)));
        }
    }
    report.record = Some(record.clone());
    Ok(HandOutput {
        report: json(&report),
        font: font.clone(),
        description: description.clone().into_bytes(),
        record: record.into_bytes(),
    })
}

fn json(report: &HandReport) -> Vec<u8> {
    // Plain values always serialise.
    serde_json::to_vec(report).unwrap_or_default()
}

fn without_hand(pictures: Vec<PictureReport>, problem: Problem) -> HandOutput {
    let report = HandReport {
        pictures,
        problem: Some(problem),
        doubts: Vec::new(),
        refused_lines: Vec::new(),
        figures: None,
        trial_svg: None,
        trial_problem: None,
        record: None,
    };
    HandOutput { report: json(&report), ..HandOutput::default() }
}

/// A letter in a font that is not saved, as an SVG, or why these words have none.
///
/// # Errors
/// The service could not use the font.
fn trial(
    bundled: &FontCatalogue,
    font: &[u8],
    description: &str,
    text: &str,
) -> Result<Result<String, String>, String> {
    let face = unsaved_font(description, font.to_vec())?;
    let id = face.id().get();
    let catalogue = Arc::new(bundled.with_operator_fonts([Arc::new(face)]));
    let request = json!({
        "text": text, "font_id": id, "preset": "letter", "page_size": "card_5x7", "orientation": "landscape",
        "margin_left": TRIAL_MARGIN, "margin_right": TRIAL_MARGIN, "margin_top": TRIAL_MARGIN, "margin_bottom": TRIAL_MARGIN,
        "overflow": "shrink", "output_format": "svg", "seed": 1,
    });
    let spec = match parse_value_for(&catalogue.names_of(|_| true), &request, Endpoint::Generate, || 1) {
        Ok(spec) => spec,
        Err(violations) => return Ok(Err(violations.to_string())),
    };
    let profiles = OutputProfiles::load(None).map_err(|error| error.to_string())?;
    let engine = Engine::without_device(catalogue, profiles, Clock::system());
    let page = engine.generate(&spec, &mut StageTimes::default()).map_err(|error| error.to_string());
    Ok(page.map(|page| String::from_utf8_lossy(&page.bytes).into_owned()))
}
