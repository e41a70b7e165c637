//! One font: metrics, characters, and outlines of glyphs.

mod letter_parts;
mod operator;
mod pen_lines;

use ttf_parser::Face;

use super::accent_gap::AccentGaps;
use super::character_set::CharacterSet;
use super::drawings::Drawings;
use super::drawn_signs::{DrawnSigns, IDEOGRAPH};
use super::font_parts::{FontParts, slant_name};
use super::glyph_outlines::GlyphOutlines;
use super::hull::Hull;
use super::letter_height::LetterHeights;
use super::measured::Measured;
use super::outline::Outline;
use super::outline_extent::OutlineExtent;
use super::recorded_outline::outline_of;
use super::sides::Sides;
use super::strokes::StrokeFile;
use super::unwritten::{found, of_bundled, wrong_ligatures};
use super::{CatalogueError, Context, FileNumber, FontId, FontRecord, GlyphId};
use crate::geometry::Rect;
use crate::units::FontUnits;

/// First code point of the East Asian blocks (CJK Radicals Supplement).
pub(crate) const FIRST_EAST_ASIAN: char = '\u{2E80}';

/// The most contrast of strokes that one pen of one width makes; see [`FontFace::contrast`]. The fonts with strokes have
/// up to 0.36, fonts with thick and thin strokes from 0.45 on.
const MOST_EVEN: f64 = 0.40;

/// A parsed font. Lengths are in its own font units, y up.
pub struct FontFace {
    id: FontId,
    parts: FontParts,
    strokes: Option<StrokeFile>,
    outlines: GlyphOutlines,
    face: Face<'static>,
    characters: CharacterSet,
    signs: DrawnSigns,
    drawings: Drawings,
    ink_ascent: FontUnits,
    x_height: FontUnits,
    measured: Measured,
}

impl FontFace {
    /// A font of the program. Its files of strokes and of further drawings must be of this version of the font.
    pub(super) fn bundled(
        mut parts: FontParts,
        stroke_file: Option<&'static [u8]>,
        drawing_file: Option<&[u8]>,
    ) -> Result<Self, CatalogueError> {
        let strokes = stroke_file.map(|file| StrokeFile::of_font(file, &parts.sha256)).transpose();
        let strokes = strokes.map_err(|reason| CatalogueError::BrokenStrokes { slug: parts.slug.clone(), reason })?;
        parts.record.strokes = strokes.is_some();
        let outlines = GlyphOutlines::of_bundled(&parts);
        let mut font = Self::parse(parts, strokes, outlines)?;
        font.parts.record.scripts.retain(|set| font.characters.has_all_of(set));
        if let Some(file) = drawing_file {
            let glyphs = [font.glyph_count(), font.all_glyphs() as u16];
            font.drawings = Drawings::read(file, font.sha256(), glyphs, |letter| font.glyph_for(letter))
                .map_err(|reason| CatalogueError::BrokenDrawings { slug: font.slug().to_owned(), reason })?;
        }
        Ok(font)
    }

    /// Parses a font of the operator.
    ///
    /// # Errors
    /// The file cannot be used. Files that passed the examination can.
    pub fn of_operator(mut parts: FontParts) -> Result<Self, CatalogueError> {
        slant_name(parts.slant_degrees).clone_into(&mut parts.record.slant);
        let strokes = parts.stroke_file.map(|file| StrokeFile::of_font(file, &parts.sha256)).transpose();
        let strokes = strokes.map_err(|reason| CatalogueError::BrokenStrokes { slug: parts.slug.clone(), reason })?;
        parts.record.strokes = strokes.is_some();
        let mut font = Self::parse(parts, strokes, GlyphOutlines::simplified())?;
        font.drawings = Drawings::of_file(&font.face);
        Ok(font)
    }

