//! Galleys: one paragraph of the text, shaped once and ready to be broken into lines of any width at any size.
//!
//! Where a break would change the shapes on either side (`HarfBuzz`'s unsafe-to-break), the text from the break to the
//! next safe place is shaped again as it stands in the line, once per place for all sizes.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::LineBreakOptions;
use icu_segmenter::{GraphemeClusterSegmenter, LineSegmenter, LineSegmenterBorrowed};

use super::error::LayoutError;
use super::hands::Hands;
use super::run::{Run, runs};
use super::shape::Shaper;
use super::strand::{Atom, BreakAfter, InkEm, Shaped, Strand, is_natural_break, mark_breaks};
use super::varied::Variation;
use super::word_shapes::distrust_words;
use super::words::{Word, WordKey, for_each_glyph};
use crate::catalogue::{FontCatalogue, FontId};
use crate::units::Degrees;

/// Unicode line breaking (UAX 14), with dictionaries for Thai, Lao, Khmer and Burmese.
static LINE_BREAKS: LazyLock<LineSegmenterBorrowed<'static>> =
    LazyLock::new(|| LineSegmenter::new_dictionary(LineBreakOptions::default()));

/// The hands in which a letter's form may depend on letters of other words, through alternates that rotate along the
/// line: their lines are shaped as a whole. They are those whose substitutions look across a space.
const VARYING_ALONG_THE_LINE: [u8; 9] = [1, 17, 18, 19, 36, 39, 71, 84, 86];

/// The hands in which it may depend on letters far from it in the same word: a cut may change letters behind places that
/// shaping takes for safe, so that only spaces are. Both lists are held by a test that compares thousands of random cuts
/// with lines shaped at once, in all hands.
const VARYING_ALONG_THE_WORD: [u8; 2] = [56, 88];

/// How many times the atoms and glyphs of the whole text are kept in pieces before all pieces are dropped. The lines of one
/// size need each about once, so the pieces of several sizes are kept.
const MOST_KEPT: usize = 4;
/// Atoms and glyphs that are kept whatever the length of the text.
const ALWAYS_KEPT: usize = 256;

/// Steps that varying one glyph takes.
const VARYING_STEPS: usize = 40;

/// Where in a galley an atom is: which strand, which of its atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) strand: usize,
    pub(super) atom: usize,
}

/// How a stretch of text is shaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// All of it in one go.
    AtOnce,
    /// A word at a time, which is the same where letters do not look across spaces.
    WordByWord,
}

/// A piece that was shaped again: its bytes, and whether it ends in a written hyphen.
type PieceKey = (usize, usize, bool);

/// One line of the text, shaped.
pub(super) struct Galley {
    pub(super) text: String,
    pub(super) runs: Vec<Run>,
    /// The whole text first, then the pieces shaped again.
    strands: Vec<Strand>,
    pieces: HashMap<PieceKey, usize>,
    /// Atoms and glyphs of the pieces.
    kept: usize,
    /// Ink of turned words, as far as it has been asked for. The angle of a place in the text is always the same.
    turned: HashMap<WordKey, Option<InkEm>, foldhash::fast::RandomState>,
    /// For each byte whether a line may end before it.
    opportunities: Vec<bool>,
    /// More than any atom's blank side and any change by shaping again, in ems.
    slack: f64,
    /// Farthest ink from the baseline, upwards or downwards, in ems.
    pub(super) tallest: f64,
    /// Whether a letter's form may depend on letters of other words: then every line is shaped as a whole, and the strand
    /// of the whole text is but a measure of it.
    pub(super) is_contextual: bool,
    /// Whether any run is not plainly left to right.
    pub(super) is_bidirectional: bool,
    /// How its letters vary; `None` where they do not.
    variation: Option<Variation>,
}

