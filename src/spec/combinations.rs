//! Rules over several fields: margins and page, region and page, overflow and output format, and the limits of
//! addresses.
//!
//! A rule is applied only if the fields that it reads are valid, so a margin that is out of range is reported once. The
//! length of an address is the exception: the violation names the limit for addresses also if the text is too long for
//! any request.

use serde_json::{Map, Value};

use super::endpoint::Endpoint;
use super::kinds::LONGEST_TEXT;
use super::output_name::{FormatFacts, OutputName};
use super::page::{Orientation, PageFormat, PageSize};
use super::pdf_options::Preset;
use super::render_spec::{GenerationKind, Overflow};
use super::representation::Representation;
use super::request_fields::RenderRequest;
use super::request_fields::{
    ARTWORK, BLOCKS, CUSTOM_PAGE, ENABLE_NATURAL_VARIATION, FONT_SIZE, GENERATION_TYPE, MAIL_PIECE, MARGIN_BOTTOM,
    MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, NATURAL_VARIATION_ALPHA, NATURAL_VARIATION_SIGMA, ORIENTATION,
    OUTPUT_FORMAT, OVERFLOW, PAGE_SIZE, PDF, REGION, TEXT,
};
use super::special_kinds::{FONT_SIZES, WantedSize};
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use crate::units::Px;

/// Most lines of an address.
pub const ADDRESS_LINES: usize = 5;
/// Most characters of an address, line breaks included as received.
pub const ADDRESS_CHARACTERS: usize = 250;

/// Reports fields that are valid alone but not together. `request` was read from `members`.
pub(super) fn check(
    request: &RenderRequest,
    members: &Map<String, Value>,
    endpoint: Endpoint,
    collector: &mut ViolationCollector,
) {
    check_output(request, endpoint, collector);
    check_mail_piece(request, collector);
    check_page(request, collector);
    check_characters(request, collector);
    if collector.none_of(&[GENERATION_TYPE.name]) && request.generation_type == GenerationKind::Address {
        check_address_text(members.get(TEXT.name).and_then(Value::as_str).unwrap_or_default(), collector);
        check_address_size(request, collector);
    }
}

fn check_output(request: &RenderRequest, endpoint: Endpoint, collector: &mut ViolationCollector) {
    if endpoint == Endpoint::Preview {
        // It shows each page of every format.
        return;
    }
    let only = endpoint.only_format();
    let given = collector.none_of(&[OUTPUT_FORMAT.name]).then_some(request.output_format);
    if let (Some(only), Some(given)) = (only, given)
        && only != given
    {
        let (only, other) = (only.name(), given.name());
        let message =
            format!("Input should be '{only}': this path answers that alone; ask /generate/{other} for the other");
        collector.report_at(OUTPUT_FORMAT.name, ViolationKind::LiteralError, message);
    }
    let made = only.or(given);
    let of_one_page = made.map(OutputName::facts).filter(|facts| !facts.has_pages);
    if let (Some(FormatFacts { title, .. }), Overflow::Paginate) = (of_one_page, request.overflow) {
        let message =
            format!("'paginate' needs output_format 'pdf': {title} has one page; use 'error', 'shrink' or 'clip'");
        collector.report_at(OVERFLOW.name, ViolationKind::ValueError, message);
    }
    if made == Some(OutputName::Svg) {
        check_svg(request, collector);
    }
}

/// An SVG has no image for what paths cannot show, and machines cannot write pictures.
fn check_svg(request: &RenderRequest, collector: &mut ViolationCollector) {
    let paths = request.svg.unwrap_or_default().paths;
    if request.artwork.is_some() && paths != Representation::Outlines {
        let message =
            format!("A machine cannot write pictures: svg.paths '{}' has no artwork; leave it out", paths.name());
        collector.report_at(ARTWORK.name, ViolationKind::Conflict, message);
    }
    let effects = [ENABLE_NATURAL_VARIATION.name, NATURAL_VARIATION_ALPHA.name, NATURAL_VARIATION_SIGMA.name];
    if !collector.none_of(&effects) {
        return;
    }
    if let Some((field, reason)) = request.effects().hides_outlines() {
        let message = format!("An SVG cannot show this: {reason}, or output_format 'png' or 'pdf'");
        collector.report_at(field, ViolationKind::ValueError, message);
    }
}

