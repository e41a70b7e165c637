//! The content stream of a page with an image: paper, the image, the marks.

use pdf_writer::{Content, Name};

use super::boxes::{PageBoxes, number};
use super::document::PdfDocument;
use super::fill::paint_rules;
use super::image::PageImage;
use super::marks;
use super::page::LayeredPage;
use crate::geometry::{Point, Rect};
use crate::spec::{MARK_WIDTH, PdfColors, PressPlan};
use crate::units::{Dpi, PT_PER_INCH, Pt};

/// The name of the page's image in a file of images.
pub(super) const IMAGE: Name<'static> = Name(b"Writing");
/// The inset of the image's edges. Poppler paints every pixel that an edge touches, and would stretch an image that
/// ends exactly between two pixels by one more. A five-hundredth of a 600-DPI pixel is invisible.
const INSET: Pt = Pt::new(0.0002);
/// Strength of solid ink.
const SOLID: u8 = 255;
/// The name of PDF/X's registration colour in the content.
pub(super) const REGISTRATION: Name<'static> = Name(b"Registration");

/// The content stream of a page with `image`, which has this name, on it.
pub(super) fn content(plan: &PressPlan, boxes: &PageBoxes, image: &PageImage, dpi: Dpi, name: Name<'_>) -> Content {
    let mut content = Content::new();
    paint_paper(&mut content, boxes.bleed, plan.colors);
    paint_image(&mut content, boxes.trim, image, dpi, name);
    if let Some(marks) = plan.marks {
        paint_marks(&mut content, &marks::lines(marks, boxes), plan.colors);
    }
    content
}

/// The content stream of a page of layers: paper, rules, an image for each ink, marks. `names` are those of the images.
pub(super) fn layered(document: &PdfDocument<'_>, boxes: &PageBoxes, page: &LayeredPage, names: &[String]) -> Content {
    let (plan, mut content) = (document.plan, Content::new());
    paint_paper(&mut content, boxes.bleed, plan.colors);
    if let Some(rules) = &page.rules {
        paint_rules(&mut content, boxes, rules, document.colors.fill(rules.color, SOLID));
    }
    for (placed, name) in page.images.iter().zip(names) {
        let offset = placed.corner;
        paint_image_at(&mut content, boxes.trim, (&placed.image, offset), document.dpi, Name(name.as_bytes()));
    }
    if let Some(marks) = plan.marks {
        paint_marks(&mut content, &marks::lines(marks, boxes), plan.colors);
    }
    content
}

/// White up to the bleed, for viewers without white paper.
pub(super) fn paint_paper(content: &mut Content, area: Rect<Pt>, colors: PdfColors) {
    match colors {
        PdfColors::Rgb => content.set_fill_rgb(1.0, 1.0, 1.0),
        PdfColors::PdfX1a(_) => content.set_fill_gray(1.0),
    };
    let Rect { min, max } = area;
    content.rect(number(min.x), number(min.y), number(max.x - min.x), number(max.y - min.y)).fill_nonzero();
}

/// The image at its resolution, with its upper left corner on that of the trim.
fn paint_image(content: &mut Content, trim: Rect<Pt>, image: &PageImage, dpi: Dpi, name: Name<'_>) {
    paint_image_at(content, trim, (image, Point::new(0, 0)), dpi, name);
}

/// The image at its resolution, with its upper left corner this many of its pixels from that of the trim.
fn paint_image_at(
    content: &mut Content,
    trim: Rect<Pt>,
    (image, offset): (&PageImage, Point<u32>),
    dpi: Dpi,
    name: Name<'_>,
) {
    let extent = |pixels: u32| Pt::new(f64::from(pixels) * PT_PER_INCH / f64::from(dpi.get()));
    let (width, height) = (extent(image.width()), extent(image.height()));
    let corner = Point::new(trim.min.x + extent(offset.x) + INSET, trim.max.y - extent(offset.y) - height + INSET);
    let [across, up] = [width, height].map(|extent| number(extent - INSET * 2.0));
    content.save_state();
    content.transform([across, 0.0, 0.0, up, number(corner.x), number(corner.y)]);
    content.x_object(name).restore_state();
}

/// The crop marks, in the registration colour in PDF/X.
pub(super) fn paint_marks(content: &mut Content, lines: &[marks::Line], colors: PdfColors) {
    match colors {
        PdfColors::Rgb => content.set_stroke_rgb(0.0, 0.0, 0.0),
        PdfColors::PdfX1a(_) => {
            content.set_stroke_color_space(pdf_writer::types::ColorSpaceOperand::Named(REGISTRATION));
            content.set_stroke_color([1.0])
        }
    };
    content.set_line_width(number(MARK_WIDTH.to_pt()));
    for [from, to] in lines {
        content.move_to(number(from.x), number(from.y)).line_to(number(to.x), number(to.y)).stroke();
    }
}
