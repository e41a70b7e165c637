//! UTF-8 that was read as Windows-1252 or ISO-8859-1: `Ã«` for ë, `â€™` for ’, `Ð¡Ð¿` for Сп; or as Macintosh: `√´`.
//!
//! The characters of such a text are bytes of UTF-8 in that encoding. A right text may have such characters too, as
//! `Ä…` has those of ą. So one of them must stand where no text has it, such as « before the end of a word.

use encoding_rs::{Encoding, MACINTOSH, WINDOWS_1252};

/// Letters of names beyond [`LATIN`] that two bytes make: Vietnamese, Romanian, Azerbaijani, pinyin, West African,
/// Hawaiian.
const RARER_LATIN: &str = "ƠơƯưȘșȚțƏəǍǎǏǐǑǒǓǔǙǚǦǧƁɓƊɗƐɛƆɔƎǝɣƘƙƳƴʻʼ";
/// Signs and letters of Western and Central Europe that two bytes make.
const LATIN: std::ops::RangeInclusive<char> = '\u{A0}'..='\u{17F}';
/// Letters of Greek, Cyrillic, Armenian, Hebrew and Arabic, which two bytes make. A lone one is a chance.
const OTHER_SCRIPTS: std::ops::RangeInclusive<char> = '\u{370}'..='\u{6FF}';

/// The first bytes of Latin letters in UTF-8 as signs of a Macintosh: √ƒ≈.
const MACINTOSH_LEADS: [char; 3] = ['√', 'ƒ', '≈'];
/// The replacement character, and what is left of quotation marks and dashes, in both encodings.
const NEVER_MEANT: [&str; 7] = ["ï¿½", "â€", "‚Äô", "‚Äú", "‚Äù", "‚Äì", "‚Äî"];

/// The first misread letter of a text, as it stands there.
pub(super) fn misread_letter(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let characters: Vec<char> = text.chars().collect();
    let found = (0..characters.len()).find_map(|at| {
        let first = sequence(&characters, at, byte)?;
        let second = sequence(&characters, at + first.length, byte);
        let is_pair = || second.as_ref().is_some_and(|second| OTHER_SCRIPTS.contains(&second.meant));
        let is_meant = is_plausible(first.meant) || OTHER_SCRIPTS.contains(&first.meant) && is_pair();
        let is_odd = || !stands_well(&characters, at, first.length);
        let is_odd_pair =
            || second.as_ref().is_some_and(|next| !stands_well(&characters, at + first.length, next.length));
        let is_misread = is_meant && (is_odd() || !is_plausible(first.meant) && is_odd_pair());
        is_misread.then(|| characters.get(at..at + first.length).into_iter().flatten().collect())
    });
    let never_meant = || NEVER_MEANT.iter().find(|part| text.contains(**part)).map(|part| (*part).to_owned());
    found.or_else(|| lone_lead(&characters)).or_else(|| of_macintosh(&characters)).or_else(never_meant)
}

/// A sign of mathematics and the character after it that are a letter as read on a Macintosh, at another letter.
fn of_macintosh(characters: &[char]) -> Option<String> {
    let is_letter = |at: Option<usize>| at.and_then(|at| characters.get(at)).is_some_and(|c| c.is_alphabetic());
    let byte = |character| byte_in(MACINTOSH, character);
    let is_misread = |at: &usize| {
        characters.get(*at).is_some_and(|lead| MACINTOSH_LEADS.contains(lead))
            && sequence(characters, *at, byte).is_some_and(|letter| {
                letter.meant.is_alphabetic()
                    && LATIN.contains(&letter.meant)
                    && (is_letter(at.checked_sub(1)) || is_letter(Some(at + letter.length)))
            })
    };
    let found = (0..characters.len()).find(is_misread)?;
    Some(characters.get(found..found + 2)?.iter().collect())
}

/// A character that was meant, and how many characters stand for its bytes.
struct Sequence {
    meant: char,
    length: usize,
}

