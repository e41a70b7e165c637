//! Whole pages: artwork, effects, previews, mail pieces, sheets of two sides, reports, and hostile texts.

pub(crate) mod artwork;
pub(crate) mod bounds;
pub(crate) mod drawings;
pub(crate) mod effects;
pub(crate) mod fuzz;
pub(crate) mod mail_pieces;
pub(crate) mod pen;
pub(crate) mod pen_line;
pub(crate) mod preflight;
pub(crate) mod preview;
pub(crate) mod rendered;
pub(crate) mod sides;
pub(crate) mod sign_gaps;
pub(crate) mod sizes;
pub(crate) mod sweep;
pub(crate) mod writer;
pub(crate) mod writer_checks;
pub(crate) mod writer_gaps;
pub(crate) mod writer_habits;
pub(crate) mod writer_population;
pub(crate) mod writer_shapes;
