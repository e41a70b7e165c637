//! What a font is made of besides what its file tells.

use super::{Context, FileNumber, FontFile, FontId, FontRecord};
use crate::variation::Manner;

/// A font's file, and what the file does not tell: the tables of the program know it, or an operator and the examination
/// of the file.
#[derive(Clone, Debug, Default)]
pub struct FontParts {
    /// What clients see of it. Its slant is found from the degrees for a font of an operator.
    pub record: FontRecord,
    /// Base name of its file, and of the licence of a font of the program.
    pub slug: String,
    /// SHA-256 of its file, lower-case hexadecimal.
    pub sha256: String,
    /// Names its file among those in memory.
    pub file_number: FileNumber,
    /// The TTF or OTF file.
    pub bytes: &'static [u8],
    /// The fonts that replace it where it lacks characters, the first choice first.
    pub fallback: Vec<FontId>,
    /// Slant in degrees, positive to the right.
    pub slant_degrees: f64,
    /// Added to the advance of word spaces, in ems.
    pub word_gap_em: f64,
    /// Width of the pen stroke in ems.
    pub stroke_em: f64,
    /// How far its strokes differ in width: the logarithm of the upper over the lower quartile of their thickness.
    pub contrast: f64,
    /// How far letters depend on others.
    pub context: Context,
    /// Whether its contextual alternates only vary letters, and are left to the choice of forms.
    pub variants: bool,
    /// How far its writer varies.
    pub manner: Manner,
    /// The file of an operator's strokes for it, if it has one.
    pub stroke_file: Option<&'static [u8]>,
    /// Identifiers of the API keys that it is given to; none of a font for all.
    pub keys: Vec<String>,
}

impl FontParts {
    /// A font of an operator of which only the file is known, to be examined.
    #[must_use]
    pub fn plain(id: FontId, file: FontFile) -> Self {
        Self {
            record: FontRecord { id: id.get(), neatness: 3, ..FontRecord::default() },
            sha256: file.sha256(),
            file_number: file.number,
            bytes: file.bytes,
            ..Self::default()
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
