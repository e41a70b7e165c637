//! The characters of a font's cmap that the font does not write: their glyphs are blank, or draw something else; and
//! sequences whose ligature draws something else.

use std::collections::HashMap;

use ttf_parser::Face;
use unicode_normalization::char::{canonical_combining_class, decompose_canonical};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use super::character_set::is_default_ignorable;
use super::outline::Outline;
use super::raised::{Raised, is_lowered, on_the_line};
use super::recorded_outline::outline_of;

/// What the ninety fonts do not write, by slug. ‡ and ¬ are blank; the others draw another character: Ẫ is drawn as Ẵ, ß
/// as B, ™ as ¤, ĺ as ľ, ÷ as :, ¡ as ¿ and that as ?, _ as a flourish, \ as /, « as ‹, ₣ as F, ₦ as N, ¿ as ?, ㎂ as mA, ㎍ as mg, 抦 as 憘, the macron below as
/// a dot, ş as Ş, Ə as ə, µ as N, º as œ, Ľ with a caron, ‘ and ’ as each other; ʼ and ʻ have gaps like spaces; raised and lowered letters are drawn as those on the line, hardly above it or, in
/// Qwigley, hardly at all; ǒ and its like as capitals. These were found by comparing the outlines of all characters of
/// each font, and looked at.
const OF_BUNDLED: &[(&str, &str)] = &[
    ("caveat", "ʼ"),
    ("dancing-script", "Ẫ"),
    ("nothing-you-could-do", "µ¹²³"),
    ("shadows-into-light", "ß¹²³"),
    ("la-belle-aurore", "¹²³"),
    ("architects-daughter", "¹²³"),
    ("homemade-apple", "™º"),
    ("mynerve", "şʰʲʷˡⁿ₍₎\u{331}"),
    ("pangolin", "ʻƏ«»ªº₀₁₂₃₄₅₆₇₈₉"),
    ("fuzzy-bubbles", "ǒǔǖǚǜ"),
    ("annie-use-your-telescope", "Ľ¹²³"),
    ("the-girl-next-door", "¹²³"),
    ("swanky-and-moo-moo", "¹²³"),
    ("loved-by-the-king", "¹²³"),
    ("grape-nuts", "‡"),
    ("marck-script", "ĺ"),
    ("sedgwick-ave", "ʼ"),
    ("just-me-again-down-here", "\\"),
    ("cedarville-cursive", "º¹²³"),
    ("zeyada", "¹²³"),
    ("dawning-of-a-new-day", "ºµ"),
    ("damion", "÷\\¹²³⁴"),
    ("qwigley", "²³⁴"),
    ("allison", "⁴"),
    ("qwitcher-grypen", "₣₦⁴"),
    ("inspiration", "÷ǒǔǖǚǜ"),
    ("hurricane", "ǒǔǖǚǜ"),
    ("send-flowers", "ʼ"),
    ("ms-madi", "ʼ"),
    ("corinthia", "ǒǔǖǚǜ"),
    ("ruthie", "¬_"),
    ("rouge-script", "¡¿"),
    ("charmonman", "‘’"),
    ("nanum-pen-script", "㎂㎍"),
    ("yomogi", "抦ªº"),
];

/// Sequences that a font of the program draws as other letters, by slug: ज्ज्व as ज्व. It was found by comparing the
/// widths of all conjuncts of three letters with those of their parts.
const WRONG_LIGATURES: [(&str, &[&str]); 1] = [("kalam", &["ज्ज्व"])];

/// The sequences that the font of the program with this slug draws as other letters.
pub(super) fn wrong_ligatures(slug: &str) -> &'static [&'static str] {
    WRONG_LIGATURES.iter().find(|(other, _)| *other == slug).map_or(&[], |(_, sequences)| sequences)
}

/// The characters that the font of the program with this slug does not write.
pub(super) fn of_bundled(slug: &str) -> Vec<char> {
    let known = OF_BUNDLED.iter().find(|(other, _)| *other == slug);
    known.map_or_else(Vec::new, |(_, characters)| characters.chars().collect())
}

/// The characters of these that a font does not write: letters and signs whose glyph is blank or the sign of missing
/// characters, letters with a mark that have the glyph of the letter without it or of the capital, raised and lowered
/// letters that stand on the line, and signs of which two look the same.
pub(super) fn found(face: &Face<'_>, characters: impl Iterator<Item = char>) -> Vec<char> {
    let missing = Missing::of(face);
    // Many characters may lead to few glyphs. Whether each is blank, and whether it is the sign of missing characters.
    let mut known: HashMap<u16, (bool, bool)> = HashMap::new();
    let is_unwritten = |character: &char| {
        let Some(glyph) = face.glyph_index(*character).filter(|_| has_ink(*character)) else { return false };
        let (is_blank, is_missing) =
            *known.entry(glyph.0).or_insert_with(|| (is_blank(face, glyph), missing.is_drawn_by(face, glyph)));
        // Some fonts draw a letter for missing characters.
        is_blank
            || is_missing && !character.is_ascii()
            || lacks_its_mark(face, *character, glyph)
            || draws_another(face, *character)
    };
    characters.filter(is_unwritten).collect()
}

