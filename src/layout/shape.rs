//! Shapes runs: from characters to glyphs and their positions, in font units.

use std::hash::Hash;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use dashmap::DashMap;
use harfrust::{Buffer, BufferFlags, Direction, Feature, Font, Script, ShapePlan, ShaperFont, Tag};

use super::characters::{is_variation_selector, stand_in};
use super::error::LayoutError;
use super::marks::{place_marks, without_dots};
use super::run::Run;
use super::shape_cache::{self, ShapeKey, ShapeOptions, SharedGlyphs};
use super::shaped_glyph::ShapedGlyph;
use crate::catalogue::{FontCatalogue, FontFace, GlyphId};
use crate::spec::Kerning;
use crate::work::WorkMeter;

/// Steps of work per byte: to shape it, and to look it up in the cache.
const SHAPING_STEPS: usize = 40;
const LOOK_UP_STEPS: usize = 2;

/// A font prepared for harfrust, with the shaping plans used so far.
struct ShapingFont {
    font: Font,
    /// By script, whether it runs from right to left, and whether it is kerned.
    plans: DashMap<(u32, bool, bool), Arc<ShapePlan>>,
}

/// Prepared fonts by the address of their file, which is static. At most one per file, each with at most a few hundred
/// small plans.
static FONTS: LazyLock<DashMap<usize, Arc<ShapingFont>>> = LazyLock::new(DashMap::new);

/// Shapes the runs of one text, and meters the work of its layout.
pub(super) struct Shaper<'a> {
    pub(super) catalogue: &'a FontCatalogue,
    /// The meter of the work of the whole layout.
    pub(super) work: &'a WorkMeter<'a>,
    is_kerned: bool,
    buffer: Buffer,
}

/// The features that are switched off, by their tags: `kern` with `kerning: false` (GPOS and `kern` table), `rand` in fonts
/// of which the layout chooses the forms of letters, and `calt` where that only varies letters.
static OFF: LazyLock<[Feature; 3]> =
    LazyLock::new(|| [b"kern", b"rand", b"calt"].map(|tag| Feature::new(Tag::new(tag), 0, ..)));

impl<'a> Shaper<'a> {
    pub(super) fn new(catalogue: &'a FontCatalogue, kerning: Kerning, work: &'a WorkMeter<'a>) -> Self {
        let mut buffer = Buffer::new();
        // Handwriting does not mark a vowel sign without its letter with a dotted circle.
        buffer.set_flags(BufferFlags::DO_NOT_INSERT_DOTTED_CIRCLE);
        Self { catalogue, work, is_kerned: kerning == Kerning::Pairs, buffer }
    }

