//! The content stream of a page with images, and what all pages have: paper, rules, crop marks.

use pdf_writer::{Content, Name};

use super::boxes::{PageBoxes, add_box, number};
use super::document::PdfDocument;
use super::image::PageImage;
use super::picture::{PlacedPicture, paint_picture};
use crate::encode::color::FillColor;
use crate::geometry::{Point, Rect};
use crate::spec::{DrawnRules, MARK_WIDTH, PdfColors, PressPlan};
use crate::units::{Dpi, PT_PER_INCH, Pt, Px};

/// The name of the page's image in a file of images.
pub(super) const IMAGE: Name<'static> = Name(b"Writing");
/// The inset of the image's edges. Poppler paints every pixel that an edge touches, and would stretch an image that
/// ends exactly between two pixels by one more. A five-hundredth of a 600-DPI pixel is invisible.
const INSET: Pt = Pt::new(0.0002);
/// Strength of solid ink.
const SOLID: u8 = 255;
/// The name of PDF/X's registration colour in the content.
pub(super) const REGISTRATION: Name<'static> = Name(b"Registration");

/// An image of its ink, the place of its upper left corner in device px, and its name.
pub(super) type NamedImage<'a> = (&'a PageImage, Point<u32>, Name<'a>);

/// What lies under the writing of a page; by default paper alone.
#[derive(Clone, Copy, Default)]
pub(super) struct Under<'a> {
    /// Artwork, with its names in the content.
    pub(super) artwork: &'a [(&'a PlacedPicture, String)],
    pub(super) rules: Option<&'a DrawnRules>,
}

/// The content stream of a page with these images on it: paper, artwork, rules, an image for each ink, marks.
pub(super) fn content<'a>(
    document: &PdfDocument<'_>,
    boxes: &PageBoxes,
    under: Under<'_>,
    images: impl IntoIterator<Item = NamedImage<'a>>,
) -> Content {
    let mut content = paper(document, boxes, under);
    for image in images {
        paint_image(&mut content, boxes.trim, image, document.dpi);
    }
    paint_marks(&mut content, document.plan, boxes);
    content
}

/// A content stream with the paper, white up to the bleed for viewers without white paper, the artwork and the rules.
pub(super) fn paper(document: &PdfDocument<'_>, boxes: &PageBoxes, under: Under<'_>) -> Content {
    let mut content = Content::new();
    match document.plan.colors {
        PdfColors::Rgb => content.set_fill_rgb(1.0, 1.0, 1.0),
        PdfColors::PdfX1a(_) => content.set_fill_gray(1.0),
    };
    add_box(&mut content, boxes.bleed).fill_nonzero();
    for (placed, name) in under.artwork {
        paint_picture(&mut content, boxes, placed, Name(name.as_bytes()));
    }
    if let Some(rules) = under.rules {
        paint_rules(&mut content, boxes, rules, document.colors.fill(rules.color, SOLID));
    }
    content
}

/// Fills the rules with this colour: boxes, so that all renderers give them the same thickness.
fn paint_rules(content: &mut Content, boxes: &PageBoxes, rules: &DrawnRules, color: FillColor) {
    let pt = |length: Px| Pt::new(length.get() * PT_PER_INCH / 300.0);
    set_fill(content, color);
    let (left, width) = (number(boxes.trim.min.x + pt(rules.left)), number(pt(rules.right - rules.left)));
    let thickness = pt(rules.thickness);
    for height in &rules.heights {
        let below = boxes.trim.max.y - pt(*height) - Pt::new(thickness.get() / 2.0);
        content.rect(left, number(below), width, number(thickness)).fill_nonzero();
    }
}

/// Sets the colour of what is filled next.
pub(super) fn set_fill(content: &mut Content, color: FillColor) {
    match color {
        FillColor::Gray(light) => content.set_fill_gray(light),
        FillColor::Rgb([red, green, blue]) => content.set_fill_rgb(red, green, blue),
        FillColor::Cmyk([cyan, magenta, yellow, black]) => content.set_fill_cmyk(cyan, magenta, yellow, black),
    };
}

/// The image at its resolution, with its upper left corner at its place on the trim.
fn paint_image(content: &mut Content, trim: Rect<Pt>, (image, offset, name): NamedImage<'_>, dpi: Dpi) {
    let extent = |pixels: u32| Pt::new(f64::from(pixels) * PT_PER_INCH / f64::from(dpi.get()));
    let (width, height) = (extent(image.width), extent(image.height));
    let corner = Point::new(trim.min.x + extent(offset.x) + INSET, trim.max.y - extent(offset.y) - height + INSET);
    let [across, up] = [width, height].map(|extent| number(extent - INSET * 2.0));
    content.save_state();
    content.transform([across, 0.0, 0.0, up, number(corner.x), number(corner.y)]);
    content.x_object(name).restore_state();
}

/// The crop marks, if the plan has any, in the registration colour in PDF/X: two lines at every corner, aligned with the
/// edges of the trim.
pub(super) fn paint_marks(content: &mut Content, plan: &PressPlan, boxes: &PageBoxes) {
    let Some(marks) = plan.marks else { return };
    match plan.colors {
        PdfColors::Rgb => content.set_stroke_rgb(0.0, 0.0, 0.0),
        PdfColors::PdfX1a(_) => {
            content.set_stroke_color_space(pdf_writer::types::ColorSpaceOperand::Named(REGISTRATION));
            content.set_stroke_color([1.0])
        }
    };
    content.set_line_width(number(MARK_WIDTH.to_pt()));
    let (near, far) = (marks.gap.to_pt(), (marks.gap + marks.length).to_pt());
    let mut line = |[from, to]: [Point<Pt>; 2]| {
        content.move_to(number(from.x), number(from.y)).line_to(number(to.x), number(to.y)).stroke();
    };
    let (min, max) = (boxes.trim.min, boxes.trim.max);
    for (y, up) in [(min.y, -1.0), (max.y, 1.0)] {
        for (x, right) in [(min.x, -1.0), (max.x, 1.0)] {
            line([Point::new(x + near * right, y), Point::new(x + far * right, y)]);
            line([Point::new(x, y + near * up), Point::new(x, y + far * up)]);
        }
    }
}
