//! The map of one glyph: where the points of its outline go.

use bytemuck::{Pod, Zeroable};

/// Wave vectors of the shape field in radians per x-height: wavelengths from 1.55 to 2.35 x-heights, 12° to 149°.
pub(super) const WAVES: [[f32; 2]; 4] = [[3.965, 0.843], [1.850, 2.960], [-0.673, 2.915], [-2.292, 1.377]];
/// Over how many x-heights a zone beyond the x-height or the baseline takes on its own stretch.
const ZONE_ONSET: f32 = 0.3;
/// How much longer than half the stroke a normal at a corner may be, with room for what ramps add to a stretch.
const PEN_SLACK: f32 = 2.5;
/// A ramp that is nowhere near: its place, in font units, and the inverse of its width.
const NO_RAMP: [f32; 2] = [1e9, 1.0];

/// What the draws of one letter do. Members blend linearly between neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Form {
    /// Stretch along the baseline and upwards, both less 1; tangent of the slant; rise of the baseline in font units.
    pub size: [f32; 4],
    /// Further stretch of what lies above the x-height and below the baseline; logarithm of the stroke width; zero.
    pub zones: [f32; 4],
    /// Per wave the factors of its cosine and sine along x, then along y, in font units.
    pub waves: [[f32; 4]; 4],
}

impl Form {
    /// This form and `weight` times another.
    #[must_use]
    pub fn plus(&self, other: &Self, weight: f32) -> Self {
        let add = |a: [f32; 4], b: [f32; 4]| [0, 1, 2, 3].map(|index| a[index] + weight * b[index]);
        Self {
            size: add(self.size, other.size),
            zones: add(self.zones, other.zones),
            waves: [0, 1, 2, 3].map(|wave| add(self.waves[wave], other.waves[wave])),
        }
    }

    /// The most that the waves displace along each axis, in font units.
    #[must_use]
    pub fn wave_reach(&self) -> [f32; 2] {
        let along = |axis: usize| {
            self.waves.iter().map(|wave| (wave[axis] * wave[axis] + wave[axis + 1] * wave[axis + 1]).sqrt()).sum()
        };
        [along(0), along(2)]
    }
}

/// The map of one glyph, in font units from its origin, y up.
///
/// With `x` from the glyph's origin, `Y₀ = y + y₀` above the baseline, `r⁻` and `r⁺` the smooth steps across the ramps to the
/// letters before and after, and every member of [`Form`] blended as `own + r⁻ before + r⁺ after`:
///
/// ```text
/// X = x (1 + w) + Δw⁺ ∫r⁺ - Δw⁻ ∫r⁻ + g⁺ r⁺ - g⁻ r⁻ + slant (Y - baseline)
/// Y = Y₀ (1 + h) + ascender q(Y₀ - x-height) - descender q(-Y₀) + baseline,  q(t) = t² / (t + 0.3 x-heights) for t > 0
/// (X, Y) += Σ over waves of a cos(k·p) + b sin(k·p),                        p in the frame of the word
/// ```
///
/// It is continuous from letter to letter of a word: ramps of one word do not overlap, and neighbours hold the same
/// forms. A point of the outline goes where the middle of its stroke goes, and from there along its normal: the normal is as
/// long as half the stroke is wide, and `weight` alone makes it longer. So a letter that is written larger is not written
/// with a broader pen.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Letter {
    /// The letter's own form.
    pub own: Form,
    /// That of the letter before, less its own.
    pub before: Form,
    /// That of the letter after, less its own.
    pub after: Form,
    /// Middle of the ramp to the letter before and the inverse of its width; the same of that to the letter after.
    pub ramps: [f32; 4],
    /// Gaps to the letters before and after; where the glyph's origin lies in the frame of the word.
    pub frame: [f32; 4],
    /// How far its dot moves, where the dot begins (above the baseline of the glyph), and the inverse of the height of the
    /// gap below it.
    pub dot: [f32; 4],
    /// x-height; 1 but for the first glyph of a word, where it is 0; zeros.
    pub font: [f32; 4],
}

impl Default for Letter {
    fn default() -> Self {
        let [far, inverse] = NO_RAMP;
        Self {
            own: Form::default(),
            before: Form::default(),
            after: Form::default(),
            ramps: [-far, inverse, far, inverse],
            frame: [0.0; 4],
            dot: [0.0, 0.0, far, 0.0],
            font: [1.0, 0.0, 0.0, 0.0],
        }
    }
}

impl Letter {
    /// The same map for what does not move with the dot.
    #[must_use]
    pub fn without_dot(&self) -> Self {
        Self { dot: Self::default().dot, ..*self }
    }

    /// From this glyph's origin to the next one's as they stand without variation; `None` where a word begins with the next.
    #[must_use]
    pub fn way_to(&self, next: &Self) -> Option<[f32; 2]> {
        let continues = next.font[1] > 0.0;
        continues.then(|| [next.frame[2] - self.frame[2], next.frame[3] - self.frame[3]])
    }
}

/// A smooth step and its integral.
fn step(at: f32) -> (f32, f32) {
    let inside = at.clamp(0.0, 1.0);
    let squared = inside * inside;
    (squared * (3.0 - 2.0 * inside), squared * inside * (1.0 - 0.5 * inside) + (at - 1.0).max(0.0))
}

