//! The result of loading the files of fonts.

use std::path::PathBuf;
use std::sync::Arc;

use super::description::Description;
use super::printable;
use crate::catalogue::FontFace;

/// A font that is loaded, and its file.
#[derive(Clone, Debug)]
pub struct LoadedFont {
    /// The font's file.
    pub path: PathBuf,
    /// The font.
    pub face: Arc<FontFace>,
    /// Advice to the operator that would make its pages cheaper.
    pub warning: Option<String>,
    pub(super) description: Description,
    /// SHA-256 of the file of its strokes, if it has one.
    pub(super) strokes: Option<String>,
}

/// A font or folder that is not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FontFailure {
    /// The file with the defect: a font, its description, or a folder.
    pub path: PathBuf,
    /// The defect and, where it is not plain, the remedy.
    pub reason: String,
    /// Whether the font as it was before is still loaded.
    pub keeps_old: bool,
}

impl std::fmt::Display for FontFailure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", printable(&self.path), self.reason)
    }
}

/// The fonts of an operator, by their files.
#[derive(Clone, Debug, Default)]
pub struct LoadedFonts {
    /// The loaded fonts, in the order of folders and names.
    pub fonts: Vec<LoadedFont>,
    /// The files that were not loaded.
    pub failures: Vec<FontFailure>,
}

/// A font, or the file with a defect and what is wrong with it.
pub(super) type Outcome = Result<LoadedFont, (PathBuf, String)>;
