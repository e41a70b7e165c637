//! The output format as a request names it, what is known of files in it, and how a PNG keeps its pixels.

use crate::named::named;

/// What is known of every file in a format.
#[derive(Clone, Copy, Debug)]
pub struct FormatFacts {
    /// Its name in messages, with an article.
    pub title: &'static str,
    /// The media type.
    pub media_type: &'static str,
    /// Whether a file may have several pages.
    pub has_pages: bool,
    /// Whether it is always an image: no answer says how it carries the writing, and JSON can hold it.
    pub is_image: bool,
    /// How a file starts, and how it ends without white space.
    pub ends: [&'static [u8]; 2],
}

impl OutputName {
    /// The field that names one.
    pub const FIELD: &'static str = "output_format";
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Png, Self::Pdf, Self::Svg];

    /// What is known of its files.
    #[must_use]
    pub const fn facts(self) -> FormatFacts {
        match self {
            Self::Png => FormatFacts {
                title: "a PNG",
                media_type: "image/png",
                has_pages: false,
                is_image: true,
                ends: [b"\x89PNG\r\n\x1a\n", b"IEND\xaeB\x60\x82"],
            },
            Self::Pdf => FormatFacts {
                title: "a PDF",
                media_type: "application/pdf",
                has_pages: true,
                is_image: false,
                ends: [b"%PDF-", b"%%EOF"],
            },
            Self::Svg => FormatFacts {
                title: "an SVG",
                media_type: "image/svg+xml",
                has_pages: false,
                is_image: false,
                ends: [b"<?xml ", b"</svg>"],
            },
        }
    }

    /// The format with this name, in whatever case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| name.eq_ignore_ascii_case(format.name()))
    }
}

named! {
    /// `output_format` as the client wrote it. Names of files end with its name.
    #[derive(Default)]
    pub enum OutputName {
        /// `png`.
        #[default]
        Png = "png",
        /// `pdf`.
        Pdf = "pdf",
        /// `svg`.
        Svg = "svg",
    }

    /// `png_format`: how a PNG keeps its pixels.
    #[derive(Default)]
    pub enum PngFormat {
        /// Four bytes each.
        #[default]
        Rgba = "rgba",
        /// One byte each, as an index into a palette of the ink at 256 opacities.
        Indexed = "indexed",
    }
}
