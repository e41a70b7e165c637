//! The darkness of a pen's ink.

use super::field::PenField;

/// How a pen's ink darkens paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ink {
    /// Ink of the optical depth `depth`: darkness `1 - exp(-depth q)` of a deposit `q`, whose logarithm varies by
    /// `deposit_sd`. `grain` is what the paper varies the darkness by, from page px to page px, as a share.
    Fluid { depth: f64, deposit_sd: f64, grain: f64 },
    /// Graphite on the tooth of the paper, at most `most` dark: `most / (1 + exp(-2 (0.9 ln q + 0.61)))`.
    Graphite { most: f64, deposit_sd: f64, grain: f64 },
}

/// How far graphite follows the deposit, and the tooth that usual pressure reaches: the mean over the width of a stroke.
const GRAPHITE: [f64; 2] = [0.9, 0.61];
/// Half the range of the polynomial, in standard deviations.
const RANGE: f64 = 2.5;

/// The opacity of ink: a polynomial `p` of `z = deviation · field`, the pen's field, plus `grain g p'(z)` with the grain
/// `g` of the paper, the mean of four uniform numbers in [-1, 1]. `p = c₀ + z (c₁ + z (c₂ + z c₃))`, `z` is clamped to
/// `±most`, and the part of the grain to 0..p, the opacity to 0..1. So grain shows where more ink would be darker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// The coefficients.
    pub coefficients: [f32; 4],
    /// Standard deviation of `z`.
    pub deviation: f32,
    /// The grain.
    pub grain: f32,
    /// The largest `z`.
    pub most: f32,
}

impl Ink {
    const fn grain(self) -> f64 {
        match self {
            Self::Fluid { grain, .. } | Self::Graphite { grain, .. } => grain,
        }
    }

    /// Standard deviation of `z` without grain.
    fn deviation(self) -> f64 {
        match self {
            Self::Fluid { deposit_sd, .. } => deposit_sd,
            Self::Graphite { deposit_sd, .. } => GRAPHITE[0] * deposit_sd,
        }
    }

    /// Darkness at `z`.
    fn darkness(self, z: f64) -> f64 {
        match self {
            Self::Fluid { depth, .. } => 1.0 - (-depth * z.exp()).exp(),
            Self::Graphite { most, .. } => most / (1.0 + (-2.0 * (z + GRAPHITE[1])).exp()),
        }
    }
}

impl Tone {
    /// The ink of a pen of this strength. Below 1, it also gets closer to solid ink.
    pub(super) fn new(ink: &Ink, strength: f64) -> Self {
        let usual = ink.darkness(0.0);
        let slope = (ink.darkness(1e-4) - ink.darkness(-1e-4)) / 2e-4;
        let (deviation, grain) = (strength * ink.deviation(), strength * ink.grain() * usual / slope);
        let most = RANGE * deviation.hypot(grain);
        let solid = usual.powf(1.0 - strength.min(1.0));
        Self {
            coefficients: cubic(most, |z| ink.darkness(z) / solid).map(|part| part as f32),
            deviation: deviation as f32,
            // The mean of four uniform numbers in [-1, 1] has a standard deviation of 1/√12.
            grain: (grain * 12.0_f64.sqrt()) as f32,
            most: most as f32,
        }
    }

    /// The opacity where the field and the grain have these values.
    #[must_use]
    pub fn opacity(&self, field: f32, grain: f32) -> f32 {
        let [level, slope, bend, twist] = self.coefficients;
        let z = (self.deviation * field).clamp(-self.most, self.most);
        let smooth = (level + z * (slope + z * (bend + z * twist))).clamp(0.0, 1.0);
        let slope = slope + z * (2.0 * bend + z * 3.0 * twist);
        (smooth + grain * (slope * self.grain).clamp(0.0, smooth)).min(1.0)
    }

    /// The lightest and the darkest smooth opacity, without grain.
    #[must_use]
    pub fn range(&self) -> [f32; 2] {
        [-PenField::MOST, PenField::MOST].map(|field| self.opacity(field, 0.0))
    }
}

/// Coefficients of the cubic through a function at the four Chebyshev nodes of [-most, most], in the power basis.
fn cubic(most: f64, of: impl Fn(f64) -> f64) -> [f64; 4] {
    let node = |index: u32| ((f64::from(2 * index + 1)) * std::f64::consts::PI / 8.0).cos();
    let values = [0, 1, 2, 3].map(|index| of(most * node(index)));
    // Discrete orthogonality of Chebyshev polynomials.
    let part = |order: u32| {
        let sum: f64 =
            (0..4).zip(values).map(|(index, value)| value * (f64::from(order) * node(index).acos()).cos()).sum();
        if order == 0 { sum / 4.0 } else { sum / 2.0 }
    };
    let [zero, one, two, three] = [0, 1, 2, 3].map(part);
    [zero - two, (one - 3.0 * three) / most, 2.0 * two / most.powi(2), 4.0 * three / most.powi(3)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pen::numbers::Numbers;
    use crate::spec::PenKind;

    fn inks() -> impl Iterator<Item = (&'static str, Ink)> {
        let pens = PenKind::NAMES.iter().filter(|(_, kind)| *kind != PenKind::AsDesigned);
        pens.map(|(name, kind)| (*name, Numbers::of(*kind).ink))
    }

    #[test]
    fn the_polynomial_follows_the_ink() {
        for (name, ink) in inks() {
            for strength in [0.5, 1.0, 2.0] {
                let tone = Tone::new(&ink, strength);
                let solid = ink.darkness(0.0).powf(1.0 - strength.min(1.0));
                let error = |step: i32| {
                    let share = f64::from(step) / 100.0;
                    let exact = (ink.darkness(f64::from(tone.most) * share) / solid).clamp(0.0, 1.0);
                    let z = (f64::from(tone.most) * share) as f32;
                    (f64::from(tone.opacity(z / tone.deviation, 0.0)) - exact).abs()
                };
                let worst = (-100..=100).map(error).fold(0.0, f64::max);
                assert!(worst < if strength > 1.0 { 0.08 } else { 0.015 }, "{name} at {strength}: {worst}");
            }
        }
    }

    #[test]
    fn ink_is_darker_where_more_lies_and_never_more_than_solid() {
        for (name, ink) in inks() {
            let tone = Tone::new(&ink, 1.0);
            let along: Vec<f32> = (-100..=100).map(|step| tone.opacity(step as f32 / 33.0, 0.0)).collect();
            assert!(along.windows(2).all(|pair| pair[0] <= pair[1] + 1e-6), "{name}");
            assert!(along.iter().all(|opacity| (0.2..=1.0).contains(opacity)), "{name}: {:?}", tone.range());
        }
    }

    #[test]
    fn little_strength_is_nearly_solid() {
        for (name, ink) in inks() {
            let [lightest, _] = Tone::new(&ink, 0.02).range();
            assert!(lightest > 0.95, "{name}: {lightest}");
        }
    }
}
