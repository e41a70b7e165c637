//! The outlines of a font's glyphs, as every stage sees them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use ttf_parser::Face;

use super::GlyphId;
use super::font_parts::FontParts;
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

/// The fonts of the program, by slug, in which a contour of one point is a dot that the file lacks: those of i and j in
/// Dawning of a New Day. In other fonts such contours lie in the ink.
const DOTS_OF_ONE_POINT: [&str; 1] = ["dawning-of-a-new-day"];

/// Width of such a dot, in widths of the pen: that of the font's full stop.
const DOT_WIDTH: f64 = 1.6;

/// The outlines of a font, by default as the file has them.
#[derive(Default)]
pub(super) struct GlyphOutlines {
    simplifies: bool,
    /// Half the width of dots in ems, if contours of one point are dots.
    dot_radius_em: Option<f64>,
    /// Simplified outlines. Glyphs of few segments have none.
    kept: PerGlyph<Outline>,
    segments: AtomicUsize,
}

impl GlyphOutlines {
    /// The outlines of a font of the program.
    pub(super) fn of_bundled(parts: &FontParts) -> Self {
        let has_dots = DOTS_OF_ONE_POINT.contains(&parts.slug.as_str());
        Self { dot_radius_em: has_dots.then_some(0.5 * DOT_WIDTH * parts.stroke_em), ..Self::default() }
    }

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
        if let Some(radius) = self.dot_radius_em {
            return outline.with_dots(radius * f64::from(face.units_per_em()));
        }
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
