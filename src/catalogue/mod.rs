//! The ninety fonts: their numbers, characters, metrics and glyph outlines.
//!
//! Input: `fonts/catalog.tsv`, `fonts/metrics.tsv` and the TTF files beside them, embedded in the binary. Output: a
//! [`FontCatalogue`], loaded and checked once at start and then shared. In order: `table` (the rows) -> `face` (one
//! parsed font: metrics, character map, outlines; `characters` is the set of its characters) -> `fallback` (the order of
//! other fonts for missing characters). This is the only module that uses ttf-parser. It does not shape text.

mod character_set;
mod error;
mod face;
mod fallback;
mod hull;
mod outline;
mod record;
mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

pub use character_set::{CharacterSet, is_default_ignorable};
pub use error::CatalogueError;
pub use face::FontFace;
pub use hull::Hull;
pub use outline::{Outline, OutlineCommand};
pub use record::FontRecord;

/// Number of fonts in the catalogue.
pub const FONT_COUNT: u8 = 90;

/// A font's number in the contract, 1 to 90.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FontId(u8);

impl FontId {
    /// The default hand.
    pub const DEFAULT: Self = Self(1);

    /// The font of that number, if there is one.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (1..=FONT_COUNT).contains(&number).then_some(Self(number))
    }

    /// All numbers, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=FONT_COUNT).map(Self)
    }

    /// The number, 1 to 90.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Position in tables ordered by id, 0 to 89.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

/// The family names of the fonts, by number.
pub fn font_names() -> impl Iterator<Item = (FontId, &'static str)> {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let rows = table::rows(CatalogueSource::embedded().catalog).unwrap_or_default();
        rows.into_iter().map(|row| row.record.name).collect()
    });
    FontId::all().zip(NAMES.iter().map(String::as_str))
}

/// A glyph index inside one font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlyphId(pub u16);

/// The fonts that `build.rs` put into the binary, by slug.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/font_files.rs"));

/// Where a catalogue is read from.
#[derive(Clone, Copy)]
pub struct CatalogueSource<'a> {
    /// Text of `catalog.tsv`: a header row, then the fonts in id order.
    pub catalog: &'a str,
    /// Text of `metrics.tsv`: what was measured of each font.
    pub metrics: &'a str,
    /// The TTF file of a slug, if there is one.
    pub file: &'a dyn Fn(&str) -> Option<&'static [u8]>,
}

impl CatalogueSource<'static> {
    /// What is embedded in the binary.
    #[must_use]
    pub fn embedded() -> Self {
        Self {
            catalog: include_str!("../../fonts/catalog.tsv"),
            metrics: include_str!("../../fonts/metrics.tsv"),
            file: &|slug| EMBEDDED.iter().find(|(known, _)| *known == slug).map(|(_, bytes)| *bytes),
        }
    }
}

/// The ninety fonts, parsed and checked. Immutable; share it in an `Arc`.
pub struct FontCatalogue {
    /// In id order, exactly [`FONT_COUNT`].
    faces: Vec<FontFace>,
    /// For each font the others, closest in style first.
    closest: Vec<Vec<FontId>>,
    /// The characters that any of them has.
    characters: CharacterSet,
}

impl FontCatalogue {
    /// The embedded catalogue.
    ///
    /// # Errors
    /// A broken row or font, named. It cannot happen with the files of a release: the tests load them.
    pub fn load() -> Result<Self, CatalogueError> {
        Self::from_source(CatalogueSource::embedded())
    }

    /// A catalogue from a table and its files.
    ///
    /// # Errors
    /// The first row that is broken or whose font is missing or broken.
    pub fn from_source(source: CatalogueSource<'_>) -> Result<Self, CatalogueError> {
        let strokes: HashMap<u8, f64> = table::strokes(source.metrics)?;
        let mut faces = Vec::with_capacity(usize::from(FONT_COUNT));
        for row in table::rows(source.catalog)? {
            let id = row.record.id;
            let stroke = *strokes.get(&id).ok_or_else(|| CatalogueError::NoMetrics { slug: row.slug.clone() })?;
            let bytes =
                (source.file)(&row.slug).ok_or_else(|| CatalogueError::MissingFile { slug: row.slug.clone() })?;
            faces.push(FontFace::parse(row, stroke, bytes)?);
        }
        let closest = fallback::closest_first(&faces);
        let characters = CharacterSet::union(faces.iter().map(FontFace::characters));
        Ok(Self { faces, closest, characters })
    }

    /// The font of a number: there always is one.
    #[must_use]
    pub fn face(&self, id: FontId) -> &FontFace {
        &self.faces[id.index()]
    }

    /// All fonts in id order.
    pub fn faces(&self) -> impl Iterator<Item = &FontFace> {
        self.faces.iter()
    }

    /// Whether some font can draw the character.
    #[must_use]
    pub fn draws(&self, character: char) -> bool {
        // Parts of a character that no font has itself must all be in one font.
        self.characters.has(character)
            || self.characters.draws(character) && self.faces.iter().any(|face| face.characters().draws(character))
    }

    /// The font closest in style to `font` that can write the whole of `text` (a grapheme cluster, or a word that
    /// should stay in one hand), of those that set its letters as wide as they are if there are any; `None` where no font can. Never `font` itself. Always the same answer.
    #[must_use]
    pub fn fallback(&self, font: FontId, text: &str) -> Option<FontId> {
        let closest = &self.closest[font.index()];
        let mut writers = closest.iter().copied().filter(|other| self.face(*other).characters().writes(text));
        let first = writers.clone().next();
        writers.find(|other| !self.face(*other).sets_in_squares(text)).or(first)
    }
}

impl std::fmt::Debug for FontCatalogue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("FontCatalogue").field("fonts", &self.faces.len()).finish_non_exhaustive()
    }
}
