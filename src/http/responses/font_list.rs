//! The list of fonts, for `GET /api/v1/fonts` and `longhand fonts --json`.

use schemars::JsonSchema;
use serde::Serialize;

use super::mail_piece_list::thousandths;
use crate::catalogue::{FontCatalogue, FontFace, FontRecord};

/// All fonts.
#[derive(Serialize, JsonSchema, Debug)]
pub struct FontList<'a> {
    /// The fonts: lively ones first, then the others, each in the order of their ids.
    fonts: Vec<FontEntry<'a>>,
    /// Number of fonts.
    total: usize,
}

/// A handwriting font and its measures, by which clients can set several hands to one size.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(rename = "Font")]
struct FontEntry<'a> {
    #[serde(flatten)]
    record: &'a FontRecord,
    /// Height of the letter x, in em: at `font_size` 100 px it is 100 times as many px.
    #[schemars(range(min = 0, max = 1))]
    x_height_em: f64,
    /// Width of the space between words, in em.
    #[schemars(range(min = 0, max = 1))]
    word_gap_em: f64,
    /// Width of the pen stroke, in em.
    #[schemars(range(min = 0, max = 1))]
    stroke_em: f64,
}

impl<'a> FontList<'a> {
    /// All fonts of the catalogue, lively ones first.
    #[must_use]
    pub fn of(catalogue: &'a FontCatalogue) -> Self {
        Self::of_faces(catalogue.listed())
    }

    /// These fonts, in this order.
    pub fn of_faces(faces: impl IntoIterator<Item = &'a FontFace>) -> Self {
        let fonts: Vec<FontEntry<'_>> = faces.into_iter().map(FontEntry::of).collect();
        Self { total: fonts.len(), fonts }
    }
}

impl<'a> FontEntry<'a> {
    fn of(face: &'a FontFace) -> Self {
        let em = f64::from(face.units_per_em());
        Self {
            record: face.record(),
            x_height_em: thousandths(face.x_height().get() / em),
            word_gap_em: thousandths(face.word_space_em()),
            stroke_em: thousandths(face.stroke_em()),
        }
    }
}
