//! What the client is told about the layout of a page.

use super::automatic_size::small_x_height;
use super::characters::is_blank;
use super::clean_text::{CleanText, Paragraph};
use super::error::{list_of, name_of};
use super::font_fallback::FontFallback;
use super::text_frame::{TextFrame, TypesetText};
use super::{Fitted, characters_before};
use crate::spec::{FontSize, GenerationKind, RenderSpec};
use crate::units::Px;
use crate::warning::{Warning, WarningKind};

/// Most characters of a word and of a line in a message.
const MOST_OF_WORD: usize = 40;
const MOST_OF_LINE: usize = 120;

/// All warnings of a page, in the order in which the client reads them.
pub(super) fn of_page(
    frame: &TextFrame<'_, '_>,
    text: &CleanText,
    fallback: &FontFallback<'_>,
    fitted: &Fitted,
) -> Vec<Warning> {
    let Fitted { size, typeset, warning } = fitted;
    let mut warnings: Vec<Warning> = without_effect(frame.spec).collect();
    warnings.extend(pen_without_effect(frame));
    warnings.extend(omissions(text));
    warnings.extend(replacements(frame, text));
    warnings.extend(blank_text(frame.spec, text));
    warnings.extend(lost_spaces(text));
    warnings.extend(fallback.warnings());
    warnings.extend(wrapped_lines(frame.spec, text, typeset));
    warnings.extend(broken_words(frame, *size, typeset));
    warnings.extend(cut_rows(text, typeset));
    warnings.extend(small_writing(frame, *size));
    warnings.extend(warning.clone());
    warnings
}

/// The text is written smaller than asked for.
pub(super) fn shrunk(asked: f64, size: u32) -> Warning {
    let message = format!("the text does not fit at font_size {asked}; written at {size}");
    Warning::new(WarningKind::FontShrunk, "font_size", message)
}

/// The text is written smaller than asked for because a line would wrap.
pub(super) fn shrunk_to_keep(line: &Paragraph, asked: f64, size: u32) -> Warning {
    let (number, line) = (line.number, shortened(&line.text, MOST_OF_LINE));
    let message =
        format!("line {number} would wrap at font_size {asked}: \"{line}\"; written at {size} to keep all lines");
    Warning::new(WarningKind::FontShrunk, "font_size", message)
}

pub(super) fn clipped(text: &CleanText, typeset: &TypesetText) -> Warning {
    let cut = text.length - characters_before(text, typeset.cut_at) + typeset.dropped;
    let message = format!("the text does not fit: {cut} of its {} characters were cut", text.length);
    Warning::new(WarningKind::TextClipped, "text", message)
}

fn omissions(text: &CleanText) -> Option<Warning> {
    let names: Vec<String> = text.omitted.iter().map(|character| name_of(*character)).collect();
    let message = || format!("no font can write {}; left out", list_of(&names));
    (!names.is_empty()).then(|| Warning::new(WarningKind::CharactersOmitted, "text", message()))
}

fn lost_spaces(text: &CleanText) -> Option<Warning> {
    let numbers: Vec<String> = text.lost_spaces.iter().map(usize::to_string).collect();
    let lines = if numbers.len() == 1 { "line" } else { "lines" };
    let message = || {
        format!(
            "{lines} {}: indents are left out, and tabs and rows of spaces are written as one space; blocks or \
             text_alignment place text",
            list_of(&numbers)
        )
    };
    (!numbers.is_empty()).then(|| Warning::new(WarningKind::SpacesCollapsed, "text", message()))
}

/// The characters that are written by others.
fn replacements(frame: &TextFrame<'_, '_>, text: &CleanText) -> Option<Warning> {
    let as_others = |(character, others): &(char, String)| format!("{} as {others}", name_of(*character));
    let names: Vec<String> = text.replaced.iter().map(as_others).collect();
    let (id, name) = (frame.face.id().get(), frame.face.name());
    let message = || format!("font {id} ({name}) lacks characters; it writes {}", list_of(&names));
    (!names.is_empty()).then(|| Warning::new(WarningKind::CharactersReplaced, "text", message()))
}

/// A text without words. Pages of artwork alone have no text.
fn blank_text(spec: &RenderSpec, text: &CleanText) -> Option<Warning> {
    let is_blank =
        !spec.text.is_empty() && text.paragraphs.iter().all(|paragraph| paragraph.text.chars().all(is_blank));
    is_blank
        .then(|| Warning::new(WarningKind::NothingToWrite, "text", "the text has nothing to write; the page is empty"))
}

