//! Rotation of words, indentation and slope of lines.
//!
//! A word's angle depends on its first byte in the text, a line's indent on its number in the paragraph. Neither
//! depends on other lines, and a larger range scales the same random numbers.

use crate::catalogue::FontFace;
use crate::noise::{Purpose, Stream};
use crate::spec::RenderSpec;
use crate::units::{Degrees, Px};
use crate::variation::{LineWriter, Slope, Writer};

/// Height of the highest ink above the baseline, in ems, that sloped lines reserve room for.
const TALLEST: f64 = 1.5;

/// The effects of a page that change its layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageEffects {
    /// The random angles and their range; `None` without rotation.
    rotation: Option<(Stream, Degrees)>,
    /// The random indents and their range; `None` without indentation.
    indentation: Option<(Stream, Px)>,
    /// Margins and slopes; `None` without writer variation.
    lines: Option<LineWriter>,
    /// The distance of two rules in px, and the height of letters between their ascent and descent in ems.
    ruled: Option<(f64, f64)>,
}

/// The effects on one line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LineEffects {
    /// How far its start moves to the right by its random indent, in px.
    pub(super) indent: f64,
    /// How far its start is from the margin besides, in px, unless it is centred.
    pub(super) margin: f64,
    /// How far it is to the right of the middle besides, in px, if it is centred.
    pub(super) off_centre: f64,
    /// The angles of its words; `None` without rotation.
    pub(super) angles: Option<WordAngles>,
    /// How it slopes and bows; level without writer variation.
    pub(super) slope: Slope,
    /// Room at both ends for the sideways extent of words that follow the slope, in px.
    pub(super) inset: f64,
    /// Whether gaps shrink near the end of the line.
    pub(super) tightens: bool,
}

/// The angles of the words of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WordAngles {
    stream: Stream,
    range: Degrees,
    paragraph: usize,
}

impl PageEffects {
    pub(super) fn of(spec: &RenderSpec, face: &FontFace) -> Self {
        let rotation = spec.effects.word_rotation.filter(|range| *range > Degrees::ZERO);
        let indentation = spec.effects.random_indentation.filter(|range| *range > Px::ZERO);
        Self {
            rotation: rotation.map(|range| (Stream::new(spec.seed, Purpose::WordRotation), range)),
            indentation: indentation.map(|range| (Stream::new(spec.seed, Purpose::Indentation), range)),
            lines: line_writer(spec, face),
            ruled: spec.ruling.as_ref().map(|ruling| (ruling.pitch.get(), letter_extent(face))),
        }
    }

    /// The effects on line `line` (from 0) of a paragraph at a size in px. `paragraph` is its line in the received
    /// text.
    pub(super) fn on_line(&self, paragraph: usize, line: usize, size: f64) -> LineEffects {
        let indent = self.indentation.map_or(0.0, |(stream, range)| stream.unit(key(paragraph, line)) * range.get());
        let angles = self.rotation.map(|(stream, range)| WordAngles { stream, range, paragraph });
        let effects = LineEffects { indent, angles, ..LineEffects::default() };
        let Some(writer) = self.lines else { return effects };
        let writer = self.ruled.map_or(writer, |(pitch, letters)| writer.with_white(pitch / size - letters));
        let slope = writer.slope(paragraph, line, size);
        LineEffects {
            margin: writer.margin(paragraph, line) * size,
            off_centre: writer.off_centre(paragraph, line) * size,
            slope,
            inset: TALLEST * size * writer.steepest(slope, size),
            tightens: true,
            ..effects
        }
    }
}

impl LineEffects {
    /// Sine and cosine of the largest angle of its words.
    pub(super) fn largest_angle(&self) -> (f64, f64) {
        self.angles.map_or((0.0, 1.0), |angles| angles.range.get().to_radians().sin_cos())
    }
}

/// The height of ordinary letters from their ascent to their descent, in ems.
fn letter_extent(face: &FontFace) -> f64 {
    let em = |units: f64| units / f64::from(face.units_per_em());
    let descent = face.glyph_for('p').and_then(|glyph| face.ink(glyph)).map_or(0.0, |ink| -em(ink.min.y.get()));
    em(face.ink_ascent().get()) + descent
}

fn line_writer(spec: &RenderSpec, face: &FontFace) -> Option<LineWriter> {
    let writer = Writer::new(spec.seed, spec.effects.writer_variation?.strength)?;
    let em = |units: f64| units / f64::from(face.units_per_em());
    let white = spec.line_height - letter_extent(face);
    let width = spec.page.px().width - spec.margins.left - spec.margins.right;
    Some(LineWriter::new(writer, em(face.x_height().get()), white, width.get() / 2.0))
}

impl WordAngles {
    /// The angle of the word that starts at byte `start` of the paragraph, clockwise on the page.
    pub(super) fn angle(&self, start: usize) -> Degrees {
        Degrees::new(self.stream.signed_unit(key(self.paragraph, start)) * self.range.get())
    }
}

/// No text has 2³² paragraphs or bytes.
const fn key(paragraph: usize, position: usize) -> u64 {
    (paragraph as u64) << 32 | position as u64
}
