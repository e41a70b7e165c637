//! The output format as a request names it.

/// `output_format` as the client wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputName {
    /// `png`.
    Png,
    /// `pdf`.
    Pdf,
    /// `svg`.
    Svg,
}

impl OutputName {
    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Pdf => "pdf",
            Self::Svg => "svg",
        }
    }
}