    /// Parses and checks a font: it must have the ASCII letters and digits.
    fn parse(parts: FontParts, strokes: Option<StrokeFile>, outlines: GlyphOutlines) -> Result<Self, CatalogueError> {
        let (slug, number) = (parts.slug.clone(), parts.record.id);
        let broken = |reason: String| CatalogueError::BrokenFont { slug: slug.clone(), reason };
        let id = FontId::new(number).ok_or_else(|| broken(format!("there is no font number {number}")))?;
        let face = Face::parse(parts.bytes, 0).map_err(|error| broken(error.to_string()))?;
        let characters = CharacterSet::of_file(&face);
        let unwritten = if id.is_bundled() { of_bundled(&slug) } else { found(&face, characters.all()) };
        let characters = characters.without(unwritten);
        let signs = DrawnSigns::lacking(&characters, face.number_of_glyphs());
        let characters = characters.with_drawn(signs.characters());
        let (ink_ascent, x_height, measured) = (FontUnits::ZERO, FontUnits::ZERO, Measured::default());
        let drawings = Drawings::default();
        let mut font =
            Self { id, parts, strokes, outlines, face, characters, signs, drawings, ink_ascent, x_height, measured };
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

    /// Mean advance of the small letters of ASCII, in ems.
    pub(super) fn letter_width_em(&self) -> f64 {
        let advances: u32 = ('a'..='z').filter_map(|letter| self.advance(letter)).map(u32::from).sum();
        f64::from(advances) / 26.0 / f64::from(self.units_per_em())
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
        f64::from(self.advance(' ').unwrap_or_default()) / f64::from(self.units_per_em()) + self.parts.word_gap_em
    }

    /// Width of the pen stroke in ems.
    #[must_use]
    pub const fn stroke_em(&self) -> f64 {
        self.parts.stroke_em
    }

    /// How far its strokes differ in width: the logarithm of the upper over the lower quartile of their thickness.
    #[must_use]
    pub const fn contrast(&self) -> f64 {
        self.parts.contrast
    }

    /// Whether one pen of one width could have drawn it, as all fonts with strokes; others have thick and thin strokes.
    #[must_use]
    pub const fn has_even_strokes(&self) -> bool {
        self.has_strokes() || self.parts.contrast < MOST_EVEN
    }

    /// Half the width of its widest strokes, in font units. Strokes are up to a quarter wider than
    /// [`stroke_em`](Self::stroke_em).
    #[must_use]
    pub fn widest_half_stroke(&self) -> f64 {
        1.25 * 0.5 * self.parts.stroke_em * f64::from(self.units_per_em())
    }

    /// The characters that it writes: those of its cmap, and the signs that are drawn for it.
    #[must_use]
    pub const fn characters(&self) -> &CharacterSet {
        &self.characters
    }

    /// Whether it has a glyph that draws the character.
    #[must_use]
    pub fn has(&self, character: char) -> bool {
        self.characters.has(character)
    }

    /// Whether its cmap has a shape of the character for a variation selector (OpenType, "cmap", format 14).
    #[must_use]
    pub fn has_variation(&self, character: char, selector: char) -> bool {
        self.face.glyph_variation_index(character, selector).is_some_and(|glyph| glyph.0 != 0)
    }

    /// The character's glyph: that of the cmap, or of a sign that is drawn for the font.
    #[must_use]
    pub fn glyph_for(&self, character: char) -> Option<GlyphId> {
        let in_file = || self.face.glyph_index(character).map(|glyph| GlyphId(glyph.0));
        self.signs.glyph(character).or_else(in_file).filter(|_| self.has(character))
    }

    /// The advance of a glyph in font units; that of its letter for a further drawing.
    #[must_use]
    pub fn advance_of(&self, glyph: GlyphId) -> i32 {
        let glyph = self.drawings.letter(glyph);
        self.face.glyph_hor_advance(ttf_parser::GlyphId(glyph.0)).map_or(0, i32::from)
    }

    /// The advance of a character in the file, in font units; `None` where its cmap lacks the character.
    #[must_use]
    pub fn advance(&self, character: char) -> Option<u16> {
        self.face.glyph_hor_advance(self.face.glyph_index(character)?)
    }

    /// Sequences of characters whose ligature draws other letters. Their last letter has to stand by itself.
    #[must_use]
    pub fn wrong_ligatures(&self) -> &'static [&'static str] {
        if self.id.is_bundled() { wrong_ligatures(self.slug()) } else { &[] }
    }

