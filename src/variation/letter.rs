//! The map of one glyph: it moves the points of the outline.

use bytemuck::{Pod, Zeroable};

/// Wave vectors of the shape field in turns per x-height: wavelengths from 1.55 to 2.35 x-heights, 12° to 149°.
pub(crate) const WAVES: [[f32; 2]; 4] = [[0.631, 0.1342], [0.2944, 0.4711], [-0.1071, 0.4639], [-0.3648, 0.2192]];
/// Height in x-heights over which a zone beyond the x-height or the baseline reaches its own stretch.
pub(crate) const ZONE_ONSET: f32 = 0.3;
/// A ramp at infinity: its position in font units, and the inverse of its width.
const NO_RAMP: [f32; 2] = [1e9, 1.0];

/// The form of one letter. Members blend linearly between neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Form {
    /// Stretch along the baseline and upwards, both less 1; tangent of the slant; rise of the baseline in font units.
    pub size: [f32; 4],
    /// Further stretch above the x-height and below the baseline; logarithm of the stroke width; zero.
    pub zones: [f32; 4],
    /// For each wave, the factors of its cosine and sine along x, then along y, in font units.
    pub waves: [[f32; 4]; 4],
}

impl Form {
    /// This form and `weight` times another.
    #[must_use]
    pub fn plus(&self, other: &Self, weight: f32) -> Self {
        let mut sum = *self;
        for (sum, other) in sum.members_mut().iter_mut().zip(other.members()) {
            *sum += weight * other;
        }
        sum
    }

    fn members(&self) -> &[f32; 24] {
        bytemuck::cast_ref(self)
    }

    fn members_mut(&mut self) -> &mut [f32; 24] {
        bytemuck::cast_mut(self)
    }

    /// The form in font units, for a font of this x-height; its lengths were in x-heights. `shape`: the share of its
    /// waves.
    #[must_use]
    pub(super) fn scaled(mut self, x_height: f32, shape: f32) -> Self {
        self.size[3] *= x_height;
        for factor in self.waves.as_flattened_mut() {
            *factor *= x_height * shape;
        }
        self
    }

    /// The form with ascenders stretched by a further share.
    #[must_use]
    pub(super) fn with_ascenders(mut self, share: f32) -> Self {
        self.zones[0] += share * (1.0 + self.zones[0]);
        self
    }
}

/// The map of one glyph, in font units from its origin, y up.
///
/// With `x` from the glyph's origin, `Y₀ = y + y₀` above the baseline, `r⁻` and `r⁺` the smooth steps across the ramps
/// to the letters before and after, and every member of [`Form`] blended as `own + r⁻ before + r⁺ after`:
///
/// ```text
/// X = x (1 + w) + Δw⁺ ∫r⁺ - Δw⁻ ∫r⁻ + g⁺ r⁺ - g⁻ r⁻ + slant (Y - baseline)
/// Y = Y₀ (1 + h) + ascender q(Y₀ - x-height) - descender q(-Y₀) + baseline,  q(t) = t² / (t + 0.3 x-heights) for t > 0
/// (X, Y) += Σ over waves of a cos(k·p) + b sin(k·p),                        p in the frame of the word
/// (X, Y) += d + F (p - m)  in the dot, with its displacement d, its middle m and what stretches it, F
/// ```
///
/// The map is continuous along a word: its ramps do not overlap, and neighbours have the same forms there. The middle
/// of a stroke is mapped, and outline points follow at the distance of their normal, which is half a stroke long. Only
/// `weight` changes that length: a larger letter is not written with a broader pen.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LetterMap {
    /// The letter's own form.
    pub own: Form,
    /// The form of the previous letter, minus its own.
    pub before: Form,
    /// The form of the next letter, minus its own.
    pub after: Form,
    /// Middle of the ramp to the previous letter and the inverse of its width; the same for the next letter.
    pub ramps: [f32; 4],
    /// Gaps to the previous and next letters; the glyph's origin in the frame of the word.
    pub frame: [f32; 4],
    /// Displacement of its dot, the bottom of the dot (above the baseline of the glyph), and the inverse of the height
    /// of the gap below it.
    pub dot: [f32; 4],
    /// What stretches its dot about the middle: the symmetric matrix `xx`, `xy`, `yy` less the identity; and the
    /// farthest ink of the dot from its middle along either axis.
    pub dot_form: [f32; 4],
    /// x-height; 0 for the first glyph of a word and 1 for others; the middle of its dot.
    pub font: [f32; 4],
}

