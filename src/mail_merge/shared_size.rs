//! One size for all rows: the largest at which every row fits.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::spec::SIDES_FIELD;

/// The automatic size of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RowSize {
    /// In px.
    pub(crate) px: u32,
    /// The row.
    pub(crate) row: usize,
    /// Whether it is hard to read (`small_writing`).
    pub(crate) is_small: bool,
}

/// The size that all rows have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SharedSize {
    /// In px.
    pub(crate) px: u32,
    /// The row that needs it.
    pub(crate) row: usize,
    /// The size that the other rows would have without it.
    pub(crate) of_others: Option<u32>,
    /// Whether it is hard to read.
    pub(crate) is_small: bool,
}

impl SharedSize {
    /// Refuses a request of two sides, whose sizes differ. `place` is what the client calls the object of the request, with
    /// a dot; empty where it has no name.
    ///
    /// # Errors
    /// What would be right.
    pub(crate) fn refuse_sides(request: &Map<String, Value>, place: &str) -> Result<(), String> {
        if request.contains_key(SIDES_FIELD) {
            return Err(format!("it is for pages of one side: leave it out, or {place}{SIDES_FIELD}"));
        }
        Ok(())
    }

    /// The smallest of `sizes`, if there are any. `earlier` was found before the rows were laid out again within it.
    pub(crate) fn of(sizes: &[RowSize], earlier: Option<Self>) -> Option<Self> {
        let first = *sizes.iter().min()?;
        let RowSize { px, row, is_small } = first;
        let of_others = sizes.iter().filter(|size| **size != first).map(|size| size.px).min();
        // Within the earlier size, that row no longer differs from the others.
        let of_others = earlier.filter(|size| size.row == row).map_or(of_others, |size| size.of_others);
        Some(Self { px, row, of_others, is_small })
    }

    /// The size, the row that needs it, and what the others would gain without it.
    pub(crate) fn message(self) -> String {
        let Self { px, row, of_others, is_small } = self;
        let small = if is_small { ", and is hard to read (small_writing)" } else { "" };
        let gain = of_others.filter(|others| is_small || *others >= px + px / 4);
        let gain = gain.map_or_else(String::new, |others| format!("; without row {row} it would be {others} px"));
        format!("all rows are written in {px} px, which row {row} needs{small}{gain}")
    }
}
