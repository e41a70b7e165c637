//! Parts of letters that writer variation moves.

use super::FontFace;
use crate::catalogue::GlyphId;
use crate::catalogue::outline::TopPart;

/// Least height of a dot above the baseline, in x-heights.
const DOT_FROM: f64 = 0.7;
/// The middle and the top, in x-heights, of the ink that is beside a full stop or comma.
const BESIDE_MARK: [f64; 2] = [0.35, 0.75];

impl FontFace {
    /// The dot of a glyph such as i, or the accent of another, if its topmost part is separate. Computed once per glyph.
    #[must_use]
    pub fn dot(&self, glyph: GlyphId) -> Option<TopPart> {
        let least = DOT_FROM * self.x_height.get();
        let dot = || self.outline(glyph)?.top_part().filter(|part| part.ink[1] > least);
        *self.measured.dots.of(self.all_glyphs(), glyph, dot)?
    }

    /// The right ends of the ink of a glyph that is beside a full stop or comma after it, below, low and high, in font
    /// units from the glyph's origin, y up. Computed once per glyph.
    #[must_use]
    pub fn right_ends_beside_mark(&self, glyph: GlyphId) -> [Option<[f64; 2]>; 3] {
        let ends = || {
            let Some(outline) = self.outline(glyph) else { return [None; 3] };
            let [low, high] = BESIDE_MARK.map(|height| height * self.x_height.get());
            [(f64::MIN, 0.0), (0.0, low), (low, high)].map(|(from, to)| outline.right_end_between(from, to))
        };
        self.measured.low_ends.of(self.all_glyphs(), glyph, ends).copied().unwrap_or_default()
    }
}
