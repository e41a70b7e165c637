//! `longhand fonts check`: what is right and wrong in an operator's fonts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;

use crate::catalogue::{FontCatalogue, FontFace, FontFile, OPERATOR_IDS, slant_name};
use crate::cli::{Failure, atomic_file, output, program};
use crate::clock::Clock;
use crate::encode::OutputProfiles;
use crate::own_fonts::{
    Description, Examination, Examiner, FontPaths, LARGEST_FILE, embedding_problem, font_paths, plain_font, printable,
    read_regular,
};
use crate::pipeline::{Engine, StageTimes};

/// The arguments of `fonts check`.
#[derive(clap::Args, Debug)]
pub(super) struct CheckCommand {
    /// Font (.ttf or .otf), or a folder of fonts
    path: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw a specimen of the font; needs one font and a device
    #[arg(long, value_name = "FILE")]
    specimen: Option<PathBuf>,
}

/// What is right and wrong in one font.
#[derive(Debug, Serialize)]
struct Report {
    /// The id of the font, if it has one.
    #[serde(skip)]
    id: Option<u16>,
    /// The font's file.
    file: String,
    /// Whether the service would load it.
    usable: bool,
    /// What is wrong with the font and its description.
    problems: Vec<String>,
    /// What an operator should know.
    remarks: Vec<String>,
    /// What was measured.
    examination: Option<Examination>,
}

impl CheckCommand {
    /// Prints a report on each font. Fails if one cannot be used.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let fonts = font_paths(&self.path).map_err(Failure::io("read", &self.path))?;
        if fonts.is_empty() {
            return Err(Failure::BadData(format!("{}: there is no .ttf or .otf file in it", printable(&self.path))));
        }
        let examiner = Examiner::of(program()?);
        let mut reports: Vec<Report> = fonts.iter().map(|paths| report(paths, &examiner)).collect();
        for index in 1..reports.len() {
            let (before, rest) = reports.split_at_mut(index);
            let report = &mut rest[0];
            let Some(id) = report.id else { continue };
            if let Some(Report { file, .. }) = before.iter().find(|other| other.id == Some(id)) {
                report.problems.push(format!("id: {file} has {id} already; give each font its own"));
                report.usable = false;
            }
        }
        let texts: Vec<String> = reports.iter().map(text).collect();
        output::print_result(self.json, &reports, &texts.join("\n\n"))?;
        if let Some(picture) = &self.specimen {
            let [only] = fonts.as_slice() else {
                return Err(Failure::Usage("--specimen: name one font, not a folder of several".to_owned()));
            };
            if let Some(examination) = reports.first().and_then(|report| report.examination.as_ref()) {
                draw(only, examination, picture)?;
            }
        }
        match reports.iter().filter(|report| !report.usable).count() {
            0 => Ok(()),
            bad => Err(Failure::BadData(format!("{bad} of {} fonts cannot be used", reports.len()))),
        }
    }
}

/// Examines a font and reads its description.
fn report(paths: &FontPaths, examiner: &Examiner) -> Report {
    let (mut problems, mut remarks) = (Vec::new(), Vec::new());
    let description = Description::read(&paths.description);
    let bytes = read_regular(&paths.font, LARGEST_FILE).map_err(|error| error.to_string());
    let outcome = bytes.and_then(|bytes| {
        examiner.examine(&paths.font, &FontFile::checksum(&bytes)).map_err(|error| error.to_string())
    });
    let examination = outcome.map_err(|problem| problems.push(problem)).ok();
    if let Some(examination) = &examination {
        problems.extend(examination.problems.iter().cloned());
        let is_checked = description.as_ref().is_ok_and(|description| description.licence_checked);
        match embedding_problem(examination.fs_type) {
            Some(problem) if is_checked => remarks.push(format!("{problem}; its operator has checked the licence")),
            Some(problem) => problems.push(format!("{problem}; licence_checked = true if its licence allows it")),
            None => {}
        }
        remarks.extend(remarks_on(examination));
    }
    if let Err(reason) = &description {
        problems.push(format!("{}: {reason}", printable(&paths.description)));
    }
    let id = description.ok().map(|description| description.id);
    Report { id, file: printable(&paths.font), usable: problems.is_empty(), problems, remarks, examination }
}

