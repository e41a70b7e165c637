//! The bundled fonts and those of an operator.

pub(crate) mod catalogue;
pub(crate) mod coverage;
pub(crate) mod glyphs;
pub(crate) mod languages;
pub(crate) mod own_fonts;
pub(crate) mod own_fonts_hostile;
pub(crate) mod own_fonts_pages;
pub(crate) mod specimens;
pub(crate) mod strokes;
pub(crate) mod substitutes;
pub(crate) mod word_gaps;
