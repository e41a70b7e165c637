//! The places of marks on a page: slanting rows around the centre of the page, every other one shifted by half a step.

use super::mark::{ANGLE, Mark, moved};
use crate::geometry::{Point, Size};
use crate::layout::PlacedWord;
use crate::units::Px;

/// Distance of rows.
pub(super) const ROW_STEP: Px = Px::new(250.0);

/// A mark by its row and its position in the row.
pub(super) type Place = (i32, i32);

/// The places of marks on a page.
pub(super) struct Grid {
    pub(in crate::pipeline) size: Size<Px>,
    pub(in crate::pipeline) step: Px,
    /// The shift from the middle, in steps along a row and in rows.
    pub(super) shift: [f64; 2],
    /// Marks that are left out, because another one crosses the same word.
    pub(super) left_out: Vec<Place>,
}

impl Grid {
    /// All marks that reach into the page, from its upper left corner to its lower right one, also those left out.
    pub(in crate::pipeline) fn marks(&self, mark: &Mark) -> impl Iterator<Item = (Place, PlacedWord)> {
        let (axes, Size { width, height }) = (Axes::of(self.size), self.size);
        let half_diagonal = |width: Px, height: Px| Px::new(width.get().hypot(height.get()) / 2.0);
        let (reach, mark_reach) =
            (half_diagonal(width, height), half_diagonal(mark.extent.width(), mark.extent.height()));
        // Shifted marks reach all corners with one more row and column.
        let rows = (reach / ROW_STEP).ceil() as i32 + 1;
        let columns = (reach / self.step).ceil() as i32 + 2;
        let all = (-rows..=rows).flat_map(move |row| (-columns..=columns).map(move |column| (row, column)));
        all.filter_map(move |(row, column)| {
            let at = axes.point(self.centre_in_row((row, column)), self.centre_of_row(row));
            let reaches = |at: Px, side: Px| (-mark_reach..=side + mark_reach).contains(&at);
            (reaches(at.x, width) && reaches(at.y, height)).then(|| ((row, column), moved(&mark.word, at)))
        })
    }

    /// The place of the mark that is nearest to a point, by its distances along the rows and across them.
    pub(super) fn nearest_to(&self, [along, across]: [Px; 2]) -> Place {
        let row = self.nearest_row(across);
        (row, self.nearest_in_row(row, along))
    }

    /// The row of marks that is nearest to a point, by its distance across the rows.
    pub(super) fn nearest_row(&self, across: Px) -> i32 {
        (across / ROW_STEP - self.shift[1]).round() as i32
    }

    /// The mark of this row that is nearest to a point, by its distance along the row.
    pub(super) fn nearest_in_row(&self, row: i32, along: Px) -> i32 {
        (along / self.step - self.shift[0] - half_step(row)).round() as i32
    }

    /// The centre of a mark from the middle of the page, along its row.
    pub(super) fn centre_in_row(&self, (row, column): Place) -> Px {
        self.step * (f64::from(column) + self.shift[0] + half_step(row))
    }

    /// The centre of a row of marks from the middle of the page, across the rows.
    pub(super) fn centre_of_row(&self, row: i32) -> Px {
        ROW_STEP * (f64::from(row) + self.shift[1])
    }
}

/// The axes of the rows of marks on a page: along them and across them, from the centre of the page.
pub(super) struct Axes {
    middle: Point<Px>,
    sin: f64,
    cos: f64,
}

impl Axes {
    /// Of a page of this size.
    pub(in crate::pipeline) fn of(size: Size<Px>) -> Self {
        let (sin, cos) = ANGLE.get().to_radians().sin_cos();
        Self { middle: Point::new(size.width / 2.0, size.height / 2.0), sin, cos }
    }

    /// The distances of a point from the centre, along the rows and across them.
    pub(super) fn distances(&self, point: Point<Px>) -> [Px; 2] {
        let (x, y) = (point.x - self.middle.x, point.y - self.middle.y);
        [x * self.cos + y * self.sin, y * self.cos - x * self.sin]
    }

    /// The point at these distances.
    pub(in crate::pipeline) fn point(&self, along: Px, across: Px) -> Point<Px> {
        let (x, y) = (along * self.cos - across * self.sin, along * self.sin + across * self.cos);
        Point::new(self.middle.x + x, self.middle.y + y)
    }
}

/// Every other row is shifted by half a step.
const fn half_step(row: i32) -> f64 {
    if row % 2 == 0 { 0.0 } else { 0.5 }
}
