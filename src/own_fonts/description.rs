//! The TOML file beside a font: what its operator says of it.

use std::ops::RangeInclusive;
use std::path::Path;

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::read_regular;
use crate::catalogue::{FontId, FontRecord, OPERATOR_IDS};
use crate::spec::shortened;
use crate::variation::Manner;

/// Largest description, in bytes.
const LARGEST: u64 = 64 << 10;
/// Neatness of a font that says none.
const MIDDLING: u8 = 3;
/// The rule that a text must meet.
const TEXT: &str = "a text in quotation marks";
/// Most characters of a name and of a licence.
const LONGEST_NAME: usize = 64;
const LONGEST_LICENCE: usize = 1000;
/// Most fonts of `fallback`.
const MOST_FALLBACKS: usize = 32;
/// Limits of a word space, in ems.
const WORD_GAPS: RangeInclusive<f64> = 0.05..=1.0;
/// The rule that the keys of a font must meet, their most, and the length of each.
const KEYS: &str = "a list of the ids that `longhand keys list` shows";
const MOST_KEYS: usize = 1000;
const KEY_LENGTH: usize = 36;
/// The rule that the table of a writer must meet, and the limits of its numbers.
const WRITER: &str = "a table with height, width, slant, baseline, gap or word_gap, each a number";
const SHARES: RangeInclusive<f64> = 0.0..=3.0;
/// Limits of a slant, in degrees.
const SLANTS: RangeInclusive<f64> = -45.0..=60.0;

/// The operator's description of a font.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// Its `font_id`, 1001 to 1999.
    pub id: u16,
    /// Family name.
    pub name: String,
    /// Kind of handwriting.
    pub style: String,
    /// Its licence, in any words.
    pub licence: String,
    /// 1 (hasty) to 5 (tidy).
    pub neatness: u8,
    /// Slant in degrees, positive to the right, instead of the measured one.
    pub slant: Option<f64>,
    /// Width of the space between words in ems, instead of the font's own, which is widened where words would touch.
    pub word_gap_em: Option<f64>,
    /// The fonts that replace it where it lacks characters, the first choice first; then the others by closeness.
    pub fallback: Vec<u16>,
    /// The contextual alternates of the font only vary letters: the service varies them by itself.
    pub variants: bool,
    /// How far its writer varies, beside the average one.
    pub writer: Manner,
    /// Identifiers of the API keys that may use it; none of a font for all.
    pub keys: Vec<String>,
    /// The operator has read the licence, and may use the font though its `fsType` says no.
    pub licence_checked: bool,
}

