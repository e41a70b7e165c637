//! Decides what becomes of each character: written, replaced by a space, left out, or refused.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji as _, UnicodeGeneralCategory as _};

use crate::catalogue::{FontCatalogue, FontFace, is_default_ignorable};

/// The lot of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    /// Some font draws it, or it steers its neighbours.
    Written,
    /// A space or tab, of which runs become one.
    Space,
    /// Left out, with a warning: emoji and invisible controls that no font has.
    Omitted,
    /// No font has it and it means something: the text is refused.
    Unsupported,
}

/// What becomes of `character` in the font `chosen`.
pub(super) fn class_of(character: char, chosen: &FontFace, catalogue: &FontCatalogue) -> CharClass {
    match character {
        ' ' | '\t' => CharClass::Space,
        // Some fonts map these, to whatever their maker kept there.
        _ if matches!(character.general_category(), GeneralCategory::Control | GeneralCategory::PrivateUse) => {
            CharClass::Omitted
        }
        _ if is_default_ignorable(character) && !steers(character) => CharClass::Omitted,
        _ if can_draw(chosen, character) || is_default_ignorable(character) => CharClass::Written,
        _ if catalogue.draws(character) => CharClass::Written,
        _ => match character.general_category_group() {
            GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number | GeneralCategoryGroup::Punctuation => {
                CharClass::Unsupported
            }
            GeneralCategoryGroup::Mark | GeneralCategoryGroup::Symbol if !is_emoji(character) => CharClass::Unsupported,
            _ => CharClass::Omitted,
        },
    }
}

/// Asks for a character's picture where it has both a picture and a text form.
pub(super) const AS_EMOJI: char = '\u{FE0F}';

/// Whether the character chooses a shape in the cmap for the one before it. (Those of Mongolian steer its joining.)
pub(super) const fn is_variation_selector(character: char) -> bool {
    matches!(character, '\u{FE00}'..='\u{FE0F}')
}

/// Whether the character is or can be a picture, or part of one.
pub(super) fn is_emoji(character: char) -> bool {
    character.is_emoji_char_or_emoji_component()
}

/// Whether an invisible character changes how its neighbours are written, broken or joined: soft hyphens, joiners, marks
/// of direction, fillers and variation selectors, unlike operators that nobody sees, tags and what Unicode has given up.
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

/// Whether the character leaves no ink: a blank, or one that steers others.
pub(super) fn is_blank(character: char) -> bool {
    is_space(character) || is_default_ignorable(character)
}

/// Whether the font draws the character, its stand-ins for spaces and hyphens included.
pub(super) fn can_draw(face: &FontFace, character: char) -> bool {
    is_space(character) || is_hyphen(character) || face.characters().draws(character)
}

/// Whether the character is blank with a width of its own. Shaping draws those that a font lacks as a space of that
/// width, or as a fraction of the em.
pub(super) const fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}')
}

/// Whether `word_spacing` widens it.
pub(super) const fn is_word_space(character: char) -> bool {
    matches!(character, ' ' | '\u{A0}')
}

/// U+2010 and U+2011, for which U+002D stands in.
pub(super) const fn is_hyphen(character: char) -> bool {
    matches!(character, '\u{2010}' | '\u{2011}')
}

/// The character to shape for `character`: itself, or what stands in for a hyphen the font lacks.
pub(super) fn stand_in(face: &FontFace, character: char) -> char {
    if !is_hyphen(character) || face.has(character) {
        character
    } else if face.has('\u{2010}') {
        '\u{2010}'
    } else {
        '-'
    }
}

/// Whether the character is part of a word, which should not change fonts in the middle: a letter or a mark.
pub(super) fn is_word_part(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic();
    }
    is_default_ignorable(character)
        || matches!(character.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark)
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
            ('𓀀', CharClass::Unsupported),
            ('\u{10A40}', CharClass::Unsupported),
            ('⠿', CharClass::Unsupported),
        ];
        for (character, expected) in cases {
            assert_eq!(class(character), expected, "U+{:04X}", u32::from(character));
        }
    }
}
