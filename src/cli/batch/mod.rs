//! `longhand batch`: many pages, from a CSV file and a template or from a file of requests.
//!
//! Input: the user's files, and a pattern for output names. Output: PNG and PDF files, or one PDF of all rows, and a
//! report. In order: `template` and `rows` read the files; errors in a file as a whole are found before any page is
//! made. `report` finds the rows that an earlier run finished. `work` distributes rows over threads; a `renderer` makes
//! each row, on this machine's device or through a `server`. `progress` shows the state, `interrupt` waits for signals.
//! A row that fails is reported and does not stop the others. The module does not know how pages are made.

mod interrupt;
mod progress;
mod renderer;
mod report;
mod rows;
mod server;
mod template;
mod work;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::field_flags::FieldFlags;
use super::render::implied_format;
use super::{Failure, configured, output};
use crate::clock::Clock;
use crate::config::Config;
use crate::encode::PageImage;
use crate::pipeline::PoolOptions;

use interrupt::Interrupt;
use progress::Progress;
use renderer::{LocalRenderer, PdfAssembler, RowRenderer};
use report::Report;
use rows::{Merge, Row};
use server::Server;
use template::Template;

/// Requests that a service is sent at the same time.
const REQUESTS_AT_A_TIME: usize = 8;
/// Name of the report where none is given.
const REPORT: &str = "report.jsonl";

/// The arguments of `batch`.
#[derive(clap::Args, Debug)]
pub(super) struct BatchCommand {
    /// CSV file with a header: a page for each record
    #[arg(long, value_name = "FILE", requires = "template", required_unless_present = "request")]
    csv: Option<PathBuf>,
    /// Text of the pages, with {column} where a cell belongs ({{ for a brace)
    #[arg(long, value_name = "FILE", requires = "csv")]
    template: Option<PathBuf>,
    /// File with a generation request a line (JSONL): a page for each
    #[arg(id = "request", long = "requests", value_name = "FILE", conflicts_with_all = ["csv", "template"])]
    requests: Option<PathBuf>,
    /// Files to write, such as cards/{row}-{name}.pdf; a PDF without {…} holds a page for each row
    #[arg(short, long, value_name = "PATTERN")]
    output: String,
    /// What became of each row, as JSONL; a later run skips the rows done there [default: report.jsonl beside the files, NAME.report.jsonl for one PDF]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// What parts the cells of the CSV file
    #[arg(long, value_name = "CHARACTER", default_value = ",", requires = "csv")]
    delimiter: char,
    /// Columns that nothing uses
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "csv")]
    ignore: Vec<String>,
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
    fields: FieldFlags,
}

impl BatchCommand {
    /// Makes the rows that an earlier run did not make. Fails if a row fails, or on a signal.
    pub(super) fn run(self) -> Result<(), Failure> {
        let pattern = Template::parse(&self.output).map_err(|error| Failure::Usage(format!("--output: {error}")))?;
        let is_one_file = pattern.placeholders().next().is_none();
        let mut rows = self.rows(&pattern)?;
        if rows.is_empty() {
            return Err(Failure::BadData("there is no row".to_owned()));
        }
        rows::imply_format(&mut rows, implied_format(Path::new(&self.output)));
        if is_one_file {
            return self.one_file(&rows);
        }
        rows::refuse_names(&mut rows, &self.report_path(false));
        self.files(&rows)
    }

    fn rows(&self, pattern: &Template) -> Result<Vec<Row>, Failure> {
        match (&self.csv, &self.template, &self.requests) {
            (Some(csv), Some(template), None) => {
                let delimiter = u8::try_from(self.delimiter)
                    .map_err(|_| Failure::Usage("--delimiter: one ASCII character, such as ;".to_owned()))?;
                let common = self.fields.0.clone();
                rows::from_csv(&Merge { csv, delimiter, template, ignored: &self.ignore, common }, pattern)
            }
            (None, None, Some(requests)) => rows::from_jsonl(requests, pattern),
            _ => Err(Failure::Usage("give --csv and --template, or --requests".to_owned())),
        }
    }

