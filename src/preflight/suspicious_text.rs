//! What a text has from a program that wrote it, and that was hardly meant for paper: escapes, markup, results of failed
//! formulas, and letters that were lost.

use super::exported_value::exported_value;
use super::markup::{entity, markdown, tag};
use super::misread_text::misread_letter;

/// Those that may be the name in a greeting.
const NOBODY: [&str; 9] = ["NULL", "null", "undefined", "None", "none", "NaN", "nan", "N/A", "n/a"];
/// Words with which greetings begin.
const GREETS: [&str; 16] = [
    "Dear", "Hello", "Hi", "Hey", "Thanks", "Liebe", "Lieber", "Hallo", "Cher", "Chère", "Bonjour", "Hola", "Estimado",
    "Estimada", "Caro", "Cara",
];
/// Length of `%20`.
const ESCAPE: usize = 3;
/// What follows an escaped apostrophe.
const AFTER_APOSTROPHE: [&str; 7] = ["s", "t", "d", "m", "re", "ll", "ve"];

/// What of a text was hardly meant: of each kind the first.
pub(crate) fn suspicious(text: &str) -> Vec<String> {
    let found = [
        escaped_quotes(text)
            .or_else(|| text.split_whitespace().find_map(escape))
            .or_else(|| text.split_whitespace().find_map(escaped_comma))
            .or_else(|| workbook_escape(text)),
        tag(text),
        entity(text),
        markdown(text),
        exported_value(text),
        nobody(text),
        misread_letter(text),
        escaped_byte_in(text),
        lost_letter(text),
    ];
    found.into_iter().flatten().collect()
}

/// What a program wrote for a letter that it did not have.
fn lost_letter(text: &str) -> Option<String> {
    let replaced = text.contains('\u{FFFD}').then_some("\u{FFFD}");
    let doubled = || question_marks_in_word(text, 2).then_some("??");
    replaced.or_else(doubled).map(str::to_owned).or_else(|| text.split_whitespace().find_map(letter_asked_for))
}

/// A word with a question mark that stands for a letter or an apostrophe: `M?ller`, `Ren?e`, `can?t`. Between longer
/// parts it may end a sentence, and i and a are words.
fn letter_asked_for(word: &str) -> Option<String> {
    let bare = word.trim_matches(|end: char| !end.is_alphabetic());
    let (before, after) = bare.split_once('?')?;
    let is_letters = |part: &str| !part.is_empty() && part.chars().all(char::is_alphabetic);
    let is_lower = after.chars().all(char::is_lowercase);
    let is_one = |part: &str| part.chars().count() == 1;
    let is_word = matches!(after, "i" | "a" | "o" | "u" | "y" | "e" | "à" | "è");
    let is_lost = AFTER_APOSTROPHE.contains(&after)
        || is_one(before) && before.chars().all(char::is_uppercase) && !is_one(after)
        || is_one(after) && (!is_word || after == "e" && before.starts_with(char::is_uppercase));
    (is_letters(before) && is_letters(after) && is_lower && is_lost).then(|| bare.to_owned())
}

/// Whether as many question marks or more stand in a word, where a program had no letter. A sentence begins in upper
/// case.
pub(crate) fn question_marks_in_word(text: &str, count: usize) -> bool {
    let follows_letter =
        |(at, _): &(usize, &str)| text.get(..*at).is_some_and(|before| before.ends_with(char::is_alphabetic));
    text.match_indices('?').filter(follows_letter).any(|(at, _)| {
        let marks = text.get(at..).unwrap_or_default();
        let after = marks.trim_start_matches('?');
        marks.len() - after.len() >= count && after.starts_with(char::is_lowercase)
    })
}

