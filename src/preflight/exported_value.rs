//! What programs export for nothing, for failed formulas, and for numbers and dates that they changed.

/// Words that programs write for nothing.
const NOTHING: &[&str] = &[
    "NULL",
    "null",
    "(null)",
    "\\N",
    "NaN",
    "nan",
    "NaT",
    "<NA>",
    "None",
    "undefined",
    "N/A",
    "n/a",
    "(none)",
    "(blank)",
    "(empty)",
    "(no value)",
    "(not set)",
    "Loading...",
    "Invalid Date",
    "Invalid date",
    "<Media omitted>",
    "[object Object]",
];
/// Those of them that no text has.
const NEVER_MEANT: &[&str] = &[
    "(null)",
    "(no value)",
    "(not set)",
    "<NA>",
    "Lorem ipsum",
    "<Media omitted>",
    "[email\u{A0}protected]",
    "[email protected]",
    "[object Object]",
    // Of JavaScript.
    "Invalid Date",
    "Invalid date",
    // Of Word.
    "Error! Bookmark not defined.",
    "Error! Reference source not found.",
    "Fehler! Textmarke nicht definiert.",
    "Fehler! Verweisquelle konnte nicht gefunden werden.",
    "Click or tap here to enter text",
    "Click here to enter text",
    "Klicken oder tippen Sie hier, um Text einzugeben",
    // Of chats.
    "<Attached: ",
    "<Medien ausgeschlossen>",
    // Sources that chat programs name in what they write.
    "contentReference[",
    "†source】",
    "turn0search",
];
/// Values of yes and no, which no card says.
const LOGICAL: [&str; 4] = ["TRUE", "FALSE", "WAHR", "FALSCH"];
/// Results of failed formulas, in English, German, French, Spanish, Italian and Dutch.
const FORMULA_ERRORS: &[&str] = &[
    "#N/A",
    "#NV",
    "#REF!",
    "#VALUE!",
    "#NAME?",
    "#DIV/0!",
    "#NULL!",
    "#NUM!",
    "#ERROR!",
    "#SPILL!",
    "#CALC!",
    "#BEZUG!",
    "#WERT!",
    "#ZAHL!",
    "#N/D",
    "#NOM?",
    "#VALEUR!",
    "#NOMBRE!",
    "#VALOR!",
    "#¡VALOR!",
    "#¡REF!",
    "#¡DIV/0!",
    "#¿NOMBRE?",
    "#VALORE!",
    "#WAARDE!",
];
/// The first days of the calendars of programs, which stand for no date. Nobody of today was born on one.
const NO_DATES: &[&str] = &[
    "0000-00-00",
    "00/00/0000",
    "00.00.0000",
    "0001-01-01",
    "01/01/0001",
    "1899-12-30",
    "12/30/1899",
    "30.12.1899",
    "1/0/1900",
    "01/00/1900",
];
/// Midnight, as programs write the time of a date without one.
const MIDNIGHTS: &[&str] = &["00:00:00", "0:00:00", "12:00:00 AM", "12:00:00 a.m.", "00:00:00.000", "0:00", "00:00"];
/// The days on which people write it too: the turn of the year.
const MEANT_MIDNIGHTS: &[&str] = &["31.12.", "1.1.", "01.01.", "12/31/", "31/12/", "1/1/", "01/01/"];
/// The exponents of numbers that spreadsheet programs shorten, in texts. Physics has others.
const SHORTENED: std::ops::RangeInclusive<u8> = 4..=20;
/// Fewest digits of a number that hardly has a fraction.
const LONG_IN_TEXT: usize = 4;
const LONG_IN_CELL: usize = 2;
/// Fewest zeros or nines in a row in a fraction that arithmetic left: `49.989999999999995`.
const LONG_REPEAT: usize = 7;
/// Fewest signs of a row that a program shows for a number in a narrow column.
const NARROW_COLUMN: usize = 4;

/// Whether a program writes the value of a cell for nothing.
pub(crate) fn is_nothing(cell: &str) -> bool {
    NOTHING.contains(&cell)
}

