//! Patterns of letters, to be found in lines.

use std::collections::BTreeMap;

use super::strip::LineInk;
use crate::own_hand::letters::BoxReading;
use crate::own_hand::picture::{Plane, covered};

/// The most patterns of a letter.
const MOST: usize = 4;
/// Blank pixels around a pattern.
pub(super) const PAD: usize = 2;
/// Blur of a pattern, in pixels: no two letters are equal.
const BLUR: f64 = 0.7;
/// How much ink counts against a letter where it has none.
const UNCOVERED: f32 = 0.275;

/// Patterns of the letters of a hand.
pub(in crate::own_hand) struct Templates {
    of: BTreeMap<char, Vec<Template>>,
}

/// The pattern of a letter.
pub(super) struct Template {
    /// Weights of pixels: their sum with the ink of such a letter is about 1.
    pub(super) weights: Plane,
    /// The row of the baseline, and the column of the left edge of the ink is [`PAD`].
    pub(super) baseline: usize,
    /// Width of the ink, in mm.
    pub(super) width: f64,
}

impl Templates {
    /// Those of boxes that can be used.
    pub(in crate::own_hand) fn of(readings: &[&BoxReading]) -> Self {
        let mut of: BTreeMap<char, Vec<Template>> = BTreeMap::new();
        for reading in readings {
            let known = of.entry(reading.place.character).or_default();
            if known.len() < MOST {
                known.push(Template::of(reading));
            }
        }
        Self { of }
    }

    pub(super) fn of_letter(&self, character: char) -> &[Template] {
        self.of.get(&character).map_or(&[], Vec::as_slice)
    }
}

impl Template {
    fn of(reading: &BoxReading) -> Self {
        let bounds = reading.bounds();
        let scale = LineInk::SCALE;
        let above = (bounds.top * scale).ceil().max(0.0) as usize + 1;
        let below = (-bounds.bottom * scale).ceil().max(0.0) as usize + 1;
        let size = [(bounds.width() * scale).ceil() as usize + 1 + 2 * PAD, above + below + 2 * PAD];
        let place = |[x, y]: [f64; 2]| [(x - bounds.left) * scale + PAD as f64, (above + PAD) as f64 - y * scale];
        let ink = covered(&reading.contours, size, place).blurred(BLUR);
        let mut solid = ink.clone();
        solid.values.iter_mut().for_each(|value| *value = if *value > 0.3 { 1.0 } else { 0.0 });
        let near = solid.dilated(PAD);
        let sum: f32 = ink.values.iter().sum::<f32>().max(1e-6);
        let mut weights = ink;
        for (at, value) in weights.values.iter_mut().enumerate() {
            let column = at % size[0];
            let is_hole = near.values[at] < 0.5 && column >= PAD && column + PAD < size[0];
            *value = (*value - if is_hole { UNCOVERED } else { 0.0 }) / sum;
        }
        Self { weights, baseline: above + PAD, width: bounds.width() }
    }
}
