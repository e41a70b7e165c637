//! The position of every glyph: from a valid specification to finished pages, in 300-DPI pixels, without side effects.
//!
//! Input: a [`RenderSpec`] and the fonts. Output: a [`PageLayout`] with warnings, or a [`LayoutError`]. In order:
//!
//! 1. `paragraph` cleans the text; `characters` decides what becomes of each character.
//! 2. `hands` chooses the font of each character, `run` splits lines by font, script and direction.
//! 3. `shape` shapes a run with harfrust, word by word in `word_shapes`, through `shape_cache`. `varied` draws letters and
//!    gaps as one writer varies them. `strand` splits shaped
//!    text at the places where it may break, and `galley` is one paragraph, shaped and not yet broken.
//! 4. `line_break` breaks a paragraph into lines by their ink (`extent`). `fit` fills the text area and finds the
//!    largest font size that fits; `widow` avoids a single word on a paragraph's last line.
//! 5. `place` places pages, words and glyphs; `words` groups glyphs that are rotated together, and `effects` rotates
//!    words and indents lines.
//!
//! Up to `fit`, lengths are in font units or ems, so a text is shaped once for all sizes. The result is independent of
//! the resolution: 600 DPI and a preview have the same lines. The module knows no meshes and no device pixels.

mod characters;
mod effects;
mod error;
mod extent;
mod fit;
mod galley;
mod hands;
mod line_break;
mod page_layout;
mod paragraph;
mod place;
mod run;
mod shape;
mod shape_cache;
mod strand;
mod varied;
mod widow;
mod word_shapes;
mod words;

pub use error::{LayoutError, UnsupportedCharacter};
pub use page_layout::{PageLayout, PlacedGlyph, PlacedLine, PlacedRun, PlacedWord, Warning, WarningKind};

use crate::catalogue::FontCatalogue;
use crate::spec::{FontSize, GenerationKind, Overflow, RenderSpec};
use crate::variation::Writer;
use crate::work::WorkMeter;

use characters::is_blank;
use effects::PageEffects;
use error::{list_of, name_of};
use fit::{AtEnd, Column, Rest, SMALLEST, Setting, Unfit};
use galley::Galley;
use hands::Hands;
use paragraph::Manuscript;
use shape::Shaper;
use varied::Variation;

/// Lays a text out on one page, whatever work it takes.
///
/// # Errors
/// [`LayoutError`]: a character that no font has, or text that does not fit (with [`Overflow::Paginate`], that needs
/// more than one page).
pub fn lay_out(spec: &RenderSpec, catalogue: &FontCatalogue) -> Result<PageLayout, LayoutError> {
    lay_out_within(spec, catalogue, &WorkMeter::default())
}

/// As [`lay_out`], within the budget of a meter.
///
/// # Errors
/// As [`lay_out`], and [`LayoutError::Stopped`] by the meter.
pub fn lay_out_within(
    spec: &RenderSpec,
    catalogue: &FontCatalogue,
    work: &WorkMeter<'_>,
) -> Result<PageLayout, LayoutError> {
    let at_end = if spec.overflow == Overflow::Clip { AtEnd::Clip } else { AtEnd::Stop };
    let mut pages = lay_out_to_end(spec, catalogue, at_end, work)?;
    Ok(pages.swap_remove(0))
}

/// Lays a text out on as many pages as it needs with [`Overflow::Paginate`], and on one otherwise. Never none; the
/// warnings are the first page's.
///
/// # Errors
/// As [`lay_out`], save that with [`Overflow::Paginate`] only a grapheme larger than the text area does not fit.
pub fn lay_out_pages(spec: &RenderSpec, catalogue: &FontCatalogue) -> Result<Vec<PageLayout>, LayoutError> {
    lay_out_pages_within(spec, catalogue, &WorkMeter::default())
}

/// As [`lay_out_pages`], within the budget of a meter.
///
/// # Errors
/// As [`lay_out_pages`], and [`LayoutError::Stopped`] by the meter.
pub fn lay_out_pages_within(
    spec: &RenderSpec,
    catalogue: &FontCatalogue,
    work: &WorkMeter<'_>,
) -> Result<Vec<PageLayout>, LayoutError> {
    if spec.overflow == Overflow::Paginate {
        lay_out_to_end(spec, catalogue, AtEnd::TurnPage, work)
    } else {
        Ok(vec![lay_out_within(spec, catalogue, work)?])
    }
}

/// A size and the lines at it.
struct Fitted {
    size: f64,
    setting: Setting,
    warnings: Vec<Warning>,
}

