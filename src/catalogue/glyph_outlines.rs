//! The outlines of a font's glyphs, as every stage sees them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use ttf_parser::Face;

use super::GlyphId;
use super::outline::Outline;
use super::recorded_outline::outline_of;
use super::simplify::{FROM, simplified};

/// Segments of simplified outlines after which a font keeps no more: 3 MB. Further ones are made each time.
const MOST_KEPT: usize = 50_000;

/// A value for each glyph of a font, computed on first use. Memory is allocated for all of them at the first.
pub(super) struct PerGlyph<T>(OnceLock<Box<[OnceLock<T>]>>);

impl<T> PerGlyph<T> {
    /// The value of a glyph of a font with `count` glyphs; `None` for an unknown index.
    pub(super) fn of(&self, count: usize, glyph: GlyphId, compute: impl FnOnce() -> T) -> Option<&T> {
        let cells = self.0.get_or_init(|| (0..count).map(|_| OnceLock::new()).collect());
        Some(cells.get(usize::from(glyph.0))?.get_or_init(compute))
    }

    /// The glyph's value, if it was computed.
    fn known(&self, glyph: GlyphId) -> Option<&T> {
        self.0.get()?.get(usize::from(glyph.0))?.get()
    }
}

impl<T> Default for PerGlyph<T> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

/// The outlines of a font, by default as the file has them.
#[derive(Default)]
pub(super) struct GlyphOutlines {
    simplifies: bool,
    /// Simplified outlines. Glyphs of few segments have none.
    kept: PerGlyph<Outline>,
    segments: AtomicUsize,
}

impl GlyphOutlines {
    /// Outlines with fewer segments where the file's have many.
    pub(super) fn simplified() -> Self {
        Self { simplifies: true, ..Self::default() }
    }

    /// The glyph's contours; `None` for a blank glyph or an unknown index.
    pub(super) fn outline(&self, face: &Face<'_>, glyph: GlyphId) -> Option<Outline> {
        if let Some(outline) = self.kept.known(glyph) {
            return Some(outline.clone());
        }
        let outline = outline_of(face, glyph)?;
        if !self.simplifies || outline.segments() <= FROM {
            return Some(outline);
        }
        let outline = simplified(outline, face.units_per_em());
        if self.segments.load(Ordering::Relaxed) < MOST_KEPT {
            self.segments.fetch_add(outline.segments(), Ordering::Relaxed);
            self.kept.of(usize::from(face.number_of_glyphs()), glyph, || outline.clone());
        }
        Some(outline)
    }
}
