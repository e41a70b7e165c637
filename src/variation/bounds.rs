//! Boxes around the bent ink of a glyph.

use super::letter::{Form, LetterMap, onset, step};

/// The extent that products of blended draws add to a box, in x-heights.
const BLEND_SLACK: f32 = 0.01;

impl LetterMap {
    /// Bounds for bent ink whose normals are at most `normal` long.
    #[must_use]
    pub fn bounds(&self, normal: f32) -> Bounds<'_> {
        let [before, after] = [&self.before, &self.after].map(|other| self.own.plus(other, 1.0));
        let shifts = |form: &Form| {
            let [_, height, slant, baseline] = form.size;
            let [ascender, descender, weight, _] = form.zones;
            let more = normal * weight.abs() + BLEND_SLACK * self.x_height();
            let reach = wave_amplitude(form).map(|wave| wave + more);
            Shifts { height, slant, baseline, ascender, descender, reach }
        };
        let [to_left, left_inverse, to_right, right_inverse] = self.ramps;
        let flat_part = [to_left + 0.5 / left_inverse, to_right - 0.5 / right_inverse];
        Bounds {
            letter: self,
            normal,
            flat_part,
            own: shifts(&self.own),
            before: shifts(&before),
            after: shifts(&after),
        }
    }
}

/// Computes boxes around bent ink.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    letter: &'a LetterMap,
    /// The longest normal.
    normal: f32,
    /// Between the ramps: where neighbours have no share.
    flat_part: [f32; 2],
    own: Shifts,
    before: Shifts,
    after: Shifts,
}

/// What moves the points of a letter besides its width and gaps; see [`Form`].
#[derive(Clone, Copy, Debug)]
struct Shifts {
    height: f32,
    slant: f32,
    baseline: f32,
    ascender: f32,
    descender: f32,
    /// The largest displacement by waves and stroke width along each axis.
    reach: [f32; 2],
}

impl Shifts {
    /// These, blended with a share of others. Waves of a blend reach no farther than the blend of what both reach.
    fn towards(&self, other: &Self, share: f32) -> Self {
        let blend = |own: f32, other: f32| own + share * (other - own);
        Self {
            height: blend(self.height, other.height),
            slant: blend(self.slant, other.slant),
            baseline: blend(self.baseline, other.baseline),
            ascender: blend(self.ascender, other.ascender),
            descender: blend(self.descender, other.descender),
            reach: [0, 1].map(|axis| blend(self.reach[axis], other.reach[axis])),
        }
    }
}

impl Bounds<'_> {
    /// A box around the bent image of a box: min x, min y, max x, max y.
    ///
    /// A point moves with the middle of its stroke, which is at most a normal away; `weight` and waves add to that. Of
    /// a letter with a dot, the white below the dot is not bounded: no ink is there.
    #[must_use]
    pub fn around(&self, [left, bottom, right, top]: [f32; 4]) -> [f32; 4] {
        let letter = self.letter;
        let x_height = letter.x_height();
        let [to_left, left_inverse, to_right, right_inverse] = letter.ramps;
        let (first, last) = (left - self.normal, right + self.normal);
        // Between ramps a position moves by a share of itself, so the ends of that part move farthest. Inside a ramp a
        // position may move farther, by less than the slack and the room for waves.
        let mut along = [letter.moved_along(first), letter.moved_along(last)];
        along.sort_by(f32::total_cmp);
        for x in self.flat_part.into_iter().filter(|x| (first..last).contains(x)).map(|x| letter.moved_along(x)) {
            along = [along[0].min(x), along[1].max(x)];
        }
        // The largest shares of the neighbours' forms. Ramps do not overlap, so no point has shares of both.
        let (of_before, _) = step((to_left - first) * left_inverse + 0.5);
        let (of_after, _) = step((last - to_right) * right_inverse + 0.5);
        let heights = [bottom - self.normal + letter.word_origin()[1], top + self.normal + letter.word_origin()[1]];
        let onsets = heights.map(|y| [onset(y - x_height, x_height), onset(-y, x_height)]);
        let mut moved = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
        for shifts in [self.own, self.own.towards(&self.before, of_before), self.own.towards(&self.after, of_after)] {
            let Shifts { height, slant, baseline, ascender, descender, reach: [reach_x, reach_y] } = shifts;
            for (y, [above, below]) in heights.into_iter().zip(onsets) {
                let grown = y * height + ascender * above - descender * below;
                let leant = slant * (y + grown);
                moved = [
                    moved[0].min(leant - reach_x),
                    moved[1].min(grown + baseline - reach_y),
                    moved[2].max(leant + reach_x),
                    moved[3].max(grown + baseline + reach_y),
                ];
            }
        }
        let dot = if top >= letter.dot[2] { self.dot_moved([left, bottom, right, top]) } else { [0.0; 4] };
        [
            left + moved[0] + along[0] + dot[0],
            bottom + moved[1] + dot[1],
            right + moved[2] + along[1] + dot[2],
            top + moved[3] + dot[3],
        ]
    }

    /// How far the dot in a box moves at most: left, down, right, up.
    fn dot_moved(&self, [left, bottom, right, top]: [f32; 4]) -> [f32; 4] {
        let ([_, _, _, reach], [_, _, x, y]) = (self.letter.dot_form, self.letter.font);
        let mut moved = [0.0_f32; 4];
        for at_x in [left, right].map(|edge| edge.clamp(x - reach, x + reach)) {
            for at_y in [bottom, top].map(|edge| edge.clamp(y - reach, y + reach)) {
                let [away_x, away_y] = self.letter.dot_away([at_x, at_y]);
                moved = [moved[0].min(away_x), moved[1].min(away_y), moved[2].max(away_x), moved[3].max(away_y)];
            }
        }
        moved
    }
}

