//! The effects that make a page look written.

use super::pen::PenUse;
use crate::units::{Degrees, Px};

/// The effects that are on. `None` is off. A parameter without its flag is ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effects {
    /// `enable_word_rotation`: each word turns about the centre of its baseline by at most this angle either way, 0 to
    /// 10.
    pub word_rotation: Option<Degrees>,
    /// `enable_natural_variation`.
    pub natural_variation: Option<NaturalVariation>,
    /// `enable_random_indentation`: each line is indented by at most this, 0 to 100 px.
    pub random_indentation: Option<Px>,
    /// `enable_ink_flow`.
    pub ink_flow: Option<InkFlow>,
    /// `enable_writer_variation`.
    pub writer_variation: Option<WriterVariation>,
    /// `pen`.
    pub pen: PenUse,
}

/// What later stages must know of an effect that changes the ink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffectFacts {
    /// Factor by which it makes the drawing of pixels more expensive.
    pub cost: f64,
    /// Whether it gives every letter an outline of its own.
    pub bends_outlines: bool,
    /// Whether ink is not flat, so that pictures compress less.
    pub is_uneven: bool,
    /// The field that keeps outlines from showing it, and why.
    pub hides_outlines: Option<(&'static str, &'static str)>,
    /// The field of an effect that paths of one colour cannot show.
    pub needs_tints: Option<&'static str>,
}

impl EffectFacts {
    /// Of an effect that costs nothing and that every file shows.
    const NONE: Self =
        Self { cost: 1.0, bends_outlines: false, is_uneven: false, hides_outlines: None, needs_tints: None };
}

impl Effects {
    /// The facts of the effects that change the ink of this page. Rotation and indents only move it.
    pub fn facts(&self) -> impl Iterator<Item = EffectFacts> {
        let natural_variation = self.natural_variation.and_then(NaturalVariation::facts);
        let (ink_flow, writer) = (self.ink_flow.and_then(InkFlow::facts), self.writer_variation);
        [natural_variation, ink_flow, writer.and_then(WriterVariation::facts), pen_facts(self.pen)]
            .into_iter()
            .flatten()
    }

    /// The field of an effect that outlines cannot show, and why.
    #[must_use]
    pub fn hides_outlines(&self) -> Option<(&'static str, &'static str)> {
        self.facts().find_map(|facts| facts.hides_outlines)
    }

    /// Whether letters have outlines of their own, each another one.
    #[must_use]
    pub fn bends_outlines(&self) -> bool {
        self.facts().any(|facts| facts.bends_outlines)
    }
}

/// The facts of a pen in use.
fn pen_facts(pen: PenUse) -> Option<EffectFacts> {
    pen.in_use().map(|_| EffectFacts { cost: 1.5, bends_outlines: true, is_uneven: true, ..EffectFacts::NONE })
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

    fn facts(self) -> Option<EffectFacts> {
        let is_grain = self.is_grain();
        let reason = "below 2 the ink is grain; use a sigma of 2 or more";
        (self.alpha > 0).then_some(EffectFacts {
            cost: if is_grain { 2.0 } else { 1.5 },
            bends_outlines: true,
            is_uneven: is_grain,
            hides_outlines: is_grain.then_some(("natural_variation_sigma", reason)),
            ..EffectFacts::NONE
        })
    }
}

/// Ink that fades along the writing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InkFlow {
    /// 0 (identity) to 3.
    pub intensity: f64,
}

impl InkFlow {
    /// Whether it changes ink of this pen: up to an intensity of 1 a pen has its own tone instead.
    #[must_use]
    pub fn fades(self, pen: Option<PenUse>) -> bool {
        self.intensity > if pen.is_some() { 1.0 } else { 0.0 }
    }

    fn facts(self) -> Option<EffectFacts> {
        let needs_tints = Some("enable_ink_flow");
        (self.intensity > 0.0).then_some(EffectFacts { cost: 1.25, is_uneven: true, needs_tints, ..EffectFacts::NONE })
    }
}

/// Varies letters, gaps and lines like one writer's hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WriterVariation {
    /// Factor of all standard deviations, 0 (identity) to 2.
    pub strength: f64,
}

impl WriterVariation {
    fn facts(self) -> Option<EffectFacts> {
        (self.strength > 0.0).then_some(EffectFacts { cost: 1.5, bends_outlines: true, ..EffectFacts::NONE })
    }
}
