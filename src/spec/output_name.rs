//! The output format as a request names it.

/// `output_format` as the client wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputName {
    /// `png`.
    Png,
    /// `pdf`.
    Pdf,
    /// `svg`.
    Svg,
}
