//! The pen in the strokes of a font: it moves the corners of outlines.

use super::field::PenField;
use super::least_half_width;
use crate::units::Degrees;

/// Largest of the coded values: direction and noise, and the logarithm of the factor of widths.
const MOST_SHARE: f32 = 0.5;
const MOST_SCALE: f32 = 1.0;
/// The bit for ends.
const ENDS: u32 = 1 << 16;
/// The least of a stroke's own width that a nib leaves: the sides of outlines follow no less.
pub(crate) const NARROWEST: f32 = 0.5;
/// The range of what ends lose, and the least of the width that they keep.
pub(crate) const ENDS_BETWEEN: [f32; 2] = [-0.45, 0.85];
pub(crate) const LEAST_END: f32 = 0.25;
/// Steps of an end that is reached, its bit for a start, and font units per step; see `mesh`.
const END_STEPS: u32 = 255;
const STARTS: u32 = 1 << 8;
const END_STEP: f32 = 2.0;

/// The nib as the symmetric matrix `xx`, `xy`, `yy`, y up: the square of the ellipse of its edge, whose longer half axis
/// is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nib(pub [f32; 3]);

impl Nib {
    /// A nib of this thickness over width, with its longer axis at this angle above the baseline.
    #[must_use]
    pub fn new(ratio: f64, angle: Degrees) -> Self {
        let (sin, cos) = angle.get().to_radians().sin_cos();
        let thin = ratio * ratio;
        Self(
            [cos * cos + thin * sin * sin, (1.0 - thin) * sin * cos, sin * sin + thin * cos * cos]
                .map(|part| part as f32),
        )
    }

    /// The round nib.
    pub const ROUND: Self = Self([1.0, 0.0, 1.0]);
}

/// An end of a line, where no other ink is near: how much narrower it is than the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineEnd {
    /// The mean as a share, negative for a blot, and its standard deviation.
    pub mean: f32,
    /// See `mean`.
    pub deviation: f32,
    /// One over the length in page px along which it falls to about 1/e; it is nothing at four times that length.
    pub per_px: f32,
}

/// What all lines of a pen on a page share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenMarks {
    /// The nib.
    pub nib: Nib,
    /// The field of the width, which also decides how an end is made.
    pub field: PenField,
    /// Starts and ends of lines.
    pub ends: [LineEnd; 2],
}

impl PenMarks {
    /// The factor of the width near an end of a stroke.
    fn end_factor(&self, end: u32, field: f32, unit: f32) -> f32 {
        let steps = end & END_STEPS;
        if steps == 0 {
            return 1.0;
        }
        let [start, stop] = self.ends;
        let of = if end & STARTS == 0 { stop } else { start };
        let [least, most] = ENDS_BETWEEN;
        let lost = (of.mean - of.deviation * field).clamp(least, most);
        let distance = (END_STEPS - steps) as f32 * END_STEP * unit;
        let near = (1.0 - 0.25 * distance * of.per_px).max(0.0).powi(4);
        (1.0 - lost * near).max(LEAST_END)
    }
}

/// The pen in the strokes of one font at one size, in 32 bits, as `shaders/pen.wgsl` reads it:
///
/// ```text
/// bits  0 to  7   direction, in 1/255 of 0.5
/// bits  8 to 15   standard deviation of the logarithm of the width, in 1/255 of 0.5
/// bit  16         whether free ends of strokes are narrower
/// bits 17 to 31   logarithm of the factor of the font's own width: with bit 16 as a signed number, in 1/32767
/// ```
///
/// A corner of an outline with the normal `n`, half a stroke long, goes from the middle of its stroke `m` to
///
/// ```text
/// m + e^f |n| N n / √(n · N n),   f = direction cos 2(θ - 105°) + width_sd field(m) + scale
/// ```
///
/// with the nib `N` and the direction θ of the stroke, y up. Near a free end, at the distance `d` from it, `e^f` is
/// multiplied by `1 - c max(0, 1 - d / 4 length)⁴`, `c = mean - deviation field(m)` between -0.45 and 0.85, and at least
/// 0.25. `N n / √(n · N n)` is the point of the ellipse whose normal is `n`, so strokes get the outline that the nib
/// sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinePen(u32);