/// Whether a cell is what a program exports instead of a value.
pub(crate) fn is_exported_value(cell: &str) -> bool {
    is_nothing(cell)
        || FORMULA_ERRORS.contains(&cell)
        || is_protected(cell)
        || is_formula(cell)
        || is_narrow_column(cell)
        || LOGICAL.contains(&cell)
        || has_rounding_error(cell)
        || is_list(cell)
        || has_reference(cell)
        || shortened_exponent(cell).is_some()
        || is_whole_with_fraction(cell, LONG_IN_CELL)
        || NO_DATES.contains(&cell)
        || timestamp(cell).is_some()
}

/// The first such value that stands in a text, where texts hardly have it.
pub(super) fn exported_value(text: &str) -> Option<String> {
    let of_words = || text.split_whitespace().find_map(in_word).map(str::to_owned);
    formula_error(text).map(str::to_owned).or_else(of_words).or_else(|| timestamp(text))
}

fn formula_error(text: &str) -> Option<&'static str> {
    let stands_alone = |at: usize, length: usize| {
        let after = text.get(at + length..).unwrap_or_default();
        !after.starts_with(char::is_alphanumeric)
    };
    // `#NV` is a word as well, beside others with this sign.
    let is_sure = |error: &str| error.contains(|sign: char| !sign.is_alphabetic() && sign != '#');
    let is_alone = text.matches('#').count() == 1;
    let mut errors = FORMULA_ERRORS.iter().filter(|error| is_sure(error) || is_alone);
    let found = errors.find(|error| text.match_indices(**error).any(|(at, _)| stands_alone(at, error.len())));
    found.or_else(|| NEVER_MEANT.iter().find(|word| text.contains(**word))).copied()
}

/// The value in what stands between two spaces.
fn in_word(word: &str) -> Option<&str> {
    let bare = word.trim_matches(|end: char| !end.is_alphanumeric());
    let is_shortened = || shortened_exponent(bare).is_some_and(|exponent| SHORTENED.contains(&exponent));
    let has_fraction = || bare.contains(['.', ',']);
    if bare == "NaN"
        || has_reference(bare)
        || NO_DATES.contains(&bare)
        || is_shortened() && has_fraction()
        || has_rounding_error(bare)
    {
        return Some(bare);
    }
    // `$2134.0` may be an amount.
    if is_whole_with_fraction(bare, LONG_IN_TEXT) && word.starts_with(|first: char| first.is_ascii_digit()) {
        return Some(bare);
    }
    let before_marks = word.trim_end_matches([',', '.', ';', '!', '?', ':']);
    let is_zip = || is_protected(before_marks) && before_marks.starts_with("'0");
    (is_call(before_marks) || is_zip()).then_some(before_marks)
}

/// Whether an apostrophe or a formula keeps the zeros of a number, as exports for spreadsheet programs write it:
/// `'02134`, `="02134"`.
fn is_protected(cell: &str) -> bool {
    let number = cell.strip_prefix('\'').unwrap_or_default();
    let is_number =
        number.len() >= LONG_IN_TEXT && number.chars().all(|sign| sign.is_ascii_digit() || matches!(sign, '-' | ' '));
    is_number || cell.len() > 3 && cell.starts_with("=\"") && cell.ends_with('"')
}

/// Whether a cell is a formula without its result: `=A2&" "&B2`, `=SUM(A1)`.
fn is_formula(cell: &str) -> bool {
    let formula = cell.strip_prefix('=').unwrap_or_default();
    let letters = formula.find(|sign: char| !sign.is_ascii_uppercase()).unwrap_or(formula.len());
    let rest = formula.get(letters..).unwrap_or_default();
    let is_reference = letters > 0 && rest.starts_with(|sign: char| sign.is_ascii_digit());
    is_call(cell) || is_reference || formula.starts_with('$')
}

/// Whether a text begins like the call of a function in a formula: `=SUM(`, `=_xlfn.TEXTJOIN(`.
fn is_call(text: &str) -> bool {
    let Some((name, _)) = text.strip_prefix('=').and_then(|formula| formula.split_once('(')) else { return false };
    let is_of_name = |sign: char| sign.is_ascii_uppercase() || sign.is_ascii_digit() || matches!(sign, '.' | '_');
    let name = name.strip_prefix("_xlfn.").unwrap_or(name);
    name.len() > 1 && name.chars().all(is_of_name)
}

/// Whether a cell is a list or an object of JSON or of Python: `["tea", "cake"]`, `{'name': 'tea'}`.
fn is_list(cell: &str) -> bool {
    [("[", "]"), ("{", "}")].iter().any(|(open, close)| {
        let inside = cell.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        inside.is_some_and(|inside| inside.trim_start().starts_with(['"', '\'']))
    })
}