/// `\n`, `\r`, `\t`, `\xa0` and `\u00eb` in what stands between two spaces. Paths of Windows and formulas of TeX have other
/// backslashes, or no ends of sentences before them.
fn escape(word: &str) -> Option<String> {
    const BREAKS: [char; 3] = ['n', 'r', 't'];
    let after: Vec<&str> = word.split('\\').skip(1).collect();
    let code = |part: &str| {
        let length = if part.starts_with('u') { 4 } else { 2 };
        let digits = part.strip_prefix(['u', 'x'])?.get(..length)?;
        digits.chars().all(|digit| digit.is_ascii_hexdigit()).then(|| part.get(..=length)).flatten().map(str::to_owned)
    };
    let is_path = word.starts_with("\\\\") || word.contains(":\\");
    let is_escape = |part: &&str| part.starts_with(BREAKS) || code(part).is_some();
    if is_path || after.is_empty() || !after.iter().all(is_escape) {
        return None;
    }
    if let Some(code) = after.iter().find_map(|part| code(part)) {
        return Some(format!("\\{code}"));
    }
    let first = word.split('\\').next().unwrap_or_default();
    let bare = first.trim_end_matches([',', '.', '!', '?', ';']);
    let ends_sentence = bare != first
        && bare.chars().filter(|c| c.is_alphabetic()).count() > 1
        && !bare.contains(['(', '$', '_', '^', '=']);
    let follows_text = first.ends_with(|last: char| last.is_alphanumeric() || matches!(last, ')' | ':' | '"' | '”'));
    let is_break = |part: &&str| {
        let rest = part.get(1..).unwrap_or_default();
        ends_sentence || follows_text && (rest.is_empty() || rest.starts_with(char::is_uppercase))
    };
    // The last part before another escape is empty.
    let is_sure = after.iter().any(is_break)
        || after.windows(2).any(|pair| pair.iter().all(|part| part.starts_with(BREAKS)) && pair[0].len() == 1);
    let shown = after.first().and_then(|part| part.get(..1));
    shown.filter(|_| is_sure).map(|letter| format!("\\{letter}"))
}

/// `\,` and `\;` at the end of a word, as address books export them (RFC 6350, 3.4).
fn escaped_comma(word: &str) -> Option<String> {
    let escaped = ["\\,", "\\;"].into_iter().find(|escaped| word.ends_with(escaped))?;
    let bare = word.strip_suffix(escaped)?;
    (!bare.is_empty() && bare.chars().all(|sign| sign.is_alphanumeric() || ".-'".contains(sign)))
        .then(|| escaped.to_owned())
}

/// `\"Bob\"`, `it\'s`.
fn escaped_quotes(text: &str) -> Option<String> {
    let mut quoted = text.split("\\\"").skip(1);
    let is_pair =
        quoted.next().is_some_and(|inside| inside.starts_with(char::is_alphanumeric)) && quoted.next().is_some();
    if is_pair {
        return Some("\\\"".to_owned());
    }
    let is_apostrophe = |after: &str| {
        let end = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        after.get(..end).is_some_and(|word| AFTER_APOSTROPHE.contains(&word))
    };
    let is_of_name =
        |before: &str, after: &str| before.ends_with(['O', 'D', 'L']) && after.starts_with(char::is_uppercase);
    let parts: Vec<&str> = text.split("\\'").collect();
    if parts.windows(2).any(|pair| is_apostrophe(pair[1]) || is_of_name(pair[0], pair[1])) {
        return Some("\\'".to_owned());
    }
    doubled_apostrophe(text)
}

/// `O''Brien`, as databases write an apostrophe.
fn doubled_apostrophe(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split("''").collect();
    let is_in_word = |pair: &[&str]| {
        let [before, after] = pair else { return false };
        before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphabetic)
    };
    parts.windows(2).any(is_in_word).then(|| "''".to_owned())
}

/// The name in the greetings `Dear NULL,` and `Dear NULL, thank you`, or the greeting `Dear ,`.
fn nobody(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let of_line = || line.strip_suffix([',', '!']);
    let is_greeting = |text: &&str| GREETS.contains(&first_word(text));
    let of_sentence = || Some(line.split_once([',', '!'])?.0).filter(is_greeting);
    let whole = of_sentence().or_else(of_line)?;
    let (greeting, names) = whole.split_once(' ')?;
    if !greeting.chars().all(char::is_alphabetic) {
        return None;
    }
    // French has a space before other signs, and none before a comma.
    let is_missing = names.chars().all(|sign| matches!(sign, '-' | '–' | '—' | '?')) || names.ends_with(' ');
    let has_comma = line.get(whole.len()..).is_some_and(|rest| rest.starts_with(','));
    if is_missing && has_comma && (is_greeting(&whole) || line.ends_with(',')) {
        return Some(format!("{whole},"));
    }
    if is_name_of_field(names) {
        return Some(names.to_owned());
    }
    let is_nobody = |name: &&str| NOBODY.contains(&name.trim_matches(['[', ']', '<', '>', '-'])) || *name == "\\N";
    names.split([',', ' ']).find(is_nobody).map(str::to_owned)
}

