//! `longhand preflight`: what a page would be and what is wrong with it, without drawing it.

use std::path::PathBuf;

use super::request_input::RequestInput;
use super::{Failure, output};
use crate::clock::Clock;
use crate::http::PreflightReport;
use crate::pipeline::{Engine, FileFacts, Preflight, StageTimes};
use crate::preflight::{Finding, Severity};
use crate::spec::Representation;

/// The arguments of `preflight`.
#[derive(clap::Args, Debug)]
pub(super) struct PreflightCommand {
    /// File that render would write; where the request names no format, .pdf makes it a PDF. Nothing is written
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON as POST /api/v1/preflight answers it
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    input: RequestInput,
}

impl PreflightCommand {
    /// Prints the report. It fails if there is an error in it.
    pub(super) fn run(self) -> Result<(), Failure> {
        let (spec, catalogue, profiles) = self.input.read(self.output.as_deref())?;
        let engine = Engine::without_device(catalogue, profiles, Clock::system());
        let preflight = engine.preflight(&spec, &mut StageTimes::default())?;
        output::print_result(self.json, &PreflightReport::of(&preflight), &summary(&preflight))?;
        match preflight.findings.iter().filter(|finding| finding.severity == Severity::Error).count() {
            0 => Ok(()),
            1 => Err(Failure::Refused("preflight found an error".to_owned())),
            errors => Err(Failure::Refused(format!("preflight found {errors} errors"))),
        }
    }
}

/// The report for people: the verdict, the file, and one line for each finding.
fn summary(preflight: &Preflight) -> String {
    let against = preflight.checked_against.map(|name| format!(", checked against {name}")).unwrap_or_default();
    let mut lines = vec![format!("{}{against}", preflight.verdict.map_or("ok", Severity::name))];
    lines.extend(preflight.file.iter().map(file_line));
    lines.extend(preflight.findings.iter().map(finding_line));
    lines.join("\n")
}

fn file_line(facts: &FileFacts) -> String {
    let pages = if facts.pages.len() == 1 { "1 page".to_owned() } else { format!("{} pages", facts.pages.len()) };
    let standard = facts.condition.map(|condition| format!(" PDF/X-1a for {}", condition.name())).unwrap_or_default();
    let representation = match (facts.representation, facts.dpi) {
        (Representation::Image, Some(dpi)) => format!("image at {} DPI", dpi.get()),
        (representation, _) => representation.name().to_owned(),
    };
    let about = if facts.bytes_are_exact { "" } else { "about " };
    let least = |figures: &mut dyn Iterator<Item = f64>, unit: &str, name: &str| {
        figures.reduce(f64::min).map(|least| format!(", {name} {least:.2} {unit}")).unwrap_or_default()
    };
    let stroke = least(&mut facts.pages.iter().filter_map(|page| page.thinnest_stroke_pt), "pt", "thinnest stroke");
    let x_height = least(&mut facts.pages.iter().filter_map(|page| page.x_height_mm), "mm", "x-height");
    let kilobytes = facts.bytes.div_ceil(1000);
    format!("{pages}, {}{standard}, {representation}, {about}{kilobytes} kB{stroke}{x_height}", facts.color_space)
}

fn finding_line(finding: &Finding) -> String {
    let page = finding.page.map(|page| format!("page {page}, ")).unwrap_or_default();
    format!("{}: {}: {page}{}: {}", finding.severity.name(), finding.check, finding.field, finding.refusal())
}
