//! Shapes runs word by word, so that a repeated word is shaped once.
//!
//! A word is shaped together with the spaces beside it, because many fonts kern letters with spaces. If the letters of
//! a font do not depend on other words, the result equals that of the whole run; a test compares them for all fonts. In
//! the other fonts whole lines are shaped.

use std::ops::Range;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use super::characters::is_space;
use super::error::LayoutError;
use super::run::Run;
use super::shape::Shaper;
use super::shape_cache::SharedGlyphs;
use super::shaped_glyph::ShapedGlyph;
use crate::catalogue::is_default_ignorable;

/// A word, or the spaces between two words, taken from a shaped part of the paragraph.
struct WordShape {
    glyphs: SharedGlyphs,
    /// The bytes of the shaped part that count.
    part: Range<usize>,
    /// Start of the shaped part in the paragraph.
    start: usize,
    /// Whether a line may be cut before it without shaping again, where `glyphs` cannot tell.
    safe_start: Option<bool>,
}

impl Shaper<'_> {
    /// Shapes the part `range` of `run` word by word, without context, and appends its glyphs from left to right. With
    /// `hyphen`, the last character, a soft hyphen, is written.
    pub(super) fn shape_words(
        &mut self,
        text: &str,
        run: &Run,
        range: Range<usize>,
        hyphen: bool,
        glyphs: &mut Vec<ShapedGlyph>,
    ) -> Result<(), LayoutError> {
        let Some(spans) = words_and_spaces(text.get(range.clone()).unwrap_or_default(), range.start) else {
            return self.shape(text, run, range, hyphen, glyphs);
        };
        let mut shapes: Vec<WordShape> = Vec::with_capacity(spans.len());
        // Whether a line may be cut before the current spaces, according to the word before them.
        let mut safe_space = None;
        for (index, (span, blank)) in spans.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|index| spans.get(index));
            let after = spans.get(index + 1);
            if *blank && after.is_some() {
                // The next word includes these spaces.
                continue;
            }
            let start = before.filter(|_| !*blank).map_or(span.start, |(spaces, _)| spaces.start);
            let end = after.map_or(span.end, |(spaces, _)| spaces.end);
            let written = hyphen && end == range.end;
            let found = self.glyphs_of(text, run, start..end, written)?;
            if start < span.start {
                let part = 0..span.start - start;
                shapes.push(WordShape { glyphs: SharedGlyphs::clone(&found), part, start, safe_start: safe_space });
            }
            let trailing = (end - start) as u32;
            let behind = (span.end - start) as u32;
            safe_space = found
                .iter()
                .find(|glyph| glyph.cluster >= behind && glyph.cluster < trailing)
                .map(|glyph| glyph.safe_to_break);
            let part = span.start - start..span.end - start;
            shapes.push(WordShape { glyphs: found, part, start, safe_start: None });
        }
        if run.is_right_to_left() {
            shapes.reverse();
        }
        let mut pen = 0;
        for shape in &shapes {
            shape.append(&mut pen, glyphs);
        }
        Ok(())
    }
}

impl WordShape {
    fn append(&self, pen: &mut i32, glyphs: &mut Vec<ShapedGlyph>) {
        let first = self.part.start as u32;
        for glyph in self.glyphs.iter().filter(|glyph| self.part.contains(&(glyph.cluster as usize))) {
            let own = self.safe_start.filter(|_| glyph.cluster == first);
            glyphs.push(ShapedGlyph {
                cluster: glyph.cluster + self.start as u32,
                safe_to_break: own.unwrap_or(glyph.safe_to_break),
                pen: *pen,
                x: *pen + glyph.x - glyph.pen,
                ..*glyph
            });
            *pen += glyph.advance;
        }
    }
}

/// The words of a text and the spaces between them, alternating, each with whether it is spaces. Positions count from
/// `start`. `None` where a mark follows a space, because the two must not be separated.
fn words_and_spaces(text: &str, start: usize) -> Option<Vec<(Range<usize>, bool)>> {
    let mut spans: Vec<(Range<usize>, bool)> = Vec::new();
    for (offset, character) in text.char_indices() {
        let at = start + offset;
        let end = at + character.len_utf8();
        let blank = is_space(character);
        match spans.last_mut() {
            Some((last, kind)) if *kind == blank => last.end = end,
            Some(_) if !blank && attaches_to_previous(character) => return None,
            _ => spans.push((at..end, blank)),
        }
    }
    Some(spans)
}

fn attaches_to_previous(character: char) -> bool {
    !character.is_ascii()
        && (is_default_ignorable(character) || character.general_category_group() == GeneralCategoryGroup::Mark)
}

/// Marks all positions inside words as unsafe to break.
pub(super) fn mark_words_unsafe(text: &str, glyphs: &mut [ShapedGlyph]) {
    for glyph in glyphs {
        let (before, own) = text.split_at_checked(glyph.cluster as usize).unwrap_or_default();
        let at_edge = before.chars().next_back().is_none_or(is_space) || own.chars().next().is_none_or(is_space);
        glyph.safe_to_break &= at_edge;
    }
}