impl Galley {
    /// Shapes a line.
    pub(super) fn new(
        text: String,
        chosen: FontId,
        variation: Option<Variation>,
        hands: &mut Hands<'_>,
        shaper: &mut Shaper<'_>,
    ) -> Result<Self, LayoutError> {
        let runs = runs(&text, &hands.assign(&text), chosen, shaper.catalogue());
        let mut opportunities = vec![false; text.len() + 1];
        for position in LINE_BREAKS.segment_str(&text) {
            if let Some(slot) = opportunities.get_mut(position) {
                *slot = true;
            }
        }
        let is_bidirectional = runs.iter().any(|run| run.level > 0);
        let is_contextual = runs.iter().any(|run| VARYING_ALONG_THE_LINE.contains(&run.font.get()));
        let mut galley = Self {
            text,
            runs,
            strands: Vec::new(),
            pieces: HashMap::new(),
            kept: 0,
            turned: HashMap::default(),
            opportunities,
            slack: 1.0,
            tallest: 0.0,
            is_contextual,
            is_bidirectional,
            variation,
        };
        let strand = galley.shape(0..galley.text.len(), false, Manner::WordByWord, shaper)?;
        let height = |atom: &Atom| atom.ink.map_or(0.0, |ink| ink.top.max(-ink.bottom));
        galley.tallest = strand.atoms.iter().map(height).fold(0.0, f64::max);
        let blank = |atom: &Atom| atom.ink.map_or(0.0, |ink| (atom.advance - ink.right).max(-ink.left));
        galley.slack = 1.0 + strand.atoms.iter().map(blank).fold(0.0, f64::max);
        galley.strands.push(strand);
        Ok(galley)
    }

    /// The atoms of the whole text, in logical order.
    pub(super) fn atoms(&self) -> &[Atom] {
        self.strands.first().map_or(&[], |strand| &strand.atoms)
    }

    /// The strand of a place, and its atom.
    pub(super) fn at(&self, place: Place) -> Option<(&Strand, &Atom)> {
        let strand = self.strands.get(place.strand)?;
        Some((strand, strand.atoms.get(place.atom)?))
    }

    /// How far beyond the text area a line must reach, in ems, before no other measure of it can fit.
    pub(super) const fn slack(&self) -> f64 {
        self.slack
    }

    /// Width, in ems, that the widest glyph has at least when it turns by no more than an angle, whose sine and cosine
    /// are given.
    pub(super) fn widest_glyph(&self, (sin, cos): (f64, f64), catalogue: &FontCatalogue) -> f64 {
        let mut widest = 0.0_f64;
        for atom in 0..self.atoms().len() {
            for_each_glyph(self, Place { strand: 0, atom }, catalogue, &mut |_, _, unit, hull| {
                let extent = |one: [f64; 2], other: [f64; 2]| Some(hull.box_reach(one)? + hull.box_reach(other)?);
                let sides = extent([1.0, 0.0], [-1.0, 0.0]).zip(extent([0.0, 1.0], [0.0, -1.0]));
                if let Some((width, height)) = sides {
                    widest = widest.max((width * cos - height * sin) * unit);
                }
            });
        }
        widest
    }

    /// Ink of a word turned by `angle`, in ems from the left end of its baseline. Computed once a word.
    pub(super) fn turned_ink(
        &mut self,
        word: &Word<'_>,
        size: f64,
        angle: Degrees,
        catalogue: &FontCatalogue,
    ) -> Option<InkEm> {
        let key = word.key(self);
        if let Some(ink) = self.turned.get(&key) {
            return *ink;
        }
        let ink = word.turned_ink(self, size, angle, catalogue);
        if self.turned.len() > self.most_kept() {
            self.turned.clear();
        }
        self.turned.insert(key, ink);
        ink
    }

    /// Whether a line that ends with this atom ends in a hyphen that the text only suggests.
    pub(super) fn ends_in_hyphen(&self, last: usize) -> bool {
        let atoms = self.atoms();
        last + 1 < atoms.len() && atoms.get(last).is_some_and(|atom| atom.break_after == BreakAfter::Hyphen)
    }

