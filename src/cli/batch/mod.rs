//! `longhand batch`: many pages, from a CSV file and a template or from a file of requests.
//!
//! Input: the user's files, and a pattern for output names. Output: PNG, PDF and SVG files, or one PDF of all rows, and
//! a report. In order: `template` and `texts` read the texts, `merge` the CSV file (`encoding`, `delimiter`), `rows` a
//! file of requests. `check` finds errors in what all rows share before any page is made. `same_size` finds one size
//! for all rows. `report` finds the rows that an earlier run finished; its `entry`s state the outcome of each row, and
//! `csv_report` writes them as a table. `work` distributes rows over threads; a `renderer` makes each row, on this
//! machine's device or through a `server`, or only lays it out; `patience` bounds the waits for a service. `progress`
//! shows the state, `interrupt` waits for signals, `summary` states the outcome of the run. A row that fails is
//! reported and does not stop the others. The module does not know how pages are made.

mod check;
mod csv_report;
mod delimiter;
mod encoding;
mod entry;
mod interrupt;
mod merge;
mod patience;
mod progress;
mod renderer;
mod report;
mod rows;
mod same_size;
mod server;
mod summary;
mod template;
mod texts;
mod work;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use encoding_rs::Encoding;

use super::field_flags::FieldFlags;
use super::file_format::{implied_format, imply_format};
use super::operator_fonts::{FontFolders, catalogue};
use super::{Failure, configured, output};
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::config::Config;
use crate::encode::PdfPage;
use crate::pipeline::PoolOptions;

use delimiter::Delimiter;
use entry::{Entry, RunKind};
use interrupt::Interrupt;
use merge::{Merge, Merged};
use progress::{Notes, Progress};
use renderer::{CommonPage, LayoutRenderer, LocalRenderer, PdfAssembler, RowRenderer};
use report::Report;
use rows::Row;
use server::Server;
use template::Template;
use texts::Texts;
use work::Attempt;

/// Requests that a service is sent at the same time.
const REQUESTS_AT_A_TIME: usize = 8;
/// Name of the report where none is given.
const REPORT: &str = "report.jsonl";
/// The same for a dry run.
const DRY_REPORT: &str = "dry-run.jsonl";

/// The arguments of `batch`.
#[derive(clap::Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct BatchCommand {
    /// CSV file with a header: a page for each record
    #[arg(long, value_name = "FILE", required_unless_present = "request")]
    csv: Option<PathBuf>,
    /// Text of the pages, with {column} where a cell belongs, or {column|default} ({{ for a brace); texts of --blocks
    /// may have them too
    #[arg(long, value_name = "FILE", requires = "csv")]
    template: Option<PathBuf>,
    /// File with a generation request a line (JSONL): a page for each
    #[arg(id = "request", long = "requests", value_name = "FILE", conflicts_with_all = ["csv", "template"])]
    requests: Option<PathBuf>,
    /// Files to write, such as cards/{row}-{name}.pdf; a PDF without {…} holds a page for each row
    #[arg(short, long, value_name = "PATTERN")]
    output: String,
    /// What became of each row, as JSONL, with a CSV table beside it; a later run skips the rows done there [default:
    /// report.jsonl beside the files, NAME.report.jsonl for one PDF]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Delimiter of the cells of the CSV file: a character, or comma, semicolon or tab [default: recognised by the
    /// header]
    #[arg(long, value_name = "CHARACTER", requires = "csv")]
    delimiter: Option<Delimiter>,
    /// Encoding of the CSV file, such as windows-1250 or utf-16le [default: recognised if it is UTF-8, UTF-16 or
    /// windows-1252]
    #[arg(long, value_name = "NAME", requires = "csv", value_parser = encoding::named)]
    encoding: Option<&'static Encoding>,
    /// Columns that nothing uses
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "csv")]
    ignore: Vec<String>,
    /// Write pages with nothing in place of an empty cell; without it, such a row is an error
    #[arg(long, requires = "csv")]
    allow_empty: bool,
    /// Make only the first rows
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Lay the rows out and write a report, but draw nothing; needs no device [default report: dry-run.jsonl]
    #[arg(long)]
    dry_run: bool,
    /// Write all rows in one size: the largest at which every row fits
    #[arg(long)]
    same_size: bool,
    /// Leave failed rows out of one PDF of all rows; without it, no PDF is written if a row fails
    #[arg(long)]
    skip_failed: bool,
    /// Send the rows to this service instead, such as `https://hand.example`
    #[arg(long, value_name = "URL", requires = "key")]
    server: Option<String>,
    /// API key of the service
    #[arg(long, env = "LONGHAND_KEY", hide_env_values = true, value_name = "KEY")]
    key: Option<String>,
    /// Rows at a time [default: one more than there are cores; 8 with --server]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Folder of official ICC profiles for PDF/X, used instead of the bundled ones
    #[arg(long, value_name = "DIR", conflicts_with = "server")]
    icc_dir: Option<PathBuf>,
    #[command(flatten)]
    folders: FontFolders,
    #[command(flatten)]
    fields: FieldFlags,
}

