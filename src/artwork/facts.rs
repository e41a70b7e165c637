//! The kind and the facts of a picture file, and why a file is no artwork.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Largest file, in bytes.
pub(super) const LARGEST_FILE: u64 = 20 << 20;
/// The most pixels of a picture: A4 with bleed at 600 DPI has 37 million.
pub(super) const MOST_PIXELS: u64 = 40_000_000;
/// The most pixels along a side. A row of a page takes memory for all rows of the picture that lie under it.
pub(super) const MOST_SIDE: u32 = 20_000;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtworkKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
}

impl ArtworkKind {
    /// The format that a file begins as.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
        }
    }

    /// Its media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// What is known of a file without decoding it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArtworkFacts {
    /// The format.
    pub kind: ArtworkKind,
    /// Its length in bytes.
    pub bytes: u64,
    /// Width in px, upright.
    pub width: u32,
    /// Height in px, upright.
    pub height: u32,
    /// Whether every pixel is opaque.
    pub is_opaque: bool,
    /// How it is turned to be upright, as Exif counts: 1 is not at all.
    pub turn: u8,
    /// The channels that a PDF can show as they are in the file: 1 grey, 3 sRGB; 0 if they have to be converted.
    pub plain_channels: u8,
}

/// Why a file is no artwork.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArtworkError {
    /// It has too many bytes.
    #[error("the file has {bytes} bytes; at most {LARGEST_FILE} are allowed: save it with fewer pixels or as a JPEG")]
    TooLong {
        /// Its length.
        bytes: u64,
    },
    /// It is none of the formats.
    #[error("it is no PNG or JPEG; save the picture as one of them")]
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
}
