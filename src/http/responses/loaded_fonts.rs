//! The fonts as clients see them: their list, their names, and their specimens, each drawn once.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use parking_lot::Mutex;

use super::font_list::FontList;
use crate::access::KeyId;
use crate::catalogue::{FontCatalogue, FontFace, FontId, FontNames};

/// A picture that is drawn at its first request.
pub(super) type Specimen = Arc<OnceLock<Bytes>>;

/// The fonts that are loaded.
pub(in crate::http) struct LoadedFonts {
    /// Those for all keys.
    for_all: Arc<ClientFonts>,
    /// Those for each key to which more are given.
    for_keys: HashMap<KeyId, Arc<ClientFonts>>,
    /// The specimens that were asked for, by font: plain, and with writer variation.
    specimens: Mutex<HashMap<(FontId, bool), Specimen>>,
}

/// The fonts that a client may use.
pub(in crate::http) struct ClientFonts {
    /// The response body of `GET /api/v1/fonts`.
    pub(in crate::http) list: Bytes,
    /// The fonts that a request may name.
    pub(in crate::http) names: FontNames,
}

impl ClientFonts {
    fn of(catalogue: &FontCatalogue, may: impl Fn(&FontFace) -> bool) -> Result<Arc<Self>, serde_json::Error> {
        let list = FontList::of_faces(catalogue.listed().filter(|face| may(face)));
        Ok(Arc::new(Self { list: serde_json::to_vec(&list)?.into(), names: catalogue.names_of(may) }))
    }

    /// Whether there is a font of this number.
    pub(in crate::http) fn has(&self, font: FontId) -> bool {
        font.is_bundled() || self.names.operators().any(|known| known == font)
    }
}

impl LoadedFonts {
    /// The fonts of a catalogue.
    ///
    /// # Errors
    /// The font records cannot be serialised, which is a defect of the catalogue.
    pub(in crate::http) fn of(catalogue: &FontCatalogue) -> Result<Self, serde_json::Error> {
        let keys: BTreeSet<&String> = catalogue.faces().flat_map(FontFace::keys).collect();
        let for_key =
            |key: &String| Ok((KeyId::from(key.as_str()), ClientFonts::of(catalogue, |face| face.is_for(key))?));
        Ok(Self {
            for_all: ClientFonts::of(catalogue, FontFace::is_for_all)?,
            for_keys: keys.into_iter().map(for_key).collect::<Result<_, serde_json::Error>>()?,
            specimens: Mutex::default(),
        })
    }

    /// The fonts that the client of a key may use.
    pub(in crate::http) fn of_client(&self, key: &KeyId) -> Arc<ClientFonts> {
        Arc::clone(self.for_keys.get(key).unwrap_or(&self.for_all))
    }

    /// The same fonts with the specimens of the program's fonts, which never change.
    pub(in crate::http) fn with_specimens_of(self, others: &Self) -> Self {
        let drawn = others.specimens.lock();
        let bundled = drawn.iter().filter(|((font, _), _)| font.is_bundled());
        self.specimens.lock().extend(bundled.map(|(key, specimen)| (*key, Arc::clone(specimen))));
        drop(drawn);
        self
    }

    /// The place of the specimen of a font that is loaded.
    pub(in crate::http) fn specimen(&self, font: FontId, varies: bool) -> Specimen {
        Arc::clone(self.specimens.lock().entry((font, varies)).or_default())
    }
}
