//! Glyphs that a file has once and repeats (SVG 1.1, 5.6).
//!
//! A definition is a `<path>`, not a `<symbol>`: a symbol would clip the ink at the glyph's origin.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::path_data::MM_PER_PX;
use crate::spec::SvgGlyphs;
use crate::vector::{GlyphShape, GlyphShapeId, Shape, VectorPage};

/// The glyphs of a page that are defined once, in the order of first use.
#[derive(Default)]
pub(super) struct SharedGlyphs {
    glyphs: Vec<Arc<GlyphShape>>,
    numbers: BTreeMap<GlyphShapeId, usize>,
}

impl SharedGlyphs {
    /// Those of a page; none unless the file is to share them.
    pub(super) fn of(page: &VectorPage, wanted: SvgGlyphs) -> Self {
        let mut shared = Self::default();
        if wanted == SvgGlyphs::Shared {
            for path in page.paths() {
                if let Shape::Placed { glyph, .. } = &path.shape {
                    let next = shared.glyphs.len();
                    if *shared.numbers.entry(glyph.id).or_insert(next) == next {
                        shared.glyphs.push(Arc::clone(glyph));
                    }
                }
            }
        }
        shared
    }

    pub(super) fn is_empty(&self) -> bool {
        self.glyphs.is_empty()
    }

    /// Name and outline of each glyph.
    pub(super) fn definitions(&self) -> Vec<(String, Arc<GlyphShape>)> {
        self.glyphs.iter().enumerate().map(|(number, glyph)| (name(number), Arc::clone(glyph))).collect()
    }

    /// The name of the glyph of a shape, and the six numbers of its matrix from font units to millimetres; `None` if it
    /// is not shared.
    pub(super) fn placed(&self, shape: &Shape) -> Option<(String, String)> {
        let Shape::Placed { glyph, map } = shape else { return None };
        let number = *self.numbers.get(&glyph.id)?;
        Some((name(number), matrix(*map)))
    }
}

fn name(number: usize) -> String {
    format!("glyph-{}", number + 1)
}

/// The numbers of a map to page px as a map to millimetres. A glyph of 8,000 units stays within 0.004 mm.
fn matrix(map: [f64; 6]) -> String {
    let mut text = String::new();
    for (at, part) in map.iter().enumerate() {
        let decimals = if at < 4 { 7 } else { 3 };
        let number = format!("{:.decimals$}", part * MM_PER_PX + 0.0);
        let short = number.trim_end_matches('0').trim_end_matches('.');
        let short = if short.is_empty() || short == "-0" { "0" } else { short };
        // Writing to a string does not fail.
        let _ = write!(text, "{}{short}", if at > 0 { " " } else { "" });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_short_and_in_millimetres() {
        assert_eq!(matrix([1.0, 0.0, -0.0, -1.0, 300.0, 11.8]), "0.0846667 0 0 -0.0846667 25.4 0.999");
    }
}
