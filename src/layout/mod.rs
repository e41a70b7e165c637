//! The position of every glyph: from a valid specification to finished pages, in 300-DPI pixels, without side effects.
//!
//! Input: a [`RenderSpec`] and the fonts. Output: a [`PageLayout`] with warnings, or a [`LayoutError`]. In order:
//!
//! 1. `clean_text` cleans the text; `characters` classifies each character; `look_alikes` says what is written for one
//!    that the chosen font lacks; `lost_spaces` finds lines whose indents and tabs are lost.
//! 2. `font_fallback` chooses the font of each of the `tokens`, which are words and signs; `run` splits paragraphs by
//!    font, script and direction.
//! 3. `shape` shapes a run with harfrust, word by word in `word_shapes`, through `shape_cache`; `marks` places marks for
//!    which the font has no anchors. `forms` chooses among the drawings of a letter; `varied` applies writer
//!    variation to letters and gaps: `white` measures white between glyphs, `sign` says how far signs are from what is
//!    beside them, and `word_ends` finds the ends of words. `chunks` splits the glyphs where a line may break. The
//!    result is one `shaped_paragraph` per paragraph.
//! 4. `line_break` breaks a paragraph into lines by their ink, and `cut_rows` cuts the `rows` of one sign. `text_frame`
//!    fills the text area, `automatic_size` finds the largest font size that fits, and `keep_lines` the largest at which
//!    no given line wraps; `widow` avoids a single word on a paragraph's last line.
//! 5. `place_glyphs` makes pages from the lines, at the height that `vertical_position` gives; `words` finds the words
//!    that are rotated, and `effects` gives their angles and the indents of lines.
//!
//! Up to step 3, lengths are in font units or ems, so a text is shaped once for all sizes. The result does not depend
//! on the resolution: 600 DPI and a preview have the same lines. The module knows no meshes and no device pixels.

mod automatic_size;
mod characters;
mod chunks;
mod clean_text;
mod cut_rows;
mod effects;
mod error;
mod font_fallback;
mod forms;
mod growing_line;
mod ink;
mod keep_lines;
mod line_break;
mod look_alikes;
mod lost_spaces;
mod marks;
mod page_layout;
mod place_glyphs;
mod placed_chunk;
mod probe;
mod rows;
mod run;
mod shape;
mod shape_cache;
mod shaped_glyph;
mod shaped_paragraph;
mod shaped_text;
mod sign;
mod text_frame;
mod tokens;
mod varied;
mod vertical_position;
mod warnings;
mod white;
mod widow;
mod word_ends;
mod word_shapes;
mod words;

pub(crate) use automatic_size::least_paginated;
pub use error::{LayoutError, UnsupportedCharacter};
pub use page_layout::{PageLayout, PlacedGlyph, PlacedLine, PlacedRun, PlacedWord, WordText};
pub use probe::{ProbedGlyph, ShapeProbe, context_of, lines_that_differ};

use crate::catalogue::{FontCatalogue, FontFace};
use crate::spec::{FontSize, Overflow, RenderSpec, Representation};
use crate::units::Px;
use crate::variation::Writer;
use crate::warning::Warning;
use crate::work::WorkMeter;

use automatic_size::Words;
use clean_text::CleanText;
use effects::PageEffects;
use font_fallback::FontFallback;
use forms::{Letters, strength_in};
use place_glyphs::place_glyphs;
use run::has_direction;
use shape::Shaper;
use shaped_paragraph::ShapedParagraph;
use text_frame::{AtEnd, SMALLEST, TextFrame, TextPosition, TypesetText};
use varied::Variation;

/// Lays a text out on one page, without a limit on work.
///
/// # Errors
/// [`LayoutError`]: a character that no font has, or a text that does not fit (with [`Overflow::Paginate`]: that needs
/// more than one page).
pub fn lay_out(spec: &RenderSpec, catalogue: &FontCatalogue) -> Result<PageLayout, LayoutError> {
    lay_out_within(spec, catalogue, &WorkMeter::default())
}

