//! Which character sets and scripts a font covers in full.

use crate::catalogue::CharacterSet;

/// Ranges of characters, first and last.
type Ranges = &'static [(char, char)];

/// The sets by the names of the list of fonts, in its order. Of Latin-1 and Latin Extended-A the letters count, without
/// long s, Greenlandic kra, the deprecated ŉ and compatibility letters (Ĳ, Ŀ); of Devanagari not the letters that only
/// transcribe other languages; of Kanji eighty that children learn first (grade 1 of the kyōiku list).
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
    ("Devanagari", &[('अ', 'ऌ'), ('ए', 'ऐ'), ('ओ', 'औ'), ('क', 'न'), ('प', 'र'), ('ल', 'ळ'), ('व', 'ह')]),
    ("Malayalam", &[('അ', 'ഌ'), ('ക', 'ന')]),
    ("Hangul", &[('가', '힣')]),
    ("Hiragana", &[('ぁ', 'ん')]),
    ("Katakana", &[('ァ', 'ヶ')]),
    ("Kanji", &[]),
];

const KANJI: &str = "一七三上下中九二五人休先入八六円出力十千口右名四土夕大天女子字学小山川左年手文日早月木本村林校森正気水火犬\
                     玉王生田男町白百目石空立竹糸耳花草虫見貝赤足車金雨青音";

/// The names of the sets that are covered in full.
#[must_use]
pub fn covered_sets(characters: &CharacterSet) -> Vec<String> {
    let is_covered = |(name, ranges): &&(&str, Ranges)| {
        let more = if *name == "Kanji" { KANJI } else { "" };
        ranges.iter().flat_map(|(first, last)| *first..=*last).chain(more.chars()).all(|each| characters.has(each))
    };
    SETS.iter().filter(is_covered).map(|(name, _)| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::catalogue::FontCatalogue;

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
