//! Where every glyph stands: from a valid specification to a finished page, pure and in 300-DPI pixels.
//!
//! Input: a [`RenderSpec`](crate::spec::RenderSpec) and the fonts. Output: a [`PageLayout`] with warnings, or a
//! [`LayoutError`]. Phases, a file each: `paragraph` (text to paragraphs, one script, direction and font a run) ->
//! `shape` (harfrust) -> `line_break` -> `fit` (font size, overflow) -> `place` (baselines, alignment). The result says
//! nothing of resolution: 600 DPI and a preview are the same lines. It knows no meshes and no pixels of a device.

mod page_layout;

pub use page_layout::{PageLayout, PlacedGlyph, PlacedWord, Warning, WarningKind};
