//! The fonts as clients see them: their list, their names, and their specimens, each drawn once.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use parking_lot::Mutex;

use super::font_list::FontList;
use crate::catalogue::{FontCatalogue, FontId, FontNames};

/// A picture that is drawn at its first request.
pub(super) type Specimen = Arc<OnceLock<Bytes>>;

/// The fonts that are loaded.
pub(in crate::http) struct LoadedFonts {
    /// The response body of `GET /api/v1/fonts`.
    pub(in crate::http) list: Bytes,
    /// The fonts that a request may name.
    pub(in crate::http) names: FontNames,
    /// The specimens that were asked for, by font: plain, and with writer variation.
    specimens: Mutex<HashMap<(FontId, bool), Specimen>>,
}

impl LoadedFonts {
    /// The fonts of a catalogue.
    ///
    /// # Errors
    /// The font records cannot be serialised, which is a defect of the catalogue.
    pub(in crate::http) fn of(catalogue: &FontCatalogue) -> Result<Self, serde_json::Error> {
        let list = serde_json::to_vec(&FontList::of(catalogue))?.into();
        Ok(Self { list, names: catalogue.names(), specimens: Mutex::default() })
    }

    /// The same fonts with the specimens of the program's fonts, which never change.
    pub(in crate::http) fn with_specimens_of(self, others: &Self) -> Self {
        let drawn = others.specimens.lock();
        let bundled = drawn.iter().filter(|((font, _), _)| font.is_bundled());
        self.specimens.lock().extend(bundled.map(|(key, specimen)| (*key, Arc::clone(specimen))));
        drop(drawn);
        self
    }

    /// The place of a font's specimen; `None` if it is not loaded.
    pub(in crate::http) fn specimen(&self, font: FontId, varies: bool) -> Option<Specimen> {
        let is_loaded = font.is_bundled() || self.names.operators().any(|loaded| loaded == font);
        is_loaded.then(|| Arc::clone(self.specimens.lock().entry((font, varies)).or_default()))
    }
}
