//! A warning about a row, from the layout of its page, a service, or the texts themselves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::warning::{Warning, WarningKind};

/// A warning, as the API writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "JobRowWarning")]
pub struct RowWarning {
    /// What happened, for programs.
    pub r#type: String,
    /// What happened, for people.
    pub message: String,
    /// The field that it is about; none if the server is older and does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub field: String,
}

impl RowWarning {
    /// Whether the writing is so small that it is hard to read.
    pub(crate) fn is_small_writing(&self) -> bool {
        self.r#type == WarningKind::SmallWriting.name()
    }

    /// Adds those warnings of `page` to a row's that it does not have. One of the row names the column, and stands for that of
    /// its page.
    pub(crate) fn add_of_page(of_row: &mut Vec<Self>, page: Vec<Self>) {
        let is_new = |warning: &Self| {
            !of_row.iter().any(|known| (&known.r#type, &known.field) == (&warning.r#type, &warning.field))
        };
        let new: Vec<Self> = page.into_iter().filter(is_new).collect();
        of_row.extend(new);
    }
}

impl From<Warning> for RowWarning {
    fn from(warning: Warning) -> Self {
        Self { r#type: warning.kind.name().to_owned(), message: warning.message, field: warning.field }
    }
}
