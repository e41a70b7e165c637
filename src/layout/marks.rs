//! Places combining marks for which a font has no anchors, by the ink boxes of letter and mark.
//!
//! Shaping leaves such a mark at the pen: beside its letter, or on the next one. [`MarkPlace`] says where it belongs.

use std::ops::Range;

use unicode_normalization::char::decompose_canonical;

use super::shaped_glyph::ShapedGlyph;
use crate::catalogue::{FontFace, GlyphId, LetterWithoutDot, MarkPlace};
use crate::geometry::{Point, Rect};
use crate::units::FontUnits;

/// Least and most white between a letter and its mark in fonts without composed letters to measure it on, in x-heights.
/// Between them a mark keeps the distance at which its font drew it.
const WHITE: [f64; 2] = [0.12, 0.4];
/// Least white where the font's composed letters have less or none, in x-heights.
const LEAST_WHITE: f64 = 0.05;
/// Letters higher than this have their marks as close as capitals, in x-heights.
const TALL: f64 = 1.2;
/// Most white between a letter and a mark that an anchor placed, in x-heights: the widest of a composed letter is 0.45.
const FARTHEST: f64 = 0.6;
/// How far a mark that touches its letter reaches into it, in stroke widths.
const OVERLAP: f64 = 0.5;

/// Passes on the characters of a text for shaping, each with its byte: a letter before a mark above it without its dot,
/// as far as the font has that letter.
pub(super) fn without_dots(face: &FontFace, characters: &[(usize, char)], mut push: impl FnMut(usize, char)) {
    for (index, &(at, character)) in characters.iter().enumerate() {
        let after = characters[index + 1..].iter().map(|(_, next)| *next);
        let written = LetterWithoutDot::of(character, after, |other| face.has(other));
        match written.filter(|letter| letter.parts().all(|part| face.has(part))) {
            Some(letter) => letter.parts().for_each(|part| push(at, part)),
            None => push(at, character),
        }
    }
}

/// Moves the marks of a shaped run to their letters that shaping left at the pen. `text` is what was shaped; clusters
/// count from its start.
pub(super) fn place_marks(face: &FontFace, text: &str, glyphs: &mut [ShapedGlyph]) {
    if !text.chars().any(|character| MarkPlace::of(character).is_some() || !face.has(character)) {
        return;
    }
    // Shaping gives the clusters in ascending or, from right to left, in descending order.
    let mut clusters: Vec<u32> = glyphs.iter().map(|glyph| glyph.cluster).collect();
    clusters.sort_unstable();
    clusters.dedup();
    let mut start = 0;
    while let Some(first) = glyphs.get(start) {
        let cluster = first.cluster;
        let end = start + glyphs[start..].iter().take_while(|glyph| glyph.cluster == cluster).count();
        let behind = clusters.partition_point(|other| *other <= cluster);
        let text_end = clusters.get(behind).map_or(text.len(), |next| *next as usize);
        let characters = text.get(cluster as usize..text_end).unwrap_or_default();
        place_marks_of_cluster(face, characters, start..end, glyphs);
        start = end;
    }
}

/// A mark of a cluster.
struct Mark {
    character: char,
    place: MarkPlace,
    /// Its glyph in the cmap.
    glyph: GlyphId,
    /// Whether the font has no composed letter with it in this text.
    is_apart: bool,
    /// Which glyph of the run it is; `None` where shaping composed it with its letter.
    index: Option<usize>,
}

/// The marks of a cluster, those of composed letters included, because shaping may decompose these.
fn marks_of(face: &FontFace, text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    for character in text.chars() {
        let is_composed = face.has(character) && MarkPlace::of(character).is_none();
        decompose_canonical(character, |part| {
            if let (Some(place), Some(glyph)) = (MarkPlace::of(part), face.glyph_for(part)) {
                marks.push(Mark { character: part, place, glyph, is_apart: !is_composed, index: None });
            }
        });
    }
    marks
}

/// Finds the glyphs of the marks. A glyph of the cmap is known by it; some fonts replace it by another, such as one for
/// capitals.
fn find_glyphs(
    marks: &mut [Mark],
    range: Range<usize>,
    glyphs: &[ShapedGlyph],
    is_mark: &dyn Fn(&ShapedGlyph) -> bool,
) {
    let mut left: Vec<usize> = range.collect();
    for mark in &mut *marks {
        let own = left.iter().position(|index| glyphs[*index].glyph == mark.glyph);
        mark.index = own.map(|own| left.remove(own));
    }
    left.retain(|index| is_mark(&glyphs[*index]));
    let missing = marks.iter().filter(|mark| mark.index.is_none()).count();
    let is_decomposed = left.len() >= missing;
    let others = marks.iter_mut().filter(|mark| mark.index.is_none() && (mark.is_apart || is_decomposed));
    for (mark, index) in others.zip(left) {
        mark.index = Some(index);
    }
}

