//! The parts of a text that are each written in one font: words and single signs.

use std::ops::Range;

use icu_segmenter::GraphemeClusterSegmenter;
use unicode_script::{Script, UnicodeScript as _};

use super::characters::is_word_part;

/// The grapheme clusters of a text.
pub(super) fn clusters(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut boundaries = GraphemeClusterSegmenter::new().segment_str(text);
    let mut start = boundaries.next().unwrap_or(0);
    boundaries.map(move |end| std::mem::replace(&mut start, end)..end)
}

/// Words (letters and marks of one script, and figures between them); all other clusters one by one.
pub(super) fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut tokens: Vec<Range<usize>> = Vec::new();
    let mut word: Option<Script> = None;
    let mut rest = clusters(text).peekable();
    while let Some(cluster) = rest.next() {
        let part = &text[cluster.clone()];
        let is_before_letter = rest.peek().is_some_and(|next| text[next.clone()].starts_with(is_word_part));
        // A letter of some languages, as in "Sḵwx̱wú7mesh".
        let is_inner_figure = word.is_some() && is_before_letter && part.chars().all(|figure| figure.is_ascii_digit());
        let script = (is_inner_figure || part.starts_with(is_word_part)).then(|| script_of(part));
        match (word, script, tokens.last_mut()) {
            (Some(current), Some(next), Some(last)) if current == next || next == Script::Common => {
                last.end = cluster.end;
            }
            _ => {
                word = script;
                tokens.push(cluster);
            }
        }
    }
    tokens
}

/// The script of a cluster; the scripts of Japanese and Chinese count as one.
pub(super) fn script_of(cluster: &str) -> Script {
    let script = cluster.chars().map(|character| character.script()).find(|script| *script != Script::Inherited);
    match script {
        None => Script::Common,
        Some(Script::Hiragana | Script::Katakana | Script::Bopomofo) => Script::Han,
        Some(script) => script,
    }
}
