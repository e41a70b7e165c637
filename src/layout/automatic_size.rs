//! The automatic font size: the largest at which the text fits and no word is broken.
//!
//! Input: the text area with all paragraphs, shaped. Output: a whole size in px and the lines at that size. A text that
//! fits one size may not fit a smaller one, because its lines break elsewhere; so only sizes that cannot fit are
//! skipped.

use std::ops::RangeInclusive;

use super::characters::is_no_break_space;
use super::error::LayoutError;
use super::line_break::{LineBreaker, ROUNDING};
use super::shaped_paragraph::ShapedParagraph;
use super::shaped_text::TextExtent;
use super::text_frame::{AtEnd, SMALLEST, TextFrame, TypesetText};
use super::words::widest_glyph;
use crate::catalogue::FontFace;
use crate::geometry::Rect;
use crate::units::{FontUnits, Mm, Px};

/// The least x-height to which `auto` shrinks a text that may continue on further pages, in mm.
const LEAST_PAGINATED_MM: f64 = 1.8;
/// The x-height in mm below which an automatic size gets a warning.
const SMALL_MM: f64 = 1.5;
/// How far letters of two ruled lines may reach into each other, as a share of the distance of the rules.
const RULE_OVERLAP: f64 = 0.15;

/// Whether words may be broken to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// No word is broken.
    Whole,
    /// Words are broken only if no size keeps all of them whole.
    WholeIfPossible,
    /// A word is broken if it is wider than the text area.
    MayBreak,
}

/// A size that was found, and the lines at that size.
pub(super) type Found = Option<(u32, TypesetText)>;

/// The smallest size that `auto` chooses for a text that may continue on further pages.
pub(crate) fn least_paginated(face: &FontFace, largest: u32) -> u32 {
    let size = Mm::new(LEAST_PAGINATED_MM).to_px().get() / x_height_em(face);
    (size.ceil() as u32).min(largest).max(SMALLEST)
}

/// The x-height in mm at a size, if that is too small to read with ease.
pub(super) fn small_x_height(face: &FontFace, size: Px) -> Option<f64> {
    let x_height = Px::new(x_height_em(face) * size.get()).to_mm().get();
    (x_height < SMALL_MM).then_some(x_height)
}

/// The smallest size at which writing is easy to read: its x-height is not [`small_x_height`].
pub(super) fn least_legible(face: &FontFace) -> u32 {
    let size = (Mm::new(SMALL_MM).to_px().get() / x_height_em(face)).ceil() as u32;
    // The quotient may be rounded down.
    let is_small = small_x_height(face, Px::new(f64::from(size))).is_some();
    size.saturating_add(u32::from(is_small)).max(SMALLEST)
}

fn x_height_em(face: &FontFace) -> f64 {
    face.x_height().get() / f64::from(face.units_per_em())
}

/// The largest size up to `largest` whose letters fit rules of this distance: from the ascent to the descent of
/// ordinary letters, neighbouring lines may overlap by [`RULE_OVERLAP`].
fn largest_on_rules(face: &FontFace, pitch: Px, largest: u32) -> u32 {
    let top = |letters| median(face, letters, |ink| ink.max.y);
    // Some hands have capitals alone.
    let extent = top("bdhkl").max(top("BDEHK")) - median(face, "gpqy", |ink| ink.min.y);
    let size = pitch.get() * (1.0 + RULE_OVERLAP) / extent.max(f64::EPSILON);
    (size as u32).clamp(SMALLEST, largest.max(SMALLEST))
}

/// The median of an edge of letters, in ems.
fn median(face: &FontFace, letters: &str, edge: impl Fn(Rect<FontUnits>) -> FontUnits) -> f64 {
    let inks = letters.chars().filter_map(|letter| face.ink(face.glyph_for(letter)?));
    let mut edges: Vec<f64> = inks.map(|ink| edge(ink).get() / f64::from(face.units_per_em())).collect();
    edges.sort_unstable_by(f64::total_cmp);
    edges.get(edges.len() / 2).copied().unwrap_or_default()
}

impl TextFrame<'_, '_> {
    /// The largest size that `auto` may choose, where the request limits it to `max`.
    pub(super) fn largest_automatic(&self, max: u32) -> u32 {
        let rules = self.spec.ruling.as_ref();
        rules.map_or(max, |ruling| largest_on_rules(self.face, ruling.pitch, max))
    }

    /// The largest of `sizes` at which the text fits one page.
    pub(super) fn largest_fitting(&mut self, sizes: RangeInclusive<u32>, words: Words) -> Result<Found, LayoutError> {
        let (extents, widest) = (self.extents(), self.widest_glyph());
        // The largest size that fits if words are broken.
        let mut broken = None;
        let smallest = *sizes.start();
        for number in sizes.rev() {
            self.shaper.work.spend(1 + extents.len() / 8)?;
            let size = f64::from(number);
            let must_keep_words = words == Words::Whole || broken.is_some();
            if self.is_hopeless(size, &extents, widest) || (must_keep_words && self.breaks_a_word(size, &extents)) {
                continue;
            }
            if let Some(typeset) = self.fit(size)? {
                if words == Words::MayBreak || self.broken_words(&typeset).is_empty() {
                    return Ok(Some((number, typeset)));
                }
                broken = broken.or(Some(number));
            }
        }
        match broken {
            Some(size) if words == Words::WholeIfPossible => self.largest_fitting(smallest..=size, Words::MayBreak),
            _ => Ok(None),
        }
    }

