//! What is kept of a job: the fields of its hash.

use std::collections::HashMap;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde_json::{Error, from_str};

use crate::jobs::summary::{JobSummary, KeptJob};

/// The start of the fields that count rows by what is wrong with them.
const KIND: &str = "kind:";

/// The fields of a job.
#[derive(Debug)]
pub(super) struct Fields(pub(super) HashMap<String, String>);

impl Fields {
    /// The text of a field.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The number in a field, or 0.
    pub(super) fn number<T: FromStr + Default>(&self, name: &str) -> T {
        self.text(name).and_then(|text| text.parse().ok()).unwrap_or_default()
    }

    /// A field in JSON. One that is not there is null.
    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<T, Error> {
        from_str(self.text(name).unwrap_or("null"))
    }

    /// The limit of the round in which rows are laid out, `none` in the first one, or `final`.
    pub(super) fn limit(&self) -> &str {
        self.text("limit").unwrap_or("none")
    }

    /// The job of this number.
    pub(super) fn summary(&self, id: &str) -> Result<JobSummary, Error> {
        let kinds =
            self.0.iter().filter_map(|(name, count)| Some((name.strip_prefix(KIND)?.to_owned(), count.parse().ok()?)));
        let kept = KeptJob {
            id: id.to_owned(),
            state: self.json("state")?,
            reason: self.json("reason")?,
            definition: self.json("definition")?,
            size: self.json("size")?,
            created: self.number("created_at"),
            ended: self.text("ended_at").map(|_| self.number("ended_at")),
        };
        Ok(JobSummary {
            rows: self.number("rows"),
            made: self.number("made"),
            failed: self.number("failed"),
            warned: self.number("warned"),
            kinds: kinds.collect(),
            pages: self.number("pages"),
            bytes: self.number("bytes"),
            ..kept.into()
        })
    }
}
