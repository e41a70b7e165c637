//! Variation of lines: margin, slope and bow.

use super::draws::{Writer, key};
use crate::noise::Stream;

/// Standard deviations at strength 1: degrees, degrees, x-heights, x-heights. Neighbouring lines begin alike, so those of
/// one page differ less than margins do: by 0.3 x-heights.
const PAGE_SLOPE: f64 = 0.33;
const LINE_SLOPE: f64 = 0.23;
const BOW: f64 = 0.08;
const MARGIN: f64 = 0.45;
/// Margins are the sum of two series of equal variance: correlations of neighbouring lines, and the number of lines after
/// which a draw contributes less than a hundredth.
const MARGIN_SERIES: [(f64, usize); 2] = [(0.22, 3), (0.85, 28)];
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

    /// The draw for the margin of a line, in standard deviations.
    fn margin_draw(&self, paragraph: usize, line: usize) -> f64 {
        let series = MARGIN_SERIES.into_iter().zip(MARGIN_KEYS).map(|((correlation, lines), index)| {
            let fresh = |line: usize| Stream::UNCUT * self.writer.lines.normal(key(paragraph, line) | index);
            let kept = (1.0 - correlation * correlation).sqrt();
            let first = line.saturating_sub(lines);
            (first + 1..=line).fold(fresh(first), |draw, line| correlation * draw + kept * fresh(line))
        });
        series.sum::<f64>() / std::f64::consts::SQRT_2
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

/// The keys of the draws of a line for the series of its margin; 1 and 2 are those of slope and bow.
const MARGIN_KEYS: [u64; 2] = [0, 3];
/// The key of the slope of all lines.
const PAGE_KEY: u64 = u64::MAX;