/// The words that were broken because they are wider than a line.
fn broken_words(frame: &TextFrame<'_, '_>, size: f64, typeset: &TypesetText) -> Option<Warning> {
    let words = frame.broken_words(typeset);
    let names: Vec<String> = words.iter().map(|word| format!("\"{}\"", shortened(word, MOST_OF_WORD))).collect();
    let (are, were) = match names.len() {
        0 => return None,
        1 => ("is", "was"),
        _ => ("are", "were"),
    };
    let names = list_of(&names);
    let message = format!("{names} {are} wider than a line at font_size {size} and {were} broken");
    Some(Warning::new(WarningKind::WordBroken, "font_size", message))
}

/// The rows of one sign that are cut to their line.
fn cut_rows(text: &CleanText, typeset: &TypesetText) -> Option<Warning> {
    let cut = typeset.lines.iter().filter(|line| line.signs.is_some());
    let mut numbers: Vec<usize> = cut.filter_map(|cut| Some(text.paragraphs.get(cut.paragraph)?.number)).collect();
    numbers.dedup();
    let message = match numbers[..] {
        [] => return None,
        [number] => format!("line {number}: a row of one sign is longer than the line and is cut to it"),
        _ => {
            let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
            format!("lines {}: rows of one sign are longer than their lines and are cut to them", list_of(&numbers))
        }
    };
    Some(Warning::new(WarningKind::RowCut, "text", message))
}

/// A warning for each given field that has no effect because of the ruling.
fn without_effect(spec: &RenderSpec) -> impl Iterator<Item = Warning> {
    let ignored = spec.ruling.iter().flat_map(|ruling| &ruling.ignored);
    ignored.map(|field| Warning::no_effect(field, "it", "the ruling decides the distance of lines and paragraphs"))
}

/// A warning for each field of the pen's nib that the thick and thin strokes of the font do not show.
fn pen_without_effect(frame: &TextFrame<'_, '_>) -> Vec<Warning> {
    let Some(pen) = frame.spec.effects.pen.in_use().filter(|_| !frame.face.has_even_strokes()) else {
        return Vec::new();
    };
    let angle = pen.angle.filter(|_| pen.kind.has_angle());
    let fields = [pen.width.map(|_| "pen_width_mm"), angle.map(|_| "pen_angle")];
    let why = format!("font {} ({}) keeps its thick and thin strokes", frame.face.id().get(), frame.face.name());
    fields.into_iter().flatten().map(|field| Warning::no_effect(field, "it", &why)).collect()
}

/// The beginning of a text, for a message.
fn shortened(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// A warning for an automatic size that is hard to read.
fn small_writing(frame: &TextFrame<'_, '_>, size: f64) -> Option<Warning> {
    let FontSize::Auto { .. } = frame.spec.font_size else { return None };
    let x_height = small_x_height(frame.face, Px::new(size))?;
    let message = format!(
        "the writing is small: font_size {size} has an x-height of {x_height:.1} mm; below 1.5 mm it is hard to read. \
         Shorten the text, or use a larger page or box or smaller margins, or overflow 'paginate' in a PDF"
    );
    Some(Warning::new(WarningKind::SmallWriting, "font_size", message))
}

/// The lines of an address, or lines that should stay whole, that had to wrap.
fn wrapped_lines(spec: &RenderSpec, text: &CleanText, typeset: &TypesetText) -> Vec<Warning> {
    let is_address = spec.kind == GenerationKind::Address;
    if !is_address && !spec.keep_lines {
        return Vec::new();
    }
    let of_address = if is_address { " of the address" } else { "" };
    let why = if spec.keep_lines { "; no size with an x-height of 1.5 mm or more keeps all lines" } else { "" };
    let wrapped = typeset.wrapped().into_iter().filter_map(|index| text.paragraphs.get(index));
    wrapped
        .map(|Paragraph { number, text, .. }| {
            let line = shortened(text, MOST_OF_LINE);
            let message = format!("line {number}{of_address} had to wrap: \"{line}\"{why}");
            Warning::new(WarningKind::LineWrapped, "font_size", message)
        })
        .collect()
}
