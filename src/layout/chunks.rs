//! Cuts shaped glyphs into chunks, and marks where lines may end.

use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::LineBreakOptions;
use icu_segmenter::{LineSegmenter, LineSegmenterBorrowed};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use super::characters::{is_no_break_space, is_space, is_word_space};
use super::ink::Ink;
use super::run::Run;
use super::shaped_glyph::{ShapedGlyph, VariedGlyph};
use super::shaped_text::{BreakAfter, Chunk};
use super::varied::Variation;
use crate::catalogue::FontFace;

/// Unicode line breaking (UAX 14), with dictionaries for Thai, Lao, Khmer and Burmese.
static LINE_BREAKS: LazyLock<LineSegmenterBorrowed<'static>> =
    LazyLock::new(|| LineSegmenter::new_dictionary(LineBreakOptions::default()));

/// Most characters of words that no-break spaces are believed to join on purpose, such as a number and its unit.
const LONGEST_GROUP: usize = 30;
/// Least width of a space, as a share of the word space.
const NARROWEST: f64 = 0.6;
/// White between the ink of two fonts that would overlap, in ems.
const BETWEEN_FONTS: f64 = 0.03;
const SOFT_HYPHEN: char = '\u{AD}';

/// Glyphs of the same characters, which cannot be separated.
struct Cluster {
    text: Range<usize>,
    glyphs: Range<usize>,
    advance: i32,
    /// Change of the advance by variation, in ems.
    gain: f64,
    safe_start: bool,
    /// The space that it is, if it is one.
    space: Option<char>,
}

/// Makes the chunks of a run.
pub(super) struct ChunkBuilder<'a> {
    /// The paragraph.
    pub(super) text: &'a str,
    pub(super) run: &'a Run,
    /// Index of the run.
    pub(super) index: usize,
    pub(super) face: &'a FontFace,
    /// What variation makes of each glyph; empty without variation.
    pub(super) varied: &'a [VariedGlyph],
    pub(super) variation: Option<&'a Variation>,
}

