//! Applies writer variation to shaped text: widths, positions and maps of glyphs, and gaps between words.
//!
//! Random draws belong to positions in the text, so reshaped text has the same ones. The result is known before lines
//! are broken.

use icu_segmenter::GraphemeClusterSegmenter;

use super::characters::is_space;
use super::clean_text::Paragraph;
use super::ink::Ink;
use super::run::Run;
use super::shaped_glyph::{ShapedGlyph, VariedGlyph};
use super::shaped_text::{Chunk, ShapedText};
use super::sign::{GapAfter, SignGap};
use super::white::white_between;
use super::word_ends::word_ends;
use crate::catalogue::{FontFace, GlyphId};
use crate::units::FontUnits;
use crate::variation::{Chain, Dot, Drawing, Glyph, LetterMap, Proportions, TextDraws, Writer, zone_stretch};

/// Least mean gap between the ink of two words, in x-heights. It is more than the 1.1 of the goal, because gaps are
/// narrower near the end of a line and after marks.
const WORD_GAP: f64 = 1.15;
/// Least gap between two words, in x-heights.
const LEAST_WORD_GAP: f64 = 0.45;
/// How far a dot or accent may rise above where the font has it, in x-heights, if it gets higher than capitals.
const ACCENT_RISE: f64 = 0.3;
/// How high writers make ascenders, in x-heights: those of fonts that have them lower are stretched above the x-height, at
/// most by this share. Fonts of capitals alone have none.
const ASCENDER: f64 = 1.65;
const LEAST_ASCENDER: f64 = 1.25;
const MOST_STRETCH: f64 = 0.6;
/// Fonts whose full stops are about three strokes wide, and the size at which a writer makes them.
const HEAVY_STOPS: [(u16, f64); 1] = [(29, 0.6)];

/// The random draws of a paragraph.
#[derive(Clone, Debug)]
pub(super) struct Variation {
    draws: TextDraws,
    /// How far habits apply, 0 to 1.
    habit: f64,
}

impl Variation {
    pub(super) fn new(writer: &Writer, paragraph: &Paragraph) -> Self {
        let text = &paragraph.text;
        let ends: Vec<usize> = GraphemeClusterSegmenter::new().segment_str(text).collect();
        let letters = ends.windows(2).filter_map(|ends| Some((ends[0], text.get(ends[0]..ends[1])?)));
        let start = paragraph.sources.first().copied().unwrap_or(0);
        Self { draws: writer.draw(paragraph.number, start, letters), habit: writer.habit() }
    }

    /// Which of its drawings the letter at a byte has.
    pub(super) fn drawing(&self, byte: usize) -> Drawing {
        self.draws.at(byte).drawing
    }

    /// Varies the glyphs of a run, word by word, and appends them to `varied`. `before` is text that was varied before;
    /// words that have the same glyphs there are only moved.
    pub(super) fn vary(
        &self,
        text: &str,
        run: &Run,
        face: &FontFace,
        glyphs: &[ShapedGlyph],
        before: Option<&ShapedText>,
        varied: &mut Vec<VariedGlyph>,
    ) {
        let unit = run.scale / f64::from(face.units_per_em());
        let blank = |glyph: &ShapedGlyph| {
            text.get(glyph.cluster as usize..).and_then(|text| text.chars().next()).is_some_and(is_space)
        };
        varied.reserve(glyphs.len());
        let ascenders = self.habit * ascender_stretch(face);
        for span in glyphs.chunk_by(|before, after| blank(before) == blank(after)) {
            if span.first().is_some_and(blank) {
                varied.extend(span.iter().map(|glyph| plain(glyph, unit)));
                continue;
            }
            let known = before.filter(|_| !run.is_right_to_left()).and_then(|before| same_word(span, before, blank));
            if let Some((known, moved)) = known {
                let by = f64::from(moved) * unit;
                let moved =
                    |known: &VariedGlyph| VariedGlyph { origin: known.origin + by, pen: known.pen + by, ..*known };
                varied.extend(known.iter().map(moved));
            } else {
                self.vary_word(text, run, (face, ascenders), span, varied);
            }
        }
    }

