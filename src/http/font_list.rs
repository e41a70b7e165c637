//! The list of fonts, for `GET /api/v1/fonts` and `longhand fonts --json`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::catalogue::{FontCatalogue, FontFace, FontRecord};

/// All fonts.
#[derive(Serialize, JsonSchema, Debug)]
pub struct FontList<'a> {
    /// The fonts, in the order of their ids.
    fonts: Vec<&'a FontRecord>,
    /// Number of fonts.
    total: usize,
}

impl<'a> FontList<'a> {
    /// All fonts of the catalogue, in id order.
    #[must_use]
    pub fn of(catalogue: &'a FontCatalogue) -> Self {
        let fonts: Vec<&FontRecord> = catalogue.faces().map(FontFace::record).collect();
        Self { total: fonts.len(), fonts }
    }
}
