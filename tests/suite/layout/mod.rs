//! Pages laid out, without a device.

pub(crate) mod alignment;
pub(crate) mod blocks;
pub(crate) mod cost;
pub(crate) mod effects;
pub(crate) mod harfbuzz;
pub(crate) mod keep_lines;
pub(crate) mod letter_drawings;
pub(crate) mod pages;
pub(crate) mod real_texts;
pub(crate) mod ruling;
pub(crate) mod signs;
pub(crate) mod sizes;
pub(crate) mod text;
pub(crate) mod words;
