//! One font: metrics, characters, and outlines of glyphs.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use ttf_parser::Face;

use super::accent_gap::AccentGaps;
use super::character_set::CharacterSet;
use super::font_parts::{FontParts, slant_name};
use super::glyph_outlines::{GlyphOutlines, PerGlyph};
use super::hull::Hull;
use super::letter_height::LetterHeights;
use super::outline::Outline;
use super::outline_extent::OutlineExtent;
use super::recorded_outline::outline_of;
use super::strokes::{FontStrokes, Stroke, StrokeFile};
use super::unwritten::{found, of_bundled};
use super::{CatalogueError, Context, FileNumber, FontId, FontRecord, GlyphId};
use crate::geometry::Rect;
use crate::units::FontUnits;

/// Least height of a dot above the baseline, in x-heights.
const DOT_FROM: f64 = 0.7;

/// A character that fills the em square in every font that has it.
const IDEOGRAPH: char = '一';

/// First code point of the East Asian blocks (CJK Radicals Supplement).
const FIRST_EAST_ASIAN: char = '\u{2E80}';

/// A parsed font. Lengths are in its own font units, y up.
pub struct FontFace {
    id: FontId,
    parts: FontParts,
    strokes: Option<StrokeFile>,
    outlines: GlyphOutlines,
    face: Face<'static>,
    characters: CharacterSet,
    ink_ascent: FontUnits,
    x_height: FontUnits,
    measured: Measured,
}

/// What is measured on first use, because most fonts are not used.
#[derive(Default)]
struct Measured {
    letter_heights: OnceLock<LetterHeights>,
    accent_gaps: OnceLock<AccentGaps>,
    /// The ink box; `None` for a blank glyph.
    inks: PerGlyph<Option<Rect<FontUnits>>>,
    /// See [`FontFace::dot`].
    dots: PerGlyph<Option<[f64; 2]>>,
    hulls: PerGlyph<Hull>,
    extents: PerGlyph<OutlineExtent>,
}

/// Whether the font has every letter of a set named in the catalogue. The catalogue names Latin Extended-A for fonts
/// that lack some of its letters, and other sets for fonts that have a wrong glyph for one. Not required are the long s,
/// Greenlandic kra, the deprecated ŉ, and the compatibility letters (Ĳ, Ŀ).
fn is_written_in_full(set: &str, characters: &CharacterSet) -> bool {
    const NOT_ASKED_FOR: [char; 7] = ['ſ', 'ĸ', 'ŉ', 'Ĳ', 'ĳ', 'Ŀ', 'ŀ'];
    let writes = |letters: RangeInclusive<char>| !characters.unwritten().iter().any(|other| letters.contains(other));
    match set {
        "Latin-1" => writes('À'..='Ö') && writes('Ø'..='ö') && writes('ø'..='ÿ'),
        "LatinExtA" => ('\u{100}'..='\u{17f}').all(|letter| NOT_ASKED_FOR.contains(&letter) || characters.has(letter)),
        "Vietnamese" => writes('Ạ'..='ỹ'),
        _ => true,
    }
}

impl FontFace {
    /// A font of the program. Its file of strokes must be of this version of the font.
    pub(super) fn bundled(mut parts: FontParts, stroke_file: Option<&'static [u8]>) -> Result<Self, CatalogueError> {
        let strokes = stroke_file.map(|file| StrokeFile::of_font(file, &parts.sha256)).transpose();
        let strokes = strokes.map_err(|reason| CatalogueError::BrokenStrokes { slug: parts.slug.clone(), reason })?;
        parts.record.strokes = strokes.is_some();
        let mut font = Self::parse(parts, strokes, GlyphOutlines::default())?;
        font.parts.record.scripts.retain(|set| is_written_in_full(set, &font.characters));
        Ok(font)
    }

