//! The effects that make a page look written.

use crate::units::{Degrees, Px};

/// The effects that are on. `None` is off. A parameter without its flag is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effects {
    /// `enable_word_rotation`.
    pub word_rotation: Option<WordRotation>,
    /// `enable_natural_variation`.
    pub natural_variation: Option<NaturalVariation>,
    /// `enable_random_indentation`.
    pub random_indentation: Option<RandomIndentation>,
    /// `enable_ink_flow`.
    pub ink_flow: Option<InkFlow>,
    /// `enable_writer_variation`.
    pub writer_variation: Option<WriterVariation>,
}

impl Effects {
    /// The field of an effect that outlines cannot show, and why.
    #[must_use]
    pub fn hides_outlines(&self) -> Option<(&'static str, &'static str)> {
        let grain = self.natural_variation.filter(|variation| variation.is_grain());
        grain.map(|_| ("natural_variation_sigma", "below 2 the ink is grain; use a sigma of 2 or more"))
    }

    /// Whether letters have outlines of their own, each another one.
    #[must_use]
    pub fn bends_outlines(&self) -> bool {
        self.natural_variation.is_some_and(|variation| variation.alpha > 0)
            || self.writer_variation.is_some_and(|variation| variation.strength > 0.0)
    }
}

/// Rotates each word about the centre of its baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordRotation {
    /// Largest angle either way, 0 to 10.
    pub range: Degrees,
}

/// Elastic distortion of the ink (Simard, Steinkraus, Platt 2003).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaturalVariation {
    /// Intensity, 0 to 100.
    pub alpha: u8,
    /// Standard deviation of the smoothing Gaussian in 300-DPI px, 0 to 10.
    pub sigma: u8,
}

impl NaturalVariation {
    /// Up to this sigma the field is grain.
    const SMOOTHEST_GRAIN: u8 = 1;

    /// Largest displacement along either axis at intensity 1, by sigma, in px.
    const LARGEST: [f64; 11] = [1.0, 0.6997, 0.3812, 0.2351, 0.1794, 0.1351, 0.1020, 0.0829, 0.0860, 0.0764, 0.0684];

    /// The farthest that it moves ink along either axis: a little more than the largest displacement.
    #[must_use]
    pub fn reach(self) -> Px {
        let largest = Self::LARGEST.get(usize::from(self.sigma)).copied().unwrap_or_default();
        // A px for interpolation and rounding.
        Px::new(if self.alpha == 0 { 0.0 } else { f64::from(self.alpha) * largest + 1.0 })
    }

    /// Whether it displaces pixels by themselves, as grain. Above, outlines can follow it.
    #[must_use]
    pub const fn is_grain(self) -> bool {
        self.alpha > 0 && self.sigma <= Self::SMOOTHEST_GRAIN
    }
}

/// Indents each line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomIndentation {
    /// Largest indentation, 0 to 100 px.
    pub range: Px,
}

/// Ink that fades along the writing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InkFlow {
    /// 0 (identity) to 3.
    pub intensity: f64,
}

/// Varies letters, gaps and lines like one writer's hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WriterVariation {
    /// Factor of all standard deviations, 0 (identity) to 2.
    pub strength: f64,
}