impl Default for LetterMap {
    fn default() -> Self {
        let [far, inverse] = NO_RAMP;
        Self {
            own: Form::default(),
            before: Form::default(),
            after: Form::default(),
            ramps: [-far, inverse, far, inverse],
            frame: [0.0; 4],
            dot: [0.0, 0.0, far, 0.0],
            dot_form: [0.0; 4],
            font: [1.0, 0.0, 0.0, 0.0],
        }
    }
}

impl LetterMap {
    /// The x-height of the font, in font units.
    #[must_use]
    pub const fn x_height(&self) -> f32 {
        self.font[0]
    }

    /// The value of `font` for this x-height, and whether the glyph is the first of its word.
    pub(super) const fn font_of(x_height: f64, begins_word: bool) -> [f32; 4] {
        [x_height as f32, if begins_word { 0.0 } else { 1.0 }, 0.0, 0.0]
    }

    /// Whether its glyph is the first of a word.
    #[must_use]
    pub fn begins_word(&self) -> bool {
        self.font[1] <= 0.0
    }

    /// Changes of the gaps to the previous and to the next letter, in font units.
    const fn gaps(&self) -> [f32; 2] {
        [self.frame[0], self.frame[1]]
    }

    /// The glyph's origin in the frame of the word, in font units.
    pub(super) const fn word_origin(&self) -> [f32; 2] {
        [self.frame[2], self.frame[3]]
    }

    /// The same map without that of the dot.
    #[must_use]
    pub fn without_dot(&self) -> Self {
        let Self { dot, dot_form, .. } = Self::default();
        Self { dot, dot_form, ..*self }
    }

    /// How far its dot moves, from where the letter takes it: the displacement of the middle, and what stretches the
    /// dot.
    pub(super) fn dot_away(&self, at: [f32; 2]) -> [f32; 2] {
        let ([xx, xy, yy, _], [_, _, middle_x, middle_y]) = (self.dot_form, self.font);
        let (x, y) = (at[0] - middle_x, at[1] - middle_y);
        [self.dot[0] + xx * x + xy * y, self.dot[1] + xy * x + yy * y]
    }

    /// From this glyph's origin to the next one's without variation; `None` if the next glyph begins a word.
    #[must_use]
    pub fn way_to(&self, next: &Self) -> Option<[f32; 2]> {
        let ([x, y], [next_x, next_y]) = (self.word_origin(), next.word_origin());
        (!next.begins_word()).then_some([next_x - x, next_y - y])
    }
}

/// A smooth step and its integral.
pub(super) fn step(at: f32) -> (f32, f32) {
    let inside = at.clamp(0.0, 1.0);
    let squared = inside * inside;
    (squared * (3.0 - 2.0 * inside), squared * inside * (1.0 - 0.5 * inside) + (at - 1.0).max(0.0))
}

/// The sine of an angle in turns, with an error of up to 0.0011: a parabola per half wave, corrected by its square.
/// Software devices compute it ten times as fast as a true sine.
fn sine(turns: f32) -> f32 {
    let turn = turns - (turns + 0.5).floor();
    let parabola = turn * (8.0 - 16.0 * turn.abs());
    parabola * (0.775 + 0.225 * parabola.abs())
}

/// By what share the part of letters beyond an edge must stretch so that a point `beyond` the edge moves by `away`; both
/// in x-heights.
#[must_use]
pub fn zone_stretch(beyond: f64, away: f64) -> f64 {
    away / f64::from(onset(beyond as f32, 1.0)).max(1e-6)
}

