//! From an ink over paper to the 256 colours that a page can have.
//!
//! Input: the ink as sRGB, and for print the ICC profile of a printing condition. Output: a [`Ramp`] from paper to
//! ink, one colour for each coverage, so that a page of any size costs 256 conversions. Parts: `ramp` (which colour
//! space an ink prints in, and its 256 colours), `separation` (lcms2: sRGB to ink amounts, and lightness to black),
//! `output_profile` (what a profile must be, and what it is embedded as), `output_profiles` (the four conditions with
//! our profiles, and the operator's instead of them).
//!
//! It knows nothing of files and pages, and converts no pixels.

mod output_profile;
mod output_profiles;
mod ramp;
mod separation;

pub use output_profile::{OutputProfile, ProfileDefect};
pub use output_profiles::{OutputProfiles, ProfileError};
pub use ramp::Ramp;
