//! `longhand batch`: many pages, from a CSV file and a template or from a file of requests.
//!
//! Input: the user's files, and a pattern for output names. Output: PNG, PDF and SVG files, or one PDF of all rows, and
//! a report. In order: `merge` reads a list and the texts through `mail_merge`, `rows` a file of requests. `check` finds
//! errors in what all rows share before any page is made. `same_size` finds one size for all rows. `report` finds the
//! rows that an earlier run finished; its `entry`s state the outcome of each row, and `csv_report` writes them as a table.
//! `work` distributes rows over threads; a `renderer` makes each row, on this machine's device or through a `server`, or
//! only lays it out; `patience` bounds the waits for a service. `service_job` has a service make the list as a job.
//! `progress` shows the state, `interrupt` waits for signals, `summary` states the outcome of the run. A row that fails
//! is reported and does not stop the others. The module does not know how pages are made.

mod check;
mod csv_report;
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
mod service_job;
mod summary;
mod work;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::field_flags::FieldFlags;
use super::file_format::{implied_format, imply_format};
use super::local_artwork::LocalArtwork;
use super::operator_fonts::{FontFolders, catalogue};
use super::service::Service;
use super::{Failure, configured, output};
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::config::Config;
use crate::encode::PdfPage;
use crate::mail_merge::{Template, TextError, Texts};
use crate::pipeline::PoolOptions;
use crate::spec::{Known, RenderSpec};

use entry::Entry;
use interrupt::Interrupt;
use merge::{CsvInput, Merge};
use progress::{Notes, Progress};
use renderer::{LayoutRenderer, LocalRenderer, RowRenderer, valid_spec};
use report::Report;
use rows::Row;
use server::Server;
use service_job::{List, ServiceJobs};

/// Requests that a service is sent at the same time.
const REQUESTS_AT_A_TIME: usize = 8;
/// Name of the report where none is given.
const REPORT: &str = "report.jsonl";
/// The same for a dry run.
const DRY_REPORT: &str = "dry-run.jsonl";

/// The arguments of `batch`.
#[derive(clap::Args, Debug)]
pub(super) struct BatchCommand {
    #[command(flatten)]
    input: CsvInput,
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
    /// What its rows may name.
    known: Known,
    interrupt: Interrupt,
    notes: Notes,
    /// The text of `--template`.
    text_of_pages: Option<String>,
}

impl Batch {
    fn wanted(&self) -> &[Row] {
        self.rows.get(..self.wanted).unwrap_or(&self.rows)
    }

