//! The shapes of a drawing under the writing of a page, as a Form `XObject` (ISO 32000-1, 8.10).
//!
//! The objects of the form are copied from the page that was made of the drawing. Around the form lies another one, which
//! has the unit square of an image and the opacity, so that drawings are placed as images are.

use std::collections::HashMap;
use std::io;

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId, Stream, Writer};
use pdf_writer::writers::ExtGraphicsState;
use pdf_writer::{Chunk, Name, Rect, Ref};
use sha2::{Digest as _, Sha256};

use super::objects::PictureId;
use crate::artwork::{Artwork, ArtworkError};

/// The most values of a form, and about how many bytes of memory each takes.
const MOST_VALUES: usize = 500_000;
const VALUE_BYTES: usize = 120;
/// The names of the form and of its opacity, in the form around it.
const FORM: Name<'static> = Name(b"F");
const OPACITY: Name<'static> = Name(b"O");

/// What a file may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShapesFor {
    /// A file for screens: transparency.
    Screen,
    /// A file for a press, of a drawing that is printable: no transparency.
    Press,
}

/// The shapes of a drawing.
#[derive(Debug, PartialEq)]
pub struct Shapes {
    id: PictureId,
    /// Width and height in pt.
    size: [f32; 2],
    /// The form, and all that it refers to. A reference in them is a place in this list, from 0.
    objects: Vec<Object>,
    /// Bytes of memory that it takes, about.
    length: usize,
}

impl Shapes {
    /// The shapes of a drawing.
    ///
    /// # Errors
    /// Its page cannot be read, or is not as it was made.
    pub fn read(artwork: &Artwork, aim: ShapesFor) -> Result<Self, ArtworkError> {
        let file = artwork.page()?;
        Self::of(&file, aim).map_err(|error| ArtworkError::Broken(format!("its page: {error}")))
    }

    /// The shapes of a page that was made of a drawing.
    fn of(file: &[u8], aim: ShapesFor) -> io::Result<Self> {
        let most = usize::try_from(2 * Artwork::LARGEST_DRAWING).unwrap_or(usize::MAX);
        let options = LoadOptions::with_max_decompressed_size(most);
        let document = Document::load_mem_with_options(file, options).map_err(io::Error::other)?;
        let page = document.page_iter().next().ok_or_else(|| io::Error::other("there is none"))?;
        let page = document.get_dictionary(page).map_err(io::Error::other)?;
        let size = size_of(page).ok_or_else(|| io::Error::other("it has no size"))?;
        let resources = page.get_deref(b"Resources", &document).and_then(Object::as_dict);
        let forms = resources.and_then(|resources| resources.get_deref(b"XObject", &document)?.as_dict());
        let form = forms.and_then(|forms| forms.get(Artwork::FORM.as_bytes())?.as_reference());
        let mut copier = Copier { document: &document, places: HashMap::new(), waiting: Vec::new(), values: 0 };
        copier.place(form.map_err(io::Error::other)?);
        let (mut objects, values) = copier.copy()?;
        if let (Some(Object::Stream(form)), ShapesFor::Press) = (objects.first_mut(), aim) {
            form.dict.remove(b"Group");
        }
        let streams = objects.iter().filter_map(|object| object.as_stream().ok());
        let length = streams.map(|stream| stream.content.len()).sum::<usize>() + VALUE_BYTES * values;
        let id = Sha256::new().chain_update(file).chain_update([u8::from(aim == ShapesFor::Press)]).finalize().into();
        Ok(Self { id, size, objects, length })
    }

    /// Its identity.
    pub(super) const fn id(&self) -> &PictureId {
        &self.id
    }

    /// Bytes of memory that it takes, about: more than in the file.
    #[must_use]
    pub const fn packed_size(&self) -> usize {
        self.length
    }

    /// The bytes of its objects, the form first, each with its number; `next` gives the numbers.
    pub(super) fn written(&self, next: &mut Ref) -> Vec<(Ref, Vec<u8>)> {
        let numbers: Vec<Ref> = self.objects.iter().map(|_| next.bump()).collect();
        let object = |(number, object): (&Ref, &Object)| {
            let mut bytes = format!("{} 0 obj\n", number.get()).into_bytes();
            // Memory takes every byte.
            let _ = Writer::write_object(&mut bytes, &numbered(object, &numbers));
            bytes.extend_from_slice(b"\nendobj\n\n");
            (*number, bytes)
        };
        numbers.iter().zip(&self.objects).map(object).collect()
    }

    /// Writes the form around `form`: its unit square is all of the drawing.
    pub(super) fn write_around(&self, pdf: &mut Chunk, id: Ref, form: Ref, opacity: f32) {
        let [width, height] = self.size;
        // A form begins with the colours around it, and the page of the drawing began with black (8.10.1, 8.4.1).
        let content: &[u8] = if opacity < 1.0 { b"0 g 0 G /O gs /F Do" } else { b"0 g 0 G /F Do" };
        let mut around = pdf.form_xobject(id, content);
        around.bbox(Rect::new(0.0, 0.0, width, height));
        around.matrix([1.0 / width, 0.0, 0.0, 1.0 / height, 0.0, 0.0]);
        let mut resources = around.resources();
        resources.x_objects().pair(FORM, form);
        if opacity < 1.0 {
            let mut states = resources.ext_g_states();
            states.insert(OPACITY).start::<ExtGraphicsState<'_>>().non_stroking_alpha(opacity);
        }
    }
}

