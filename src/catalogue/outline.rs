//! A glyph's contours, and the exact bounding box of their ink.

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

/// A glyph's contours with the exact box of their ink.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The contours, for the non-zero fill rule.
    pub commands: Vec<OutlineCommand>,
    /// The tightest box around the curves themselves (not their control points), y up.
    pub ink: Rect<FontUnits>,
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
        let is_segment =
            |command: &&OutlineCommand| !matches!(command, OutlineCommand::MoveTo(_) | OutlineCommand::Close);
        self.commands.iter().filter(is_segment).count()
    }

    /// The topmost range of heights without ink between two parts of the glyph: its lower and upper end.
    #[must_use]
    pub fn topmost_gap(&self) -> Option<[f64; 2]> {
        let contours = self.commands.split(|command| matches!(command, OutlineCommand::Close));
        let inks = contours.filter_map(ink_of).map(|ink| [ink.min.y.get(), ink.max.y.get()]);
        let mut heights: Vec<[f64; 2]> = inks.collect();
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
}

/// The tightest box around all curves; `None` without any edge.
fn ink_of(commands: &[OutlineCommand]) -> Option<Rect<FontUnits>> {
    let mut bounds = Bounds::EMPTY;
    let mut at = Point::default();
    for command in commands {
        match *command {
            OutlineCommand::MoveTo(to) => at = to,
            OutlineCommand::LineTo(to) => {
                bounds.add_line(at, to);
                at = to;
            }
            OutlineCommand::QuadTo(control, to) => {
                bounds.add_quadratic(at, control, to);
                at = to;
            }
            OutlineCommand::CubicTo(first, second, to) => {
                bounds.add_cubic([at, first, second, to]);
                at = to;
            }
            OutlineCommand::Close => {}
        }
    }
    (bounds.x.0 <= bounds.x.1).then(|| Rect {
        min: Point::new(FontUnits::new(bounds.x.0), FontUnits::new(bounds.y.0)),
        max: Point::new(FontUnits::new(bounds.x.1), FontUnits::new(bounds.y.1)),
    })
}

/// Least and largest coordinate of an axis.
type Extent = (f64, f64);

struct Bounds {
    x: Extent,
    y: Extent,
}

impl Bounds {
    const EMPTY: Self = Self { x: (f64::INFINITY, f64::NEG_INFINITY), y: (f64::INFINITY, f64::NEG_INFINITY) };

    fn add_line(&mut self, from: Point<FontUnits>, to: Point<FontUnits>) {
        for point in [from, to] {
            include(&mut self.x, point.x.get());
            include(&mut self.y, point.y.get());
        }
    }

    fn add_quadratic(&mut self, from: Point<FontUnits>, control: Point<FontUnits>, to: Point<FontUnits>) {
        self.add_line(from, to);
        include_quadratic(&mut self.x, [from.x.get(), control.x.get(), to.x.get()]);
        include_quadratic(&mut self.y, [from.y.get(), control.y.get(), to.y.get()]);
    }

    fn add_cubic(&mut self, points: [Point<FontUnits>; 4]) {
        self.add_line(points[0], points[3]);
        include_cubic(&mut self.x, points.map(|point| point.x.get()));
        include_cubic(&mut self.y, points.map(|point| point.y.get()));
    }
}

fn include(extent: &mut Extent, value: f64) {
    extent.0 = extent.0.min(value);
    extent.1 = extent.1.max(value);
}

/// Adds the turning point of a quadratic: where its derivative `2((control − start) + t(start − 2·control + end))` is
/// zero inside (0, 1).
fn include_quadratic(extent: &mut Extent, [start, control, end]: [f64; 3]) {
    let t = (start - control) / (start - 2.0 * control + end);
    if t > 0.0 && t < 1.0 {
        let s = 1.0 - t;
        include(extent, s * s * start + 2.0 * s * t * control + t * t * end);
    }
}

/// Adds the turning points of a cubic: the roots of its derivative `3(square·t² + 2·half·t + constant)` inside (0, 1).
fn include_cubic(extent: &mut Extent, [start, first, second, end]: [f64; 4]) {
    let square = end - 3.0 * second + 3.0 * first - start;
    let half = start - 2.0 * first + second;
    let constant = first - start;
    let discriminant = half * half - square * constant;
    if discriminant < 0.0 {
        return;
    }
    // The stable pair of roots: neither form divides two nearly equal differences.
    let larger = -(half + half.signum() * discriminant.sqrt());
    for t in [larger / square, constant / larger] {
        if t > 0.0 && t < 1.0 {
            let s = 1.0 - t;
            include(extent, s * s * s * start + 3.0 * s * s * t * first + 3.0 * s * t * t * second + t * t * t * end);
        }
    }
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
