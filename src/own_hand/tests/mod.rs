//! Sheets that fonts fill, seen by cameras that are computed, and what is read of them.

mod camera;
mod round_trip;
mod whole_hand;
mod writer;