    /// Varies a word: letters and signs apart, and the gaps between them. `ascenders`: by what share those of the face
    /// stretch.
    fn vary_word(
        &self,
        text: &str,
        run: &Run,
        (face, ascenders): (&FontFace, f64),
        word: &[ShapedGlyph],
        varied: &mut Vec<VariedGlyph>,
    ) {
        let unit = run.scale / f64::from(face.units_per_em());
        let gap = |glyph: &ShapedGlyph| SignGap::before(text, glyph.cluster).filter(|_| !run.is_right_to_left());
        let mut before: &[ShapedGlyph] = &[];
        for part in word.chunk_by(|glyph, next| next.cluster == glyph.cluster || gap(next).is_none()) {
            let start = varied.len();
            let moved = before.last().zip(varied.last());
            let moved = moved.map_or(0.0, |(glyph, last)| last.pen + last.gain - f64::from(glyph.pen) * unit);
            self.vary_part(text, (face, ascenders), part, unit, varied);
            let (earlier, own) = varied.split_at_mut(start);
            shift(own, moved);
            // An accent has no advance.
            let earlier = earlier.get_mut(start - before.len()..).unwrap_or_default();
            let glyph = before.iter().zip(&*earlier).rfind(|(glyph, _)| glyph.advance != 0);
            let next = part.first().zip(own.first());
            if let (Some(glyph), Some(next), Some(gap)) = (glyph, next, part.first().and_then(gap)) {
                let before_mark = self.draws.at(next.0.cluster as usize).before_mark;
                let gain = gap.gain(face, glyph, next, unit, (before_mark, self.habit));
                shift(own, gain);
                if let Some(last) = earlier.last_mut() {
                    last.gain += gain;
                }
            }
            before = part;
        }
    }

    fn vary_part(
        &self,
        text: &str,
        (face, ascenders): (&FontFace, f64),
        part: &[ShapedGlyph],
        unit: f64,
        varied: &mut Vec<VariedGlyph>,
    ) {
        let mut last = None;
        let mut glyphs: Vec<Glyph<'_>> = part
            .iter()
            .map(|glyph| {
                let continues = last == Some(glyph.cluster) || glyph.advance == 0;
                last = Some(glyph.cluster);
                let first = text.get(glyph.cluster as usize..).and_then(|text| text.chars().next());
                let ink = face.ink(glyph.glyph);
                Glyph {
                    pen: f64::from(glyph.pen),
                    advance: f64::from(glyph.advance),
                    origin: [f64::from(glyph.x), f64::from(glyph.y)],
                    ink: ink.map(|ink| [ink.min.x.get(), ink.max.x.get()]),
                    top: ink.map_or(0.0, |ink| ink.max.y.get()),
                    white: None,
                    dot: first.and_then(|letter| dot(face, letter, glyph.glyph)),
                    continues,
                    draws: self.draws.at(glyph.cluster as usize),
                }
            })
            .collect();
        let mut next: Option<&ShapedGlyph> = None;
        for (glyph, shaped) in glyphs.iter_mut().zip(part).rev() {
            glyph.white = next.and_then(|next| white_between(face, shaped, next));
            // A mark has no advance; white is between letters.
            next = if shaped.advance == 0 { next } else { Some(shaped) };
        }
        let stroke = face.stroke_em() * f64::from(face.units_per_em());
        let mut chain =
            Chain::of(&glyphs, &Proportions { x_height: face.x_height().get(), stroke, ascenders, habit: self.habit });
        let half_stroke = face.widest_half_stroke() as f32;
        for (index, (glyph, letter)) in part.iter().zip(&mut chain.letters).enumerate() {
            let [origin, pen] = chain.places.get(index).copied().unwrap_or_default();
            let next = chain.places.get(index + 1).map_or(chain.end, |place| place[1]);
            let ink = face.ink(glyph.glyph).map(|ink| [ink.min.x, ink.min.y, ink.max.x, ink.max.y].map(FontUnits::get));
            if let Some((ink, size)) = ink.zip(stop_size(face, text, glyph.cluster)) {
                *letter = letter.with_smaller_stop(ink, 1.0 + self.habit * (size - 1.0));
            }
            let ink = ink.map(|ink| {
                let ink = ink.map(|edge| edge as f32);
                let [left, bottom, right, top] =
                    letter.bounds(half_stroke).around(ink).map(|edge| f64::from(edge) * unit);
                Ink { left, right, top, bottom }
            });
            let gain = (next - pen - f64::from(glyph.advance)) * unit;
            varied.push(VariedGlyph { letter: *letter, origin: origin * unit, pen: pen * unit, gain, ink });
        }
    }

