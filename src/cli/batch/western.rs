//! Whether a text that was read as Windows-1252 is in that encoding for certain.
//!
//! Other systems write other letters with the same bytes: õ is the ő of a Hungarian system, è the č of a Czech one, þ
//! the ş of a Turkish one, and š the ö of a Mac. What surrounds a letter shows mostly which of them was meant: è stands
//! between consonants, č beside a vowel. A letter that could be the other is a doubt.

/// How much a letter or sign says against Windows-1252.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doubt {
    /// Western texts have it here, others hardly.
    None,
    /// Others have it more often here. Many such words mean another encoding.
    Some,
    /// Western texts do not have it here, or it cannot be told.
    Strong,
}

/// One word in this number may have a doubt.
const DOUBTED: usize = 4;

/// The place (counted in characters) of the first doubt that matters, if there is one.
pub(super) fn doubtful(text: &str) -> Option<usize> {
    let characters: Vec<char> = text.chars().collect();
    let is_icelandic = icelandic(&characters);
    let mut foreign = 0;
    let mut some: Vec<usize> = Vec::new();
    for (index, character) in characters.iter().enumerate().filter(|(_, character)| !character.is_ascii()) {
        match (Place { characters: &characters, index, is_icelandic }).doubt(*character) {
            Doubt::Strong => return Some(index),
            Doubt::Some => some.push(index),
            Doubt::None => {}
        }
        foreign += 1;
    }
    some.first().copied().filter(|_| some.len() * DOUBTED > foreign)
}

/// Whether a word has both a letter of Icelandic that Turkish reads as its own and one that Turkish lacks.
fn icelandic(characters: &[char]) -> bool {
    let has = |word: &[char], letters: &str| word.iter().any(|letter| letters.contains(lower(*letter)));
    characters.split(|character| !character.is_alphabetic()).any(|word| has(word, "ðþý") && has(word, "áéíóúæ"))
}

struct Place<'a> {
    characters: &'a [char],
    index: usize,
    is_icelandic: bool,
}