fn place_marks_of_cluster(face: &FontFace, text: &str, range: Range<usize>, glyphs: &mut [ShapedGlyph]) {
    let mut marks = marks_of(face, text);
    if !marks.iter().any(|mark| mark.is_apart) {
        return;
    }
    let of_cmap: Vec<GlyphId> = marks.iter().map(|mark| mark.glyph).collect();
    let is_mark =
        |glyph: &ShapedGlyph| glyph.advance == 0 || of_cmap.contains(&glyph.glyph) || face.is_mark(glyph.glyph);
    find_glyphs(&mut marks, range.clone(), glyphs, &is_mark);
    let is_inked = |index: &usize| face.ink(glyphs[*index].glyph).is_some();
    let Some(base) = range.rev().filter(|index| !is_mark(&glyphs[*index])).find(is_inked) else { return };
    for index in marks.iter().filter_map(|mark| mark.index) {
        take_no_room(index, glyphs);
    }
    let Some(mut stack) = Stack::of(face, glyphs[base]) else { return };
    for mark in marks {
        let Some(index) = mark.index else { continue };
        if !has_anchor(&glyphs[index]) || stack.is_badly_anchored(mark.character, mark.place, &glyphs[index]) {
            stack.place(mark.place, &mut glyphs[index]);
        }
        stack.add(mark.place, &glyphs[index]);
    }
}

/// Whether shaping moved the glyph from the pen.
const fn has_anchor(glyph: &ShapedGlyph) -> bool {
    glyph.x != glyph.pen || glyph.y != 0
}

/// Takes away the advance of a mark that its font draws as a letter.
fn take_no_room(mark: usize, glyphs: &mut [ShapedGlyph]) {
    if has_anchor(&glyphs[mark]) {
        return;
    }
    let room = std::mem::take(&mut glyphs[mark].advance);
    for glyph in &mut glyphs[mark + 1..] {
        glyph.pen -= room;
        glyph.x -= room;
    }
}

/// The ink of a glyph from the start of its run.
fn ink_of(face: &FontFace, glyph: &ShapedGlyph) -> Option<Rect<FontUnits>> {
    let [x, y] = [glyph.x, glyph.y].map(|at| FontUnits::new(f64::from(at)));
    face.ink(glyph.glyph).map(|ink| ink.translated(Point::new(x, y)))
}

/// A letter and the marks placed so far. Lengths are in font units.
struct Stack<'a> {
    face: &'a FontFace,
    letter: ShapedGlyph,
    base: Rect<FontUnits>,
    top: f64,
    bottom: f64,
    marks: Vec<Rect<FontUnits>>,
}

impl<'a> Stack<'a> {
    /// A letter without marks; `None` where it has no ink.
    fn of(face: &'a FontFace, letter: ShapedGlyph) -> Option<Self> {
        let base = ink_of(face, &letter)?;
        Some(Self { face, letter, base, top: base.max.y.get(), bottom: base.min.y.get(), marks: Vec::new() })
    }

    /// Whether a mark that an anchor placed crosses the letter, covers another mark, or stands far above: some fonts give
    /// letters with ascenders the anchors of low ones or too high ones, and have no anchors at marks. Only marks of
    /// alphabets with letters apart count; those of Indic scripts touch their letters.
    fn is_badly_anchored(&self, mark: char, place: MarkPlace, glyph: &ShapedGlyph) -> bool {
        let is_alphabetic = matches!(mark, '\u{300}'..='\u{36F}');
        let Some(ink) = ink_of(self.face, glyph).filter(|_| is_alphabetic) else { return false };
        let covers = |other: &Rect<FontUnits>| {
            let shared = |axis: fn(&Rect<FontUnits>) -> [f64; 2]| {
                let ([low, high], [other_low, other_high]) = (axis(&ink), axis(other));
                (high.min(other_high) - low.max(other_low)) / (high - low).min(other_high - other_low)
            };
            shared(|ink| [ink.min.x.get(), ink.max.x.get()]) > 0.5
                && shared(|ink| [ink.min.y.get(), ink.max.y.get()]) > 0.5
        };
        let white = (ink.min.y.get() - self.top) / self.face.x_height().get();
        let stands_wrong = place == MarkPlace::Above && (white > FARTHEST || self.reaches_into(&ink));
        stands_wrong || self.marks.iter().any(covers)
    }

