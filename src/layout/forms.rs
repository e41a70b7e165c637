//! Chooses among the drawings of each letter.
//!
//! A choice belongs to a position in the text, so lines that are shaped again have the same drawings, and pages of every
//! resolution too. It is known before lines are broken, with the advances of the drawings.

use icu_segmenter::GraphemeClusterSegmenter;

use super::clean_text::Paragraph;
use super::shaped_glyph::ShapedGlyph;
use super::varied::Variation;
use crate::catalogue::{FontFace, MOST_DRAWINGS};
use crate::variation::{Drawing, DrawnForms};

/// How far letters of a font with forms are bent, as a share of the writer's strength: its forms differ already.
const STRENGTH_BESIDE_FORMS: f64 = 0.6;

// A letter has no drawing that is never chosen.
const _: () = assert!(MOST_DRAWINGS <= Drawing::MOST);

/// What varies the letters of a paragraph.
#[derive(Clone, Debug)]
pub(super) enum Letters {
    /// Writer variation.
    Varied(Variation),
    /// Forms alone: those of fonts that have several of a letter, without writer variation.
    Forms(DrawnForms),
}

impl Letters {
    /// The forms of a paragraph without writer variation.
    pub(super) fn forms(seed: u32, paragraph: &Paragraph) -> Self {
        let text = &paragraph.text;
        let ends: Vec<usize> = GraphemeClusterSegmenter::new().segment_str(text).collect();
        let letters = ends.windows(2).filter_map(|ends| Some((ends[0], text.get(ends[0]..ends[1])?)));
        Self::Forms(DrawnForms::draw(seed, paragraph.number, letters))
    }

    /// The writer variation.
    pub(super) const fn variation(&self) -> Option<&Variation> {
        match self {
            Self::Varied(variation) => Some(variation),
            Self::Forms(_) => None,
        }
    }

    /// Takes for each letter of a run one of the drawings that its font has. What follows moves by the difference of
    /// their advances.
    pub(super) fn choose(&self, face: &FontFace, glyphs: &mut [ShapedGlyph]) {
        let drawing = |byte: usize| match self {
            Self::Varied(variation) => variation.drawing(byte),
            Self::Forms(forms) => forms.at(byte),
        };
        // Without writer variation, the program's fonts have the letters of their files.
        if matches!(self, Self::Forms(_)) && !face.has_own_forms() {
            return;
        }
        let mut wider = 0;
        for glyph in glyphs {
            (glyph.pen, glyph.x) = (glyph.pen + wider, glyph.x + wider);
            let drawings = face.drawings(glyph.glyph);
            let drawing = drawing(glyph.cluster as usize).among(drawings.len());
            if let Some(chosen) = drawings.get(drawing).filter(|chosen| **chosen != glyph.glyph) {
                let gain = face.advance_of(*chosen) - face.advance_of(glyph.glyph);
                glyph.glyph = *chosen;
                glyph.advance += gain;
                wider += gain;
            }
        }
    }
}

/// The strength of writer variation of a page in this font.
pub(super) fn strength_in(face: &FontFace, strength: f64) -> f64 {
    if face.has_own_forms() { STRENGTH_BESIDE_FORMS * strength } else { strength }
}