    /// The specification of the first valid row, whose paper, resolution, ink and press options all rows of one PDF
    /// share.
    fn first_spec(&self) -> Result<RenderSpec, Failure> {
        let first = self.wanted().iter().find_map(|row| valid_spec(row, &self.known));
        first.ok_or_else(|| Failure::BadData("no row is a valid request".to_owned()))
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
        let common = if is_one_file { Some(batch.first_spec()?) } else { None };
        if self.same_size {
            let size =
                same_size::share(&mut batch.rows, (&batch.catalogue, &batch.known), self.threads(), &batch.interrupt)?;
            if let Some(size) = size {
                output::note(&size.message());
            }
        }
        match &common {
            Some(common) if !self.dry_run => self.one_file(&batch, common),
            common => self.files(&batch, common.as_ref()),
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
        let (artwork, is_remote) = (LocalArtwork::default(), self.server.is_some());
        let known = Known { fonts: catalogue.names(), artwork: artwork.known() };
        // A service knows its artwork by id alone.
        let resolve = |members: &mut Map<String, Value>| if is_remote { Ok(()) } else { artwork.resolve(members) };
        let mut text_of_pages = None;
        let (mut rows, delimiter) = match (&self.input.csv, &self.requests) {
            (Some(csv), None) => {
                let mut common = self.fields.0.clone();
                resolve(&mut common).map_err(Failure::BadData)?;
                let common = &common;
                let template = self.input.template.as_deref().map(merge::read_template).transpose()?;
                let (source, text) = template.unzip();
                text_of_pages = source;
                let texts = Texts::new(text, common).map_err(|error| match error {
                    TextError::None => {
                        Failure::Usage("give --template, or --blocks with texts that have {column}".to_owned())
                    }
                    TextError::Template { .. } => Failure::BadData(error.to_string()),
                })?;
                let merge = Merge { input: &self.input, texts: &texts, pattern, common };
                let checked = check::refuse_common(common, &texts, output, is_remote, (&catalogue, &known));
                match (checked, merge.rows(csv)) {
                    (Ok(()), merged) => merged?,
                    (Err(failure), Ok(_)) => return Err(failure),
                    // Both are reported, so that the user can correct them together.
                    (Err(failure), Err(other)) => return Err(Failure::BadData(format!("{failure}\n{other}"))),
                }
            }
            (None, Some(requests)) => (rows::from_jsonl(requests, pattern)?, b','),
            _ => return Err(Failure::Usage("give --csv or --requests".to_owned())),
        };
        if rows.is_empty() {
            return Err(Failure::BadData("there is no row".to_owned()));
        }
        for row in &mut rows {
            let Some(members) = row.members() else { continue };
            imply_format(members, output)?;
            if let Err(problem) = resolve(members) {
                row.request = Err(problem);
            }
        }
        let wanted = self.limit.map_or(rows.len(), |limit| rows.len().min(limit as usize));
        let (interrupt, notes) = (Interrupt::listening()?, Notes::default());
        Ok(Batch { rows, wanted, delimiter, catalogue, known, interrupt, notes, text_of_pages })
    }

    /// A file for each row; or nothing but their layout, on `common` paper where they are for one PDF.
    fn files(&self, batch: &Batch, common: Option<&RenderSpec>) -> Result<(), Failure> {
        let mut report = Report::open(&self.report_path(common.is_some()), &batch.rows, self.dry_run, batch.delimiter)?;
        let left: Vec<&Row> = batch.wanted().iter().filter(|row| !report.has(row)).collect();
        let (total, skipped) = (batch.wanted, batch.wanted - left.len());
        if skipped > 0 {
            output::note(&format!("{skipped} of {total} rows were done before"));
        }
        // A job makes all rows. The few that an earlier run left are asked for one by one.
        let list = self.list(batch)?.filter(|list| !left.is_empty() && (skipped == 0 || list.has_begun()));
        if let (Some(list), Some(server), Some(key)) = (list, &self.server, &self.key) {
            let service = Service::new(server, key);
            let jobs = ServiceJobs { service: &service, interrupt: &batch.interrupt, notes: &batch.notes };
            let ended = jobs.make(&list, &left, |entry| report.add(entry));
            if ended != Ok(false) {
                return self.conclude(batch, &report, ended.map(drop));
            }
            output::note("the service makes no jobs; its pages are asked for one by one");
        }
        let renderer: Box<dyn RowRenderer> = match (&self.server, &self.key) {
            _ if self.dry_run => {
                Box::new(LayoutRenderer { catalogue: &batch.catalogue, known: &batch.known, common, largest: None })
            }
            (Some(server), Some(key)) => {
                Box::new(Server::new(server, key, batch.interrupt.clone(), batch.notes.clone()))
            }
            _ => Box::new(LocalRenderer::open(
                &self.configured()?,
                &batch.catalogue,
                &batch.known,
                batch.wanted(),
                None,
            )?),
        };
        let ended = self.make(&left, renderer.as_ref(), batch, |entry, _| report.add(entry));
        self.conclude(batch, &report, ended)
    }

    /// The list that a service makes as a job, if all of its rows are wanted from one.
    fn list(&self, batch: &Batch) -> Result<Option<List>, Failure> {
        let is_wanted = self.server.is_some() && !self.dry_run && self.limit.is_none();
        let Some(csv) = self.input.csv.as_ref().filter(|_| is_wanted) else {
            return Ok(None);
        };
        let mut request = self.fields.0.clone();
        request.extend(batch.text_of_pages.clone().map(|text| ("text".to_owned(), Value::from(text))));
        request.extend(batch.rows.iter().find_map(|row| row.same_size).map(|px| ("font_size".to_owned(), px.into())));
        imply_format(&mut request, Path::new(&self.output))?;
        let job = json!({"request": request, "table": self.input.of_job()});
        List::read(job, csv, &self.report_path(false)).map(Some)
    }

    /// One PDF of all rows, written when all were attempted.
    fn one_file(&self, batch: &Batch, common: &RenderSpec) -> Result<(), Failure> {
        let left: Vec<&Row> = batch.wanted().iter().collect();
        let (config, known) = (self.configured()?, &batch.known);
        let renderer = LocalRenderer::open(&config, &batch.catalogue, known, batch.wanted(), Some(common))?;
        let mut report = Report::open(&self.report_path(true), &[], false, batch.delimiter)?;
        let mut has_failed = false;
        if !self.skip_failed {
            // Most failures are found without drawing the other rows in vain.
            let layout = LayoutRenderer { catalogue: &batch.catalogue, known, common: Some(common), largest: None };
            work::make_all(&left, self.threads(), &layout, &batch.interrupt, |entry, _| {
                has_failed |= entry.error.is_some();
                if entry.error.is_some() { report.add(entry) } else { Ok(()) }
            })?;
        }
        let mut drawn: BTreeMap<usize, Vec<PdfPage>> = BTreeMap::new();
        let ended = if has_failed {
            Ok(())
        } else {
            self.make(&left, &renderer, batch, |entry, pages| {
                has_failed |= entry.error.is_some();
                drawn.insert(entry.row, pages);
                report.add(entry)
            })
        };
        if has_failed && !self.skip_failed {
            let remedy =
                "without the failed rows all later pages would move up; correct the rows, or give --skip-failed";
            self.note_unwritten(remedy);
        } else if ended.is_err() || drawn.len() < left.len() {
            self.note_unwritten("some rows were not tried");
        } else {
            // The report tells where the pages of each row begin.
            let mut pages = Vec::new();
            for (row, made) in drawn.into_iter().filter(|(_, made)| !made.is_empty()) {
                report.set_page(row, pages.len() + 1);
                pages.extend(made);
            }
            if pages.is_empty() {
                self.note_unwritten("no row could be made");
            } else {
                work::write(Path::new(&self.output), &renderer.bind(common, &pages)?)?;
            }
        }
        self.conclude(batch, &report, ended)
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
        mut done: impl FnMut(Entry, Vec<PdfPage>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut progress = Progress::of(rows.len(), Clock::system(), &batch.notes);
        let ended = work::make_all(rows, self.threads(), renderer, &batch.interrupt, |entry, pages| {
            progress.step(entry.error.is_some());
            done(entry, pages)
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

    /// Orders the report and prints a summary.
    fn conclude(&self, batch: &Batch, report: &Report, ended: Result<(), Failure>) -> Result<(), Failure> {
        report.finish()?;
        let entries: Vec<&Entry> = report.of(batch.wanted()).collect();
        let failed = entries.iter().filter(|entry| entry.error.is_some()).count();
        for line in summary::lines(&entries, batch.wanted, self.dry_run, &report.places()) {
            output::note(&line);
        }
        ended?;
        let total = batch.wanted;
        if batch.interrupt.was_signalled() && entries.len() < total {
            return Err(Failure::Interrupted("stopped before the end; run it again to go on".to_owned()));
        }
        if failed > 0 { Err(Failure::BadData(format!("{failed} of {total} rows failed"))) } else { Ok(()) }
    }
}
