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
use super::shaped_text::Chunk;
use crate::catalogue::FontFace;
use crate::variation::{Chain, Glyph, LetterMap, TextDraws, Writer};

/// Gaps below this width, in x-heights, are not made narrower.
const NARROW_WORD_GAP: f64 = 0.6;
/// Least gap between the ink of two words, in x-heights, and as a share of the gap without variation.
const LEAST_WORD_GAP: f64 = 0.45;
const LEAST_WORD_GAP_SHARE: f64 = 0.6;

/// The random draws of a paragraph.
#[derive(Clone, Debug)]
pub(super) struct Variation {
    draws: TextDraws,
}

impl Variation {
    pub(super) fn new(writer: &Writer, paragraph: &Paragraph) -> Self {
        let text = &paragraph.text;
        let ends: Vec<usize> = GraphemeClusterSegmenter::new().segment_str(text).collect();
        let letters = ends.windows(2).filter_map(|ends| Some((ends[0], text.get(ends[0]..ends[1])?)));
        let start = paragraph.sources.first().copied().unwrap_or(0);
        Self { draws: writer.draw(paragraph.number, start, letters) }
    }

    /// Varies the glyphs of a run, word by word, and appends them to `varied`.
    pub(super) fn vary(
        &self,
        text: &str,
        run: &Run,
        face: &FontFace,
        glyphs: &[ShapedGlyph],
        varied: &mut Vec<VariedGlyph>,
    ) {
        let unit = run.scale / f64::from(face.units_per_em());
        let blank = |glyph: &ShapedGlyph| {
            text.get(glyph.cluster as usize..).and_then(|text| text.chars().next()).is_some_and(is_space)
        };
        varied.reserve(glyphs.len());
        for span in glyphs.chunk_by(|before, after| blank(before) == blank(after)) {
            if span.first().is_some_and(blank) {
                varied.extend(span.iter().map(|glyph| plain(glyph, unit)));
            } else {
                self.vary_word(text, face, span, unit, varied);
            }
        }
    }

    fn vary_word(&self, text: &str, face: &FontFace, word: &[ShapedGlyph], unit: f64, varied: &mut Vec<VariedGlyph>) {
        let mut last = None;
        let glyphs: Vec<Glyph> = word
            .iter()
            .map(|glyph| {
                let continues = last == Some(glyph.cluster) || glyph.advance == 0;
                last = Some(glyph.cluster);
                let first = text.get(glyph.cluster as usize..).and_then(|text| text.chars().next());
                let has_dot = first.is_some_and(|letter| {
                    letter.is_alphabetic() && (!letter.is_ascii() || matches!(letter, 'i' | 'j'))
                });
                Glyph {
                    pen: f64::from(glyph.pen),
                    advance: f64::from(glyph.advance),
                    origin: [f64::from(glyph.x), f64::from(glyph.y)],
                    ink: face.ink(glyph.glyph).map(|ink| [ink.min.x.get(), ink.max.x.get()]),
                    dot: if has_dot { face.dot(glyph.glyph) } else { None },
                    continues,
                    draws: self.draws.at(glyph.cluster as usize),
                }
            })
            .collect();
        let chain = Chain::of(&glyphs, face.x_height().get());
        let half_stroke = face.widest_half_stroke() as f32;
        for (index, (glyph, letter)) in word.iter().zip(chain.letters).enumerate() {
            let [origin, pen] = chain.places.get(index).copied().unwrap_or_default();
            let next = chain.places.get(index + 1).map_or(chain.end, |place| place[1]);
            let ink = face.ink(glyph.glyph).map(|ink| {
                let ink = [ink.min.x, ink.min.y, ink.max.x, ink.max.y].map(|edge| edge.get() as f32);
                let [left, bottom, right, top] =
                    letter.bounds(half_stroke).around(ink).map(|edge| f64::from(edge) * unit);
                Ink { left, right, top, bottom }
            });
            let gain = (next - pen - f64::from(glyph.advance)) * unit;
            varied.push(VariedGlyph { letter, origin: origin * unit, pen: pen * unit, gain, ink });
        }
    }

    /// Varies the gaps after chunks that are consecutive in reading order. `glyphs` and `varied` are those to which the
    /// ranges of the chunks refer; the chunks belong to `run`.
    pub(super) fn vary_spaces(
        &self,
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
                let ends = of_chunk.and_then(|(glyphs, varied)| ends(glyphs, varied, face, unit));
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
            let factor = self.draws.at(chunk.text.start).word_gap.exp();
            let least = white.min(NARROW_WORD_GAP * x_height).max(LEAST_WORD_GAP * x_height);
            let wanted = (white * factor.max(LEAST_WORD_GAP_SHARE)).max(least);
            chunk.space_advance = (chunk.space_advance + wanted - white).max(0.0);
        }
    }
}

/// Left and right end of a word's ink from its start, in ems of the chosen font, by the convex hulls of the two letters
/// at either end: of each hull by the corner that stretch and slant move farthest.
fn ends(glyphs: &[ShapedGlyph], varied: &[VariedGlyph], face: &FontFace, unit: f64) -> Option<[f64; 2]> {
    let start = varied.first()?.pen;
    let reach = |(glyph, varied): (&ShapedGlyph, &VariedGlyph), side: f64| {
        let direction = varied.letter.direction_along().map(|part| f64::from(part) * side);
        let at = face.hull(glyph.glyph)?.support_point(direction)?;
        let [x, _] = varied.letter.bend([at.x.get() as f32, at.y.get() as f32], [0.0; 2]);
        Some(f64::from(x) * unit + varied.origin - start)
    };
    let pairs = || glyphs.iter().zip(varied).filter(|(_, varied)| varied.ink.is_some());
    let left = pairs().take(2).filter_map(|pair| reach(pair, -1.0)).reduce(f64::min)?;
    let right = pairs().rev().take(2).filter_map(|pair| reach(pair, 1.0)).reduce(f64::max)?;
    Some([left, right])
}

/// An unchanged glyph: a space.
fn plain(glyph: &ShapedGlyph, unit: f64) -> VariedGlyph {
    let at = |place: i32| f64::from(place) * unit;
    VariedGlyph { letter: LetterMap::default(), origin: at(glyph.x), pen: at(glyph.pen), gain: 0.0, ink: None }
}
