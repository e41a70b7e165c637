//! Pixels on the CPU: coverage of one ink, kept only where there is ink.
//!
//! Input: the packed strips read back from the device. Output: [`Coverage`] and its row iterator, all that encoders
//! read. It knows neither device nor file format.

mod coverage;

pub use coverage::{Coverage, InkRun, Strip, TILE};