    /// Parses a font of the operator.
    ///
    /// # Errors
    /// The file cannot be used. Files that passed the examination can.
    pub fn of_operator(mut parts: FontParts) -> Result<Self, CatalogueError> {
        slant_name(parts.slant_degrees).clone_into(&mut parts.record.slant);
        Self::parse(parts, None, GlyphOutlines::simplified())
    }

    /// Parses and checks a font: it must have the ASCII letters and digits.
    fn parse(parts: FontParts, strokes: Option<StrokeFile>, outlines: GlyphOutlines) -> Result<Self, CatalogueError> {
        let (slug, number) = (parts.slug.clone(), parts.record.id);
        let broken = |reason: String| CatalogueError::BrokenFont { slug: slug.clone(), reason };
        let id = FontId::new(number).ok_or_else(|| broken(format!("there is no font number {number}")))?;
        let face = Face::parse(parts.bytes, 0).map_err(|error| broken(error.to_string()))?;
        let characters = characters_of(&face);
        let unwritten = if id.is_bundled() { of_bundled(&slug) } else { found(&face, characters.all()) };
        let characters = characters.without(unwritten);
        let (ink_ascent, x_height, measured) = (FontUnits::ZERO, FontUnits::ZERO, Measured::default());
        let mut font = Self { id, parts, strokes, outlines, face, characters, ink_ascent, x_height, measured };
        for character in ('a'..='z').chain('A'..='Z').chain('0'..='9') {
            let ink = font.letter_ink(character);
            let top = ink.ok_or_else(|| broken(format!("it cannot write \"{character}\"")))?.max.y;
            font.ink_ascent = font.ink_ascent.max(top);
            if character == 'x' {
                font.x_height = top;
            }
        }
        Ok(font)
    }

    /// The ink box of a character, not kept.
    fn letter_ink(&self, character: char) -> Option<Rect<FontUnits>> {
        if !self.has(character) {
            return None;
        }
        Some(self.outline(self.glyph_for(character)?)?.ink)
    }

    /// Its number.
    #[must_use]
    pub const fn id(&self) -> FontId {
        self.id
    }

    /// What clients see of it.
    #[must_use]
    pub const fn record(&self) -> &FontRecord {
        &self.parts.record
    }

