//! From an ink on paper to the 256 colours of a page.
//!
//! Input: the ink as sRGB and, for print, the ICC profile of a printing condition. Output: a [`Ramp`] from paper to
//! ink, one colour per coverage, so that a page of any size costs 256 conversions. Parts: `ramp` (the colour space of
//! an ink, and its 256 colours), `separation` (lcms2: sRGB to ink amounts, and lightness to black), `output_profile`
//! (the requirements on a profile, and its embedded form), `output_profiles` (the four conditions with the bundled or
//! the operator's profiles).
//!
//! The module knows no files and pages, and converts no pixels.

mod output_profile;
mod output_profiles;
mod ramp;
mod separation;

pub use output_profile::{OutputProfile, ProfileDefect};
pub use output_profiles::{OutputProfiles, ProfileError};
pub(super) use ramp::FillColor;
pub use ramp::Ramp;
pub(super) use ramp::on_screen;
pub(super) use separation::{Cmyk, PictureSeparation};