/// How much of a height beyond an edge stretches: none at the edge, nearly all of it far from there.
fn onset(beyond: f32, x_height: f32) -> f32 {
    let beyond = beyond.max(0.0);
    beyond * beyond / (beyond + ZONE_ONSET * x_height)
}

impl Letter {
    /// Where a point of the outline goes. `normal` points out of the ink and is as long as half the stroke is wide.
    #[must_use]
    pub fn bend(&self, at: [f32; 2], normal: [f32; 2]) -> [f32; 2] {
        let x_height = self.font[0];
        let (x, y) = (at[0] - normal[0], at[1] - normal[1] + self.frame[3]);
        let form = self.blended(x);
        let [_, height, slant, baseline] = form.size;
        let [ascender, descender, weight, _] = form.zones;
        let raised = y * (1.0 + height) + ascender * onset(y - x_height, x_height) - descender * onset(-y, x_height);
        let mut to_x = self.along(x) + slant * raised;
        let mut to_y = raised + baseline - self.frame[3];
        let place = [(x + self.frame[2]) / x_height, y / x_height];
        for (wave, [kx, ky]) in form.waves.iter().zip(WAVES) {
            let (sin, cos) = (kx * place[0] + ky * place[1]).sin_cos();
            to_x += wave[0] * cos + wave[1] * sin;
            to_y += wave[2] * cos + wave[3] * sin;
        }
        let (in_dot, _) = step((at[1] - self.dot[2]) * self.dot[3] + 1.0);
        let pen = 1.0 + weight;
        [to_x + normal[0] * pen + in_dot * self.dot[0], to_y + normal[1] * pen + in_dot * self.dot[1]]
    }

    /// The form at a place along the glyph.
    fn blended(&self, x: f32) -> Form {
        let [left, left_inverse, right, right_inverse] = self.ramps;
        let (to_before, _) = step((left - x) * left_inverse + 0.5);
        let (to_after, _) = step((x - right) * right_inverse + 0.5);
        self.own.plus(&self.before, to_before).plus(&self.after, to_after)
    }

    /// Where a place along the baseline goes before slant and waves.
    fn along(&self, x: f32) -> f32 {
        let [left, left_inverse, right, right_inverse] = self.ramps;
        let (to_before, before) = step((left - x) * left_inverse + 0.5);
        let (to_after, after) = step((x - right) * right_inverse + 0.5);
        let stretched = x * (1.0 + self.own.size[0]) + self.after.size[0] * after / right_inverse
            - self.before.size[0] * before / left_inverse;
        stretched + self.frame[1] * to_after - self.frame[0] * to_before
    }

    /// What finds boxes around bent ink whose normals are at most `normal` long.
    #[must_use]
    pub fn bounds(&self, normal: f32) -> Bounds<'_> {
        let forms = [self.own, self.own.plus(&self.before, 1.0), self.own.plus(&self.after, 1.0)];
        let reach = forms.map(|form| {
            let [width, height, slant, _] = form.size;
            let stretch = width.abs().max(height.abs()) + slant.abs() + form.zones[2].abs();
            form.wave_reach().map(|wave| wave + normal * PEN_SLACK * stretch)
        });
        Bounds { letter: self, forms, reach }
    }
}

/// What finds boxes around bent ink.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<'a> {
    letter: &'a Letter,
    /// The letter's form and those of its neighbours.
    forms: [Form; 3],
    /// How far waves and pen of each move a point along each axis, at most.
    reach: [[f32; 2]; 3],
}

impl Bounds<'_> {
    /// A box around where the points of a box go: min x, min y, max x, max y.
    #[must_use]
    pub fn around(&self, [left, bottom, right, top]: [f32; 4]) -> [f32; 4] {
        let letter = self.letter;
        let x_height = letter.font[0];
        let [to_left, left_inverse, to_right, right_inverse] = letter.ramps;
        let takes_part = [true, left < to_left + 0.5 / left_inverse, right > to_right - 0.5 / right_inverse];
        let (from, to) = (letter.along(left), letter.along(right));
        let mut found = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
        for ((form, [reach_x, reach_y]), _) in
            self.forms.iter().zip(self.reach).zip(takes_part).filter(|(_, takes_part)| *takes_part)
        {
            let [_, height, slant, baseline] = form.size;
            let [ascender, descender, ..] = form.zones;
            for y in [bottom, top].map(|y| y + letter.frame[3]) {
                let raised =
                    y * (1.0 + height) + ascender * onset(y - x_height, x_height) - descender * onset(-y, x_height);
                let leant = slant * raised;
                let y = raised + baseline - letter.frame[3];
                found = [
                    found[0].min(from + leant - reach_x),
                    found[1].min(y - reach_y),
                    found[2].max(to + leant + reach_x),
                    found[3].max(y + reach_y),
                ];
            }
        }
        let dot = if top > letter.dot[2] { [letter.dot[0], letter.dot[1]] } else { [0.0; 2] };
        [found[0] + dot[0].min(0.0), found[1] + dot[1].min(0.0), found[2] + dot[0].max(0.0), found[3] + dot[1].max(0.0)]
    }
}