/// As [`lay_out`], within the budget of `work`.
///
/// # Errors
/// As [`lay_out`], and [`LayoutError::Stopped`] when the budget is spent.
pub fn lay_out_within(
    spec: &RenderSpec,
    catalogue: &FontCatalogue,
    work: &WorkMeter<'_>,
) -> Result<PageLayout, LayoutError> {
    let at_end = if spec.overflow == Overflow::Clip { AtEnd::Clip } else { AtEnd::Stop };
    let mut pages = lay_out_to_end(spec, catalogue, at_end, work)?;
    Ok(pages.swap_remove(0))
}

/// Lays a text out within the budget of `work`: with [`Overflow::Paginate`] on all the pages that it needs, otherwise
/// on one. There is at least one page; the first carries the warnings.
///
/// # Errors
/// As [`lay_out_within`]; with [`Overflow::Paginate`] only a grapheme larger than the text area does not fit.
pub fn lay_out_pages_within(
    spec: &RenderSpec,
    catalogue: &FontCatalogue,
    work: &WorkMeter<'_>,
) -> Result<Vec<PageLayout>, LayoutError> {
    if spec.overflow == Overflow::Paginate {
        lay_out_to_end(spec, catalogue, AtEnd::NewPage, work)
    } else {
        Ok(vec![lay_out_within(spec, catalogue, work)?])
    }
}

/// A font size and the lines at that size.
struct Fitted {
    size: f64,
    typeset: TypesetText,
    /// That the text was shrunk or cut.
    warning: Option<Warning>,
}

fn lay_out_to_end(
    spec: &RenderSpec,
    catalogue: &FontCatalogue,
    at_end: AtEnd,
    work: &WorkMeter<'_>,
) -> Result<Vec<PageLayout>, LayoutError> {
    let text = clean_text::clean(&spec.text, spec.font, catalogue)?;
    let paragraphs: Vec<&str> = text.paragraphs.iter().map(|paragraph| paragraph.text.as_str()).collect();
    let needs_strokes = spec.representation() == Representation::Strokes;
    let mut fallback = FontFallback::new(catalogue, spec.font, &paragraphs, needs_strokes);
    let mut shaper = Shaper::new(catalogue, spec.kerning, work);
    let face = catalogue.face(spec.font);
    let writer = spec.effects.writer_variation.and_then(|effect| {
        let writer = Writer::new(spec.seed, strength_in(face, effect.strength))?;
        Some(writer.with_manner(face.manner()))
    });
    let have_forms = catalogue.faces().any(FontFace::has_own_forms);
    let writer =
        writer.map(|writer| if spec.effects.pen.in_use().is_some() { writer.with_steady_pen() } else { writer });
    let paragraphs = text.paragraphs.iter().map(|paragraph| {
        let varied = writer.map(|writer| Letters::Varied(Variation::new(&writer, paragraph)));
        let letters = varied.or_else(|| have_forms.then(|| Letters::forms(spec.seed, paragraph)));
        ShapedParagraph::new(paragraph.text.clone(), spec.font, letters, &mut fallback, &mut shaper)
    });
    let mut paragraphs = paragraphs.collect::<Result<Vec<_>, _>>()?;
    take_direction(&mut paragraphs);
    let face = catalogue.face(spec.font);
    let effects = PageEffects::of(spec, face);
    let height = (spec.page.px().height - spec.margins.top - spec.margins.bottom).get();
    let mut frame = TextFrame { spec, face, height, effects, clean: &text.paragraphs, paragraphs, shaper: &mut shaper };

    let fitted = find_size(&mut frame, &text, at_end)?;
    let mut pages = place_glyphs(&mut frame, fitted.size, &fitted.typeset)?;
    if let Some(first) = pages.first_mut() {
        first.warnings = warnings::of_page(&frame, &text, &fallback, &fitted);
    }
    Ok(pages)
}

/// Paragraphs without a letter, such as a telephone number in an address, begin where the one before them begins, or at
/// the start of the text the one after them.
fn take_direction(paragraphs: &mut [ShapedParagraph]) {
    let directions =
        paragraphs.iter().map(|paragraph| has_direction(&paragraph.text).then_some(paragraph.begins_at_right));
    let directions: Vec<Option<bool>> = directions.collect();
    let mut current = directions.iter().flatten().next().copied().unwrap_or(false);
    for (paragraph, own) in paragraphs.iter_mut().zip(directions) {
        current = own.unwrap_or(current);
        paragraph.begins_at_right = current;
    }
}

