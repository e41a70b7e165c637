//! The centre lines of a font's glyphs, for pens: a file of strokes in `fonts/strokes`, read on first use.
//!
//! `scripts/strokes` makes the files from the outlines, only for fonts whose strokes cover their glyphs. A file is
//!
//! ```text
//! 5 bytes    "LHSTR"
//! 1 byte     version of the format, 2
//! 64 bytes   SHA-256 of the font file, lower-case hexadecimal
//! varint     pen width in 1/10,000 em
//! varint     number of glyphs with strokes; for each, by rising index:
//!   varint     glyph index less that of the glyph before (0 before the first)
//!   varint     number of strokes, at least 1; for each, in the order of writing:
//!     varint     what it is of its letter ([`StrokePart`]): 0 body, 1 linked, 2 bar, 3 mark
//!     varint     number of cubics, at least 1
//!     signed     x, y of the start, less the point before (0, 0 before the glyph's first)
//!     signed     for each cubic x, y of both control points and of its end, each less the point before
//! ```
//!
//! Points are in font units, y up. A varint has 7 bits a byte, the lowest first, and the highest bit set in all bytes
//! but the last (LEB128). A signed number n is the varint of 2n where n ≥ 0, else of −2n − 1. A file of another version
//! or of another font stops the start ([`CatalogueError::BrokenStrokes`]); a file that breaks off or names a glyph twice
//! has no strokes.
//!
//! [`CatalogueError::BrokenStrokes`]: super::CatalogueError::BrokenStrokes

use std::collections::HashMap;
use std::sync::OnceLock;

use super::GlyphId;
use super::outline::OutlineCommand;
use crate::geometry::Point;
use crate::units::FontUnits;

const MAGIC: &[u8] = b"LHSTR";
const VERSION: u8 = 2;
/// Digits of a SHA-256.
const DIGEST: usize = 64;
/// Pen widths of a file in one em.
const WIDTHS_PER_EM: f64 = 10_000.0;
/// Points of a glyph have coordinates up to this, as in the font file.
const FARTHEST: i64 = 0x7FFF;

/// What a stroke is of its letter. In a glyph bodies come first, then bars, then marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrokePart {
    /// A part of the letter's body that begins with the pen lifted.
    Body,
    /// A part of the body to which the pen comes from the stroke before without being lifted, along ink.
    Linked,
    /// A bar, as of t, f and A.
    Bar,
    /// A dot, an accent or another mark apart from the letter.
    Mark,
}

impl StrokePart {
    const fn of(number: u64) -> Option<Self> {
        Some(match number {
            0 => Self::Body,
            1 => Self::Linked,
            2 => Self::Bar,
            3 => Self::Mark,
            _ => return None,
        })
    }

    /// Whether joined writing adds it when the word is written.
    #[must_use]
    pub const fn is_late(self) -> bool {
        matches!(self, Self::Bar | Self::Mark)
    }
}

/// One stroke of a pen, in font units, y up: a `MoveTo`, then at least one `CubicTo`. There is no `Close`; a closed
/// stroke ends where it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// What it is of its letter.
    pub part: StrokePart,
    /// The line, in the direction of writing.
    pub commands: Vec<OutlineCommand>,
}

/// The strokes of a font.
#[derive(Debug)]
pub struct FontStrokes {
    pen_em: f64,
    /// In the order of writing. Blank glyphs are not in it.
    glyphs: HashMap<GlyphId, Vec<Stroke>>,
}

impl FontStrokes {
    /// Reads a file; `None` where it is malformed.
    #[must_use]
    pub fn read(file: &[u8]) -> Option<Self> {
        let mut reader = Reader { rest: header(file)?.1 };
        let pen_em = f64::from(u16::try_from(reader.up_to(0xFFFF)?).ok()?) / WIDTHS_PER_EM;
        let count = reader.up_to(0xFFFF)?;
        let mut glyphs = HashMap::new();
        let mut glyph = 0;
        for _ in 0..count {
            glyph += reader.up_to(0xFFFF)?;
            let id = GlyphId(u16::try_from(glyph).ok()?);
            if glyphs.insert(id, reader.glyph()?).is_some() {
                return None;
            }
        }
        (pen_em > 0.0 && reader.rest.is_empty()).then_some(Self { pen_em, glyphs })
    }

    /// Whether a file is for the font file with this SHA-256.
    #[must_use]
    pub fn is_of(file: &[u8], sha256: &str) -> bool {
        header(file).is_some_and(|(font, _)| font == sha256.as_bytes())
    }

    /// Width of the pen in ems with which the strokes cover the glyphs best: the median width of the font's lines.
    #[must_use]
    pub const fn pen_em(&self) -> f64 {
        self.pen_em
    }

    /// The strokes of a glyph, in the order of writing; `None` where it has none.
    #[must_use]
    pub fn of(&self, glyph: GlyphId) -> Option<&[Stroke]> {
        self.glyphs.get(&glyph).map(Vec::as_slice)
    }
}

/// A font's file of strokes, and what was read from it on first use.
#[derive(Debug)]
pub(super) struct StrokeFile {
    bytes: &'static [u8],
    strokes: OnceLock<Option<FontStrokes>>,
}

