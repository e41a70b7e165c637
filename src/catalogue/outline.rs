//! A glyph's contours, and the exact bounding box of their ink.

use kurbo::{ParamCurve as _, ParamCurveExtrema as _, PathEl, PathSeg};

use crate::geometry::{Point, Rect};
use crate::units::FontUnits;

/// One command of a contour, in font units, y up. Every contour starts with `MoveTo` and ends with `Close`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutlineCommand {
    /// Starts a contour.
    MoveTo(Point<FontUnits>),
    /// A straight edge to the point.
    LineTo(Point<FontUnits>),
    /// A quadratic Bézier: control point, end point.
    QuadTo(Point<FontUnits>, Point<FontUnits>),
    /// A cubic Bézier: two control points, end point.
    CubicTo(Point<FontUnits>, Point<FontUnits>, Point<FontUnits>),
    /// Closes the contour with a straight edge to its start.
    Close,
}

impl From<OutlineCommand> for PathEl {
    fn from(command: OutlineCommand) -> Self {
        let point = |at: Point<FontUnits>| kurbo::Point::new(at.x.get(), at.y.get());
        match command {
            OutlineCommand::MoveTo(to) => Self::MoveTo(point(to)),
            OutlineCommand::LineTo(to) => Self::LineTo(point(to)),
            OutlineCommand::QuadTo(control, to) => Self::QuadTo(point(control), point(to)),
            OutlineCommand::CubicTo(first, second, to) => Self::CurveTo(point(first), point(second), point(to)),
            OutlineCommand::Close => Self::ClosePath,
        }
    }
}

impl From<PathEl> for OutlineCommand {
    fn from(element: PathEl) -> Self {
        let point = |at: kurbo::Point| Point::new(FontUnits::new(at.x), FontUnits::new(at.y));
        match element {
            PathEl::MoveTo(to) => Self::MoveTo(point(to)),
            PathEl::LineTo(to) => Self::LineTo(point(to)),
            PathEl::QuadTo(control, to) => Self::QuadTo(point(control), point(to)),
            PathEl::CurveTo(first, second, to) => Self::CubicTo(point(first), point(second), point(to)),
            PathEl::ClosePath => Self::Close,
        }
    }
}

/// A glyph's contours with the exact box of their ink.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The contours, for the non-zero fill rule.
    pub commands: Vec<OutlineCommand>,
    /// The tightest box around the curves themselves (not their control points), y up.
    pub ink: Rect<FontUnits>,
}

/// The topmost part of a glyph, such as a dot, in font units from the glyph's origin, y up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopPart {
    /// The highest ink below it; the left and right end of what is at most as far below it as the part is high, or as
    /// white is between.
    pub below: [[f64; 2]; 3],
    /// Left, bottom, right and top of its ink.
    pub ink: [f64; 4],
}

impl Outline {
    /// The outline of these contours; `None` where they enclose nothing.
    #[must_use]
    pub fn new(commands: Vec<OutlineCommand>) -> Option<Self> {
        let ink = ink_of(&commands)?;
        (ink.min.x < ink.max.x && ink.min.y < ink.max.y).then_some(Self { commands, ink })
    }

    /// Number of lines and curves of the contours, without those that close them: about as many as the file has points.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.edges().count()
    }

    /// The lines and curves of the contours, without those that close them.
    pub(super) fn edges(&self) -> impl Iterator<Item = PathSeg> {
        edges_of(&self.commands)
    }

    /// The topmost range of heights without ink between two parts of the glyph: its lower and upper end.
    #[must_use]
    pub fn topmost_gap(&self) -> Option<[f64; 2]> {
        topmost_gap(self.heights().collect())
    }

    /// The topmost part that white separates from the rest; `None` of a glyph in one piece.
    pub(super) fn top_part(&self) -> Option<TopPart> {
        let [below, above] = self.topmost_gap()?;
        let contours = self.commands.split(|command| matches!(command, OutlineCommand::Close));
        let inks: Vec<Rect<FontUnits>> = contours.filter_map(ink_of).filter(|ink| ink.min.y.get() >= above).collect();
        let ends = |of: &dyn Fn(&Rect<FontUnits>) -> FontUnits| {
            inks.iter()
                .map(|ink| of(ink).get())
                .fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)))
        };
        let (left, right) = (ends(&|ink| ink.min.x).0, ends(&|ink| ink.max.x).1);
        let top = self.ink.max.y.get();
        let near = below - (top - above).max(above - below);
        let rest: Vec<kurbo::Point> = self.points().filter(|at| at.y <= below + 1e-6 && at.y >= near).collect();
        let farthest = |along: &dyn Fn(&kurbo::Point) -> f64| {
            rest.iter().max_by(|a, b| along(a).total_cmp(&along(b))).map(|at| [at.x, at.y])
        };
        let below = [farthest(&|at| at.y)?, farthest(&|at| -at.x)?, farthest(&|at| at.x)?];
        Some(TopPart { below, ink: [left, above, right, top] })
    }

    /// The point farthest to the right between two heights, to within a sixteenth of an edge.
    pub(super) fn right_end_between(&self, low: f64, high: f64) -> Option<[f64; 2]> {
        let lower = self.points().filter(|at| (low..=high).contains(&at.y));
        lower.max_by(|a, b| a.x.total_cmp(&b.x)).map(|at| [at.x, at.y])
    }

    /// Points along the contours, sixteen on each edge.
    fn points(&self) -> impl Iterator<Item = kurbo::Point> {
        self.edges().flat_map(|edge| (0..=16_u8).map(move |step| edge.eval(f64::from(step) / 16.0)))
    }

    /// The lowest range of heights without ink between two parts of the glyph: its lower and upper end.
    #[must_use]
    pub fn lowest_gap(&self) -> Option<[f64; 2]> {
        let upside_down = self.heights().map(|[low, high]| [-high, -low]);
        topmost_gap(upside_down.collect()).map(|[low, high]| [-high, -low])
    }

    /// The lowest and highest ink of each contour.
    fn heights(&self) -> impl Iterator<Item = [f64; 2]> {
        let contours = self.commands.split(|command| matches!(command, OutlineCommand::Close));
        contours.filter_map(ink_of).map(|ink| [ink.min.y.get(), ink.max.y.get()])
    }

    /// The highest ink between two distances from the origin, to within a sixteenth of an edge.
    #[must_use]
    pub fn highest_between(&self, left: f64, right: f64) -> Option<f64> {
        self.points().filter(|at| (left..=right).contains(&at.x)).map(|at| at.y).reduce(f64::max)
    }
}