impl Place<'_> {
    /// The character so far away; a space beyond the text.
    fn at(&self, offset: isize) -> char {
        self.index.checked_add_signed(offset).and_then(|index| self.characters.get(index)).copied().unwrap_or(' ')
    }

    fn doubt(&self, character: char) -> Doubt {
        if !character.is_alphabetic() || matches!(character, 'ª' | 'º') {
            return if self.is_sign_in_place(character) { Doubt::None } else { Doubt::Strong };
        }
        let (before, after) = (self.at(-1), self.at(1));
        let is_case_odd = if character.is_uppercase() {
            before.is_lowercase() || before.is_uppercase() && after.is_lowercase()
        } else {
            before.is_uppercase() && after.is_uppercase() && character != 'ß'
        };
        let is_foreign = |offset| !self.at(offset).is_ascii() && self.at(offset).is_alphabetic();
        if is_case_odd || is_foreign(-1) && is_foreign(1) {
            return Doubt::Strong;
        }
        self.doubt_of_letter(lower(character))
    }

    fn doubt_of_letter(&self, letter: char) -> Doubt {
        let (before, after) = (lower(self.at(-1)), lower(self.at(1)));
        let (starts, ends) = (!before.is_alphabetic(), !after.is_alphabetic());
        let some_unless = |is_western: bool| if is_western { Doubt::None } else { Doubt::Some };
        match letter {
            // ß of DOS.
            'á' if matches!(before, 'a' | 'o') || before == 'i' && lower(self.at(-2)) == 'e' => Doubt::Strong,
            // Á of a Mac
            'ç' if !ends && !is_vowel(after) => Doubt::Some,
            // ķ of Latvia
            'í' if starts && is_vowel(after) => Doubt::Some,
            'ä' | 'ö' | 'ü' | 'ß' | 'é' | 'á' | 'í' | 'ó' | 'ú' | 'ç' | 'ô' | 'å' | 'à' | 'ÿ' => {
                Doubt::None
            }
            // ė of Lithuania, ď of Czechia, ļ of Latvia: the mark parts two vowels.
            'ë' | 'ï' => some_unless(is_vowel(before)),
            // ń of Poland, ņ of Latvia.
            'ñ' => some_unless(
                (starts || is_vowel(before)) && is_vowel(after) && after != 'e' || after == 'e' && before != 'i',
            ),
            // č
            'è' if is_vowel(before) => some_unless(
                matches!(before, 'i' | 'u' | 'y') && "rgvclmtsdn".contains(after) && !is_vowel(self.at(2))
                    || self.is_french_ending(),
            ),
            'è' => some_unless(!starts && !ends && !is_vowel(after)),
            // ę
            'ê' => some_unless(
                (matches!(after, 't' | 'm' | 'v' | 'l' | 'r')
                    || after == 's' && !self.at(2).is_alphabetic()
                    || after == 'c' && self.at(2) == 'h')
                    && before != 'z'
                    && before != 'i',
            ),
            // ă
            'ã' => some_unless(matches!(after, 'o' | 'e')),
            // ā, ī of Latvia
            'â' => some_unless(starts || matches!(before, 'h' | 'é')),
            'î' => some_unless(starts || is_vowel(before)),
            // ő, ű: two Hungarian letters that look much the same.
            'õ' if after == 'e' => Doubt::None,
            'û' if before == 'o' => Doubt::None,
            'õ' | 'û' => Doubt::Strong,
            // ć
            'æ' => some_unless(!is_vowel(before) && !is_vowel(after) && !ends),
            // ř
            'ø' => some_unless(!is_vowel(before) && (!is_vowel(after) || after == 'y')),
            // ň, where Italian has no consonant before it
            'ò' => some_unless(!starts && !is_vowel(before) && !is_vowel(after)),
            // ğ, ş, ı of Turkey
            'ð' | 'þ' | 'ý' => {
                if self.is_icelandic {
                    Doubt::None
                } else {
                    Doubt::Strong
                }
            }
            // ö of a Mac
            'š' | 'ž' => {
                if is_vowel(before) || is_vowel(after) {
                    Doubt::None
                } else {
                    Doubt::Strong
                }
            }
            // ś
            'œ' => some_unless(after == 'u'),
            _ => Doubt::Some,
        }
    }

    /// `-ière`, `-iève`.
    fn is_french_ending(&self) -> bool {
        lower(self.at(-1)) == 'i'
            && matches!(lower(self.at(1)), 'r' | 'v' | 'g' | 'l' | 'm' | 't' | 'c')
            && lower(self.at(2)) == 'e'
    }

    /// Whether a sign stands where texts have it. Elsewhere it is a letter of another encoding.
    fn is_sign_in_place(&self, sign: char) -> bool {
        let (before, after) = (self.at(-1), self.at(1));
        let between = before.is_alphabetic() && after.is_alphabetic();
        match sign {
            '’' if between => self.is_apostrophe(),
            '’' => !before.is_alphabetic() || matches!(lower(before), 's' | 'x' | 'z') || self.opened(&['‘', '‚']),
            '”' => !after.is_alphabetic() && (!before.is_alphabetic() || self.opened(&['“', '„'])),
            '“' if before.is_alphanumeric() => !after.is_alphabetic() && self.opened(&['„']),
            '‘' | '“' | '„' | '«' | '¡' => !before.is_alphanumeric(),
            '»' => !after.is_alphanumeric() && self.opened(&['«']) || !before.is_alphanumeric(),
            '¿' => !before.is_alphanumeric() && self.line(1).any(|character| character == '?'),
            '–' | '—' => !between || after.is_uppercase() && before.is_lowercase(),
            '…' => !between && (before.is_alphanumeric() || !after.is_lowercase()),
            '\u{A0}' => !(between && after.is_lowercase() && before.is_alphabetic()),
            '\u{AD}' => true,
            '®' | '™' => !after.is_alphabetic(),
            'ª' | 'º' => !after.is_alphabetic() && (before.is_ascii_digit() || !self.at(-2).is_alphabetic()),
            '·' => between && lower(before) == 'l' && lower(after) == 'l' || !between,
            '°' => !before.is_alphabetic(),
            '²' | '³' => !after.is_alphabetic() && matches!(before, 'm' | '0'..='9'),
            sign if sign.is_control() => false,
            _ => !before.is_alphabetic() && !after.is_alphabetic(),
        }
    }

    /// Whether the apostrophe between two letters is one: `O’Shea`, `l’eau`, `Ann’s`.
    fn is_apostrophe(&self) -> bool {
        let start: Vec<char> = self.line(-1).take_while(|character| character.is_alphabetic()).collect();
        let end: String =
            self.line(1).take_while(|character| character.is_alphabetic()).flat_map(char::to_lowercase).collect();
        let is_short = start.len() <= 2 && start.last().is_some_and(|first| first.is_lowercase());
        self.at(1).is_uppercase()
            || is_short
            || matches!(end.as_str(), "s" | "t" | "m" | "d" | "n" | "ll" | "re" | "ve")
    }

    /// Whether one of these signs stands before on the line.
    fn opened(&self, signs: &[char]) -> bool {
        self.line(-1).any(|character| signs.contains(&character))
    }

    /// The characters of the line from here on, backwards for −1.
    fn line(&self, step: isize) -> impl Iterator<Item = char> + '_ {
        let offsets = (1..).map(move |distance: isize| distance * step);
        let on = move |offset: isize| {
            self.index.checked_add_signed(offset).and_then(|index| self.characters.get(index)).copied()
        };
        offsets.map_while(on).take_while(|character| !matches!(character, '\n' | '\r'))
    }
}