    /// Cuts the atoms `range` at grapheme boundaries, as a last resort for a word wider than the text area. Afterwards
    /// lines may end there in an emergency. Gives the number of atoms they became.
    pub(super) fn refine(&mut self, range: Range<usize>, shaper: &Shaper<'_>) -> usize {
        let Some(strand) = self.strands.first_mut() else { return 0 };
        let mut finer: Vec<Atom> = Vec::new();
        for atom in strand.atoms.get(range.clone()).unwrap_or_default() {
            let Some(run) = self.runs.get(atom.run).filter(|_| !atom.text.is_empty()) else {
                finer.push(atom.clone());
                continue;
            };
            let word = self.text.get(atom.text.clone()).unwrap_or_default();
            let mut boundaries = vec![false; word.len() + 1];
            for boundary in GraphemeClusterSegmenter::new().segment_str(word) {
                if let Some(slot) = boundaries.get_mut(boundary) {
                    *slot = true;
                }
            }
            let source = Shaped {
                text: &self.text,
                run,
                index: atom.run,
                face: shaper.catalogue().face(run.font),
                varied: &strand.varied,
                variation: self.variation.as_ref(),
            };
            let cut_before = |position: usize| boundaries.get(position - atom.text.start).copied().unwrap_or(false);
            let mut letters = source.atoms(&strand.glyphs, atom.glyphs.clone(), atom.text.clone(), &cut_before);
            if let Some(first) = letters.first_mut() {
                first.safe_start = atom.safe_start;
            }
            for letter in &mut letters {
                let is_natural = is_natural_break(&self.text, letter.end);
                letter.break_after = if is_natural { BreakAfter::Natural } else { BreakAfter::Emergency };
            }
            if let Some(last) = letters.last_mut() {
                last.end = atom.end;
                last.space_advance = atom.space_advance;
                last.word_spaces = atom.word_spaces;
                last.safe_end = atom.safe_end;
                last.break_after =
                    if atom.break_after == BreakAfter::Never { BreakAfter::Emergency } else { atom.break_after };
            }
            finer.append(&mut letters);
        }
        let count = finer.len();
        if range.end <= strand.atoms.len() {
            strand.atoms.splice(range, finer);
        }
        count
    }

    /// The atoms of the line from atom `first` to atom `last`, in logical order, shaped as they stand in it. The places
    /// hold until the next call.
    pub(super) fn line(
        &mut self,
        first: usize,
        last: usize,
        shaper: &mut Shaper<'_>,
    ) -> Result<Vec<Place>, LayoutError> {
        self.drop_pieces_beyond_limit();
        let hyphen = self.ends_in_hyphen(last);
        let atoms = self.atoms();
        // Spaces at the end of the line hang; they may be atoms of their own.
        let written = (first..=last).rev().find(|index| atoms.get(*index).is_some_and(|atom| !atom.text.is_empty()));
        let Some(written) = written else { return Ok(Vec::new()) };
        if self.is_contextual {
            return self.piece(first, written, hyphen, shaper);
        }

        let safe_start = |index: &usize| atoms.get(*index).is_some_and(|atom| atom.safe_start);
        let head_end = (first..=written).find(safe_start);
        let tail_is_safe = !hyphen && self.ends_safely(written, last);
        let tail_start = if tail_is_safe {
            Some(written + 1)
        } else {
            (first..=written).rev().find(safe_start).filter(|start| head_end.is_some_and(|head| head <= *start))
        };
        let (Some(head_end), Some(tail_start)) = (head_end, tail_start) else {
            return self.piece(first, written, hyphen, shaper);
        };
        let mut places = Vec::with_capacity(written + 1 - first);
        if first < head_end {
            places = self.piece_between(first, head_end, shaper)?;
        }
        places.extend((head_end..tail_start).map(|atom| Place { strand: 0, atom }));
        if tail_start <= written {
            places.extend(self.piece(tail_start, written, hyphen, shaper)?);
        }
        Ok(places)
    }

    /// Atoms and glyphs of pieces, and turned words, that are kept at most.
    fn most_kept(&self) -> usize {
        let whole = self.strands.first().map_or(0, |strand| strand.atoms.len() + strand.glyphs.len());
        MOST_KEPT * whole + ALWAYS_KEPT
    }

    fn drop_pieces_beyond_limit(&mut self) {
        if self.kept > self.most_kept() {
            self.strands.truncate(1);
            self.pieces.clear();
            self.kept = 0;
            // Its keys name strands.
            self.turned.clear();
        }
    }

    /// Whether that line looks on its own as it stands in the whole text.
    pub(super) fn is_shaped(&self, first: usize, last: usize) -> bool {
        let atoms = self.atoms();
        let written = (first..=last).rev().find(|index| atoms.get(*index).is_some_and(|atom| !atom.text.is_empty()));
        !self.is_contextual
            && !self.ends_in_hyphen(last)
            && atoms.get(first).is_some_and(|atom| atom.safe_start)
            && written.is_none_or(|written| self.ends_safely(written, last))
    }

