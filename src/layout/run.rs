//! Runs: the parts of a paragraph with one font, script and direction; shaping works on runs.

use std::ops::Range;

use unicode_bidi::BidiInfo;
use unicode_script::{Script, UnicodeScript as _};

use super::font_fallback::FontSpan;
use crate::catalogue::{FontCatalogue, FontId};

/// A part of a paragraph that is shaped on its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// Its bytes of the paragraph.
    pub(super) range: Range<usize>,
    /// Its font.
    pub(super) font: FontId,
    /// Its script.
    pub(super) script: Script,
    /// Bidi embedding level; odd is right to left (UAX 9).
    pub(super) level: u8,
    /// Size of its font's em in ems of the chosen font: 1, or that of a substitute (see
    /// [`FontCatalogue::substitute_scale`]).
    pub(super) scale: f64,
}

impl Run {
    /// Whether it is written from right to left.
    pub(super) const fn is_right_to_left(&self) -> bool {
        self.level % 2 == 1
    }
}

/// Splits a paragraph into runs, in logical order, without gaps.
pub(super) fn runs(text: &str, spans: &[FontSpan], chosen: FontId, catalogue: &FontCatalogue) -> Vec<Run> {
    let levels = levels(text);
    let scripts = scripts(text);
    let mut runs: Vec<Run> = Vec::new();
    let mut spans = spans.iter().peekable();
    for ((start, character), script) in text.char_indices().zip(scripts) {
        let end = start + character.len_utf8();
        while spans.peek().is_some_and(|(range, _)| range.end <= start) {
            spans.next();
        }
        let font = spans.peek().map_or(chosen, |(_, font)| *font);
        let level = levels.get(start).copied().unwrap_or(0);
        match runs.last_mut() {
            Some(run) if run.font == font && run.script == script && run.level == level => run.range.end = end,
            _ => {
                let is_own = font == chosen;
                let scale = if is_own { 1.0 } else { catalogue.substitute_scale(chosen, font, script) };
                runs.push(Run { range: start..end, font, script, level, scale });
            }
        }
    }
    runs
}

/// Whether a text has a letter with a direction (UAX 9, P2).
pub(super) fn has_direction(text: &str) -> bool {
    use unicode_bidi::BidiClass::{AL, L, R};
    text.chars().any(|character| matches!(unicode_bidi::bidi_class(character), L | R | AL))
}

/// Bidi levels by byte; empty where all text runs from left to right.
fn levels(text: &str) -> Vec<u8> {
    let left_to_right = text.chars().all(|character| {
        use unicode_bidi::BidiClass::{AL, AN, LRE, LRI, LRO, R, RLE, RLI, RLO};
        character < '\u{590}'
            || !matches!(unicode_bidi::bidi_class(character), R | AL | AN | LRE | LRI | LRO | RLE | RLI | RLO)
    });
    if left_to_right {
        return Vec::new();
    }
    BidiInfo::new(text, None).levels.iter().map(unicode_bidi::Level::number).collect()
}

/// The script of each character. A character without a script of its own takes that of the text before it, or, at the
/// start, after it.
fn scripts(text: &str) -> impl Iterator<Item = Script> {
    let own = |character: char| {
        if character.is_ascii_alphabetic() { Script::Latin } else { character.script() }
    };
    let real = |script: &Script| !matches!(script, Script::Common | Script::Inherited | Script::Unknown);
    let first = text.chars().map(own).find(real).unwrap_or(Script::Common);
    text.chars().scan(first, move |current, character| {
        let script = own(character);
        if real(&script) {
            *current = script;
        }
        Some(*current)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<(String, Script, u8)> {
        let catalogue = FontCatalogue::load().unwrap();
        let font = FontId::DEFAULT;
        let runs = runs(text, &[(0..text.len(), font)], font, &catalogue);
        runs.into_iter().map(|run| (text[run.range].to_owned(), run.script, run.level)).collect()
    }

    #[test]
    fn a_line_of_one_script_is_one_run() {
        assert_eq!(cut("1. Hello, world!"), [("1. Hello, world!".to_owned(), Script::Latin, 0)]);
        assert_eq!(cut("12:30"), [("12:30".to_owned(), Script::Common, 0)]);
    }

    #[test]
    fn scripts_and_directions_make_runs() {
        assert_eq!(
            cut("ab שלום 12 cd"),
            [
                ("ab ".to_owned(), Script::Latin, 0),
                ("שלום ".to_owned(), Script::Hebrew, 1),
                ("12".to_owned(), Script::Hebrew, 2),
                (" ".to_owned(), Script::Hebrew, 0),
                ("cd".to_owned(), Script::Latin, 0),
            ]
        );
    }
}
