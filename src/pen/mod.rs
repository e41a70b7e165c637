//! What a pen does to strokes and ink: its width and nib, how the line lives along the way, and how dark the ink is.
//!
//! Input: the pen of a request, the seed and the page. Output: numbers and functions for drawing. Phases: `numbers` (what
//! was measured of each pen on paper) -> `line` (the pen of the strokes of a font at a size: it moves the corners of
//! outlines) and `tone` (the darkness of the ink, as a polynomial of two fields). `field` is the noise of both.
//!
//! All lengths are page px, 300 to the inch, so that pages of 300 and 600 DPI, previews and outlines show the same line.
//! `shaders/pen.wgsl` and `shaders/tone.wgsl` compute the same; tests compare them. A pen does not change from word to
//! word: nothing here knows words. The module knows neither glyphs nor the device.
//!
//! The model is measured on 15 m of strokes in scans (docs/effects.md): the width of a line is `exp` of a term of its
//! direction and of noise that is correlated over about a millimetre; curvature and speed have no part in it.

mod field;
mod line;
mod numbers;
mod tone;

pub use field::PenField;
#[cfg(test)]
pub(crate) use field::{CLOSER_ALONG_LINES, COLUMN_STEP, MIXER, OCTAVES, ROW_STEP};
#[cfg(test)]
pub(crate) use line::{COS_210, ENDS_BETWEEN, LEAST_END, NARROWEST, SIN_210};
pub use line::{LineEnd, LinePen, Nib, PenMarks};
pub use tone::Tone;

use crate::catalogue::FontFace;
use crate::noise::{Purpose, Stream};
use crate::spec::PenUse;
use crate::units::{Degrees, MM_PER_INCH, Px};
use numbers::Numbers;

/// The keys of the fields of a page in the pen's stream, for each page.
const KEYS_PER_PAGE: u64 = 4;
const TONE_KEY: u64 = 2;

/// A pen that writes a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    numbers: &'static Numbers,
    wanted: PenUse,
    /// The seeds of the fields of width and of darkness.
    seeds: [u32; 2],
}

impl Pen {
    /// The pen of page `page` of a text.
    #[must_use]
    pub fn new(wanted: PenUse, seed: u32, page: u32) -> Self {
        let stream = Stream::new(seed, Purpose::Pen);
        let key = u64::from(page) * KEYS_PER_PAGE;
        let seeds = [key, key + TONE_KEY].map(|key| stream.bits(key));
        Self { numbers: Numbers::of(wanted.kind), wanted, seeds }
    }

    /// The pen in the strokes of a font with an em of this size.
    #[must_use]
    pub fn line(&self, face: &FontFace, em: Px) -> LinePen {
        let (numbers, strength) = (self.numbers, self.wanted.strength);
        if !face.has_even_strokes() {
            return LinePen::new(0.0, (strength * numbers.width_sd).min(MOST_SD_OF_CONTRAST), 0.0);
        }
        let own = face.stroke_em() * em.get();
        let x_height = face.x_height().get() / f64::from(face.units_per_em()) * em.get();
        let usual = px(numbers.width_mm).min(MOST_WIDTH * x_height);
        let [least, most] = if self.wanted.width.is_some() { FACTORS } else { USUAL_FACTORS };
        let width = self.wanted.width.map_or(usual, |width| px(width.get()));
        let factor = (width / own).clamp(least, most);
        LinePen::new(strength * numbers.direction, strength * numbers.width_sd, strength.min(1.0) * factor.ln())
    }

    /// What all its lines on the page share.
    #[must_use]
    pub fn marks(&self) -> PenMarks {
        let end = |[mean, deviation, length]: [f64; 3]| {
            let [mean, deviation] = [mean, deviation].map(|share| (self.wanted.strength * share) as f32);
            LineEnd { mean, deviation, per_px: (1.0 / px(length)) as f32 }
        };
        let ends = [end(self.numbers.start), end(self.numbers.end)];
        PenMarks { nib: self.nib(), field: self.width_field(), ends }
    }

