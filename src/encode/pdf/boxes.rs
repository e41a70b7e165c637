//! The boxes of a page in points, y up from its lower left corner.

use pdf_writer::Content;

use crate::geometry::{Point, Rect};
use crate::spec::{CropBox, PressPlan};
use crate::units::{Mm, Pt};

/// The page boxes (ISO 32000-1, 14.11.2). Each lies inside the previous one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageBoxes {
    /// The sheet, marks included; its lower left corner is the origin.
    pub media: Rect<Pt>,
    /// The product before it is cut.
    pub bleed: Rect<Pt>,
    /// The product.
    pub trim: Rect<Pt>,
    /// The part that viewers show.
    pub crop: Rect<Pt>,
}

impl PageBoxes {
    /// The boxes of every page of the plan.
    #[must_use]
    pub fn of(plan: &PressPlan) -> Self {
        let around = plan.marks.map_or(plan.bleed, |marks| marks.gap + marks.length);
        let corner = |distance: Mm| (around - distance).to_pt();
        let boxed = |distance: Mm| Rect {
            min: Point::new(corner(distance), corner(distance)),
            max: Point::new(
                (plan.trim.width + around + distance).to_pt(),
                (plan.trim.height + around + distance).to_pt(),
            ),
        };
        let (media, bleed, trim) = (boxed(around), boxed(plan.bleed), boxed(Mm::ZERO));
        let crop = match plan.crop_box {
            CropBox::Media => media,
            CropBox::Bleed => bleed,
            CropBox::Trim => trim,
        };
        Self { media, bleed, trim, crop }
    }
}

/// A box as `pdf-writer` takes it.
pub(super) fn rect(of: Rect<Pt>) -> pdf_writer::Rect {
    let Rect { min, max } = of;
    pdf_writer::Rect::new(number(min.x), number(min.y), number(max.x), number(max.y))
}

/// A length as a number of PDF, accurate to a ten-thousandth of a point.
pub(super) fn number(length: Pt) -> f32 {
    length.get() as f32
}

/// Adds a box to the path.
pub(super) fn add_box(content: &mut Content, of: Rect<Pt>) -> &mut Content {
    content.rect(number(of.min.x), number(of.min.y), number(of.width()), number(of.height()))
}
