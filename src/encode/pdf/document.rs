//! What all files have: their colours, and the objects before the first page.

use pdf_writer::writers::DocumentInfo;
use pdf_writer::{Name, Pdf, Ref, TextStr};

use super::objects::Objects;
use super::pdfx;
use crate::clock::Timestamp;
use crate::encode::color::{Cmyk, FillColor, OutputProfile, OutputProfiles, PictureSeparation, ProfileDefect, Ramp};
use crate::spec::{PdfColors, PressPlan, PrintingCondition, Representation, Rgb};
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

/// The colours of all pages, and the profile that converted them.
pub struct PageColors<'a> {
    /// Each ink once, the first that of the page, and its colours.
    ramps: Vec<(Rgb, Ramp)>,
    pub(super) profile: Option<&'a OutputProfile>,
}

impl<'a> PageColors<'a> {
    /// The colours from paper to `ink` for the plan.
    ///
    /// # Errors
    /// When lcms2 cannot use the profile.
    pub fn new(ink: Rgb, colors: PdfColors, profiles: &'a OutputProfiles) -> Result<Self, ProfileDefect> {
        let profile = match colors {
            PdfColors::Rgb => None,
            PdfColors::PdfX1a(condition) => Some(profiles.of(condition)),
        };
        Self { ramps: Vec::new(), profile }.with_inks([ink])
    }

    /// The colour space of the writing in the page's ink.
    #[must_use]
    pub fn space(&self, representation: Representation) -> &'static str {
        match (representation, self.ramp(self.ink())) {
            (Representation::Image, Some(ramp)) => ramp.space(),
            _ => self.fill(self.ink(), u8::MAX).space(),
        }
    }

    /// These colours, and those from paper to further inks.
    ///
    /// # Errors
    /// When lcms2 cannot use the profile.
    pub fn with_inks(mut self, inks: impl IntoIterator<Item = Rgb>) -> Result<Self, ProfileDefect> {
        for ink in inks {
            if self.ramps.iter().all(|(known, _)| *known != ink) {
                let ramp = self.profile.map_or_else(|| Ok(Ramp::rgb(ink)), |profile| Ramp::press(ink, profile))?;
                self.ramps.push((ink, ramp));
            }
        }
        Ok(self)
    }

    /// The ink of the pages, if they have one.
    #[must_use]
    pub fn ink(&self) -> Rgb {
        self.ramps.first().map(|(ink, _)| *ink).unwrap_or_default()
    }

    /// The colours of an ink; those of the page's if there are no others.
    fn ramp(&self, ink: Rgb) -> Option<&Ramp> {
        let known = self.ramps.iter().find(|(known, _)| *known == ink);
        known.or(self.ramps.first()).map(|(_, ramp)| ramp)
    }

    /// The colour of ink of this strength, 255 for solid.
    pub(super) fn fill(&self, ink: Rgb, strength: u8) -> FillColor {
        self.ramp(ink).map_or(FillColor::Gray(0.0), |ramp| ramp.fill(strength))
    }

    /// The printing condition; `None` on screen.
    #[must_use]
    pub fn condition(&self) -> Option<PrintingCondition> {
        self.profile.map(|profile| profile.condition)
    }

    /// The conversion of artwork to ink amounts.
    pub(super) fn picture_separation(&self) -> Result<&PictureSeparation, ProfileDefect> {
        let unusable = || ProfileDefect::Unusable("colours on screen have no ink amounts".to_owned());
        self.profile.ok_or_else(unusable)?.picture_separation()
    }

    /// The amounts of ink of this coverage on those of artwork: on paper as everywhere, otherwise mixed in proportion.
    pub(super) fn ink_on(&self, ink: Rgb, coverage: u8, under: Cmyk) -> Cmyk {
        let Some(ramp) = self.ramp(ink) else { return under };
        if under == [0; 4] {
            return ramp.amounts(coverage);
        }
        let (solid, part) = (ramp.amounts(u8::MAX), u32::from(coverage));
        std::array::from_fn(|ink| {
            ((u32::from(solid[ink]) * part + u32::from(under[ink]) * (255 - part) + 127) / 255) as u8
        })
    }

    /// Writes the colours of an ink as a palette (ISO 32000-1, 8.6.6.3).
    pub(super) fn write_palette(&self, ink: Rgb, pdf: &mut pdf_writer::Chunk, id: Ref) {
        let Some(ramp) = self.ramp(ink) else { return };
        pdf.color_space(id).indexed(Name(ramp.space().as_bytes()), 255, &ramp.bytes());
    }
}

/// The catalog (ISO 32000-1, 7.7.2).
pub(super) fn write_catalog(pdf: &mut Pdf, document: &PdfDocument<'_>, objects: &Objects) {
    let mut catalog = pdf.catalog(objects.catalog);
    catalog.pages(objects.page_tree);
    if let (Some(id), Some(profile)) = (objects.profile, document.colors.profile) {
        pdfx::write_output_intent(catalog.output_intents().push(), profile, id);
    }
}

/// The title names the kind of page. It does not repeat the text, which is private.
pub(super) fn write_info(mut info: DocumentInfo<'_>, document: &PdfDocument<'_>) {
    info.title(TextStr(document.title));
    info.creator(TextStr(PRODUCER)).producer(TextStr(PRODUCER));
    if document.colors.profile.is_some() {
        pdfx::write_identification(&mut info, document.created);
    }
}
