//! The delimiter of a CSV file: named by the user, or recognised by the header.

/// The delimiter where none is known.
pub(crate) const USUAL: u8 = b',';
/// Delimiters that are recognised. Spreadsheet programs write the semicolon where the comma is the decimal sign.
const RECOGNISED: [u8; 4] = [USUAL, b';', b'\t', b'|'];
/// Records that are compared where the header leaves the choice.
const COMPARED: usize = 1000;

/// The delimiter that a user names by itself or by a word.
pub(crate) fn named(text: &str) -> Result<u8, &'static str> {
    match (text, text.as_bytes()) {
        ("tab" | "\\t", _) => Ok(b'\t'),
        ("comma", _) => Ok(b','),
        ("semicolon", _) => Ok(b';'),
        (_, [byte]) if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("one ASCII character such as ; or one of the words comma, semicolon and tab"),
    }
}

/// A delimiter for people.
pub(crate) fn name_of(delimiter: u8) -> String {
    if delimiter == b'\t' { "tab".to_owned() } else { format!("'{}'", char::from(delimiter)) }
}

/// Takes the line `sep=;` off, with which spreadsheet programs name the delimiter in front of the header.
pub(crate) fn declared(csv: &[u8]) -> (Option<u8>, &[u8]) {
    let end = csv.iter().position(|byte| *byte == b'\n').unwrap_or(csv.len());
    let (line, rest) = csv.split_at(end);
    match line.strip_suffix(b"\r").unwrap_or(line) {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter] => {
            (Some(*delimiter), rest.get(1..).unwrap_or_default())
        }
        _ => (None, csv),
    }
}

/// The delimiter by which the header has more than one cell. If there are several, the one by which all records have as
/// many cells as the header; the comma if there is none.
///
/// # Errors
/// That leaves a choice.
pub(crate) fn recognised(csv: &[u8]) -> Result<u8, String> {
    let parting: Vec<u8> =
        RECOGNISED.into_iter().filter(|delimiter| widths(csv, *delimiter).next() > Some(1)).collect();
    match parting.as_slice() {
        [] => return Ok(USUAL),
        [only] => return Ok(*only),
        _ => {}
    }
    let is_even = |delimiter: &&u8| {
        let mut widths = widths(csv, **delimiter);
        let header = widths.next();
        widths.take(COMPARED).all(|width| Some(width) == header)
    };
    let even: Vec<&u8> = parting.iter().filter(is_even).collect();
    if let [only] = even.as_slice() {
        return Ok(**only);
    }
    let names: Vec<String> = parting.iter().map(|delimiter| name_of(*delimiter)).collect();
    Err(format!("the header could be parted by {}; say which with --delimiter", names.join(" or ")))
}

/// The number of cells of each record.
fn widths(csv: &[u8], delimiter: u8) -> impl Iterator<Item = usize> {
    let reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).has_headers(false).from_reader(csv);
    reader.into_byte_records().map_while(Result::ok).map(|record| record.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_a_character_or_a_word() {
        for (text, byte) in
            [(",", b','), (";", b';'), ("\\t", b'\t'), ("\t", b'\t'), ("tab", b'\t'), ("semicolon", b';'), ("~", b'~')]
        {
            assert_eq!(named(text), Ok(byte), "{text:?}");
        }
        for text in ["", ";;", "ä", "\"", "\n", "tabs"] {
            assert!(named(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_header_tells_the_delimiter() {
        for (csv, delimiter) in [
            ("name,city\nAnn;x,Paris\n", b','),
            ("name;city\n\"Marsh, E.\";Paris\n", b';'),
            ("name\tcity\nAnn\tParis\n", b'\t'),
            ("name|city\n", b'|'),
            ("name\nAnn, and Bob\n", b','),
            ("\"name, all of it\";city\nAnn;Paris\n", b';'),
            ("name;\"city, or town\";gift, if any\nAnn;Paris;a book\nBob;Rome;\n", b';'),
            ("", b','),
        ] {
            assert_eq!(recognised(csv.as_bytes()), Ok(delimiter), "{csv:?}");
        }
        let error = recognised(b"name;city, town\nAnn;Paris, Lyon\n").unwrap_err();
        assert!(error.contains("',' or ';'") && error.contains("--delimiter"), "{error}");
    }

    #[test]
    fn a_line_may_declare_the_delimiter() {
        assert_eq!(declared(b"sep=;\r\nname;city\n"), (Some(b';'), &b"name;city\n"[..]));
        assert_eq!(declared(b"SEP=\t\nname\n"), (Some(b'\t'), &b"name\n"[..]));
        assert_eq!(declared(b"name;city\n"), (None, &b"name;city\n"[..]));
    }
}
