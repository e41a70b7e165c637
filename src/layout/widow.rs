//! Widows: if a paragraph's last line has a single word, it gets a second word from the line above, unless that adds a
//! line.

use super::error::LayoutError;
use super::fit::{Column, SetLine, Setting, Stack};
use super::line_break::{Cut, LineInk, Measure};
use super::strand::{Atom, BreakAfter};

/// The least that the line above may keep, as a share of the text area's width.
const LEAST_KEPT: f64 = 0.5;

impl Column<'_, '_> {
    /// Moves a word down to the last line of `setting` if that is a widow and the page still holds all; gives how far
    /// down the lines of the page then reach.
    ///
    /// # Errors
    /// A font that cannot be shaped with.
    pub(super) fn keep_from_widow(
        &mut self,
        setting: &mut Setting,
        measure: &Measure,
    ) -> Result<Option<Stack>, LayoutError> {
        let [earlier @ .., above, last] = setting.lines.as_mut_slice() else { return Ok(None) };
        if above.paragraph != last.paragraph || above.page != last.page {
            return Ok(None);
        }
        let Some(galley) = self.galleys.get_mut(last.paragraph) else { return Ok(None) };
        let Some(end) = earlier_end(galley.atoms(), above, last) else { return Ok(None) };
        let shaper = &mut *self.shaper;
        let mut line = |of: &SetLine, first, last| {
            let ink = Measure { effects: of.effects, ..*measure }.line_that_fits(galley, first, last, shaper)?;
            Ok::<_, LayoutError>(ink.map(|cut| SetLine { first, last, ink: ink_of(cut), ..*of }))
        };
        let (Some(shorter), Some(longer)) = (line(above, above.first, end)?, line(last, end + 1, last.last)?) else {
            return Ok(None);
        };
        if shorter.ink.is_none_or(|ink| ink.right - ink.left < LEAST_KEPT * measure.width) {
            return Ok(None);
        }
        let page = last.page;
        let others = earlier.iter().rev().take_while(|line| line.page == page);
        let stack = others
            .chain([&shorter, &longer])
            .try_fold(Stack::default(), |stack, line| stack.with(line.baseline, line.ink, measure.size, self.height));
        if stack.is_some() {
            (*above, *last) = (shorter, longer);
        }
        Ok(stack)
    }
}

/// Where the line above would have to end; `None` where the last line is no single word, or the line above is.
fn earlier_end(atoms: &[Atom], above: &SetLine, last: &SetLine) -> Option<usize> {
    let ends_word = |atom: &Atom| atom.break_after == BreakAfter::Allowed && atom.text.end < atom.end;
    if atoms.get(last.first..last.last)?.iter().any(ends_word) || !atoms.get(above.last).is_some_and(ends_word) {
        return None;
    }
    Some(above.first + atoms.get(above.first..above.last)?.iter().rposition(ends_word)?)
}

const fn ink_of(cut: Cut) -> Option<LineInk> {
    match cut {
        Cut::Line { ink, .. } => ink,
        Cut::TooWide { .. } => None,
    }
}
