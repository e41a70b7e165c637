//! Drawings: artwork that is made of shapes, and has no pixels of its own.
//!
//! Input: the bytes of an SVG or a PDF. Output: a [`Drawing`]: a PDF of one page with the shapes, a PNG of that page, and
//! facts. In order:
//!
//! 1. `svg` makes a PDF of an SVG. What is outside of the file is not read.
//! 2. `one_page` takes the only page of a PDF, if none of its `annotations` is seen: `contents` unpacks its content, and
//!    `copied` copies what that refers to and nothing else. Both become one form, which lies upright with its lower left
//!    corner at the origin.
//! 3. `inspection` reads the content of the form: which fonts it needs, and whether PDF/X-1a may have it as it is;
//!    `print_rules` has the rules for what the content names, and `resolution` is that of its pictures.
//! 4. `pixels` draws the page.
//!
//! The module limits sizes, and no time or memory: its process does.

mod annotations;
mod contents;
mod copied;
#[cfg(test)]
mod fixtures;
mod inspection;
mod one_page;
mod pixels;
mod print_rules;
mod resolution;
mod svg;

use one_page::OnePage;

use super::error::ArtworkError;
use super::facts::{ArtworkFacts, ArtworkKind, DrawingFacts, FilePart};

pub(super) use one_page::FORM;

/// Points per inch, and millimetres per point.
const PT_PER_INCH: f64 = 72.0;
const MM_PER_PT: f64 = 25.4 / PT_PER_INCH;

/// What is made of a file.
pub(super) struct Drawing {
    pub(super) facts: ArtworkFacts,
    /// A PNG.
    pub(super) pixels: Vec<u8>,
    /// A PDF.
    pub(super) page: Vec<u8>,
}

/// Reads an SVG or a PDF.
///
/// # Errors
/// It is broken, or cannot be shown, for the reason that the error says.
pub(super) fn read(kind: ArtworkKind, file: &[u8]) -> Result<Drawing, ArtworkError> {
    let OnePage { size, file: page, is_printable, least_dpi } = match kind {
        ArtworkKind::Svg => OnePage::of(&svg::to_pdf(file)?, svg::PT_PER_PX)?,
        _ => OnePage::of(file, 1.0)?,
    };
    let drawn = pixels::drawn(page.clone(), size)?;
    let [width_mm, height_mm] = size.map(|side| side * MM_PER_PT);
    let (pixels_part, page_part) = (FilePart::of(&drawn.png), FilePart::of(&page));
    let drawing = DrawingFacts { width_mm, height_mm, is_printable, least_dpi, pixels: pixels_part, page: page_part };
    let facts = ArtworkFacts {
        kind,
        bytes: file.len() as u64,
        width: drawn.width,
        height: drawn.height,
        is_opaque: drawn.is_opaque,
        turn: 1,
        plain_channels: 0,
        drawing: Some(drawing),
    };
    Ok(Drawing { facts, pixels: drawn.png, page })
}

#[cfg(test)]
mod tests {
    use super::super::raster;
    use super::fixtures::{Pdf, svg};
    use super::*;

    /// The colour in the middle of each quarter of a drawing, row by row; `None` where it is transparent.
    fn quarters(drawing: &Drawing) -> [Option<[u8; 3]>; 4] {
        let pixels = raster::decode(ArtworkKind::Png, &drawing.pixels).unwrap();
        let channels = pixels.channels();
        [[1, 1], [3, 1], [1, 3], [3, 3]].map(|[x, y]| {
            let at = (pixels.width / 4 * x) as usize * channels;
            match pixels.row(pixels.height / 4 * y)[at..at + channels] {
                [red, green, blue] | [red, green, blue, 255] => Some([red, green, blue]),
                _ => None,
            }
        })
    }

    /// Width and height in hundredths of a mm.
    fn size(drawing: &Drawing) -> [u32; 2] {
        let facts = drawing.facts.drawing.unwrap();
        [facts.width_mm, facts.height_mm].map(|side| (side * 100.0).round() as u32)
    }

    #[test]
    fn a_drawing_has_its_own_size_and_pixels_of_it() {
        let red = read(ArtworkKind::Svg, &svg("<rect width='200' height='100' fill='#f00'/>")).unwrap();
        assert_eq!((size(&red), red.facts.width, red.facts.height), ([4000, 2000], 2400, 1200));
        assert_eq!(quarters(&red), [Some([255, 0, 0]), None, None, None]);
        let facts = red.facts.drawing.unwrap();
        assert!(!red.facts.is_opaque && !facts.is_printable && facts.page == FilePart::of(&red.page));
        // A5 at 600 DPI; the pixels of what is larger are limited.
        let a5 = Pdf { page: "/MediaBox[0 0 420 595]", content: "1 0 0 rg 0 0 420 595 re f", ..Pdf::default() };
        let a5 = read(ArtworkKind::Pdf, &a5.file()).unwrap();
        assert_eq!((a5.facts.width, a5.facts.height, a5.facts.is_opaque), (3500, 4958, true));
        let wall = read(ArtworkKind::Pdf, &Pdf { page: "/MediaBox[0 0 14000 2000]", ..Pdf::default() }.file()).unwrap();
        let pixels = u64::from(wall.facts.width) * u64::from(wall.facts.height);
        assert!((39_000_000..=40_000_000).contains(&pixels), "{pixels}");
    }

    #[test]
    fn a_page_is_turned_and_cropped_as_viewers_show_it() {
        // Red in the lower left quarter of the crop box.
        let content = "1 0 0 rg 30 40 72 36 re f";
        let red = Some([255, 0, 0]);
        for (turn, shown, sides) in [
            (0, [None, None, red, None], [5080, 2540]),
            (90, [red, None, None, None], [2540, 5080]),
            (180, [None, red, None, None], [5080, 2540]),
            (-90, [None, None, None, red], [2540, 5080]),
        ] {
            let page = format!("/MediaBox[0 0 300 300]/CropBox[174 112 30 40]/Rotate {turn}");
            let drawing = read(ArtworkKind::Pdf, &Pdf { page: &page, content, ..Pdf::default() }.file()).unwrap();
            assert_eq!((quarters(&drawing), size(&drawing)), (shown, sides), "{turn}");
        }
        let large = Pdf { page: "/MediaBox[0 0 144 72]/UserUnit 2", ..Pdf::default() };
        assert_eq!(size(&read(ArtworkKind::Pdf, &large.file()).unwrap()), [10_160, 5080]);
    }
}
