//! The objects of the file, in a fixed order.

use pdf_writer::writers::DocumentInfo;
use pdf_writer::{Name, Pdf, Ref, TextStr};
use sha2::{Digest as _, Sha256};

use super::boxes::{PageBoxes, rect};
use super::content::{IMAGE, REGISTRATION, content};
use super::image::PageImage;
use super::pdfx;
use crate::clock::Utc;
use crate::encode::color::{OutputProfile, OutputProfiles, ProfileDefect, Ramp};
use crate::spec::{PdfColors, PressPlan, Rgb};
use crate::units::Dpi;

/// Who makes these files.
const PRODUCER: &str = concat!("Longhand ", env!("CARGO_PKG_VERSION"));
/// Bytes for everything but the streams.
const STRUCTURE: usize = 8 << 10;
/// Bytes of a file identifier.
const IDENTIFIER: usize = 16;

/// A file to be.
pub struct PdfDocument<'a> {
    /// Boxes, marks and kind of the file.
    pub plan: &'a PressPlan,
    /// Resolution of the images.
    pub dpi: Dpi,
    /// Their colours.
    pub colors: &'a PageColors<'a>,
    /// What viewers call it.
    pub title: &'a str,
    /// When it was made. Only files that must say so do, and only the day: the same request gives the same bytes.
    pub created: Utc,
    /// Its pages, at least one, all of the plan's size.
    pub pages: &'a [PageImage],
}

/// The colours of all pages, and the profile they were converted with.
pub struct PageColors<'a> {
    ramp: Ramp,
    profile: Option<&'a OutputProfile>,
}

impl<'a> PageColors<'a> {
    /// Paper to `ink` as the plan prints it.
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
}

/// The numbers of the objects.
struct Objects {
    catalog: Ref,
    page_tree: Ref,
    info: Ref,
    content: Ref,
    ramp: Ref,
    registration: Option<Ref>,
    profile: Option<Ref>,
    /// Page and image, page by page.
    pages: Vec<(Ref, Ref)>,
}

impl Objects {
    fn of(document: &PdfDocument<'_>) -> Self {
        let mut next = Ref::new(1);
        let is_pdfx = document.colors.profile.is_some();
        Self {
            catalog: next.bump(),
            page_tree: next.bump(),
            info: next.bump(),
            content: next.bump(),
            ramp: next.bump(),
            registration: (is_pdfx && document.plan.marks.is_some()).then(|| next.bump()),
            profile: is_pdfx.then(|| next.bump()),
            pages: document.pages.iter().map(|_| (next.bump(), next.bump())).collect(),
        }
    }
}

/// The file: a plain cross-reference table, no object streams, the same bytes for the same document.
#[must_use]
pub fn encode_pdf(document: &PdfDocument<'_>) -> Vec<u8> {
    let objects = Objects::of(document);
    let streams: usize = document.pages.iter().map(PageImage::packed_size).sum();
    let profile_size = document.colors.profile.map_or(0, |profile| profile.compressed().len());
    let mut pdf = Pdf::with_capacity(STRUCTURE + streams + profile_size + 512 * document.pages.len());
    // PDF/X-1a:2001 is PDF 1.3 (ISO 15930-1, 6.1); nothing that we write is younger.
    pdf.set_version(1, if document.colors.profile.is_some() { 3 } else { 4 });

    write_catalog(&mut pdf, document, &objects);
    let page_refs = objects.pages.iter().map(|(page, _)| *page);
    pdf.pages(objects.page_tree).kids(page_refs).count(objects.pages.len() as i32);
    write_info(pdf.document_info(objects.info), document);
    let boxes = PageBoxes::of(document.plan);
    if let Some(first) = document.pages.first() {
        pdf.stream(objects.content, &content(document.plan, &boxes, first, document.dpi));
    }
    write_ramp(&mut pdf, objects.ramp, &document.colors.ramp);
    if let Some(id) = objects.registration {
        pdfx::write_registration_color(&mut pdf, id);
    }
    let mut digest = Sha256::new_with_prefix(pdf.as_bytes());
    if let (Some(id), Some(profile)) = (objects.profile, document.colors.profile) {
        pdfx::write_profile(&mut pdf, id, profile);
    }
    for (&(page, image), picture) in objects.pages.iter().zip(document.pages) {
        write_page(&mut pdf, page, image, &boxes, &objects);
        picture.write(&mut pdf, image, objects.ramp);
        digest.update(picture.fingerprint());
    }
    let identifier: Vec<u8> = digest.finalize().iter().copied().take(IDENTIFIER).collect();
    pdf.set_file_id((identifier.clone(), identifier));
    pdf.finish()
}

fn write_catalog(pdf: &mut Pdf, document: &PdfDocument<'_>, objects: &Objects) {
    let mut catalog = pdf.catalog(objects.catalog);
    catalog.pages(objects.page_tree);
    if let (Some(id), Some(profile)) = (objects.profile, document.colors.profile) {
        pdfx::write_output_intent(catalog.output_intents().push(), profile, id);
    }
}

/// The text of a page is nobody's business but the page's: the title says what kind of page it is.
fn write_info(mut info: DocumentInfo<'_>, document: &PdfDocument<'_>) {
    info.title(TextStr(document.title));
    info.creator(TextStr(PRODUCER)).producer(TextStr(PRODUCER));
    if document.colors.profile.is_some() {
        pdfx::write_identification(&mut info, document.created);
    }
}

/// The colours as a palette (ISO 32000-1, 8.6.6.3).
fn write_ramp(pdf: &mut Pdf, id: Ref, ramp: &Ramp) {
    let base = match ramp {
        Ramp::Rgb(_) => Name(b"DeviceRGB"),
        Ramp::Gray(_) => Name(b"DeviceGray"),
        Ramp::Cmyk(_) => Name(b"DeviceCMYK"),
    };
    pdf.color_space(id).indexed(base, 255, &ramp.bytes());
}

fn write_page(pdf: &mut Pdf, id: Ref, image: Ref, boxes: &PageBoxes, objects: &Objects) {
    let mut page = pdf.page(id);
    page.parent(objects.page_tree);
    page.media_box(rect(boxes.media)).crop_box(rect(boxes.crop));
    page.bleed_box(rect(boxes.bleed)).trim_box(rect(boxes.trim));
    page.contents(objects.content);
    let mut resources = page.resources();
    resources.x_objects().pair(IMAGE, image);
    if let Some(registration) = objects.registration {
        resources.color_spaces().pair(REGISTRATION, registration);
    }
}
