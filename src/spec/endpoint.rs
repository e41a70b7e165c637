//! The endpoints that take a generation request.

use std::sync::LazyLock;

use super::field::{FieldDescription, FieldTable as _};
use super::output_name::OutputName;
use super::request_fields::{PLACES, REGION, RenderRequest, SHOWN_PAGE};
use super::side_list::SIDES;

/// Every field of a generation request, in the order of the contract.
#[must_use]
pub fn fields() -> &'static [FieldDescription] {
    static ROWS: LazyLock<Vec<FieldDescription>> =
        LazyLock::new(|| RenderRequest::descriptions().iter().cloned().chain([SIDES.describe()]).collect());
    &ROWS
}

/// All fields of a generation request, and the page and the part of it to show.
static OF_PREVIEW: LazyLock<Vec<FieldDescription>> = LazyLock::new(|| {
    fields().iter().cloned().chain([SHOWN_PAGE.describe(), PLACES.describe(), REGION.describe()]).collect()
});

/// The endpoint of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// The full page, in the format that the request names.
    Generate,
    /// The full page as a file in this format.
    GenerateFile(OutputName),
    /// A page as a small PNG, whatever format the request names.
    Preview,
}

impl Endpoint {
    /// Every endpoint.
    pub fn all() -> impl Iterator<Item = Self> {
        let files = OutputName::ALL.into_iter().map(Self::GenerateFile);
        [Self::Generate].into_iter().chain(files).chain([Self::Preview])
    }

    /// The fields that a request may have.
    #[must_use]
    pub fn fields(self) -> &'static [FieldDescription] {
        match self {
            Self::GenerateFile(format) if !format.facts().has_pages => RenderRequest::descriptions(),
            Self::Generate | Self::GenerateFile(_) => fields(),
            Self::Preview => &OF_PREVIEW,
        }
    }

    /// The one format of its pages; `None` if the request chooses.
    #[must_use]
    pub const fn only_format(self) -> Option<OutputName> {
        match self {
            Self::Generate => None,
            Self::GenerateFile(format) => Some(format),
            Self::Preview => Some(OutputName::Png),
        }
    }
}