/// Checks what must be inside the page: the margins, and the region of a preview.
fn check_page(request: &RenderRequest, collector: &mut ViolationCollector) {
    check_custom_page(request, collector);
    if !collector.none_of(&[PAGE_SIZE.name, CUSTOM_PAGE.name, ORIENTATION.name]) {
        return;
    }
    let page = request.page().px();
    if let Some(region) = request.region.filter(|_| collector.none_of(&[REGION.name])) {
        collector.inside(REGION.name, |collector| region.check_inside(page, collector));
    }
    if collector.none_of(&[BLOCKS.name]) {
        for (number, block) in request.blocks.iter().flatten().enumerate() {
            collector.inside(BLOCKS.name, |collector| {
                collector.inside(number, |collector| block.check_inside(page, collector));
            });
        }
    }
    if let Some(artwork) = request.artwork.as_ref().filter(|_| collector.none_of(&[ARTWORK.name, PDF.name])) {
        let (page, bleed) = (request.page(), request.bleed());
        for (number, wanted) in artwork.iter().enumerate() {
            collector.inside(ARTWORK.name, |collector| {
                collector.inside(number, |collector| wanted.check_inside(page, bleed, collector));
            });
        }
    }
    let horizontal = [(MARGIN_LEFT.name, request.margin_left), (MARGIN_RIGHT.name, request.margin_right)];
    let vertical = [(MARGIN_TOP.name, request.margin_top), (MARGIN_BOTTOM.name, request.margin_bottom)];
    check_axis(horizontal, ("wide", page.width), collector);
    check_axis(vertical, ("high", page.height), collector);
}

/// Checks the length of all texts together.
fn check_characters(request: &RenderRequest, collector: &mut ViolationCollector) {
    if !collector.none_of(&[TEXT.name, BLOCKS.name]) {
        return;
    }
    let blocks = request.blocks.iter().flatten().map(|block| block.text.chars().count());
    let (characters, most) = (request.text.chars().count() + blocks.sum::<usize>(), LONGEST_TEXT);
    if characters > most {
        let message = format!("All texts together should have at most {most} characters, got {characters}");
        collector.report_at(BLOCKS.name, ViolationKind::StringTooLong, message);
    }
}

/// Checks that nothing contradicts the mail piece, and that it leaves an area for text.
fn check_mail_piece(request: &RenderRequest, collector: &mut ViolationCollector) {
    let Some(piece) = request.mail_piece else { return };
    let PageFormat { size, orientation } = piece.page;
    // Generated clients send every default.
    let conflicts = [
        (PAGE_SIZE.name, ![Some(size), Some(PageSize::default())].contains(&request.page_size), size.name()),
        (ORIENTATION.name, ![orientation, Orientation::default()].contains(&request.orientation), orientation.name()),
        (
            "pdf.preset",
            request.pdf.is_some_and(|pdf| ![piece.preset, Preset::default()].contains(&pdf.preset)),
            piece.preset.name(),
        ),
    ];
    for (field, _, own) in conflicts.into_iter().filter(|(_, is_conflict, _)| *is_conflict) {
        let message = format!("mail_piece '{}' has {field} '{own}'; leave this out", piece.name);
        collector.report_field(field, ViolationKind::Conflict, message);
    }
    let margins = [MARGIN_LEFT.name, MARGIN_RIGHT.name, MARGIN_TOP.name, MARGIN_BOTTOM.name];
    if collector.none_of(&margins) && request.text_area().is_none() {
        let message = format!(
            "These margins leave no text area beside the reserved zones of '{}'; use smaller margins",
            piece.name
        );
        collector.report_at(MAIL_PIECE.name, ViolationKind::ValueError, message);
    }
}

