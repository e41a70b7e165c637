//! Classifies characters: written, replaced by a space, left out, or refused.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji as _, UnicodeGeneralCategory as _};

use crate::catalogue::{FontCatalogue, FontFace, is_default_ignorable};

/// What layout does with a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// Written: some font draws it, or it changes its neighbours.
    Written,
    /// A space or tab; a sequence of them becomes one space.
    Space,
    /// Left out, with a warning: emoji, ornaments and invisible controls that no font has.
    Omitted,
    /// No font has it and it carries meaning: the text is refused.
    Unsupported,
}

/// The class of `character` in the font `chosen`.
pub(super) fn class_of(character: char, chosen: &FontFace, catalogue: &FontCatalogue) -> CharClass {
    match character {
        ' ' | '\t' => CharClass::Space,
        // What programs leave of a picture in a text.
        '\u{FFFC}' => CharClass::Omitted,
        // Some fonts map these to arbitrary glyphs.
        _ if matches!(character.general_category(), GeneralCategory::Control | GeneralCategory::PrivateUse) => {
            CharClass::Omitted
        }
        _ if is_default_ignorable(character) && !steers(character) => CharClass::Omitted,
        _ if can_draw(chosen, character) || is_default_ignorable(character) => CharClass::Written,
        _ if catalogue.draws(character) => CharClass::Written,
        _ if is_ornament(character) => CharClass::Omitted,
        _ => match character.general_category_group() {
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number | GeneralCategoryGroup::Punctuation => {
                CharClass::Unsupported
            }
            GeneralCategoryGroup::Mark | GeneralCategoryGroup::Symbol if !is_emoji(character) => CharClass::Unsupported,
            _ => CharClass::Omitted,
        },
    }
}

/// Whether a character is a shape or an arrow without a meaning in words: of the blocks of arrows, box drawing, block
/// elements, geometric shapes, miscellaneous symbols and dingbats.
fn is_ornament(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{21FF}' | '\u{2500}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}')
        && character.general_category_group() == GeneralCategoryGroup::Symbol
}

/// Asks for the emoji form of the character before it.
pub(super) const AS_EMOJI: char = '\u{FE0F}';

/// Whether the character selects, in the cmap, a shape of the character before it. (Mongolian selectors change joining
/// instead, and are not included.)
pub(super) const fn is_variation_selector(character: char) -> bool {
    matches!(character, '\u{FE00}'..='\u{FE0F}')
}

/// Whether the character is an emoji, can be one, or is part of one.
pub(super) fn is_emoji(character: char) -> bool {
    character.is_emoji_char_or_emoji_component()
}

/// Whether an invisible character changes how its neighbours are written, broken or joined: soft hyphens, joiners,
/// direction marks, fillers and variation selectors. Invisible operators, tags and deprecated characters do not.
const fn steers(character: char) -> bool {
    !matches!(
        character,
        '\u{2061}'..='\u{2065}'
            | '\u{206A}'..='\u{206F}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E00FF}'
            | '\u{E01F0}'..='\u{E0FFF}'
    )
}

/// Whether the character leaves no ink: a space, or an invisible character.
pub(super) fn is_blank(character: char) -> bool {
    is_space(character) || is_default_ignorable(character)
}

/// Whether the font draws the character, or a substitute for it if it is a space or hyphen.
pub(super) fn can_draw(face: &FontFace, character: char) -> bool {
    if is_compatibility_ideograph(character) {
        return face.has(character);
    }
    is_space(character) || is_hyphen(character) || face.characters().draws(character)
}

/// Whether a character is another form of an ideograph, which NFC replaces by the usual one.
pub(super) const fn is_compatibility_ideograph(character: char) -> bool {
    matches!(character, '\u{F900}'..='\u{FAFF}' | '\u{2F800}'..='\u{2FA1F}')
}

/// Whether the character is blank and has a width. If a font lacks it, shaping uses a space of that width, or a
/// fraction of the em.
pub(super) const fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}')
}

/// Whether `word_spacing` widens the character.
pub(super) const fn is_word_space(character: char) -> bool {
    matches!(character, ' ' | '\u{A0}')
}

/// Whether the character is a space at which a line does not break (UAX 14, class GL).
pub(super) const fn is_no_break_space(character: char) -> bool {
    matches!(character, '\u{A0}' | '\u{2007}' | '\u{202F}')
}

/// U+2010 and U+2011; U+002D replaces them in fonts that lack them.
pub(super) const fn is_hyphen(character: char) -> bool {
    matches!(character, '\u{2010}' | '\u{2011}')
}

/// The character to shape for `character`: itself, or a replacement for a hyphen that the font lacks.
pub(super) fn stand_in(face: &FontFace, character: char) -> char {
    if !is_hyphen(character) || face.has(character) {
        character
    } else if face.has('\u{2010}') {
        '\u{2010}'
    } else {
        '-'
    }
}

/// Whether the character is part of a word, which should stay in one font: a letter or a mark.
pub(super) fn is_word_part(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic();
    }
    is_default_ignorable(character)
        || matches!(character.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark)
}

/// Whether a character is a sign that is written apart: a stop, comma or colon, the end of a sentence, an apostrophe, a
/// quotation mark or a bracket.
pub(super) const fn is_sign(character: char) -> bool {
    let is_ascii =
        matches!(character, '.' | ',' | '!' | '?' | ':' | ';' | '\'' | '"' | '(' | ')' | '[' | ']' | '{' | '}');
    let is_quote = matches!(character, '\u{2018}'..='\u{201f}' | '\u{2039}' | '\u{203a}' | '\u{ab}' | '\u{bb}');
    is_ascii || is_quote || matches!(character, '\u{2026}' | '\u{a1}' | '\u{bf}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::FontId;

    #[test]
    fn a_character_is_written_left_out_or_refused() {
        let catalogue = FontCatalogue::load().unwrap();
        let class = |character| class_of(character, catalogue.face(FontId::DEFAULT), &catalogue);
        let cases = [
            ('a', CharClass::Written),
            ('ह', CharClass::Written),
            ('\u{200D}', CharClass::Written),
            ('\u{FE0F}', CharClass::Written),
            ('\u{2062}', CharClass::Omitted),
            ('\u{E0041}', CharClass::Omitted),
            ('\u{A0}', CharClass::Written),
            ('\u{2011}', CharClass::Written),
            ('\t', CharClass::Space),
            ('😀', CharClass::Omitted),
            ('\u{20E3}', CharClass::Omitted),
            ('\u{1F3FB}', CharClass::Omitted),
            ('〰', CharClass::Unsupported),
            ('ℹ', CharClass::Unsupported),
            ('\u{7}', CharClass::Omitted),
            ('\u{E000}', CharClass::Omitted),
            ('\u{FFFC}', CharClass::Omitted),
            ('𓀀', CharClass::Unsupported),
            ('\u{10A40}', CharClass::Unsupported),
            ('⠿', CharClass::Unsupported),
        ];
        for (character, expected) in cases {
            assert_eq!(class(character), expected, "U+{:04X}", u32::from(character));
        }
    }
}
