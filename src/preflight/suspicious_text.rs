//! What a text has from a program that wrote it, and that was hardly meant for paper: escapes, markup, results of failed
//! formulas, and letters that were lost.

use super::literal_placeholder::up_to;
use super::misread_text::misread_letter;

/// Longest tag and entity that is looked for, in characters.
const LONGEST_TAG: usize = 12;
const LONGEST_ENTITY: usize = 8;
/// Words that programs write for nothing.
pub(crate) const NOTHING: [&str; 11] =
    ["NULL", "null", "(null)", "\\N", "NaN", "nan", "None", "undefined", "N/A", "n/a", "[object Object]"];
/// Those of them that no text has.
const NEVER_MEANT: [&str; 2] = ["(null)", "[object Object]"];
/// Those that may be the name in a greeting.
const NOBODY: [&str; 4] = ["NULL", "null", "undefined", "None"];
/// Words with which greetings begin.
const GREETS: [&str; 16] = [
    "Dear", "Hello", "Hi", "Hey", "Thanks", "Liebe", "Lieber", "Hallo", "Cher", "Chère", "Bonjour", "Hola", "Estimado",
    "Estimada", "Caro", "Cara",
];
/// Results of failed formulas, in English and German.
pub(crate) const FORMULA_ERRORS: [&str; 10] =
    ["#N/A", "#NV", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#BEZUG!", "#WERT!"];
const TAGS: [&str; 12] = ["p", "b", "i", "u", "a", "em", "li", "strong", "div", "span", "font", "td"];
const ENTITIES: [&str; 22] = [
    "amp", "lt", "gt", "quot", "apos", "nbsp", "ndash", "mdash", "hellip", "rsquo", "lsquo", "rdquo", "ldquo", "euro",
    "szlig", "copy", "reg", "trade", "deg", "shy", "bull", "middot",
];
const ENTITY_ENDS: [&str; 9] = ["uml", "acute", "grave", "circ", "tilde", "cedil", "ring", "slash", "lig"];
/// Length of `%20`.
const ESCAPE: usize = 3;
/// The exponents of numbers that spreadsheet programs shorten.
const SHORTENED: std::ops::RangeInclusive<u8> = 11..=15;
/// What follows an escaped apostrophe.
const AFTER_APOSTROPHE: [&str; 7] = ["s", "t", "d", "m", "re", "ll", "ve"];

/// What of a text was hardly meant: of each kind the first.
pub(crate) fn suspicious(text: &str) -> Vec<String> {
    let found = [
        escaped_quotes(text).or_else(|| text.split_whitespace().find_map(escape)),
        tag(text),
        entity(text),
        formula_error(text),
        nobody(text),
        misread_letter(text),
        percent_escape(text),
        shortened_number(text),
        lost_letter(text),
    ];
    found.into_iter().flatten().collect()
}

/// What a program wrote for a letter that it did not have.
fn lost_letter(text: &str) -> Option<String> {
    let replaced = text.contains('\u{FFFD}').then_some("\u{FFFD}");
    replaced.or_else(|| question_marks_in_word(text, 2).then_some("??")).map(str::to_owned)
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

/// `\n`, `\r`, `\t` and `\u00eb` in what stands between two spaces. Paths of Windows and formulas of TeX have other
/// backslashes, or no ends of sentences before them.
fn escape(word: &str) -> Option<String> {
    const BREAKS: [char; 3] = ['n', 'r', 't'];
    let after: Vec<&str> = word.split('\\').skip(1).collect();
    let is_code = |part: &&str| {
        let digits = part.strip_prefix('u').and_then(|digits| digits.get(..4));
        digits.is_some_and(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit()))
    };
    let is_path = word.starts_with("\\\\") || word.contains(":\\");
    let is_escape = |part: &&str| part.starts_with(BREAKS) || is_code(part);
    if is_path || after.is_empty() || !after.iter().all(is_escape) {
        return None;
    }
    if let Some(code) = after.iter().find(|part| is_code(part)) {
        return code.get(..5).map(|code| format!("\\{code}"));
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
    text.split("\\'").skip(1).any(is_apostrophe).then(|| "\\'".to_owned())
}

/// `<br>` and the ends of other tags.
fn tag(text: &str) -> Option<String> {
    text.match_indices('<').find_map(|(at, _)| {
        let inside = up_to(text.get(at + 1..)?, ">", LONGEST_TAG)?;
        let is_break = inside.trim_end_matches(['/', ' ']).eq_ignore_ascii_case("br");
        let ended = inside.strip_prefix('/').map(str::to_lowercase);
        (is_break || ended.is_some_and(|name| TAGS.contains(&name.as_str()))).then(|| format!("<{inside}>"))
    })
}

fn entity(text: &str) -> Option<String> {
    text.match_indices('&').find_map(|(at, _)| {
        let name = up_to(text.get(at + 1..)?, ";", LONGEST_ENTITY)?;
        let is_number = name.strip_prefix('#').is_some_and(|number| match number.strip_prefix(['x', 'X']) {
            Some(digits) => !digits.is_empty() && digits.chars().all(|digit| digit.is_ascii_hexdigit()),
            None => !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit()),
        });
        let is_letter = name.chars().all(char::is_alphabetic)
            && ENTITY_ENDS
                .iter()
                .any(|end| (1..=2).contains(&name.len().saturating_sub(end.len())) && name.ends_with(end));
        (is_number || is_letter || ENTITIES.contains(&name)).then(|| format!("&{name};"))
    })
}

fn formula_error(text: &str) -> Option<String> {
    let stands_alone = |at: usize, length: usize| {
        let after = text.get(at + length..).unwrap_or_default();
        !after.starts_with(char::is_alphanumeric)
    };
    // `#NV` is a word as well.
    let mut errors =
        FORMULA_ERRORS.iter().filter(|error| error.contains(|sign: char| !sign.is_alphabetic() && sign != '#'));
    let found = errors.find(|error| text.match_indices(**error).any(|(at, _)| stands_alone(at, error.len())));
    found.or_else(|| NEVER_MEANT.iter().find(|word| text.contains(**word))).map(|found| (*found).to_owned())
}

/// The name in the greetings `Dear NULL,` and `Dear NULL, thank you`, or the greeting `Dear ,`.
fn nobody(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let of_line = || line.strip_suffix([',', '!']);
    let of_sentence = || Some(line.split_once([',', '!'])?.0).filter(|greeting| GREETS.contains(&first_word(greeting)));
    let (greeting, names) = of_sentence().or_else(of_line)?.split_once(' ')?;
    if !greeting.chars().all(char::is_alphabetic) {
        return None;
    }
    // French has a space before other signs, and none before a comma.
    if names.is_empty() && line.ends_with(',') {
        return Some(line.to_owned());
    }
    names.split([',', ' ']).find(|name| NOBODY.contains(name)).map(str::to_owned)
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// A space or another character as the web writes it in addresses: `Ann%20Lee`, `Zo%C3%AB`.
fn percent_escape(text: &str) -> Option<String> {
    let is_address =
        |word: &&str| word.contains("://") || word.contains(['/', '?', '@', '=']) || word.starts_with("www.");
    let words = text.split_whitespace().filter(|word| !is_address(word));
    words.flat_map(|word| word.match_indices('%').map(move |(at, _)| (word, at))).find_map(|(word, at)| {
        let code = escaped_byte(word.get(at..)?)?;
        let (before, after) = (word.get(..at)?, word.get(at + ESCAPE..)?);
        let is_sure = match code {
            // The first byte of a letter, and the second.
            0xC2..=0xEF => escaped_byte(after).is_some_and(|next| (0x80..0xC0).contains(&next)),
            _ if code.is_ascii_alphanumeric() || !(0x20..0x7F).contains(&code) => false,
            _ => before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphanumeric),
        };
        is_sure.then(|| word.get(at..at + ESCAPE).map(str::to_owned)).flatten()
    })
}

/// The byte of `%20`, with which a text begins.
fn escaped_byte(text: &str) -> Option<u8> {
    let digits = text.strip_prefix('%')?.get(..2)?;
    let is_hex = digits.chars().all(|digit| digit.is_ascii_digit() || ('A'..='F').contains(&digit));
    if is_hex { u8::from_str_radix(digits, 16).ok() } else { None }
}

/// A long number as spreadsheet programs show and export it: `4.47911E+11`.
fn shortened_number(text: &str) -> Option<String> {
    text.split_whitespace().find_map(|word| {
        let number = word.trim_matches(|end: char| !end.is_ascii_digit());
        is_shortened_number(number).then(|| number.to_owned())
    })
}

/// Whether a text is a number of 12 to 16 digits, of which an export kept the first: those of a telephone or an account.
fn is_shortened_number(text: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit());
    let Some((digits, exponent)) = text.split_once("E+") else { return false };
    let parts = digits.split_once(['.', ',']);
    parts.is_some_and(|(whole, rest)| whole.len() == 1 && is_digits(whole) && is_digits(rest) && rest.len() > 1)
        && exponent.parse::<u8>().is_ok_and(|exponent| SHORTENED.contains(&exponent))
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
            ("Zo\\u00eb", "\\u00eb"),
            ("one<br>two", "<br>"),
            ("one<BR />two", "<BR />"),
            ("<p>a</p>", "</p>"),
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
            "6.022E+23, 1.6E-19, 1E+11, E+11, 3E+5, 2.5E+03",
        ] {
            assert_eq!(suspicious(text), [""; 0], "{text}");
            assert_eq!(super::super::literal_placeholder::foreign_placeholder(text, |_| false), None, "{text}");
        }
    }
}
