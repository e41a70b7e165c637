//! `longhand fonts`: the fonts, or those that write a language, as a table or as the API's JSON; or as a sheet of
//! specimens.
//!
//! Input: parsed arguments, and the folders of an operator's fonts. Output: text, or a file. `check` says what is right
//! and wrong in an operator's fonts; it starts a process for each, which runs `examine` under limits of time and
//! memory. The command measures and draws nothing by itself.

mod check;
mod examine;

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::operator_fonts::{FontFolders, catalogue};
use super::{Failure, atomic_file, configured, output};
use crate::catalogue::{FontCatalogue, FontFace, FontRecord};
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
    /// List the fonts that write at least 90 % of the words of this language, the most words first: en, ja, vi …
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "specimen")]
    language: Option<String>,
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
        if let Some(file) = self.specimen {
            return write_sheet(&file, catalogue);
        }
        let language = self.language.map(|language| primary(&language));
        let faces = listed(&catalogue, language.as_deref())?;
        let text = table(&faces, language.as_deref());
        output::print_result(self.json, &FontList::of_faces(faces), &text)
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

/// The language of a tag such as `pt-BR`.
fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_lowercase()
}

/// All fonts, lively ones first, or those that write a language, the one that writes the most words first.
fn listed<'a>(catalogue: &'a FontCatalogue, language: Option<&str>) -> Result<Vec<&'a FontFace>, Failure> {
    let mut faces: Vec<&FontFace> = catalogue.listed().collect();
    let Some(language) = language else { return Ok(faces) };
    let share = |face: &&FontFace| face.record().languages.percent(language);
    faces.retain(|face| share(face).is_some());
    faces.sort_by(|one, other| share(other).partial_cmp(&share(one)).unwrap_or(Ordering::Equal));
    if faces.is_empty() {
        let known: BTreeSet<&str> =
            catalogue.faces().flat_map(|face| face.record().languages.all()).map(|(language, _)| language).collect();
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(Failure::Usage(format!(
            "--language {language}: no hand is known to write 90 % of its words; the hands write {known}"
        )));
    }
    Ok(faces)
}

fn table(faces: &[&FontFace], language: Option<&str>) -> String {
    let last = if language.is_some() { "WORDS" } else { "SCRIPTS" };
    let mut rows =
        vec![row(["ID", "NAME", "STYLE", "SLANT", "NEATNESS", "LIVELY", "KERNS", "VARIES", "STROKES", last])];
    rows.extend(faces.iter().map(|face| {
        let FontRecord {
            id,
            name,
            style,
            slant,
            neatness,
            lively,
            kerning,
            alternates,
            scripts,
            languages,
            strokes,
            license: _,
        } = face.record();
        let (id, neatness) = (id.to_string(), neatness.to_string());
        let share = language.and_then(|language| languages.percent(language));
        let last = share.map_or_else(|| scripts.join(", "), |share| format!("{share} %"));
        row([&id, name, style, slant, &neatness, yes(*lively), yes(*kerning), yes(*alternates), yes(*strokes), &last])
    }));
    rows.join("\n")
}

fn row([id, name, style, slant, neatness, lively, kerning, alternates, strokes, last]: [&str; 10]) -> String {
    let hand = format!("{id:>4}  {name:<26}  {style:<9}  {slant:<8}  {neatness:<8}  {lively:<6}");
    format!("{hand}  {kerning:<5}  {alternates:<6}  {strokes:<7}  {last}")
}

const fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "-" }
}
