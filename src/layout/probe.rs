//! Shapes bare strings in one font, to examine the font.

use super::error::LayoutError;
use super::font_fallback::FontFallback;
use super::run::runs;
use super::shape::Shaper;
use super::shaped_paragraph::ShapedParagraph;
use crate::catalogue::{Context, FontCatalogue, FontId, GlyphId};
use crate::spec::Kerning;
use crate::work::WorkMeter;

/// A shaped glyph: its number, and its origin in font units right of the start.
pub type ProbedGlyph = (GlyphId, i32);

/// Shapes strings in one font, and nothing in others.
pub struct ShapeProbe<'a> {
    font: FontId,
    shaper: Shaper<'a>,
}

impl<'a> ShapeProbe<'a> {
    /// A probe of a font of the catalogue.
    #[must_use]
    pub fn new(catalogue: &'a FontCatalogue, font: FontId, kerning: Kerning, work: &'a WorkMeter<'a>) -> Self {
        Self { font, shaper: Shaper::new(catalogue, kerning, work) }
    }

    /// The glyphs of a text of one line, each run from left to right, and its whole advance.
    ///
    /// # Errors
    /// The font cannot be shaped with, or the budget of work is spent.
    pub fn glyphs(&mut self, text: &str) -> Result<(Vec<ProbedGlyph>, i32), LayoutError> {
        let (mut glyphs, mut advance) = (Vec::new(), 0);
        for run in runs(text, &[(0..text.len(), self.font)], self.font, self.shaper.catalogue) {
            let mut shaped = Vec::new();
            self.shaper.shape(text, &run, run.range.clone(), false, &mut shaped)?;
            glyphs.extend(shaped.iter().map(|glyph| (glyph.glyph, advance + glyph.x)));
            advance += shaped.iter().map(|glyph| glyph.advance).sum::<i32>();
        }
        Ok((glyphs, advance))
    }
}

/// Text in which letters repeat, meet and stand alone, so that contextual alternates show.
const TEXT: &str = "now in tttt hello all egg too see bee zoo off Anna Otto EE LL mmm, nn-nn 11 22 100 a a a a b b the the \
    the that this. AVATAR To you, Mr. Wolf: The quick brown fox jumps over the lazy dog - 1/2 of 1234567890 times. \
    Off the office affinity fjord, waffle; happy birthday, grandmother! We met (twice) in Yverdon & Tokyo. Zwölf \
    Boxkämpfer jagen Viktor quer über den großen Sylter Deich, à la façon de señor Núñez: çà et là. letter \
    committee assess book moon llama vroom bubble aa ee oo nnn ttt eee sss Mississippi banana assessed";

/// Lines of that text that are compared, at each of two ways to cut it.
const CUTS: usize = 300;

/// Compares lines that are put together from shaped words with lines that are shaped as a whole, and counts those that
/// differ. Fonts whose letters depend on more than their [`Context`] tells have some.
///
/// # Errors
/// The font cannot be shaped with, or the budget of work is spent.
pub fn lines_that_differ(catalogue: &FontCatalogue, font: FontId, work: &WorkMeter<'_>) -> Result<usize, LayoutError> {
    let mut shaper = Shaper::new(catalogue, Kerning::Pairs, work);
    let mut fonts = FontFallback::new(catalogue, font, &[], false);
    let mut paragraph = ShapedParagraph::new(TEXT.to_owned(), font, None, &mut fonts, &mut shaper)?;
    let (mut differing, mut random) = (0, u32::from(font.get()));
    for refined in [false, true] {
        if refined {
            paragraph.refine(0..paragraph.chunks().len(), &shaper);
        }
        let chunks = paragraph.chunks().len();
        for _ in 0..CUTS {
            // Numerical Recipes' linear congruential generator.
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let first = random as usize / 7 % chunks;
            let last = (first + (random >> 24) as usize % 30).min(chunks - 1);
            differing += usize::from(!paragraph.is_line_as_shaped_at_once(first, last, &mut shaper)?);
        }
    }
    Ok(differing)
}

/// The least context with which all those lines are right. `with` returns the catalogue in which the font has a
/// context.
///
/// # Errors
/// As [`lines_that_differ`].
pub fn context_of<C: AsRef<FontCatalogue>>(
    font: FontId,
    work: &WorkMeter<'_>,
    with: impl Fn(Context) -> C,
) -> Result<Context, LayoutError> {
    for context in [Context::Neighbours, Context::Word] {
        if lines_that_differ(with(context).as_ref(), font, work)? == 0 {
            return Ok(context);
        }
    }
    Ok(Context::Line)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::catalogue::{FontFace, FontFile, FontParts};

    #[test]
    fn lines_put_together_are_the_lines_shaped_at_once() {
        let catalogue = FontCatalogue::load().unwrap();
        for font in FontId::bundled() {
            assert_eq!(lines_that_differ(&catalogue, font, &WorkMeter::default()), Ok(0), "font {}", font.get());
        }
    }

    /// The comparison draws lines at random, so it may miss that letters depend on distant ones; fonts with alternates
    /// are therefore not judged by it (`own_fonts::examination`). It must find no context that is too wide.
    #[test]
    fn no_context_of_the_ninety_fonts_is_too_wide() {
        let catalogue = FontCatalogue::load().unwrap();
        let id = FontId::new(1001).unwrap();
        for font in FontId::bundled() {
            let face = catalogue.face(font);
            let file = FontFile::keep(face.bytes().to_vec());
            let with = |context| {
                let font = FontParts { context, ..FontParts::plain(id, file) };
                Arc::new(catalogue.with_operator_fonts([Arc::new(FontFace::of_operator(font).unwrap())]))
            };
            let found = context_of(id, &WorkMeter::default(), with).unwrap();
            assert!(found <= face.context(), "font {}: {found:?}", font.get());
        }
    }
}
