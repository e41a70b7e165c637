//! Points, boxes and extents over the lengths of `units`. y points down unless a type says otherwise.

use std::ops::{Add, Sub};

/// A point, or the vector to it from the origin, in unit `T`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// Width and height in unit `T`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size<T> {
    /// Extent in x.
    pub width: T,
    /// Extent in y.
    pub height: T,
}

/// A box with `min` ≤ `max` on both axes, in unit `T`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

    /// What both boxes cover, or `None` where they do not even touch.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let min = Point::new(greater(self.min.x, other.min.x), greater(self.min.y, other.min.y));
        let max = Point::new(lesser(self.max.x, other.max.x), lesser(self.max.y, other.max.y));
        (min.x <= max.x && min.y <= max.y).then_some(Self { min, max })
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
    use crate::units::Px;

    fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Rect<Px> {
        Rect { min: Point::new(Px::new(x0), Px::new(y0)), max: Point::new(Px::new(x1), Px::new(y1)) }
    }

    #[test]
    fn a_union_holds_both_boxes() {
        assert_eq!(rect(0.0, 1.0, 2.0, 3.0).union(rect(-1.0, 2.0, 1.0, 4.0)), rect(-1.0, 1.0, 2.0, 4.0));
    }

    #[test]
    fn an_intersection_is_what_both_boxes_cover() {
        let other = rect(1.0, 2.0, 9.0, 9.0);
        assert_eq!(rect(0.0, 0.0, 3.0, 3.0).intersection(other), Some(rect(1.0, 2.0, 3.0, 3.0)));
        assert_eq!(rect(0.0, 0.0, 0.5, 3.0).intersection(other), None);
    }

    #[test]
    fn a_translated_box_keeps_its_size() {
        assert_eq!(
            rect(0.0, 0.0, 1.0, 1.0).translated(Point::new(Px::new(5.0), Px::new(-2.0))),
            rect(5.0, -2.0, 6.0, -1.0)
        );
    }
}
