//! The fonts: their numbers, characters, metrics, glyph outlines and strokes.
//!
//! Input: `fonts/catalog.tsv`, `fonts/metrics.tsv`, `fonts/languages.tsv`, the TTF files and the files of strokes of
//! the ninety fonts, all embedded in the binary; and an operator's fonts, examined elsewhere. Output: a
//! [`FontCatalogue`], immutable and shared. Phases: `table` reads the rows (`languages`: the shares of words);
//! `font_parts` has what belongs to a font besides its file; `face` parses each font (metrics, outlines,
//! `character_set`, `letter_height`, `accent_gap`, kept in `measured`), whose file `font_file` keeps (`symbol_map`);
//! `unwritten` finds characters whose glyph is blank or wrong; `drawn_signs` draws signs that a file lacks, from
//! `sign_table` and `raised` letters; `fallback` orders the replacements of each font for missing characters;
//! `combining_mark` says where marks stand. `outline` has the contours of a glyph (`recorded_outline` reads them;
//! `simplify` gives those of an operator's fonts fewer segments where they have many; `glyph_outlines` keeps these),
//! `outline_extent` their length, `hull` their convex hull, `strokes` its centre lines, `context` says how far letters
//! depend on others, `raw_tables` reads what no page needs.
//! This is the only module that uses ttf-parser. It does not shape text.

mod accent_gap;
mod character_set;
mod combining_mark;
mod context;
mod drawings;
mod drawn_signs;
mod error;
mod face;
mod fallback;
mod font_file;
mod font_id;
mod font_names;
mod font_parts;
mod free_ends;
mod glyph_outlines;
mod hull;
mod languages;
mod letter_height;
mod measured;
mod outline;
mod outline_extent;
mod pen_dots;
mod raised;
mod raw_tables;
mod record;
mod recorded_outline;
mod sides;
mod sign_table;
mod simplify;
mod strokes;
mod symbol_map;
mod table;
mod unwritten;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use letter_height::LetterKind;
use unicode_script::Script;

pub use accent_gap::AccentGaps;
pub use character_set::{CharacterSet, is_default_ignorable};
pub use combining_mark::{LetterWithoutDot, MarkPlace};
pub use context::Context;
pub use drawings::MOST_DRAWINGS;
pub use error::CatalogueError;
pub(crate) use face::FIRST_EAST_ASIAN;
pub use face::FontFace;
pub use font_file::{FileNumber, FontFile};
pub use font_id::{FONT_COUNT, FontId, GlyphId, OPERATOR_IDS};
pub use font_names::FontNames;
pub use font_parts::{FontParts, slant_name};
pub use free_ends::FreeEnd;
pub use hull::Hull;
pub use languages::Languages;
pub use outline::{Outline, OutlineCommand, TopPart};
pub use outline_extent::OutlineExtent;
pub use raw_tables::{Complexity, RawTables};
pub use record::FontRecord;
pub use sides::Sides;
pub use strokes::{FontStrokes, Stroke, StrokePart};
pub use unicode_normalization::char::is_combining_mark;

/// The font files that `build.rs` embedded, by slug.
const EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/font_files.rs"));

/// The files of strokes that `build.rs` embedded, by slug.
const EMBEDDED_STROKES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/stroke_files.rs"));

/// The files of further drawings that `build.rs` embedded, by slug.
const EMBEDDED_DRAWINGS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/drawing_files.rs"));

