//! Errors of the font catalogue.

use thiserror::Error;

/// A defect of the font tables or files, found at start.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CatalogueError {
    /// A row that cannot be read, or a column that is missing.
    #[error("{table}, line {line}: {reason}")]
    BadRow {
        /// Which table.
        table: &'static str,
        /// Line of the table, from 1.
        line: u64,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// Too few or too many fonts.
    #[error("catalog.tsv lists {found} fonts; it must list 90")]
    WrongCount {
        /// Rows found.
        found: usize,
    },
    /// A font without a row in `metrics.tsv`.
    #[error("font \"{slug}\" has no row in metrics.tsv")]
    NoMetrics {
        /// The font.
        slug: String,
    },
    /// A font without its file.
    #[error("font \"{slug}\" has no file {slug}.ttf")]
    MissingFile {
        /// The font.
        slug: String,
    },
    /// A file of strokes of another version, or of another version of the font.
    #[error("fonts/strokes/{slug}.strokes {reason}; make it again with scripts/strokes")]
    BrokenStrokes {
        /// The font.
        slug: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// A broken file of further drawings, or one of another version of the font.
    #[error("fonts/drawings/{slug}.tsv: {reason}; make it again with scripts/drawings")]
    BrokenDrawings {
        /// The font.
        slug: String,
        /// What is wrong.
        reason: String,
    },
    /// A file that is not a usable font.
    #[error("font \"{slug}\" cannot be used: {reason}")]
    BrokenFont {
        /// The font.
        slug: String,
        /// What is wrong.
        reason: String,
    },
}