    fn ends_safely(&self, written: usize, last: usize) -> bool {
        let atoms = self.atoms();
        last + 1 == atoms.len() || atoms.get(written).is_some_and(|atom| atom.safe_end)
    }

    /// The atoms of that line as they stand in the whole text: the same but for what its ends change.
    pub(super) fn roughly(&self, first: usize, last: usize) -> Vec<Place> {
        let atoms = self.atoms();
        let written = (first..=last).rev().find(|index| atoms.get(*index).is_some_and(|atom| !atom.text.is_empty()));
        written.map_or_else(Vec::new, |written| (first..=written).map(|atom| Place { strand: 0, atom }).collect())
    }

    /// The atoms `first` to `written`, cut off behind the text of the last and shaped again.
    fn piece(
        &mut self,
        first: usize,
        written: usize,
        hyphen: bool,
        shaper: &mut Shaper<'_>,
    ) -> Result<Vec<Place>, LayoutError> {
        let start = self.atoms().get(first).map_or(0, |atom| atom.text.start);
        let end = self.atoms().get(written).map_or(start, |atom| atom.text.end);
        self.shape_again((start, end, hyphen), shaper)
    }

    /// The atoms from `first` up to the safe place before atom `end`, shaped again.
    fn piece_between(&mut self, first: usize, end: usize, shaper: &mut Shaper<'_>) -> Result<Vec<Place>, LayoutError> {
        let start = self.atoms().get(first).map_or(0, |atom| atom.text.start);
        let end = self.atoms().get(end).map_or(start, |atom| atom.text.start);
        self.shape_again((start, end, false), shaper)
    }

    fn shape_again(&mut self, key: PieceKey, shaper: &mut Shaper<'_>) -> Result<Vec<Place>, LayoutError> {
        let strand = if let Some(strand) = self.pieces.get(&key) {
            *strand
        } else {
            let manner = if self.is_contextual { Manner::AtOnce } else { Manner::WordByWord };
            let piece = self.shape(key.0..key.1, key.2, manner, shaper)?;
            self.kept += piece.atoms.len() + piece.glyphs.len();
            self.strands.push(piece);
            self.pieces.insert(key, self.strands.len() - 1);
            self.strands.len() - 1
        };
        let count = self.strands.get(strand).map_or(0, |strand| strand.atoms.len());
        Ok((0..count).map(|atom| Place { strand, atom }).collect())
    }

    fn shape(
        &self,
        range: Range<usize>,
        hyphen: bool,
        manner: Manner,
        shaper: &mut Shaper<'_>,
    ) -> Result<Strand, LayoutError> {
        let mut strand = Strand::default();
        let cut_before = |position: usize| self.opportunities.get(position).copied().unwrap_or(false);
        let first_run = self.runs.partition_point(|run| run.range.end <= range.start);
        let touched = self.runs.iter().enumerate().skip(first_run).take_while(|(_, run)| run.range.start < range.end);
        for (index, run) in touched {
            let part = run.range.start.max(range.start)..run.range.end.min(range.end);
            let first = strand.glyphs.len();
            let hyphen = hyphen && part.end == range.end;
            match manner {
                Manner::AtOnce => shaper.shape(&self.text, run, part.clone(), hyphen, &mut strand.glyphs)?,
                Manner::WordByWord => shaper.shape_words(&self.text, run, part.clone(), hyphen, &mut strand.glyphs)?,
            }
            if VARYING_ALONG_THE_WORD.contains(&run.font.get()) {
                distrust_words(&self.text, strand.glyphs.get_mut(first..).unwrap_or_default());
            }
            let face = shaper.catalogue().face(run.font);
            let own = strand.glyphs.get(first..).unwrap_or_default();
            if let Some(variation) = &self.variation {
                shaper.work().spend(VARYING_STEPS * own.len())?;
                variation.vary(&self.text, run, face, own, &mut strand.varied);
            }
            let (varied, variation) = (&strand.varied, self.variation.as_ref());
            let source = Shaped { text: &self.text, run, index, face, varied, variation };
            let atoms = source.atoms(&strand.glyphs, first..strand.glyphs.len(), part, &cut_before);
            strand.atoms.extend(atoms);
        }
        mark_breaks(&self.text, &mut strand.atoms, &self.opportunities);
        Ok(strand)
    }
}

#[cfg(test)]
mod tests;
