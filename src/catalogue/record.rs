//! The data of a font that a client sees.

use serde::Serialize;

/// One font of `GET /api/v1/fonts`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FontRecord {
    /// Number in the contract, 1 to 90.
    pub id: u8,
    /// Family name.
    pub name: String,
    /// Kind of hand: `print`, `cursive`, `mixed`, `notes`, `school`, `marker`, `child`, `architect`, `elegant`, `caps`.
    pub style: String,
    /// How far it leans: `upright`, `slight`, `slanted`, `steep`.
    pub slant: String,
    /// 1 (hasty) to 5 (tidy).
    pub neatness: u8,
    /// Character sets and scripts that it writes in full.
    pub scripts: Vec<String>,
    /// Whether `kerning` makes a difference.
    pub kerning: bool,
    /// Whether letters vary with their neighbours.
    pub alternates: bool,
    /// SPDX identifier of its licence.
    pub license: String,
}
