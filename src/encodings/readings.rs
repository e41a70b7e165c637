//! The readings of a file that is neither UTF-8 nor UTF-16: what its cells say in each encoding.
//!
//! The same bytes are other letters in other encodings: õ of a western system is the ő of a Hungarian one, and š the ö
//! of a Mac. A reading counts only if all cells could be words.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GB18030, IBM866, ISO_8859_15, KOI8_R, MACINTOSH, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257,
};

use super::code_page::CodePage;
use crate::spec::alternatives;

/// Readings that are listed.
const MOST: usize = 6;
/// Longest sample, in characters.
const LONGEST_SAMPLE: usize = 40;
/// Words that end in an apostrophe before another word: of French, Italian and Catalan.
const ELIDED: &[&str] = &[
    "l", "d", "n", "c", "j", "m", "s", "t", "qu", "lorsqu", "puisqu", "jusqu", "quelqu", "aujourd", "dell", "all",
    "nell", "sull", "dall", "un", "quest", "sant", "bell",
];
/// What stands after an apostrophe in English.
const SHORTENED: &[&str] = &["s", "t", "d", "m", "re", "ll", "ve", "clock"];
/// The Latin letters end before this one.
const FIRST_BEYOND_LATIN: char = '\u{250}';

/// The likeliest first.
const ENCODINGS: [CodePage; 20] = [
    CodePage::Web(WINDOWS_1252),
    CodePage::Web(ISO_8859_15),
    CodePage::Web(WINDOWS_1250),
    CodePage::Web(MACINTOSH),
    CodePage::DOS_WESTERN,
    CodePage::Web(WINDOWS_1254),
    CodePage::Web(WINDOWS_1257),
    CodePage::DOS_CENTRAL,
    CodePage::Web(WINDOWS_1251),
    CodePage::Web(KOI8_R),
    CodePage::Web(IBM866),
    CodePage::Web(WINDOWS_1253),
    CodePage::Web(SHIFT_JIS),
    CodePage::Web(EUC_JP),
    CodePage::Web(GB18030),
    CodePage::Web(BIG5),
    CodePage::Web(EUC_KR),
    CodePage::Web(WINDOWS_1255),
    CodePage::Web(WINDOWS_1256),
    CodePage::DOS_AMERICA,
];

/// What the cells with letters beyond ASCII say in one encoding.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) encoding: CodePage,
    /// In the order of the bytes.
    pub(crate) cells: Vec<String>,
}

impl Reading {
    /// What `cells` say in an encoding; none if they are not in it.
    pub(crate) fn of(encoding: CodePage, cells: &[&[u8]]) -> Option<Self> {
        let cells = cells.iter().map(|cell| encoding.read(cell)).collect::<Option<_>>()?;
        Some(Self { encoding, cells })
    }

    /// Whether all cells could be words.
    pub(super) fn is_of_words(&self) -> bool {
        self.cells.iter().all(|cell| could_be_words(cell))
    }
}

/// The encoding that the letters of the cells look like most.
pub(super) fn guess(cells: &[&[u8]]) -> CodePage {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&cells.join(&b"\n"[..]), true);
    CodePage::Web(detector.guess(None, Utf8Detection::Deny))
}

/// The likeliest readings of the `cells` with letters beyond ASCII. Where they could be words in none, that of the
/// guess, if the cells are in it.
pub(crate) fn likely(cells: &[&[u8]]) -> Vec<Reading> {
    let guess = guess(cells);
    let mut found = readings(cells, guess);
    if found.is_empty() {
        found.extend(Reading::of(guess, cells));
    }
    found.truncate(MOST);
    found
}

/// The readings in which all cells could be words; of equal ones the first. The encoding that is the `guess` is the
/// first.
fn readings(cells: &[&[u8]], guess: CodePage) -> Vec<Reading> {
    let mut readings: Vec<Reading> = Vec::new();
    for encoding in std::iter::once(guess).chain(ENCODINGS) {
        if let Some(reading) = Reading::of(encoding, cells)
            && reading.is_of_words()
            && readings.iter().all(|other| other.cells != reading.cells)
        {
            readings.push(reading);
        }
    }
    readings
}

/// The names of readings, each with a sample, as in `windows-1252 ("Gyõr") or windows-1250 ("Győr")`.
pub(super) fn listed(readings: &[Reading]) -> String {
    let named = readings.iter().zip(samples(readings));
    let named = named.map(|(reading, sample)| format!("{} (\"{sample}\")", reading.encoding.name()));
    alternatives(&named.collect::<Vec<_>>())
}

/// For each reading the cells in which it differs from the others.
pub(crate) fn samples(readings: &[Reading]) -> Vec<String> {
    let mut told: Vec<usize> = Vec::new();
    for (number, reading) in readings.iter().enumerate() {
        for other in readings.iter().take(number) {
            let differs = |at: &usize| reading.cells.get(*at) != other.cells.get(*at);
            if !told.iter().any(differs) {
                told.extend((0..reading.cells.len()).find(differs));
            }
        }
    }
    if told.is_empty() {
        told.push(0);
    }
    let sample = |reading: &Reading| {
        let cells = told.iter().filter_map(|at| reading.cells.get(*at)).map(String::as_str).collect::<Vec<_>>();
        cells.join(", ").chars().take(LONGEST_SAMPLE).collect()
    };
    readings.iter().map(sample).collect()
}

