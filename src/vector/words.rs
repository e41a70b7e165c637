//! The words of a page as text in its place, for files that carry text beside the writing.

use crate::layout::{PageLayout, PlacedWord};
use crate::units::{Degrees, Px};

/// A word as text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextWord {
    /// Its characters in the order of reading, and a space where the next word stands behind one.
    pub text: String,
    /// Whether it runs from right to left.
    pub right_to_left: bool,
    /// Where it begins on its baseline, in page px.
    pub start: [f64; 2],
    /// Length of its baseline, without the space.
    pub width: Px,
    /// Rotation about its start, clockwise on the page.
    pub rotation: Degrees,
    /// The font size.
    pub em: Px,
}

impl TextWord {
    /// Characters without the space.
    #[must_use]
    pub fn length(&self) -> usize {
        self.text.trim_end_matches(' ').chars().count()
    }
}

/// The words of a page, line by line in the order of reading.
#[must_use]
pub fn text_words(layout: &PageLayout) -> Vec<TextWord> {
    let lines = layout.lines.iter().flat_map(|line| {
        let words = layout.words.get(line.words.clone()).unwrap_or_default();
        let mut words: Vec<&PlacedWord> = words.iter().filter(|word| !word.text.characters.is_empty()).collect();
        words.sort_by_key(|word| word.text.start);
        let next = words.iter().skip(1).copied().map(Some).chain([None]).collect::<Vec<_>>();
        words.into_iter().zip(next)
    });
    lines.map(|(word, next)| text_word(word, next, layout.font_size)).collect()
}

fn text_word(word: &PlacedWord, next: Option<&PlacedWord>, em: Px) -> TextWord {
    let (sin, cos) = word.rotation.get().to_radians().sin_cos();
    let half = word.width.get() / 2.0;
    let before = if word.text.right_to_left { half } else { -half };
    // Where the direction changes, the next word does not stand behind this one; readers see the gap.
    let goes_on = next.is_some_and(|next| next.text.right_to_left == word.text.right_to_left);
    let space = if word.text.is_spaced && goes_on { " " } else { "" };
    TextWord {
        text: format!("{}{space}", word.text.characters),
        right_to_left: word.text.right_to_left,
        start: [word.pivot.x.get() + before * cos, word.pivot.y.get() + before * sin],
        width: word.width,
        rotation: word.rotation,
        em,
    }
}
