//! Dots of i and j, and accents: where they stand, and how large and how long the dots are.
//!
//! A writer adds dots later and in haste: higher than a font has them, aside, of other sizes, and many as short rising
//! dashes. A dot never sinks onto its letter, and never reaches a tall neighbour that it does not touch anyway.

use super::letter::LetterMap;

/// Letters whose only dot is that of an i or j.
const WITH_DOT: [char; 4] = ['i', 'j', 'і', 'ј'];
/// Least white between a letter and its dot, in x-heights, where the font has that much.
const LEAST_WHITE: f64 = 0.12;
/// Added to it, for ink between the points whose place is computed.
const SLACK: f64 = 0.08;
/// How far writers raise dots on average, in x-heights.
pub(super) const RAISED: f64 = 0.20;
/// White below dots that writers leave on average, in x-heights: a font that has as much needs no habit to raise them;
/// and the most that a draw may make it.
const USUAL_WHITE: f64 = 0.43;
const MOST_WHITE: f64 = 0.65;
/// White that remains beside a dot towards a tall neighbour, in x-heights: slants and gaps of letters take some of it.
const ASIDE: f64 = 0.18;
/// The longest dash, in x-heights.
const LONGEST: f64 = 0.36;
/// Exponents of the length of a dash, for its stretch along and across: a dash is longer than a dot and thinner.
const ALONG: f64 = 0.65;
const ACROSS: f64 = -0.35;

/// The separate top part of a letter, in font units from its origin, y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// The highest ink below it, and the ends of what is nearly as high.
    pub below: [[f64; 2]; 3],
    /// Left, bottom, right and top of its ink.
    pub ink: [f64; 4],
    /// Half the width of strokes.
    pub half_stroke: f64,
    /// The top that it may reach.
    pub ceiling: f64,
    /// Whether it is the dot of an i or j, and no accent.
    pub is_of_i: bool,
}

/// The draws of a dot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DotDraws {
    /// Displacement of an accent, in x-heights.
    pub accent: [f64; 2],
    /// Displacement of a dot, in x-heights; never downwards.
    pub raised: [f64; 2],
    /// Factor of its size less 1.
    pub growth: f64,
    /// How long it is for its width, less 1; 0 for a round dot.
    pub length: f64,
    /// How steeply a dash rises, in radians.
    pub rise: f64,
}

impl Dot {
    /// Whether a letter has the dot of an i or j, and no accent.
    #[must_use]
    pub fn is_of_i(letter: char) -> bool {
        WITH_DOT.contains(&letter)
    }

    /// Whether a letter may have a dot or an accent.
    #[must_use]
    pub fn is_possible(letter: char) -> bool {
        Self::is_of_i(letter) || !letter.is_ascii() && letter.is_alphabetic()
    }

    /// Half its width and height.
    fn half(&self) -> [f64; 2] {
        let [left, bottom, right, top] = self.ink;
        [(right - left) / 2.0, (top - bottom) / 2.0]
    }

    fn middle(&self) -> [f64; 2] {
        let [left, bottom, right, top] = self.ink;
        [f64::midpoint(left, right), f64::midpoint(bottom, top)]
    }

