//! What the client of a page is told about it.
//!
//! Layout, preflight and the engine make warnings; answers, headers, reports and the command line show them.

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

/// The `type` of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// Characters drawn from another font.
    FontSubstituted,
    /// Characters left out (emoji, invisible controls).
    CharactersOmitted,
    /// Text was cut at the end of the page.
    TextClipped,
    /// A smaller font size than requested was used.
    FontShrunk,
    /// An address line had to wrap.
    LineWrapped,
    /// A word was broken because it is wider than a line.
    WordBroken,
    /// The automatic size is hard to read.
    SmallWriting,
    /// The text had nothing to write.
    NothingToWrite,
    /// A parameter that has no effect in this combination.
    NoEffect,
    /// Outlines were asked for and cannot show the page, which is an image.
    WritingAsImage,
    /// Ink that white paper hides.
    InvisibleInk,
    /// Hidden text in a file for a print shop.
    HiddenText,
    /// A file that the printing service of the preset will refuse.
    ProviderRefuses,
    /// The ink of two blocks, or of a block and the body, overlaps.
    BlocksOverlap,
    /// A mail piece whose figures are not certain.
    MailPieceUnverified,
    /// A margin below the safe distance of the mail piece.
    MarginsRaised,
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

    /// The message without its field.
    #[must_use]
    pub fn text(&self) -> &str {
        let rest = self.message.strip_prefix(&self.field).and_then(|rest| rest.strip_prefix(": "));
        rest.unwrap_or(&self.message)
    }
}

impl WarningKind {
    /// The wire name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FontSubstituted => "font_substituted",
            Self::CharactersOmitted => "characters_omitted",
            Self::TextClipped => "text_clipped",
            Self::FontShrunk => "font_shrunk",
            Self::LineWrapped => "line_wrapped",
            Self::WordBroken => "word_broken",
            Self::SmallWriting => "small_writing",
            Self::NothingToWrite => "nothing_to_write",
            Self::NoEffect => "no_effect",
            Self::HiddenText => "hidden_text",
            Self::WritingAsImage => "writing_as_image",
            Self::InvisibleInk => "invisible_ink",
            Self::ProviderRefuses => "provider_refuses",
            Self::MailPieceUnverified => "mail_piece_unverified",
            Self::MarginsRaised => "margins_raised",
            Self::BlocksOverlap => "blocks_overlap",
        }
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
