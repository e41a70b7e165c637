//! The outlines of a font's glyphs, as every stage sees them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use ttf_parser::Face;

use super::GlyphId;
use super::outline::Outline;
use super::recorded_outline::outline_of;
use super::simplify::{FROM, simplified};

/// Most segments of simplified outlines that a font keeps: 3 MB. Further ones are made each time.
const MOST_KEPT: usize = 50_000;

/// Simplified outlines, each computed on first use and kept.
pub(super) struct GlyphOutlines {
    simplifies: bool,
    /// By glyph; allocated on first use. Glyphs of few segments have none.
    kept: OnceLock<Box<[OnceLock<Outline>]>>,
    segments: AtomicUsize,
}

impl GlyphOutlines {
    /// Outlines as the file has them.
    pub(super) const fn as_in_file() -> Self {
        Self { simplifies: false, kept: OnceLock::new(), segments: AtomicUsize::new(0) }
    }

    /// Outlines with fewer segments where the file's have many.
    pub(super) const fn simplified() -> Self {
        Self { simplifies: true, kept: OnceLock::new(), segments: AtomicUsize::new(0) }
    }

    /// The glyph's contours; `None` for a blank glyph or an unknown index.
    pub(super) fn outline(&self, face: &Face<'_>, glyph: GlyphId) -> Option<Outline> {
        if !self.simplifies {
            return outline_of(face, glyph);
        }
        let kept = || self.kept.get_or_init(|| (0..face.number_of_glyphs()).map(|_| OnceLock::new()).collect());
        if let Some(outline) = self.kept.get().and_then(|kept| kept.get(usize::from(glyph.0))?.get()) {
            return Some(outline.clone());
        }
        let outline = outline_of(face, glyph)?;
        if outline.segments() <= FROM {
            return Some(outline);
        }
        let outline = simplified(outline, face.units_per_em());
        let segments = outline.segments();
        if self.segments.fetch_add(segments, Ordering::Relaxed) + segments > MOST_KEPT {
            self.segments.fetch_sub(segments, Ordering::Relaxed);
        } else if let Some(cell) = kept().get(usize::from(glyph.0)) {
            // Another thread may have kept the same outline meanwhile.
            if cell.set(outline.clone()).is_err() {
                self.segments.fetch_sub(segments, Ordering::Relaxed);
            }
        }
        Some(outline)
    }
}
