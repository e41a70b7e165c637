//! What may be wrong with a box.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a box is not used by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// Its writer has filled its circle.
    Dropped,
    /// There is no ink in it.
    Empty,
    /// Its ink is much lighter than that of the page.
    Faint,
    /// Its ink touches that of another box.
    Crosses,
    /// Its ink is on a printed word or dot.
    OnPrint,
    /// It is not all on the picture.
    Outside,
    /// Too few black dots around it were seen.
    Unplaced,
    /// A dot or another part that the character has is missing.
    PartMissing,
    /// It is in more parts than the character has.
    Broken,
    /// It is much larger or smaller than others.
    Size,
    /// It stands much higher or lower than the others of the character.
    Height,
    /// It has another shape than the others of the character.
    Shape,
    /// It is more like another character.
    LooksLike(char),
}

impl Doubt {
    /// Whether nothing was written, or what was written is not wanted: nobody has to look at it.
    #[must_use]
    pub const fn is_blank(self) -> bool {
        matches!(self, Self::Dropped | Self::Empty)
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Dropped => "dropped",
            Self::Empty => "empty",
            Self::Faint => "faint",
            Self::Crosses => "touches another box",
            Self::OnPrint => "on a printed word or dot",
            Self::Outside => "not all on the picture",
            Self::Unplaced => "too few black dots around it",
            Self::PartMissing => "a part is missing",
            Self::Broken => "in too many parts",
            Self::Size => "of another size",
            Self::Height => "too high or too low",
            Self::Shape => "unlike the others",
            Self::LooksLike(character) => return write!(formatter, "looks like {character}"),
        })
    }
}
