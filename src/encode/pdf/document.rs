//! The objects of the file, in a fixed order.

use std::fmt::Write as _;

use pdf_writer::writers::DocumentInfo;
use pdf_writer::{Chunk, Name, Pdf, Ref, TextStr};
use sha2::{Digest as _, Sha256};

use super::boxes::{PageBoxes, rect};
use super::content::{IMAGE, REGISTRATION, content};
use super::image::PageImage;
use super::pdfx;
use crate::clock::Timestamp;
use crate::encode::color::{OutputProfile, OutputProfiles, ProfileDefect, Ramp};
use crate::spec::{PdfColors, PressPlan, Rgb};
use crate::units::Dpi;

/// The name of the producer.
const PRODUCER: &str = concat!("Longhand ", env!("CARGO_PKG_VERSION"));
/// Estimated bytes without the streams.
const STRUCTURE: usize = 8 << 10;
/// Bytes of a file identifier.
const IDENTIFIER: usize = 16;

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
}

/// The numbers of the objects, in the order of the file.
struct Objects {
    catalog: Ref,
    page_tree: Ref,
    info: Ref,
    content: Ref,
    ramp: Ref,
    registration: Option<Ref>,
    profile: Option<Ref>,
    /// Page and image of each page.
    pages: Vec<(Ref, Ref)>,
}

impl Objects {
    fn of(document: &PdfDocument<'_>, pages: usize) -> Self {
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
            pages: (0..pages).map(|_| (next.bump(), next.bump())).collect(),
        }
    }
}

/// The file of all `pages`: at least one, and all of the plan's size.
#[must_use]
pub fn encode_pdf(document: &PdfDocument<'_>, pages: &[PageImage]) -> Vec<u8> {
    let streams: usize = pages.iter().map(PageImage::packed_size).sum();
    let profile_size = document.colors.profile.map_or(0, |profile| profile.compressed().len());
    let mut bytes = Vec::with_capacity(STRUCTURE + streams + profile_size + 512 * pages.len());
    let mut file = PdfFile::new(*document, pages.len());
    for page in pages {
        file.append_page(page, &mut bytes);
    }
    file.append_end(&mut bytes);
    bytes
}

/// A file that is written page by page. It has a plain cross-reference table and no object streams. Equal input gives
/// equal bytes.
pub struct PdfFile<'a> {
    document: PdfDocument<'a>,
    boxes: PageBoxes,
    objects: Objects,
    /// Number of written pages.
    written: usize,
    /// The offset of each object, by its number minus one.
    offsets: Vec<usize>,
    /// Number of written bytes.
    length: usize,
    /// The bytes of which the file's identifier is made.
    digest: Sha256,
}

impl<'a> PdfFile<'a> {
    /// A file that will have `pages` pages.
    #[must_use]
    pub fn new(document: PdfDocument<'a>, pages: usize) -> Self {
        Self {
            boxes: PageBoxes::of(document.plan),
            objects: Objects::of(&document, pages),
            document,
            written: 0,
            offsets: Vec::new(),
            length: 0,
            digest: Sha256::new(),
        }
    }

    /// Appends the next page to `bytes`; before the first page also the objects that precede it.
    pub fn append_page(&mut self, picture: &PageImage, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        if self.written == 0 {
            self.append_head(picture, bytes);
        }
        if let Some(&(page, image)) = self.objects.pages.get(self.written) {
            let mut chunk = Chunk::with_capacity(picture.packed_size() + 1024);
            self.offsets.push(self.length + bytes.len() - start);
            write_page(&mut chunk, page, image, &self.boxes, &self.objects);
            self.offsets.push(self.length + bytes.len() - start + chunk.len());
            picture.write(&mut chunk, image, self.objects.ramp);
            bytes.extend_from_slice(chunk.as_bytes());
            self.digest.update(picture.fingerprint());
        }
        self.written += 1;
        self.length += bytes.len() - start;
    }

    /// Appends the cross-reference table and the trailer (ISO 32000-1, 7.5.4 and 7.5.5). All pages are written.
    pub fn append_end(&mut self, bytes: &mut Vec<u8>) {
        let count = self.offsets.len() + 1;
        bytes.extend_from_slice(format!("xref\n0 {count}\n0000000000 65535 f\r\n").as_bytes());
        for offset in &self.offsets {
            bytes.extend_from_slice(format!("{offset:010} 00000 n\r\n").as_bytes());
        }
        let digest = std::mem::take(&mut self.digest).finalize();
        let mut identifier = String::with_capacity(2 * IDENTIFIER);
        for byte in digest.iter().take(IDENTIFIER) {
            // Writing to a string does not fail.
            let _ = write!(identifier, "{byte:02X}");
        }
        let (catalog, info) = (self.objects.catalog.get(), self.objects.info.get());
        bytes.extend_from_slice(
            format!(
                "trailer\n<<\n  /Size {count}\n  /Root {catalog} 0 R\n  /Info {info} 0 R\n  \
                 /ID [<{identifier}> <{identifier}>]\n>>\nstartxref\n{}\n%%EOF",
                self.length
            )
            .as_bytes(),
        );
    }

    /// Appends the objects before the first page. `first` has the size of all pages.
    fn append_head(&mut self, first: &PageImage, bytes: &mut Vec<u8>) {
        let Self { document, objects, boxes, offsets, .. } = self;
        let mut pdf = Pdf::with_capacity(STRUCTURE);
        // PDF/X-1a:2001 is PDF 1.3 (ISO 15930-1, 6.1); the file uses nothing newer.
        pdf.set_version(1, if document.colors.profile.is_some() { 3 } else { 4 });
        let mut begin = |pdf: &Pdf| offsets.push(pdf.len());

        begin(&pdf);
        write_catalog(&mut pdf, document, objects);
        begin(&pdf);
        let page_refs = objects.pages.iter().map(|(page, _)| *page);
        pdf.pages(objects.page_tree).kids(page_refs).count(objects.pages.len() as i32);
        begin(&pdf);
        write_info(pdf.document_info(objects.info), document);
        begin(&pdf);
        pdf.stream(objects.content, &content(document.plan, boxes, first, document.dpi));
        begin(&pdf);
        write_ramp(&mut pdf, objects.ramp, &document.colors.ramp);
        if let Some(id) = objects.registration {
            begin(&pdf);
            pdfx::write_registration_color(&mut pdf, id);
        }
        self.digest.update(pdf.as_bytes());
        if let (Some(id), Some(profile)) = (objects.profile, document.colors.profile) {
            begin(&pdf);
            pdfx::write_profile(&mut pdf, id, profile);
        }
        bytes.extend_from_slice(pdf.as_bytes());
    }
}

fn write_catalog(pdf: &mut Pdf, document: &PdfDocument<'_>, objects: &Objects) {
    let mut catalog = pdf.catalog(objects.catalog);
    catalog.pages(objects.page_tree);
    if let (Some(id), Some(profile)) = (objects.profile, document.colors.profile) {
        pdfx::write_output_intent(catalog.output_intents().push(), profile, id);
    }
}

/// The title names the kind of page. It does not repeat the text, which is private.
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

fn write_page(pdf: &mut Chunk, id: Ref, image: Ref, boxes: &PageBoxes, objects: &Objects) {
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
