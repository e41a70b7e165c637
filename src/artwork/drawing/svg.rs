//! An SVG as a PDF.
//!
//! Scripts and animations have no effect. Nothing outside of the file is read: a picture elsewhere is an error, as the
//! drawing would lack it. Text is one too: its fonts are not known.

use std::sync::{Arc, Mutex, PoisonError};

use svg2pdf::usvg::roxmltree::{Document, Node, ParsingOptions};
use svg2pdf::usvg::{ImageHrefResolver, ImageKind, Options, Tree};
use svg2pdf::{ConversionOptions, PageOptions};

use super::super::error::ArtworkError;

/// Pixels of SVG per inch (CSS Values and Units 4, 6.2), and points per pixel.
const PX_PER_INCH: f32 = 96.0;
pub(super) const PT_PER_PX: f64 = 0.75;
/// Pixels per point in the file. Converted as they are, gradients and patterns keep their places: at another resolution
/// svg2pdf does not scale them.
const UNSCALED: PageOptions = PageOptions { dpi: 72.0 };
/// The most elements and texts of a file.
const MOST_NODES: u32 = 1_000_000;
/// The most pixels of parts with filters per pixel of SVG, about 600 DPI, and along the longer side of the drawing.
const MOST_FILTER_SCALE: f32 = 6.0;
const MOST_FILTER_PIXELS: f32 = 4000.0;
/// Elements that show text, by their namespace and name.
const TEXT: (&str, &str) = ("http://www.w3.org/2000/svg", "text");
/// The most characters of an address in a message.
const SHOWN: usize = 60;

/// Makes a PDF of one page, whose unit is the pixel of the SVG.
///
/// # Errors
/// It is no SVG, has text, or shows other files.
pub(super) fn to_pdf(file: &[u8]) -> Result<Vec<u8>, ArtworkError> {
    let broken = |error: &dyn std::fmt::Display| ArtworkError::Broken(error.to_string());
    let text = std::str::from_utf8(file).map_err(|_| broken(&"it is no UTF-8"))?;
    let parsing = ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES };
    let document = Document::parse_with_options(text, parsing).map_err(|error| broken(&error))?;
    if document.descendants().any(|node| node.has_tag_name(TEXT) && has_letters(node)) {
        return Err(ArtworkError::HasText);
    }
    let defect = Mutex::new(None);
    let report = |error| *defect.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    let options = Options {
        dpi: PX_PER_INCH,
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, data, _| {
                let kind = picture(&data);
                if kind.is_none() {
                    report(ArtworkError::InnerFormat);
                }
                kind
            }),
            resolve_string: Box::new(|address, _| {
                report(ArtworkError::External(address.chars().take(SHOWN).collect()));
                None
            }),
        },
        ..Options::default()
    };
    let tree = Tree::from_xmltree(&document, &options).map_err(|error| broken(&error))?;
    drop(options);
    if let Some(error) = defect.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let longer = tree.size().width().max(tree.size().height());
    let raster_scale = (MOST_FILTER_PIXELS / longer).min(MOST_FILTER_SCALE);
    let conversion = ConversionOptions { raster_scale, embed_text: false, ..ConversionOptions::default() };
    svg2pdf::to_pdf(&tree, conversion, UNSCALED).map_err(|error| broken(&error))
}

/// Whether an element has more text than white space, which editors leave behind.
fn has_letters(node: Node<'_, '_>) -> bool {
    node.descendants().any(|inner| inner.is_text() && inner.text().is_some_and(|text| !text.trim().is_empty()))
}

/// A picture in an SVG. A drawing in it could have text, and show other files.
fn picture(data: &Arc<Vec<u8>>) -> Option<ImageKind> {
    match data.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => Some(ImageKind::PNG(Arc::clone(data))),
        [0xFF, 0xD8, 0xFF, ..] => Some(ImageKind::JPEG(Arc::clone(data))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::svg;
    use super::*;

    fn refused(elements: &str) -> ArtworkError {
        to_pdf(&svg(elements)).unwrap_err()
    }

    #[test]
    fn text_and_other_files_are_refused() {
        assert_eq!(refused("<text x='9' y='9'><tspan>Dear</tspan></text>"), ArtworkError::HasText);
        assert!(to_pdf(&svg("<text x='9' y='9'> </text><rect width='9' height='9'/>")).is_ok());
        for address in ["/etc/passwd", "https://example.org/a.png", "file:///etc/hostname"] {
            let image = format!("<image xlink:href='{address}' width='9' height='9'/>");
            assert_eq!(refused(&image), ArtworkError::External(address.to_owned()));
        }
        let inner = "<image href='data:image/svg+xml;base64,PHN2Zy8+' width='9' height='9'/>";
        assert_eq!(refused(inner), ArtworkError::InnerFormat);
        assert!(matches!(to_pdf(b"<svg xmlns='http://www.w3.org/2000/svg'>"), Err(ArtworkError::Broken(_))));
        assert!(matches!(to_pdf(b"<svg>\xff</svg>"), Err(ArtworkError::Broken(_))));
    }

    #[test]
    fn scripts_and_styles_of_other_files_have_no_effect() {
        let plain = to_pdf(&svg("<rect width='9' height='9'/>")).unwrap();
        for more in [
            "<script>alert(1)</script>",
            "<script href='https://example.org/a.js'/>",
            "<style>@import url('https://example.org/a.css');</style>",
            "<use xlink:href='https://example.org/a.svg#a'/>",
            "<foreignObject width='9' height='9'><p xmlns='http://www.w3.org/1999/xhtml'>a</p></foreignObject>",
        ] {
            let with = to_pdf(&svg(&format!("{more}<rect width='9' height='9' onclick='alert(1)'/>"))).unwrap();
            assert_eq!(with, plain, "{more}");
        }
    }

    #[test]
    fn entities_are_used_as_programs_do_and_not_multiplied() {
        let head = "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY c '#ff0000'>";
        let body =
            "]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9' fill='&c;'/>";
        assert!(to_pdf(format!("{head}{body}</svg>").as_bytes()).is_ok());
        let mut laughs = "<!DOCTYPE svg [<!ENTITY a0 '<g/>'>".to_owned();
        for level in 1..30 {
            let below = format!("&a{};", level - 1).repeat(10);
            laughs = format!("{laughs}<!ENTITY a{level} '{below}'>");
        }
        laughs += "]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>&a29;</svg>";
        assert!(matches!(to_pdf(laughs.as_bytes()), Err(ArtworkError::Broken(_))));
    }
}