/// Whether a greeting has the name of a field or the number of one for a name: `(Name)`, `First Name`, `{0}`.
fn is_name_of_field(names: &str) -> bool {
    const FIELDS: [&str; 5] = ["Name", "First Name", "Last Name", "First Name Last Name", "Full Name"];
    let bare = names.trim_matches(['(', ')', '{', '}']);
    FIELDS.contains(&bare) || bare.len() < names.len() && bare.len() == 1 && bare.chars().all(|c| c.is_ascii_digit())
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// A byte of a character as the web writes it in addresses, `Ann%20Lee` and `Zo%C3%AB`, or as mail does, `Zo=C3=AB`.
fn escaped_byte_in(text: &str) -> Option<String> {
    let is_address = |word: &&str| word.contains("://") || word.contains(['/', '?', '@']) || word.starts_with("www.");
    let words = text.split_whitespace().filter(|word| !is_address(word));
    let places = words.flat_map(|word| word.match_indices(['%', '=']).map(move |(at, sign)| (word, at, sign)));
    places.into_iter().find_map(|(word, at, sign)| {
        let code = escaped_byte(word.get(at..)?, sign)?;
        let (before, after) = (word.get(..at)?, word.get(at + ESCAPE..)?);
        let is_sure = match code {
            // The first byte of a letter, and the second.
            0xC2..=0xEF => escaped_byte(after, sign).is_some_and(|next| (0x80..0xC0).contains(&next)),
            _ if sign == "=" || code.is_ascii_alphanumeric() || !(0x20..0x7F).contains(&code) => false,
            _ => before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphanumeric),
        };
        is_sure.then(|| word.get(at..at + ESCAPE).map(str::to_owned)).flatten()
    })
}

/// The byte of `%20` or `=20`, with which a text begins.
fn escaped_byte(text: &str, sign: &str) -> Option<u8> {
    let digits = text.strip_prefix(sign)?.get(..2)?;
    let is_hex = digits.chars().all(|digit| digit.is_ascii_digit() || ('A'..='F').contains(&digit));
    if is_hex { u8::from_str_radix(digits, 16).ok() } else { None }
}