/// The topmost gap between parts with these lowest and highest points.
fn topmost_gap(mut heights: Vec<[f64; 2]>) -> Option<[f64; 2]> {
    heights.sort_by(|a, b| b[1].total_cmp(&a[1]));
    let mut bottom = heights.first()?[0];
    for [low, high] in heights {
        if high < bottom {
            return Some([high, bottom]);
        }
        bottom = bottom.min(low);
    }
    None
}

/// The lines and curves of contours, without those that close them.
fn edges_of(commands: &[OutlineCommand]) -> impl Iterator<Item = PathSeg> {
    let is_drawn = |command: &&OutlineCommand| !matches!(command, OutlineCommand::Close);
    kurbo::segments(commands.iter().filter(is_drawn).map(|command| PathEl::from(*command)))
}

/// The tightest box around all curves; `None` without any edge.
fn ink_of(commands: &[OutlineCommand]) -> Option<Rect<FontUnits>> {
    let ink = edges_of(commands).map(|edge| edge.bounding_box()).reduce(|one, other| one.union(other))?;
    let at = |x: f64, y: f64| Point::new(FontUnits::new(x), FontUnits::new(y));
    Some(Rect { min: at(ink.x0, ink.y0), max: at(ink.x1, ink.y1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Point<FontUnits> {
        Point::new(FontUnits::new(x), FontUnits::new(y))
    }

    fn near(ink: [f64; 4], expected: [f64; 4]) -> bool {
        ink.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    fn ink(commands: &[OutlineCommand]) -> [f64; 4] {
        let ink = Outline::new(commands.to_vec()).unwrap().ink;
        [ink.min.x.get(), ink.min.y.get(), ink.max.x.get(), ink.max.y.get()]
    }

    #[test]
    fn the_ink_of_a_quadratic_ends_at_its_turning_point() {
        let arch = [
            OutlineCommand::MoveTo(at(0.0, 0.0)),
            OutlineCommand::QuadTo(at(50.0, 100.0), at(100.0, 0.0)),
            OutlineCommand::Close,
        ];
        assert!(near(ink(&arch), [0.0, 0.0, 100.0, 50.0]));
    }

    #[test]
    fn the_ink_of_a_cubic_ends_at_its_turning_points() {
        let wave = [
            OutlineCommand::MoveTo(at(0.0, 0.0)),
            OutlineCommand::CubicTo(at(0.0, 100.0), at(100.0, 100.0), at(100.0, 0.0)),
            OutlineCommand::Close,
        ];
        assert!(near(ink(&wave), [0.0, 0.0, 100.0, 75.0]));
        let swing = [
            OutlineCommand::MoveTo(at(0.0, 0.0)),
            OutlineCommand::CubicTo(at(10.0, 100.0), at(20.0, -100.0), at(30.0, 0.0)),
            OutlineCommand::Close,
        ];
        let top = 50.0 / 3.0_f64.sqrt();
        assert!(near(ink(&swing), [0.0, -top, 30.0, top]));
    }

    #[test]
    fn a_turning_point_is_never_missed_by_sampling() {
        let points = [at(3.0, -7.0), at(91.0, 40.0), at(-60.0, 55.0), at(20.0, 11.0)];
        let [x0, y0, x1, y1] =
            ink(&[OutlineCommand::MoveTo(points[0]), OutlineCommand::CubicTo(points[1], points[2], points[3])]);
        let (mut sx, mut sy) = ((f64::MAX, f64::MIN), (f64::MAX, f64::MIN));
        let include = |extent: &mut (f64, f64), value: f64| *extent = (extent.0.min(value), extent.1.max(value));
        for step in 0..=100_000 {
            let t = f64::from(step) / 100_000.0;
            let s = 1.0 - t;
            let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
            include(&mut sx, weights.iter().zip(points).map(|(w, p)| w * p.x.get()).sum());
            include(&mut sy, weights.iter().zip(points).map(|(w, p)| w * p.y.get()).sum());
        }
        for (exact, sampled) in [(x0, sx.0), (x1, sx.1), (y0, sy.0), (y1, sy.1)] {
            assert!((exact - sampled).abs() < 1e-6, "{exact} {sampled}");
        }
    }

    #[test]
    fn contours_that_enclose_nothing_are_blank() {
        assert_eq!(Outline::new(vec![]), None);
        assert_eq!(Outline::new(vec![OutlineCommand::MoveTo(at(5.0, 5.0)), OutlineCommand::Close]), None);
        let flat =
            vec![OutlineCommand::MoveTo(at(0.0, 5.0)), OutlineCommand::LineTo(at(9.0, 5.0)), OutlineCommand::Close];
        assert_eq!(Outline::new(flat), None);
    }
}
