//! An operator's fonts: from folders of files to faces of the catalogue.
//!
//! Input: folders with `.ttf` and `.otf` files, each with a TOML file beside it. Output: a [`LoadedFont`] for each
//! usable one, and a [`FontFailure`] for each other that names the file and the reason. In order:
//!
//! 1. `folder` lists the files; `description` reads the TOML file of each. `regular_file` reads files, and nothing else
//!    that a name may stand for; `printable` shows their names.
//! 2. `examination` measures a file and says what is wrong with it: `coverage`, `stroke`, `slant`, `word_gap`, `points`,
//!    `shapes` and `glyphs` do the parts. A hostile file could crash, hang or bloat a program, so `child` runs the
//!    examination in a process of its own with limits of time and memory, and `cache` keeps its result by the file's
//!    checksum.
//! 3. `loader` puts both together, at the start and again at each reload; `identities` says which font has an id that
//!    several claim.
//!
//! A file that passed is drawn by the service as the fonts of the program are. The module draws nothing and knows no
//! requests.

mod cache;
mod child;
mod coverage;
mod description;
mod examination;
mod folder;
mod glyphs;
mod identities;
mod loaded;
mod loader;
mod points;
mod printable;
mod regular_file;
mod shapes;
mod slant;
mod stroke;
mod word_gap;

pub use child::{ExamineError, Examiner};
pub use coverage::covered_sets;
pub use description::Description;
pub use examination::{Examination, Measures, WorstGlyph, embedding_problem, examine};
pub use folder::{FontPaths, font_paths};
pub use loaded::{FontFailure, LoadedFont, LoadedFonts};
pub use loader::{FontLoader, plain_font, unsaved_font};
pub use points::LetterPoints;
pub use printable::printable;
pub use regular_file::read_regular;
pub use shapes::ShapeFacts;
pub use slant::slant_degrees;
pub use stroke::{stroke_contrast, stroke_em};
pub use word_gap::needed_word_gap;

/// Largest file of a font, in bytes.
pub const LARGEST_FILE: u64 = 10 << 20;
