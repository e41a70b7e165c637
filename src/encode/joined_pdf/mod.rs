//! PDFs of this program joined into one, as a stream.
//!
//! Input: whole PDFs one after the other, such as the rows of a mailing. Output: one PDF with all their pages in order, with
//! the output intents and the metadata of the first (ISO 32000-1, 7.7.2 and 14.11.5). Each page keeps its boxes. Objects
//! that are equal, such as profiles and glyphs, are written once. Only numbers, places and digests of objects are held in
//! memory: about 50 bytes an object.
//!
//! `objects` copies objects; this file writes the pages and what is above them; `imposed` places pages side by side on
//! sheets instead.

mod imposed;
mod objects;

use std::io::{self, Write};

use lopdf::{Dictionary, Document, Object, ObjectId};

pub use imposed::{PageOf, SheetLayout, SheetPlan};
use objects::{Copied, ObjectWriter, reference};

/// Pages below one node of the tree of pages: readers need not read a long list to open a page.
const PAGES_OF_A_NODE: usize = 256;
/// Entries of a page that a node above it may have (ISO 32000-1, table 30).
const INHERITED: [&[u8]; 4] = [b"Resources", b"MediaBox", b"CropBox", b"Rotate"];
/// Entries of a page that an empty page beside it has too.
const OF_EMPTY_PAGE: [&[u8]; 6] = [b"MediaBox", b"CropBox", b"BleedBox", b"TrimBox", b"ArtBox", b"Rotate"];
/// Entries of the first file's catalogue that the joined file has.
const OF_CATALOG: [&[u8]; 4] = [b"OutputIntents", b"Metadata", b"Lang", b"ViewerPreferences"];

/// A PDF that was read, to be joined with others.
#[derive(Debug)]
pub struct PdfPages(Document);

impl PdfPages {
    /// Reads a file.
    ///
    /// # Errors
    /// It is no PDF.
    pub fn read(file: &[u8]) -> io::Result<Self> {
        Document::load_mem(file).map(Self).map_err(io::Error::other)
    }
}

/// A PDF that is being joined.
pub struct JoinedPdf<W: Write> {
    objects: ObjectWriter<W>,
    /// The root of the tree of pages, and the node that is being filled.
    tree: u32,
    node: u32,
    /// The pages of that node.
    pages: Vec<Object>,
    /// The nodes that are written, and the number of their pages.
    nodes: Vec<Object>,
    count: usize,
    last: Dictionary,
    catalog: Dictionary,
    info: Option<u32>,
}

impl<W: Write> JoinedPdf<W> {
    /// A joined file without a page yet.
    pub fn new(out: W) -> Self {
        let mut objects = ObjectWriter::new(out);
        let (tree, node) = (objects.reserve(), objects.reserve());
        Self {
            objects,
            tree,
            node,
            pages: Vec::new(),
            nodes: Vec::new(),
            count: 0,
            last: Dictionary::new(),
            catalog: Dictionary::new(),
            info: None,
        }
    }

    /// The number of pages, empty ones included.
    pub const fn page_count(&self) -> usize {
        self.count
    }

    /// Appends the pages of a file. Returns their number.
    ///
    /// # Errors
    /// A page is broken, or the joined file cannot be written.
    pub fn append(&mut self, PdfPages(document): &PdfPages) -> io::Result<usize> {
        let mut copied = Copied::new();
        if self.count == 0 {
            self.begin(document, &mut copied)?;
        }
        let pages: Vec<ObjectId> = document.page_iter().collect();
        for id in &pages {
            let page = Object::Dictionary(whole_page(document, *id)?);
            if let Object::Dictionary(page) = self.objects.copy(document, &page, &mut copied)? {
                self.append_page(page)?;
            }
        }
        Ok(pages.len())
    }

    /// Appends an empty page like the last one, so that what follows begins on the front of a sheet that is printed on
    /// both sides.
    ///
    /// # Errors
    /// The joined file cannot be written.
    pub fn append_empty_page(&mut self) -> io::Result<()> {
        let mut page = Dictionary::new();
        for name in OF_EMPTY_PAGE {
            if let Ok(value) = self.last.get(name) {
                page.set(name.to_vec(), value.clone());
            }
        }
        page.set("Type", "Page");
        page.set("Resources", Dictionary::new());
        self.append_page(page)
    }