    /// The largest size up to `largest` at which the text fits one page, but no less than [`least_paginated`]: at that
    /// size, or at the next smaller one at which every grapheme has room, the text continues on further pages.
    pub(super) fn largest_fitting_or_paginated(&mut self, largest: u32) -> Result<Found, LayoutError> {
        let least = least_paginated(self.face, largest);
        let found = self.largest_fitting(least..=largest, Words::Whole)?;
        if found.is_some() {
            return Ok(found);
        }
        for size in (SMALLEST..=least).rev() {
            let typeset = self.typeset(f64::from(size), AtEnd::NewPage)?;
            if typeset.is_complete() {
                return Ok(Some((size, typeset)));
            }
        }
        Ok(None)
    }

    /// The words, and groups of words joined by no-break spaces, that are broken at the ends of lines, each once, in
    /// their order.
    pub(super) fn broken_words(&self, typeset: &TypesetText) -> Vec<&str> {
        let separates_words = |character: char| character.is_whitespace() && !is_no_break_space(character);
        let mut words: Vec<&str> = Vec::new();
        let mut last_word = None;
        for pair in typeset.lines.windows(2) {
            let [line, next] = pair else { continue };
            let Some(paragraph) = self.paragraphs.get(line.paragraph) else { continue };
            let Some(chunk) = paragraph.chunks().get(line.last) else { continue };
            if next.paragraph != line.paragraph || !chunk.break_after.breaks_word() {
                continue;
            }
            let (before, after) = paragraph.text.split_at(chunk.text.end);
            let start = before
                .rfind(separates_words)
                .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
            let end = chunk.text.end + after.find(separates_words).unwrap_or(after.len());
            if last_word.replace((line.paragraph, start)) != Some((line.paragraph, start)) {
                words.extend(paragraph.text.get(start..end));
            }
        }
        words
    }

    /// How much each paragraph has to write.
    pub(super) fn extents(&self) -> Vec<TextExtent> {
        self.paragraphs.iter().map(|paragraph| TextExtent::of(paragraph.chunks(), &paragraph.rows)).collect()
    }

    /// The width of the widest glyph, in ems, however it is rotated.
    pub(super) fn widest_glyph(&self) -> f64 {
        let angle = self.effects.on_line(0, 0, 1.0).largest_angle();
        let catalogue = self.shaper.catalogue;
        self.paragraphs.iter().map(|paragraph| widest_glyph(paragraph, angle, catalogue)).fold(0.0, f64::max)
    }

    /// Whether a word is surely too wide for a line at this size.
    fn breaks_a_word(&self, size: f64, extents: &[TextExtent]) -> bool {
        let breaker = self.line_breaker_with_effects(size);
        let mut paragraphs = self.paragraphs.iter().zip(extents);
        paragraphs.any(|(paragraph, extent)| extent.widest_word * size > breaker.limit(paragraph))
    }

    /// Whether a paragraph other than those of `lost` surely needs several lines at this size.
    pub(super) fn wraps_a_line(&self, size: f64, extents: &[TextExtent], lost: &[usize]) -> bool {
        let breaker = self.line_breaker_with_effects(size);
        let mut paragraphs = self.paragraphs.iter().zip(extents).enumerate();
        paragraphs.any(|(index, (paragraph, extent))| {
            !lost.contains(&index) && least_lines(&breaker, paragraph, extent) > 1.0
        })
    }

    /// Whether the text cannot fit at this size: a glyph is wider than the text area, or the text needs more lines than
    /// there is room for, however they break. The ink of a line counts as extending down to an em above its baseline or
    /// lower.
    pub(super) fn is_hopeless(&self, size: f64, extents: &[TextExtent], widest_glyph: f64) -> bool {
        let pitch = self.spec.line_pitch(size);
        let mut baseline = self.first_baseline(size);
        let breaker = self.line_breaker_with_effects(size);
        if widest_glyph * size > breaker.width + 2.0 * ROUNDING {
            return true;
        }
        let mut page_is_empty = true;
        for ((clean, paragraph), extent) in self.clean.iter().zip(&self.paragraphs).zip(extents) {
            if paragraph.chunks().is_empty() {
                continue;
            }
            if !page_is_empty {
                baseline += self.gap(clean.newlines_before, pitch);
            }
            page_is_empty = false;
            let lines = least_lines(&breaker, paragraph, extent);
            baseline += (lines - 1.0) * pitch;
            if extent.has_ink && baseline - size > self.height + 2.0 * ROUNDING {
                return true;
            }
        }
        false
    }

    /// What lines are measured with at a size, for [`LineBreaker::limit`]: that depends only on whether words are
    /// rotated, not on their angles.
    fn line_breaker_with_effects(&self, size: f64) -> LineBreaker {
        LineBreaker { effects: self.effects.on_line(0, 0, size), ..self.line_breaker(size) }
    }
}

/// The least number of lines of a paragraph, however they break. No line has more advance than [`LineBreaker::limit`]
/// and the blanks at its two ends, which take no room.
fn least_lines(breaker: &LineBreaker, paragraph: &ShapedParagraph, extent: &TextExtent) -> f64 {
    let (size, spacing) = (breaker.size, breaker.word_spacing);
    let most = breaker.limit(paragraph) + 2.0 * (extent.widest_blank * size + extent.most_word_spaces * spacing);
    let all = extent.advance * size + extent.word_spaces * spacing;
    // One line fewer where the quotient is nearly whole, as sums may round differently.
    (all / most - 1e-6).ceil().max(1.0)
}