    /// Varies the gaps after chunks of `text` that are consecutive in reading order. `glyphs` and `varied` are those to
    /// which the ranges of the chunks refer; the chunks belong to `run`.
    pub(super) fn vary_spaces(
        &self,
        text: &str,
        chunks: &mut [Chunk],
        (glyphs, varied): (&[ShapedGlyph], &[VariedGlyph]),
        run: &Run,
        face: &FontFace,
    ) {
        let unit = run.scale / f64::from(face.units_per_em());
        let x_height = face.x_height().get() * unit;
        // Blank width between each chunk's sides and its ink.
        let sides: Vec<[f64; 2]> = chunks
            .iter()
            .map(|chunk| {
                let of_chunk = glyphs.get(chunk.glyphs.clone()).zip(varied.get(chunk.glyphs.clone()));
                let ends = of_chunk.and_then(|(glyphs, varied)| word_ends(glyphs, varied, face, unit));
                ends.map_or([0.0; 2], |[left, right]| [left, chunk.advance - right])
            })
            .collect();
        // The side of the space, and the other side.
        let [near, far] = if run.is_right_to_left() { [0, 1] } else { [1, 0] };
        for (index, chunk) in chunks.iter_mut().enumerate() {
            if chunk.space_advance <= 0.0 || chunk.word_spaces == 0 {
                continue;
            }
            let side = |index: usize, side: usize| sides.get(index).map_or(0.0, |sides| sides[side]);
            let white = side(index, near) + side(index + 1, far) + chunk.space_advance;
            let draws = self.draws.at(chunk.text.start);
            let word = text.get(chunk.text.clone()).unwrap_or_default();
            let mean = white + self.habit * (WORD_GAP * x_height - white).max(0.0);
            let GapAfter { of_mean, least_share } = GapAfter::of(word);
            let mean = mean * (1.0 - self.habit * (1.0 - of_mean));
            let least = (least_share * mean).max(LEAST_WORD_GAP * x_height);
            let wanted = (mean * draws.word_gap.exp()).max(least);
            chunk.space_advance = (chunk.space_advance + wanted - white).max(0.0);
        }
    }
}

/// The word in text that was varied before, if it has the same glyphs there, and how far it has moved since, in font units.
fn same_word<'a>(
    word: &[ShapedGlyph],
    before: &'a ShapedText,
    blank: impl Fn(&ShapedGlyph) -> bool,
) -> Option<(&'a [VariedGlyph], i32)> {
    let first = word.first()?;
    let start = before.glyphs.partition_point(|glyph| glyph.cluster < first.cluster);
    let range = start..start + word.len();
    let known = before.glyphs.get(range.clone())?;
    let by = first.pen - known.first()?.pen;
    let moved =
        |known: &ShapedGlyph| ShapedGlyph { pen: known.pen + by, x: known.x + by, safe_to_break: false, ..*known };
    let is_same = known.iter().map(moved).eq(word.iter().map(|glyph| ShapedGlyph { safe_to_break: false, ..*glyph }));
    let begins = |index: usize| before.glyphs.get(index).is_none_or(&blank);
    let is_word = start.checked_sub(1).is_none_or(&begins) && begins(range.end);
    (is_same && is_word).then(|| before.varied.get(range)).flatten().map(|varied| (varied, by))
}