/// What is allowed, and not as it might be.
fn remarks_on(examination: &Examination) -> Vec<String> {
    let Some(measures) = &examination.measures else { return Vec::new() };
    let mut remarks = Vec::new();
    if !measures.scripts.iter().any(|set| set == "Latin-1") {
        remarks.push(
            "it lacks letters of Latin-1, such as é or ü: words with them are written in another hand".to_owned(),
        );
    }
    if !measures.lacking_ascii.is_empty() {
        let signs: Vec<String> = measures.lacking_ascii.chars().map(String::from).collect();
        remarks.push(format!("it lacks {} of ASCII: words with them are written in another hand", signs.join(" ")));
    }
    if !measures.unwritten.is_empty() {
        let names: Vec<String> =
            measures.unwritten.chars().map(|it| format!("{it} (U+{:04X})", u32::from(it))).collect();
        let names = names.join(", ");
        remarks
            .push(format!("its glyphs of {names} are blank or draw something else: these are written in another hand"));
    }
    remarks.extend(measures.letter_points.warning());
    if measures.added_word_gap_em > 0.0 {
        remarks
            .push(format!("its word space is widened by {} em so that words keep apart", measures.added_word_gap_em));
    }
    remarks
}

/// A report for people.
fn text(report: &Report) -> String {
    let verdict = if report.usable { "can be used" } else { "cannot be used" };
    let mut lines = vec![format!("{}: {verdict}", report.file)];
    lines.extend(report.problems.iter().map(|problem| format!("  wrong: {problem}")));
    let Some(Examination { family, bytes, fs_type, measures, .. }) = &report.examination else {
        return lines.join("\n");
    };
    let mut row = |name: &str, value: String| lines.push(format!("  {name:<12} {value}"));
    row("family", family.clone().unwrap_or_else(|| "none in the file".to_owned()));
    if let Some(measures) = measures {
        row("licence", format!("fsType 0x{fs_type:04X}: {}", permission(*fs_type)));
        let degrees = measures.slant_degrees;
        let (glyphs, characters, kib) = (measures.glyphs, measures.characters, bytes >> 10);
        row("file", format!("{}, {glyphs} glyphs, {characters} characters, {kib} KiB", measures.outlines));
        row("covers", measures.scripts.join(", "));
        row("x-height", format!("{} em", measures.x_height_em));
        row("stroke", format!("{} em", measures.stroke_em));
        row("word gap", format!("{:.3} em", measures.word_space_em + measures.added_word_gap_em));
        row("slant", format!("{degrees:.0} degrees ({})", slant_name(degrees)));
        row("joins", format!("{:.0} % of the letters in words touch the next", 100.0 * measures.joins));
        let yes = |is: bool| if is { "yes" } else { "no" };
        row("kerning", yes(measures.kerning).to_owned());
        row("alternates", yes(measures.alternates).to_owned());
        let points = &measures.letter_points;
        row("points", format!("{} a letter (median), {} at most", points.median, points.most));
        let worst = &measures.worst_glyph;
        let character = worst.character.map(|character| format!(" ({character})")).unwrap_or_default();
        row("worst glyph", format!("{}{character}: {} points", worst.glyph, worst.points));
    }
    lines.extend(report.remarks.iter().map(|remark| format!("  note: {remark}")));
    lines.join("\n")
}

/// What an `fsType` allows (OpenType, OS/2).
const fn permission(fs_type: u16) -> &'static str {
    match fs_type & 0x000F {
        0 => "documents may contain it (installable)",
        2 => "documents may not contain it (restricted)",
        4 => "documents may contain it to be printed and read (preview and print)",
        8 => "documents may contain it to be edited (editable)",
        _ => "unknown",
    }
}

/// Draws the specimen of a font that can be used.
fn draw(paths: &FontPaths, examination: &Examination, picture: &Path) -> Result<(), Failure> {
    let Some(measures) = examination.measures.clone() else { return Ok(()) };
    let bytes = read_regular(&paths.font, LARGEST_FILE).map_err(Failure::io("read", &paths.font))?;
    let name = examination.family.clone().unwrap_or_default();
    let face =
        Arc::new(FontFace::of_operator(plain_font(*OPERATOR_IDS.start(), name, measures, FontFile::keep(bytes)))?);
    let id = face.id();
    let catalogue = FontCatalogue::load()?.with_operator_fonts([face]);
    let engine = Engine::open(Arc::new(catalogue), OutputProfiles::load(None)?, Clock::system())?;
    let bytes = engine.specimen(id, false, &mut StageTimes::default())?;
    atomic_file::write(picture, &bytes)
}
