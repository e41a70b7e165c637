//! PDF and SVG files, read back by renderers and libraries that others wrote.

pub(crate) mod colors;
pub(crate) mod files;
pub(crate) mod matrix;
pub(crate) mod outlines;
pub(crate) mod renderers;
pub(crate) mod snapshots;
pub(crate) mod svg;
pub(crate) mod svg_strokes;
pub(crate) mod text;