/// Whether a text has the number of a record after its name, as office servers export references: `tea;#12`.
fn has_reference(text: &str) -> bool {
    text.split(";#").skip(1).any(|after| after.starts_with(|first: char| first.is_ascii_digit()))
}

fn is_narrow_column(cell: &str) -> bool {
    cell.len() >= NARROW_COLUMN && cell.chars().all(|sign| sign == '#')
}

/// The exponent of a number as spreadsheet programs show and export long ones: 11 of `4.47911E+11`.
fn shortened_exponent(number: &str) -> Option<u8> {
    let (digits, exponent) = number.trim_start_matches(['+', '-']).split_once(['E', 'e'])?;
    let (whole, rest) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));
    let is_number = whole.len() == 1 && is_digits(whole) && is_digits(rest);
    let exponent = exponent.strip_prefix('+').filter(|exponent| exponent.len() > 1 && is_digits(exponent))?;
    exponent.parse().ok().filter(|_| is_number)
}

/// Whether a text is a whole number of as many digits or more that got a fraction in a table with empty cells: `2134.0`.
fn is_whole_with_fraction(text: &str, digits: usize) -> bool {
    text.strip_suffix(".0").is_some_and(|whole| whole.len() >= digits && is_digits(whole))
}

/// Whether the fraction of a number is what binary arithmetic left of a shorter one: `0.30000000000000004`.
fn has_rounding_error(number: &str) -> bool {
    let Some((whole, fraction)) = number.split_once(['.', ',']) else { return false };
    let repeats = |digit: &str| fraction.contains(&digit.repeat(LONG_REPEAT));
    is_digits(whole) && is_digits(fraction) && fraction.len() > 2 * LONG_REPEAT && (repeats("0") || repeats("9"))
}

/// A date with the time of midnight, or a time as programs exchange it: `2026-11-27 00:00:00`, `2026-11-27T14:30:00Z`
/// (ISO 8601), `GMT+0100`.
fn timestamp(text: &str) -> Option<String> {
    midnight(text).or_else(|| text.split_whitespace().find_map(exchanged)).or_else(|| to_the_second(text))
}

/// A date of ISO 8601 and a time with seconds after a space, as databases write them: `2026-11-27 14:30:00`.
fn to_the_second(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        let [date, time] = pair else { return None };
        let date = date.trim_matches(|end: char| !end.is_ascii_digit());
        let time = time.trim_matches(|end: char| !end.is_ascii_digit());
        let seconds = time.split(':').nth(2)?.split('.').next()?;
        let is_time = time.split(':').count() == 3 && seconds.len() == 2 && time.get(..2).is_some_and(is_digits);
        (is_iso_date(date) && is_time).then(|| format!("{date} {time}"))
    })
}

fn is_iso_date(date: &str) -> bool {
    date.len() == 10 && date.split('-').count() == 3 && date.split('-').all(is_digits)
}

/// A date and a time of ISO 8601 with `T` between them, or a zone of JavaScript, in what stands between two spaces.
fn exchanged(word: &str) -> Option<String> {
    let zone = word.strip_prefix("GMT").and_then(|zone| zone.strip_prefix(['+', '-']));
    if zone.is_some_and(|zone| zone.len() == 4 && is_digits(zone)) {
        return Some(word.to_owned());
    }
    let bare = word.trim_matches(|end: char| !end.is_alphanumeric());
    let (date, time) = bare.split_once('T')?;
    let is_time = time.get(..2).is_some_and(is_digits) && time.get(2..3) == Some(":");
    (is_iso_date(date) && is_time).then(|| bare.to_owned())
}

/// A date with the time of midnight.
fn midnight(text: &str) -> Option<String> {
    MIDNIGHTS.iter().flat_map(|time| text.match_indices(time)).find_map(|(at, time)| {
        let before = text.get(..at)?.strip_suffix([' ', 'T'])?;
        let start = before.rfind(char::is_whitespace).map_or(0, |space| space + 1);
        let date = before.get(start..)?;
        let parts = date.trim_start_matches(|first: char| !first.is_ascii_digit()).split(['-', '/', '.']);
        let is_date = parts.clone().count() == 3 && parts.into_iter().all(is_digits);
        let is_meant = time.len() <= "00:00".len() && MEANT_MIDNIGHTS.iter().any(|day| date.starts_with(day));
        let ends = !text.get(at + time.len()..)?.starts_with(|next: char| next.is_ascii_digit() || next == ':');
        (is_date && ends && !is_meant).then(|| text.get(start..at + time.len()).map(str::to_owned)).flatten()
    })
}

