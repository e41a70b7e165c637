//! The TOML file beside a font: what its operator says of it.

use std::io::Read as _;
use std::ops::RangeInclusive;
use std::path::Path;

use serde::Deserialize;

use crate::catalogue::{FontId, FontRecord, OPERATOR_IDS};

/// Largest description, in bytes.
const LARGEST: u64 = 64 << 10;
/// Most characters of a name and of a licence.
const LONGEST_NAME: usize = 64;
const LONGEST_LICENCE: usize = 1000;
/// Most fonts of `fallback`.
const MOST_FALLBACKS: usize = 32;
/// What a word space may be, in ems.
const WORD_GAPS: RangeInclusive<f64> = 0.05..=1.0;
/// What a slant may be, in degrees.
const SLANTS: RangeInclusive<f64> = -45.0..=60.0;

/// What the operator says of a font.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(default = "middling")]
    pub neatness: u8,
    /// Slant in degrees, positive to the right, instead of the measured one.
    pub slant: Option<f64>,
    /// Width of the space between words in ems, instead of the font's own, which is widened where words would touch.
    pub word_gap_em: Option<f64>,
    /// The fonts that replace it where it lacks characters, the first choice first; then the others by closeness.
    #[serde(default)]
    pub fallback: Vec<u16>,
    /// The operator has read the licence, and may use the font though its `fsType` says no.
    #[serde(default)]
    pub licence_checked: bool,
}

const fn middling() -> u8 {
    3
}

impl Description {
    /// Reads and checks a description.
    ///
    /// # Errors
    /// The file is missing, is not TOML, or a key is missing, unknown or has a bad value. The message names the key.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut text = String::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_string(&mut text));
        read.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "it is missing; it must say id, name, style and licence".to_owned(),
            _ => error.to_string(),
        })?;
        let description: Self = toml::from_str(&text).map_err(|error| error.to_string().trim_end().to_owned())?;
        description.check()?;
        Ok(description)
    }

    fn check(&self) -> Result<(), String> {
        let styles = FontRecord::STYLES;
        if !OPERATOR_IDS.contains(&self.id) {
            return Err(format!("id: {} should be 1001 to 1999; 1 to 90 are the fonts of the program", self.id));
        }
        text("name", &self.name, LONGEST_NAME)?;
        text("licence", &self.licence, LONGEST_LICENCE)?;
        if !styles.contains(&self.style.as_str()) {
            return Err(format!("style: \"{}\" should be one of {}", self.style, styles.join(", ")));
        }
        if !(1..=5).contains(&self.neatness) {
            return Err(format!("neatness: {} should be 1 (hasty) to 5 (tidy)", self.neatness));
        }
        number("slant", self.slant, &SLANTS)?;
        number("word_gap_em", self.word_gap_em, &WORD_GAPS)?;
        if let Some(id) = self.fallback.iter().find(|id| FontId::new(**id).is_none()) {
            return Err(format!("fallback: {id} is no font; name ids from 1 to 90 or from 1001 to 1999"));
        }
        if self.fallback.len() > MOST_FALLBACKS {
            return Err(format!("fallback: name {MOST_FALLBACKS} fonts at most"));
        }
        Ok(())
    }
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
        assert!(read.fallback.is_empty());
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
}