/// The rows, and what making them needs.
struct Batch {
    /// All rows of the user's files.
    rows: Vec<Row>,
    /// How many of the first are to be made.
    wanted: usize,
    /// Delimiter of the report's table.
    delimiter: u8,
    catalogue: Arc<FontCatalogue>,
    interrupt: Interrupt,
    notes: Notes,
}

impl Batch {
    fn wanted(&self) -> &[Row] {
        self.rows.get(..self.wanted).unwrap_or(&self.rows)
    }
}

impl BatchCommand {
    /// Makes the rows that an earlier run did not make. Fails if a row fails, or on a signal.
    pub(super) fn run(self) -> Result<(), Failure> {
        let pattern = Template::parse(&self.output).map_err(|error| Failure::Usage(format!("--output: {error}")))?;
        let is_one_file = pattern.placeholders().next().is_none();
        self.check_flags(is_one_file)?;
        let mut batch = self.read(&pattern)?;
        if !is_one_file {
            let report = self.report_path(false);
            rows::refuse_names(&mut batch.rows, &[&report, &csv_report::place(&report)]);
            rows::refuse_shared_files(&batch.rows)?;
        }
        let common = if is_one_file { Some(CommonPage::of(batch.wanted(), &batch.catalogue.names())?) } else { None };
        if self.same_size {
            let size = same_size::share(&mut batch.rows, &batch.catalogue, self.threads(), &batch.interrupt)?;
            if let Some(size) = size {
                output::note(&format!("all rows are written in {} px, which row {} needs", size.px, size.row));
            }
        }
        match (self.dry_run, &common) {
            (true, common) => self.lay_out(&batch, common.as_ref()),
            (false, Some(common)) => self.one_file(&batch, common),
            (false, None) => self.files(&batch),
        }
    }

    /// Refuses flags that contradict the pattern of the output.
    fn check_flags(&self, is_one_file: bool) -> Result<(), Failure> {
        let message = if !is_one_file {
            (self.skip_failed).then_some("--skip-failed is for one PDF of all rows; each row has its own file here")
        } else if implied_format(Path::new(&self.output)) != Some("pdf") {
            Some("--output: name the files by {row} or a column; only a .pdf holds all rows")
        } else if self.server.is_some() {
            Some("--output: a service makes a file for each row; name them by {row} or a column")
        } else {
            None
        };
        message.map_or(Ok(()), |message| Err(Failure::Usage(message.to_owned())))
    }

