//! What the client of a page is told about it.
//!
//! Layout, preflight and the engine make warnings; answers, headers, reports and the command line show them.

use std::fmt::Display;

use crate::named::named;

/// A warning about a page that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What happened, for programs.
    pub kind: WarningKind,
    /// The field of the request that it is about, such as `text`, `pdf.bleed_mm` or `blocks[2].font_size`.
    pub field: String,
    /// What happened, for people. It may begin with the field.
    pub message: String,
}

named! {
    /// The `type` of a warning.
    pub enum WarningKind {
        /// Characters drawn from another font.
        FontSubstituted = "font_substituted",
        /// Characters left out (emoji, invisible controls).
        CharactersOmitted = "characters_omitted",
        /// Characters written by letters or signs that read the same.
        CharactersReplaced = "characters_replaced",
        /// Text was cut at the end of the page.
        TextClipped = "text_clipped",
        /// A smaller font size than requested was used.
        FontShrunk = "font_shrunk",
        /// A line of an address, or another line that should stay whole, had to wrap.
        LineWrapped = "line_wrapped",
        /// A word was broken because it is wider than a line.
        WordBroken = "word_broken",
        /// The automatic size is hard to read.
        SmallWriting = "small_writing",
        /// The text had nothing to write.
        NothingToWrite = "nothing_to_write",
        /// A row of one sign was cut to its line.
        RowCut = "row_cut",
        /// Indents, tabs and rows of spaces that are not written as they are.
        SpacesCollapsed = "spaces_collapsed",
        /// A placeholder of another program, which is written as it is.
        LiteralPlaceholder = "literal_placeholder",
        /// Words that a program wrote and that were hardly meant, such as `&amp;` or `#N/A`.
        SuspiciousValue = "suspicious_value",
        /// A parameter that has no effect in this combination.
        NoEffect = "no_effect",
        /// Outlines were asked for and cannot show the page, which is an image.
        WritingAsImage = "writing_as_image",
        /// Ink that white paper hides.
        InvisibleInk = "invisible_ink",
        /// Hidden text in a file for a print shop.
        HiddenText = "hidden_text",
        /// A file that the printing service of the preset will refuse.
        ProviderRefuses = "provider_refuses",
        /// The ink of two blocks, or of a block and the body, overlaps.
        BlocksOverlap = "blocks_overlap",
        /// A mail piece whose figures are not certain.
        MailPieceUnverified = "mail_piece_unverified",
        /// A margin below the safe distance of the mail piece.
        MarginsRaised = "margins_raised",
    }
}

impl Warning {
    /// A warning whose message does not begin with its field.
    #[must_use]
    pub fn new(kind: WarningKind, field: &str, message: impl Into<String>) -> Self {
        Self { kind, field: field.to_owned(), message: message.into() }
    }

    /// A warning whose message is the field and this text: `seed: it has no effect`.
    #[must_use]
    pub fn about(kind: WarningKind, field: impl Into<String>, text: &str) -> Self {
        let field = field.into();
        let message = format!("{field}: {text}");
        Self { kind, field, message }
    }

    /// The same about a field of this member, such as `blocks[2]` or `sides[1]`.
    #[must_use]
    pub fn inside(&self, member: &str) -> Self {
        Self::about(self.kind, format!("{member}.{}", self.field), self.text())
    }

    /// A warning that what a field has is without effect: `dpi: 600 has no effect, an SVG has no resolution`.
    #[must_use]
    pub fn no_effect(field: &str, what: impl Display, why: &str) -> Self {
        Self::about(WarningKind::NoEffect, field, &format!("{what} has no effect, {why}"))
    }

    /// The message without its field.
    #[must_use]
    pub fn text(&self) -> &str {
        let rest = self.message.strip_prefix(&self.field).and_then(|rest| rest.strip_prefix(": "));
        rest.unwrap_or(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_warning_is_its_message_without_the_field() {
        let kind = WarningKind::FontShrunk;
        let text = |warning: Warning| warning.text().to_owned();
        assert_eq!(text(Warning::about(kind, "blocks[12].font_size", "too large")), "too large");
        assert_eq!(text(Warning::new(kind, "font_size", "the text: too large")), "the text: too large");
        assert_eq!(text(Warning::new(kind, "text", "text is too large")), "text is too large");
    }
}
