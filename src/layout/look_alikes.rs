//! What is written for a character that the chosen font lacks: its letters, or a character that looks like it.
//!
//! The letters are those of Unicode's compatibility decomposition (UAX 15, NFKC) where they read the same: ligatures,
//! full-width letters, Roman numerals, units, fractions, abbreviations. Raised and lowered letters and those in circles
//! are left alone, because they mean something else without their place. The look-alikes are from the confusables of
//! UTS 39 and the fallback characters of CLDR (`characters.xml`), where both characters read the same.

use std::ops::RangeInclusive;

use unicode_normalization::char::decompose_compatible;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};
use unicode_script::{Script, UnicodeScript as _};

use super::characters::{can_draw, is_word_part};
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

/// Letters of Cyrillic and Greek that look like letters of ASCII, and these, in the same order (UTS 39).
const LIKE_LATIN: [&str; 2] =
    ["аеорсухіјѕһԁАВЕКМНОРСТУХІЈЅοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijshdABEKMHOPCTYXIJSoABEZHIKMNOPTYX"];

/// Characters and what looks like them, the closest first.
const LOOK_ALIKES: &[(char, &str)] = &[
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
    ('◄', "←"),
    ('↵', "←"),
    ('⬤', "●"),
    ('✕', "✗"),
    ('✱', "*"),
    ('✦', "★"),
    ('✧', "☆"),
    ('❥', "♥"),
    ('♫', "♪"),
    ('ℹ', "i"),
    ('ᴀ', "A"),
    ('ᴄ', "C"),
    ('ᴅ', "D"),
    ('ᴇ', "E"),
    ('ᴋ', "K"),
    ('ᴍ', "M"),
    ('ᴏ', "O"),
    ('ᴘ', "P"),
    ('ᴛ', "T"),
    ('ᴜ', "U"),
    ('ʀ', "R"),
    ('ɴ', "N"),
    ('ʙ', "B"),
    ('ɢ', "G"),
    ('ʜ', "H"),
    ('ɪ', "I"),
    ('ʟ', "L"),
    ('ʏ', "Y"),
    ('ᴊ', "J"),
    ('ᴠ', "V"),
    ('ᴡ', "W"),
    ('ᴢ', "Z"),
    ('✿', "*"),
    ('❀', "*"),
    ('∶', ":"),
    ('∣', "|"),
    ('∼', "~"),
    ('⁓', "~"),
    ('‧', "·•"),
    ('‵', "`'"),
    ('⋯', "…"),
    ('⁃', "–-"),
    ('❖', "◆•"),
    ('◈', "◆•"),
    ('⦿', "◉●"),
    ('◉', "●"),
    ('◦', "•○"),
    ('▫', "□"),
    ('⁕', "*"),
    ('✩', "☆"),
    ('✪', "★"),
    ('✰', "☆"),
    ('☞', "→"),
    ('♩', "♪"),
    ('♬', "♪"),
    ('❣', "♥"),
    ('💕', "♥"),
    ('♢', "◇"),
    ('♦', "◆"),
    ('▲', "△"),
    ('▼', "▽"),
    ('▶', "→"),
    ('◀', "←"),
    ('▬', "—–-"),
    ('⎯', "—–-"),
    ('➣', "→"),
    ('➙', "→"),
    ('⇒', "→"),
    ('↳', "→"),
    ('↪', "→"),
    ('⇨', "→"),
    ('➡', "→"),
    ('⬅', "←"),
    ('⬆', "↑"),
    ('⬇', "↓"),
    // Emoji that a pen draws as signs.
    ('⭐', "★☆"),
    ('🌟', "★☆"),
    ('✅', "✓"),
    ('❌', "✗"),
    ('❎', "☒"),
    ('⭕', "○"),
    ('🧡', "♥"),
    ('💛', "♥"),
    ('💚', "♥"),
    ('💙', "♥"),
    ('💜', "♥"),
    ('🖤', "♥"),
    ('🤍', "♡♥"),
    ('🤎', "♥"),
    // Bullets and signs of the fonts Symbol and Wingdings in texts of word processors.
    ('\u{F02D}', "−–-"),
    ('\u{F0B7}', "•"),
    ('\u{F0A7}', "▪•"),
    ('\u{F0D8}', "➢•"),
    ('\u{F076}', "◆•"),
    ('\u{F0FC}', "✓"),
    ('\u{F0FB}', "✗"),
    ('\u{F0FD}', "☒"),
    ('\u{F0FE}', "☑"),
    ('\u{F06F}', "☐"),
    ('\u{F0A8}', "☐"),
    ('\u{F0E0}', "→"),
    ('\u{F0DF}', "←"),
    ('\u{F04A}', "☺"),
    ('\u{F04C}', "☹"),
];