impl ChunkBuilder<'_> {
    fn em_per_unit(&self) -> f64 {
        self.run.scale / f64::from(self.face.units_per_em())
    }

    /// The clusters of the bytes `range`, in logical order.
    fn clusters(&self, all: &[ShapedGlyph], glyphs: Range<usize>, range: Range<usize>) -> Vec<Cluster> {
        let slice = all.get(glyphs.clone()).unwrap_or_default();
        let mut clusters: Vec<Cluster> = Vec::with_capacity(slice.len());
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
        let in_place = glyphs.zip(slice);
        if self.run.is_right_to_left() {
            in_place.rev().for_each(|(index, glyph)| add(index, glyph));
        } else {
            in_place.for_each(|(index, glyph)| add(index, glyph));
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

    /// Cuts the `glyphs` of the bytes `range` into chunks: after spaces, and where `cut_before` is true.
    pub(super) fn chunks(
        &self,
        all: &[ShapedGlyph],
        glyphs: Range<usize>,
        range: Range<usize>,
        cut_before: &dyn Fn(usize) -> bool,
    ) -> Vec<Chunk> {
        let clusters = self.clusters(all, glyphs, range);
        let spaces = clusters.iter().filter(|cluster| cluster.space.is_some()).count();
        let mut chunks: Vec<Chunk> = Vec::with_capacity(spaces + 1);
        for cluster in clusters {
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
                    safe_start: cluster.safe_start,
                    safe_end: true,
                    ..Chunk::default()
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
            variation.vary_spaces(self.text, &mut chunks, (all, self.varied), self.run, self.face);
        }
        chunks
    }

    fn add_cluster(&self, chunk: &mut Chunk, cluster: &Cluster) {
        let advance = f64::from(cluster.advance) * self.em_per_unit() + cluster.gain;
        if let Some(space) = cluster.space {
            if chunk.text.end == chunk.end {
                chunk.safe_end = cluster.safe_start || chunk.text.is_empty();
            }
            // Narrow spaces of typesetting would not be seen in handwriting.
            let least = if is_word_space(space) { 0.0 } else { NARROWEST * self.face.word_space_em() * self.run.scale };
            chunk.space_advance += (advance + self.face.word_gap_em() * self.run.scale).max(least);
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

    fn ink(&self, all: &[ShapedGlyph], chunk: &Chunk) -> Option<Ink> {
        if let Some(varied) = self.varied.get(chunk.glyphs.clone()).filter(|_| self.variation.is_some()) {
            let start = varied.first()?.pen;
            let boxes = varied.iter().zip(all.get(chunk.glyphs.clone())?).filter_map(|(varied, glyph)| {
                let (ink, x, y) = (varied.ink?, varied.origin - start, f64::from(glyph.y) * self.em_per_unit());
                Some(Ink { left: ink.left + x, right: ink.right + x, top: ink.top + y, bottom: ink.bottom + y })
            });
            return boxes.reduce(Ink::union);
        }
        let glyphs = all.get(chunk.glyphs.clone())?;
        let origin = glyphs.first()?.pen;
        let unit = self.em_per_unit();
        let boxes = glyphs.iter().filter_map(|glyph| {
            let ink = self.face.ink(glyph.glyph)?;
            let (x, y) = (f64::from(glyph.x - origin), f64::from(glyph.y));
            Some(Ink {
                left: (x + ink.min.x.get()) * unit,
                right: (x + ink.max.x.get()) * unit,
                top: (y + ink.max.y.get()) * unit,
                bottom: (y + ink.min.y.get()) * unit,
            })
        });
        boxes.reduce(Ink::union)
    }
}

/// Whether a web or mail address that is too long for a line may be broken at a byte of the paragraph: before most
/// punctuation, and after slashes (The Chicago Manual of Style, 17th edition, 7.46).
pub(super) fn is_natural_break(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let (Some(before), Some(after)) = (before.chars().next_back(), after.chars().next()) else { return false };
    let breaks_before = matches!(after, '.' | '@' | '?' | '&' | '=' | '#' | '_' | '-' | '~' | '%' | '+' | ',' | ';');
    breaks_before && before.is_alphanumeric() || matches!(before, '/' | ':') && after != '/'
}

/// Widens the gaps between chunks of two fonts whose ink would overlap, as a borrowed sign that reaches into the figure
/// after it. Punctuation may stand under or over what is before it.
pub(super) fn keep_runs_apart(text: &str, chunks: &mut [Chunk], runs: &[Run]) {
    let is_punctuation = |sign: char| sign.general_category_group() == GeneralCategoryGroup::Punctuation;
    let is_apart = |before: &Chunk, after: &Chunk| {
        let run = |chunk: &Chunk| runs.get(chunk.run).filter(|run| !run.is_right_to_left());
        run(before).zip(run(after)).is_some_and(|(before, after)| before.font != after.font)
    };
    for at in 1..chunks.len() {
        let Some([before, after]) = chunks.get_mut(at - 1..=at) else { continue };
        let (Some(left), Some(right)) = (before.ink, after.ink) else { continue };
        let white = before.advance - left.right + right.left;
        let is_beside = before.end == after.text.start && before.text.end == before.end;
        let (earlier, later) = text.split_at_checked(before.end).unwrap_or_default();
        if white < 0.0
            && is_beside
            && is_apart(before, after)
            && !earlier.ends_with(is_punctuation)
            && !later.starts_with(is_punctuation)
        {
            before.space_advance += BETWEEN_FONTS - white;
        }
    }
}

/// Marks the chunks after which a line may end. `opportunities` tells for each byte of the paragraph whether a line may
/// end before it.
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

/// For each byte of a text, whether a line may end before it: where UAX 14 allows it, and at every space of a text that
/// has no-break spaces in place of spaces, as texts from web pages often have; not within numbers to fill in.
pub(super) fn break_opportunities(text: &str) -> Vec<bool> {
    let mut opportunities = marked(text.len(), LINE_BREAKS.segment_str(text));
    let mut start = 0;
    for end in (1..=text.len()).filter(|end| opportunities[*end]).collect::<Vec<usize>>() {
        let group = text.get(start..end).unwrap_or_default();
        if group.contains(is_no_break_space) && group.chars().count() > LONGEST_GROUP {
            for (offset, space) in group.char_indices().filter(|(_, character)| is_no_break_space(*character)) {
                opportunities[start + offset + space.len_utf8()] = true;
            }
        }
        start = end;
    }
    // A date or a number to fill in: ____/____, ___-____, (___) ___-____.
    for (at, _) in text.match_indices("_) _") {
        opportunities[at + 3] = false;
    }
    for (at, _) in text.match_indices(['/', '-', '.']).filter(|(at, _)| text[..*at].ends_with('_')) {
        if text[at + 1..].starts_with('_') {
            opportunities[at + 1] = false;
        }
    }
    opportunities
}

/// For each byte up to the end of a text of this length, whether it is one of the positions.
pub(super) fn marked(length: usize, positions: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut marked = vec![false; length + 1];
    for position in positions {
        if let Some(slot) = marked.get_mut(position) {
            *slot = true;
        }
    }
    marked
}
