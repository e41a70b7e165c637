//! The characters of a font's cmap that the font does not write: their glyphs are blank, or draw something else.

use ttf_parser::Face;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use super::character_set::is_default_ignorable;
use super::recorded_outline::outline_of;

/// Glyphs of the ninety fonts that draw another character than that of their cmap: by slug the characters. They were
/// found by comparing the outlines of all characters of each font, and looked at: Ẫ is drawn as Ẵ, ß as B, ™ as ¤, ĺ as
/// ľ, \ as /, ÷ as :, ₣ as F, ₦ as N, ¿ as ?, ㎂ as mA, ㎍ as mg, 抦 as 憘.
const DRAWN_AS_ANOTHER: [(&str, &str); 9] = [
    ("dancing-script", "Ẫ"),
    ("shadows-into-light", "ß"),
    ("homemade-apple", "™"),
    ("marck-script", "ĺ"),
    ("damion", "\\÷"),
    ("qwitcher-grypen", "₣₦"),
    ("rouge-script", "¿"),
    ("nanum-pen-script", "㎂㎍"),
    ("yomogi", "抦"),
];

/// The characters of these that the font of a slug does not write: letters and signs whose glyph is blank or the sign of
/// missing characters, letters with a mark that have the glyph of the letter without it, and those known to be wrong.
pub(super) fn unwritten(slug: &str, face: &Face<'_>, characters: impl Iterator<Item = char>) -> Vec<char> {
    let known = DRAWN_AS_ANOTHER.iter().find(|(other, _)| *other == slug).map_or("", |(_, known)| known);
    let missing = Missing::of(face);
    let is_unwritten = |character: &char| {
        let glyph = face.glyph_index(*character).filter(|_| has_ink(*character));
        let is_wrong = |glyph| face.glyph_bounding_box(glyph).is_none() || missing.is_drawn_by(face, glyph);
        glyph.is_some_and(|glyph| is_wrong(glyph) || lacks_its_mark(face, *character, glyph))
            || known.contains(*character)
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

/// Whether a letter composed with a mark has the glyph of the letter alone.
fn lacks_its_mark(face: &Face<'_>, character: char, glyph: ttf_parser::GlyphId) -> bool {
    let mut parts = Vec::new();
    decompose_canonical(character, |part| parts.push(part));
    let is_marked = parts.get(1).is_some_and(|mark| canonical_combining_class(*mark) != 0);
    is_marked && face.glyph_index(parts[0]) == Some(glyph)
}

/// The sign that a font draws for missing characters.
struct Missing(Option<ttf_parser::Rect>);

impl Missing {
    const GLYPH: ttf_parser::GlyphId = ttf_parser::GlyphId(0);

    fn of(face: &Face<'_>) -> Self {
        Self(face.glyph_bounding_box(Self::GLYPH))
    }

    /// Whether another glyph has the same outline.
    fn is_drawn_by(&self, face: &Face<'_>, glyph: ttf_parser::GlyphId) -> bool {
        let outline = |glyph: ttf_parser::GlyphId| outline_of(face, super::GlyphId(glyph.0));
        self.0.is_some() && face.glyph_bounding_box(glyph) == self.0 && outline(glyph) == outline(Self::GLYPH)
    }
}

#[cfg(test)]
mod tests {
    use crate::catalogue::FontCatalogue;

    #[test]
    fn a_character_with_a_blank_or_wrong_glyph_is_not_written() {
        let catalogue = FontCatalogue::load().unwrap();
        let unwritten: Vec<(u16, String)> = catalogue
            .faces()
            .map(|face| (face.id().get(), face.characters().unwritten().iter().collect()))
            .filter(|(_, characters): &(u16, String)| !characters.is_empty())
            .collect();
        let expected = [
            (3, "Ẫ"),
            (5, "ß"),
            (8, "™"),
            (34, "‡"),
            (46, "ĺ"),
            (50, "\\÷"),
            (55, "₣₦"),
            (62, "¬"),
            (68, "¿"),
            (89, "㎂㎍"),
            (90, "抦"),
        ];
        assert_eq!(unwritten, expected.map(|(font, characters)| (font, characters.to_owned())));
        for (font, character) in [(2, '‡'), (4, 'ß')] {
            let face = catalogue.face(crate::catalogue::FontId::new(font).unwrap());
            assert!(!face.characters().unwritten().contains(&character), "{font} {character}");
        }
        let face = catalogue.face(crate::catalogue::FontId::new(34).unwrap());
        assert!(!face.has('‡') && !face.characters().draws('‡'));
    }
}