/// Signs, and the letters and signs that they are made of.
const MADE_OF: &[(char, &str)] = &[('‽', "?!"), ('⸘', "¿¡"), ('⁂', "***"), ('℞', "Rx"), ('☏', "Tel."), ('✆', "Tel.")];

/// What to write for a character that the font `chosen` lacks: characters that this font has, or, for a character that
/// no font has, characters that fonts of the catalogue have. `None` where there is nothing that reads the same.
pub(super) fn replacement(character: char, chosen: &FontFace, catalogue: &FontCatalogue) -> Option<String> {
    // Fonts have any glyphs for private use.
    if can_draw(chosen, character) && character.general_category() != GeneralCategory::PrivateUse {
        return None;
    }
    let in_chosen = written(character, &|other| can_draw(chosen, other));
    in_chosen.or_else(|| {
        let no_font_has_it = !catalogue.draws(character);
        no_font_has_it.then(|| written(character, &|other| catalogue.draws(other))).flatten()
    })
}

fn written(character: char, has: &dyn Fn(char) -> bool) -> Option<String> {
    if let Some((_, parts)) = MADE_OF.iter().find(|(whole, _)| *whole == character) {
        return parts.chars().all(has).then(|| (*parts).to_owned());
    }
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

/// The Latin letter for a letter of another script that looks like it and that the font `chosen` lacks, in a word of
/// Latin letters: keyboards and pasted names mix them. `line` has each character with its position in the text.
pub(super) fn latin_letter(line: &[(char, usize)], index: usize, chosen: &FontFace) -> Option<String> {
    let (character, _) = *line.get(index)?;
    let letter = like_latin(character).filter(|_| !can_draw(chosen, character))?;
    let is_in_word = |(character, _): &&(char, usize)| is_word_part(*character);
    let (before, after) = line.split_at(index);
    let word = before.iter().rev().take_while(is_in_word).chain(after.iter().take_while(is_in_word));
    let mut others = word.map(|(letter, _)| *letter).filter(|letter| like_latin(*letter).is_none()).peekable();
    let is_latin = |letter: char| matches!(letter.script(), Script::Latin | Script::Inherited);
    (others.peek().is_some() && others.all(is_latin)).then(|| letter.to_string())
}

/// The letter of ASCII that looks like a letter of another script.
fn like_latin(character: char) -> Option<char> {
    let place = LIKE_LATIN[0].chars().position(|other| other == character)?;
    LIKE_LATIN[1].chars().nth(place)
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
            ('‽', Some("?!")),
            ('⭐', Some("★")),
            ('💙', Some("♥")),
            ('\u{F0B7}', Some("•")),
            ('\u{F0FC}', Some("✓")),
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
    fn each_letter_like_a_latin_one_has_its_letter() {
        let [others, latin] = LIKE_LATIN;
        assert_eq!(others.chars().count(), latin.len());
        assert!(others.chars().all(|letter| !letter.is_ascii()) && latin.is_ascii());
        assert_eq!((like_latin('Х'), like_latin('Χ'), like_latin('м')), (Some('X'), Some('X'), None));
    }

    #[test]
    fn no_look_alike_leads_back() {
        for (character, others) in LOOK_ALIKES {
            assert!(!others.contains(*character), "{character}");
            assert_eq!(LOOK_ALIKES.iter().filter(|(other, _)| other == character).count(), 1, "{character}");
        }
    }
}