/// By what share the ascenders of a font are stretched to be as high as writers make them.
fn ascender_stretch(face: &FontFace) -> f64 {
    let x_height = face.x_height().get();
    let tops = ['h', 'l', 'd'].iter().filter_map(|letter| Some(face.ink(face.glyph_for(*letter)?)?.max.y.get()));
    let height = tops.reduce(f64::min).unwrap_or_default() / x_height;
    if height < LEAST_ASCENDER { 0.0 } else { zone_stretch(height - 1.0, ASCENDER - height).clamp(0.0, MOST_STRETCH) }
}

/// The size at which a full stop at a byte is written, if not that of the font.
fn stop_size(face: &FontFace, text: &str, at: u32) -> Option<f64> {
    let (_, size) = HEAVY_STOPS.into_iter().find(|(font, _)| *font == face.id().get())?;
    text.get(at as usize..)?.starts_with('.').then_some(size)
}

/// The dot of an i or j, or the accent of another letter.
fn dot(face: &FontFace, letter: char, glyph: GlyphId) -> Option<Dot> {
    if !Dot::is_possible(letter) {
        return None;
    }
    let part = face.dot(glyph)?;
    let risen = part.ink[3] + ACCENT_RISE * face.x_height().get();
    let half_stroke = 0.5 * face.stroke_em() * f64::from(face.units_per_em());
    Some(Dot {
        below: part.below,
        ink: part.ink,
        half_stroke,
        ceiling: risen.max(face.ink_ascent().get()),
        is_of_i: Dot::is_of_i(letter),
    })
}

/// Moves glyphs to the right.
fn shift(glyphs: &mut [VariedGlyph], by: f64) {
    for glyph in glyphs {
        glyph.origin += by;
        glyph.pen += by;
    }
}

/// An unchanged glyph: a space.
fn plain(glyph: &ShapedGlyph, unit: f64) -> VariedGlyph {
    let at = |place: i32| f64::from(place) * unit;
    VariedGlyph { letter: LetterMap::default(), origin: at(glyph.x), pen: at(glyph.pen), gain: 0.0, ink: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Glyphs of one byte each, 10 wide, from `start` on; the glyph 0 is blank.
    fn glyphs(start: usize, ids: &[u16]) -> Vec<ShapedGlyph> {
        let glyph = |(index, id): (usize, &u16)| {
            let pen = 10 * index as i32;
            let cluster = (start + index) as u32;
            ShapedGlyph { glyph: GlyphId(*id), cluster, safe_to_break: id % 2 == 0, pen, advance: 10, x: pen, y: 0 }
        };
        ids.iter().enumerate().map(glyph).collect()
    }

    #[test]
    fn a_word_is_known_if_all_of_it_has_the_same_glyphs() {
        let before = glyphs(0, &[1, 2, 0, 3, 4, 5, 0, 6]);
        let varied = before.iter().map(|glyph| VariedGlyph { gain: f64::from(glyph.cluster), ..plain(glyph, 1.0) });
        let before = ShapedText { varied: varied.collect(), glyphs: before, ..ShapedText::default() };
        let known = |start: usize, ids: &[u16]| {
            let found = same_word(&glyphs(start, ids), &before, |glyph| glyph.glyph.0 == 0);
            found.map(|(known, by)| (known.iter().map(|known| known.gain).collect::<Vec<f64>>(), by))
        };
        assert_eq!(known(0, &[1, 2]), Some((vec![0.0, 1.0], 0)));
        assert_eq!(known(3, &[3, 4, 5]), Some((vec![3.0, 4.0, 5.0], -30)), "it begins a line");
        assert_eq!(known(7, &[6]), Some((vec![7.0], -70)));
        // Another form of a letter, parts of a word, and a word that goes on.
        for (start, ids) in [(3, &[3, 7, 5][..]), (3, &[3, 4]), (4, &[4, 5]), (7, &[6, 8]), (9, &[1])] {
            assert_eq!(known(start, ids), None, "{ids:?}");
        }
    }
}