    /// Family name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.parts.record.name
    }

    /// Base name of its file. Fonts of the program have it in `fonts/ttf`, and their licence in `fonts/licences`.
    #[must_use]
    pub fn slug(&self) -> &str {
        &self.parts.slug
    }

    /// SHA-256 of its file, lower-case hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.parts.sha256
    }

    /// The TTF or OTF file.
    #[must_use]
    pub const fn bytes(&self) -> &'static [u8] {
        self.parts.bytes
    }

    /// Names its file among those in memory, together with its number.
    #[must_use]
    pub const fn file_number(&self) -> FileNumber {
        self.parts.file_number
    }

    /// How far the shape of a letter depends on others.
    #[must_use]
    pub const fn context(&self) -> Context {
        self.parts.context
    }

    /// The fonts that replace it where it lacks characters, as its operator orders them.
    #[must_use]
    pub fn fallback(&self) -> &[FontId] {
        &self.parts.fallback
    }

    /// Font units in one em.
    #[must_use]
    pub fn units_per_em(&self) -> u16 {
        self.face.units_per_em()
    }

    /// Top of the highest ink of the ASCII letters and digits.
    #[must_use]
    pub const fn ink_ascent(&self) -> FontUnits {
        self.ink_ascent
    }

    /// Top of the ink of `x`.
    #[must_use]
    pub const fn x_height(&self) -> FontUnits {
        self.x_height
    }

    /// Heights of letters by which the font is scaled beside another.
    pub(super) fn letter_heights(&self) -> &LetterHeights {
        self.measured.letter_heights.get_or_init(|| {
            let em = f64::from(self.units_per_em());
            LetterHeights::measure(&|letter| {
                self.letter_ink(letter).map(|ink| [ink.min.y, ink.max.y].map(|edge| edge.get() / em))
            })
        })
    }

    /// How close it draws accents to letters.
    #[must_use]
    pub fn accent_gaps(&self) -> AccentGaps {
        let outline = |letter| self.outline(self.glyph_for(letter)?);
        *self.measured.accent_gaps.get_or_init(|| AccentGaps::measure(self.x_height.get(), &outline))
    }

    /// Slant in degrees, positive to the right.
    #[must_use]
    pub const fn slant_degrees(&self) -> f64 {
        self.parts.slant_degrees
    }

    /// Added to the advance of word spaces (U+0020 and U+00A0), in ems, so that words stay apart.
    #[must_use]
    pub const fn word_gap_em(&self) -> f64 {
        self.parts.word_gap_em
    }

    /// Advance of the word space as the layout sets it, in ems.
    #[must_use]
    pub fn word_space_em(&self) -> f64 {
        let space = self.face.glyph_index(' ').and_then(|glyph| self.face.glyph_hor_advance(glyph));
        f64::from(space.unwrap_or_default()) / f64::from(self.units_per_em()) + self.parts.word_gap_em
    }

    /// Width of the pen stroke in ems.
    #[must_use]
    pub const fn stroke_em(&self) -> f64 {
        self.parts.stroke_em
    }

    /// Half the width of its widest strokes, in font units. Strokes are up to a quarter wider than
    /// [`stroke_em`](Self::stroke_em).
    #[must_use]
    pub fn widest_half_stroke(&self) -> f64 {
        1.25 * 0.5 * self.parts.stroke_em * f64::from(self.units_per_em())
    }

    /// The characters of its cmap.
    #[must_use]
    pub const fn characters(&self) -> &CharacterSet {
        &self.characters
    }

    /// Whether its cmap maps the character to a glyph that draws it.
    #[must_use]
    pub fn has(&self, character: char) -> bool {
        self.characters.has(character)
    }

    /// Whether its cmap has a shape of the character for a variation selector (OpenType, "cmap", format 14).
    #[must_use]
    pub fn has_variation(&self, character: char, selector: char) -> bool {
        self.face.glyph_variation_index(character, selector).is_some_and(|glyph| glyph.0 != 0)
    }

    /// The character's glyph in the cmap.
    #[must_use]
    pub fn glyph_for(&self, character: char) -> Option<GlyphId> {
        self.face.glyph_index(character).filter(|_| self.has(character)).map(|glyph| GlyphId(glyph.0))
    }

    /// Whether the font classes the glyph as a mark (OpenType, "GDEF").
    #[must_use]
    pub fn is_mark(&self, glyph: GlyphId) -> bool {
        let classes = self.face.tables().gdef;
        classes.and_then(|table| table.glyph_class(ttf_parser::GlyphId(glyph.0)))
            == Some(ttf_parser::gdef::GlyphClass::Mark)
    }

    /// Whether a letter or sign of `text` fills the square of an ideograph, as Greek and Cyrillic letters do in Chinese
    /// and Japanese fonts. Words of such letters look spaced out.
    #[must_use]
    pub fn sets_in_squares(&self, text: &str) -> bool {
        let advance = |character| self.face.glyph_hor_advance(self.face.glyph_index(character)?);
        let Some(square) = advance(IDEOGRAPH) else { return false };
        text.chars().filter(|character| *character < FIRST_EAST_ASIAN).any(|letter| advance(letter) == Some(square))
    }

    /// Whether its substitutions (GSUB) have contextual alternates or ligatures that are on by default.
    #[must_use]
    pub fn has_contextual_features(&self) -> bool {
        const FEATURES: [&[u8; 4]; 3] = [b"calt", b"clig", b"rclt"];
        let features = self.face.tables().gsub.iter().flat_map(|substitutions| substitutions.features);
        features.into_iter().any(|feature| FEATURES.contains(&&feature.tag.to_bytes()))
    }

    /// Number of glyphs; indices start at 0.
    #[must_use]
    pub fn glyph_count(&self) -> u16 {
        self.face.number_of_glyphs()
    }

    /// The glyph's contours; `None` for a blank glyph or an unknown index. Those of an operator's font have fewer
    /// segments than in its file where they have many there.
    #[must_use]
    pub fn outline(&self, glyph: GlyphId) -> Option<Outline> {
        self.outlines.outline(&self.face, glyph)
    }

    /// Segments of the glyph's outline in its file, before it is simplified; 0 for a blank glyph.
    #[must_use]
    pub fn segments_in_file(&self, glyph: GlyphId) -> usize {
        outline_of(&self.face, glyph).map_or(0, |outline| outline.segments())
    }

    /// The exact box of the glyph's ink; `None` for a blank glyph. Computed once per glyph.
    #[must_use]
    pub fn ink(&self, glyph: GlyphId) -> Option<Rect<FontUnits>> {
        *self.measured.inks.of(&self.face, glyph, || Some(self.outline(glyph)?.ink))?
    }

    /// The dot of a glyph such as i, whose topmost part is separate: the top of the rest and the bottom of the dot, in
    /// font units above the baseline. Computed once per glyph.
    #[must_use]
    pub fn dot(&self, glyph: GlyphId) -> Option<[f64; 2]> {
        let least = DOT_FROM * self.x_height.get();
        let dot = || self.outline(glyph)?.topmost_gap().filter(|[_, dot]| *dot > least);
        *self.measured.dots.of(&self.face, glyph, dot)?
    }

    /// The convex hull of the glyph's ink; `None` for an unknown index. Computed once per glyph.
    #[must_use]
    pub fn hull(&self, glyph: GlyphId) -> Option<&Hull> {
        let hull = || self.outline(glyph).map_or_else(Hull::default, |outline| Hull::of(&outline, self.units_per_em()));
        self.measured.hulls.of(&self.face, glyph, hull)
    }

    /// How much outline the glyph has; none for a blank glyph or an unknown index. Computed once per glyph.
    #[must_use]
    pub fn outline_extent(&self, glyph: GlyphId) -> OutlineExtent {
        let extent = || self.outline(glyph).as_ref().map(OutlineExtent::of).unwrap_or_default();
        self.measured.extents.of(&self.face, glyph, extent).copied().unwrap_or_default()
    }

    /// Whether most of its letters are joined.
    #[must_use]
    pub fn is_joined(&self) -> bool {
        is_joined(&self.record().style)
    }

    /// Whether it has strokes for pens.
    #[must_use]
    pub const fn has_strokes(&self) -> bool {
        self.strokes.is_some()
    }

    /// Its strokes, read on first use; `None` where it has none.
    #[must_use]
    pub fn strokes(&self) -> Option<&FontStrokes> {
        self.strokes.as_ref()?.strokes()
    }

    /// The strokes of a glyph, in the order of writing: none for a blank glyph, `None` where the glyph lacks them.
    #[must_use]
    pub fn glyph_strokes(&self, glyph: GlyphId) -> Option<&[Stroke]> {
        let strokes = self.strokes()?;
        strokes.of(glyph).or_else(|| self.ink(glyph).is_none().then_some(&[]))
    }
}

impl std::fmt::Debug for FontFace {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("FontFace").field("id", &self.id).field("slug", &self.parts.slug).finish_non_exhaustive()
    }
}

fn characters_of(face: &Face<'_>) -> CharacterSet {
    let mut points = Vec::new();
    for subtable in
        face.tables().cmap.iter().flat_map(|cmap| cmap.subtables).filter(ttf_parser::cmap::Subtable::is_unicode)
    {
        // Format 4 may list code points whose glyph is .notdef.
        subtable.codepoints(|point| {
            if char::from_u32(point).and_then(|character| face.glyph_index(character)).is_some_and(|glyph| glyph.0 != 0)
            {
                points.push(point);
            }
        });
    }
    CharacterSet::from_code_points(points)
}

/// Whether most letters of a style are joined.
pub(super) fn is_joined(style: &str) -> bool {
    matches!(style, "cursive" | "elegant" | "school" | "mixed")
}
