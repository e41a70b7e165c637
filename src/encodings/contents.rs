//! From the bytes of a user's file to UTF-8: by a name that the user gives, by a byte order mark, or by the contents.
//!
//! Spreadsheet programs write UTF-8, UTF-16, or the code page of their system. Of the code pages only Windows-1252,
//! that of western Europe and America, is recognised, and only if it is certain: a wrong guess would write wrong names.
//! Otherwise the error lists the readings.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::code_page::CodePage;
use super::readings::{Reading, cells, guess, likely, listed, samples};
use crate::spec::FileReading;

const WESTERN: CodePage = CodePage::Web(WINDOWS_1252);
/// Different cells with letters beyond ASCII from which on the guess counts: it took none of 1,263 such lists in other
/// encodings for Windows-1252 (names and cities of 25 countries, made by the package Faker).
const MANY: usize = 5;
/// The ő and ű of Hungary, the ğ, ş and ı of Turkey, and € Š š Ž ž of ISO-8859-15.
const DOUBTFUL: [char; 10] = ['õ', 'û', 'ð', 'þ', 'ý', '¤', '¦', '¨', '´', '¸'];

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct UnreadFile {
    /// What is wrong and what would be right, after the name of the file.
    pub(crate) message: String,
    /// The readings of a file whose encoding is not certain, the likeliest first; else empty.
    pub(crate) readings: Vec<FileReading>,
}

impl From<String> for UnreadFile {
    fn from(message: String) -> Self {
        Self { message, readings: Vec::new() }
    }
}

/// The contents of a file in UTF-8, without a byte order mark; some bytes are no UTF-8 where the file is damaged. Beside
/// them, if the contents tell the encoding, its name and a word that shows it. A byte order mark takes precedence over
/// the encoding that was `asked` for.
///
/// # Errors
/// The contents are not in that encoding, or the encoding cannot be recognised.
pub(crate) fn decode(bytes: Vec<u8>, asked: Option<CodePage>) -> Result<(Vec<u8>, Option<String>), UnreadFile> {
    let marked = Encoding::for_bom(&bytes).map(|(encoding, _)| CodePage::Web(encoding));
    let utf_8 = CodePage::Web(UTF_8);
    if let Some(encoding) = marked.or(asked).filter(|encoding| *encoding != utf_8) {
        return Ok((in_encoding(&bytes, encoding)?.into_bytes(), None));
    }
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).map(<[u8]>::to_vec).unwrap_or(bytes);
    if bytes.contains(&0) {
        return Ok(without_mark(&bytes)?);
    }
    if marked.or(asked).is_some() || std::str::from_utf8(&bytes).is_ok() {
        return Ok((bytes, None));
    }
    let cells = cells(&bytes);
    let found = likely(&cells);
    if is_damaged_utf_8(&bytes) && !found.iter().any(Reading::is_of_words) {
        return Ok((bytes, None));
    }
    if guess(&cells) == WESTERN && is_certain(&found) {
        let text = in_encoding(&bytes, WESTERN)?;
        let word = foreign_word(&text).to_owned();
        return Ok((text.into_bytes(), Some(format!("{} (\"{word}\")", WESTERN.name()))));
    }
    let message = format!(
        "is not UTF-8, and its encoding is not certain; it may be {}; name the right one with --encoding, or save the \
         file as CSV UTF-8",
        listed(&found)
    );
    let readings = found.iter().zip(samples(&found));
    let readings = readings.map(|(reading, sample)| FileReading { encoding: reading.encoding.name(), sample });
    Err(UnreadFile { message, readings: readings.collect() })
}

/// Whether a file is certainly western by its readings, the likeliest first: there is no other, or it has many words,
/// which the guess can tell apart, and none of the letters that more often stand for those of another encoding.
fn is_certain(readings: &[Reading]) -> bool {
    let Some(western) = readings.first().filter(|first| first.encoding == WESTERN) else { return false };
    // Portuguese has õ before e only.
    let is_doubtful = |cell: &String| cell.to_lowercase().replace("õe", "").contains(DOUBTFUL);
    readings.len() == 1 || western.cells.len() >= MANY && !western.cells.iter().any(is_doubtful)
}

fn in_encoding(bytes: &[u8], encoding: CodePage) -> Result<String, String> {
    let refused = || format!("is not {}; name its encoding with --encoding, or save it as CSV UTF-8", encoding.name());
    encoding.read(bytes).ok_or_else(refused)
}

/// UTF-16 without a byte order mark: in most text every other byte is zero.
fn without_mark(bytes: &[u8]) -> Result<(Vec<u8>, Option<String>), String> {
    let zeros = |first: usize| bytes.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let encoding = if odd > even { UTF_16LE } else { UTF_16BE };
    if even.max(odd) < bytes.len() / 4 || even.min(odd) > bytes.len() / 16 {
        return Err("is no text; save it as CSV UTF-8".to_owned());
    }
    let text = in_encoding(bytes, CodePage::Web(encoding))?;
    Ok((text.into_bytes(), Some(encoding.name().to_owned())))
}

/// Whether most letters beyond ASCII are UTF-8: the file was, before some bytes were damaged.
fn is_damaged_utf_8(bytes: &[u8]) -> bool {
    let (mut letters, mut damaged) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        letters += chunk.valid().bytes().filter(|byte| !byte.is_ascii()).count();
        damaged += chunk.invalid().len();
    }
    letters > damaged
}