/// The character whose bytes the characters from `at` on are; `byte`: which byte a character was read from.
fn sequence(characters: &[char], at: usize, byte: impl Fn(char) -> Option<u8>) -> Option<Sequence> {
    let lead = byte(*characters.get(at)?)?;
    let length = match lead {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    let bytes: Vec<u8> =
        characters.get(at..at + length)?.iter().map(|character| byte(*character)).collect::<Option<_>>()?;
    let meant = std::str::from_utf8(&bytes).ok()?.chars().next()?;
    Some(Sequence { meant, length })
}

/// The byte of a character beyond ASCII.
fn byte(character: char) -> Option<u8> {
    if let Ok(code) = u8::try_from(u32::from(character)) {
        return (code >= 0x80).then_some(code);
    }
    byte_in(WINDOWS_1252, character)
}

/// The byte of a character in an encoding of single bytes.
fn byte_in(encoding: &'static Encoding, character: char) -> Option<u8> {
    let mut buffer = [0; 4];
    let (bytes, _, is_lost) = encoding.encode(character.encode_utf8(&mut buffer));
    bytes.first().copied().filter(|_| !is_lost)
}

/// Whether texts have this character often enough that one of it is no chance.
fn is_plausible(meant: char) -> bool {
    LATIN.contains(&meant)
        || RARER_LATIN.contains(meant)
        || meant > '\u{7FF}' && (meant.is_alphabetic() || matches!(meant, '\u{2000}'..='\u{2BFF}' | '\u{1F000}'..))
}

/// Whether a letter and the signs after it stand where right texts have them.
fn stands_well(characters: &[char], at: usize, length: usize) -> bool {
    let of = |index: usize| characters.get(index).copied().unwrap_or('\n');
    let before = at.checked_sub(1).map_or('\n', of);
    let (lead, earlier) = (of(at), characters.get(..at).unwrap_or_default());
    let is_case_odd = lead.is_uppercase() && before.is_lowercase();
    // 5 Å is a length.
    let is_unit = before.is_numeric() && lead == 'Å';
    let signs = at + 1..at + length;
    !is_case_odd
        && (!before.is_numeric() || is_unit)
        && signs.into_iter().all(|index| {
            let follows =
                Around { lead, before, previous: of(index - 1), next: of(index + 1), after_next: of(index + 2) };
            follows.has_well(of(index), earlier)
        })
}

/// What stands around a sign after a letter.
struct Around {
    lead: char,
    /// Before the letter.
    before: char,
    /// Before the sign: the letter or another sign.
    previous: char,
    next: char,
    after_next: char,
}

impl Around {
    /// Whether right texts have the `sign` here. `earlier`: what they say before the letter.
    fn has_well(&self, sign: char, earlier: &[char]) -> bool {
        let Self { lead, before, previous, next, after_next } = *self;
        let ends_word = !next.is_alphabetic();
        let is_opened_by = |openers: &[char]| earlier.iter().any(|character| openers.contains(character)) && ends_word;
        let is_single = !before.is_alphabetic();
        match sign {
            _ if previous == '\u{A0}' => true,
            '”' => is_opened_by(&['“', '„', '”', '"']),
            '“' => is_opened_by(&['„', '‚']),
            '»' => is_opened_by(&['«', '»']),
            '«' => is_opened_by(&['»']),
            '‘' => is_opened_by(&['‚']),
            '›' => is_opened_by(&['‹', '›']),
            '‹' => is_opened_by(&['›']),
            '’' => ends_word || matches!(next, 's' | 'S') && !after_next.is_alphabetic(),
            '…' => ends_word || next.is_uppercase() && before.is_uppercase() && lead != 'Ã',
            '™' | '®' | '†' | '‡' => ends_word && previous.is_uppercase(),
            // Between words, and in the list A–Ä–Ö.
            '–' | '—' if previous.is_alphabetic() => {
                ends_word || next.is_uppercase() && (is_single || matches!(lead, 'Ä' | 'Å'))
            }
            '–' | '—' => true,
            // Å², Å·s, (5 Å±1).
            '²' | '³' | '¹' | '±' | '·' => lead == 'Å' && is_single && (ends_word || sign == '·'),
            '\u{A0}' => !next.is_whitespace() && !next.is_lowercase(),
            '\u{AD}' => next.is_uppercase(),
            'Š' | 'Œ' | 'Ž' | 'Ÿ' => !matches!(lead, 'Ã' | 'Å' | 'Â') && !next.is_lowercase(),
            // Abordáž…
            'š' | 'ž' | 'œ' => lead.is_lowercase(),
            _ => false,
        }
    }
}

/// `Ã` inside a word in lower case, whose other part shows nothing, such as the soft hyphen of í.
fn lone_lead(characters: &[char]) -> Option<String> {
    let found =
        characters.windows(3).find(|three| matches!(three, [a, 'Ã', b] if a.is_lowercase() && b.is_lowercase()));
    found.map(|three| three.iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text in UTF-8, read as Windows-1252, which has ISO-8859-1 where bytes have no character.
    fn misread(text: &str) -> String {
        WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned()
    }

    #[test]
    fn every_letter_of_names_is_found_at_each_place_of_a_word() {
        let letters = (0xC0..=0x17F).filter_map(char::from_u32).filter(|letter| letter.is_alphabetic());
        let latin: Vec<char> = letters.chain(RARER_LATIN.chars()).chain("ễộữặếỗị".chars()).collect();
        for letter in latin.iter().filter(|letter| letter.is_lowercase()) {
            for name in [format!("Ma{letter}an"), format!("Mi{letter}"), format!("Dear Mi{letter}, hello")] {
                assert!(misread_letter(&misread(&name)).is_some(), "{name} as {}", misread(&name));
                let latin_1: String = name.bytes().map(char::from).collect();
                assert!(misread_letter(&latin_1).is_some(), "{name} as {latin_1:?}");
            }
        }
        for letter in latin.iter().filter(|letter| letter.is_uppercase()) {
            for name in [format!("{letter}man"), format!("Dear {letter}ma,"), format!("Jan {letter}man")] {
                assert!(misread_letter(&misread(&name)).is_some(), "{name} as {}", misread(&name));
            }
        }
    }

    #[test]
    fn names_and_signs_are_found_as_they_stand() {
        for (name, found) in [
            ("Zoë", "Ã«"),
            ("Noël and Ann", "Ã«"),
            ("Åsa", "Ã…"),
            ("HÅKAN", "Ã…"),
            ("Håkan", "Ã¥"),
            ("Özil", "Ã–"),
            ("Łukasz", "Å\u{81}"),
            ("Michał", "Å‚"),
            ("Štefan", "Å\u{A0}"),
            ("Erdoğan", "ÄŸ"),
            ("Şule", "Åž"),
            ("Çelik", "Ã‡"),
            ("García", "Ã\u{AD}"),
            ("5 €", "â‚¬"),
            ("it’s", "â€™"),
            ("„so“", "â€ž"),
            ("one – two", "â€“"),
            ("10\u{A0}km", "Â\u{A0}"),
            ("£5", "Â£"),
            ("20 °C", "Â°"),
            ("Спасибо", "Ð¡"),
            ("Άννα", "Î†"),
            ("שלום", "×©"),
            ("Nguyễn", "á»…"),
            ("山田", "å±±"),
            ("😀", "ðŸ˜€"),
            ("à bientôt", "Ã\u{A0}"),
            ("Hà Nội", "Ã\u{A0}"),
            ("Bàrbara", "Ã\u{A0}"),
            ("Ēriks", "Ä’"),
            ("Ionuț", "È›"),
            ("Hawaiʻi", "Ê»"),
            ("Zo\u{FFFD}", "ï¿½"),
        ] {
            assert_eq!(misread_letter(&misread(name)).as_deref(), Some(found), "{name} as {}", misread(name));
        }
        assert_eq!(misread_letter("GarcÃa").as_deref(), Some("cÃa"));
    }

    #[test]
    fn what_a_macintosh_misread_is_found() {
        for (name, found) in [
            ("Zoë", "√´"),
            ("Müller", "√º"),
            ("café", "√©"),
            ("José Peña", "√©"),
            ("Émile", "√â"),
            ("Łukasz", "≈Å"),
            ("Erdoğan", "ƒü"),
            ("it’s", "‚Äô"),
        ] {
            let misread = MACINTOSH.decode_without_bom_handling(name.as_bytes()).0;
            assert_eq!(misread_letter(&misread).as_deref(), Some(found), "{name} as {misread}");
        }
    }

    #[test]
    fn right_texts_of_all_languages_are_left_alone() {
        for text in [
            "Ã",
            "SÃO PAULO",
            "Abordáž…, «abordáž», “KJÚŠÚ”",
            "IRMÃ…",
            "A IRMÃ, «MAÇÃ», “AMANHÃ” e ‘LÃ’",
            "«SÃO»",
            "MANHÃ – TARDE",
            "MAÇÃ™",
            "IRMÃ’s",
            "Ä…",
            "Ä… ja",
            "Ä",
            "Å, Ä, Ö",
            "A–Ä–Ö",
            "Ä-Ö",
            "„Ä“ und »Å«, ‚Ä‘",
            "„Ärger“ „SÖ“",
            "MALMÅ…",
            "10 Å, 5 Å², 3Å",
            "Å\u{A0}5, Å\u{A0}OG",
            "ÄÄ, ÅÅ",
            "É…",
            "“CAFÉ”",
            "CAFÉ’S",
            "L’ÉTÉ’",
            "«CAFÉ»",
            "CAFÉ®",
            "CAFÉ™",
            "PŘÍŠTÍ, ÍŠ",
            "Úžas",
            "Ášová",
            "«está»…",
            "«está»—dijo Ana",
            "“olé”…",
            "coûté\u{A0}€ 5",
            "demandé\u{A0}« oui »",
            "à\u{A0}« non »",
            "déjà… voilà",
            "Đỗ Nguyễn Thị Ễ, XÃ, ĐÃ, NGÃ",
            "Ñ",
            "AÑO",
            "Ð",
            "Íslenska ÞÓR’S",
            "ß",
            "Ø, Ø…",
            "l’été",
            "Ω",
            "Спасибо…",
            "שלום",
            "ÀÈÌÒÙ",
            "ÂGE",
            "Â",
            "âge",
            "Êtes-vous",
            "ÎLE",
            "ÔTÉ",
            "Århus",
            "Åse",
            "JÄŽ",
            "¡Olé! ¿Qué?",
            "São João",
            "É–È",
            "Ò–Ó–Ù",
            "Zoë’s",
            "√2, √x, 2√a, √±1, ≈5, ≈ a, ƒ(x), ƒ",
        ] {
            assert_eq!(misread_letter(text), None, "{text}");
        }
    }
}
