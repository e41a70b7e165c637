//! A font of letters that somebody wrote.
//!
//! Input: the boxes that can be used, and the gaps between letters. Output: a TrueType file with several forms of each
//! letter. In order: `forms` takes up to five copies of a letter, on one scale and nearly on one baseline; `curve` makes
//! curves of their outlines; `design` gives each form a glyph with bearings, and draws letters with accents (`accents`)
//! and signs from parts of others, and `kerning` moves pairs, `joins` until they are joined; `features` has kerning and the choice of forms for other programs; `truetype` writes
//! the file. Lengths are in thousandths of an em, y upwards; an em is the height of the small letters by 0.45.

mod accents;
mod curve;
mod design;
mod features;
mod forms;
mod joins;
mod kerning;
mod truetype;

pub(super) use design::Design;
pub(super) use forms::Forms;
pub(super) use truetype::write_font;

/// Font units in one em.
const UNITS_PER_EM: f64 = 1000.0;
/// Height of small letters, in font units.
pub(super) const X_HEIGHT: f64 = 450.0;