    /// A file for each row.
    fn files(&self, rows: &[Row]) -> Result<(), Failure> {
        rows::refuse_shared_files(rows)?;
        let path = self.report_path(false);
        let interrupt = Interrupt::listening()?;
        let renderer: Box<dyn RowRenderer> = match (&self.server, &self.key) {
            (Some(server), Some(key)) => Box::new(Server::new(server, key, interrupt.clone())),
            _ => Box::new(LocalRenderer::open(&self.configured()?)?),
        };
        let mut report = open_report(&path, rows)?;
        let left: Vec<&Row> = rows.iter().filter(|row| !report.has(row)).collect();
        let skipped = rows.len() - left.len();
        if skipped > 0 {
            output::note(&format!("{skipped} of {} rows were done before", rows.len()));
        }
        let mut progress = Progress::of(left.len(), Clock::system());
        let ended = work::make_all(&left, self.threads(), renderer.as_ref(), &interrupt, |tried| {
            progress.step(tried.entry.error.is_some());
            report.add(tried.entry)
        });
        progress.finish();
        conclude(rows, report, &path, &interrupt, ended)
    }

    /// One PDF of all rows, written when all were tried.
    fn one_file(&self, rows: &[Row]) -> Result<(), Failure> {
        if implied_format(Path::new(&self.output)).is_none() {
            let message = "--output: name the files by {row} or a column; only a .pdf holds all rows";
            return Err(Failure::Usage(message.to_owned()));
        }
        if self.server.is_some() {
            let message = "--output: a service makes a file for each row; name them by {row} or a column";
            return Err(Failure::Usage(message.to_owned()));
        }
        let path = self.report_path(true);
        let assembler = PdfAssembler::open(&self.configured()?, rows)?;
        let interrupt = Interrupt::listening()?;
        let mut report = open_report(&path, &[])?;
        let mut progress = Progress::of(rows.len(), Clock::system());
        let mut drawn: BTreeMap<usize, Vec<PageImage>> = BTreeMap::new();
        let left: Vec<&Row> = rows.iter().collect();
        let ended = work::make_all(&left, self.threads(), &assembler, &interrupt, |tried| {
            progress.step(tried.entry.error.is_some());
            drawn.insert(tried.entry.row, tried.pages);
            report.add(tried.entry)
        });
        progress.finish();
        if ended.is_ok() && drawn.len() == rows.len() {
            let mut pages = Vec::new();
            for (row, images) in drawn {
                let first = pages.len() + 1;
                if let Some(entry) = report.entry(row).filter(|entry| entry.error.is_none()) {
                    entry.page = Some(first);
                }
                pages.extend(images);
            }
            if !pages.is_empty() {
                work::write(Path::new(&self.output), &assembler.assemble(&pages)?)?;
            }
        } else {
            output::note(&format!("{} is not written: some rows were not tried", self.output));
        }
        conclude(rows, report, &path, &interrupt, ended)
    }

    fn configured(&self) -> Result<Config, Failure> {
        let config = configured()?;
        Ok(Config { icc_dir: self.icc_dir.clone().or(config.icc_dir), ..config })
    }

    fn threads(&self) -> usize {
        let usual = if self.server.is_some() { REQUESTS_AT_A_TIME } else { PoolOptions::default().threads };
        self.jobs.map_or(usual, usize::from)
    }

    /// Beside the files: in the last folder that all of them have in common; that of one file has its name.
    fn report_path(&self, is_one_file: bool) -> PathBuf {
        let common = self.output.split(['{', '}']).next().unwrap_or_default();
        let folder = common.rfind('/').and_then(|end| common.get(..=end)).unwrap_or_default();
        let usual = || {
            if is_one_file { Path::new(&self.output).with_extension(REPORT) } else { Path::new(folder).join(REPORT) }
        };
        self.report.clone().unwrap_or_else(usual)
    }
}

fn open_report(path: &Path, rows: &[Row]) -> Result<Report, Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(Failure::io("make", folder))?;
    }
    Report::open(path, rows)
}

/// Orders the report and prints a summary.
fn conclude(
    rows: &[Row],
    report: Report,
    path: &Path,
    interrupt: &Interrupt,
    ended: Result<(), Failure>,
) -> Result<(), Failure> {
    let tried = rows.iter().filter(|row| report.has(row)).count();
    let failed = report.failures();
    report.finish()?;
    let (total, path) = (rows.len(), path.display());
    output::note(&format!("{} of {total} rows made, {failed} failed; {path} says more", tried - failed));
    ended?;
    if interrupt.was_signalled() && tried < total {
        return Err(Failure::Interrupted("stopped before the end; run it again to go on".to_owned()));
    }
    if failed > 0 { Err(Failure::BadData(format!("{failed} of {total} rows failed"))) } else { Ok(()) }
}
