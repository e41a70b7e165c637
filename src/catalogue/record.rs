//! The data of a font that clients see.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::{FONT_COUNT, Languages, OPERATOR_IDS};

/// A handwriting font.
#[expect(clippy::struct_excessive_bools, reason = "clients see each as a member of its own")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FontRecord {
    /// The `font_id` of a request.
    #[schemars(schema_with = "ids")]
    pub id: u16,
    /// Family name.
    pub name: String,
    /// Kind of handwriting.
    #[schemars(extend("enum" = FontRecord::STYLES))]
    pub style: String,
    /// Slant.
    #[schemars(extend("enum" = ["upright", "slight", "slanted", "steep"]))]
    pub slant: String,
    /// 1 (hasty) to 5 (tidy).
    #[schemars(range(min = 1, max = 5))]
    pub neatness: u8,
    /// Whether it was drawn with the speed of a quick writer: in a letter, these hands look most like a person's.
    pub lively: bool,
    /// Character sets and scripts of which it has every letter. `languages` tells how much of real text it writes.
    pub scripts: Vec<String>,
    /// Percent of the words of running text that it writes, by language (BCP 47), rounded down to tenths: the languages
    /// of which it writes at least 90 %. Left out for an operator's font, which is not measured.
    #[serde(skip_serializing_if = "Languages::is_empty")]
    pub languages: Languages,
    /// Whether `kerning` has an effect.
    pub kerning: bool,
    /// Whether letters depend on their neighbours.
    pub alternates: bool,
    /// Whether it has centre lines for pen plotters.
    pub strokes: bool,
    /// SPDX identifier of its licence; of an operator's font what the operator says.
    pub license: String,
}

impl FontRecord {
    /// Every kind of handwriting.
    pub const STYLES: [&'static str; 10] =
        ["print", "cursive", "mixed", "notes", "school", "marker", "child", "architect", "elegant", "caps"];

    /// Whether most letters of a kind of handwriting are joined.
    pub(super) fn is_joined(style: &str) -> bool {
        matches!(style, "cursive" | "elegant" | "school" | "mixed")
    }
}

/// The numbers that fonts may have.
fn ids(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "integer",
        "anyOf": [
            {"minimum": 1, "maximum": FONT_COUNT},
            {"minimum": OPERATOR_IDS.start(), "maximum": OPERATOR_IDS.end()},
        ],
    })
}
