//! How far letters stand apart: from lines of known text to the gap between any two letters.
//!
//! Input: the ink of the page of lines, and the letters of the boxes. Output: a [`GapModel`]. In order: `strip` cuts the
//! ink of a line out; `template` makes patterns of the letters; `alignment` finds where each letter of the text is, by
//! dynamic programming and without reading; `transcript` refuses lines on which something else is written;
//! `observation` measures gaps, and `joins` says which letters are joined; `profile` has the room at the sides of letters; `model`
//! explains the gaps by it. Gaps are between boxes of ink, in x-heights.

mod alignment;
mod joins;
mod model;
mod observation;
mod profile;
mod strip;
mod template;
mod transcript;

pub(super) use joins::Joins;
pub(super) use model::GapModel;
pub(super) use observation::{Observation, observations, word_gaps};
pub(super) use profile::Profiles;
pub(super) use strip::LineInk;
pub(super) use template::Templates;
pub(super) use transcript::find_lines;
