//! The size that all rows of a job share, if they share one.
//!
//! The rows are laid out first, without a file. The smallest of their automatic sizes is an upper limit for the next round,
//! as a text that fits at one size may not at a smaller one, where its lines break elsewhere. When a round finds the limit
//! again, the rows are made in that size. The database has the sizes in progress, so that a round goes on where a process
//! that was killed left it.

use serde::{Deserialize, Serialize};

use crate::mail_merge::{RowSize, SharedSize};

/// The size that a job has found so far, as the database keeps it in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FoundSize {
    /// None if no row has an automatic size, as in a body of blocks.
    pub(super) shared: Option<SharedSize>,
    /// Whether every row fits in it.
    pub(super) is_final: bool,
}

impl FoundSize {
    /// What a round found, in which the waiting rows had these sizes. `earlier` is what the round before found.
    pub(super) fn after_round(sizes: &[RowSize], earlier: Option<SharedSize>) -> Self {
        let found = SharedSize::of(sizes, earlier);
        let is_final = found.map(|found| found.px) == earlier.map(|earlier| earlier.px);
        Self { shared: if is_final { earlier } else { found }, is_final }
    }
}

/// The size of the rows of a job, in px.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobSize {
    /// Each has its own.
    Own,
    /// One for all is sought, up to this one.
    Sought(Option<u32>),
    /// All have this one.
    Exactly(u32),
}

impl JobSize {
    pub(super) fn of(is_shared: bool, found: Option<FoundSize>) -> Self {
        match found {
            _ if !is_shared => Self::Own,
            Some(FoundSize { shared, is_final: true }) => shared.map_or(Self::Own, |shared| Self::Exactly(shared.px)),
            found => Self::Sought(found.and_then(|found| found.shared).map(|shared| shared.px)),
        }
    }

    pub(super) const fn is_sought(self) -> bool {
        matches!(self, Self::Sought(_))
    }

    /// The size that all rows have, once it is found.
    pub(super) const fn exactly(self) -> Option<u32> {
        match self {
            Self::Exactly(px) => Some(px),
            Self::Own | Self::Sought(_) => None,
        }
    }

    /// The limit of the size that is sought.
    pub(super) const fn largest(self) -> Option<u32> {
        match self {
            Self::Sought(largest) => largest,
            Self::Own | Self::Exactly(_) => None,
        }
    }
}
