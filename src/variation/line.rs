//! Variation of lines: margin, slope and bow.

use super::draws::{Writer, key};
use crate::noise::Stream;

/// Standard deviations at strength 1: degrees, degrees, x-heights, x-heights.
const PAGE_SLOPE: f64 = 0.33;
const LINE_SLOPE: f64 = 0.23;
const BOW: f64 = 0.08;
const MARGIN: f64 = 0.38;
/// Correlation of the margins of neighbouring lines of a paragraph, and of the first lines of neighbouring paragraphs,
/// and the number of lines after which a draw contributes less than a hundredth.
const MARGIN_CARRY: f64 = 0.62;
const MARGIN_LINES: usize = 10;
/// The mean of the draws of margins, in standard deviations; margins only widen.
const MARGIN_MEAN: f64 = 1.8;
/// The share of the white between two lines that slope and bow of one line may take: an eighth, so two lines take a
/// quarter.
const WHITE_SHARE: f64 = 0.125;

/// How a line departs from its baseline. Positions along the line run from -1 at the left end of the text area to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slope {
    /// Rise of the right end above the middle, in ems.
    pub rise: f64,
    /// Rise of the middle above both ends, in ems.
    pub bow: f64,
}

/// Draws lines for a text area and a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineWriter {
    writer: Writer,
    /// x-height in ems.
    x_height: f64,
    /// White between lines in ems.
    white: f64,
    /// Half the width of the text area in px.
    half_width: f64,
}

impl Slope {
    /// Rise of the line at a position, in ems.
    #[must_use]
    pub fn at(&self, along: f64) -> f64 {
        self.rise * along + self.bow * (1.0 - along * along)
    }

    /// Tangent of the line at a position, in ems per half the width of the text area.
    #[must_use]
    pub fn tangent(&self, along: f64) -> f64 {
        self.rise - 2.0 * self.bow * along
    }

    /// The largest rise or fall, in ems.
    #[must_use]
    pub fn amplitude(&self) -> f64 {
        self.rise.abs() + self.bow.abs()
    }
}

impl LineWriter {
    /// A writer of lines that extend `half_width` px to either side of their middle. The x-height and the white between
    /// two lines are in ems.
    #[must_use]
    pub const fn new(writer: Writer, x_height: f64, white: f64, half_width: f64) -> Self {
        Self { writer, x_height, white, half_width }
    }

    /// The same writer with another white between two lines, in ems.
    #[must_use]
    pub const fn with_white(self, white: f64) -> Self {
        Self { white, ..self }
    }

    /// How far the start of line `line` of a paragraph moves to the right, in ems; never negative.
    #[must_use]
    pub fn margin(&self, paragraph: usize, line: usize) -> f64 {
        self.margin_of((self.margin_draw(paragraph, line) + MARGIN_MEAN).max(0.0))
    }

    /// How far the middle of a centred line is to the right of where it should be, in ems: half of what its start would be,
    /// and to either side.
    #[must_use]
    pub fn off_centre(&self, paragraph: usize, line: usize) -> f64 {
        self.margin_of(self.margin_draw(paragraph, line).clamp(-MARGIN_MEAN, MARGIN_MEAN) / 2.0)
    }

    fn margin_of(&self, draw: f64) -> f64 {
        self.writer.strength * MARGIN * self.x_height * draw
    }

    /// The draw for the margin of a line, in standard deviations: a series over the first lines of paragraphs, and from
    /// there over the lines of the paragraph.
    fn margin_draw(&self, paragraph: usize, line: usize) -> f64 {
        let last = paragraph + line;
        let mut draws = (last.saturating_sub(MARGIN_LINES)..=last).map(|place| {
            let place = key(place.min(paragraph), place.saturating_sub(paragraph));
            Stream::UNCUT * self.writer.lines.normal(place | MARGIN_KEY)
        });
        let first = draws.next().unwrap_or_default();
        draws.fold(first, |draw, fresh| Stream::correlated(draw, fresh, MARGIN_CARRY))
    }

    /// The steepest tangent of a line, in px per px.
    #[must_use]
    pub fn steepest(&self, slope: Slope, size: f64) -> f64 {
        (slope.rise.abs() + 2.0 * slope.bow.abs()) * size / self.half_width
    }

    /// The slope of line `line` of a paragraph at a size in px: that of the page, plus its own as far as the white
    /// between lines allows.
    #[must_use]
    pub fn slope(&self, paragraph: usize, line: usize, size: f64) -> Slope {
        let draw = |index: u64| self.writer.strength * self.writer.lines.normal(key(paragraph, line) | index);
        let rise = |degrees: f64| degrees.to_radians().tan() * self.half_width / size;
        let of_page = rise(self.writer.strength * PAGE_SLOPE * self.writer.lines.normal(PAGE_KEY));
        let own = Slope { rise: rise(LINE_SLOPE * draw(1)), bow: BOW * self.x_height * draw(2) };
        let most = WHITE_SHARE * self.white.max(0.0);
        let share = (most / own.amplitude().max(1e-9)).min(1.0);
        Slope { rise: of_page + share * own.rise, bow: share * own.bow }
    }
}

/// The key of the draw of a line for its margin; 1 and 2 are those of slope and bow.
const MARGIN_KEY: u64 = 0;
/// The key of the slope of all lines.
const PAGE_KEY: u64 = u64::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_near_the_one_above_it_also_where_each_is_a_paragraph() {
        let correlation = |[one, other]: [(usize, usize); 2]| {
            let draws: Vec<[f64; 2]> = (0..1000)
                .map(|seed| LineWriter::new(Writer::new(seed, 1.0).unwrap(), 0.4, 1.0, 500.0))
                .map(|lines| [one, other].map(|(paragraph, line)| lines.margin_draw(paragraph, line)))
                .collect();
            let mean = |of: &dyn Fn(&[f64; 2]) -> f64| draws.iter().map(of).sum::<f64>() / draws.len() as f64;
            assert!((mean(&|[one, _]| one * one) - 1.0).abs() < 0.15);
            mean(&|[one, other]| one * other)
        };
        let near = |pair, expected: f64| {
            let found = correlation(pair);
            assert!((found - expected).abs() < 0.1, "{pair:?}: {found}");
        };
        near([(3, 0), (4, 0)], MARGIN_CARRY);
        near([(3, 0), (3, 1)], MARGIN_CARRY);
        near([(0, 20), (0, 21)], MARGIN_CARRY);
        near([(3, 4), (4, 0)], MARGIN_CARRY.powi(5));
        near([(0, 0), (40, 0)], 0.0);
    }
}