/// `_x000D_`, as workbooks write a character that XML has no place for (ECMA-376, 22.9.2.19).
fn workbook_escape(text: &str) -> Option<String> {
    text.match_indices("_x").find_map(|(at, _)| {
        let whole = text.get(at..at + "_x000D_".len())?;
        let digits = whole.get(2..whole.len() - 1)?;
        let is_code = whole.ends_with('_') && digits.chars().all(|digit| digit.is_ascii_hexdigit());
        is_code.then(|| whole.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_wrote_is_found() {
        for (text, found) in [
            ("Ann,\\nthank you", "\\n"),
            ("Dear Ann,\\n\\nThank you", "\\n"),
            ("Dear Ann, \\n\\n Thank you", "\\n"),
            ("one\\nTwo", "\\n"),
            ("the end\\r\\n", "\\r"),
            ("Robert \\\"Bob\\\" Ray", "\\\""),
            ("it\\'s yours", "\\'"),
            ("1 High St\\, Leeds", "\\,"),
            ("Zo\\u00eb", "\\u00eb"),
            ("one<br>two", "<br>"),
            ("one<BR />two", "<BR />"),
            ("<p>a</p>", "<p>"),
            ("Tom &amp; Ann", "&amp;"),
            ("R&amp;D", "&amp;"),
            ("Zo&euml;", "&euml;"),
            ("O&#39;Shea", "&#39;"),
            ("O&#x27;Shea", "&#x27;"),
            ("for #N/A, with love", "#N/A"),
            ("#REF!", "#REF!"),
            ("Hello [object Object]", "[object Object]"),
            ("Dear NULL,\nthank you", "NULL"),
            ("Hi undefined!", "undefined"),
            ("Dear NULL, see you", "NULL"),
            ("Hello undefined, thanks", "undefined"),
            ("Fran??ois", "??"),
            ("M????ller", "??"),
            ("Zo\u{FFFD}", "\u{FFFD}"),
            ("Dear M?ller, hi", "M?ller"),
            ("Ren?e", "Ren?e"),
            ("I can?t wait!", "can?t"),
            ("Mï¿½ller", "ï¿½"),
            ("Dear (Name), thanks", "(Name)"),
            ("Dear First Name Last Name,", "First Name Last Name"),
            ("Dear Name, hi", "Name"),
            ("Hi {0}, we owe you", "{0}"),
            ("Dear null, undefined,", "null"),
            ("Dear ,\nthank you", "Dear ,"),
            ("José and JosÃ© PÃ©rez", "Ã©"),
            ("itâ€™s fine", "â€™"),
            ("it said: so â€ fine", "â€"),
            ("Ann%20Lee", "%20"),
            ("Dear Ann%20Lee,", "%20"),
            ("Room%201", "%20"),
            ("O%27Brien", "%27"),
            ("Zo%C3%AB", "%C3"),
            ("%C3%89mile", "%C3"),
            ("call 4.47911E+11, please", "4.47911E+11"),
            ("4,47911E+12", "4,47911E+12"),
            ("PeÅ¡ek", "Å¡"),
            ("Zo=C3=AB", "=C3"),
            ("Zo\\xc3\\xab", "\\xc3"),
            ("Ann,_x000D_", "_x000D_"),
            ("so **very** glad", "**very**"),
            ("Dear nan,\nthank you", "nan"),
            ("Dear -,\nthank you", "Dear -,"),
            ("Dear , thank you", "Dear ,"),
            ("Dear [NULL], hi", "[NULL]"),
            ("Dear \\N, hi", "\\N"),
            ("Dear Ms , thank you", "Dear Ms ,"),
            ("Mr O\\'Brien", "\\'"),
            ("Mr O''Brien", "''"),
            ("on 2026-11-27 00:00:00", "2026-11-27 00:00:00"),
        ] {
            assert_eq!(suspicious(text), [found], "{text}");
        }
    }

    #[test]
    fn what_people_write_is_no_cause_for_a_warning() {
        for text in [
            "Bonjour !\nmerci",
            "À São João: SÃO PAULO, Ångström, «Ärger», âge, Â, Åse",
            "$5 {each}",
            "Save it in C:\\new or C:\\temp\\notes",
            "src\\tests and docs\\notes",
            "\\\\server\\new",
            "\\nu \\theta f(x,\\nu) a\\times b x\\to\\infty",
            "Schr\\\"odinger, caf\\'e",
            "either\\or :-\\ :\\ \\o/ ¯\\_(ツ)_/¯",
            "Dear Mrs. Null,\nthank you",
            "Dear Nan,\nthank you",
            "an undefined future, null and void",
            "#NVIDIA #NV #love #1",
            "What?? Really??? No!?",
            "Really?Yes. How are you?i am fine",
            "What??No way",
            "¿¿Qué??",
            "??",
            "https://a.example/b?c=d&copy=2;e&lt=3",
            "AT&T; Q&A; lig; B&B; R&D; &c; salt & pepper; Bob",
            "a < b > c, if a <b> c",
            "I <3 you, </3, >_<, <o>",
            "Tom & Ann; Bob &; &x;",
            "1/2 N/A 50 % off%",
            "6\" nails and 5' 3\"",
            "x^2 + y_1 = {3, 4} [5, 6] (7)",
            "*starred* _words_ ~100~ `code`",
            "<- that -> way <=> so",
            "(c) 2026 (r) (tm)",
            "fn main() { println!(\"{x}\"); }",
            "http://x.de/?q=a?b",
            "5 > 3 && 2 < 4; c",
            "I'm, don't, l'eau, rock 'n' roll",
            "None of us, N/A",
            "Enter null, then save",
            "50%20 off, 100%, x % 20, 5%25, %20, 20%A, a%b%cd, 100%AB",
            "https://a.example/Ann%20Lee and www.a.example?x=a%20b",
            "x=C3 and y=20, a=C3=5, E=MC2",
            "Dear …,\nDear ___,",
            "the 5'' pipe, ''so'', rock ''n'' roll",
            "6.022E+23, 1.6E-19, 1E+11, E+11, 3E+5, 2.5E+03",
        ] {
            assert_eq!(suspicious(text), [""; 0], "{text}");
            assert_eq!(super::super::literal_placeholder::foreign_placeholder(text, |_| false), None, "{text}");
        }
    }
}
