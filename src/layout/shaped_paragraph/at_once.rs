//! Compares a line that is put together from a shaped paragraph with the same line shaped at once.

use super::{ChunkId, ShapedParagraph, ShapingMode};
use crate::layout::effects::LineEffects;
use crate::layout::error::LayoutError;
use crate::layout::line_break::{LineBreaker, MeasuredBy};
use crate::layout::shape::Shaper;
use crate::spec::Alignment;

/// Positions in ems that differ by less are the same.
const SAME: f64 = 1e-9;

impl ShapedParagraph {
    /// Whether the line of these chunks has the glyphs and positions that it has when it is shaped at once.
    pub(in crate::layout) fn is_line_as_shaped_at_once(
        &mut self,
        first: usize,
        last: usize,
        shaper: &mut Shaper<'_>,
    ) -> Result<bool, LayoutError> {
        let together = self.line(first, last, None, shaper)?;
        let together = self.placed(&together, shaper);
        let bytes = self.chunks().get(first).zip(self.chunks().get(last)).map(|(a, b)| a.text.start..b.text.end);
        let whole = self.shape(bytes.unwrap_or_default(), false, ShapingMode::Whole, shaper)?;
        let alone: Vec<ChunkId> =
            (0..whole.chunks.len()).map(|chunk| ChunkId { text: self.texts.len(), chunk }).collect();
        self.texts.push(whole);
        let alone = self.placed(&alone, shaper);
        self.texts.pop();
        let near = |a: f64, b: f64| (a - b).abs() < SAME;
        let is_same = |(a, b): (&Placed, &Placed)| a.0 == b.0 && near(a.1, b.1) && near(a.2, b.2);
        Ok(together.len() == alone.len() && together.iter().zip(&alone).all(is_same))
    }

    /// The glyphs of a line.
    fn placed(&self, line: &[ChunkId], shaper: &Shaper<'_>) -> Vec<Placed> {
        let (word_spacing, width, alignment) = (0.0, 1.0, Alignment::Left);
        let effects = LineEffects::default();
        let by = MeasuredBy::TextAndLine;
        let breaker = LineBreaker { size: 1.0, word_spacing, width, alignment, by, effects };
        let mut placed = Vec::new();
        for chunk_place in breaker.place_chunks(self, line) {
            let Some((source, chunk)) = self.at(chunk_place.id) else { continue };
            let Some(run) = self.runs.get(chunk.run) else { continue };
            let unit = run.scale / f64::from(shaper.catalogue.face(run.font).units_per_em());
            let glyphs = source.glyphs.get(chunk.glyphs.clone()).unwrap_or_default();
            let start = glyphs.first().map_or(0, |first| first.pen);
            placed.extend(glyphs.iter().map(|each| {
                (each.glyph.0, chunk_place.text_left + f64::from(each.x - start) * unit, f64::from(each.y) * unit)
            }));
        }
        placed
    }
}

/// A glyph and its position in ems.
type Placed = (u16, f64, f64);
