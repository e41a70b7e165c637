//! A box on the page, as a block or a preview has it.

use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use crate::geometry::{Point, Rect, Size};
use crate::units::Px;

/// The members `x`, `y`, `width` and `height` of an object, in px.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageBox {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) width: u16,
    pub(super) height: u16,
}

impl PageBox {
    /// The box on the page.
    pub(super) fn rect(self) -> Rect<Px> {
        let point = |x: u16, y: u16| Point::new(Px::new(x.into()), Px::new(y.into()));
        let min = point(self.x, self.y);
        Rect { min, max: min + point(self.width, self.height) }
    }

    /// Whether it is inside a page of this size. Reports each side that is not: by where it starts, if no side of
    /// `shortest` px that starts there is inside the page, or else by its extent.
    pub(super) fn check_inside(self, page: Size<Px>, shortest: u16, collector: &mut ViolationCollector) -> bool {
        let axes = [
            (("x", self.x), ("width", self.width), ("wide", page.width.get())),
            (("y", self.y), ("height", self.height), ("high", page.height.get())),
        ];
        let before = collector.count();
        for ((start_name, start), (extent_name, extent), (dimension, page)) in axes {
            let end = u32::from(start) + u32::from(extent);
            if f64::from(end) <= page {
                continue;
            }
            let has_room = f64::from(start) + f64::from(shortest) <= page;
            let message = format!(
                "{start_name} + {extent_name} should be at most what the page is {dimension}: {start} + {extent} = \
                 {end} px on {page} px"
            );
            let name = if has_room { extent_name } else { start_name };
            collector.report_at(name, ViolationKind::LessThanEqual, message);
        }
        collector.count() == before
    }
}
