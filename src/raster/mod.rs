//! Pixels on the CPU: coverage of one ink, kept only where there is ink.
//!
//! Input: the packed strips read back from the device, each a run of inked tiles. Output: [`Coverage`] and its row
//! iterator, all that encoders read; a row without strips is paper and costs nothing. It knows neither device nor file
//! format, and it draws nothing.

mod coverage;
mod stamp;

pub use coverage::{Coverage, InkRun, Strip, TILE};
pub use stamp::stamp;
