//! What a client asks for: the request of all rows, and what becomes of them.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization as _;

use super::output::{Form, Output};
use super::webhook::{LONGEST_URL, NotifyHost, check_url};
use crate::encodings::CodePage;
use crate::mail_merge::{
    MailMerge, MergedRow, Record, SharedSize, Table, TableOptions, Template, Texts, delimiter, is_file_name,
};
use crate::spec::OutputName;

/// Most rows of a job.
pub(crate) const MOST_JOB_ROWS: usize = 100_000;

/// The member of a request with its size.
const FONT_SIZE: &str = "font_size";

/// What `longhand batch` says of the options of a table, and what a job says.
const OPTIONS: [(&str, &str); 5] = [
    ("fields are set by flags", "fields are set in request"),
    ("--delimiter", "table.delimiter"),
    ("--encoding", "table.encoding"),
    ("--ignore", "table.ignore"),
    ("--allow-empty", "table.allow_empty"),
];

/// A job as its client describes it, without its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobRequest {
    /// A generation request, with placeholders in its texts.
    pub request: Map<String, Value>,
    /// What the rows become.
    #[serde(default)]
    pub output: Output,
    /// How the table is read.
    #[serde(default)]
    pub table: TableSettings,
    /// Whether all rows are written in one size: the largest of `font_size` `auto` at which every row fits.
    #[serde(default)]
    pub same_size: bool,
    /// Whether other jobs of the key go first.
    #[serde(default)]
    pub priority: Priority,
    /// Whether the rows are laid out and not made.
    #[serde(default)]
    pub dry_run: bool,
    /// Where an event is sent when the job has completed, failed or paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify: Option<Notify>,
}

/// Where the service sends the events of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "JobNotify")]
pub struct Notify {
    /// An `https` URL of a host that the operator allows. It gets events as Standard Webhooks says.
    #[schemars(extend("format" = "uri", "maxLength" = LONGEST_URL))]
    pub url: String,
}

/// The priority of a job among those of its key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "JobPriority")]
pub enum Priority {
    /// All others go first.
    Low,
    /// It takes turns with the others.
    #[default]
    Normal,
}

/// How the table is read, as the flags of `longhand batch` say it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "JobTable")]
pub struct TableSettings {
    /// A character, or `comma`, `semicolon` or `tab`.
    pub delimiter: Option<String>,
    /// Its encoding, such as `windows-1250`.
    pub encoding: Option<String>,
    /// Columns that nothing uses, which need no note.
    pub ignore: Vec<String>,
    /// Whether an empty cell may stand in a text.
    pub allow_empty: bool,
}

impl TableSettings {
    /// The options of the reader.
    ///
    /// # Errors
    /// The field, and what would be right.
    pub(crate) fn options(&self) -> Result<TableOptions, (&'static str, String)> {
        let delimiter = self.delimiter.as_deref().map(delimiter::named).transpose();
        let encoding = self.encoding.as_deref().map(CodePage::named).transpose();
        Ok(TableOptions {
            delimiter: delimiter.map_err(|error| ("table.delimiter", format!("use {error}")))?,
            encoding: encoding.map_err(|error| ("table.encoding", error))?,
        })
    }
}

/// What all rows of a job share, as the database keeps it in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Definition {
    pub(super) job: JobRequest,
    pub(super) columns: Vec<String>,
    /// Columns of which all cells stand in single quotes.
    pub(super) quoted: Vec<String>,
    /// Digits of the last row's number.
    pub(super) width: usize,
    pub(super) notes: Vec<String>,
}

/// A job that is checked and may be created.
pub(crate) struct NewJob {
    prepared: Prepared,
    pub(super) records: Vec<Record>,
}

/// The texts of a definition, parsed.
pub(super) struct Prepared {
    definition: Definition,
    texts: Texts,
    pattern: Template,
    ending: &'static str,
}

impl NewJob {
    /// Checks a job and its table: every placeholder has a column, and every row a name of its own. Events may be sent to
    /// these hosts.
    ///
    /// # Errors
    /// The field, and what would be right.
    pub(crate) fn new(mut job: JobRequest, table: Table, hosts: &[NotifyHost]) -> Result<Self, (String, String)> {
        job.output.check()?;
        if let Some(notify) = &job.notify {
            check_url(&notify.url, hosts).map_err(|message| ("notify.url".to_owned(), message))?;
        }
        if job.output.form == Form::Pdf {
            imply_pdf(&mut job.request)?;
        }
        if job.same_size {
            let refused = |message: String| ("same_size".to_owned(), message);
            SharedSize::refuse_sides(&job.request, "request.").map_err(refused)?;
            if is_fixed_size(job.request.get(FONT_SIZE)) {
                let message = format!("leave request.{FONT_SIZE} out, or say \"auto\": same_size finds a size");
                return Err(refused(message));
            }
        }
        let rows = |message: String| ("rows".to_owned(), message);
        if table.records.is_empty() {
            return Err(rows("there is no row".to_owned()));
        }
        if table.records.len() > MOST_JOB_ROWS {
            return Err(rows(too_many_rows()));
        }
        let quoted = MailMerge::quoted(&table).into_iter().map(str::to_owned).collect();
        let width = table.width();
        let ignore = job.table.ignore.clone();
        let definition = Definition { job, columns: table.columns, quoted, width, notes: table.notes };
        let mut prepared = Prepared::new(definition)?;
        let note = prepared.merge().check(&prepared.definition.columns, &ignore);
        let note = note.map_err(|problem| {
            let field = if problem.is_of_ignored { "table.ignore" } else { "rows" };
            (field.to_owned(), in_words_of_jobs(&problem.message))
        })?;
        prepared.definition.notes.extend(note);
        let mut names: HashMap<String, usize> = HashMap::with_capacity(table.records.len());
        for record in &table.records {
            let (name, number) = (prepared.name(record), record.number);
            let refused = |message: String| Err(("output.name".to_owned(), message));
            if !is_file_name(&name) {
                return refused(format!("row {number} would become `{name}`, which is no plain name of a file"));
            }
            // Windows and macOS take names for one that differ in case or in how accents are encoded.
            if let Some(other) = names.insert(name.nfc().collect::<String>().to_lowercase(), number) {
                return refused(format!("rows {other} and {number} would both become {name}; add {{row}}"));
            }
        }
        Ok(Self { prepared, records: table.records })
    }

