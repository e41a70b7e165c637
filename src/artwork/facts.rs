//! The kind and the facts of an artwork file.

use serde::{Deserialize, Serialize};

use super::id::ArtworkId;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ArtworkKind {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// SVG, a drawing.
    Svg,
    /// A PDF of one page, a drawing.
    Pdf,
}

/// The bytes of a file among which the header of a PDF begins (ISO 32000-1, annex H, 3.4.1).
const PDF_HEADER: usize = 1024;

impl ArtworkKind {
    /// The format that a file begins as.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            _ if contains(bytes.get(..PDF_HEADER).unwrap_or(bytes), b"%PDF-") => Some(Self::Pdf),
            _ if is_svg(bytes) => Some(Self::Svg),
            _ => None,
        }
    }

    /// Whether it is made of shapes, and has no pixels of its own.
    #[must_use]
    pub const fn is_drawing(self) -> bool {
        matches!(self, Self::Svg | Self::Pdf)
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Svg => "svg",
            Self::Pdf => "pdf",
        }
    }

    /// The format of its pixels: those of a drawing are made as a PNG.
    pub(super) const fn of_pixels(self) -> Self {
        match self {
            Self::Jpeg => Self::Jpeg,
            Self::Png | Self::Svg | Self::Pdf => Self::Png,
        }
    }

    /// The media type of its pixels.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png | Self::Svg | Self::Pdf => "image/png",
        }
    }
}

/// Whether a file begins as XML, after a byte order mark and white space, and has a tag of SVG.
fn is_svg(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    text.starts_with(b"<") && (contains(text, b"<svg") || contains(text, b":svg"))
}

/// Whether bytes have others among them.
fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// What is known of a file without decoding it again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArtworkFacts {
    /// The format.
    pub kind: ArtworkKind,
    /// Its length in bytes.
    pub bytes: u64,
    /// Width in px, upright; of the pixels that a drawing was made into.
    pub width: u32,
    /// Height in px, upright.
    pub height: u32,
    /// Whether every pixel is opaque.
    pub is_opaque: bool,
    /// How it is turned to be upright, as Exif counts: 1 is not at all.
    pub turn: u8,
    /// The channels that a PDF can show as they are in the file: 1 grey, 3 sRGB; 0 if they have to be converted.
    pub plain_channels: u8,
    /// What a drawing has besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawing: Option<DrawingFacts>,
}

/// What is known of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawingFacts {
    /// Its own width in mm.
    pub width_mm: f64,
    /// Its own height in mm.
    pub height_mm: f64,
    /// Whether PDF/X-1a may have it as a drawing.
    pub is_printable: bool,
    /// The least resolution of the pictures in it, in px per inch of its own size; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_dpi: Option<f64>,
    /// Its pixels, as a PNG.
    pub pixels: FilePart,
    /// Its shapes, as a PDF of one page.
    pub page: FilePart,
}

/// A file that was made of an artwork file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePart {
    /// The SHA-256 of its bytes.
    pub id: ArtworkId,
    /// Its length in bytes.
    pub bytes: u64,
}

impl FilePart {
    /// The part with these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self { id: ArtworkId::of(bytes), bytes: bytes.len() as u64 }
    }
}

impl ArtworkFacts {
    /// Bytes of the file and of what was made of it.
    #[must_use]
    pub fn all_bytes(&self) -> u64 {
        self.bytes + self.drawing.map_or(0, |drawing| drawing.pixels.bytes + drawing.page.bytes)
    }

    /// Bytes of the file with its pixels: its own, or the PNG of a drawing.
    #[must_use]
    pub fn pixels_bytes(&self) -> u64 {
        self.drawing.map_or(self.bytes, |drawing| drawing.pixels.bytes)
    }

    /// Its pixels: those of the file, or those that were made of a drawing. `id` is that of the file.
    pub(super) fn pixels(&self, id: ArtworkId) -> FilePart {
        self.drawing.map_or(FilePart { id, bytes: self.bytes }, |drawing| drawing.pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_file_tells_its_kind() {
        let svg = "<?xml version='1.0'?>\n<!-- logo -->\n<svg xmlns='http://www.w3.org/2000/svg'/>";
        let named = "\u{feff}  <a:svg xmlns:a='http://www.w3.org/2000/svg'/>";
        for (bytes, kind) in [
            (b"\x89PNG\r\n".as_slice(), Some(ArtworkKind::Png)),
            (b"\xFF\xD8\xFF\xE0", Some(ArtworkKind::Jpeg)),
            (b"%PDF-1.7\n", Some(ArtworkKind::Pdf)),
            (b"\r\n%PDF-1.7\n", Some(ArtworkKind::Pdf)),
            (svg.as_bytes(), Some(ArtworkKind::Svg)),
            (named.as_bytes(), Some(ArtworkKind::Svg)),
            (b"<html></html>", None),
            (b"\x1f\x8b\x08", None),
            (b"", None),
        ] {
            assert_eq!(ArtworkKind::of(bytes), kind, "{bytes:?}");
        }
    }

    #[test]
    fn facts_of_a_picture_are_as_they_were_before_there_were_drawings() {
        let text = r#"{"kind":"png","bytes":3,"width":3,"height":2,"is_opaque":true,"turn":1,"plain_channels":0}"#;
        let facts: ArtworkFacts = serde_json::from_str(text).unwrap();
        assert_eq!((facts.drawing, serde_json::to_string(&facts).unwrap().as_str()), (None, text));
        let part = FilePart::of(b"abc");
        let least_dpi = Some(149.5);
        let drawing =
            DrawingFacts { width_mm: 0.1, height_mm: 2.0, is_printable: true, least_dpi, pixels: part, page: part };
        let drawn = ArtworkFacts { kind: ArtworkKind::Svg, drawing: Some(drawing), ..facts };
        let mut kept = serde_json::to_value(drawn).unwrap();
        assert_eq!(serde_json::from_value::<ArtworkFacts>(kept.clone()).unwrap(), drawn);
        kept["drawing"].as_object_mut().unwrap().remove("least_dpi");
        assert_eq!(serde_json::from_value::<ArtworkFacts>(kept).unwrap().drawing.unwrap().least_dpi, None);
        assert_eq!((drawn.all_bytes(), facts.all_bytes()), (9, 3));
    }
}