impl LinePen {
    pub(super) fn new(direction: f64, width_sd: f64, scale: f64) -> Self {
        let share = |value: f64| ((value as f32 / MOST_SHARE).clamp(0.0, 1.0) * 255.0).round() as u32;
        let scale = ((scale as f32 / MOST_SCALE).clamp(-1.0, 1.0) * 32767.0).round() as i32 as u32;
        Self(share(direction) | share(width_sd) << 8 | (scale & !1) << 16)
    }

    /// The same pen, which makes free ends narrower where `has_ends`.
    #[must_use]
    pub const fn with_ends(self, has_ends: bool) -> Self {
        Self(self.0 & !ENDS | if has_ends { ENDS } else { 0 })
    }

    const fn has_ends(self) -> bool {
        self.0 & ENDS != 0
    }

    /// The record of the shaders.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// How much wider strokes from the upper left to the lower right are (logarithm).
    #[must_use]
    pub fn direction(self) -> f32 {
        (self.0 & 255) as f32 * (MOST_SHARE / 255.0)
    }

    /// Standard deviation of the logarithm of the width.
    #[must_use]
    pub fn width_sd(self) -> f32 {
        (self.0 >> 8 & 255) as f32 * (MOST_SHARE / 255.0)
    }

    /// Logarithm of the factor of the font's own width.
    #[must_use]
    pub fn scale(self) -> f32 {
        f32::from(((self.0 & !ENDS) >> 16) as u16 as i16) * (MOST_SCALE / 32767.0)
    }

    /// Whether the font has thick and thin strokes, which the nib does not change.
    #[must_use]
    pub const fn keeps_outline(self) -> bool {
        self.0.trailing_zeros() >= 8
    }

    /// The most that it lengthens a normal.
    #[must_use]
    pub fn most_factor(self) -> f32 {
        let blot = if self.has_ends() { 1.0 - ENDS_BETWEEN[0] } else { 1.0 };
        blot * (self.direction() + self.width_sd() * PenField::MOST + self.scale()).exp()
    }

    /// The farthest that a corner moves, in lengths of its normal: along the normal, and aside where the nib is flat. The
    /// point of an ellipse with the half axes 1 and r lies at most 1 - r beside its normal.
    #[must_use]
    pub fn most_shift(self, nib: Nib) -> f32 {
        let Nib([xx, xy, yy]) = nib;
        let ratio = (xx * yy - xy * xy).max(0.0).sqrt();
        let aside = if self.keeps_outline() { 0.0 } else { (1.0 - ratio) * self.most_factor() };
        (self.most_factor() - 1.0).max(1.0 - LEAST_END * NARROWEST).hypot(aside)
    }

    /// From the middle of the stroke, at `middle` of the page in page px, to where the outline goes. `normal` is in font
    /// units, y up, `unit` page px per font unit, `end` the end of a stroke near the corner as its mesh has it.
    #[must_use]
    pub fn bend(self, normal: [f32; 2], marks: &PenMarks, middle: [f32; 2], end: u32, unit: f32) -> [f32; 2] {
        let field = marks.field.at(middle);
        let narrower = if self.has_ends() { marks.end_factor(end, field, unit) } else { 1.0 };
        self.swept(normal, marks.nib, field, narrower, unit)
    }

    fn swept(self, normal: [f32; 2], nib: Nib, field: f32, narrower: f32, unit: f32) -> [f32; 2] {
        let [x, y] = normal;
        let squared = (x * x + y * y).max(1e-6);
        let turned = (COS_210 * (x * x - y * y) + SIN_210 * (2.0 * x * y)) / -squared;
        let factor = self.scale().exp() * power_of_e(self.direction() * turned + self.width_sd() * field);
        let Nib([xx, xy, yy]) = if self.keeps_outline() { Nib::ROUND } else { nib };
        let swept = [xx * x + xy * y, xy * x + yy * y];
        let across = (x * swept[0] + y * swept[1]).max(1e-6).sqrt();
        let length = squared.sqrt();
        // The factor of a width that stays as it is, and those of the least.
        let own = length / across;
        let thinnest = (least_half_width().get() as f32 / (unit * length)).min(1.0);
        let widened = (narrower * factor.max(NARROWEST * own)).max(thinnest * own);
        swept.map(|part| part * (widened * own))
    }
}

/// e to a small power, never above it by more than a thousandth: within 1 % for powers to 1.
fn power_of_e(x: f32) -> f32 {
    (1.0 + x * (0.25 + x * 0.031_25)).powi(4)
}

