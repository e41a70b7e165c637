//! ShapedText: shaped text as a sequence of chunks, from which lines are built.
//!
//! A chunk is a part of one run without a break opportunity inside, followed by the spaces after it. Its lengths are in
//! ems of the requested font, so one shaped serves every font size.

use std::ops::Range;

use super::characters::{is_space, is_word_space};
use super::run::Run;
use super::shape::ShapedGlyph;
use super::varied::{Variation, VariedGlyph};
use crate::catalogue::FontFace;

const SOFT_HYPHEN: char = '\u{AD}';

/// Whether a line may end behind a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BreakAfter {
    /// It may not.
    Never,
    /// Only where a word is wider than the text area, and nothing better is left.
    Emergency,
    /// Only where a word is wider than the text area: a natural point of an address of the web or of mail.
    Natural,
    /// It may.
    Allowed,
    /// It may, and then a hyphen is written.
    Hyphen,
}

/// An extent of ink in ems: x from the chunk's or line's pen, y upwards from the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InkEm {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl InkEm {
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
            bottom: self.bottom.min(other.bottom),
        }
    }
}

/// A stretch of text that is not broken, and the spaces after it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chunk {
    /// Index of its run.
    pub(super) run: usize,
    /// Its bytes of the line, spaces not included; may be empty.
    pub(super) text: Range<usize>,
    /// Where its spaces end.
    pub(super) end: usize,
    /// Glyphs of its text, in the shaped, from left to right.
    pub(super) glyphs: Range<usize>,
    /// Width of its text.
    pub(super) advance: f64,
    /// Width of its spaces.
    pub(super) space_advance: f64,
    /// How many of its spaces `word_spacing` widens.
    pub(super) word_spaces: u32,
    /// Ink of its text; `None` where it is blank.
    pub(super) ink: Option<InkEm>,
    /// Whether a line may end behind it.
    pub(super) break_after: BreakAfter,
    /// Whether the text may be cut before it without shaping again.
    pub(super) safe_start: bool,
    /// Whether the text may be cut behind its text, before its spaces, without shaping again.
    pub(super) safe_end: bool,
}

/// Shaped text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ShapedText {
    /// In logical order.
    pub(super) chunks: Vec<Chunk>,
    /// Of all runs, in logical order of the runs, each run's from left to right.
    pub(super) glyphs: Vec<ShapedGlyph>,
    /// What variation makes of each glyph; none where nothing varies.
    pub(super) varied: Vec<VariedGlyph>,
}

/// How much there is to write, up to the last ink; lengths in ems.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TextExtent {
    /// Text and spaces.
    pub(super) advance: f64,
    /// Spaces that `word_spacing` widens.
    pub(super) word_spaces: f64,
    /// The most that the spaces behind one chunk take, and the most of them that are widened.
    pub(super) widest_spaces: f64,
    pub(super) most_word_spaces: f64,
}

impl TextExtent {
    pub(super) fn of(chunks: &[Chunk]) -> Self {
        let inked = chunks.iter().rposition(|chunk| chunk.ink.is_some()).map_or(0, |last| last + 1);
        let mut extent = Self::default();
        for chunk in chunks.get(..inked).unwrap_or_default() {
            extent.advance += chunk.advance + chunk.space_advance;
            extent.word_spaces += f64::from(chunk.word_spaces);
            extent.widest_spaces = extent.widest_spaces.max(chunk.space_advance);
            extent.most_word_spaces = extent.most_word_spaces.max(f64::from(chunk.word_spaces));
        }
        extent
    }
}

/// Glyphs that belong to the same characters and cannot be parted.
struct Cluster {
    text: Range<usize>,
    glyphs: Range<usize>,
    advance: i32,
    /// What variation adds to the advance, in em.
    gain: f64,
    safe_start: bool,
    space: Option<char>,
}

/// What chunks are cut from: a run of a line and the font that wrote it.
pub(super) struct ChunkBuilder<'a> {
    pub(super) text: &'a str,
    pub(super) run: &'a Run,
    pub(super) index: usize,
    pub(super) face: &'a FontFace,
    /// What variation makes of each of the shaped's glyphs, and the draws it is made with.
    pub(super) varied: &'a [VariedGlyph],
    pub(super) variation: Option<&'a Variation>,
}

