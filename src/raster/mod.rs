//! Coverage of one ink on the CPU, stored only where there is ink.
//!
//! Input: the packed strips read back from the device, each a run of inked tiles. Output: [`Coverage`] and its row
//! iterator, which the encoders read; a row without strips is paper and costs nothing. `stamp` puts a mark on a page.
//! The module knows neither device nor file format, and draws nothing.

mod coverage;
mod stamp;

pub use coverage::{Coverage, InkRun, Strip, TILE};
pub use stamp::stamp;
