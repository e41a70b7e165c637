//! Lays out the texts of a file: the body on all its pages, and each block on the first or the last.

use std::sync::Arc;

use super::laid_out::{LaidOutFile, LaidOutText};
use crate::catalogue::{FontCatalogue, FontId};
use crate::geometry::Rect;
use crate::layout::{PageLayout, lay_out_pages_within, lay_out_within};
use crate::pipeline::control::JobControl;
use crate::pipeline::cost::bounds::{check_cost, layout_budget};
use crate::pipeline::error::RenderError;
use crate::pipeline::rendered_file::{PlacedBlock, RenderedFile};
use crate::spec::{BlockPage, PageText, RenderSpec, field_of};
use crate::units::{DeviceScale, Px};
use crate::warning::{Warning, WarningKind};
use crate::work::WorkMeter;

/// Lays out all texts of `spec`, to be drawn at `scale`, within one budget.
///
/// # Errors
/// When a text cannot be written as asked, or the request costs too much.
pub(super) fn lay_out_texts(
    spec: &RenderSpec,
    scale: DeviceScale,
    control: &JobControl<'_>,
) -> Result<LaidOutFile, RenderError> {
    let work = WorkMeter::new(layout_budget(spec), control.is_wanted);
    let laid_out = lay_out_each(spec, control.catalogue, &work);
    let found = laid_out.as_ref().map(|file| file.pages.as_slice()).unwrap_or_default();
    check_cost(spec, found, scale, &work, control)?;
    laid_out
}

/// Refuses a specification with a font that is not loaded.
pub(super) fn refuse_missing_fonts(spec: &RenderSpec, catalogue: &FontCatalogue) -> Result<(), RenderError> {
    refuse_missing_font(catalogue, spec.font, None)?;
    let mut blocks = spec.blocks.iter().enumerate();
    blocks.try_for_each(|(number, block)| refuse_missing_font(catalogue, block.font, Some(number)))
}

/// Refuses a font that is not loaded, of the body or of a block.
pub(in crate::pipeline) fn refuse_missing_font(
    catalogue: &FontCatalogue,
    font: FontId,
    block: Option<usize>,
) -> Result<(), RenderError> {
    if catalogue.has(font) {
        return Ok(());
    }
    Err(RenderError::FontNotLoaded { field: field_of(block, "font_id"), font })
}

fn lay_out_each(
    spec: &RenderSpec,
    catalogue: &FontCatalogue,
    work: &WorkMeter<'_>,
) -> Result<LaidOutFile, RenderError> {
    let (mut pages, mut file) = (vec![Vec::new()], RenderedFile::planned(spec));
    for PageText { block, page, spec, rotation, centre } in spec.texts() {
        let layouts = match block {
            None => lay_out_pages_within(&spec, catalogue, work),
            Some(_) => lay_out_within(&spec, catalogue, work).map(|layout| vec![layout]),
        };
        let mut layouts = layouts.map_err(|error| RenderError::of_layout(error, block))?;
        let warnings = layouts.first_mut().map(|first| std::mem::take(&mut first.warnings)).unwrap_or_default();
        let named = |warning: Warning| match block {
            None => warning,
            Some(_) => Warning::about(warning.kind, field_of(block, &warning.field), &warning.message),
        };
        file.warnings.extend(warnings.into_iter().map(named));
        let calculated_font_size = layouts.first().and_then(|first| first.calculated_font_size);
        let spec = Arc::new(spec);
        let text = |layout: PageLayout| {
            let (spec, layout) = (Arc::clone(&spec), layout.rotated(rotation, centre));
            LaidOutText { block, spec, layout }
        };
        let mut texts = layouts.into_iter().map(text);
        if block.is_none() {
            file.calculated_font_size = calculated_font_size;
            pages = texts.map(|text| vec![text]).collect();
        } else if let Some(text) = texts.next() {
            file.blocks.push(PlacedBlock { calculated_font_size, ink: text.ink() });
            let page = match page {
                BlockPage::First => pages.first_mut(),
                BlockPage::Last => pages.last_mut(),
            };
            if let Some(texts) = page {
                texts.push(text);
            }
        }
    }
    file.warnings.extend(pages.iter().flat_map(|page| overlaps(page)));
    file.pages = pages.len();
    Ok(LaidOutFile { pages, file })
}

/// A warning for each text of a page whose words overlap those of texts below it.
fn overlaps(texts: &[LaidOutText]) -> Vec<Warning> {
    if texts.len() < 2 {
        return Vec::new();
    }
    let name = |at: usize| {
        let block = texts.get(at).and_then(|text| text.block);
        block.map_or_else(|| "the text of the page".to_owned(), |block| format!("blocks[{block}]"))
    };
    // The words of each text, and the box around them.
    let boxes = |text: &LaidOutText| {
        let words: Vec<Rect<Px>> = text.layout.word_boxes().collect();
        (words.iter().copied().reduce(Rect::union).unwrap_or_default(), words)
    };
    let boxes: Vec<(Rect<Px>, Vec<Rect<Px>>)> = texts.iter().map(boxes).collect();
    let overlapping = |one: usize, other: usize| {
        let ((first, of_first), (second, of_second)) = (&boxes[one], &boxes[other]);
        let touches = |word: &Rect<Px>| of_second.iter().any(|other| overlap(*word, *other));
        overlap(*first, *second) && of_first.iter().filter(|word| overlap(**word, *second)).any(touches)
    };
    let of_text = |above: usize| {
        let below: Vec<String> = (0..above).filter(|below| overlapping(*below, above)).map(name).collect();
        let (last, others) = below.split_last()?;
        let below = if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
        let text = format!("its ink overlaps that of {below}");
        Some(Warning::about(WarningKind::BlocksOverlap, name(above), &text))
    };
    (0..texts.len()).filter_map(of_text).collect()
}

/// Whether two boxes share more than an edge.
fn overlap(one: Rect<Px>, other: Rect<Px>) -> bool {
    one.min.x < other.max.x && other.min.x < one.max.x && one.min.y < other.max.y && other.min.y < one.max.y
}
