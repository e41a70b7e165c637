//! What a text has from a program that wrote it, and that was hardly meant for paper: escapes, markup, results of failed
//! formulas, and letters that were lost.

use super::literal_placeholder::up_to;

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
/// Results of failed formulas, in English and German.
pub(crate) const FORMULA_ERRORS: [&str; 10] =
    ["#N/A", "#NV", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#BEZUG!", "#WERT!"];
const TAGS: [&str; 12] = ["p", "b", "i", "u", "a", "em", "li", "strong", "div", "span", "font", "td"];
const ENTITIES: [&str; 22] = [
    "amp", "lt", "gt", "quot", "apos", "nbsp", "ndash", "mdash", "hellip", "rsquo", "lsquo", "rdquo", "ldquo", "euro",
    "szlig", "copy", "reg", "trade", "deg", "shy", "bull", "middot",
];
const ENTITY_ENDS: [&str; 9] = ["uml", "acute", "grave", "circ", "tilde", "cedil", "ring", "slash", "lig"];
/// What follows an escaped apostrophe.
const AFTER_APOSTROPHE: [&str; 7] = ["s", "t", "d", "m", "re", "ll", "ve"];

/// The first thing in a text that was hardly meant.
pub(crate) fn suspicious(text: &str) -> Option<String> {
    let escape = escaped_quotes(text).or_else(|| text.split_whitespace().find_map(escape));
    escape
        .or_else(|| tag(text))
        .or_else(|| entity(text))
        .or_else(|| formula_error(text))
        .or_else(|| nobody(text))
        .or_else(|| misread_letter(text))
        .or_else(|| {
            let lost = text.contains('\u{FFFD}') || question_marks_in_word(text, 2);
            lost.then(|| if text.contains('\u{FFFD}') { "\u{FFFD}".to_owned() } else { "??".to_owned() })
        })
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

/// The name in the greeting `Dear NULL,`, or the greeting `Dear ,`.
fn nobody(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let (greeting, names) = line.strip_suffix([',', '!'])?.split_once(' ')?;
    if !greeting.chars().all(char::is_alphabetic) {
        return None;
    }
    // French has a space before other signs, and none before a comma.
    if names.is_empty() && line.ends_with(',') {
        return Some(line.to_owned());
    }
    names.split([',', ' ']).find(|name| NOBODY.contains(name)).map(str::to_owned)
}

/// A letter in UTF-8 that was read as Windows-1252: `Ã©` for é, `â€™` for ’.
fn misread_letter(text: &str) -> Option<String> {
    /// The first bytes of two, and the signs of second bytes that follow none of these letters in a word.
    const FIRST: [char; 4] = ['Ã', 'Â', 'Ä', 'Å'];
    const SECOND: &str = "¡¢£¤¥¦§¨©ª¬®¯°±²³´µ¶·¸¹º¼½¾¿†‡ˆ‰‹˜™›€‚ƒ„";
    let pair = |first: char| {
        text.match_indices(first).find_map(|(at, _)| {
            let second = text.get(at + first.len_utf8()..)?.chars().next()?;
            SECOND.contains(second).then(|| String::from_iter([first, second]))
        })
    };
    if text.contains("â€") { Some("â€".to_owned()) } else { FIRST.into_iter().find_map(pair) }
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
            ("Fran??ois", "??"),
            ("M????ller", "??"),
            ("Zo\u{FFFD}", "\u{FFFD}"),
            ("Dear null, undefined,", "null"),
            ("Dear ,\nthank you", "Dear ,"),
            ("José and JosÃ© PÃ©rez", "Ã©"),
            ("itâ€™s fine", "â€"),
            ("PeÅ¡ek", "Å¡"),
        ] {
            assert_eq!(suspicious(text).as_deref(), Some(found), "{text}");
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
        ] {
            assert_eq!(suspicious(text), None, "{text}");
            assert_eq!(super::super::literal_placeholder::foreign_placeholder(text, |_| false), None, "{text}");
        }
    }
}