    /// The features that are off in a font. Those of one font depend on kerning alone.
    fn features_off(&self, face: &FontFace) -> &'static [Feature] {
        let end = match (face.has_own_forms(), face.ignores_alternates()) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 3,
        };
        OFF.get(usize::from(self.is_kerned)..end).unwrap_or_default()
    }

    /// Shapes the part `range` of `run` without context, and appends its glyphs from left to right. With `hyphen`, the
    /// last character, a soft hyphen, is written.
    pub(super) fn shape(
        &mut self,
        text: &str,
        run: &Run,
        range: Range<usize>,
        hyphen: bool,
        glyphs: &mut Vec<ShapedGlyph>,
    ) -> Result<(), LayoutError> {
        let start = range.start as u32;
        let shaped = self.glyphs_of(text, run, range, hyphen)?;
        glyphs.extend(shaped.iter().map(|glyph| ShapedGlyph { cluster: glyph.cluster + start, ..*glyph }));
        Ok(())
    }

    /// The glyphs of the part `range` of `run`, from the cache or shaped now. Their clusters count from the start of
    /// the part.
    pub(super) fn glyphs_of(
        &mut self,
        text: &str,
        run: &Run,
        range: Range<usize>,
        hyphen: bool,
    ) -> Result<SharedGlyphs, LayoutError> {
        let part = text.get(range).unwrap_or_default();
        self.work.spend(part.len() * LOOK_UP_STEPS)?;
        let options = ShapeOptions {
            font: self.catalogue.face(run.font).bytes().as_ptr() as usize,
            script: run.script.as_iso15924_tag(),
            right_to_left: run.is_right_to_left(),
            kerned: self.is_kerned,
            hyphen,
        };
        shape_cache::shaped(ShapeKey { options, text: part }, || self.shape_uncached(part, run, hyphen))
    }

    fn shape_uncached(&mut self, part: &str, run: &Run, hyphen: bool) -> Result<SharedGlyphs, LayoutError> {
        self.work.spend(part.len() * SHAPING_STEPS)?;
        let unusable = || LayoutError::UnusableFont(run.font);
        let face = self.catalogue.face(run.font);
        let prepared = prepared(face).ok_or_else(unusable)?;
        let direction = if run.is_right_to_left() { Direction::RightToLeft } else { Direction::LeftToRight };
        let script = Script::from_iso15924_tag(Tag::from_be_bytes(run.script.as_iso15924_tag().to_be_bytes()));

        self.buffer.clear();
        let mut characters: Vec<_> = shaped_characters(face, part, 0..part.len(), hyphen).collect();
        part_ligatures(face.wrong_ligatures(), &mut characters);
        without_dots(face, &characters, |at, character| self.buffer.push(u32::from(character), at as u32));
        self.buffer.set_direction(direction);
        self.buffer.set_script(script);
        let key = (run.script.as_iso15924_tag(), run.is_right_to_left(), self.is_kerned);
        let features = self.features_off(face);
        let new_plan = || Some(ShapePlan::new(&prepared.font, direction, script, None, features));
        let plan = shared(&prepared.plans, key, new_plan).ok_or_else(unusable)?;
        let options = harfrust::ShapeOptions::new().plan(Some(&plan)).features(features);
        harfrust::shape(&ShaperFont::new(&prepared.font), &mut self.buffer, options).map_err(|_| unusable())?;

        let mut pen = 0;
        let shaped = self.buffer.glyph_infos().iter().zip(self.buffer.glyph_positions());
        let mut glyphs: Vec<ShapedGlyph> = shaped
            .map(|(info, position)| {
                let glyph = GlyphId(u16::try_from(info.glyph_id).unwrap_or(0));
                let (glyph, advance) =
                    drawn_sign(face, part, info.cluster, glyph).unwrap_or((glyph, position.x_advance));
                let before = pen;
                pen += advance;
                ShapedGlyph {
                    glyph,
                    cluster: info.cluster,
                    safe_to_break: !info.unsafe_to_break(),
                    pen: before,
                    advance,
                    x: before + position.x_offset,
                    y: position.y_offset,
                }
            })
            .collect();
        place_marks(face, part, &mut glyphs);
        Ok(glyphs.into())
    }
}

/// Puts a joiner before the last letter of each of these sequences, so that a font forms no ligature of it.
fn part_ligatures(sequences: &[&str], characters: &mut Vec<(usize, char)>) {
    const JOINER: char = '\u{200D}';
    for sequence in sequences {
        let length = sequence.chars().count();
        let mut start = 0;
        while let Some(window) = characters.get(start..start + length) {
            if window.iter().map(|(_, character)| *character).eq(sequence.chars()) {
                let last = start + length - 1;
                characters.insert(last, (characters[last - 1].0, JOINER));
            }
            start += 1;
        }
    }
}

/// The glyph and advance of a sign that is drawn for a font, in place of a glyph of its file (most often that of missing
/// characters); `None` where the glyph is right.
fn drawn_sign(face: &FontFace, text: &str, cluster: u32, in_file: GlyphId) -> Option<(GlyphId, i32)> {
    let character = text.get(cluster as usize..)?.chars().next()?;
    face.drawn_sign(character).filter(|_| !face.is_mark(in_file))
}

