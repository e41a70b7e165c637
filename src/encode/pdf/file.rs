//! The objects of a file in a fixed order, written page by page.
//!
//! A file of images has, after what all files have, its one content stream and its palette, then each page with its
//! image. In a file of outlines, or of pages with layers, each page is followed by its content stream and by the glyphs
//! that are new to the file; the resources, which name all glyphs, end it.

use std::collections::HashMap;
use std::fmt::Write as _;

use pdf_writer::writers::Resources;
use pdf_writer::{Chunk, Filter, Name, Pdf, Ref};
use sha2::{Digest as _, Sha256};

use super::boxes::{PageBoxes, rect};
use super::content::{IMAGE, REGISTRATION, Under, content};
use super::document::{PdfDocument, write_catalog, write_info};
use super::forms::{Forms, packed, packed_page, write_glyph};
use super::image::PageImage;
use super::objects::{Objects, PictureId, Shared};
use super::page::{Drawing, PdfPage};
use super::text_layer::{FONT, TextLayer};
use super::{outlines, pdfx};
use crate::geometry::Point;
use crate::spec::{self, Rgb};
use crate::vector::{TextWord, VectorPage};

/// Estimated bytes without the streams.
const STRUCTURE: usize = 8 << 10;
/// Bytes of a file identifier.
const IDENTIFIER: usize = 16;

/// The file of all `pages`: at least one, and all of the plan's size.
#[must_use]
pub fn encode_pdf(document: &PdfDocument<'_>, pages: &[PdfPage]) -> Vec<u8> {
    let streams: usize = pages.iter().map(PdfPage::estimated_size).sum();
    let profile_size = document.colors.profile.map_or(0, |profile| profile.compressed().len());
    let mut bytes = Vec::with_capacity(STRUCTURE + streams + profile_size + 512 * pages.len());
    let kinds = PageKinds {
        has_layers: pages.iter().any(PdfPage::has_layers),
        has_drawings: pages.iter().any(PdfPage::has_drawings),
    };
    let mut file = PdfFile::new(*document, pages.len(), kinds);
    for page in pages {
        file.append_page(page, &mut bytes);
    }
    file.append_end(&mut bytes);
    bytes
}

/// What any of the pages of a file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageKinds {
    /// Layers: rules, several inks, artwork.
    pub has_layers: bool,
    /// Drawings, which may use all of PDF 1.7.
    pub has_drawings: bool,
}

/// The content streams of a page.
#[derive(Clone, Copy)]
struct Contents {
    drawing: Ref,
    /// The hidden text.
    text: Option<Ref>,
}

/// A file that is written page by page. It has a plain cross-reference table and no object streams. Equal input gives
/// equal bytes.
pub struct PdfFile<'a> {
    document: PdfDocument<'a>,
    boxes: PageBoxes,
    pub(super) objects: Objects,
    forms: Forms,
    /// The hidden text.
    text: Option<TextLayer>,
    /// Whether a page may have drawings.
    has_drawings: bool,
    /// The name of each picture that is written.
    pub(super) pictures: HashMap<PictureId, String>,
    /// The form of each drawing that is written.
    pub(super) drawings: HashMap<PictureId, Ref>,
    /// The palette of each ink whose images are in a file of pages with content of their own, once it is written.
    palettes: Vec<(Rgb, Ref)>,
    /// Number of written pages.
    written: usize,
    /// Number and offset of each object, in the order of the file.
    offsets: Vec<(Ref, usize)>,
    /// Number of written bytes.
    length: usize,
    /// The bytes of which the file's identifier is made.
    pub(super) digest: Sha256,
}

impl<'a> PdfFile<'a> {
    /// A file that will have `pages` pages of these kinds.
    #[must_use]
    pub fn new(document: PdfDocument<'a>, pages: usize, kinds: PageKinds) -> Self {
        let mut objects = Objects::of(document.plan, pages, kinds.has_layers);
        let has_text = document.plan.text_layer == spec::TextLayer::Invisible;
        Self {
            boxes: PageBoxes::of(document.plan),
            text: has_text.then(|| TextLayer::new(&mut objects.next)),
            objects,
            document,
            forms: Forms::default(),
            has_drawings: kinds.has_drawings,
            pictures: HashMap::new(),
            drawings: HashMap::new(),
            palettes: Vec::new(),
            written: 0,
            offsets: Vec::new(),
            length: 0,
            digest: Sha256::new(),
        }
    }

