//! Points, boxes and extents over the lengths of `units`, and paths of lines and cubics.
//!
//! y points down unless a type says otherwise. `path` has the commands of a path. `fit` makes paths of polygons, in work
//! that grows with the number of their points alone. Only `units` lies below this module, which knows no fonts, pages or
//! files.

mod fit;
mod path;

use std::ops::{Add, Sub};

pub use fit::{append_contour, append_line, is_turn};
pub use path::{PathCommand, polygons};

use crate::units::Px;

/// A point, or the vector to it from the origin, in unit `T`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point<T> {
    /// To the right.
    pub x: T,
    /// Downwards on pages and devices, upwards in fonts.
    pub y: T,
}

impl<T> Point<T> {
    /// The point at (`x`, `y`).
    pub const fn new(x: T, y: T) -> Self {
        Self { x, y }
    }
}

impl<T: Add<Output = T>> Add for Point<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl<T: Sub<Output = T>> Sub for Point<T> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Point<Px> {
    /// The point turned clockwise on the page about `centre`, by the angle of this sine and cosine.
    #[must_use]
    pub fn turned(self, centre: Self, (sin, cos): (f64, f64)) -> Self {
        let Self { x, y } = self - centre;
        centre + Self::new(x * cos - y * sin, x * sin + y * cos)
    }
}

/// Width and height in unit `T`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size<T> {
    /// Extent in x.
    pub width: T,
    /// Extent in y.
    pub height: T,
}

/// A box with `min` ≤ `max` on both axes, in unit `T`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect<T> {
    /// The corner of the smallest coordinates.
    pub min: Point<T>,
    /// The corner of the largest coordinates.
    pub max: Point<T>,
}

impl<T: Copy + PartialOrd> Rect<T> {
    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            min: Point::new(lesser(self.min.x, other.min.x), lesser(self.min.y, other.min.y)),
            max: Point::new(greater(self.max.x, other.max.x), greater(self.max.y, other.max.y)),
        }
    }

    /// Whether the boxes share a point, be it on an edge.
    #[must_use]
    pub fn touches(self, other: Self) -> bool {
        let apart = |a: Self, b: Self| a.max.x < b.min.x || a.max.y < b.min.y;
        !apart(self, other) && !apart(other, self)
    }
}

impl<T> Rect<T> {
    /// The box between its corners, mapped.
    #[must_use]
    pub fn map<U>(self, corner: impl Fn(Point<T>) -> Point<U>) -> Rect<U> {
        Rect { min: corner(self.min), max: corner(self.max) }
    }
}

impl<T: Copy + Sub<Output = T>> Rect<T> {
    /// Its extent in x.
    #[must_use]
    pub fn width(self) -> T {
        self.max.x - self.min.x
    }

    /// Its extent in y.
    #[must_use]
    pub fn height(self) -> T {
        self.max.y - self.min.y
    }
}

fn lesser<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

fn greater<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

impl<T: Copy + Add<Output = T>> Rect<T> {
    /// The same box moved by `offset`.
    #[must_use]
    pub fn translated(self, offset: Point<T>) -> Self {
        Self { min: self.min + offset, max: self.max + offset }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Rect<Px> {
        Rect { min: Point::new(Px::new(x0), Px::new(y0)), max: Point::new(Px::new(x1), Px::new(y1)) }
    }

    #[test]
    fn a_union_holds_both_boxes() {
        assert_eq!(rect(0.0, 1.0, 2.0, 3.0).union(rect(-1.0, 2.0, 1.0, 4.0)), rect(-1.0, 1.0, 2.0, 4.0));
    }

    #[test]
    fn boxes_touch_where_they_overlap_or_share_an_edge() {
        let other = rect(1.0, 2.0, 9.0, 9.0);
        for (right, bottom, touches) in [(3.0, 3.0, true), (1.0, 2.0, true), (0.5, 3.0, false), (3.0, 1.5, false)] {
            let one = rect(0.0, 0.0, right, bottom);
            assert_eq!((one.touches(other), other.touches(one)), (touches, touches), "{one:?}");
        }
    }

    #[test]
    fn a_translated_box_keeps_its_size() {
        assert_eq!(
            rect(0.0, 0.0, 1.0, 1.0).translated(Point::new(Px::new(5.0), Px::new(-2.0))),
            rect(5.0, -2.0, 6.0, -1.0)
        );
    }
}
