//! Shaped text: its glyphs, and the chunks from which lines are built.
//!
//! Lengths are in ems of the chosen font, so the same shaped text serves every font size.

use std::ops::Range;

use super::ink::Ink;
use super::rows::{Row, SignCounter};
use super::shaped_glyph::{ShapedGlyph, VariedGlyph};

/// Whether a line may end after a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BreakAfter {
    /// It may not.
    #[default]
    Never,
    /// Only where a word is wider than the text area and has no natural break.
    Emergency,
    /// Only where a word is wider than the text area: a natural break of a web or mail address.
    Natural,
    /// It may.
    Allowed,
    /// It may, with a written hyphen.
    Hyphen,
}

impl BreakAfter {
    /// Whether a line that ends here breaks a word.
    pub(super) const fn breaks_word(self) -> bool {
        matches!(self, Self::Never | Self::Emergency | Self::Natural)
    }
}

/// Text of one run between two places where a line may break, and the spaces after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chunk {
    /// Index of its run.
    pub(super) run: usize,
    /// Its bytes of the paragraph without its spaces; may be empty.
    pub(super) text: Range<usize>,
    /// Where its spaces end.
    pub(super) end: usize,
    /// The glyphs of its text, as indices into [`ShapedText::glyphs`], from left to right.
    pub(super) glyphs: Range<usize>,
    /// Width of its text.
    pub(super) advance: f64,
    /// Width of its spaces.
    pub(super) space_advance: f64,
    /// Number of its spaces that `word_spacing` widens.
    pub(super) word_spaces: u32,
    /// Ink of its text; `None` where it is blank.
    pub(super) ink: Option<Ink>,
    /// Whether a line may end after it.
    pub(super) break_after: BreakAfter,
    /// Whether the text may be cut before it without shaping again.
    pub(super) safe_start: bool,
    /// Whether the text may be cut between its text and its spaces without shaping again.
    pub(super) safe_end: bool,
}

/// A shaped part of a paragraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ShapedText {
    /// In logical order.
    pub(super) chunks: Vec<Chunk>,
    /// Runs in logical order, the glyphs of each from left to right.
    pub(super) glyphs: Vec<ShapedGlyph>,
    /// What writer variation makes of each glyph; empty without variation.
    pub(super) varied: Vec<VariedGlyph>,
}

/// How much a paragraph has to write, up to its last ink. Lengths are in ems.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TextExtent {
    /// Width of text and spaces.
    pub(super) advance: f64,
    /// Number of spaces that `word_spacing` widens.
    pub(super) word_spaces: f64,
    /// The widest blank between two inks.
    pub(super) widest_blank: f64,
    /// The most spaces between two inks that `word_spacing` widens.
    pub(super) most_word_spaces: f64,
    /// The widest text between two places where a line may break without breaking a word.
    pub(super) widest_word: f64,
    /// Whether it has ink.
    pub(super) has_ink: bool,
}

impl TextExtent {
    /// The extent of the chunks of a paragraph. Its rows of one sign count with the fewest signs to which lines cut them.
    pub(super) fn of(chunks: &[Chunk], rows: &[Row]) -> Self {
        let inked = chunks.iter().rposition(|chunk| chunk.ink.is_some()).map_or(0, |last| last + 1);
        let (mut extent, mut word) = (Self { has_ink: inked > 0, ..Self::default() }, 0.0);
        let (mut blank, mut blank_spaces) = (0.0, 0.0);
        let mut signs = SignCounter::new(rows);
        for chunk in chunks.get(..inked).unwrap_or_default() {
            let may_be_cut = signs.next(&chunk.text).is_some_and(|(row, number)| number > row.least);
            // The spaces of a row go with their signs.
            if !may_be_cut {
                extent.advance += chunk.advance + chunk.space_advance;
                extent.word_spaces += f64::from(chunk.word_spaces);
                if chunk.ink.is_some() {
                    (blank, blank_spaces) = (0.0, 0.0);
                } else {
                    blank += chunk.advance;
                }
                blank += chunk.space_advance;
                blank_spaces += f64::from(chunk.word_spaces);
                extent.widest_blank = extent.widest_blank.max(blank);
                extent.most_word_spaces = extent.most_word_spaces.max(blank_spaces);
                word += chunk.advance;
            }
            extent.widest_word = extent.widest_word.max(word);
            if !chunk.break_after.breaks_word() {
                word = 0.0;
            }
        }
        extent
    }
}