fn lower(character: char) -> char {
    character.to_lowercase().next().unwrap_or(character)
}

fn is_vowel(character: char) -> bool {
    "aeiouyäöüáéíóúâêîôûàèìòùëïåæøœõã".contains(lower(character))
}

#[cfg(test)]
mod tests {
    use super::super::code_page::CodePage;
    use super::*;

    /// Whether a list of such names in another encoding is taken for Windows-1252 without a doubt.
    fn is_certain(names: &str, encoding: &str) -> bool {
        let bytes: Vec<u8> = names
            .chars()
            .map(|character| {
                let page = CodePage::named(encoding).unwrap();
                (0..=255)
                    .find(|byte| page.read(&[*byte]).as_deref() == Some(&character.to_string()))
                    .unwrap_or_else(|| panic!("{character} in {encoding}"))
            })
            .collect();
        doubtful(&CodePage::named("windows-1252").unwrap().read(&bytes).unwrap()).is_none()
    }

    #[test]
    fn western_names_are_certain() {
        for names in [
            "Zoë",
            "Müller",
            "MÜLLER",
            "José",
            "Peña",
            "Muñoz",
            "IÑAKI",
            "François",
            "Hélène",
            "Thérèse",
            "Lefèvre",
            "Molière",
            "Geneviève",
            "Jérôme",
            "Benoît",
            "João",
            "Guimarães",
            "Simões",
            "Inês",
            "Søren",
            "Jørgensen",
            "Øystein",
            "Bjørn",
            "Kjær",
            "Ægir Þórsson",
            "Guðrún",
            "Ærø",
            "Åsa",
            "Malmö",
            "Straße",
            "Weiß",
            "Noël",
            "Anaïs",
            "Niccolò",
            "Seán O’Shea",
            "D’Arcy – Jr",
            "l’eau",
            "Ann’s",
            "the students’",
            "„Malmö“",
            "“Zoë”",
            "Ça va… bien",
            "5 °C",
            "¿Qué?",
            "½ lb",
            "Lecœur",
            "Vilà",
            "Mª José",
            "1º",
            "Anna–María",
            "Núñez",
            "Ibáñez",
            "Áine",
            "Suárez",
        ] {
            assert!(is_certain(names, "windows-1252"), "{names}");
        }
    }

    #[test]
    fn names_of_other_systems_are_a_doubt() {
        for (encoding, lists) in [
            (
                "windows-1250",
                "Győr;Ernő;Szűcs;Čapek;Kovač;Nováček;Petrović;Dvořák;Jiří;Zdeněk;Růžička;Plzeň;Gdańsk;Wałęsa;Paweł;\
                 Dębski;Brăila;Mureş;Iaşi;Świętek;Ćosić;Đorđe;Żaneta;Ţepeş",
            ),
            ("windows-1254", "Ayşe;Yıldız;Kırşehir;Gülşen;Erdoğan;Muğla;Şahin;İzmir;Işık;Çağlar"),
            ("windows-1257", "Rasė;Žukauskas;Šarūnas;Jānis;Rīga;Ģirts;Bērziņš;Ķekava"),
            (
                "macintosh",
                "Zoë;Müller;Köln;Jörg;Malmö;García;Muñoz;López;Díaz;René;Panamá;Pérez;Strauß;Österreich;Ángel;Martí",
            ),
            ("cp850", "Zoë;Müller;Köln;Jörg;Malmö;García;Muñoz;López;René;José;Hernández;Straße;Weiß;Österreich;Århus"),
            ("cp852", "Łukasz;Dvořák;Győr;Čapek;Wałęsa"),
            ("windows-1251", "Иван;Анна;Ия;Юрий"),
            ("koi8-r", "Иван;Анна;Юрий"),
            ("windows-1253", "Γιώργος;Άννα"),
        ] {
            let taken: Vec<&str> = lists.split(';').filter(|name| is_certain(name.trim(), encoding)).collect();
            assert!(taken.is_empty(), "{encoding}: {taken:?}");
        }
    }

    #[test]
    fn a_few_doubts_in_a_long_western_list_are_none() {
        let list = "René\nJosé\nMüller\nHélène\nBâle\nÉtienne\nZoë\nAimée\n";
        assert_eq!(doubtful(list), None);
        assert_eq!(doubtful("Bâle\nRené\n"), Some(1));
    }
}