/// The first word with a letter beyond ASCII.
fn foreign_word(text: &str) -> &str {
    let is_in_word = |character: char| character.is_alphanumeric() || !character.is_ascii();
    let mut words = text.split(|character| !is_in_word(character));
    let word = words.find(|word| !word.is_ascii()).unwrap_or_default();
    word.char_indices().nth(30).map_or(word, |(end, _)| &word[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEOPLE: &str = "name;city\nZoë Müller;Köln\nJosé;Besançon\nÅsa;“Malmö”\nD’Arcy Smith – Jr;Łódź\n";

    /// The text that a file with `text` in an encoding is read as.
    fn read(text: &str, label: &str, asked: Option<&str>) -> Result<(String, Option<String>), UnreadFile> {
        let (bytes, _, lost) = Encoding::for_label(label.as_bytes()).unwrap().encode(text);
        assert!(!lost, "{label} has no such letter");
        let (bytes, recognised) = decode(bytes.into_owned(), asked.map(|name| CodePage::named(name).unwrap()))?;
        Ok((String::from_utf8(bytes).unwrap(), recognised))
    }

    fn utf_16(text: &str, bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn utf_8_and_utf_16_are_read_with_and_without_a_mark() {
        let (marked, expected) = (format!("\u{FEFF}{PEOPLE}"), PEOPLE.as_bytes());
        for text in [PEOPLE, &marked] {
            for bytes in [text.as_bytes().to_vec(), utf_16(text, u16::to_le_bytes), utf_16(text, u16::to_be_bytes)] {
                assert_eq!(decode(bytes, None).unwrap().0, expected);
            }
        }
        let asked = Some(CodePage::Web(WINDOWS_1252));
        assert_eq!(decode(utf_16(&marked, u16::to_le_bytes), asked).unwrap().0, expected, "the mark is surer");
    }

    #[test]
    fn the_code_page_of_western_europe_is_recognised_and_told() {
        let western = PEOPLE.replace("Łódź", "Orléans");
        let (text, recognised) = read(&western, "windows-1252", None).unwrap();
        assert_eq!((text, recognised.unwrap()), (western, "windows-1252 (\"Zoë\")".to_owned()));
        for text in
            ["name\nMüller\n", "name\nMÜLLER\nJosé\n", "name\nStraße\n", "name\nMálaga\nJoão\nPeña\nSimões\nInês\n"]
        {
            assert_eq!(read(text, "windows-1252", None).unwrap().0, text);
        }
    }

    #[test]
    fn other_code_pages_are_asked_for_by_name_and_not_guessed() {
        for (text, label, said) in [
            ("name\nŁukasz\nMałgorzata Żak\nBogusław\n", "windows-1250", "--encoding"),
            ("name\nИван Петров\nНаталья\n", "windows-1251", "windows-1251 (\"Иван Петров\")"),
            ("name\nMüller\n", "macintosh", "macintosh (\"Müller\")"),
            ("name\nPeña\n", "windows-1252", "windows-1252 (\"Peña\") or windows-1250 (\"Peńa\")"),
            ("name\nZoë\n", "windows-1252", "windows-1252 (\"Zoë\") or windows-1257 (\"Zoė\")"),
            ("name\nAyşe\nGülşen\nErdoğan\nÇağlar\nYıldız\n", "windows-1254", "windows-1254 (\""),
            (
                "name,city\nBerta,Győr\nErnő,Pécs\n",
                "windows-1250",
                "windows-1252 (\"Gyõr\") or windows-1250 (\"Győr\")",
            ),
            ("name\n山田太郎\n鈴木一郎\n", "shift_jis", "--encoding"),
        ] {
            let error = read(text, label, None).unwrap_err();
            assert!(error.message.contains(said), "{label}: {error}");
            assert_eq!(read(text, label, Some(label)).unwrap().0, text);
        }
    }

    #[test]
    fn a_damaged_file_in_utf_8_is_left_as_it_is() {
        let damaged = b"name\nZo\xC3\xAB\nM\xFCller\n".to_vec();
        assert_eq!(decode(damaged.clone(), None).unwrap(), (damaged, None));
    }

    #[test]
    fn apostrophes_of_a_macintosh_do_not_make_a_file_another() {
        for (text, said) in [
            ("name,gift\nAgnès,l’écharpe\nD’Artagnan,l’épée\n", "macintosh (\""),
            (
                "name,gift\nJérôme,la peinture à l’huile\nÉlodie,le cœur en chocolat\nAïcha,le thé\n",
                "macintosh (\"Jérôme",
            ),
            ("name,gift\nAnn,it’s yours\nBob,can’t wait\n", "macintosh (\"it’s yours"),
        ] {
            let error = read(text, "macintosh", None).unwrap_err();
            assert!(error.message.contains(said), "{error}");
        }
        let error = read("name,gift\nSœur Marie,l’aide\n", "windows-1252", None).unwrap_err();
        assert!(error.message.contains("may be windows-1252 (\"Sœur Marie"), "{error}");
    }

    #[test]
    fn what_is_no_text_or_not_in_the_encoding_is_refused() {
        for (bytes, asked, said) in [
            (b"AB\x03\x04\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08\x09".to_vec(), None, "no text"),
            (b"\xFF\xFEa\0\0\xD8b\0".to_vec(), None, "not utf-16le"),
            (b"name\n\x82\xFF".to_vec(), Some("shift_jis"), "not shift_jis"),
        ] {
            let error = decode(bytes, asked.map(|name| CodePage::named(name).unwrap())).unwrap_err();
            assert!(error.message.contains(said), "{error}");
        }
    }
}
