//! What all files have: their colours, and the objects before the first page.

use pdf_writer::writers::DocumentInfo;
use pdf_writer::{Name, Pdf, Ref, TextStr};

use super::objects::Objects;
use super::pdfx;
use crate::clock::Timestamp;
use crate::encode::color::{FillColor, OutputProfile, OutputProfiles, ProfileDefect, Ramp};
use crate::spec::{PdfColors, PressPlan, Rgb, Writing};
use crate::units::Dpi;

/// The name of the producer.
const PRODUCER: &str = concat!("Longhand ", env!("CARGO_PKG_VERSION"));

/// A file without its pages.
#[derive(Clone, Copy)]
pub struct PdfDocument<'a> {
    /// Boxes, marks and kind of the file.
    pub plan: &'a PressPlan,
    /// Resolution of the images.
    pub dpi: Dpi,
    /// Their colours.
    pub colors: &'a PageColors<'a>,
    /// The title that viewers show.
    pub title: &'a str,
    /// The date. Only files that need a date have one, and only the day, so that equal requests give equal bytes.
    pub created: Timestamp,
}

impl PdfDocument<'_> {
    pub(super) const fn profile(&self) -> Option<&OutputProfile> {
        self.colors.profile
    }
}

/// The colours of all pages, and the profile that converted them.
pub struct PageColors<'a> {
    ramp: Ramp,
    profile: Option<&'a OutputProfile>,
}

impl<'a> PageColors<'a> {
    /// The colours from paper to `ink` for the plan.
    ///
    /// # Errors
    /// When lcms2 cannot use the profile.
    pub fn new(ink: Rgb, colors: PdfColors, profiles: &'a OutputProfiles) -> Result<Self, ProfileDefect> {
        Ok(match colors {
            PdfColors::Rgb => Self { ramp: Ramp::rgb(ink), profile: None },
            PdfColors::PdfX1a(condition) => {
                let profile = profiles.of(condition);
                Self { ramp: Ramp::press(ink, profile)?, profile: Some(profile) }
            }
        })
    }

    /// The colour space of the writing.
    #[must_use]
    pub fn space(&self, writing: Writing) -> &'static str {
        match (writing, &self.ramp) {
            (Writing::Image, Ramp::Rgb(_)) => "DeviceRGB",
            (Writing::Image, Ramp::Gray(_)) => "DeviceGray",
            (Writing::Image, Ramp::Cmyk(_)) => "DeviceCMYK",
            (Writing::Outlines, _) => match self.fill(u8::MAX) {
                FillColor::Rgb(_) => "DeviceRGB",
                FillColor::Gray(_) => "DeviceGray",
                FillColor::Cmyk(_) => "DeviceCMYK",
            },
        }
    }

    /// The colour of ink of this strength, 255 for solid.
    pub(super) fn fill(&self, ink: u8) -> FillColor {
        self.ramp.fill(ink)
    }

    /// Writes the colours as a palette (ISO 32000-1, 8.6.6.3).
    pub(super) fn write_palette(&self, pdf: &mut pdf_writer::Chunk, id: Ref) {
        let base = Name(self.space(Writing::Image).as_bytes());
        pdf.color_space(id).indexed(base, 255, &self.ramp.bytes());
    }
}

/// The catalog (ISO 32000-1, 7.7.2).
pub(super) fn write_catalog(pdf: &mut Pdf, document: &PdfDocument<'_>, objects: &Objects) {
    let mut catalog = pdf.catalog(objects.catalog);
    catalog.pages(objects.page_tree);
    if let (Some(id), Some(profile)) = (objects.profile, document.profile()) {
        pdfx::write_output_intent(catalog.output_intents().push(), profile, id);
    }
}

/// The title names the kind of page. It does not repeat the text, which is private.
pub(super) fn write_info(mut info: DocumentInfo<'_>, document: &PdfDocument<'_>) {
    info.title(TextStr(document.title));
    info.creator(TextStr(PRODUCER)).producer(TextStr(PRODUCER));
    if document.profile().is_some() {
        pdfx::write_identification(&mut info, document.created);
    }
}
