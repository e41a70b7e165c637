//! How much of each language a font writes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// Least share of words, in thousandths, that is told.
const LEAST: u16 = 900;

/// The share of the words of running text that a font writes, by language (BCP 47): of the languages of which it writes
/// at least 90 %. In thousandths, rounded down, so that 1000 means every word that was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Languages(BTreeMap<String, u16>);

impl Languages {
    /// The shares of a cell such as `ja:99.9 vi:100`, in percent.
    ///
    /// # Errors
    /// What is wrong with the cell.
    pub(super) fn of_cell(cell: &str) -> Result<Self, String> {
        let share = |pair: &str| {
            let (language, percent) = pair.split_once(':')?;
            let percent: f64 = percent.parse().ok().filter(|percent| (0.0..=100.0).contains(percent))?;
            Some((language.to_owned(), (percent * 10.0).round() as u16))
        };
        let told = |pair: &str| share(pair).ok_or_else(|| format!("\"words\" must read like ja:99.9, not \"{pair}\""));
        let mut shares = cell.split_whitespace().map(told).collect::<Result<BTreeMap<_, _>, _>>()?;
        shares.retain(|_, share| *share >= LEAST);
        Ok(Self(shares))
    }

    /// Whether no language is told, as of the fonts of an operator.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The share of a language's words in percent; `None` below 90 %, and where it was not measured.
    #[must_use]
    pub fn percent(&self, language: &str) -> Option<f64> {
        self.0.get(language).copied().map(percent)
    }

    /// The languages and their percents, in the order of the languages.
    pub fn all(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(language, share)| (language.as_str(), percent(*share)))
    }
}

fn percent(share: u16) -> f64 {
    f64::from(share) / 10.0
}

impl Serialize for Languages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.all())
    }
}

impl JsonSchema for Languages {
    fn schema_name() -> Cow<'static, str> {
        "Languages".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "additionalProperties": {"type": "number", "minimum": 90, "maximum": 100}})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_below_ninety_percent_is_not_told() {
        let languages = Languages::of_cell("cs:89.9 ja:99.9 lt:90 vi:100").unwrap();
        let told: Vec<_> = languages.all().collect();
        assert_eq!(told, [("ja", 99.9), ("lt", 90.0), ("vi", 100.0)]);
        assert_eq!((languages.percent("ja"), languages.percent("cs")), (Some(99.9), None));
    }

    #[test]
    fn a_broken_share_is_named() {
        for cell in ["ja", "ja:", "ja:100.1", "vi:100 ja:many"] {
            let broken = cell.split(' ').next_back().unwrap();
            assert!(Languages::of_cell(cell).unwrap_err().ends_with(&format!("not \"{broken}\"")), "{cell}");
        }
    }
}
