//! Warnings and refusals as findings: preflight reports them as a page does.

use super::finding::{Finding, Severity};
use crate::layout::LayoutError;
use crate::warning::{Warning, WarningKind};

/// The finding that a warning is.
pub(super) fn of_warning(warning: &Warning) -> Finding {
    let (severity, remedy) = meaning(warning.kind);
    Finding::new(severity, warning.kind.name(), &warning.field, warning.text(), remedy)
}

/// How bad a warning is, and what to change.
const fn meaning(kind: WarningKind) -> (Severity, &'static str) {
    match kind {
        WarningKind::FontSubstituted => (Severity::Warning, "choose a font that has all characters"),
        WarningKind::CharactersOmitted => (Severity::Warning, "remove these characters"),
        WarningKind::CharactersReplaced => (Severity::Info, "choose a font that has all characters"),
        WarningKind::TextClipped => (Severity::Warning, "shorten the text, or use a smaller font_size"),
        WarningKind::FontShrunk => (Severity::Info, "shorten the text to keep the size"),
        WarningKind::LineWrapped | WarningKind::WordBroken => {
            (Severity::Warning, "use a smaller font_size or smaller margins")
        }
        WarningKind::SmallWriting => (Severity::Warning, "shorten the text, or use a larger page"),
        WarningKind::NothingToWrite => (Severity::Warning, "write something"),
        WarningKind::RowCut => (Severity::Info, "use fewer signs"),
        WarningKind::SpacesCollapsed => (Severity::Info, "place the text by blocks or text_alignment"),
        WarningKind::LiteralPlaceholder => (Severity::Warning, "write the value in its place"),
        WarningKind::SuspiciousValue => (Severity::Warning, "correct the text"),
        WarningKind::NoEffect => (Severity::Info, "leave it out"),
        WarningKind::WritingAsImage => (Severity::Info, "change the effect, or accept the image"),
        WarningKind::HiddenText => (Severity::Warning, "leave it out, or ask the print shop"),
        WarningKind::InvisibleInk => (Severity::Warning, "use a darker ink"),
        WarningKind::ProviderRefuses => (Severity::Error, "use a mail_piece of the service"),
        WarningKind::MailPieceUnverified => (Severity::Warning, "compare the page with the service's own template"),
        WarningKind::BlocksOverlap => (Severity::Warning, "move or shrink one of them"),
        WarningKind::MarginsRaised => (Severity::Info, "use this margin or a larger one"),
    }
}

/// The finding for a text that cannot be laid out; `None` if the text is not to blame.
#[must_use]
pub fn of_refusal(error: &LayoutError) -> Option<Finding> {
    let (check, remedy) = match error {
        LayoutError::TextOverflow { .. } => {
            ("text_overflow", "shorten the text, use font_size 'auto', a smaller font_size or smaller margins")
        }
        LayoutError::UnsupportedCharacters(_) => ("unsupported_character", "remove or replace these characters"),
        LayoutError::UnusableFont(_) | LayoutError::Stopped(_) => return None,
    };
    Some(Finding::new(Severity::Error, check, "text", error.to_string(), remedy))
}

/// The finding for a text that needs more pages than a file may have.
#[must_use]
pub fn too_many_pages(needed: usize, most: usize) -> Finding {
    let message = format!("the text needs {needed} pages; a file has at most {most}");
    let remedy = "use a smaller font_size, a larger page or a shorter text";
    Finding::new(Severity::Error, "page_count", "text", message, remedy).measured(needed as f64, most as f64, "pages")
}

/// The finding for a request that costs more than one may.
#[must_use]
pub fn too_costly(field: &str, message: &str) -> Finding {
    let remedy = "use a smaller font_size, a shorter text or fewer effects";
    Finding::new(Severity::Error, "too_costly", field, message, remedy)
}

/// The finding for a font or characters without strokes.
#[must_use]
pub fn no_strokes(field: &str, message: &str) -> Finding {
    Finding::new(Severity::Error, "no_strokes", field, message, "use a font with strokes, or other svg.paths")
}