impl Description {
    /// Reads and checks a description.
    ///
    /// # Errors
    /// The file is missing, is no regular file, is not TOML, or a key is missing, unknown or has a bad value. The message
    /// names the key. It quotes nothing of a file that is no description, as a link may lead to any file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = read_regular(path, LARGEST).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "it is missing; it must say id, name, style and licence".to_owned(),
            _ => error.to_string(),
        })?;
        Self::parse(&String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8".to_owned())?)
    }

    /// Reads and checks the text of a description.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn parse(text: &str) -> Result<Self, String> {
        let table = text.parse::<Table>().map_err(|error| syntax_error(text, &error))?;
        let description = Self::from_table(table)?;
        description.check()?;
        Ok(description)
    }

    /// Takes the keys of a table.
    fn from_table(mut table: Table) -> Result<Self, String> {
        if let Some(key) = ["id", "name", "style", "licence"].into_iter().find(|key| !table.contains_key(*key)) {
            return Err(format!("missing field `{key}`; it must say id, name, style and licence"));
        }
        let is_for_nobody = table.get("keys").and_then(Value::as_array).is_some_and(Vec::is_empty);
        if is_for_nobody {
            return Err("keys: it names no key; leave it out for a font for all".to_owned());
        }
        let description = Self {
            id: required(&mut table, "id", "a whole number from 1001 to 1999")?,
            name: required(&mut table, "name", TEXT)?,
            style: required(&mut table, "style", TEXT)?,
            licence: required(&mut table, "licence", TEXT)?,
            neatness: optional(&mut table, "neatness", "a whole number from 1 to 5")?.unwrap_or(MIDDLING),
            slant: optional(&mut table, "slant", "a number of degrees")?,
            word_gap_em: optional(&mut table, "word_gap_em", "a number of ems")?,
            fallback: optional(&mut table, "fallback", "a list of ids of fonts, such as [1, 1002]")?
                .unwrap_or_default(),
            variants: optional(&mut table, "variants", "true or false")?.unwrap_or_default(),
            keys: optional(&mut table, "keys", KEYS)?.unwrap_or_default(),
            writer: optional(&mut table, "writer", WRITER)?.unwrap_or_default(),
            licence_checked: optional(&mut table, "licence_checked", "true or false")?.unwrap_or_default(),
        };
        match table.keys().next() {
            Some(unknown) => Err(format!(
                "unknown field `{}`; known are id, name, style, licence, neatness, slant, word_gap_em, fallback, \
                 variants, writer, keys and licence_checked",
                shortened(unknown)
            )),
            None => Ok(description),
        }
    }

    fn check(&self) -> Result<(), String> {
        let styles = FontRecord::STYLES;
        if !OPERATOR_IDS.contains(&self.id) {
            return Err(format!("id: {} should be 1001 to 1999; 1 to 90 are the fonts of the program", self.id));
        }
        text("name", &self.name, LONGEST_NAME)?;
        text("licence", &self.licence, LONGEST_LICENCE)?;
        if !styles.contains(&self.style.as_str()) {
            return Err(format!("style: \"{}\" should be one of {}", shortened(&self.style), styles.join(", ")));
        }
        if !(1..=5).contains(&self.neatness) {
            return Err(format!("neatness: {} should be 1 (hasty) to 5 (tidy)", self.neatness));
        }
        number("slant", self.slant, &SLANTS)?;
        number("word_gap_em", self.word_gap_em, &WORD_GAPS)?;
        let is_key = |key: &String| {
            key.len() == KEY_LENGTH && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-'))
        };
        if let Some(key) = self.keys.iter().find(|key| !is_key(key)) {
            return Err(format!("keys: \"{}\" is no id of a key; it should be {KEYS}", shortened(key)));
        }
        if self.keys.len() > MOST_KEYS {
            return Err(format!("keys: name {MOST_KEYS} keys at most"));
        }
        self.writer.shares().iter().try_for_each(|share| number("writer", Some(*share), &SHARES))?;
        if let Some(id) = self.fallback.iter().find(|id| FontId::new(**id).is_none()) {
            return Err(format!("fallback: {id} is no font; name ids from 1 to 90 or from 1001 to 1999"));
        }
        if self.fallback.len() > MOST_FALLBACKS {
            return Err(format!("fallback: name {MOST_FALLBACKS} fonts at most"));
        }
        Ok(())
    }
}

/// The error of a file that is not TOML, and its place, without quoting it. The messages of the parser are constant.
fn syntax_error(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|character| *character != '\n').count() + 1;
    format!("line {line}, column {column}: it is no TOML: {}", error.message())
}

/// A key that must be there, of the kind that `kind` names.
fn required<T: DeserializeOwned>(table: &mut Table, key: &str, kind: &str) -> Result<T, String> {
    optional(table, key, kind)?.ok_or_else(|| format!("{key}: it should be {kind}"))
}

/// A key that may be there.
fn optional<T: DeserializeOwned>(table: &mut Table, key: &str, kind: &str) -> Result<Option<T>, String> {
    // The parser's message would quote the value.
    table.remove(key).map(Value::try_into).transpose().map_err(|_| format!("{key}: it should be {kind}"))
}

fn text(key: &str, value: &str, longest: usize) -> Result<(), String> {
    let count = value.chars().count();
    if value.trim().is_empty() || count > longest || value.chars().any(char::is_control) {
        return Err(format!("{key}: it should have 1 to {longest} characters on one line"));
    }
    Ok(())
}