/// Finds the font size, and handles text that does not fit.
fn find_size(frame: &mut TextFrame<'_, '_>, text: &CleanText, at_end: AtEnd) -> Result<Fitted, LayoutError> {
    if frame.spec.keep_lines
        && let Some(kept) = keep_lines::find_size(frame, text, at_end)?
    {
        return Ok(kept);
    }
    let size = match frame.spec.font_size {
        FontSize::Auto { max } => {
            let most = frame.largest_automatic(max);
            let found = if at_end == AtEnd::NewPage {
                frame.largest_fitting_or_paginated(most)?
            } else {
                frame.largest_fitting(SMALLEST..=most, Words::WholeIfPossible)?
            };
            return match found {
                Some((size, typeset)) => Ok(Fitted { size: f64::from(size), typeset, warning: None }),
                None => Err(overflow(frame, text, f64::from(SMALLEST), None)?),
            };
        }
        FontSize::Fixed(size) => size.get(),
    };
    if at_end == AtEnd::Stop {
        if let Some(typeset) = frame.fit(size)? {
            return Ok(Fitted { size, typeset, warning: None });
        }
    } else {
        let typeset = frame.typeset(size, at_end)?;
        if typeset.is_complete() || at_end == AtEnd::Clip {
            let warning = (!typeset.is_complete()).then(|| warnings::clipped(text, &typeset));
            return Ok(Fitted { size, typeset, warning });
        }
    }
    match frame.spec.overflow {
        Overflow::Shrink => match frame.largest_fitting(SMALLEST..=size as u32, Words::MayBreak)? {
            Some((fitting, typeset)) => {
                let warning = Some(warnings::shrunk(size, fitting));
                Ok(Fitted { size: f64::from(fitting), typeset, warning })
            }
            None => Err(overflow(frame, text, size, None)?),
        },
        Overflow::Error | Overflow::Paginate | Overflow::Clip => {
            let largest = frame.largest_fitting(SMALLEST..=size as u32, Words::MayBreak)?.map(|(size, _)| size);
            Err(overflow(frame, text, size, largest)?)
        }
    }
}

/// The number of characters of the received text before a position.
fn characters_before(text: &CleanText, at: Option<TextPosition>) -> usize {
    at.and_then(|at| text.paragraphs.get(at.paragraph)?.source_at(at.offset)).unwrap_or(text.length)
}

/// The error for a text that does not fit at `size`.
fn overflow(
    frame: &mut TextFrame<'_, '_>,
    text: &CleanText,
    size: f64,
    largest_size_that_fits: Option<u32>,
) -> Result<LayoutError, LayoutError> {
    let in_lines = characters_before(text, frame.typeset(size, AtEnd::Stop)?.cut_at);
    let in_text = frame.cut_in_text(size)?.map_or(in_lines, |cut| characters_before(text, Some(cut)));
    let characters_that_fit = fitting_alone(frame, size, in_lines.min(in_text))?;
    Ok(LayoutError::TextOverflow { characters_that_fit, largest_size_that_fits })
}

/// How many of the first `count` characters fit at `size` where they are all of the text. A part of a word may be
/// written in another font than the whole word, and a part of a bidirectional text in another order than all of it;
/// then it may need more room.
fn fitting_alone(frame: &TextFrame<'_, '_>, size: f64, count: usize) -> Result<usize, LayoutError> {
    let is_the_same_alone = |paragraph: &ShapedParagraph| {
        !paragraph.is_bidirectional && paragraph.runs.iter().all(|run| run.font == frame.spec.font)
    };
    let is_a_part = 0 < count && count < frame.spec.text.chars().count();
    if !is_a_part || frame.paragraphs.iter().all(is_the_same_alone) {
        return Ok(count);
    }
    let text = frame.spec.text.chars().take(count).collect();
    let font_size = FontSize::Fixed(Px::new(size));
    let alone = RenderSpec { text, font_size, overflow: Overflow::Error, keep_lines: false, ..frame.spec.clone() };
    match lay_out_within(&alone, frame.shaper.catalogue, frame.shaper.work) {
        Ok(_) => Ok(count),
        Err(LayoutError::TextOverflow { characters_that_fit, .. }) => Ok(characters_that_fit.min(count)),
        Err(other) => Err(other),
    }
}
