//! A font of the operator, as it enters the catalogue.

use super::face::Parts;
use super::glyph_outlines::GlyphOutlines;
use super::{CatalogueError, Context, FontFace, FontFile, FontId, FontRecord};

/// What an operator says of a font, and what was measured of its file.
#[derive(Clone, Debug)]
pub struct OperatorFont {
    /// Its number.
    pub id: FontId,
    /// Base name of its file.
    pub slug: String,
    /// The file.
    pub file: FontFile,
    /// Family name.
    pub name: String,
    /// Kind of handwriting, one of [`FontRecord::STYLES`].
    pub style: String,
    /// Its licence, in any words.
    pub licence: String,
    /// 1 (hasty) to 5 (tidy).
    pub neatness: u8,
    /// The fonts that replace it where it lacks characters, the first choice first.
    pub fallback: Vec<FontId>,
    /// Slant in degrees, positive to the right.
    pub slant_degrees: f64,
    /// Added to the advance of word spaces, in ems.
    pub word_gap_em: f64,
    /// Width of the pen stroke in ems.
    pub stroke_em: f64,
    /// Character sets and scripts that it covers in full.
    pub scripts: Vec<String>,
    /// Whether it has pair kerning.
    pub kerning: bool,
    /// Whether letters depend on their neighbours.
    pub alternates: bool,
    /// How far they do.
    pub context: Context,
}

impl OperatorFont {
    /// A font of which only the file is known, to be examined.
    #[must_use]
    pub fn plain(id: FontId, file: FontFile) -> Self {
        Self {
            id,
            slug: String::new(),
            file,
            name: String::new(),
            style: String::new(),
            licence: String::new(),
            neatness: 3,
            fallback: Vec::new(),
            slant_degrees: 0.0,
            word_gap_em: 0.0,
            stroke_em: 0.0,
            scripts: Vec::new(),
            kerning: false,
            alternates: false,
            context: Context::default(),
        }
    }
}

/// The word for a slant in degrees, as in the list of fonts.
#[must_use]
pub fn slant_name(degrees: f64) -> &'static str {
    match degrees.round() {
        degrees if degrees >= 25.0 => "steep",
        degrees if degrees >= 11.0 => "slanted",
        degrees if degrees >= 4.0 => "slight",
        _ => "upright",
    }
}

impl FontFace {
    /// Parses a font of the operator.
    ///
    /// # Errors
    /// The file cannot be used. Files that passed the examination can.
    pub fn of_operator(font: OperatorFont) -> Result<Self, CatalogueError> {
        let record = FontRecord {
            id: font.id.get(),
            name: font.name,
            style: font.style,
            slant: slant_name(font.slant_degrees).to_owned(),
            neatness: font.neatness,
            scripts: font.scripts,
            kerning: font.kerning,
            alternates: font.alternates,
            strokes: false,
            license: font.licence,
        };
        Self::parse(Parts {
            record,
            slug: font.slug,
            sha256: font.file.sha256(),
            slant_degrees: font.slant_degrees,
            word_gap_em: font.word_gap_em,
            stroke_em: font.stroke_em,
            file_number: font.file.number(),
            bytes: font.file.bytes(),
            context: font.context,
            fallback: font.fallback,
            strokes: None,
            outlines: GlyphOutlines::simplified(),
        })
    }
}
