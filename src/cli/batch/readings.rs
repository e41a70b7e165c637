//! The readings of a file whose encoding is not certain, each with a sample, from which the user chooses one.

use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, IBM866, KOI8_R, MACINTOSH, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257,
};

use super::code_page::CodePage;

/// Readings that are listed.
const MOST: usize = 6;
/// Longest sample, in characters.
const LONGEST_SAMPLE: usize = 30;
/// The Latin letters end before this one.
const FIRST_BEYOND_LATIN: char = '\u{250}';

const ENCODINGS: [CodePage; 19] = [
    CodePage::Web(WINDOWS_1252),
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

/// The readings of the cell around the byte at `place`, as in `windows-1252 ("Gyõr") or windows-1250 ("Győr")`. The
/// encoding that is the `guess` is the first.
pub(super) fn list(bytes: &[u8], place: usize, guess: &'static Encoding) -> String {
    let cell = cell_around(bytes, place);
    let first = std::iter::once(CodePage::Web(guess));
    let mut readings: Vec<(String, String)> = Vec::new();
    for encoding in first.chain(ENCODINGS) {
        // An encoding of this cell alone may be none of the file.
        let (Some(sample), Some(_)) = (encoding.read(cell), encoding.read(bytes)) else { continue };
        let is_new = readings.iter().all(|(_, other)| *other != sample);
        if is_new && readings.len() < MOST && reads_as_a_name(&sample) {
            readings.push((encoding.name(), sample));
        }
    }
    if readings.is_empty() {
        let sample = CodePage::Web(guess).read(cell).unwrap_or_default();
        readings.push((guess.name().to_lowercase(), sample));
    }
    let shown = readings.iter().map(|(name, sample)| {
        let sample: String = sample.chars().take(LONGEST_SAMPLE).collect();
        format!("{name} (\"{sample}\")")
    });
    let mut shown: Vec<String> = shown.collect();
    let last = shown.pop().unwrap_or_default();
    if shown.is_empty() { last } else { format!("{} or {last}", shown.join(", ")) }
}

/// The bytes between two delimiters or line breaks. No encoding uses these bytes for another character.
fn cell_around(bytes: &[u8], place: usize) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b',' | b';' | b'\t' | b'\n' | b'\r' | b'"');
    let (before, after) = bytes.split_at(place.min(bytes.len()));
    let start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
    let end = after.iter().position(is_end).map_or(bytes.len(), |at| before.len() + at);
    bytes.get(start..end).unwrap_or_default().trim_ascii()
}

/// Whether a name could be so: letters of one script, none of them upper case after a lower one.
fn reads_as_a_name(sample: &str) -> bool {
    let characters: Vec<char> = sample.chars().collect();
    let is_beyond_latin = |character: char| character.is_alphabetic() && character >= FIRST_BEYOND_LATIN;
    let are_letters = characters.iter().all(|character| {
        character.is_ascii() || character.is_alphabetic() || matches!(character, '’' | '“' | '”' | '„' | '–' | '\u{A0}')
    });
    let is_odd = |pair: &[char]| match pair {
        [a, b] => {
            a.is_lowercase() && b.is_uppercase()
                || a.is_alphabetic() && b.is_alphabetic() && is_beyond_latin(*a) != is_beyond_latin(*b)
        }
        _ => false,
    };
    let is_capital_in_word = |three: &[char]| match three {
        [a, b, c] => a.is_uppercase() && b.is_uppercase() && !b.is_ascii() && c.is_lowercase(),
        _ => false,
    };
    are_letters && !characters.windows(2).any(is_odd) && !characters.windows(3).any(is_capital_in_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_are_listed_with_the_cell_that_leaves_the_doubt() {
        let listed = list(b"name,city\nBerta,Gy\xF5r\n", 18, WINDOWS_1252);
        assert!(listed.starts_with("windows-1252 (\"Gyõr\"), windows-1250 (\"Győr\")"), "{listed}");
        let listed = list(b"name\nM\x9Fller\n", 6, WINDOWS_1252);
        assert!(listed.contains("macintosh (\"Müller\")") && !listed.contains("1252"), "{listed}");
        let listed = list(b"name\nM\x81ller\n", 6, WINDOWS_1252);
        assert!(listed.contains("cp850 (\"Müller\")"), "{listed}");
        let listed = list(b"name\n\xC8\xE2\xE0\xED\n", 5, WINDOWS_1251);
        assert!(listed.starts_with("windows-1251 (\"Иван\")"), "{listed}");
        let listed = list(b"\x8ER\x93c,x", 0, SHIFT_JIS);
        assert!(listed.starts_with("shift_jis (\"山田\")"), "{listed}");
    }
}