/// How much of the height beyond an edge stretches: none at the edge, nearly all far from it.
pub(super) fn onset(beyond: f32, x_height: f32) -> f32 {
    if beyond > 0.0 { beyond * beyond / (beyond + ZONE_ONSET * x_height) } else { 0.0 }
}

/// Where a point of an outline goes, in parts whose sum is the place: the middle of its stroke, from there to the
/// outline, and what its dot adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BentPoint {
    /// The middle of the stroke.
    pub middle: [f32; 2],
    /// From the middle to the outline.
    pub pen: [f32; 2],
    /// What its dot adds.
    pub dot: [f32; 2],
}

impl LetterMap {
    /// Maps a point of the outline. `normal` points out of the ink and is as long as half the stroke is wide.
    #[must_use]
    pub fn bend(&self, at: [f32; 2], normal: [f32; 2]) -> [f32; 2] {
        let BentPoint { middle, pen, dot } = self.bend_parts(at, normal);
        [0, 1].map(|axis| middle[axis] + pen[axis] + dot[axis])
    }

    /// As [`bend`](Self::bend), in parts.
    #[must_use]
    pub fn bend_parts(&self, at: [f32; 2], normal: [f32; 2]) -> BentPoint {
        let x_height = self.x_height();
        let (x, y) = (at[0] - normal[0], at[1] - normal[1] + self.word_origin()[1]);
        let form = self.blended(x);
        let [_, height, slant, baseline] = form.size;
        let [ascender, descender, weight, _] = form.zones;
        let raised = y * (1.0 + height) + ascender * onset(y - x_height, x_height) - descender * onset(-y, x_height);
        let mut to_x = self.along(x) + slant * raised;
        let mut to_y = raised + baseline - self.word_origin()[1];
        let place = [(x + self.word_origin()[0]) / x_height, y / x_height];
        for (wave, [kx, ky]) in form.waves.iter().zip(WAVES) {
            let phase = kx * place[0] + ky * place[1];
            let (sin, cos) = (sine(phase), sine(phase + 0.25));
            to_x += wave[0] * cos + wave[1] * sin;
            to_y += wave[2] * cos + wave[3] * sin;
        }
        let (in_dot, _) = step((at[1] - self.dot[2]) * self.dot[3] + 1.0);
        let dot = self.dot_away(at);
        let pen = 1.0 + weight;
        BentPoint { middle: [to_x, to_y], pen: normal.map(|part| part * pen), dot: dot.map(|part| in_dot * part) }
    }

    /// The form at a position along the glyph.
    fn blended(&self, x: f32) -> Form {
        let [left, left_inverse, right, right_inverse] = self.ramps;
        let (to_before, _) = step((left - x) * left_inverse + 0.5);
        let (to_after, _) = step((x - right) * right_inverse + 0.5);
        self.own.plus(&self.before, to_before).plus(&self.after, to_after)
    }

    /// Maps a position along the baseline, before slant and waves.
    fn along(&self, x: f32) -> f32 {
        x + self.moved_along(x)
    }

    /// How far a position moves along the baseline, before slant and waves.
    pub(super) fn moved_along(&self, x: f32) -> f32 {
        let [left, left_inverse, right, right_inverse] = self.ramps;
        let [gap_before, gap_after] = self.gaps();
        let mut moved = x * self.own.size[0];
        let before = (left - x) * left_inverse + 0.5;
        if before > 0.0 {
            let (share, passed) = step(before);
            moved -= self.before.size[0] * passed / left_inverse + gap_before * share;
        }
        let after = (x - right) * right_inverse + 0.5;
        if after > 0.0 {
            let (share, passed) = step(after);
            moved += self.after.size[0] * passed / right_inverse + gap_after * share;
        }
        moved
    }

    /// The direction on the glyph in which the letter's own stretch and slant take a point farthest along the baseline.
    #[must_use]
    pub fn direction_along(&self) -> [f32; 2] {
        let [width, height, slant, _] = self.own.size;
        [1.0 + width, slant * (1.0 + height)]
    }
}