fn number(key: &str, value: Option<f64>, range: &RangeInclusive<f64>) -> Result<(), String> {
    match value {
        Some(value) if !range.contains(&value) => {
            Err(format!("{key}: {value} should be {} to {}", range.start(), range.end()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "id = 1001\nname = \"Founder\"\nstyle = \"cursive\"\nlicence = \"our own\"\n";

    fn read(text: &str) -> Result<Description, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Description::read(file.path())
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let read = read(GOOD).unwrap();
        assert_eq!((read.neatness, read.slant, read.word_gap_em, read.licence_checked), (3, None, None, false));
        assert!(read.fallback.is_empty() && read.writer == Manner::AVERAGE);
    }

    #[test]
    fn a_writer_is_the_average_one_but_for_what_is_told() {
        let read = read(&format!("{GOOD}[writer]\nheight = 0.8\nword_gap = 1\n")).unwrap();
        assert_eq!(read.writer, Manner { height: 0.8, ..Manner::AVERAGE });
    }

    #[test]
    fn a_bad_value_is_told_with_its_key() {
        for (change, told) in [
            ("colour = 3", "colour"),
            ("neatness = 6", "neatness: 6 should be 1"),
            ("neatness = \"tidy\"", "neatness"),
            ("slant = 70", "slant: 70 should be -45 to 60"),
            ("slant = nan", "slant: NaN"),
            ("word_gap_em = 0", "word_gap_em: 0 should be 0.05 to 1"),
            ("fallback = [1, 91]", "fallback: 91 is no font"),
            ("variants = 1", "variants"),
            ("keys = 1", "keys: it should be a list of the ids"),
            ("keys = []", "keys: it names no key"),
            ("keys = [\"Founder\"]", "keys: \"Founder\" is no id of a key"),
            ("[writer]\nheight = 4", "writer: 4 should be 0 to 3"),
            ("[writer]\nsize = 1", "writer: it should be a table with height, width"),
            ("writer = 1", "writer: it should be a table"),
            ("licence_checked = 1", "licence_checked"),
        ] {
            let error = read(&format!("{GOOD}{change}\n")).unwrap_err();
            assert!(error.contains(told), "{change}: {error}");
        }
        for (from, to, told) in [
            ("id = 1001", "id = 91", "id: 91 should be 1001 to 1999"),
            ("id = 1001\n", "", "missing field `id`"),
            ("\"cursive\"", "\"fancy\"", "style: \"fancy\" should be one of print, "),
            ("\"our own\"", "\" \"", "licence: it should have 1 to"),
            ("\"Founder\"", "\"a\\nb\"", "name: it should have 1 to 64"),
            ("=", "", ""),
        ] {
            let error = read(&GOOD.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(told), "{to}: {error}");
        }
        assert!(Description::read(Path::new("/nowhere.toml")).unwrap_err().contains("id, name, style and licence"));
    }

    /// A link may lead to a file of secrets.
    #[test]
    fn nothing_of_a_file_that_is_no_description_is_told() {
        for (secret, told) in [
            ("root:*:20228:0:99999", "line 1, column 21: it is no TOML"),
            ("id = 1001\n\nAPI KEY=root\n", "line 3, column 5: it is no TOML"),
            ("token = \"root\"", "missing field `id`"),
            ("root = 1", "missing field `id`"),
            ("id = \"root\"\nname = 1\nstyle = 1\nlicence = 1", "id: it should be a whole number from 1001 to 1999"),
            ("id = 70000\nname = 1\nstyle = 1\nlicence = 1", "id: it should be a whole number from 1001 to 1999"),
            (&"root\n".repeat(20_000), "more than the 65536 bytes"),
        ] {
            let error = read(secret).unwrap_err();
            assert!(error.contains(told) && !error.contains("root"), "{secret:.40}: {error}");
        }
        let error = read(&GOOD.replace("cursive", "a\\n\\u001bb")).unwrap_err();
        assert!(error.starts_with(r#"style: "a\n\u{1b}b""#), "{error}");
    }
}
