//! `longhand fonts`: the fonts, as a table, as the API's JSON, or as a sheet of specimens.
//!
//! Input: parsed arguments, and the folders of an operator's fonts. Output: text, or a file. `check` says what is right
//! and wrong in an operator's fonts; it starts a process for each, which runs `examine` under limits of time and
//! memory. The command measures and draws nothing by itself.

mod check;
mod examine;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::operator_fonts::{FontFolders, catalogue};
use super::{Failure, atomic_file, configured, output};
use crate::catalogue::{FontCatalogue, FontRecord};
use crate::clock::Clock;
use crate::encode::OutputProfiles;
use crate::http::FontList;
use crate::pipeline::{Engine, SheetFormat};

/// The arguments of `fonts`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct FontsCommand {
    #[command(subcommand)]
    task: Option<Task>,
    /// Print JSON as GET /api/v1/fonts answers it
    #[arg(long)]
    json: bool,
    /// Write a sheet that shows every hand: .png with transparent paper, or .pdf
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    specimen: Option<PathBuf>,
    #[command(flatten)]
    folders: FontFolders,
}

#[derive(clap::Subcommand, Debug)]
enum Task {
    /// Say what is right and wrong in a font of your own, or in each of a folder
    Check(check::CheckCommand),
    /// Examine one font in this process, under limits
    #[command(hide = true)]
    Examine(examine::ExamineCommand),
}

impl FontsCommand {
    /// Prints the list, or writes the sheet.
    pub(super) fn run(self) -> Result<(), Failure> {
        match self.task {
            Some(Task::Check(check)) => return check.run(),
            Some(Task::Examine(examine)) => return examine.run(),
            None => {}
        }
        let catalogue = catalogue(&self.folders.over(configured()?))?;
        match self.specimen {
            Some(file) => write_sheet(&file, catalogue),
            None => output::print_result(self.json, &FontList::of(&catalogue), &table(&catalogue)),
        }
    }
}

fn write_sheet(file: &Path, catalogue: Arc<FontCatalogue>) -> Result<(), Failure> {
    let extension = file.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let format = match extension.as_deref() {
        Some("png") => SheetFormat::Png,
        Some("pdf") => SheetFormat::Pdf,
        _ => {
            let message = "the name of the sheet should end in .png or .pdf";
            return Err(Failure::Usage(format!("--specimen {}: {message}", file.display())));
        }
    };
    let engine = Engine::open(catalogue, OutputProfiles::load(None)?, Clock::system())?;
    let bytes = engine.specimen_sheet(format)?;
    atomic_file::write(file, &bytes)
}

fn table(catalogue: &FontCatalogue) -> String {
    let mut rows = vec![row(["ID", "NAME", "STYLE", "SLANT", "NEATNESS", "KERNS", "VARIES", "STROKES", "SCRIPTS"])];
    rows.extend(catalogue.faces().map(|face| {
        let FontRecord { id, name, style, slant, neatness, kerning, alternates, scripts, strokes, license: _ } =
            face.record();
        let (id, neatness, scripts) = (id.to_string(), neatness.to_string(), scripts.join(", "));
        row([&id, name, style, slant, &neatness, yes(*kerning), yes(*alternates), yes(*strokes), &scripts])
    }));
    rows.join("\n")
}

fn row([id, name, style, slant, neatness, kerning, alternates, strokes, scripts]: [&str; 9]) -> String {
    let hand = format!("{id:>4}  {name:<26}  {style:<9}  {slant:<8}  {neatness:<8}");
    format!("{hand}  {kerning:<5}  {alternates:<6}  {strokes:<7}  {scripts}")
}

const fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "-" }
}
