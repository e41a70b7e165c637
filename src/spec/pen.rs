//! The pen of a page.

use crate::named::named;
use crate::units::{Degrees, Mm};

named! {
    /// `pen`: what the page is written with.
    #[derive(Default)]
    pub enum PenKind {
        /// Solid ink in the outlines of the font.
        #[default]
        AsDesigned = "as_designed",
        /// A ballpoint pen.
        Ballpoint = "ballpoint",
        /// A gel pen.
        Gel = "gel",
        /// A fibre tip, worn oblong.
        Felt = "felt",
        /// A fountain pen with a slightly flat nib.
        Fountain = "fountain",
        /// A pen with a broad flat nib.
        Broad = "broad",
        /// A pencil.
        Pencil = "pencil",
    }
}

impl PenKind {
    /// Whether its nib has a direction.
    #[must_use]
    pub const fn has_angle(self) -> bool {
        matches!(self, Self::Felt | Self::Fountain | Self::Broad)
    }
}

/// `pen` and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenUse {
    /// The pen.
    pub kind: PenKind,
    /// Width of its line, 0.1 to 3 mm; `None` for that of the pen.
    pub width: Option<Mm>,
    /// Angle of the nib's longer axis above the baseline, -90 to 90; `None` for that of the pen.
    pub angle: Option<Degrees>,
    /// Factor of all that varies, 0 (as designed) to 2.
    pub strength: f64,
}

impl Default for PenUse {
    fn default() -> Self {
        Self { kind: PenKind::default(), width: None, angle: None, strength: Self::USUAL_STRENGTH }
    }
}

impl PenUse {
    /// `pen_strength` when it is left out.
    pub(super) const USUAL_STRENGTH: f64 = 1.0;

    /// The pen, if it changes the ink.
    #[must_use]
    pub fn in_use(self) -> Option<Self> {
        (self.kind != PenKind::AsDesigned && self.strength > 0.0).then_some(self)
    }

    /// Its fields that have no effect, whatever is written, and why.
    #[must_use]
    pub fn without_effect(self) -> Vec<(&'static str, &'static str)> {
        let is_own_strength = (self.strength - Self::USUAL_STRENGTH).abs() > 0.0;
        let width = self.width.map(|_| "pen_width_mm");
        let angle = self.angle.map(|_| "pen_angle");
        let strength = is_own_strength.then_some("pen_strength");
        if self.kind == PenKind::AsDesigned {
            return [width, angle, strength]
                .into_iter()
                .flatten()
                .map(|field| (field, "pen is 'as_designed'"))
                .collect();
        }
        if self.strength <= 0.0 {
            return [width, angle].into_iter().flatten().map(|field| (field, "pen_strength is 0")).collect();
        }
        let round = angle.filter(|_| !self.kind.has_angle());
        round.map(|field| (field, "the tip of this pen is round")).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pen_without_strength_and_one_as_designed_change_nothing() {
        let pen = PenUse { kind: PenKind::Gel, ..PenUse::default() };
        assert!(pen.in_use().is_some());
        assert_eq!(PenUse { strength: 0.0, ..pen }.in_use(), None);
        assert_eq!(PenUse::default().in_use(), None);
    }

    #[test]
    fn fields_without_effect_are_named() {
        let fields = |kind, angle, strength| {
            let pen = PenUse { kind, width: Some(Mm::new(0.5)), angle, strength };
            pen.without_effect().into_iter().map(|(field, _)| field).collect::<Vec<_>>()
        };
        let angle = Some(Degrees::new(30.0));
        assert_eq!(fields(PenKind::AsDesigned, angle, 2.0), ["pen_width_mm", "pen_angle", "pen_strength"]);
        assert_eq!(fields(PenKind::Felt, angle, 0.0), ["pen_width_mm", "pen_angle"]);
        assert_eq!(fields(PenKind::Ballpoint, angle, 2.0), ["pen_angle"]);
        assert_eq!(fields(PenKind::Broad, angle, 2.0), Vec::<&str>::new());
        assert_eq!(PenUse::default().without_effect(), []);
    }
}