fn is_digits(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_export_is_found_in_texts() {
        for (text, found) in [
            ("for #N/A, with love", "#N/A"),
            ("#REF!", "#REF!"),
            ("Betrag #NV bis", "#NV"),
            ("Due Invalid Date.", "Invalid Date"),
            ("at: Invalid date", "Invalid date"),
            ("for #VALEUR!", "#VALEUR!"),
            ("Hello [object Object]", "[object Object]"),
            ("see <Media omitted>", "<Media omitted>"),
            ("owes NaN euros", "NaN"),
            ("call 4.47911E+11, please", "4.47911E+11"),
            ("call +4.9E+11.", "4.9E+11"),
            ("4,47911E+12", "4,47911E+12"),
            ("of 1.9E+04", "1.9E+04"),
            ("4.47911e+10", "4.47911e+10"),
            ("Boston 2134.0", "2134.0"),
            ("Boston '02134.", "'02134"),
            ("born 0000-00-00", "0000-00-00"),
            ("on 2026-11-27 00:00:00, at noon", "2026-11-27 00:00:00"),
            ("on (2026-11-27T00:00:00Z)", "(2026-11-27T00:00:00"),
            ("on 2026-11-27T14:30:00.000Z.", "2026-11-27T14:30:00.000Z"),
            ("Fri Nov 27 2026 10:00:00 GMT+0100 (Central European Standard Time)", "GMT+0100"),
            ("costs 49.989999999999995 EUR", "49.989999999999995"),
            ("as told :contentReference[oaicite:0]{index=0}", "contentReference["),
            ("write to [email protected]", "[email protected]"),
            ("the tea;#12 set", "tea;#12"),
            ("11/27/2026 12:00:00 AM", "11/27/2026 12:00:00 AM"),
            ("Your visit on 11/27/2026 0:00", "11/27/2026 0:00"),
            ("am 27.11.2026 00:00 Uhr", "27.11.2026 00:00"),
            ("on 2026-11-27 14:30:00.000, at noon", "2026-11-27 14:30:00.000"),
            ("Error! Bookmark not defined. See Table 3", "Error! Bookmark not defined."),
            ("Ann: <Attached: 00000012-PHOTO.jpg>", "<Attached: "),
            ("you owe =SUM(A1), thanks", "=SUM(A1)"),
            ("=VLOOKUP(A2, names, 2)", "=VLOOKUP(A2"),
        ] {
            assert_eq!(exported_value(text).as_deref(), Some(found), "{text}");
        }
    }

    #[test]
    fn numbers_and_dates_of_people_are_left_alone() {
        for text in [
            "6.022E+23, 1.6E-19, 1E+11, E+11, 3E+5",
            "$2134.0 and 99.0, version 12.0",
            "on 31.12.2026 00:00 and at 00:00:00",
            "from 1/1/2027 0:00, 27.11.2026 00:05, 2026-11-27 14:30",
            "the class of '2024, '95",
            "a = f(x), =) and x=SUM(1)",
            "NAN, Nan, nan",
            "#####",
            "IP 10.0.0.0 and 2134.05, 3.14159265358979, 1.00000001",
            "T10 on 2026-11-27, 14:30 GMT, TRUE",
        ] {
            assert_eq!(exported_value(text), None, "{text}");
        }
    }

    #[test]
    fn cells_have_what_texts_may_have() {
        for cell in [
            "34.0",
            "4E+05",
            "1.9E+04",
            "####",
            "=A2",
            "=A2&\" \"&B2",
            "=$B$2",
            "=\"02134\"",
            "'02134",
            "1/0/1900",
            "NaT",
            "TRUE",
            "['tea', 'cake']",
            "{\"name\": \"tea\"}",
            "tea;#12",
        ] {
            assert!(is_exported_value(cell), "{cell}");
        }
        for cell in ["4.0", "E+05", "###", "=)", "==", "= 5", "'95", "'tis", "1900", "4e5", "A2", "[sic]", "{}"] {
            assert!(!is_exported_value(cell), "{cell}");
        }
    }
}