impl ChunkBuilder<'_> {
    fn em_per_unit(&self) -> f64 {
        self.run.scale / f64::from(self.face.units_per_em())
    }

    /// The clusters of glyphs that stand for the bytes `range`, in logical order.
    fn clusters(&self, all: &[ShapedGlyph], glyphs: Range<usize>, range: Range<usize>) -> Vec<Cluster> {
        let mut clusters: Vec<Cluster> = Vec::new();
        let slice = all.get(glyphs.clone()).unwrap_or_default();
        let mut add = |index: usize, glyph: &ShapedGlyph| {
            let start = glyph.cluster as usize;
            let gain = self.varied.get(index).map_or(0.0, |varied| varied.gain);
            match clusters.last_mut() {
                Some(last) if last.text.start == start => {
                    last.glyphs = last.glyphs.start.min(index)..last.glyphs.end.max(index + 1);
                    last.advance += glyph.advance;
                    last.gain += gain;
                }
                _ => clusters.push(Cluster {
                    text: start..range.end,
                    glyphs: index..index + 1,
                    advance: glyph.advance,
                    gain,
                    safe_start: glyph.safe_to_break || start == range.start,
                    space: None,
                }),
            }
        };
        if self.run.is_right_to_left() {
            slice.iter().enumerate().rev().for_each(|(offset, glyph)| add(glyphs.start + offset, glyph));
        } else {
            slice.iter().enumerate().for_each(|(offset, glyph)| add(glyphs.start + offset, glyph));
        }
        let mut end = range.end;
        for cluster in clusters.iter_mut().rev() {
            cluster.text.end = end;
            end = cluster.text.start;
            let mut characters = self.text.get(cluster.text.clone()).unwrap_or_default().chars();
            cluster.space = characters.next().filter(|character| is_space(*character) && characters.next().is_none());
        }
        clusters
    }

    /// Cuts shaped glyphs into chunks: behind spaces, and wherever `cut_before` says so.
    pub(super) fn chunks(
        &self,
        all: &[ShapedGlyph],
        glyphs: Range<usize>,
        range: Range<usize>,
        cut_before: &dyn Fn(usize) -> bool,
    ) -> Vec<Chunk> {
        let mut chunks: Vec<Chunk> = Vec::new();
        for cluster in self.clusters(all, glyphs, range) {
            let start = cluster.text.start;
            let continues = chunks.last().is_some_and(|chunk| {
                let after_space = chunk.text.end < chunk.end;
                !cut_before(start) && (cluster.space.is_some() || !after_space)
            });
            if !continues {
                if let Some(last) = chunks.last_mut().filter(|last| last.text.end == last.end) {
                    last.safe_end = cluster.safe_start;
                }
                chunks.push(Chunk {
                    run: self.index,
                    text: start..start,
                    end: start,
                    glyphs: 0..0,
                    advance: 0.0,
                    space_advance: 0.0,
                    word_spaces: 0,
                    ink: None,
                    break_after: BreakAfter::Never,
                    safe_start: cluster.safe_start,
                    safe_end: true,
                });
            }
            if let Some(chunk) = chunks.last_mut() {
                self.add_cluster(chunk, &cluster);
            }
        }
        for chunk in &mut chunks {
            chunk.ink = self.ink(all, chunk);
        }
        if let Some(variation) = self.variation {
            variation.vary_spaces(&mut chunks, (all, self.varied), self.run, self.face);
        }
        chunks
    }

    fn add_cluster(&self, chunk: &mut Chunk, cluster: &Cluster) {
        let advance = f64::from(cluster.advance) * self.em_per_unit() + cluster.gain;
        if let Some(space) = cluster.space {
            let gap = if is_word_space(space) { self.face.word_gap_em() * self.run.scale } else { 0.0 };
            if chunk.text.end == chunk.end {
                chunk.safe_end = cluster.safe_start || chunk.text.is_empty();
            }
            chunk.space_advance += advance + gap;
            chunk.word_spaces += u32::from(is_word_space(space));
        } else {
            chunk.glyphs = if chunk.glyphs.is_empty() {
                cluster.glyphs.clone()
            } else {
                chunk.glyphs.start.min(cluster.glyphs.start)..chunk.glyphs.end.max(cluster.glyphs.end)
            };
            chunk.advance += advance;
            chunk.text.end = cluster.text.end;
        }
        chunk.end = cluster.text.end;
    }

    fn ink(&self, all: &[ShapedGlyph], chunk: &Chunk) -> Option<InkEm> {
        if let Some(varied) = self.varied.get(chunk.glyphs.clone()).filter(|_| self.variation.is_some()) {
            let start = varied.first()?.pen;
            let boxes = varied.iter().zip(all.get(chunk.glyphs.clone())?).filter_map(|(varied, glyph)| {
                let (ink, x, y) = (varied.ink?, varied.origin - start, f64::from(glyph.y) * self.em_per_unit());
                Some(InkEm { left: ink.left + x, right: ink.right + x, top: ink.top + y, bottom: ink.bottom + y })
            });
            return boxes.reduce(InkEm::union);
        }
        let glyphs = all.get(chunk.glyphs.clone())?;
        let origin = glyphs.first()?.pen;
        let unit = self.em_per_unit();
        let boxes = glyphs.iter().filter_map(|glyph| {
            let ink = self.face.ink(glyph.glyph)?;
            let (x, y) = (f64::from(glyph.x - origin), f64::from(glyph.y));
            Some(InkEm {
                left: (x + ink.min.x.get()) * unit,
                right: (x + ink.max.x.get()) * unit,
                top: (y + ink.max.y.get()) * unit,
                bottom: (y + ink.min.y.get()) * unit,
            })
        });
        boxes.reduce(InkEm::union)
    }
}

/// Whether an address of the web or of mail may be broken at a byte of the line where it does not fit one: before the
/// signs that part it, and behind its slashes (The Chicago Manual of Style, 17th edition, 7.46).
pub(super) fn is_natural_break(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let (Some(before), Some(after)) = (before.chars().next_back(), after.chars().next()) else { return false };
    let parts = matches!(after, '.' | '@' | '?' | '&' | '=' | '#' | '_' | '-' | '~' | '%' | '+' | ',' | ';');
    parts && before.is_alphanumeric() || matches!(before, '/' | ':') && after != '/'
}

/// Marks behind which chunks a line may end; `opportunities` says so of each byte of the line.
pub(super) fn mark_breaks(text: &str, chunks: &mut [Chunk], opportunities: &[bool]) {
    for chunk in chunks {
        if opportunities.get(chunk.end).copied().unwrap_or(false) {
            let hyphen = chunk.text.end == chunk.end
                && chunk.end < text.len()
                && text.get(chunk.text.clone()).is_some_and(|text| text.ends_with(SOFT_HYPHEN));
            chunk.break_after = if hyphen { BreakAfter::Hyphen } else { BreakAfter::Allowed };
        }
    }
}