    /// Appends the next page to `bytes`; before the first page also the objects that precede it.
    pub fn append_page(&mut self, page: &PdfPage, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        if self.written == 0 {
            self.append_head(page, bytes);
        }
        self.length += bytes.len() - start;
        if let Some(&(id, second)) = self.objects.pages.get(self.written) {
            let text = self.append_text(&page.words, bytes);
            let own = Contents { drawing: second, text };
            let artwork = self.append_pictures(&page.artwork, bytes);
            let under = |rules| Under { artwork: &artwork, rules };
            match (&page.drawing, self.objects.shared) {
                (Drawing::Image(image), Shared::Images { content, palette }) => {
                    let contents = Contents { drawing: content, text };
                    self.append(bytes, id, |pdf, file| file.write_page(pdf, id, contents, Some(second)));
                    self.append_image(image, (second, palette), false, bytes);
                }
                (Drawing::Image(image), Shared::Resources { .. }) => {
                    let ink = self.document.colors.ink();
                    self.append_images(under(None), &[(image, ink, Point::new(0, 0))], id, own, bytes);
                }
                (Drawing::Layers(page), _) => {
                    let images: Vec<_> = page.images.iter().map(|of| (&of.image, of.ink, of.corner)).collect();
                    self.append_images(under(page.rules.as_ref()), &images, id, own, bytes);
                }
                (Drawing::Outlines(page), _) => self.append_outlines(page, under(page.rules.as_ref()), id, own, bytes),
            }
        }
        self.written += 1;
    }

    /// Appends one object, which `write` writes.
    pub(super) fn append(&mut self, bytes: &mut Vec<u8>, id: Ref, write: impl FnOnce(&mut Chunk, &Self)) {
        let mut chunk = Chunk::new();
        write(&mut chunk, self);
        self.append_chunk(bytes, id, &chunk);
    }

    fn append_chunk(&mut self, bytes: &mut Vec<u8>, id: Ref, chunk: &Chunk) {
        self.append_object(bytes, id, chunk.as_bytes());
    }

    pub(super) fn append_object(&mut self, bytes: &mut Vec<u8>, id: Ref, object: &[u8]) {
        self.offsets.push((id, self.length));
        self.length += object.len();
        bytes.extend_from_slice(object);
    }

    /// Appends the hidden text of a page, if the file has such text.
    fn append_text(&mut self, words: &[TextWord], bytes: &mut Vec<u8>) -> Option<Ref> {
        let content = self.text.as_mut()?.content(words, &self.boxes);
        let id = self.objects.next.bump();
        self.append_stream(bytes, id, &packed(content));
        Some(id)
    }

    /// Appends a page of outlines: the page, its content, and the glyphs that are new.
    fn append_outlines(
        &mut self,
        page: &VectorPage,
        under: Under<'_>,
        id: Ref,
        contents: Contents,
        bytes: &mut Vec<u8>,
    ) {
        let Self { document, boxes, objects, forms, .. } = self;
        let mut new = Vec::new();
        let content = outlines::content(document, boxes, page, under, |shape| {
            let (name, id) = forms.glyph(shape, &mut objects.next);
            let name = name.to_owned();
            new.extend(id.map(|id| (id, shape.clone())));
            name
        });
        self.append_content(id, contents, &packed_page(content, page), bytes);
        for (id, shape) in new {
            self.append(bytes, id, |pdf, _| write_glyph(pdf, id, &shape));
        }
    }

    /// Appends a page of images in a file of pages with content of their own. Its lowest image is opaque where there is
    /// nothing below it.
    fn append_images(
        &mut self,
        under: Under<'_>,
        images: &[(&PageImage, Rgb, Point<u32>)],
        id: Ref,
        contents: Contents,
        bytes: &mut Vec<u8>,
    ) {
        let (ids, names): (Vec<Ref>, Vec<String>) = images.iter().map(|_| self.name_image()).unzip();
        let placed =
            images.iter().zip(&names).map(|((image, _, corner), name)| (*image, *corner, Name(name.as_bytes())));
        let content = content(&self.document, &self.boxes, under, placed);
        // Palettes come before the page, as they may be those of earlier ones.
        let is_masked = !under.artwork.is_empty();
        let palettes: Vec<Ref> =
            images.iter().filter(|_| !is_masked).map(|(_, ink, _)| self.palette(*ink, bytes)).collect();
        self.append_content(id, contents, &packed(content), bytes);
        if is_masked {
            for ((image, ink, _), id) in images.iter().zip(ids) {
                self.append_masked_ink(image, *ink, id, bytes);
            }
            return;
        }
        for (number, ((image, ..), ids)) in images.iter().zip(ids.into_iter().zip(palettes)).enumerate() {
            self.append_image(image, ids, number > 0 || under.rules.is_some(), bytes);
        }
    }

    /// Appends a page and its content.
    fn append_content(&mut self, id: Ref, contents: Contents, stream: &[u8], bytes: &mut Vec<u8>) {
        self.append(bytes, id, |pdf, file| file.write_page(pdf, id, contents, None));
        self.append_stream(bytes, contents.drawing, stream);
    }

    /// A number and a name for another image.
    pub(super) fn name_image(&mut self) -> (Ref, String) {
        let id = self.objects.next.bump();
        (id, self.forms.image(id))
    }

    /// The palette of an ink; writes it if it is new to the file.
    fn palette(&mut self, ink: Rgb, bytes: &mut Vec<u8>) -> Ref {
        if let Some((_, id)) = self.palettes.iter().find(|(known, _)| *known == ink) {
            return *id;
        }
        let id = self.objects.next.bump();
        self.append(bytes, id, |pdf, file| file.document.colors.write_palette(ink, pdf, id));
        self.palettes.push((ink, id));
        id
    }

