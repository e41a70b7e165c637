//! The names of fonts by number, for the reader of requests.

use std::sync::{Arc, LazyLock};

use super::{CatalogueSource, FontId, table};

/// The numbers and names of the fonts that are loaded: those of the program, and an operator's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FontNames {
    /// The operator's, in id order.
    pub(super) operators: Arc<[(FontId, Box<str>)]>,
}

/// The names of the fonts of the program, in id order.
static BUNDLED: LazyLock<Vec<String>> = LazyLock::new(|| {
    let rows = table::rows(CatalogueSource::embedded().catalog).unwrap_or_default();
    rows.into_iter().map(|row| row.record.name).collect()
});

impl FontNames {
    /// Every font, in id order.
    pub fn iter(&self) -> impl Iterator<Item = (FontId, &str)> {
        let operators = self.operators.iter().map(|(id, name)| (*id, name.as_ref()));
        FontId::bundled().zip(BUNDLED.iter().map(String::as_str)).chain(operators)
    }

    /// The numbers of the operator's fonts, ascending.
    pub fn operators(&self) -> impl Iterator<Item = FontId> {
        self.operators.iter().map(|(id, _)| *id)
    }
}
