//! What became of a row, as reports tell it.

use serde::{Deserialize, Serialize};

use super::rows::Row;
use crate::mail_merge::RowWarning;

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Its number.
    pub(super) row: usize,
    /// The file it became or would have become.
    pub(super) file: String,
    /// The first of its pages in a file of all rows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) page: Option<usize>,
    /// Size of its own file.
    pub(super) bytes: Option<u64>,
    /// The seed that gives the same page again.
    pub(super) seed: Option<u32>,
    /// The size that `auto` chose.
    pub(super) calculated_font_size: Option<u32>,
    /// Warnings: substituted or missing characters, options without effect, texts that look wrong.
    pub(super) warnings: Vec<RowWarning>,
    /// Why there is no page.
    pub(super) error: Option<String>,
    /// Tells the row's request from others.
    pub(super) request: String,
    /// Whether the row was laid out and not drawn.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(super) dry_run: bool,
}

impl Entry {
    /// A row that failed, until it is said otherwise.
    pub(super) fn of(row: &Row) -> Self {
        Self {
            row: row.number,
            file: row.file.to_string_lossy().into_owned(),
            page: None,
            bytes: None,
            seed: None,
            calculated_font_size: row.same_size,
            warnings: row.warnings.clone(),
            error: None,
            request: row.fingerprint(),
            dry_run: false,
        }
    }

    /// The entry with the size that `auto` chose, if it did.
    pub(super) fn sized(self, calculated_font_size: Option<u32>) -> Self {
        Self { calculated_font_size: calculated_font_size.or(self.calculated_font_size), ..self }
    }

    /// The entry with the warnings of its page.
    pub(super) fn warned(mut self, warnings: Vec<RowWarning>) -> Self {
        RowWarning::add_of_page(&mut self.warnings, warnings);
        self
    }
}