    /// Reads the user's files, and checks what all rows share.
    fn read(&self, pattern: &Template) -> Result<Batch, Failure> {
        let output = Path::new(&self.output);
        let catalogue = catalogue(&self.configured()?)?;
        let (mut rows, delimiter) = match (&self.csv, &self.requests) {
            (Some(csv), None) => {
                let common = &self.fields.0;
                let (text, note) = self.template.as_deref().map(merge::read_template).transpose()?.unzip();
                let texts = Texts::new(text, common)?;
                let Self { delimiter, encoding, ignore: ignored, allow_empty: allows_empty, .. } = self;
                let (delimiter, encoding, allows_empty) = (*delimiter, *encoding, *allows_empty);
                let merge = Merge { csv, delimiter, encoding, texts: &texts, pattern, ignored, allows_empty, common };
                let checked = check::refuse_common(common, &texts, output, self.server.is_some(), &catalogue);
                let Merged { rows, delimiter, notes } = match (checked, merge.rows()) {
                    (Ok(()), merged) => merged?,
                    (Err(failure), Ok(_)) => return Err(failure),
                    // Both are reported, so that the user can correct them together.
                    (Err(failure), Err(other)) => return Err(Failure::BadData(format!("{failure}\n{other}"))),
                };
                for note in note.flatten().into_iter().chain(notes) {
                    output::note(&note);
                }
                (rows, delimiter)
            }
            (None, Some(requests)) => (rows::from_jsonl(requests, pattern)?, b','),
            _ => return Err(Failure::Usage("give --csv or --requests".to_owned())),
        };
        if rows.is_empty() {
            return Err(Failure::BadData("there is no row".to_owned()));
        }
        for members in rows.iter_mut().filter_map(Row::members) {
            imply_format(members, output)?;
        }
        let wanted = self.limit.map_or(rows.len(), |limit| rows.len().min(limit as usize));
        Ok(Batch { rows, wanted, delimiter, catalogue, interrupt: Interrupt::listening()?, notes: Notes::default() })
    }

    /// Lays the rows out and draws nothing.
    fn lay_out(&self, batch: &Batch, common: Option<&CommonPage>) -> Result<(), Failure> {
        let path = self.report_path(common.is_some());
        let mut report = Report::open(&path, &[], RunKind::Dry, batch.delimiter)?;
        let renderer = LayoutRenderer { catalogue: &batch.catalogue, common, largest: None };
        let left: Vec<&Row> = batch.wanted().iter().collect();
        let ended = self.make(&left, &renderer, batch, |attempt| report.add(attempt.entry));
        conclude(batch, &report, RunKind::Dry, ended)
    }

    /// A file for each row.
    fn files(&self, batch: &Batch) -> Result<(), Failure> {
        let renderer: Box<dyn RowRenderer> = match (&self.server, &self.key) {
            (Some(server), Some(key)) => {
                Box::new(Server::new(server, key, batch.interrupt.clone(), batch.notes.clone()))
            }
            _ => Box::new(LocalRenderer::open(&self.configured()?, Arc::clone(&batch.catalogue), batch.wanted())?),
        };
        let mut report = Report::open(&self.report_path(false), &batch.rows, RunKind::Real, batch.delimiter)?;
        let (total, left): (usize, Vec<&Row>) =
            (batch.wanted, batch.wanted().iter().filter(|row| !report.has(row)).collect());
        let skipped = total - left.len();
        if skipped > 0 {
            output::note(&format!("{skipped} of {total} rows were done before"));
        }
        let ended = self.make(&left, renderer.as_ref(), batch, |attempt| report.add(attempt.entry));
        conclude(batch, &report, RunKind::Real, ended)
    }

    /// One PDF of all rows, written when all were attempted.
    fn one_file(&self, batch: &Batch, common: &CommonPage) -> Result<(), Failure> {
        let left: Vec<&Row> = batch.wanted().iter().collect();
        let renderer = LocalRenderer::open(&self.configured()?, Arc::clone(&batch.catalogue), batch.wanted())?;
        let mut report = Report::open(&self.report_path(true), &[], RunKind::Real, batch.delimiter)?;
        let mut has_failed = false;
        if !self.skip_failed {
            // Most failures are found without drawing the other rows in vain.
            let layout = LayoutRenderer { catalogue: &batch.catalogue, common: Some(common), largest: None };
            work::make_all(&left, self.threads(), &layout, &batch.interrupt, |attempt| {
                has_failed |= attempt.entry.error.is_some();
                if attempt.entry.error.is_some() { report.add(attempt.entry) } else { Ok(()) }
            })?;
        }
        let assembler = PdfAssembler { renderer, common };
        let mut drawn: BTreeMap<usize, Vec<PdfPage>> = BTreeMap::new();
        let ended = if has_failed {
            Ok(())
        } else {
            self.make(&left, &assembler, batch, |attempt| {
                has_failed |= attempt.entry.error.is_some();
                drawn.insert(attempt.entry.row, attempt.pages);
                report.add(attempt.entry)
            })
        };
        if has_failed && !self.skip_failed {
            let remedy =
                "without the failed rows all later pages would move up; correct the rows, or give --skip-failed";
            self.note_unwritten(remedy);
        } else if ended.is_err() || drawn.len() < left.len() {
            self.note_unwritten("some rows were not tried");
        } else {
            self.bind(&assembler, &mut report, drawn)?;
        }
        conclude(batch, &report, RunKind::Real, ended)
    }

