//! The characters of a font's cmap that the font does not write: their glyphs are blank, or draw something else.

use std::collections::HashMap;

use ttf_parser::Face;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use super::character_set::is_default_ignorable;
use super::outline::Outline;
use super::recorded_outline::outline_of;

/// What the ninety fonts do not write, by slug. ‡ and ¬ are blank; the others draw another character: Ẫ is drawn as Ẵ, ß
/// as B, ™ as ¤, ĺ as ľ, ÷ as :, ₣ as F, ₦ as N, ¿ as ?, ㎂ as mA, ㎍ as mg, 抦 as 憘. These were found by
/// comparing the outlines of all characters of each font, and looked at.
const OF_BUNDLED: [(&str, &str); 11] = [
    ("dancing-script", "Ẫ"),
    ("shadows-into-light", "ß"),
    ("homemade-apple", "™"),
    ("grape-nuts", "‡"),
    ("marck-script", "ĺ"),
    ("damion", "÷"),
    ("qwitcher-grypen", "₣₦"),
    ("ruthie", "¬"),
    ("rouge-script", "¿"),
    ("nanum-pen-script", "㎂㎍"),
    ("yomogi", "抦"),
];

/// The characters that the font of the program with this slug does not write.
pub(super) fn of_bundled(slug: &str) -> Vec<char> {
    let known = OF_BUNDLED.iter().find(|(other, _)| *other == slug);
    known.map_or_else(Vec::new, |(_, characters)| characters.chars().collect())
}

/// The characters of these that a font does not write: letters and signs whose glyph is blank or the sign of missing
/// characters, and letters with a mark that have the glyph of the letter without it.
pub(super) fn found(face: &Face<'_>, characters: impl Iterator<Item = char>) -> Vec<char> {
    let missing = Missing::of(face);
    // Many characters may lead to few glyphs. Whether each is blank, and whether it is the sign of missing characters.
    let mut known: HashMap<u16, (bool, bool)> = HashMap::new();
    let is_unwritten = |character: &char| {
        let Some(glyph) = face.glyph_index(*character).filter(|_| has_ink(*character)) else { return false };
        let (is_blank, is_missing) =
            *known.entry(glyph.0).or_insert_with(|| (is_blank(face, glyph), missing.is_drawn_by(face, glyph)));
        // Some fonts draw a letter for missing characters.
        is_blank || is_missing && !character.is_ascii() || lacks_its_mark(face, *character, glyph)
    };
    characters.filter(is_unwritten).collect()
}

/// Whether a character leaves ink: neither a space, a control nor invisible.
fn has_ink(character: char) -> bool {
    /// Letters without ink: Hangul fillers; and the blank Braille pattern.
    const FILLERS: [char; 5] = ['\u{115F}', '\u{1160}', '\u{3164}', '\u{FFA0}', '\u{2800}'];
    let group = character.general_category_group();
    !matches!(group, GeneralCategoryGroup::Separator | GeneralCategoryGroup::Other)
        && !is_default_ignorable(character)
        && !FILLERS.contains(&character)
}

/// Whether a glyph has no ink. Files of TrueType outlines tell it. The outlines of others are read, within the memory of an
/// examination: the box alone could take hours.
fn is_blank(face: &Face<'_>, glyph: ttf_parser::GlyphId) -> bool {
    match face.tables().glyf {
        Some(_) => face.glyph_bounding_box(glyph).is_none(),
        None => outline_of(face, super::GlyphId(glyph.0)).is_none(),
    }
}

/// Whether a letter composed with a mark has the glyph of the letter alone.
fn lacks_its_mark(face: &Face<'_>, character: char, glyph: ttf_parser::GlyphId) -> bool {
    let mut parts = Vec::new();
    decompose_canonical(character, |part| parts.push(part));
    let is_marked = parts.get(1).is_some_and(|mark| canonical_combining_class(*mark) != 0);
    is_marked && face.glyph_index(parts[0]) == Some(glyph)
}

/// The outline of the sign that a font draws for missing characters.
struct Missing(Option<Outline>);

impl Missing {
    const GLYPH: ttf_parser::GlyphId = ttf_parser::GlyphId(0);

    fn of(face: &Face<'_>) -> Self {
        Self(outline_of(face, super::GlyphId(Self::GLYPH.0)))
    }

    /// Whether another glyph has the same outline.
    fn is_drawn_by(&self, face: &Face<'_>, glyph: ttf_parser::GlyphId) -> bool {
        // Only the boxes of TrueType outlines are at hand.
        let ink = |glyph| face.tables().glyf.and_then(|table| table.bbox(glyph));
        self.0.is_some() && ink(glyph) == ink(Self::GLYPH) && outline_of(face, super::GlyphId(glyph.0)) == self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};

    #[test]
    fn the_table_has_all_blank_glyphs_of_the_ninety_fonts() {
        let catalogue = FontCatalogue::load().unwrap();
        let mut blank = Vec::new();
        for face in catalogue.faces() {
            let file = Face::parse(face.bytes(), 0).unwrap();
            let blank_or_wrong = found(&file, face.characters().all());
            assert!(blank_or_wrong.is_empty(), "font {}: {blank_or_wrong:?}", face.id().get());
            blank.extend(found(&file, face.characters().unwritten().iter().copied()));
        }
        assert_eq!(blank, ['‡', '¬']);
    }

    #[test]
    fn a_character_with_a_blank_or_wrong_glyph_is_not_written() {
        let catalogue = FontCatalogue::load().unwrap();
        let unwritten: usize = catalogue.faces().map(|face| face.characters().unwritten().len()).sum();
        let known: usize = OF_BUNDLED.iter().map(|(_, known)| known.chars().count()).sum();
        assert_eq!(unwritten, known);
        let face = |font| catalogue.face(FontId::new(font).unwrap());
        for (font, character) in [(34, '‡'), (5, 'ß'), (50, '÷')] {
            assert!(!face(font).has(character) && !face(font).characters().draws(character), "{font} {character}");
        }
        assert!(face(2).has('‡') && face(4).has('ß'));
    }
}
