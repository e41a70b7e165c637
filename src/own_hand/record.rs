//! What is kept of a hand beside its font: every box, so that a new picture can mend one letter without the old ones.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::letters::BoxReading;
use super::sheet::SheetPage;
use super::spacing::Observation;
use crate::variation::Manner;

/// The version of the record. Others are refused.
const VERSION: u32 = 1;

/// A hand as it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandRecord {
    version: u32,
    /// Family name of the font.
    pub name: String,
    /// Its `font_id`.
    pub id: u16,
    /// The pictures: SHA-256 of the files, in the order in which they were read. The pictures themselves are not kept.
    pub pictures: Vec<PictureRecord>,
    /// Every box that was on a picture.
    pub boxes: Vec<BoxReading>,
    /// Boxes that are used whatever was doubted.
    pub kept: Vec<[usize; 3]>,
    /// Gaps between letters, in x-heights.
    pub(in crate::own_hand) gaps: Vec<Observation>,
    /// Gaps between words, in x-heights.
    pub(in crate::own_hand) word_gaps: Vec<f64>,
    /// Lines that were not used, and why.
    pub refused_lines: Vec<(usize, String)>,
    /// What was measured of the hand.
    pub figures: HandFigures,
}

/// What is kept of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureRecord {
    /// SHA-256 of the file, lower-case hexadecimal.
    pub sha256: String,
    /// The page that it shows.
    pub page: SheetPage,
    /// Pixels per mm.
    pub px_per_mm: f64,
    /// Black dots that were found, of 182.
    pub dots: usize,
    /// Standard deviation of its blur, in mm.
    pub blur_mm: f64,
    /// Width of the pen, in mm.
    pub pen_mm: f64,
    /// How dark the ink is, of 1.
    pub ink: f64,
}

/// Measurements of a hand. Those of a hand's letters are in the heights of its small letters, if not noted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HandFigures {
    /// Height of small letters, in mm.
    pub x_height_mm: f64,
    /// Slant, in degrees.
    pub slant_degrees: f64,
    /// Gap between words.
    pub word_gap: f64,
    /// Standard deviation of a gap between letters.
    pub gap_spread: f64,
    /// The share of neighbours in words that are joined.
    pub joins: f64,
    /// The share of pairs of small letters whose strokes meet, of those that the writer joins.
    pub closed_joins: f64,
    /// Characters that were written.
    pub written: usize,
    /// Characters that are made of parts of others.
    pub composed: usize,
    /// Glyphs with all forms.
    pub glyphs: usize,
    /// Median of the points of a glyph's curves.
    pub points: f64,
    /// Pairs of letters with kerning.
    pub kerning_pairs: usize,
    /// How far copies and gaps differ, beside the average writer's.
    pub writer: Manner,
}

impl HandRecord {
    /// An empty record of a hand.
    pub(super) fn new(name: String, id: u16) -> Self {
        Self {
            version: VERSION,
            name,
            id,
            pictures: Vec::new(),
            boxes: Vec::new(),
            kept: Vec::new(),
            gaps: Vec::new(),
            word_gaps: Vec::new(),
            refused_lines: Vec::new(),
            figures: HandFigures::default(),
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// It is no JSON of a record, or of another version.
    pub fn read(text: &str) -> Result<Self, String> {
        let record: Self = serde_json::from_str(text).map_err(|error| format!("it is no record of a hand: {error}"))?;
        if record.version != VERSION {
            return Err(format!("it is of version {}; this program reads version {VERSION}", record.version));
        }
        Ok(record)
    }

    /// The record as JSON, a line for each box.
    ///
    /// # Errors
    /// None with what is read from pictures.
    pub fn to_json(&self) -> Result<String, String> {
        let mut text = serde_json::to_string(self).map_err(|error| error.to_string())?;
        for list in ["\"pictures\":[", "\"boxes\":[", "\"gaps\":[", "\"figures\":{"] {
            text = text.replacen(list, &format!("\n{list}"), 1);
        }
        Ok(text.replace("{\"place\":", "\n{\"place\":") + "\n")
    }
}

/// The SHA-256 of a file, in lower-case hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}