    /// Lets `letter` place and stretch this dot. `room` is the white to the left and right of it.
    pub(super) fn place(&self, letter: &mut LetterMap, draws: &DotDraws, room: [f64; 2]) {
        let x_height = f64::from(letter.x_height());
        let (half, middle) = (self.half(), self.middle());
        let room = room.map(|white| (white - ASIDE * x_height).max(0.0));
        let mut form = if self.is_of_i { draws.stretch(half, x_height) } else { Stretch::default() };
        let widening = form.half(half)[0] - half[0];
        let most = f64::midpoint(room[0], room[1]);
        if widening > most {
            form = form.times(most / widening);
        }
        let [to_side, up] = if self.is_of_i { draws.raised } else { draws.accent }.map(|away| away * x_height);
        let [wide, high] = form.half(half);
        let widening = (wide - half[0]).max(0.0);
        let aside = to_side.clamp(-(room[0] - widening).max(0.0), (room[1] - widening).max(0.0));

        // Where the letter takes the dot and the ink below it.
        let bent = |at: [f64; 2], up: f64| f64::from(letter.bend(at.map(|part| part as f32), [0.0, up as f32])[1]);
        let below = self.below.map(|at| bent(at, self.half_stroke)).into_iter().fold(f64::MIN, f64::max);
        // A wide dot may reach into the ramp to a neighbour.
        let lowest_at = |y: f64| {
            let sides = [self.ink[0], middle[0], self.ink[2]].map(|x| bent([x, y], 0.0));
            sides.into_iter().fold(f64::MAX, f64::min)
        };
        let bottom = (lowest_at(middle[1]) - high).min(lowest_at(self.ink[1]) - (high - half[1]));
        let white = bottom - below;
        let gap = self.ink[1] - self.below[0][1];
        let least = gap.min(LEAST_WHITE * x_height) + SLACK * x_height - white;
        let most = (self.ceiling - middle[1] - high).min(MOST_WHITE * x_height - gap).max(0.0);
        let by_font = (gap.max(white) / x_height + RAISED - USUAL_WHITE).clamp(0.0, RAISED) * x_height;
        let up = if self.is_of_i { up - by_font } else { up };
        let up = up.min(most).max(least);

        letter.dot = [aside, up, self.ink[1], 1.0 / gap.max(1.0)].map(|part| part as f32);
        letter.dot_form = [form.xx, form.xy, form.yy, half[0].max(half[1])].map(|part| part as f32);
        [letter.font[2], letter.font[3]] = middle.map(|part| part as f32);
    }
}

impl LetterMap {
    /// The map of a full stop with this ink (left, bottom, right, top), drawn smaller on the same line.
    #[must_use]
    pub fn with_smaller_stop(self, [left, bottom, right, top]: [f64; 4], factor: f64) -> Self {
        let (wide, high) = ((right - left) / 2.0, (top - bottom) / 2.0);
        let less = factor - 1.0;
        Self {
            dot: [0.0, less * high, bottom, 1.0].map(|part| part as f32),
            dot_form: [less, 0.0, less, wide.max(high)].map(|part| part as f32),
            font: [self.font[0], self.font[1], (left + wide) as f32, (bottom + high) as f32],
            ..self
        }
    }
}

impl DotDraws {
    /// What stretches a dot of this half width and height.
    fn stretch(&self, half: [f64; 2], x_height: f64) -> Stretch {
        let (sin, cos) = self.rise.sin_cos();
        let half_length = (half[0] * cos).hypot(half[1] * sin).max(1.0);
        // A dot that is long already becomes no dash.
        let most = (LONGEST * x_height / (2.0 * half_length)).max(1.0);
        let length = (1.0 + self.length).min(most.powf(1.0 / ALONG));
        let size = 1.0 + self.growth;
        let (along, across) = (size * length.powf(ALONG), size * length.powf(ACROSS));
        Stretch {
            xx: along * cos * cos + across * sin * sin - 1.0,
            xy: (along - across) * sin * cos,
            yy: along * sin * sin + across * cos * cos - 1.0,
        }
    }
}

/// A symmetric matrix less the identity.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    xx: f64,
    xy: f64,
    yy: f64,
}

impl Stretch {
    /// Half the width and height of a box with these, stretched.
    fn half(&self, [wide, high]: [f64; 2]) -> [f64; 2] {
        let across = self.xy.abs();
        [(1.0 + self.xx) * wide + across * high, across * wide + (1.0 + self.yy) * high]
    }

    fn times(self, factor: f64) -> Self {
        Self { xx: self.xx * factor, xy: self.xy * factor, yy: self.yy * factor }
    }
}
