//! The sheets that printing services take. They refuse a file of any other size.

use super::page::{PageFormat, PageSize};
use super::pdf_options::Preset;
use crate::geometry::Size;
use crate::units::Mm;

/// Largest difference from the size that a service wants, in mm: a hundredth of an inch.
const TOLERANCE: f64 = 0.254;

/// A file that the printing service of the preset will refuse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProviderRefusal {
    /// The size of the file, bleed included.
    pub sheet: Size<Mm>,
    /// The size that the service wants for this page; `None` if it has no product of this page.
    pub wanted: Option<Size<Mm>>,
}

impl ProviderRefusal {
    /// The refusal of a page with `bleed` around it, if the service of the preset refuses it.
    pub(super) fn of(preset: Preset, page: PageFormat, bleed: Mm) -> Option<Self> {
        if preset != Preset::Lob {
            return None;
        }
        let Size { width, height } = page.mm();
        let with = |bleed: Mm| Size { width: width + bleed * 2.0, height: height + bleed * 2.0 };
        let sheet = with(bleed);
        match lob_bleed(page.size) {
            Some(wanted) if (wanted - bleed).get().abs() * 2.0 <= TOLERANCE => None,
            wanted => Some(Self { sheet, wanted: wanted.map(with) }),
        }
    }
}

/// The bleed that Lob wants around a page; `None` if it does not take the page (lob-openapi: `postcard_size`,
/// `ltr_size` and `psc_back`, error `invalid_file_dimensions`).
fn lob_bleed(size: PageSize) -> Option<Mm> {
    match size {
        PageSize::PostcardUs | PageSize::Postcard6x9 | PageSize::Postcard6x11 => Some(Mm::inches(0.125)),
        PageSize::Letter | PageSize::Legal => Some(Mm::ZERO),
        _ => None,
    }
}