/// The largest displacement by the waves along each axis, in font units.
fn wave_amplitude(form: &Form) -> [f32; 2] {
    let along = |axis: usize| {
        form.waves.iter().map(|wave| (wave[axis] * wave[axis] + wave[axis + 1] * wave[axis + 1]).sqrt()).sum()
    };
    [along(0), along(2)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Purpose, Stream};
    use crate::variation::{Chain, Dot, Glyph, Proportions, Writer};

    const X_HEIGHT: f64 = 400.0;
    const NORMAL: f32 = 30.0;

    /// The letters of a word of a writer: 300 units wide, 330 apart, and from -200 to 700 high.
    fn word(seed: u32, strength: f64) -> Vec<LetterMap> {
        let draws = Writer::new(seed, strength).unwrap().draw(0, 0, (0..6).map(|at| (at, &"qijuln"[at..=at])));
        let dot = Dot {
            below: [[150.0, 400.0], [120.0, 390.0], [180.0, 390.0]],
            ink: [120.0, 560.0, 190.0, 630.0],
            half_stroke: f64::from(NORMAL),
            ceiling: 800.0,
            is_of_i: true,
        };
        let glyph = |index: usize| Glyph {
            pen: 330.0 * index as f64,
            advance: 330.0,
            origin: [330.0 * index as f64, 0.0],
            ink: Some([0.0, 300.0]),
            top: 700.0,
            white: (index.is_multiple_of(2) && index < 5).then_some(30.0),
            dot: (index % 2 == 1).then_some(dot),
            continues: false,
            draws: draws.at(index),
        };
        let glyphs: Vec<Glyph<'_>> = (0..6).map(glyph).collect();
        let proportions = Proportions { x_height: X_HEIGHT, stroke: 60.0, ascenders: 0.1, habit: 1.0 };
        Chain::of(&glyphs, &proportions).letters
    }

    #[test]
    fn every_point_of_a_bent_slice_is_in_its_box() {
        let stream = Stream::new(11, Purpose::WriterLetters);
        let mut keys = 0..;
        let mut between = |from: f32, to: f32| from + (to - from) * stream.unit(keys.next().unwrap()) as f32;
        let mut nearest = Vec::new();
        for (seed, strength) in (0..60).map(|seed| (seed, [0.5, 1.0, 2.0][seed as usize % 3])) {
            for (index, letter) in word(seed, strength).into_iter().enumerate() {
                // Ink is in the dot and below the white under it.
                let has_dot = index % 2 == 1;
                let slice = if has_dot && between(0.0, 1.0) < 0.5 {
                    [120.0, 560.0, 190.0, 630.0]
                } else {
                    let (left, bottom) = (between(0.0, 250.0), between(-200.0, if has_dot { 300.0 } else { 650.0 }));
                    [left, bottom, between(left, 300.0), between(bottom, bottom + 100.0)]
                };
                let around = letter.bounds(NORMAL).around(slice);
                let mut inside = f32::MAX;
                for _ in 0..60 {
                    let at = [between(slice[0], slice[2]), between(slice[1], slice[3])];
                    let ((sin, cos), length) = (between(0.0, 7.0).sin_cos(), between(0.0, NORMAL));
                    let to = letter.bend(at, [length * cos, length * sin]);
                    for axis in [0, 1] {
                        inside = inside.min(to[axis] - around[axis]).min(around[axis + 2] - to[axis]);
                    }
                }
                nearest.push(inside);
            }
        }
        let mean = nearest.iter().sum::<f32>() / nearest.len() as f32;
        let least = nearest.iter().copied().fold(f32::MAX, f32::min);
        assert!(least >= 0.0, "a point is {least} outside");
        assert!(mean < 50.0, "boxes are {mean} too large at their nearest side");
    }

    #[test]
    fn neighbours_widen_a_box_only_where_they_have_a_share() {
        let letter =
            LetterMap { ramps: [-100.0, 0.01, 400.0, 0.01], font: [400.0, 1.0, 0.0, 0.0], ..LetterMap::default() };
        let raised = Form { size: [0.0, 0.0, 0.0, 80.0], ..Form::default() };
        let [before, after] = [LetterMap { before: raised, ..letter }, LetterMap { after: raised, ..letter }];
        let more = |letter: &LetterMap, slice: [f32; 4]| {
            let [_, bottom, _, top] = letter.bounds(0.0).around(slice);
            top - bottom - (slice[3] - slice[1]) - 2.0 * BLEND_SLACK * 400.0
        };
        // The smooth step at 0, a quarter and 1.
        for (at, expected) in [(0.0, 0.0), (0.25, 80.0 * 0.156_25), (1.0, 80.0)] {
            let out = 50.0 * (2.0 * at - 1.0);
            let found =
                [more(&before, [-100.0 - out, 0.0, 300.0, 100.0]), more(&after, [0.0, 0.0, 400.0 + out, 100.0])];
            assert!(found.iter().all(|found| (found - expected).abs() < 0.01), "{at}: {found:?}");
        }
    }
}