fn lay_out_to_end(
    spec: &RenderSpec,
    catalogue: &FontCatalogue,
    at_end: AtEnd,
    work: &WorkMeter<'_>,
) -> Result<Vec<PageLayout>, LayoutError> {
    let manuscript = paragraph::read(&spec.text, spec.font, catalogue)?;
    let mut hands = Hands::new(catalogue, spec.font);
    let mut shaper = Shaper::new(catalogue, spec.kerning, work);
    let writer = spec.effects.writer_variation.and_then(|effect| Writer::new(spec.seed, effect.strength));
    let mut galleys = Vec::with_capacity(manuscript.paragraphs.len());
    for paragraph in &manuscript.paragraphs {
        let variation = writer.map(|writer| Variation::new(&writer, paragraph));
        galleys.push(Galley::new(paragraph.text.clone(), spec.font, variation, &mut hands, &mut shaper)?);
    }
    let face = catalogue.face(spec.font);
    let effects = PageEffects::of(spec, face);
    let paragraphs = &manuscript.paragraphs;
    let height = (spec.page.px().height - spec.margins.top - spec.margins.bottom).get();
    let mut column = Column { spec, face, height, effects, paragraphs, galleys, shaper: &mut shaper };

    let fitted = fit_column(&mut column, &manuscript, at_end)?;
    let mut pages = place::place(&mut column, fitted.size, &fitted.setting)?;
    if let Some(first) = pages.first_mut() {
        first.warnings.extend(omissions(&manuscript));
        first.warnings.extend(hands.warnings());
        first.warnings.extend(fitted.warnings);
        first.warnings.extend(wrapped_lines(spec, &manuscript, &fitted.setting));
    }
    for page in &mut pages {
        page.calculated_font_size = matches!(spec.font_size, FontSize::Auto(_)).then_some(fitted.size as u32);
    }
    Ok(pages)
}

/// Finds the size, and what becomes of text that does not fit.
fn fit_column(column: &mut Column<'_, '_>, manuscript: &Manuscript, at_end: AtEnd) -> Result<Fitted, LayoutError> {
    let size = match column.spec.font_size {
        FontSize::Auto(auto) => {
            return match column.largest_fitting(auto.max)? {
                Some((size, setting)) => Ok(Fitted { size: f64::from(size), setting, warnings: Vec::new() }),
                None => Err(overflow(column, manuscript, f64::from(SMALLEST), None)?),
            };
        }
        FontSize::Fixed(size) => size.get(),
    };
    if at_end == AtEnd::Stop {
        if let Ok(setting) = column.fit(size)? {
            return Ok(Fitted { size, setting, warnings: Vec::new() });
        }
    } else {
        let setting = column.set(size, at_end)?;
        if setting.is_complete() || at_end == AtEnd::Clip {
            let cut = (!setting.is_complete()).then(|| clipped(manuscript, &setting));
            return Ok(Fitted { size, setting, warnings: cut.into_iter().collect() });
        }
    }
    match column.spec.overflow {
        Overflow::Shrink => match column.largest_fitting(size as u32)? {
            Some((fitting, setting)) => {
                let message = format!("the text does not fit at font_size {size}; written at {fitting}");
                let warnings = vec![Warning { kind: WarningKind::FontShrunk, message }];
                Ok(Fitted { size: f64::from(fitting), setting, warnings })
            }
            None => Err(overflow(column, manuscript, size, None)?),
        },
        Overflow::Error | Overflow::Paginate | Overflow::Clip => {
            let largest = column.largest_fitting(size as u32)?.map(|(size, _)| size);
            Err(overflow(column, manuscript, size, largest)?)
        }
    }
}

/// Characters of the received text before a place.
fn characters_before(manuscript: &Manuscript, rest: Option<Rest>) -> usize {
    rest.and_then(|rest| manuscript.paragraphs.get(rest.paragraph)?.source_at(rest.offset)).unwrap_or(manuscript.length)
}

/// What is said of a text that does not fit at `size`.
fn overflow(
    column: &mut Column<'_, '_>,
    manuscript: &Manuscript,
    size: f64,
    largest_size_that_fits: Option<u32>,
) -> Result<LayoutError, LayoutError> {
    let in_lines = characters_before(manuscript, column.set(size, AtEnd::Stop)?.rest);
    let characters_that_fit = match column.fit(size)? {
        Err(Unfit::InText(setting)) => in_lines.min(characters_before(manuscript, setting.rest)),
        Err(Unfit::InLines) | Ok(_) => in_lines,
    };
    Ok(LayoutError::TextOverflow { characters_that_fit, largest_size_that_fits })
}

fn clipped(manuscript: &Manuscript, setting: &Setting) -> Warning {
    let cut = manuscript.length - characters_before(manuscript, setting.rest) + setting.dropped;
    let message = format!("the text does not fit the page: {cut} of its {} characters were cut", manuscript.length);
    Warning { kind: WarningKind::TextClipped, message }
}

fn omissions(manuscript: &Manuscript) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if !manuscript.omitted.is_empty() {
        let names: Vec<String> = manuscript.omitted.iter().map(|character| name_of(*character)).collect();
        let message = format!("no font can write {}; left out", list_of(&names));
        warnings.push(Warning { kind: WarningKind::CharactersOmitted, message });
    }
    if manuscript.paragraphs.iter().all(|paragraph| paragraph.text.chars().all(is_blank)) {
        let message = "the text has nothing to write; the page is empty".to_owned();
        warnings.push(Warning { kind: WarningKind::NothingToWrite, message });
    }
    warnings
}

/// The lines of an address that had to wrap.
fn wrapped_lines(spec: &RenderSpec, manuscript: &Manuscript, setting: &Setting) -> Vec<Warning> {
    if spec.kind != GenerationKind::Address {
        return Vec::new();
    }
    let lines_of = |index: usize| setting.lines.iter().filter(|line| line.paragraph == index).count();
    let wrapped = manuscript.paragraphs.iter().enumerate().filter(|(index, _)| lines_of(*index) > 1);
    wrapped
        .map(|(_, paragraph)| Warning {
            kind: WarningKind::LineWrapped,
            message: format!("line {} of the address had to wrap: \"{}\"", paragraph.number, paragraph.text),
        })
        .collect()
}