/// The bytes of a slug's file.
fn file_of(files: &[(&str, &'static [u8])], slug: &str) -> Option<&'static [u8]> {
    files.iter().find(|(known, _)| *known == slug).map(|(_, bytes)| *bytes)
}

/// The source of a catalogue.
#[derive(Clone, Copy)]
pub struct CatalogueSource<'a> {
    /// Text of `catalog.tsv`: a header row, then the fonts in id order.
    pub catalog: &'a str,
    /// Text of `metrics.tsv`: measured properties of each font.
    pub metrics: &'a str,
    /// Text of `languages.tsv`: how much of each language each font writes.
    pub languages: &'a str,
    /// The TTF file of a slug, if there is one.
    pub file: &'a dyn Fn(&str) -> Option<&'static [u8]>,
    /// The file of strokes of a slug; `None` for a font without strokes.
    pub strokes: &'a dyn Fn(&str) -> Option<&'static [u8]>,
    /// The file of further drawings of a slug; `None` for a font without any.
    pub drawings: &'a dyn Fn(&str) -> Option<&'static [u8]>,
}

impl CatalogueSource<'static> {
    /// The embedded tables and files.
    #[must_use]
    pub fn embedded() -> Self {
        Self {
            catalog: include_str!("../../fonts/catalog.tsv"),
            metrics: include_str!("../../fonts/metrics.tsv"),
            languages: include_str!("../../fonts/languages.tsv"),
            file: &|slug| file_of(EMBEDDED, slug),
            strokes: &|slug| file_of(EMBEDDED_STROKES, slug),
            drawings: &|slug| file_of(EMBEDDED_DRAWINGS, slug),
        }
    }
}

/// The ninety fonts and those of the operator, parsed and checked. Immutable; share it in an `Arc`.
pub struct FontCatalogue {
    /// The [`FONT_COUNT`] fonts of the program, then those of the operator, in id order.
    faces: Vec<Arc<FontFace>>,
    /// For each font and kind of letters the other fonts, the closest first; ordered on first use, because few fonts
    /// are replaced.
    closest: Vec<[OnceLock<Vec<FontId>>; LetterKind::COUNT]>,
    /// The characters that at least one font has.
    characters: CharacterSet,
}

impl FontCatalogue {
    /// The embedded catalogue.
    ///
    /// # Errors
    /// A broken row or font. Tests load the files of a release, so it cannot happen with them.
    pub fn load() -> Result<Self, CatalogueError> {
        Self::from_source(CatalogueSource::embedded())
    }

    /// A catalogue from a table and its files.
    ///
    /// # Errors
    /// The first broken row, or the first missing or broken font.
    pub fn from_source(source: CatalogueSource<'_>) -> Result<Self, CatalogueError> {
        let widths: HashMap<u16, [f64; 2]> = table::strokes(source.metrics)?;
        let mut languages = table::languages(source.languages)?;
        let mut faces = Vec::with_capacity(usize::from(FONT_COUNT));
        for mut row in table::rows(source.catalog)? {
            let slug = || row.slug.clone();
            let [stroke_em, contrast] =
                *widths.get(&row.record.id).ok_or_else(|| CatalogueError::NoMetrics { slug: slug() })?;
            let bytes = (source.file)(&row.slug).ok_or_else(|| CatalogueError::MissingFile { slug: slug() })?;
            let (strokes, drawings) = ((source.strokes)(&row.slug), (source.drawings)(&row.slug));
            row.record.languages = languages.remove(&row.record.id).unwrap_or_default();
            faces.push(Arc::new(FontFace::bundled(
                FontParts { bytes, stroke_em, contrast, ..row },
                strokes,
                drawings,
            )?));
        }
        Ok(Self::of(faces))
    }

    /// A catalogue of the fonts of the program and these of the operator. Fonts of one number must not be given twice;
    /// the first counts. The fonts of the program are shared with this catalogue.
    #[must_use]
    pub fn with_operator_fonts(&self, fonts: impl IntoIterator<Item = Arc<FontFace>>) -> Self {
        let mut faces: Vec<Arc<FontFace>> = fonts.into_iter().filter(|face| !face.id().is_bundled()).collect();
        faces.sort_by_key(|face| face.id());
        faces.dedup_by_key(|face| face.id());
        let bundled = self.faces.iter().filter(|face| face.id().is_bundled()).cloned();
        Self::of(bundled.chain(faces).collect())
    }

    /// A catalogue of these fonts, in id order.
    fn of(faces: Vec<Arc<FontFace>>) -> Self {
        let closest = faces.iter().map(|_| std::array::from_fn(|_| OnceLock::new())).collect();
        let characters = CharacterSet::union(faces.iter().map(|face| face.characters()));
        Self { faces, closest, characters }
    }

    /// The font with a number, or the default font if that one is [not loaded](Self::has): whoever takes a number from
    /// outside asks first.
    #[must_use]
    pub fn face(&self, id: FontId) -> &FontFace {
        &self.faces[self.position(id).unwrap_or_default()]
    }

    /// Whether the font with this number is loaded. Those of the program always are.
    #[must_use]
    pub fn has(&self, id: FontId) -> bool {
        self.position(id).is_some()
    }

    /// The font's place in [`faces`](Self::faces).
    fn position(&self, id: FontId) -> Option<usize> {
        if id.is_bundled() {
            return Some(usize::from(id.get()) - 1);
        }
        self.faces.binary_search_by_key(&id, |face| face.id()).ok()
    }

    /// All fonts in id order.
    pub fn faces(&self) -> impl Iterator<Item = &FontFace> {
        self.faces.iter().map(AsRef::as_ref)
    }

    /// All fonts in the order in which people choose: lively ones first, then the others, each in id order.
    pub fn listed(&self) -> impl Iterator<Item = &FontFace> {
        let is_lively = |face: &&FontFace| face.record().lively;
        self.faces().filter(is_lively).chain(self.faces().filter(move |face| !is_lively(face)))
    }

    /// Numbers and names of all fonts, for the reader of requests.
    #[must_use]
    pub fn names(&self) -> FontNames {
        self.names_of(|_| true)
    }

    /// Numbers and names of the fonts that may be named: those of the program, and of the operator's the ones that `may`.
    #[must_use]
    pub fn names_of(&self, may: impl Fn(&FontFace) -> bool) -> FontNames {
        let operators = self.faces().filter(|face| !face.id().is_bundled() && may(face));
        FontNames { operators: operators.map(|face| (face.id(), face.name().into())).collect() }
    }

    /// Whether some font can draw the character.
    #[must_use]
    pub fn draws(&self, character: char) -> bool {
        // All parts of a decomposed character must be in one font.
        self.characters.has(character)
            || self.characters.draws(character) && self.faces.iter().any(|face| face.characters().draws(character))
    }

    /// The font other than `font` that has all of `text` (a grapheme cluster or a word) and replaces it there; `None`
    /// where no font has it. The fonts that an operator's font names come first, then those of the program, then the
    /// operator's, each of these groups by closeness in style; so fonts of the operator change no page of the program's
    /// fonts that these can write. A font that is given to some keys alone replaces only those that name it. In a group, fonts that set letters in squares come last. `may`: which fonts may
    /// replace it. Deterministic.
    #[must_use]
    pub fn fallback(&self, font: FontId, text: &str, may: &dyn Fn(&FontFace) -> bool) -> Option<FontId> {
        let position = self.position(font)?;
        let kind = LetterKind::of_text(text);
        let chosen = self.faces.get(position)?;
        let closest = self.closest.get(position)?[kind as usize]
            .get_or_init(|| fallback::closest_first(chosen, self.faces(), kind));
        let named = chosen.fallback().iter().copied().filter(|other| *other != font && self.has(*other));
        let allowed = |other: &FontId| may(self.face(*other));
        let closest = closest.iter().copied().filter(allowed);
        self.first_writer(text, named.filter(allowed))
            .or_else(|| self.first_writer(text, closest.clone().filter(|other| other.is_bundled())))
            .or_else(|| {
                let is_for_all = |other: &FontId| !other.is_bundled() && self.face(*other).is_for_all();
                self.first_writer(text, closest.filter(is_for_all))
            })
    }

    /// The first of these fonts that has all of `text` and does not set it in squares, or else the first that has it.
    fn first_writer(&self, text: &str, fonts: impl Iterator<Item = FontId> + Clone) -> Option<FontId> {
        let mut writers = fonts.filter(|font| self.face(*font).characters().writes(text));
        let first = writers.clone().next();
        writers.find(|font| !self.face(*font).sets_in_squares(text)).or(first)
    }

    /// The font with strokes closest in style to `font` for Latin letters: itself where it has strokes; `None` where no
    /// font has any.
    #[must_use]
    pub fn closest_with_strokes(&self, font: FontId) -> Option<FontId> {
        if self.face(font).has_strokes() {
            return Some(font);
        }
        let closest = fallback::closest_first(self.face(font), self.faces(), LetterKind::Cased);
        closest.into_iter().find(|other| self.face(*other).has_strokes())
    }

    /// Size of the em of `substitute` in ems of `chosen`, so that its letters of a script are as high as those of
    /// `chosen`: from 0.75 to 1.35. Scripts without an x-height are measured by their own letters.
    #[must_use]
    pub fn substitute_scale(&self, chosen: FontId, substitute: FontId, script: Script) -> f64 {
        fallback::substitute_scale(self.face(chosen), self.face(substitute), LetterKind::of(script))
    }
}

impl std::fmt::Debug for FontCatalogue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("FontCatalogue").field("fonts", &self.faces.len()).finish_non_exhaustive()
    }
}
