//! What the rows of a job become.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mail_merge::ROW;

/// What the rows become.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "JobOutput")]
pub struct Output {
    /// A file for each row, or one of all.
    pub form: Form,
    /// The name of a row's file without its ending, with `{row}` and columns.
    pub name: String,
    /// How rows are joined; for the form `pdf` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdf: Option<PdfOutput>,
}

impl Default for Output {
    fn default() -> Self {
        Self { form: Form::default(), name: format!("{{{ROW}}}"), pdf: None }
    }
}

/// The form of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "JobForm")]
pub enum Form {
    /// A file for each row.
    #[default]
    Files,
    /// Also a ZIP of them.
    Zip,
    /// Also one PDF of all rows, or several in a ZIP.
    Pdf,
}

/// How rows are joined into PDFs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "JobPdf")]
pub struct PdfOutput {
    /// Rows of one PDF. If there are more rows, the result is a ZIP of PDFs. By default all rows are in one.
    #[schemars(range(min = 1, max = 100_000))]
    pub rows_per_file: Option<u32>,
    /// On which pages rows begin.
    pub start_on: StartOn,
}

/// On which pages of a PDF rows begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "JobStart")]
pub enum StartOn {
    /// On the page after the row before.
    #[default]
    Any,
    /// On odd pages, for printing on two sides: an empty page follows a row with an odd number of pages.
    Odd,
}

impl Output {
    /// Checks what no single member tells.
    ///
    /// # Errors
    /// The field, and what would be right.
    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let refused = |field: &str, message: &str| Err((field.to_owned(), message.to_owned()));
        match self.pdf {
            Some(_) if self.form != Form::Pdf => refused("output.pdf", "it goes with an output.form of pdf alone"),
            Some(PdfOutput { rows_per_file: Some(0), .. }) => refused("output.pdf.rows_per_file", "use 1 or more"),
            _ => Ok(()),
        }
    }

    /// The ending of the file of this many rows; none where each row has its own file.
    pub(super) fn ending(&self, rows: u64) -> Option<&'static str> {
        let most = self.pdf.unwrap_or_default().rows_per_file.map_or(u64::MAX, u64::from);
        match self.form {
            Form::Files => None,
            Form::Pdf if rows <= most => Some("pdf"),
            Form::Zip | Form::Pdf => Some("zip"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(text: &str) -> Output {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_pdf_of_more_rows_than_a_file_has_is_a_zip() {
        let pdf = output(r#"{"form": "pdf", "pdf": {"rows_per_file": 10}}"#);
        assert_eq!([10, 11].map(|rows| pdf.ending(rows)), [Some("pdf"), Some("zip")]);
        assert_eq!(output(r#"{"form": "pdf"}"#).ending(100_000), Some("pdf"));
        assert_eq!(output("{}").ending(1), None);
    }

    #[test]
    fn options_of_pdfs_go_with_pdfs() {
        for (text, field) in [
            (r#"{"form": "zip", "pdf": {}}"#, "output.pdf"),
            (r#"{"form": "pdf", "pdf": {"rows_per_file": 0}}"#, "output.pdf.rows_per_file"),
        ] {
            assert_eq!(output(text).check().unwrap_err().0, field);
        }
    }
}
