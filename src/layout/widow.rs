//! Avoids widows: a paragraph's last line with a single word gets a second word from the line above, unless that would
//! add a line.

use super::error::LayoutError;
use super::line_break::{LineBreaker, LineSearch};
use super::shaped_text::{BreakAfter, Chunk};
use super::text_frame::{InkExtent, TextFrame, TypesetLine, TypesetText};

/// Least width that the line above keeps, as a share of the text area.
const LEAST_KEPT: f64 = 0.5;

impl TextFrame<'_, '_> {
    /// If the last line of `typeset` is a widow, moves a word down to it, provided the page still holds all lines.
    /// Returns the new extent of the page's ink.
    ///
    /// # Errors
    /// A font that cannot be used for shaping.
    pub(super) fn keep_from_widow(
        &mut self,
        typeset: &mut TypesetText,
        breaker: &LineBreaker,
    ) -> Result<Option<InkExtent>, LayoutError> {
        let [earlier @ .., above, last] = typeset.lines.as_mut_slice() else { return Ok(None) };
        if above.paragraph != last.paragraph || above.page != last.page || above.signs.or(last.signs).is_some() {
            return Ok(None);
        }
        let Some(paragraph) = self.paragraphs.get_mut(last.paragraph) else { return Ok(None) };
        let Some(end) = earlier_end(paragraph.chunks(), above, last) else { return Ok(None) };
        let mut line = |of: &TypesetLine, first, last| {
            let breaker = LineBreaker { effects: of.effects, ..*breaker };
            let line = LineSearch { breaker, paragraph, shaper: self.shaper }.line_that_fits(first, last, None)?;
            Ok::<_, LayoutError>(line.map(|line| TypesetLine { first, last, ink: line.ink, ..*of }))
        };
        let (Some(shorter), Some(longer)) = (line(above, above.first, end)?, line(last, end + 1, last.last)?) else {
            return Ok(None);
        };
        if shorter.ink.is_none_or(|ink| ink.right - ink.left < LEAST_KEPT * breaker.width) {
            return Ok(None);
        }
        let (page, blank) = (last.page, InkExtent::blank(self.spec));
        let others = earlier.iter().rev().take_while(|line| line.page == page);
        let extent = others
            .chain([&shorter, &longer])
            .try_fold(blank, |extent, line| extent.with(line.baseline, line.ink, breaker.size, self.height));
        if extent.is_some() {
            (*above, *last) = (shorter, longer);
        }
        Ok(extent)
    }
}

/// The new last chunk of the line above. `None` if the last line has several words, or the line above has only one.
fn earlier_end(chunks: &[Chunk], above: &TypesetLine, last: &TypesetLine) -> Option<usize> {
    let ends_word = |chunk: &Chunk| chunk.break_after == BreakAfter::Allowed && chunk.text.end < chunk.end;
    if chunks.get(last.first..last.last)?.iter().any(ends_word) || !chunks.get(above.last).is_some_and(ends_word) {
        return None;
    }
    Some(above.first + chunks.get(above.first..above.last)?.iter().rposition(ends_word)?)
}