    /// The glyph of the word space, if it has ink: the lines of ruled school fonts.
    #[must_use]
    pub fn inked_space(&self) -> Option<GlyphId> {
        let space = || self.glyph_for(' ').filter(|glyph| self.ink(*glyph).is_some());
        *self.measured.inked_space.get_or_init(space)
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
        let Some(square) = self.advance(IDEOGRAPH) else { return false };
        text.chars().filter(|letter| *letter < FIRST_EAST_ASIAN).any(|letter| self.advance(letter) == Some(square))
    }

    /// Number of glyphs of the file; indices start at 0. Those of drawn signs follow.
    #[must_use]
    pub fn glyph_count(&self) -> u16 {
        self.face.number_of_glyphs()
    }

    /// Number of glyphs, with those of drawn signs and of further drawings.
    fn all_glyphs(&self) -> usize {
        usize::from(self.glyph_count()) + self.signs.characters().len() + self.drawings.outlines()
    }

    /// All drawings of the letter that a glyph is a drawing of, first the one that the font has for the letter; none where
    /// there is but one.
    #[must_use]
    pub fn drawings(&self, glyph: GlyphId) -> &[GlyphId] {
        self.drawings.of(glyph)
    }

    /// The glyph's contours; `None` for a blank glyph or an unknown index. Those of an operator's font have fewer
    /// segments than in its file where they have many there.
    #[must_use]
    pub fn outline(&self, glyph: GlyphId) -> Option<Outline> {
        let drawn = self.sign(glyph).map(|sign| &sign.outline).or_else(|| self.drawings.outline(glyph));
        drawn.cloned().or_else(|| self.outlines.outline(&self.face, glyph))
    }

    /// Segments of the glyph's outline in its file, before it is simplified; 0 for a blank glyph.
    #[must_use]
    pub fn segments_in_file(&self, glyph: GlyphId) -> usize {
        outline_of(&self.face, glyph).map_or(0, |outline| outline.segments())
    }

    /// The exact box of the glyph's ink; `None` for a blank glyph. Computed once per glyph.
    #[must_use]
    pub fn ink(&self, glyph: GlyphId) -> Option<Rect<FontUnits>> {
        *self.measured.inks.of(self.all_glyphs(), glyph, || Some(self.outline(glyph)?.ink))?
    }

    /// The convex hull of the glyph's ink; `None` for an unknown index. Computed once per glyph.
    #[must_use]
    pub fn hull(&self, glyph: GlyphId) -> Option<&Hull> {
        let hull = || self.outline(glyph).map_or_else(Hull::default, |outline| Hull::of(&outline, self.units_per_em()));
        self.measured.hulls.of(self.all_glyphs(), glyph, hull)
    }

    /// The ends of the glyph's ink at each height; `None` for an unknown index. Computed once per glyph.
    #[must_use]
    pub fn sides(&self, glyph: GlyphId) -> Option<&Sides> {
        let sides =
            || self.outline(glyph).map_or_else(Sides::default, |outline| Sides::of(&outline, self.units_per_em()));
        self.measured.sides.of(self.all_glyphs(), glyph, sides)
    }

    /// How much outline the glyph has; none for a blank glyph or an unknown index. Computed once per glyph.
    #[must_use]
    pub fn outline_extent(&self, glyph: GlyphId) -> OutlineExtent {
        let extent = || self.outline(glyph).as_ref().map(OutlineExtent::of).unwrap_or_default();
        self.measured.extents.of(self.all_glyphs(), glyph, extent).copied().unwrap_or_default()
    }

    /// Whether most of its letters are joined.
    #[must_use]
    pub fn is_joined(&self) -> bool {
        FontRecord::is_joined(&self.record().style)
    }
}

impl std::fmt::Debug for FontFace {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("FontFace").field("id", &self.id).field("slug", &self.parts.slug).finish_non_exhaustive()
    }
}