/// Checks that the sides of a page are given if and only if `page_size` names none.
fn check_custom_page(request: &RenderRequest, collector: &mut ViolationCollector) {
    if !collector.none_of(&[PAGE_SIZE.name, CUSTOM_PAGE.name]) {
        return;
    }
    match (request.page_size, request.custom_page) {
        (None, None) => {
            let message = "page_size 'custom' needs the sides of the page, such as {\"width\": 100, \"height\": 150, \
                           \"unit\": \"mm\"}";
            collector.report_at(CUSTOM_PAGE.name, ViolationKind::Missing, message);
        }
        (Some(size), Some(_)) => {
            let message =
                format!("custom_page needs page_size 'custom', but page_size is '{}'; leave one out", size.name());
            collector.report_at(CUSTOM_PAGE.name, ViolationKind::Conflict, message);
        }
        (Some(_), None) | (None, Some(_)) => {}
    }
}

/// Checks both margins of one axis against the page's size on it.
fn check_axis(margins: [(&str, u16); 2], (extent, length): (&str, Px), collector: &mut ViolationCollector) {
    let [(first, first_px), (second, second_px)] = margins;
    let taken = u32::from(first_px) + u32::from(second_px);
    if !collector.none_of(&[first, second]) || f64::from(taken) < length.get() {
        return;
    }
    for name in [first, second] {
        let message = format!(
            "{first} + {second} should be less than the page is {extent}: {first_px} + {second_px} = {taken} px leave \
             no text area on {} px",
            length.get()
        );
        collector.report_at(name, ViolationKind::ValueError, message);
    }
}

fn check_address_text(text: &str, collector: &mut ViolationCollector) {
    let lines = line_count(text);
    if lines > ADDRESS_LINES {
        let message = format!(
            "An address should have at most {ADDRESS_LINES} lines, got {lines}; join short lines, or use \
             generation_type 'standard', which has no such limit"
        );
        collector.report_at(TEXT.name, ViolationKind::ValueError, message);
    }
    let characters = text.chars().count();
    if characters > ADDRESS_CHARACTERS {
        let message = format!(
            "An address should have at most {ADDRESS_CHARACTERS} characters, line breaks included, got {characters}; \
             use generation_type 'standard' for longer texts"
        );
        collector.report_at(TEXT.name, ViolationKind::StringTooLong, message);
    }
}

fn check_address_size(request: &RenderRequest, collector: &mut ViolationCollector) {
    if collector.none_of(&[FONT_SIZE.name]) && request.font_size == WantedSize::Auto {
        let (min, max) = (FONT_SIZES.min, FONT_SIZES.max);
        let message = format!("An address needs a manual font size: an integer from {min} to {max}, not 'auto'");
        collector.report_at(FONT_SIZE.name, ViolationKind::ValueError, message);
    }
}

/// Lines of `text`: CRLF and each other newline end one. Line ends and blanks at the end of the text make no line of
/// their own, because the text is trimmed before it is written; empty lines before and between others count.
fn line_count(text: &str) -> usize {
    text.trim_end().replace("\r\n", "\n").split(is_newline).count()
}

/// Whether the character ends a line: the mandatory breaks of UAX 14 (classes BK, CR, LF and NL).
#[must_use]
pub const fn is_newline(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_end_ends_one_line() {
        for (text, expected) in [
            ("a", 1),
            ("a\nb", 2),
            ("a\r\nb", 2),
            ("a\rb", 2),
            ("a\u{B}b\u{C}c\u{85}d\u{2028}e\u{2029}f", 6),
            ("a\n\rb", 3),
            ("a\n\nb", 3),
            ("\na", 2),
            ("a\n", 1),
            ("a\r\n\r\n", 1),
            ("a\n \t\n", 1),
            ("", 1),
        ] {
            assert_eq!(line_count(text), expected, "{text:?}");
        }
    }
}
