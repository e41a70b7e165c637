//! Sheets that fonts fill, seen by cameras that are computed, and what is read of them.

mod camera;
mod pictures;
mod round_trip;
mod whole_hand;
mod writer;

use std::sync::OnceLock;

use crate::catalogue::FontCatalogue;

/// The fonts of the program.
fn catalogue() -> &'static FontCatalogue {
    static CATALOGUE: OnceLock<FontCatalogue> = OnceLock::new();
    CATALOGUE.get_or_init(|| FontCatalogue::load().unwrap())
}
