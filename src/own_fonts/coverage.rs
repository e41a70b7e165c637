//! The character sets and scripts of which a font has every letter.

use encoding_rs::EUC_JP;

use crate::catalogue::CharacterSet;

/// Ranges of characters, first and last.
type Ranges = &'static [(char, char)];

/// The sets by the names of the list of fonts, in its order. Of Latin-1 and Latin Extended-A the letters count, without
/// long s, Greenlandic kra, the deprecated ŉ and compatibility letters (Ĳ, Ŀ); of Devanagari not the letters that only
/// transcribe other languages; of Kanji those of [`LEVEL_1`].
const SETS: [(&str, Ranges); 15] = [
    ("ASCII", &[(' ', '~')]),
    ("Latin-1", &[('À', 'Ö'), ('Ø', 'ö'), ('ø', 'ÿ')]),
    ("LatinExtA", &[('Ā', 'ı'), ('Ĵ', 'ķ'), ('Ĺ', 'ľ'), ('Ł', 'ň'), ('Ŋ', 'ž')]),
    ("Vietnamese", &[('Ă', 'ă'), ('Đ', 'đ'), ('Ĩ', 'ĩ'), ('Ũ', 'ũ'), ('Ơ', 'ơ'), ('Ư', 'ư'), ('Ạ', 'ỹ')]),
    ("Cyrillic", &[('Ё', 'Ё'), ('А', 'я'), ('ё', 'ё')]),
    ("Ukrainian", &[('Є', 'Є'), ('І', 'Ї'), ('А', 'Щ'), ('а', 'щ'), ('є', 'є'), ('і', 'ї'), ('Ґ', 'ґ')]),
    ("Greek", &[('Ά', 'Ά'), ('Έ', 'Ί'), ('Ό', 'Ό'), ('Ύ', 'Ρ'), ('Σ', 'ώ')]),
    ("Hebrew", &[('א', 'ת')]),
    ("Thai", &[('ก', 'ฺ'), ('เ', '๙')]),
    ("Devanagari", DEVANAGARI),
    ("Malayalam", MALAYALAM),
    ("Hangul", &[('가', '힣')]),
    ("Hiragana", &[('ぁ', 'ん'), ('、', '。'), ('「', '」')]),
    ("Katakana", &[('ァ', 'ヶ'), ('・', 'ー'), ('、', '。'), ('「', '」')]),
    ("Kanji", &[]),
];

/// Letters, vowel signs, virama, danda and digits.
const DEVANAGARI: Ranges = &[
    ('ँ', 'ः'),
    ('अ', 'ऌ'),
    ('ए', 'ऑ'),
    ('ओ', 'न'),
    ('प', 'र'),
    ('ल', 'ळ'),
    ('व', 'ह'),
    ('़', 'ॄ'),
    ('े', 'ॉ'),
    ('ो', '्'),
    ('।', '९'),
];

/// Letters, vowel signs, virama and chillu letters.
const MALAYALAM: Ranges = &[
    ('ം', 'ഃ'),
    ('അ', 'ഌ'),
    ('എ', 'ഐ'),
    ('ഒ', 'ന'),
    ('പ', 'ഹ'),
    ('ാ', 'ൃ'),
    ('െ', 'ൈ'),
    ('ൊ', '്'),
    ('ൗ', 'ൗ'),
    ('ൺ', 'ൾ'),
];

/// Kanji of everyday text: the first and the last of level 1 of JIS X 0208, as rows and cells in EUC-JP. All cells
/// between them, 94 in a row, are kanji.
const LEVEL_1: [(u8, u8); 2] = [(0xB0, 0xA1), (0xCF, 0xD3)];

/// The 2,965 kanji of level 1.
fn level_1() -> String {
    let [first, last] = LEVEL_1;
    let cells = (first.0..=last.0).flat_map(|row| (0xA1..=0xFE).map(move |cell| (row, cell)));
    let bytes: Vec<u8> = cells.filter(|cell| *cell <= last).flat_map(|(row, cell)| [row, cell]).collect();
    EUC_JP.decode_without_bom_handling(&bytes).0.into_owned()
}

/// The names of the sets of which the font has every letter.
#[must_use]
pub fn covered_sets(characters: &CharacterSet) -> Vec<String> {
    let is_covered = |(name, ranges): &&(&str, Ranges)| {
        let more = if *name == "Kanji" { level_1() } else { String::new() };
        ranges.iter().flat_map(|(first, last)| *first..=*last).chain(more.chars()).all(|each| characters.has(each))
    };
    SETS.iter().filter(is_covered).map(|(name, _)| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalogue::FontCatalogue;

    #[test]
    fn level_1_has_2965_kanji() {
        let kanji = level_1();
        assert_eq!(kanji.chars().collect::<BTreeSet<_>>().len(), 2_965);
        assert!(kanji.starts_with('亜') && kanji.ends_with('腕'), "{kanji}");
    }

    /// The table was made with the sets as here, by another program.
    #[test]
    fn the_sets_of_the_ninety_fonts_are_those_of_the_table() {
        for face in FontCatalogue::load().unwrap().faces() {
            let told: BTreeSet<_> = face.record().scripts.iter().cloned().collect();
            let found: BTreeSet<_> = covered_sets(face.characters()).into_iter().collect();
            assert_eq!(found, told, "font {} ({})", face.id().get(), face.name());
        }
    }
}
