//! Which of its drawings each letter of a paragraph has, where nothing else varies it.

use std::collections::HashMap;

use super::drawing::Drawing;
use super::draws::key;
use crate::noise::{Purpose, Stream};

/// The drawings of the letters of a paragraph, without anything else that varies them.
#[derive(Clone, Debug)]
pub struct DrawnForms {
    /// First byte of each letter, and which of its drawings it has.
    letters: Vec<(usize, Drawing)>,
}

impl DrawnForms {
    /// Draws for a paragraph at line `number` of the received text, as [`Writer::draw`](super::Writer::draw) does. `letters`
    /// are its graphemes, also blank ones, with their first bytes.
    #[must_use]
    pub fn draw<'a>(seed: u32, number: usize, letters: impl Iterator<Item = (usize, &'a str)>) -> Self {
        let drawings = Stream::new(seed, Purpose::WriterDrawings);
        let mut last: HashMap<&str, Drawing, foldhash::fast::FixedState> = HashMap::default();
        let draw = |(byte, letter): (usize, &'a str)| {
            let drawing = Drawing::next(last.get(letter).copied(), drawings.unit(key(number, byte)));
            last.insert(letter, drawing);
            (byte, drawing)
        };
        Self { letters: letters.map(draw).collect() }
    }

    /// The drawing of the letter at a byte of the paragraph.
    #[must_use]
    pub fn at(&self, byte: usize) -> Drawing {
        let behind = self.letters.partition_point(|(start, _)| *start <= byte);
        behind
            .checked_sub(1)
            .and_then(|index| self.letters.get(index))
            .map_or_else(Drawing::default, |(_, drawing)| *drawing)
    }
}