/// The font of a face, prepared once; `None` for one that cannot be used.
fn prepared(face: &FontFace) -> Option<Arc<ShapingFont>> {
    let bytes = face.bytes();
    let new_font = || Some(ShapingFont { font: Font::new(bytes, 0)?, plans: DashMap::new() });
    shared(&FONTS, bytes.as_ptr() as usize, new_font)
}

/// The value of a key: a known one, or a new one.
fn shared<K: Eq + Hash, V>(known: &DashMap<K, Arc<V>>, key: K, new: impl FnOnce() -> Option<V>) -> Option<Arc<V>> {
    if let Some(value) = known.get(&key) {
        return Some(Arc::clone(&value));
    }
    let value = Arc::new(new()?);
    known.insert(key, Arc::clone(&value));
    Some(value)
}

/// The characters to shape for a part of a paragraph, each with its byte. Variation selectors without a shape in the
/// font are left out: with them, shapers draw boxes for missing characters instead of composing letters and replacing
/// spaces.
pub(super) fn shaped_characters(
    face: &FontFace,
    text: &str,
    range: Range<usize>,
    hyphen: bool,
) -> impl Iterator<Item = (usize, char)> {
    let (start, end) = (range.start, range.end);
    let characters = text.get(range).unwrap_or_default().char_indices().map(move |(offset, character)| {
        let at = start + offset;
        let last = at + character.len_utf8() == end;
        let written = if hyphen && last { '\u{2010}' } else { character };
        (at, stand_in(face, written))
    });
    let mut before = None;
    characters.filter(move |&(_, character)| {
        let chooses = |before| face.has_variation(before, character);
        let is_shaped = !is_variation_selector(character) || before.is_some_and(chooses);
        if is_shaped {
            before = Some(character);
        }
        is_shaped
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FontId;
    use crate::layout::probe::ShapeProbe;

    /// The glyphs of a text in a font, and its advance in font units.
    fn shaped(font: u16, text: &str) -> (Vec<u16>, i32) {
        let catalogue = FontCatalogue::load().unwrap();
        let work = WorkMeter::new(u64::MAX, &|| true);
        let font = FontId::new(font).unwrap();
        let (glyphs, advance) = ShapeProbe::new(&catalogue, font, Kerning::Pairs, &work).glyphs(text).unwrap();
        (glyphs.into_iter().map(|(glyph, _)| glyph.0).collect(), advance)
    }

    #[test]
    fn a_ligature_that_loses_a_letter_is_not_formed() {
        let (of_three, of_two) = (shaped(81, "ज्ज्व"), shaped(81, "ज्व"));
        assert!(of_three.1 > of_two.1 + 300, "{of_three:?} {of_two:?}");
        // Other conjuncts keep their ligatures.
        assert_eq!(shaped(81, "ज्ज्य").0.len(), 1);
        let (twice, once) = (shaped(81, "ज्ज्वज्ज्व"), shaped(81, "ज्ज्व"));
        assert_eq!(twice.0.len(), 2 * once.0.len());
    }

    #[test]
    fn signs_that_a_font_lacks_are_shaped_as_glyphs_of_their_own() {
        let (glyphs, advance) = shaped(1, "☐a✓");
        let count = FontCatalogue::load().unwrap().face(FontId::DEFAULT).glyph_count();
        assert!(glyphs.len() == 3 && glyphs[0] >= count && glyphs[1] < count && glyphs[2] > glyphs[0], "{glyphs:?}");
        assert!(advance > shaped(1, "☐").1 + shaped(1, "✓").1);
        // A Japanese hand has the signs of ideographs, and another hand does not.
        assert_eq!(shaped(90, "々").1, shaped(90, "一").1);
        assert_eq!(shaped(1, "々").0, [0]);
    }
}
