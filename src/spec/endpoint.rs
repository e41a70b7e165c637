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
    /// The full page as an SVG file.
    GenerateSvg,
    /// The watermarked small page, always a PNG.
    Preview,
}

impl Endpoint {
    /// Every endpoint.
    pub const ALL: [Self; 5] = [Self::Generate, Self::GeneratePng, Self::GeneratePdf, Self::GenerateSvg, Self::Preview];

    /// The fields that a request may have.
    #[must_use]
    pub fn fields(self) -> &'static [FieldDescription] {
        match self {
            Self::Generate | Self::GeneratePng | Self::GeneratePdf | Self::GenerateSvg => fields(),
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
            Self::GenerateSvg => Some(OutputName::Svg),
        }
    }
}