/// The cells with letters beyond ASCII, each once. No encoding uses the bytes around cells for another character.
pub(super) fn cells(bytes: &[u8]) -> Vec<&[u8]> {
    let is_end = |byte: &u8| matches!(byte, b',' | b';' | b'\t' | b'\n' | b'\r' | b'"');
    let mut seen = std::collections::HashSet::new();
    let cells = bytes.split(is_end).map(<[u8]>::trim_ascii);
    cells.filter(|cell| !cell.is_ascii() && seen.insert(*cell)).collect()
}

/// Whether a text could be words: letters of one script, the upper-case ones first, and signs where texts have them.
fn could_be_words(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or(' ');
    let before = |index: usize| index.checked_sub(1).map_or(' ', at);
    let could_be = |(index, character): (usize, &char)| {
        let around = [before(index), *character, at(index + 1)];
        if character.is_alphabetic() {
            return is_letter_in_place(around);
        }
        let is_in_word = |character: &&char| character.is_alphabetic();
        let (earlier, later) = characters.split_at(index);
        let word_before: String = earlier.iter().rev().take_while(is_in_word).collect();
        let word_after: String = later.iter().skip(1).take_while(is_in_word).collect();
        let word_before: String = word_before.chars().rev().collect();
        is_sign_in_place(around, &word_before.to_lowercase(), &word_after)
    };
    characters.iter().enumerate().filter(|(_, character)| !character.is_ascii()).all(could_be)
}

/// Whether a letter fits those on its sides in script and case.
fn is_letter_in_place([before, letter, after]: [char; 3]) -> bool {
    let is_beyond_latin = |character: char| character >= FIRST_BEYOND_LATIN;
    let mixes = |other: char| other.is_alphabetic() && is_beyond_latin(other) != is_beyond_latin(letter);
    let is_case_odd = if letter.is_uppercase() {
        before.is_lowercase() || before.is_uppercase() && after.is_lowercase()
    } else {
        letter.is_lowercase() && (after.is_uppercase() || before.is_uppercase() && after.is_uppercase())
    };
    // Ł20 is £20 in another encoding.
    let is_at_figure = !is_beyond_latin(letter) && (before.is_ascii_digit() || after.is_ascii_digit());
    !is_at_figure && !mixes(before) && !mixes(after) && (!is_case_odd || letter == 'ß')
}

/// Whether a sign stands at the side of words where texts have it. Elsewhere it is a letter of another encoding.
fn is_sign_in_place([before, sign, after]: [char; 3], word_before: &str, word_after: &str) -> bool {
    let (follows, leads) = (before.is_alphabetic(), after.is_alphabetic());
    match sign {
        // O’Shea, it’s, l’huile
        '’' if follows && leads => {
            after.is_uppercase() || SHORTENED.contains(&word_after) || ELIDED.contains(&word_before)
        }
        // „Malmö“
        '“' if follows => !leads,
        '’' | '”' | '»' | '…' | '®' | '™' | 'ª' | 'º' => !leads,
        '‘' | '“' | '„' | '«' | '¿' | '¡' | '°' => !follows,
        '\u{A0}' | '·' => !(follows && leads),
        sign => !sign.is_control() && !follows && !leads,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WESTERN: CodePage = CodePage::Web(WINDOWS_1252);

    #[test]
    fn readings_are_listed_with_the_cell_in_which_they_differ() {
        let of = |bytes: &[u8], guess| listed(&readings(&cells(bytes), guess));
        let said = of(b"name,city\nZolt\xE1n,Gy\xF5r\n", WESTERN);
        assert!(said.contains("windows-1257 (\"Gyõr, Zoltįn\")"), "{said}");
        assert!(said.starts_with("windows-1252 (\"Gyõr, Zoltán\"), windows-1250 (\"Győr, Zoltán\")"), "{said}");
        let said = of(b"name\nM\x9Fller\n", WESTERN);
        assert!(said.contains("macintosh (\"Müller\")") && !said.contains("1252"), "{said}");
        let said = of(b"name\nM\x81ller\n", WESTERN);
        assert!(said.contains("cp850 (\"Müller\")"), "{said}");
        let said = of(b"name\n\xC8\xE2\xE0\xED\n", CodePage::Web(WINDOWS_1251));
        assert!(said.starts_with("windows-1251 (\"Иван\")"), "{said}");
        let said = listed(&likely(&cells(b"name;city\nC\xBDur \xC9lise;No\xEBl\n")));
        assert!(said.contains("iso-8859-15 (\"Cœur Élise\")") && !said.contains("windows-1252"), "{said}");
        let said = of(b"\x8ER\x93c,x", CodePage::Web(SHIFT_JIS));
        assert!(said.starts_with("shift_jis (\"山田\")"), "{said}");
    }

    #[test]
    fn words_have_letters_and_signs_in_their_places() {
        for text in [
            "Müller",
            "MÜLLER",
            "Øystein",
            "O’Shea",
            "Ann’s",
            "can’t",
            "l’huile d’olive",
            "Qu’est-ce",
            "dell’arte",
            "“Zoë”",
            "„Malmö“",
            "Ça va…",
            "5 °C",
            "¿Qué?",
            "½ lb",
            "Mª José",
            "WEIß",
            "Anna – María",
            "Iván Győző",
            "Иван",
            "Łódź",
            "12\u{A0}km",
            "50 €",
            "山田 Taro",
        ] {
            assert!(could_be_words(text), "{text}");
        }
        for text in [
            "MŸller",
            "JosÈ",
            "JosŽ",
            "Garc’a",
            "M\u{81}ller",
            "Zo‰",
            "S\u{A0}nchez",
            "Mьller",
            "MFüR",
            "”sterreich",
            "Mu¤oz",
            "LÓpez",
        ] {
            assert!(!could_be_words(text), "{text}");
        }
    }
}
