//! How large a table may be.

/// Most cells of a table. With 100,000 records it may have 50 columns; their memory is then about 200 MB.
pub(crate) const MOST_CELLS: usize = 5_000_000;
/// What is said of a table with more.
pub(crate) const TOO_MANY_CELLS: &str = "more than 5 million cells; leave out columns that no text uses, or split it";

/// Refuses a table of more than [`MOST_CELLS`].
///
/// # Errors
/// What is said of such a table.
pub(super) fn check(columns: usize, rows: usize) -> Result<(), String> {
    if columns.saturating_mul(rows) > MOST_CELLS { Err(format!("has {TOO_MANY_CELLS}")) } else { Ok(()) }
}