/// Whether a character leaves ink: neither a space, a control nor invisible.
fn has_ink(character: char) -> bool {
    /// Letters without ink: Hangul fillers; the blank Braille pattern; and the Arabic tatweel, for which some fonts have
    /// rules and no ink.
    const FILLERS: [char; 6] = ['\u{115F}', '\u{1160}', '\u{3164}', '\u{FFA0}', '\u{2800}', '\u{640}'];
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

/// Whether a character has the outline of another one that reads differently.
fn draws_another(face: &Face<'_>, character: char) -> bool {
    /// Signs none of which looks like another.
    const DISTINCT: &str = "…„¼½¾¡¿§¶†‡•‰€£¥™©®«»±÷×¢¤\\";
    /// Other signs that they are drawn as.
    const OTHERS: &str = "¹²³₩/:-−–";
    /// Signs of mathematics, which old fonts have in place of letters, and the names of their glyphs.
    const MATHEMATICS: [(char, &str); 14] = [
        ('Ω', "Omega"),
        ('π', "pi"),
        ('∂', "partialdiff"),
        ('∆', "Delta"),
        ('∏', "product"),
        ('∑', "summation"),
        ('√', "radical"),
        ('∞', "infinity"),
        ('∫', "integral"),
        ('≈', "approxequal"),
        ('≠', "notequal"),
        ('≤', "lessequal"),
        ('≥', "greaterequal"),
        ('◊', "lozenge"),
    ];
    let is = |other: char| has_outline_of(face, character, other);
    if let Some(plain) = on_the_line(character) {
        return is(plain) || plain.is_ascii_digit() && !is_lowered(character) && !is_raised(face, character, plain);
    }
    if DISTINCT.contains(character) {
        return DISTINCT.chars().chain(OTHERS.chars()).any(|other| other != character && is(other));
    }
    let capital = |letter: char| letter.to_uppercase().next().filter(|capital| *capital != letter);
    let mut parts = Vec::new();
    decompose_canonical(character, |part| parts.push(part));
    // A hand of capitals draws all small letters so.
    let draws_capital = |letter: char| capital(letter).is_some_and(|capital| has_outline_of(face, letter, capital));
    let name = || face.glyph_index(character).and_then(|glyph| face.glyph_name(glyph));
    let draws_sign = |&(sign, its_name): &(char, &str)| sign != character && (is(sign) || name() == Some(its_name));
    parts.len() > 1 && (draws_capital(character) && !draws_capital(parts[0]) || MATHEMATICS.iter().any(draws_sign))
}

/// Whether a raised figure stands above the line, as a smaller figure.
fn is_raised(face: &Face<'_>, raised: char, plain: char) -> bool {
    let ink = |character| Some(outline_of(face, super::GlyphId(face.glyph_index(character)?.0))?.ink);
    ink(raised).zip(ink(plain)).is_none_or(|(raised, plain)| Raised::of(raised, plain).is_some())
}

/// Whether two characters of a font have the same outline.
fn has_outline_of(face: &Face<'_>, character: char, other: char) -> bool {
    let (Some(one), Some(other)) = (face.glyph_index(character), face.glyph_index(other)) else { return false };
    let ink = |glyph| face.tables().glyf.and_then(|table| table.bbox(glyph));
    let outline = |glyph: ttf_parser::GlyphId| outline_of(face, super::GlyphId(glyph.0));
    one == other || ink(one) == ink(other) && outline(one).is_some() && outline(one) == outline(other)
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
    fn the_table_has_all_that_is_found_in_the_ninety_fonts() {
        let catalogue = FontCatalogue::load().unwrap();
        let mut known = Vec::new();
        for face in catalogue.faces() {
            let file = Face::parse(face.bytes(), 0).unwrap();
            let mut blank_or_wrong = found(&file, face.characters().all());
            // The sign that Homemade Apple draws for ™, too.
            blank_or_wrong.retain(|character| (face.slug(), *character) != ("homemade-apple", '¤'));
            assert!(blank_or_wrong.is_empty(), "font {}: {blank_or_wrong:?}", face.id().get());
            known.extend(found(&file, face.characters().unwritten().iter().copied()));
        }
        assert_eq!(
            String::from_iter(known),
            "²³¹²³¹²³¹²¹™ʰʲʷˡⁿ₍₎ªº₀₁₂₃₄₅₇₈₉ǒǔǖǚǜ²¹²³¹²³¹²³¹‡²³¹²³¹\\²³¹÷⁴²³⁴⁴ǒǔǖǚǜǒǔǖǚǜ¬ǒǔǖǚǜªº"
        );
    }

    #[test]
    fn a_character_with_a_blank_or_wrong_glyph_is_not_written() {
        let catalogue = FontCatalogue::load().unwrap();
        let unwritten: usize = catalogue.faces().map(|face| face.characters().unwritten().len()).sum();
        let known: usize = OF_BUNDLED.iter().map(|(_, known)| known.chars().count()).sum();
        assert_eq!(unwritten, known);
        let face = |font| catalogue.face(FontId::new(font).unwrap());
        for (font, character) in [(34, '‡'), (5, 'ß'), (50, '÷'), (56, 'ǔ')] {
            assert!(!face(font).has(character) && !face(font).characters().draws(character), "{font} {character}");
        }
        // These are drawn for the font.
        assert!(face(50).has('\\') && face(52).has('²'));
        assert!(face(2).has('‡') && face(4).has('ß'));
    }
}
