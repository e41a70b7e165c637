//! The endpoints that take a generation request.

use super::field::FieldDescription;
use super::output_name::OutputName;
use super::request_fields::{fields, preview_fields};

/// The endpoint of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// The full page, in the format that the request names.
    Generate,
    /// The full page as a PNG file.
    GeneratePng,
    /// The full page as a PDF file.
    GeneratePdf,
    /// The watermarked small page, always a PNG.
    Preview,
}

impl Endpoint {
    /// The fields that a request may have.
    #[must_use]
    pub fn fields(self) -> &'static [FieldDescription] {
        match self {
            Self::Generate | Self::GeneratePng | Self::GeneratePdf => fields(),
            Self::Preview => preview_fields(),
        }
    }

    /// The one format of its pages; `None` if the request chooses.
    #[must_use]
    pub const fn only_format(self) -> Option<OutputName> {
        match self {
            Self::Generate => None,
            Self::GeneratePng | Self::Preview => Some(OutputName::Png),
            Self::GeneratePdf => Some(OutputName::Pdf),
        }
    }
}
