//! Coverage of one ink on the CPU, stored only where there is ink.
//!
//! Input: the packed strips from the device, each a run of inked tiles. Output: [`Coverage`], which the encoders read
//! row by row; rows without strips are paper and cost nothing. `stamp` combines the inks of a page with a mark, `crop`
//! cuts a part out of a page, `merge` unites two pages, `boxes` fills boxes, such as rules, `grain` turns shades into
//! solid and blank pixels. `mix` mixes two
//! pages pixel by pixel; `strip_union` plans the strips of all results. The module knows neither devices nor file formats.

mod boxes;
mod coverage;
mod crop;
mod grain;
mod merge;
mod mix;
mod stamp;
mod strip_union;

pub use boxes::filled_boxes;
pub use coverage::{Coverage, InkRun, Strip, TILE};
pub use crop::crop;
pub use grain::grained;
pub use merge::merge;
pub use stamp::stamp_inks;
