//! Outlines of ink as polygons.

use crate::own_hand::page::Place;

/// A closed polygon, in mm from the left of a box and from its baseline, y upwards. Outer ones are clockwise, holes are
/// not.
pub(in crate::own_hand) type Contour = Vec<Place>;

/// Left, bottom, right and top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::own_hand) struct Bounds {
    pub(in crate::own_hand) left: f64,
    pub(in crate::own_hand) bottom: f64,
    pub(in crate::own_hand) right: f64,
    pub(in crate::own_hand) top: f64,
}

impl Bounds {
    pub(in crate::own_hand) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(in crate::own_hand) fn height(&self) -> f64 {
        self.top - self.bottom
    }

    pub(in crate::own_hand) fn middle(&self) -> Place {
        [f64::midpoint(self.left, self.right), f64::midpoint(self.bottom, self.top)]
    }
}

/// The box around polygons; empty at the origin of none.
pub(in crate::own_hand) fn bounds<'a>(contours: impl IntoIterator<Item = &'a Contour>) -> Bounds {
    let none = Bounds { left: f64::MAX, bottom: f64::MAX, right: f64::MIN, top: f64::MIN };
    let found = contours.into_iter().flatten().fold(none, |known, [x, y]| Bounds {
        left: known.left.min(*x),
        bottom: known.bottom.min(*y),
        right: known.right.max(*x),
        top: known.top.max(*y),
    });
    if found.left > found.right { Bounds { left: 0.0, bottom: 0.0, right: 0.0, top: 0.0 } } else { found }
}

/// The area of a polygon, negative of a clockwise one as y points upwards.
pub(in crate::own_hand) fn signed_area(contour: &[Place]) -> f64 {
    edges(contour).map(|(one, other)| one[0] * other[1] - other[0] * one[1]).sum::<f64>() / 2.0
}

/// The ends of each edge of a polygon.
fn edges(contour: &[Place]) -> impl Iterator<Item = (&Place, &Place)> {
    contour.iter().zip(contour.iter().skip(1).chain(contour.first()))
}

/// Whether a place is inside of polygons, where they wind around it an odd number of times.
pub(in crate::own_hand) fn is_within<'a>(contours: impl IntoIterator<Item = &'a Contour>, [x, y]: Place) -> bool {
    let crosses = |one: &Place, other: &Place| {
        (one[1] > y) != (other[1] > y) && x < one[0] + (y - one[1]) / (other[1] - one[1]) * (other[0] - one[0])
    };
    let crossings = |contour: &'a Contour| edges(contour).filter(|(one, other)| crosses(one, other)).count();
    contours.into_iter().map(crossings).sum::<usize>() % 2 == 1
}
