//! Why a file is no artwork.

use thiserror::Error;

/// Largest file, in bytes.
pub(super) const LARGEST_FILE: u64 = 20 << 20;
/// The most pixels of a picture: A4 with bleed at 600 DPI has 37 million.
pub(super) const MOST_PIXELS: u64 = 40_000_000;
/// The most pixels along a side. A row of a page takes memory for all rows of the picture that lie under it.
pub(super) const MOST_SIDE: u32 = 20_000;
/// The least and the most mm of a side of a drawing.
pub(super) const LEAST_SIDE_MM: f64 = 0.4;
pub(super) const MOST_SIDE_MM: f64 = 5000.0;
/// The most bytes of the shapes of a drawing, and of its pixels as a PNG.
pub(super) const LARGEST_DRAWING: usize = 32 << 20;
/// The most values within one another in an object of a drawing.
pub(super) const MOST_NESTED_VALUES: usize = 100;

/// Why a file is no artwork.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ArtworkError {
    /// It has too many bytes.
    #[error("the file has {bytes} bytes; at most {LARGEST_FILE} are allowed: save it with fewer pixels or as a JPEG")]
    TooLong {
        /// Its length.
        bytes: u64,
    },
    /// It is none of the formats.
    #[error("it is no PNG, JPEG, SVG or PDF; save the picture as one of them")]
    UnknownFormat,
    /// It has too many pixels.
    #[error(
        "it has {width} × {height} pixels; {} million are allowed, and {MOST_SIDE} along a side: 300 pixels per inch are \
         enough for print",
        MOST_PIXELS / 1_000_000
    )]
    TooManyPixels {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// Its colours are ink amounts.
    #[error("it is a JPEG in CMYK; save it in RGB (sRGB): ink amounts are made for the press of each file")]
    Cmyk,
    /// It is broken.
    #[error("it cannot be read: {0}")]
    Broken(String),
    /// It is an SVG with text.
    #[error("it has text; convert it to paths, as its fonts are not known here")]
    HasText,
    /// A font is not in the file.
    #[error("the font {0} is not in it; embed all fonts, or convert the text to paths")]
    FontMissing(String),
    /// It shows another file.
    #[error("it shows another file or address ({0}); put the picture into the file")]
    External(String),
    /// A picture in it is of another format.
    #[error("a picture in it is no PNG or JPEG; save it with one of them")]
    InnerFormat,
    /// It has a password.
    #[error("it is encrypted; save it without a password")]
    Encrypted,
    /// It has no page.
    #[error("it has no page")]
    NoPage,
    /// It has several pages.
    #[error("it has {0} pages; save the one to be shown as a PDF of its own")]
    ManyPages(usize),
    /// It has optional content that is off.
    #[error("it has layers that are not shown; save it without them")]
    HiddenLayers,
    /// It has an annotation of this kind, which is seen.
    #[error(
        "it has form fields or annotations ({0}), which are no part of its page; flatten them, or print it to a PDF"
    )]
    Annotation(String),
    /// It has no size, or none that a page can have.
    #[error("it is {width:.1} × {height:.1} mm; each side may have {LEAST_SIDE_MM} to {MOST_SIDE_MM} mm")]
    Size {
        /// Its width in mm.
        width: f64,
        /// Its height in mm.
        height: f64,
    },
    /// Its shapes, or its pixels, take too many bytes.
    #[error("what it shows takes more than {} MiB; save it with fewer shapes, or as a PNG or JPEG", LARGEST_DRAWING >> 20)]
    TooDetailed,
}
