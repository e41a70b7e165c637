//! How far the shape of a letter depends on other letters.

use serde::{Deserialize, Serialize};

/// The text that the shape of a letter may depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Context {
    /// Letters near by, as shaping reports them (`unsafe to break`).
    #[default]
    Neighbours,
    /// Distant letters of the same word: a cut may change letters beyond positions that shaping reports as safe.
    Word,
    /// Other words of the line: contextual alternates look across spaces.
    Line,
}

/// The fonts of the program in which letters depend on other words.
const LINE: [u16; 9] = [1, 17, 18, 19, 36, 39, 71, 84, 86];
/// Those in which letters depend on distant letters of the word. A test of `layout` checks both lists: in all fonts it
/// compares thousands of random cuts with lines shaped as a whole.
const WORD: [u16; 2] = [56, 88];

impl Context {
    /// Of a font of the program.
    pub(super) fn of_bundled(id: u16) -> Self {
        if LINE.contains(&id) {
            Self::Line
        } else if WORD.contains(&id) {
            Self::Word
        } else {
            Self::Neighbours
        }
    }
}
