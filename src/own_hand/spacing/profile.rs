//! The room at the sides of letters, between the box of their ink and the ink.

use std::collections::BTreeMap;

use crate::own_hand::letters::BoxReading;

/// Heights at which the room is measured, in x-heights: the first, the distance, and their number.
const FIRST: f64 = -1.2;
const STEP: f64 = 0.1;
const COUNT: usize = 37;
/// How far above and below a height ink counts for it.
const REACH: f64 = 0.07;
/// Heights of the body of a letter.
const BODY: [f64; 2] = [0.08, 0.92];
/// Heights at which the room between letters is seen: around the body in full, and above and below it.
const FULL: [f64; 2] = [-0.05, 1.1];
const HIGH: f64 = 2.0;

/// The room at each height, if there is ink: at the left, and at the right.
type Sides = [[Option<f64>; COUNT]; 2];

/// The room at the sides of a hand's letters, in x-heights.
#[derive(Clone, Debug)]
pub(in crate::own_hand) struct Profiles {
    of: BTreeMap<char, Sides>,
}

fn height(at: usize) -> f64 {
    FIRST + STEP * at as f64
}

impl Profiles {
    /// Measures letters: the mean of the copies of each.
    #[expect(clippy::needless_range_loop, reason = "the index is that of a height")]
    pub(in crate::own_hand) fn of(readings: &[&BoxReading], x_height: f64) -> Self {
        let mut sums: BTreeMap<char, [[(f64, usize); COUNT]; 2]> = BTreeMap::new();
        for reading in readings {
            let bounds = reading.bounds();
            let own = sums.entry(reading.place.character).or_insert([[(0.0, 0); COUNT]; 2]);
            for at in 0..COUNT {
                let near = |y: f64| (y / x_height - height(at)).abs() < REACH;
                let ends = reading.contours.iter().flatten().filter(|[_, y]| near(*y));
                let ends = ends.fold(None, |known: Option<[f64; 2]>, [x, _]| {
                    let [least, most] = known.unwrap_or([*x; 2]);
                    Some([least.min(*x), most.max(*x)])
                });
                if let Some([least, most]) = ends {
                    for (side, room) in [least - bounds.left, bounds.right - most].into_iter().enumerate() {
                        let (sum, count) = &mut own[side][at];
                        *sum += room / x_height;
                        *count += 1;
                    }
                }
            }
        }
        let mean = |(sum, count): (f64, usize)| (count > 0).then(|| sum / count as f64);
        Self { of: sums.into_iter().map(|(letter, sides)| (letter, sides.map(|side| side.map(mean)))).collect() }
    }

    /// Whether a letter was measured.
    pub(super) fn has(&self, character: char) -> bool {
        self.of.contains_key(&character)
    }

    /// Room between the bodies of two letters whose boxes touch: crossbars and tails may reach over a neighbour.
    pub(super) fn body_room(&self, before: char, after: char) -> f64 {
        self.body(before, 1) + self.body(after, 0)
    }

    fn body(&self, character: char, side: usize) -> f64 {
        let Some(sides) = self.of.get(&character).filter(|_| character.is_alphanumeric()) else { return 0.0 };
        let body = (0..COUNT).filter(|at| (BODY[0]..BODY[1]).contains(&height(*at)));
        body.filter_map(|at| sides[side][at]).reduce(f64::min).unwrap_or_default()
    }

    /// The gap between the boxes of two letters at which the room between their outlines is `room` on average, where more
    /// than `most` counts as `most`, and what is above and below the bodies counts by `share`; `None` for others than
    /// letters and figures, whose gaps follow no such rule.
    pub(super) fn optical_gap(&self, before: char, after: char, (room, most, share): (f64, f64, f64)) -> Option<f64> {
        let is_letter = |character: char| character.is_alphanumeric();
        if !is_letter(before) || !is_letter(after) {
            return None;
        }
        let (right, left) = (&self.of.get(&before)?[1], &self.of.get(&after)?[0]);
        let rooms: Vec<(f64, f64)> = (0..COUNT)
            .filter_map(|at| {
                let is_full = (FULL[0]..FULL[1]).contains(&height(at));
                let weight = if is_full {
                    1.0
                } else if (FULL[1]..HIGH).contains(&height(at)) {
                    share
                } else {
                    0.6 * share
                };
                match (right[at], left[at]) {
                    (Some(one), Some(other)) => Some((one + other, weight)),
                    _ => is_full.then_some((9.0, weight)),
                }
            })
            .collect();
        let sum: f64 = rooms.iter().map(|(_, weight)| weight).sum();
        let mean =
            |gap: f64| rooms.iter().map(|(own, weight)| (own + gap).clamp(-0.3, most) * weight).sum::<f64>() / sum;
        let (mut low, mut high) = (-1.5, 1.5);
        for _ in 0..22 {
            let middle = f64::midpoint(low, high);
            if mean(middle) < room { low = middle } else { high = middle }
        }
        Some(f64::midpoint(low, high))
    }
}
