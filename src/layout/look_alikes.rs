//! What is written for a character that the chosen font lacks: its letters, or a character that looks like it.
//!
//! The letters are those of Unicode's compatibility decomposition (UAX 15, NFKC) where they read the same: ligatures,
//! full-width letters, Roman numerals, units, fractions, abbreviations. Raised and lowered letters and those in circles
//! are left alone, because they mean something else without their place. The look-alikes are from the confusables of
//! UTS 39 and the fallback characters of CLDR (`characters.xml`), where both characters read the same.

use std::ops::RangeInclusive;

use unicode_normalization::char::decompose_compatible;

use super::characters::can_draw;
use crate::catalogue::{FontCatalogue, FontFace};

const UNITS: RangeInclusive<char> = '\u{3371}'..='\u{33DF}';

/// Blocks, and parts of blocks, whose compatibility decompositions read the same.
const READ_THE_SAME: [RangeInclusive<char>; 22] = [
    '\u{BC}'..='\u{BE}',     // fractions
    '\u{132}'..='\u{133}',   // ĳ
    '\u{13F}'..='\u{140}',   // ŀ
    '\u{149}'..='\u{149}',   // ŉ
    '\u{17F}'..='\u{17F}',   // ſ
    '\u{1C4}'..='\u{1CC}',   // ǆ, ǉ, ǌ
    '\u{1F1}'..='\u{1F3}',   // ǳ
    '\u{2025}'..='\u{2026}', // …
    '\u{2033}'..='\u{2034}', // ″
    '\u{203C}'..='\u{203C}', // ‼
    '\u{2047}'..='\u{2049}', // ⁇
    '\u{20A8}'..='\u{20A8}', // ₨
    '\u{2100}'..='\u{2106}', // ℃, ℀
    '\u{2109}'..='\u{2115}', // ℉, ℎ, ℕ
    '\u{2119}'..='\u{211D}', // ℚ, ℝ
    '\u{2121}'..='\u{2124}', // ℡, ℤ
    '\u{2150}'..='\u{217F}', // fractions, Roman numerals
    UNITS,
    '\u{FB00}'..='\u{FB06}',   // ligatures
    '\u{FE50}'..='\u{FE6B}',   // small forms
    '\u{FF01}'..='\u{FF5E}',   // full-width letters
    '\u{1D400}'..='\u{1D7FF}', // mathematical letters
];

/// Characters and what looks like them, the closest first.
const LOOK_ALIKES: [(char, &str); 57] = [
    ('ʻ', "‘'"),
    ('ʼ', "’'"),
    ('ʽ', "‛‘'"),
    ('ʹ', "′'"),
    ('ʺ', "″\""),
    ('ʾ', "’'"),
    ('ʿ', "‘'"),
    ('ˈ', "'"),
    ('μ', "µ"),
    ('￥', "¥"),
    ('￡', "£"),
    ('￠', "¢"),
    ('ꞌ', "'"),
    ('‘', "'"),
    ('’', "'"),
    ('‛', "‘'"),
    ('‚', ","),
    ('“', "\""),
    ('”', "\""),
    ('‟', "“\""),
    ('′', "'"),
    ('″', "\""),
    ('‹', "<"),
    ('›', ">"),
    ('‒', "–-"),
    ('–', "-"),
    ('—', "–-"),
    ('―', "—–-"),
    ('−', "–-"),
    ('⸺', "—–-"),
    ('─', "—–-"),
    ('━', "—–-"),
    ('═', "="),
    ('⁄', "/"),
    ('∕', "/⁄"),
    ('∙', "·•"),
    ('⋅', "·"),
    ('‣', "•·"),
    ('▢', "☐"),
    ('❏', "☐"),
    ('❑', "☐"),
    ('➔', "→"),
    ('➜', "→"),
    ('➞', "→"),
    ('⟶', "→"),
    ('►', "•"),
    ('▸', "•"),
    ('▪', "•"),
    ('➢', "•"),
    ('➤', "•"),
    ('∶', ":"),
    ('∣', "|"),
    ('∼', "~"),
    ('⁓', "~"),
    ('‧', "·•"),
    ('‵', "`'"),
    ('⋯', "…"),
];

/// What to write for a character that the font `chosen` lacks: characters that this font has, or, for a character that
/// no font has, characters that fonts of the catalogue have. `None` where there is nothing that reads the same.
pub(super) fn replacement(character: char, chosen: &FontFace, catalogue: &FontCatalogue) -> Option<String> {
    if can_draw(chosen, character) {
        return None;
    }
    let in_chosen = written(character, &|other| can_draw(chosen, other));
    in_chosen.or_else(|| {
        let no_font_has_it = !catalogue.draws(character);
        no_font_has_it.then(|| written(character, &|other| catalogue.draws(other))).flatten()
    })
}

fn written(character: char, has: &dyn Fn(char) -> bool) -> Option<String> {
    if !READ_THE_SAME.iter().any(|block| block.contains(&character)) {
        return look_alike(character, has).map(String::from);
    }
    let mut letters = Some(String::new());
    decompose_compatible(character, |part| {
        // Full decomposition takes the place of the figure of ㎡ away.
        let part = match part {
            '2' if UNITS.contains(&character) => '²',
            '3' if UNITS.contains(&character) => '³',
            part => part,
        };
        let part = if has(part) { Some(part) } else { look_alike(part, has) };
        letters = letters.take().zip(part).map(|(letters, part)| letters + part.encode_utf8(&mut [0; 4]));
    });
    letters
}

fn look_alike(character: char, has: &dyn Fn(char) -> bool) -> Option<char> {
    let (_, others) = LOOK_ALIKES.iter().find(|(lacking, _)| *lacking == character)?;
    others.chars().find(|other| has(*other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FontId;

    #[test]
    fn a_character_is_written_by_its_letters_or_a_look_alike_of_the_same_font() {
        let catalogue = FontCatalogue::load().unwrap();
        let written =
            |font: u16, character| replacement(character, catalogue.face(FontId::new(font).unwrap()), &catalogue);
        for (character, expected) in [
            ('ﬃ', Some("ffi")),
            ('Ａ', Some("A")),
            ('Ⅳ', Some("IV")),
            ('㎏', Some("kg")),
            ('ℝ', Some("R")),
            ('﹣', Some("-")),
            ('⁓', Some("~")),
            ('❏', Some("☐")),
            ('㎡', Some("m²")),
            ('ʿ', Some("‘")),
            ('￡', Some("£")),
            ('℀', Some("a/c")),
            ('ʻ', Some("‘")),
            // Another meaning without its place.
            ('①', None),
            ('ᵃ', None),
            // The font has it.
            ('a', None),
        ] {
            assert_eq!(written(9, character).as_deref(), expected, "{character}");
        }
    }

    #[test]
    fn no_look_alike_leads_back() {
        for (character, others) in LOOK_ALIKES {
            assert!(!others.contains(character), "{character}");
            assert_eq!(LOOK_ALIKES.iter().filter(|(other, _)| *other == character).count(), 1, "{character}");
        }
    }
}
