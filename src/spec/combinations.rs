//! Rules over several fields: margins and page, region and page, overflow and output format, and the limits of addresses.
//!
//! A rule is applied only if the fields that it reads are valid, so a margin that is out of range is reported once. The
//! length of an address is the exception: the violation names the limit for addresses also if the text is too long for
//! any request.

use serde_json::{Map, Value};

use super::Endpoint;
use super::output_name::OutputName;
use super::page::PageFormat;
use super::render_request::RenderRequest;
use super::render_spec::{GenerationKind, Overflow};
use super::request_fields::{
    BLOCKS, FONT_SIZE, GENERATION_TYPE, MARGIN_BOTTOM, MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, ORIENTATION,
    OUTPUT_FORMAT, OVERFLOW, PAGE_SIZE, REGION, TEXT,
};
use super::special_kinds::WantedSize;
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
    check_page(request, collector);
    check_characters(request, collector);
    if collector.none_of(&[GENERATION_TYPE.name]) && request.generation_type == GenerationKind::Address {
        check_address_text(members.get(TEXT.name).and_then(Value::as_str).unwrap_or_default(), collector);
        check_address_size(request, collector);
    }
}

fn check_output(request: &RenderRequest, endpoint: Endpoint, collector: &mut ViolationCollector) {
    let is_png = match endpoint {
        Endpoint::Preview => true,
        Endpoint::Generate => collector.none_of(&[OUTPUT_FORMAT.name]) && request.output_format == OutputName::Png,
    };
    if endpoint == Endpoint::Preview && request.output_format == OutputName::Pdf {
        let message = "Input should be 'png': a preview is always a PNG; ask /generate for a PDF";
        collector.report_at(OUTPUT_FORMAT.name, ViolationKind::LiteralError, message);
    }
    if is_png && request.overflow == Overflow::Paginate {
        let message = "'paginate' needs output_format 'pdf': a PNG has one page; use 'error', 'shrink' or 'clip'";
        collector.report_at(OVERFLOW.name, ViolationKind::ValueError, message);
    }
}

/// Checks what must be inside the page: the margins, and the region of a preview.
fn check_page(request: &RenderRequest, collector: &mut ViolationCollector) {
    if !collector.none_of(&[PAGE_SIZE.name, ORIENTATION.name]) {
        return;
    }
    let page = PageFormat { size: request.page_size, orientation: request.orientation }.px();
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
    let (characters, most) = (request.text.chars().count() + blocks.sum::<usize>(), TEXT.kind.max_length);
    if characters > most {
        let message = format!("All texts together should have at most {most} characters, got {characters}");
        collector.report_at(BLOCKS.name, ViolationKind::StringTooLong, message);
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
        let message = format!("An address should have at most {ADDRESS_LINES} lines, got {lines}");
        collector.report_at(TEXT.name, ViolationKind::ValueError, message);
    }
    let characters = text.chars().count();
    if characters > ADDRESS_CHARACTERS {
        let message = format!(
            "An address should have at most {ADDRESS_CHARACTERS} characters, line breaks included, got {characters}"
        );
        collector.report_at(TEXT.name, ViolationKind::StringTooLong, message);
    }
}

fn check_address_size(request: &RenderRequest, collector: &mut ViolationCollector) {
    if collector.none_of(&[FONT_SIZE.name]) && request.font_size == WantedSize::Auto {
        let (min, max) = (FONT_SIZE.kind.min, FONT_SIZE.kind.max);
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