    /// Whether the letter has ink above the lower edge of a mark.
    fn reaches_into(&self, mark: &Rect<FontUnits>) -> bool {
        let from_letter = |x: FontUnits| x.get() - f64::from(self.letter.x);
        let (left, right) = (from_letter(mark.min.x), from_letter(mark.max.x));
        let outline = self.face.outline(self.letter.glyph);
        let highest = outline.and_then(|outline| outline.highest_between(left, right));
        let highest = highest.map(|highest| highest + f64::from(self.letter.y));
        highest.is_some_and(|highest| highest > mark.min.y.get() + OVERLAP * self.stroke())
    }

    fn stroke(&self) -> f64 {
        self.face.stroke_em() * f64::from(self.face.units_per_em())
    }

    /// The white between the letter and a mark above or below it whose distance from the letters of its font is `drawn`.
    fn white(&self, place: MarkPlace, drawn: f64) -> f64 {
        let x_height = self.face.x_height().get();
        let gaps = self.face.accent_gaps();
        let is_tall = self.base.max.y.get() > TALL * x_height;
        let composed = match place {
            MarkPlace::Below | MarkPlace::BelowBetween => gaps.below,
            _ if is_tall => gaps.above_capital.or(gaps.above_small),
            _ => gaps.above_small.or(gaps.above_capital),
        };
        let of_drawing = || drawn.clamp(WHITE[0] * x_height, WHITE[1] * x_height);
        composed.map_or_else(of_drawing, |gap| gap.max(LEAST_WHITE * x_height))
    }

    /// Moves a mark to its place at the letter, beyond the marks that stand there.
    fn place(&self, place: MarkPlace, mark: &mut ShapedGlyph) {
        let Some(ink) = self.face.ink(mark.glyph) else { return };
        let [left, right, low, high] = [ink.min.x, ink.max.x, ink.min.y, ink.max.y].map(FontUnits::get);
        let (base_left, base_right) = (self.base.min.x.get(), self.base.max.x.get());
        let middle = f64::midpoint(self.base.min.y.get(), self.base.max.y.get());
        let y = match place {
            MarkPlace::Above | MarkPlace::AboveLeft | MarkPlace::AboveRight | MarkPlace::AboveBetween => {
                self.top + self.white(place, low - self.face.x_height().get()) - low
            }
            MarkPlace::Below | MarkPlace::BelowBetween => self.bottom - self.white(place, -high) - high,
            MarkPlace::Attached => self.bottom + OVERLAP * self.stroke() - high,
            MarkPlace::Shoulder => self.base.max.y.get() - f64::midpoint(low, high),
            MarkPlace::Inside => middle - f64::midpoint(low, high),
        };
        // A slanted letter continues to the right above its middle, and so do the marks above it.
        let is_beyond = |other: &&Rect<FontUnits>| match place {
            MarkPlace::Above => other.min.y.get() > middle,
            MarkPlace::Below => other.max.y.get() < middle,
            _ => false,
        };
        let from = *self.marks.iter().rfind(is_beyond).unwrap_or(&self.base);
        let (from_middle, from_height) =
            (f64::midpoint(from.min.x.get(), from.max.x.get()), f64::midpoint(from.min.y.get(), from.max.y.get()));
        let centre = match place {
            MarkPlace::AboveLeft => base_left,
            MarkPlace::AboveRight | MarkPlace::AboveBetween | MarkPlace::BelowBetween => base_right,
            MarkPlace::Shoulder => base_right + (right - left) / 2.0 - OVERLAP * self.stroke(),
            _ => from_middle,
        };
        let lean = self.face.slant_degrees().to_radians().tan() * (y + f64::midpoint(low, high) - from_height);
        mark.x = (centre + lean - f64::midpoint(left, right)).round() as i32;
        mark.y = y.round() as i32;
    }

    /// Notes where a mark stands, for the marks after it.
    fn add(&mut self, place: MarkPlace, mark: &ShapedGlyph) {
        let Some(ink) = ink_of(self.face, mark) else { return };
        self.marks.push(ink);
        match place {
            MarkPlace::Above | MarkPlace::AboveBetween => self.top = self.top.max(ink.max.y.get()),
            MarkPlace::Below | MarkPlace::BelowBetween | MarkPlace::Attached => {
                self.bottom = self.bottom.min(ink.min.y.get());
            }
            MarkPlace::AboveLeft | MarkPlace::AboveRight | MarkPlace::Shoulder | MarkPlace::Inside => {}
        }
    }
}

#[cfg(test)]
mod tests;
