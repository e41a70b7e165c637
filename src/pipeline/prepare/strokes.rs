//! Refuses fonts and characters without strokes, where a page is to have strokes.

use super::laid_out::{LaidOutFile, LaidOutText};
use crate::catalogue::{FontCatalogue, FontId};
use crate::layout::PageLayout;
use crate::pipeline::error::RenderError;
use crate::spec::{RenderSpec, Representation, field_of};

/// Characters that an error names one by one.
const NAMED: usize = 8;

/// Refuses fonts of any text without strokes, where the page is to have strokes.
pub(super) fn refuse_fonts_without_strokes(spec: &RenderSpec, catalogue: &FontCatalogue) -> Result<(), RenderError> {
    if spec.representation() != Representation::Strokes {
        return Ok(());
    }
    if spec.has_body() {
        refuse_font(catalogue, spec.font, None)?;
    }
    let mut blocks = spec.blocks.iter().enumerate();
    blocks.try_for_each(|(number, block)| refuse_font(catalogue, block.font, Some(number)))
}

/// Refuses characters of any text without strokes, where the page is to have strokes.
pub(super) fn refuse_characters_without_strokes(
    file: &LaidOutFile,
    catalogue: &FontCatalogue,
) -> Result<(), RenderError> {
    for LaidOutText { block, spec, layout } in file.pages.iter().flatten() {
        if spec.representation() == Representation::Strokes {
            refuse_characters(catalogue, layout, *block)?;
        }
    }
    Ok(())
}

/// Refuses a font without strokes, of the body or of a block.
///
/// # Errors
/// [`RenderError::NoStrokes`] with the closest font that has them.
fn refuse_font(catalogue: &FontCatalogue, font: FontId, block: Option<usize>) -> Result<(), RenderError> {
    let face = catalogue.face(font);
    if face.has_strokes() {
        return Ok(());
    }
    let closest = catalogue.closest_with_strokes(font).map(|closest| {
        format!("; the closest font that has them is {} ({})", closest.get(), catalogue.face(closest).name())
    });
    let (number, name, closest) = (font.get(), face.name(), closest.unwrap_or_default());
    let message = format!("font {number} ({name}) has no strokes{closest}; or use other svg.paths");
    Err(RenderError::NoStrokes { field: field_of(block, "font_id"), message })
}

/// Refuses a page with glyphs that have no strokes: from fallback fonts, or rare glyphs that were not traced.
///
/// # Errors
/// [`RenderError::NoStrokes`] with the characters.
fn refuse_characters(catalogue: &FontCatalogue, layout: &PageLayout, block: Option<usize>) -> Result<(), RenderError> {
    let mut lacking: Vec<char> = Vec::new();
    for line in &layout.lines {
        let mut glyphs = layout.words.get(line.words.clone()).unwrap_or_default().iter().flat_map(|word| &word.glyphs);
        for run in &line.runs {
            let face = catalogue.face(run.font);
            let glyphs: Vec<_> = glyphs.by_ref().take(run.glyph_count).collect();
            if glyphs.iter().all(|glyph| face.glyph_strokes(glyph.glyph).is_some()) {
                continue;
            }
            let lacks =
                |character: &char| face.glyph_for(*character).is_none_or(|glyph| face.glyph_strokes(glyph).is_none());
            let written = || run.text.chars().filter(|character| !character.is_whitespace());
            // Where only a combination lacks strokes, all its run is named.
            let own: Vec<char> = written().filter(lacks).collect();
            lacking.extend(if own.is_empty() { written().collect() } else { own });
        }
    }
    lacking.sort_unstable();
    lacking.dedup();
    if lacking.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = lacking
        .iter()
        .take(NAMED)
        .map(|character| format!("'{character}' (U+{:04X})", u32::from(*character)))
        .collect();
    let more = if lacking.len() > NAMED { format!(" and {} more", lacking.len() - NAMED) } else { String::new() };
    let message = format!("no strokes for {}{more}; leave them out, or use other svg.paths", named.join(", "));
    Err(RenderError::NoStrokes { field: field_of(block, "text"), message })
}