impl StrokeFile {
    /// The file, if it is of this version and of the font file with that SHA-256.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn of_font(bytes: &'static [u8], sha256: &str) -> Result<Self, &'static str> {
        match header(bytes) {
            Some((font, _)) if font == sha256.as_bytes() => Ok(Self { bytes, strokes: OnceLock::new() }),
            Some(_) => Err("is of another version of the font"),
            None if bytes.starts_with(MAGIC) => Err("is of another version of the format than 2"),
            None => Err("is not a file of strokes"),
        }
    }

    /// Its strokes; `None` where it is malformed.
    pub(super) fn strokes(&self) -> Option<&FontStrokes> {
        self.strokes.get_or_init(|| FontStrokes::read(self.bytes)).as_ref()
    }
}

/// SHA-256 of the font file, and what follows the header; `None` for a file of another format or version.
fn header(file: &[u8]) -> Option<(&[u8], &[u8])> {
    file.strip_prefix(MAGIC)?.strip_prefix(&[VERSION])?.split_at_checked(DIGEST)
}

/// Reads from the start of what is left.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// A varint of at most `most`.
    fn up_to(&mut self, most: u64) -> Option<u64> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return (number <= most).then_some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let number = i64::try_from(self.up_to(0xFFFF_FFFF)?).ok()?;
        Some(if number % 2 == 0 { number / 2 } else { -(number / 2) - 1 })
    }

    fn glyph(&mut self) -> Option<Vec<Stroke>> {
        let count = self.up_to(0xFFFF)?;
        let mut pen = [0, 0];
        let strokes: Vec<Stroke> = (0..count).map(|_| self.stroke(&mut pen)).collect::<Option<_>>()?;
        (!strokes.is_empty()).then_some(strokes)
    }

    fn stroke(&mut self, pen: &mut [i64; 2]) -> Option<Stroke> {
        let part = StrokePart::of(self.up_to(0xFFFF)?)?;
        let count = self.up_to(0xFFFF)?;
        let mut commands = vec![OutlineCommand::MoveTo(self.point(pen)?)];
        for _ in 0..count {
            commands.push(OutlineCommand::CubicTo(self.point(pen)?, self.point(pen)?, self.point(pen)?));
        }
        (commands.len() > 1).then_some(Stroke { part, commands })
    }

    /// The next point; `pen` is the one before.
    fn point(&mut self, pen: &mut [i64; 2]) -> Option<Point<FontUnits>> {
        let [x, y] = [pen[0] + self.signed()?, pen[1] + self.signed()?];
        if x.abs() > FARTHEST || y.abs() > FARTHEST {
            return None;
        }
        *pen = [x, y];
        let length = |value: i64| i16::try_from(value).ok().map(|value| FontUnits::new(f64::from(value)));
        Some(Point::new(length(x)?, length(y)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Glyph 5 with a bar from (1, -1) by one cubic to (4, -4), drawn with a pen of 0.06 em.
    fn file() -> Vec<u8> {
        let mut file = b"LHSTR\x02".to_vec();
        file.extend([b'7'; 64]);
        file.extend([0xD8, 0x04, 1, 5, 1, 2, 1]);
        file.extend([2, 1, 2, 1, 2, 1, 2, 1]);
        file
    }

    fn at(x: f64, y: f64) -> Point<FontUnits> {
        Point::new(FontUnits::new(x), FontUnits::new(y))
    }

    #[test]
    fn a_file_has_the_pen_and_the_strokes_of_its_glyphs() {
        let strokes = FontStrokes::read(&file()).unwrap();
        assert!((strokes.pen_em() - 0.06).abs() < 1e-12);
        let commands = vec![
            OutlineCommand::MoveTo(at(1.0, -1.0)),
            OutlineCommand::CubicTo(at(2.0, -2.0), at(3.0, -3.0), at(4.0, -4.0)),
        ];
        assert_eq!(strokes.of(GlyphId(5)), Some([Stroke { part: StrokePart::Bar, commands }].as_slice()));
        assert_eq!(strokes.of(GlyphId(4)), None);
    }

    #[test]
    fn a_file_of_another_font_or_version_is_refused() {
        let of = |file: Vec<u8>| StrokeFile::of_font(file.leak(), &"7".repeat(64));
        assert!(of(file()).unwrap().strokes().is_some());
        let mut other = file();
        other[20] = b'8';
        assert_eq!(of(other).unwrap_err(), "is of another version of the font");
        let mut other = file();
        other[5] = 1;
        assert_eq!(of(other).unwrap_err(), "is of another version of the format than 2");
        assert_eq!(of(b"LHTTF\x02".to_vec()).unwrap_err(), "is not a file of strokes");
    }

    #[test]
    fn a_file_that_breaks_off_or_goes_on_is_malformed() {
        let whole = file();
        for length in 0..whole.len() {
            assert!(FontStrokes::read(&whole[..length]).is_none(), "{length} bytes");
        }
        assert!(FontStrokes::read(&[whole.as_slice(), &[0]].concat()).is_none());
    }

    #[test]
    fn any_changed_byte_is_read_or_refused() {
        let whole = file();
        for (place, change) in (0..whole.len()).flat_map(|place| (1..=255).map(move |change| (place, change))) {
            let mut file = whole.clone();
            file[place] ^= change;
            let read = FontStrokes::read(&file);
            assert!(place >= 6 || read.is_none(), "byte {place} of the header");
        }
    }
}