    /// What all rows share.
    pub(super) const fn definition(&self) -> &Definition {
        &self.prepared.definition
    }

    /// What the rows become.
    pub(crate) const fn output(&self) -> &Output {
        &self.definition().job.output
    }

    /// The request of the first row that has one.
    pub(crate) fn first_request(&self) -> Option<Value> {
        self.records.iter().find_map(|record| self.prepared.row(record, None).request.ok())
    }
}

impl Prepared {
    /// Reads the templates of a definition.
    ///
    /// # Errors
    /// The field, and what would be right.
    pub(super) fn new(definition: Definition) -> Result<Self, (String, String)> {
        let request = &definition.job.request;
        let page = request.get("text").and_then(Value::as_str).map(Template::parse).transpose();
        let page = page.map_err(|error| ("request.text".to_owned(), error))?;
        let texts = Texts::new(page, request).map_err(|error| ("request".to_owned(), error.to_string()))?;
        let pattern = Template::parse(&definition.job.output.name);
        let pattern = pattern.map_err(|error| ("output.name".to_owned(), error))?;
        let format = request.get(OutputName::FIELD).and_then(Value::as_str).and_then(OutputName::from_name);
        let ending = format.unwrap_or_default().name();
        Ok(Self { definition, texts, pattern, ending })
    }

    /// The row of a record, with the name of its file and, where its request names none, a seed that depends on number
    /// and request alone. `size`: the size that all rows share.
    pub(super) fn row(&self, record: &Record, size: Option<u32>) -> MergedRow {
        let quoted: Vec<&str> = self.definition.quoted.iter().map(String::as_str).collect();
        let mut row = self.merge().row(self.definition.width, record, &self.definition.columns, &quoted);
        row.name = self.with_ending(&row.name);
        match &mut row.request {
            Ok(request) => {
                let seed = crc32fast::hash(format!("{}:{request}", row.number).as_bytes());
                if let Some(members) = request.as_object_mut() {
                    if members.get("seed").is_none_or(Value::is_null) {
                        members.insert("seed".to_owned(), Value::from(seed));
                    }
                    members.extend(size.map(|px| (FONT_SIZE.to_owned(), Value::from(px))));
                }
            }
            Err(message) => *message = in_words_of_jobs(message),
        }
        row
    }

    /// The name of a record's file.
    fn name(&self, record: &Record) -> String {
        self.with_ending(&self.merge().name(self.definition.width, record, &self.definition.columns))
    }

    fn with_ending(&self, name: &str) -> String {
        format!("{name}.{}", self.ending)
    }

    pub(super) const fn priority(&self) -> Priority {
        self.definition.job.priority
    }

    pub(super) const fn has_same_size(&self) -> bool {
        self.definition.job.same_size
    }

    pub(super) const fn is_dry_run(&self) -> bool {
        self.definition.job.dry_run
    }

    fn merge(&self) -> MailMerge<'_> {
        MailMerge {
            texts: &self.texts,
            pattern: &self.pattern,
            common: &self.definition.job.request,
            allow_empty: self.definition.job.table.allow_empty,
        }
    }
}

/// What is said of more than [`MOST_JOB_ROWS`].
pub(super) fn too_many_rows() -> String {
    format!("a job has at most {MOST_JOB_ROWS} rows; make several jobs")
}

/// Whether the font size of a request is not `auto`.
fn is_fixed_size(size: Option<&Value>) -> bool {
    size.is_some_and(|size| !size.is_null() && size != "auto")
}

/// Sets the format of rows that are joined into a PDF.
///
/// # Errors
/// The request has another format.
fn imply_pdf(request: &mut Map<String, Value>) -> Result<(), (String, String)> {
    let pdf = Value::from(OutputName::Pdf.name());
    let given = request.entry(OutputName::FIELD).or_insert(Value::Null);
    if *given == Value::Null || *given == pdf {
        *given = pdf;
        return Ok(());
    }
    let message = "leave it out, or say \"pdf\": output.form pdf joins PDFs".to_owned();
    Err((format!("request.{}", OutputName::FIELD), message))
}

/// A message that names the options of a table as a job does.
pub(crate) fn in_words_of_jobs(message: &str) -> String {
    OPTIONS.iter().fold(message.to_owned(), |message, (flag, field)| message.replace(flag, field))
}