    /// Writes one PDF of the pages of all rows, and notes in the report where those of each row begin.
    fn bind(
        &self,
        assembler: &PdfAssembler<'_>,
        report: &mut Report,
        drawn: BTreeMap<usize, Vec<PdfPage>>,
    ) -> Result<(), Failure> {
        let mut pages = Vec::new();
        for (row, made) in drawn.into_iter().filter(|(_, made)| !made.is_empty()) {
            report.set_page(row, pages.len() + 1);
            pages.extend(made);
        }
        if pages.is_empty() {
            self.note_unwritten("no row could be made");
            return Ok(());
        }
        work::write(Path::new(&self.output), &assembler.assemble(&pages)?)
    }

    fn note_unwritten(&self, reason: &str) {
        let earlier = if Path::new(&self.output).exists() { "; the file there is that of an earlier run" } else { "" };
        output::note(&format!("{} is not written: {reason}{earlier}", self.output));
    }

    /// Makes rows and shows the progress.
    fn make(
        &self,
        rows: &[&Row],
        renderer: &dyn RowRenderer,
        batch: &Batch,
        mut done: impl FnMut(Attempt) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut progress = Progress::of(rows.len(), Clock::system(), &batch.notes);
        let ended = work::make_all(rows, self.threads(), renderer, &batch.interrupt, |attempt| {
            progress.step(attempt.entry.error.is_some());
            done(attempt)
        });
        progress.finish();
        ended
    }

    fn configured(&self) -> Result<Config, Failure> {
        let config = configured()?;
        Ok(self.folders.over(Config { icc_dir: self.icc_dir.clone().or(config.icc_dir), ..config }))
    }

    fn threads(&self) -> usize {
        let usual = if self.server.is_some() { REQUESTS_AT_A_TIME } else { PoolOptions::default().threads };
        self.jobs.map_or(usual, usize::from)
    }

    /// Path of the report. Default: the deepest common folder of the files; for one PDF, beside it under its name.
    fn report_path(&self, is_one_file: bool) -> PathBuf {
        let name = if self.dry_run { DRY_REPORT } else { REPORT };
        let common = self.output.split(['{', '}']).next().unwrap_or_default();
        let folder = common.rfind('/').and_then(|end| common.get(..=end)).unwrap_or_default();
        let usual = || {
            if is_one_file { Path::new(&self.output).with_extension(name) } else { Path::new(folder).join(name) }
        };
        self.report.clone().unwrap_or_else(usual)
    }
}

/// Orders the report and prints a summary.
fn conclude(batch: &Batch, report: &Report, kind: RunKind, ended: Result<(), Failure>) -> Result<(), Failure> {
    report.finish()?;
    let entries: Vec<&Entry> = report.of(batch.wanted()).collect();
    let failed = entries.iter().filter(|entry| entry.error.is_some()).count();
    for line in summary::lines(&entries, batch.wanted, kind, &report.places()) {
        output::note(&line);
    }
    ended?;
    let total = batch.wanted;
    if batch.interrupt.was_signalled() && entries.len() < total {
        return Err(Failure::Interrupted("stopped before the end; run it again to go on".to_owned()));
    }
    if failed > 0 { Err(Failure::BadData(format!("{failed} of {total} rows failed"))) } else { Ok(()) }
}