/// Width and height of a page whose lower left corner is the origin, in pt.
fn size_of(page: &Dictionary) -> Option<[f32; 2]> {
    let sides: Vec<f32> =
        page.get(b"MediaBox").ok()?.as_array().ok()?.iter().filter_map(|side| side.as_float().ok()).collect();
    let [_, _, width, height] = sides[..] else { return None };
    (width > 0.0 && height > 0.0 && width.is_finite() && height.is_finite()).then_some([width, height])
}

/// Copies objects, each once.
struct Copier<'a> {
    document: &'a Document,
    /// The place of each object in the list.
    places: HashMap<ObjectId, u32>,
    /// Those that are not copied yet.
    waiting: Vec<ObjectId>,
    /// How many values were copied.
    values: usize,
}

impl Copier<'_> {
    /// The place of an object.
    fn place(&mut self, id: ObjectId) -> u32 {
        if let Some(place) = self.places.get(&id) {
            return *place;
        }
        let place = self.places.len() as u32;
        self.places.insert(id, place);
        self.waiting.push(id);
        place
    }

    /// All objects that have a place, in the order of their places; and how many values they have.
    fn copy(mut self) -> io::Result<(Vec<Object>, usize)> {
        let mut copies = Vec::new();
        let mut done = 0;
        while let Some(id) = self.waiting.get(done).copied() {
            let object = self.document.get_object(id).map_err(io::Error::other)?;
            copies.push(self.value(object, 0)?);
            done += 1;
        }
        Ok((copies, self.values))
    }

    fn value(&mut self, value: &Object, depth: usize) -> io::Result<Object> {
        self.values += 1;
        if self.values > MOST_VALUES {
            return Err(io::Error::other("it has too many values"));
        }
        if depth > Artwork::MOST_NESTED_VALUES {
            return Err(io::Error::other("its values lie too deep within one another"));
        }
        Ok(match value {
            Object::Reference(id) => Object::Reference((self.place(*id), 0)),
            Object::Array(items) => {
                Object::Array(items.iter().map(|item| self.value(item, depth + 1)).collect::<io::Result<_>>()?)
            }
            Object::Dictionary(entries) => Object::Dictionary(self.entries(entries, depth)?),
            Object::Stream(stream) => {
                let entries = self.entries(&stream.dict, depth)?;
                Object::Stream(Stream::new(entries, stream.content.clone()).with_compression(false))
            }
            plain => plain.clone(),
        })
    }

    fn entries(&mut self, entries: &Dictionary, depth: usize) -> io::Result<Dictionary> {
        let mut copy = Dictionary::new();
        for (name, value) in entries {
            copy.set(name.clone(), self.value(value, depth + 1)?);
        }
        Ok(copy)
    }
}

/// An object whose references are numbers of a file, instead of places.
fn numbered(object: &Object, numbers: &[Ref]) -> Object {
    let entries = |entries: &Dictionary| {
        let mut copy = Dictionary::new();
        for (name, value) in entries {
            copy.set(name.clone(), numbered(value, numbers));
        }
        copy
    };
    match object {
        Object::Reference((place, _)) => {
            numbers.get(*place as usize).map_or(Object::Null, |number| Object::Reference((number.get() as u32, 0)))
        }
        Object::Array(items) => Object::Array(items.iter().map(|item| numbered(item, numbers)).collect()),
        Object::Dictionary(of) => Object::Dictionary(entries(of)),
        Object::Stream(stream) => {
            Object::Stream(Stream::new(entries(&stream.dict), stream.content.clone()).with_compression(false))
        }
        plain => plain.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page of a drawing that shows one form with a graphics state.
    fn page() -> Vec<u8> {
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='96' height='48'><rect width='9' height='9' opacity='.5'/></svg>";
        Artwork::read(svg.to_vec()).unwrap().page().unwrap()
    }

    #[test]
    fn the_objects_of_a_form_are_numbered_in_the_file_that_shows_it() {
        let [screen, press] = [ShapesFor::Screen, ShapesFor::Press].map(|aim| Shapes::of(&page(), aim).unwrap());
        assert_eq!((screen.size, screen == press, screen.id == press.id), ([72.0, 36.0], false, false));
        let mut next = Ref::new(40);
        let written = screen.written(&mut next);
        let numbers: Vec<i32> = written.iter().map(|(number, _)| number.get()).collect();
        assert_eq!(numbers, (40..next.get()).collect::<Vec<_>>());
        let form = String::from_utf8_lossy(&written[0].1).into_owned();
        assert!(form.starts_with("40 0 obj\n") && form.contains("/Transparency"), "{form}");
        assert!(!String::from_utf8_lossy(&press.written(&mut next)[0].1).contains("/Group"));
    }

    #[test]
    fn a_page_that_is_not_as_it_was_made_has_no_shapes() {
        let (whole, of) = (page(), |file: &[u8]| Shapes::of(file, ShapesFor::Screen));
        let text = String::from_utf8_lossy(&whole).into_owned();
        assert!(of(b"").is_err() && of(&whole[..whole.len() / 2]).is_err());
        for (from, to) in [
            ("<</Artwork ", "<</Another "),
            ("[0.0 0.0 72.0 36.0]", "[0.0 0.0 -2.0 36.0]"),
            ("[0.0 0.0 72.0 36.0]", "[0.0 0.0 72.0 /abc]"),
        ] {
            assert!(text.contains(from), "{from}: {text}");
            let at = whole.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
            let changed = [&whole[..at], to.as_bytes(), &whole[at + from.len()..]].concat();
            assert!(of(&changed).is_err(), "{to}");
        }
    }
}