    /// Ends the file. Returns what it was written to.
    ///
    /// # Errors
    /// It has no page, or cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if self.count == 0 {
            return Err(io::Error::other("there is no page"));
        }
        self.end_node()?;
        let mut tree = Dictionary::new();
        tree.set("Type", "Pages");
        tree.set("Kids", std::mem::take(&mut self.nodes));
        tree.set("Count", self.count as i64);
        self.objects.write_object(self.tree, &Object::Dictionary(tree))?;
        let mut catalog = std::mem::take(&mut self.catalog);
        catalog.set("Type", "Catalog");
        catalog.set("Pages", reference(self.tree));
        let root = self.objects.reserve();
        self.objects.write_object(root, &Object::Dictionary(catalog))?;
        self.objects.end(root, self.info)
    }

    /// Writes the header, and what belongs to the whole file.
    fn begin(&mut self, document: &Document, copied: &mut Copied) -> io::Result<()> {
        self.objects.begin(&document.version)?;
        let catalog = document.catalog().map_err(io::Error::other)?;
        for name in OF_CATALOG {
            if let Ok(value) = catalog.get(name) {
                let value = self.objects.copy(document, value, copied)?;
                self.catalog.set(name.to_vec(), value);
            }
        }
        if let Ok(Object::Reference(info)) = document.trailer.get(b"Info") {
            self.info = Some(self.objects.copy_object(document, *info, copied)?);
        }
        Ok(())
    }

    fn append_page(&mut self, mut page: Dictionary) -> io::Result<()> {
        if self.pages.len() == PAGES_OF_A_NODE {
            self.end_node()?;
            self.node = self.objects.reserve();
        }
        page.set("Parent", reference(self.node));
        let number = self.objects.reserve();
        let page = Object::Dictionary(page);
        self.objects.write_object(number, &page)?;
        if let Object::Dictionary(page) = page {
            self.last = page;
        }
        self.pages.push(reference(number));
        self.count += 1;
        Ok(())
    }

    fn end_node(&mut self) -> io::Result<()> {
        let pages = std::mem::take(&mut self.pages);
        let mut node = Dictionary::new();
        node.set("Type", "Pages");
        node.set("Parent", reference(self.tree));
        node.set("Count", pages.len() as i64);
        node.set("Kids", pages);
        self.objects.write_object(self.node, &Object::Dictionary(node))?;
        self.nodes.push(reference(self.node));
        Ok(())
    }
}

/// A page with what the nodes above it say of it, and without them.
fn whole_page(document: &Document, id: ObjectId) -> io::Result<Dictionary> {
    let mut page = document.get_dictionary(id).map_err(io::Error::other)?.clone();
    let mut above = page.remove(b"Parent");
    while let Some(Object::Reference(id)) = above {
        let node = document.get_dictionary(id).map_err(io::Error::other)?;
        for name in INHERITED.into_iter().filter(|name| !page.has(name)).collect::<Vec<_>>() {
            if let Ok(value) = node.get(name) {
                page.set(name.to_vec(), value.clone());
            }
        }
        above = node.get(b"Parent").ok().cloned();
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PDF with this many pages of this width, which share a stream.
    fn file(pages: usize, width: i64) -> Vec<u8> {
        let mut document = Document::with_version("1.7");
        let tree = document.new_object_id();
        let shared = document.add_object(lopdf::Stream::new(Dictionary::new(), b"0 0 1 1 re f".to_vec()));
        let mut kids = Vec::new();
        for _ in 0..pages {
            let mut page = Dictionary::new();
            page.set("Type", "Page");
            page.set("Parent", Object::Reference(tree));
            page.set("Contents", Object::Reference(shared));
            kids.push(Object::Reference(document.add_object(page)));
        }
        let mut node = Dictionary::new();
        node.set("Type", "Pages");
        node.set("Count", kids.len() as i64);
        node.set("Kids", kids);
        node.set("MediaBox", vec![0.into(), 0.into(), width.into(), 100.into()]);
        document.objects.insert(tree, Object::Dictionary(node));
        let mut catalog = Dictionary::new();
        catalog.set("Type", "Catalog");
        catalog.set("Pages", Object::Reference(tree));
        let root = document.add_object(catalog);
        document.trailer.set("Root", Object::Reference(root));
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        bytes
    }

    fn pages(count: usize, width: i64) -> PdfPages {
        PdfPages::read(&file(count, width)).unwrap()
    }

    fn widths(file: &[u8]) -> Vec<i64> {
        let document = Document::load_mem(file).unwrap();
        let width = |id| {
            let page: &Dictionary = document.get_dictionary(id).unwrap();
            page.get(b"MediaBox").unwrap().as_array().unwrap()[2].as_i64().unwrap()
        };
        document.page_iter().map(width).collect()
    }

    #[test]
    fn pages_keep_their_order_and_the_boxes_that_nodes_above_them_had() {
        let mut joined = JoinedPdf::new(Vec::new());
        assert_eq!(joined.append(&pages(2, 300)).unwrap(), 2);
        assert_eq!(joined.append(&pages(1, 500)).unwrap(), 1);
        joined.append_empty_page().unwrap();
        assert_eq!(joined.append(&pages(1, 300)).unwrap(), 1);
        assert_eq!(widths(&joined.finish().unwrap()), [300, 300, 500, 500, 300]);
    }

    #[test]
    fn equal_objects_are_written_once_and_many_pages_have_several_nodes() {
        let mut joined = JoinedPdf::new(Vec::new());
        for _ in 0..300 {
            joined.append(&pages(1, 300)).unwrap();
        }
        let bytes = joined.finish().unwrap();
        let document = Document::load_mem(&bytes).unwrap();
        let is_stream = |object: &&Object| matches!(object, Object::Stream(_));
        assert_eq!(document.objects.values().filter(is_stream).count(), 1);
        assert_eq!(document.page_iter().count(), 300);
        let is_node = |object: &&Object| object.type_name().is_ok_and(|name| name == b"Pages");
        assert_eq!(document.objects.values().filter(is_node).count(), 3);
    }

    #[test]
    fn what_is_no_pdf_and_what_has_no_page_is_an_error() {
        assert!(PdfPages::read(b"no pdf").is_err());
        assert!(JoinedPdf::new(Vec::new()).finish().is_err());
    }
}
