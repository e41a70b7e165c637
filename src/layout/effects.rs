//! Rotation of words and indentation of lines.
//!
//! A word's angle depends on the position in the text where the word starts, and a line's indent on its number in the
//! paragraph. Neither depends on where other lines break, and changing a range scales the same random numbers.

use crate::noise::{Purpose, Stream};
use crate::spec::RenderSpec;
use crate::units::{Degrees, Px};

/// The layout's share of a page's effects.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageEffects {
    /// Angles, and the largest of them; `None` where nothing turns.
    rotation: Option<(Stream, Degrees)>,
    /// Indents, and the end of their range; `None` where nothing is indented.
    indentation: Option<(Stream, Px)>,
}

/// The effects on one line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LineEffects {
    /// How far its start is moved to the right, in px.
    pub(super) indent: f64,
    /// How its words turn; `None` where they do not.
    pub(super) turns: Option<Turns>,
}

/// The angles of the words of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turns {
    stream: Stream,
    range: Degrees,
    paragraph: usize,
}

impl PageEffects {
    pub(super) fn of(spec: &RenderSpec) -> Self {
        let rotation = spec.effects.word_rotation.filter(|effect| effect.range > Degrees::ZERO);
        let indentation = spec.effects.random_indentation.filter(|effect| effect.range > Px::ZERO);
        Self {
            rotation: rotation.map(|effect| (Stream::new(spec.seed, Purpose::WordRotation), effect.range)),
            indentation: indentation.map(|effect| (Stream::new(spec.seed, Purpose::Indentation), effect.range)),
        }
    }

    /// The effects on line `line` (from 0) of the paragraph that is line `paragraph` of the text as received.
    pub(super) fn on_line(&self, paragraph: usize, line: usize) -> LineEffects {
        LineEffects {
            indent: self.indentation.map_or(0.0, |(stream, range)| stream.unit(key(paragraph, line)) * range.get()),
            turns: self.rotation.map(|(stream, range)| Turns { stream, range, paragraph }),
        }
    }
}

impl LineEffects {
    /// Sine and cosine of the largest turn of its words.
    pub(super) fn widest_turn(&self) -> (f64, f64) {
        self.turns.map_or((0.0, 1.0), |turns| turns.range.get().to_radians().sin_cos())
    }
}

impl Turns {
    /// The angle of the word that starts at byte `start` of the paragraph, clockwise on the page.
    pub(super) fn angle(&self, start: usize) -> Degrees {
        Degrees::new(self.stream.signed_unit(key(self.paragraph, start)) * self.range.get())
    }
}

/// No text has 2³² lines or bytes.
const fn key(paragraph: usize, place: usize) -> u64 {
    (paragraph as u64) << 32 | place as u64
}