    /// Its nib.
    #[must_use]
    pub fn nib(&self) -> Nib {
        let [ratio, angle] = self.numbers.nib;
        let angle = self.wanted.angle.map_or(angle, Degrees::get);
        // Little strength leaves the nib nearly round.
        Nib::new(ratio.powf(self.wanted.strength.min(1.0)), Degrees::new(angle))
    }

    /// The field of its width.
    #[must_use]
    pub fn width_field(&self) -> PenField {
        PenField::new(self.seeds[0], px(self.numbers.width_length_mm))
    }

    /// The field of its darkness, which also gives the grain of the paper its seed.
    #[must_use]
    pub fn tone_field(&self) -> PenField {
        PenField::new(self.seeds[1], px(self.numbers.tone_length_mm))
    }

    /// The darkness of its ink.
    #[must_use]
    pub fn tone(&self) -> Tone {
        Tone::new(&self.numbers.ink, self.wanted.strength)
    }
}

/// The most of the x-height that a pen is wide by itself: loops fill above.
const MOST_WIDTH: f64 = 0.22;
/// The most that noise changes strokes which are thick and thin by design (standard deviation of the logarithm).
const MOST_SD_OF_CONTRAST: f64 = 0.03;
/// The least and most factor of the width of a font's strokes. Beyond, the sides of outlines no longer follow the pen.
const FACTORS: [f64; 2] = [0.5, 2.0];
/// The same where the request names no width: counters of letters were drawn for strokes of about their own width.
const USUAL_FACTORS: [f64; 2] = [0.6, 1.6];
/// The thinnest line of any pen, in mm: a third more than the 0.25 pt (0.088 mm) that presses hold, so that thin strokes
/// of rough outlines do not break.
const THINNEST_MM: f64 = 0.12;

/// Half the thinnest line.
#[must_use]
pub fn least_half_width() -> Px {
    Px::new(0.5 * px(THINNEST_MM))
}

/// Page px of a length in millimetres.
fn px(mm: f64) -> f64 {
    mm * 300.0 / MM_PER_INCH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};
    use crate::spec::PenKind;
    use crate::units::Mm;

    fn pen(kind: PenKind) -> PenUse {
        PenUse { kind, ..PenUse::default() }
    }

    #[test]
    fn a_pen_is_as_wide_as_itself_and_in_small_writing_as_a_share_of_the_letters() {
        let catalogue = FontCatalogue::load().unwrap();
        let face = catalogue.face(FontId::new(2).unwrap());
        let width = |wanted: PenUse, em: f64| {
            let line = Pen::new(wanted, 1, 0).line(face, Px::new(em));
            f64::from(line.scale()).exp() * face.stroke_em() * em
        };
        let x_height = face.x_height().get() / f64::from(face.units_per_em());
        assert!((width(pen(PenKind::Ballpoint), 64.0) / px(0.38) - 1.0).abs() < 0.01);
        assert!((width(pen(PenKind::Felt), 50.0) / (0.22 * x_height * 50.0) - 1.0).abs() < 0.01);
        let asked = PenUse { width: Some(Mm::new(0.5)), ..pen(PenKind::Gel) };
        assert!((width(asked, 64.0) / px(0.5) - 1.0).abs() < 0.01);
    }

    #[test]
    fn strokes_that_are_thick_and_thin_by_design_stay_so() {
        let catalogue = FontCatalogue::load().unwrap();
        let face = catalogue.face(FontId::new(53).unwrap());
        let line =
            Pen::new(PenUse { width: Some(Mm::new(2.0)), ..pen(PenKind::Broad) }, 1, 0).line(face, Px::new(80.0));
        assert!((line.direction(), line.scale(), line.keeps_outline()) == (0.0, 0.0, true));
        assert!(line.width_sd() <= 0.031);
    }

    #[test]
    fn pages_and_seeds_have_fields_of_their_own() {
        let at = |seed, page| Pen::new(pen(PenKind::Gel), seed, page).width_field().at([500.0, 300.0]).to_bits();
        assert_eq!(at(1, 0), at(1, 0));
        assert!(at(1, 0) != at(2, 0) && at(1, 0) != at(1, 1));
        let pen = Pen::new(pen(PenKind::Gel), 1, 0);
        assert_ne!(pen.width_field().seed(), pen.tone_field().seed());
    }
}