    fn append_image(&mut self, image: &PageImage, (id, palette): (Ref, Ref), masked: bool, bytes: &mut Vec<u8>) {
        self.append(bytes, id, |pdf, _| image.write(pdf, id, palette, masked));
        self.digest.update(image.fingerprint());
    }

    fn append_stream(&mut self, bytes: &mut Vec<u8>, id: Ref, stream: &[u8]) {
        self.digest.update(stream);
        self.append(bytes, id, |pdf, _| {
            pdf.stream(id, stream).filter(Filter::FlateDecode);
        });
    }

    /// Appends the cross-reference table and the trailer (ISO 32000-1, 7.5.4 and 7.5.5); in a file of pages with
    /// content of their own before them the resources. All pages are written.
    pub fn append_end(&mut self, bytes: &mut Vec<u8>) {
        for (id, chunk) in self.text.iter().flat_map(TextLayer::objects).collect::<Vec<_>>() {
            self.digest.update(chunk.as_bytes());
            self.append_chunk(bytes, id, &chunk);
        }
        if let Shared::Resources { resources } = self.objects.shared {
            self.append(bytes, resources, |pdf, file| file.write_resources(pdf, resources));
        }
        let count = self.offsets.len() + 1;
        bytes.extend_from_slice(format!("xref\n0 {count}\n0000000000 65535 f\r\n").as_bytes());
        self.offsets.sort_unstable();
        for (_, offset) in &self.offsets {
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
    fn append_head(&mut self, first: &PdfPage, bytes: &mut Vec<u8>) {
        let Self { document, objects, boxes, offsets, .. } = self;
        let mut pdf = Pdf::with_capacity(STRUCTURE);
        // PDF/X-1a:2001 is PDF 1.3 (ISO 15930-1, 6.1); the file uses nothing newer.
        pdf.set_version(
            1,
            match (document.colors.profile, self.has_drawings) {
                (Some(_), _) => 3,
                (None, false) => 4,
                (None, true) => 7,
            },
        );
        let mut begin = |pdf: &Pdf, id| offsets.push((id, pdf.len()));

        begin(&pdf, objects.catalog);
        write_catalog(&mut pdf, document, objects);
        begin(&pdf, objects.page_tree);
        let page_refs = objects.pages.iter().map(|(page, _)| *page);
        pdf.pages(objects.page_tree).kids(page_refs).count(objects.pages.len() as i32);
        begin(&pdf, objects.info);
        write_info(pdf.document_info(objects.info), document);
        if let (Shared::Images { content: id, palette }, Drawing::Image(first)) = (objects.shared, &first.drawing) {
            begin(&pdf, id);
            pdf.stream(id, &content(document, boxes, Under::default(), [(first, Point::new(0, 0), IMAGE)]).finish());
            begin(&pdf, palette);
            document.colors.write_palette(document.colors.ink(), &mut pdf, palette);
        }
        if let Some(id) = objects.registration {
            begin(&pdf, id);
            pdfx::write_registration_color(&mut pdf, id);
        }
        self.digest.update(pdf.as_bytes());
        if let (Some(id), Some(profile)) = (objects.profile, document.colors.profile) {
            begin(&pdf, id);
            pdfx::write_profile(&mut pdf, id, profile);
        }
        bytes.extend_from_slice(pdf.as_bytes());
    }

    /// Writes the dictionary of a page (ISO 32000-1, 7.7.3.3): with its own resources for `image`, with those of the
    /// file without.
    fn write_page(&self, pdf: &mut Chunk, id: Ref, contents: Contents, image: Option<Ref>) {
        let mut page = pdf.page(id);
        page.parent(self.objects.page_tree);
        page.media_box(rect(self.boxes.media)).crop_box(rect(self.boxes.crop));
        page.bleed_box(rect(self.boxes.bleed)).trim_box(rect(self.boxes.trim));
        match contents.text {
            None => drop(page.contents(contents.drawing)),
            Some(text) => drop(page.insert(Name(b"Contents")).array().items([contents.drawing, text])),
        }
        if let Some(image) = image {
            let mut resources = page.resources();
            resources.x_objects().pair(IMAGE, image);
            self.write_color_and_font(&mut resources);
        } else if let Shared::Resources { resources } = self.objects.shared {
            page.pair(Name(b"Resources"), resources);
        }
    }

    /// Writes the resources of all pages with content of their own (7.8.3).
    fn write_resources(&self, pdf: &mut Chunk, id: Ref) {
        let mut resources = pdf.indirect(id).start::<Resources<'_>>();
        let mut named = resources.x_objects();
        for (name, id) in self.forms.objects() {
            named.pair(name, id);
        }
        drop(named);
        self.write_color_and_font(&mut resources);
    }

    /// Names the font of the hidden text.
    fn write_color_and_font(&self, resources: &mut Resources<'_>) {
        if let Some(registration) = self.objects.registration {
            resources.color_spaces().pair(REGISTRATION, registration);
        }
        if let Some(text) = &self.text {
            resources.fonts().pair(FONT, text.font);
        }
    }
}
