//! `keep_lines`: the largest size at which no given line wraps. A given line is a paragraph, the text between newlines.
//!
//! Input: the text area with all paragraphs, shaped. Output: a whole size in px, the lines at that size, and the warning
//! that it is smaller than asked for; `None` where the size does not depend on given lines. Then the text is set as
//! without `keep_lines`. Lines that wrap even at the smallest size that is easy to read do not decide the size.

use std::ops::RangeInclusive;

use super::automatic_size::{Found, least_legible, least_paginated};
use super::clean_text::CleanText;
use super::error::LayoutError;
use super::text_frame::{AtEnd, TextFrame, TypesetText};
use super::{Fitted, warnings};
use crate::spec::FontSize;

/// Finds the size that keeps the lines. Where it has to be found, nothing is cut at the end of the text area.
///
/// # Errors
/// A font that cannot be used for shaping, or too many steps.
pub(super) fn find_size(
    frame: &mut TextFrame<'_, '_>,
    text: &CleanText,
    at_end: AtEnd,
) -> Result<Option<Fitted>, LayoutError> {
    match frame.spec.font_size {
        FontSize::Auto { max } => {
            let found = frame.largest_automatic_keeping_lines(max, at_end)?;
            Ok(found.map(|(size, typeset)| Fitted { size: f64::from(size), typeset, warning: None }))
        }
        FontSize::Fixed(asked) => smaller_than(frame, text, asked.get(), at_end),
    }
}

/// The largest size below `asked` that keeps lines which wrap at `asked`, or which `overflow` `clip` would cut.
fn smaller_than(
    frame: &mut TextFrame<'_, '_>,
    text: &CleanText,
    asked: f64,
    at_end: AtEnd,
) -> Result<Option<Fitted>, LayoutError> {
    let wrapped = frame.wrapped_lines(asked)?;
    let is_cut = at_end == AtEnd::Clip && !frame.typeset(asked, at_end)?.is_complete();
    if wrapped.is_empty() && !is_cut {
        return Ok(None);
    }
    let sizes = least_legible(frame.face)..=(asked.ceil() as u32).saturating_sub(1);
    let lost = frame.lines_that_cannot_be_kept(&sizes)?;
    if !is_cut && wrapped.iter().all(|line| lost.contains(line)) {
        return Ok(None);
    }
    let Some((size, typeset)) = frame.largest_keeping_lines(sizes, at_end, &lost)? else { return Ok(None) };
    // The line that needs this size, if one does.
    let larger = frame.wrapped_lines(f64::from(size + 1))?;
    let narrowest = larger.iter().chain(&wrapped).find(|line| !lost.contains(line));
    let warning = match narrowest.and_then(|line| text.paragraphs.get(*line)) {
        Some(line) => warnings::shrunk_to_keep(line, asked, size),
        None => warnings::shrunk(asked, size),
    };
    Ok(Some(Fitted { size: f64::from(size), typeset, warning: Some(warning) }))
}

impl TextFrame<'_, '_> {
    /// The largest size up to `max` that `auto` may choose and that keeps all lines. A text that may continue on further
    /// pages stays on one page down to the size [`least_paginated`].
    fn largest_automatic_keeping_lines(&mut self, max: u32, at_end: AtEnd) -> Result<Found, LayoutError> {
        let most = self.largest_automatic(max);
        let legible = least_legible(self.face);
        let lost = self.lines_that_cannot_be_kept(&(legible..=most))?;
        if !self.paragraphs.is_empty() && lost.len() == self.paragraphs.len() {
            return Ok(None);
        }
        if at_end != AtEnd::NewPage {
            return self.largest_keeping_lines(legible..=most, AtEnd::Stop, &lost);
        }
        let least = least_paginated(self.face, most);
        let on_one_page = self.largest_keeping_lines(legible.max(least)..=most, AtEnd::Stop, &lost)?;
        if on_one_page.is_some() {
            Ok(on_one_page)
        } else {
            self.largest_keeping_lines(legible..=least, AtEnd::NewPage, &lost)
        }
    }

    /// The largest of `sizes` at which no given line wraps, but for those that are `lost`, and the text fits: one page,
    /// or with [`AtEnd::NewPage`] several.
    fn largest_keeping_lines(
        &mut self,
        sizes: RangeInclusive<u32>,
        at_end: AtEnd,
        lost: &[usize],
    ) -> Result<Found, LayoutError> {
        let (extents, widest) = (self.extents(), self.widest_glyph());
        for number in sizes.rev() {
            self.shaper.work.spend(1 + extents.len() / 8)?;
            let size = f64::from(number);
            if self.wraps_a_line(size, &extents, lost)
                || (at_end != AtEnd::NewPage && self.is_hopeless(size, &extents, widest))
            {
                continue;
            }
            let typeset = match at_end {
                AtEnd::NewPage => Some(self.typeset(size, at_end)?).filter(TypesetText::is_complete),
                AtEnd::Stop | AtEnd::Clip => self.fit(size)?,
            };
            let keeps_lines = |typeset: &TypesetText| {
                typeset.wrapped().iter().all(|line| lost.contains(line)) && self.broken_words(typeset).is_empty()
            };
            if let Some(typeset) = typeset.filter(keeps_lines) {
                return Ok(Some((number, typeset)));
            }
        }
        Ok(None)
    }

    /// The given lines that wrap even at the smallest of `sizes`, as indices of their paragraphs.
    fn lines_that_cannot_be_kept(&mut self, sizes: &RangeInclusive<u32>) -> Result<Vec<usize>, LayoutError> {
        if sizes.is_empty() { Ok(Vec::new()) } else { self.wrapped_lines(f64::from(*sizes.start())) }
    }

    /// The given lines that wrap at a size or have a grapheme wider than the text area, up to the first such grapheme,
    /// as indices of their paragraphs. The height of the text area does not matter.
    fn wrapped_lines(&mut self, size: f64) -> Result<Vec<usize>, LayoutError> {
        let height = std::mem::replace(&mut self.height, f64::INFINITY);
        let typeset = self.typeset(size, AtEnd::Stop);
        self.height = height;
        let typeset = typeset?;
        let mut wrapped = typeset.wrapped();
        wrapped.extend(typeset.cut_at.map(|at| at.paragraph));
        Ok(wrapped)
    }
}
