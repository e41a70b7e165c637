//! Draws dots that a font file has as a contour of one point.

use kurbo::{Circle, PathEl, Shape as _};

use super::outline::{Outline, OutlineCommand};

/// How far the outline of a dot may be from a circle, as a share of its radius.
const TOLERANCE: f64 = 0.001;

impl Outline {
    /// The outline with a round dot in place of each contour of one point, in font units; `None` where it encloses
    /// nothing.
    #[must_use]
    pub(super) fn with_dots(self, radius: f64) -> Option<Self> {
        let contours = self.commands.split_inclusive(|command| matches!(command, OutlineCommand::Close));
        let mut commands = Vec::with_capacity(self.commands.len());
        for contour in contours {
            match point_of(contour) {
                Some(at) => {
                    // Wound as the outer contours of TrueType fonts, clockwise with y up.
                    let circle = Circle::new(at, radius).to_path(TOLERANCE * radius).reverse_subpaths();
                    commands.extend(circle.elements().iter().map(|element| OutlineCommand::from(*element)));
                }
                None => commands.extend_from_slice(contour),
            }
        }
        Self::new(commands)
    }
}

/// The only point of a contour.
fn point_of(contour: &[OutlineCommand]) -> Option<kurbo::Point> {
    let end = |command: &OutlineCommand| PathEl::from(*command).end_point();
    let first = end(contour.first()?)?;
    contour.iter().filter_map(end).all(|at| at == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use kurbo::BezPath;

    use super::*;
    use crate::geometry::Point;
    use crate::units::FontUnits;

    #[test]
    fn a_contour_of_one_point_is_a_round_dot_and_others_stay() {
        let at = |x: f64, y: f64| Point::new(FontUnits::new(x), FontUnits::new(y));
        let stem = [
            OutlineCommand::MoveTo(at(0.0, 0.0)),
            OutlineCommand::LineTo(at(0.0, 300.0)),
            OutlineCommand::LineTo(at(20.0, 300.0)),
            OutlineCommand::Close,
        ];
        let point =
            [OutlineCommand::MoveTo(at(10.0, 400.0)), OutlineCommand::LineTo(at(10.0, 400.0)), OutlineCommand::Close];
        let outline = Outline::new([&stem[..], &point[..]].concat()).unwrap().with_dots(15.0).unwrap();
        assert_eq!(outline.commands[..4], stem);
        let dot: BezPath = outline.commands[4..].iter().map(|command| PathEl::from(*command)).collect();
        let stem: BezPath = stem.iter().map(|command| PathEl::from(*command)).collect();
        assert!((dot.area().abs() / (std::f64::consts::PI * 225.0) - 1.0).abs() < 0.002);
        assert!(dot.area() * stem.area() > 0.0, "both are wound alike");
        let part = outline.top_part().unwrap();
        assert!(part.ink.into_iter().zip([-5.0, 385.0, 25.0, 415.0]).all(|(a, b)| (a - b).abs() < 0.1), "{part:?}");
        assert!((part.below[0][1] - 300.0).abs() < 1e-9);
        assert!(part.below[1][0].abs() < 1e-9 && (part.below[2][0] - 20.0).abs() < 1e-9, "{part:?}");
    }
}