/// Cosine and sine of twice 105°: the direction of the widest strokes.
pub(crate) const COS_210: f32 = -0.866_025_4;
pub(crate) const SIN_210: f32 = -0.5;

#[cfg(test)]
mod tests {
    use super::*;

    /// Half the width across a stroke that runs in a direction of these degrees, y up.
    fn half_width(line: LinePen, nib: Nib, degrees: f32) -> f32 {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let across = [-sin, cos];
        let bent = line.swept([across[0] * 20.0, across[1] * 20.0], nib, 0.0, 1.0, 0.3);
        bent[0] * across[0] + bent[1] * across[1]
    }

    #[test]
    fn down_strokes_are_widest_and_the_mirrored_pen_is_told_apart() {
        let line = LinePen::new(0.16, 0.0, 0.0);
        let width = |degrees: f32| (half_width(line, Nib::ROUND, degrees) / 20.0).ln();
        assert!((width(105.0) - 0.16).abs() < 0.003 && (width(15.0) + 0.16).abs() < 0.003);
        // The same strokes in a mirror.
        assert!(width(75.0) < width(105.0) - 0.01 && width(135.0) > width(45.0) + 0.05);
    }

    #[test]
    fn a_flat_nib_is_thin_along_itself_and_wide_across() {
        let nib = Nib::new(0.5, Degrees::new(35.0));
        let line = LinePen::new(0.02, 0.0, 0.0);
        let [along, across] = [35.0, 125.0].map(|degrees| half_width(line, nib, degrees) / 20.0);
        assert!((0.48..0.52).contains(&along) && (0.97..1.03).contains(&across), "{along} {across}");
        // Outlines do not follow thinner lines.
        let thin = half_width(line, Nib::new(0.1, Degrees::new(35.0)), 35.0) / 20.0;
        assert!((thin - NARROWEST).abs() < 0.001, "{thin}");
    }

    #[test]
    fn no_line_gets_thinner_than_the_thinnest() {
        let thinnest = least_half_width().get() as f32;
        let line = LinePen::new(0.02, 0.1, -0.6);
        for degrees in 0..180 {
            let half = 0.3 * half_width(line, Nib::new(0.16, Degrees::new(35.0)), degrees as f32);
            assert!(half > thinnest * 0.999, "{half} at {degrees}");
        }
        // A hairline of the font stays.
        let hairline = LinePen::new(0.0, 0.0, 0.0).swept([3.0, 0.0], Nib::ROUND, 0.0, 1.0, 0.1);
        assert!((hairline[0] - 3.0).abs() < 1e-4);
    }

    #[test]
    fn the_record_holds_what_it_was_made_of() {
        let line = LinePen::new(0.16, 0.1, -0.5);
        assert!((line.direction() - 0.16).abs() < 0.001 && (line.width_sd() - 0.1).abs() < 0.001);
        assert!((line.scale() + 0.5).abs() < 1e-4 && !line.keeps_outline());
        assert!(LinePen::new(0.0, 0.03, 0.0).keeps_outline());
        let longest = half_width(line, Nib::ROUND, 105.0) / 20.0;
        assert!(longest <= line.most_factor());
    }

    #[test]
    fn free_ends_are_narrower_and_grow_with_the_distance() {
        let field = PenField::new(1, 14.0);
        let end = LineEnd { mean: 0.4, deviation: 0.0, per_px: 0.25 };
        let marks = PenMarks { nib: Nib::ROUND, field, ends: [LineEnd { mean: -0.2, ..end }, end] };
        let line = LinePen::new(0.02, 0.0, 0.0);
        let width = |line: LinePen, end: u32| {
            let [x, _] = line.bend([20.0, 0.0], &marks, [50.0, 50.0], end, 0.1);
            x / line.bend([20.0, 0.0], &marks, [50.0, 50.0], 0, 0.1)[0]
        };
        let ended = line.with_ends(true);
        assert!((ended.scale(), ended.direction()) == (line.scale(), line.direction()));
        let widths = [255, 235, 195].map(|end| width(ended, end));
        assert!((widths[0] - 0.6).abs() < 0.01 && widths[0] < widths[1] && widths[1] < widths[2], "{widths:?}");
        assert!((width(ended, 255 | STARTS) - 1.2).abs() < 0.01, "a start that blots");
        assert!((width(line, 255) - 1.0).abs() < 1e-6, "joined letters have no ends");
        assert!(ended.most_factor() > 1.4 * line.most_factor());
    }
}
