//! Sheets that fonts fill, seen by cameras that are computed, and what is read of them.
//!
//! `writer` fills a page with the letters of a font, each with its own size, width, slant and height, and keeps the true
//! outlines. `camera` makes the picture that a scanner or a telephone takes of it. `round_trip` compares what is read of
//! single pages with the truth, `pictures` sends faulty and broken pictures, `abuse` one page with many faults, and `whole_hand`
//! makes fonts of three pages;
//! `life` compares how far their letters differ with how far they were made to differ, and
//! `nearest` the font with the ninety.

mod abuse;
mod camera;
mod life;
mod nearest;
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
