//! The glyphs of a file as Form `XObject`s (ISO 32000-1, 8.10), and the images of its pages that are no outlines.
//!
//! A glyph is written with the first page that has it, and all pages of the file share it. Its coordinates are whole
//! font units, and it sets no colour: it takes that of the page (8.10.1).

use std::collections::HashMap;
use std::io::Read as _;

use flate2::Compression;
use flate2::read::ZlibEncoder;
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::{Chunk, Content, Filter, Name, Rect, Ref};

use crate::geometry::PathCommand;
use crate::vector::{GlyphShape, GlyphShapeId, Shape, VectorPage};

/// How hard streams are packed: they are small, and stay in the file for good.
pub(super) const LEVEL: u8 = 9;

/// The named objects of a file of outlines.
#[derive(Default)]
pub(super) struct Forms {
    /// Name and number of each `XObject`, in the order of the file.
    objects: Vec<(String, Ref)>,
    /// The position of each glyph there.
    glyphs: HashMap<GlyphShapeId, usize>,
}

impl Forms {
    /// The name of a glyph, and whether it is new to the file; then `next` gives its number.
    pub(super) fn glyph(&mut self, shape: &GlyphShape, next: &mut Ref) -> (&str, Option<Ref>) {
        let Self { objects, glyphs } = self;
        let mut new = None;
        let at = *glyphs.entry(shape.id).or_insert_with(|| {
            let id = next.bump();
            new = Some(id);
            objects.push((format!("G{}", objects.len()), id));
            objects.len() - 1
        });
        (objects.get(at).map_or("", |(name, _)| name.as_str()), new)
    }

    /// Names the image of a page.
    pub(super) fn image(&mut self, id: Ref) -> String {
        let name = format!("W{}", self.objects.len());
        self.objects.push((name.clone(), id));
        name
    }

    /// Every name and number.
    pub(super) fn objects(&self) -> impl Iterator<Item = (Name<'_>, Ref)> {
        self.objects.iter().map(|(name, id)| (Name(name.as_bytes()), *id))
    }
}

/// A packed stream.
pub(super) fn packed(content: Content) -> Vec<u8> {
    compress_to_vec_zlib(&content.finish(), LEVEL)
}

/// How hard the content of pages with bent letters is packed. Such streams are long; miniz takes four times as long for
/// the same length.
const LEVEL_OF_BENT: u32 = 7;

/// The packed content of a page of outlines.
pub(super) fn packed_page(content: Content, page: &VectorPage) -> Vec<u8> {
    if !page.paths().any(|path| matches!(path.shape, Shape::Free(_))) {
        return packed(content);
    }
    let mut packed = Vec::new();
    // Reading from memory does not fail.
    let _ = ZlibEncoder::new(content.finish().as_slice(), Compression::new(LEVEL_OF_BENT)).read_to_end(&mut packed);
    packed
}

/// Writes the form of a glyph: its path, filled by the non-zero rule.
pub(super) fn write_glyph(pdf: &mut Chunk, id: Ref, shape: &GlyphShape) {
    let mut content = Content::new();
    add_path(&mut content, &shape.path);
    content.fill_nonzero();
    let stream = packed(content);
    let mut form = pdf.form_xobject(id, &stream);
    let [left, bottom, right, top] = shape.bounds.map(|edge| edge as f32);
    form.bbox(Rect::new(left, bottom, right, top));
    form.resources();
    form.filter(Filter::FlateDecode);
}

/// Adds the commands of a path.
pub(super) fn add_path(content: &mut Content, path: &[PathCommand]) {
    for command in path {
        match *command {
            PathCommand::MoveTo([x, y]) => content.move_to(x as f32, y as f32),
            PathCommand::LineTo([x, y]) => content.line_to(x as f32, y as f32),
            PathCommand::CubicTo(first, second, to) => {
                let [[x1, y1], [x2, y2], [x, y]] = [first, second, to].map(|at| at.map(|part| part as f32));
                content.cubic_to(x1, y1, x2, y2, x, y)
            }
            PathCommand::Close => content.close_path(),
        };
    }
}
