//! Copies what the content of a page refers to, without what acts, annotates or describes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

use super::super::error::ArtworkError;

/// The most values within one another, references among them.
const MOST_DEPTH: usize = 200;
/// Types of dictionaries that content needs none of (ISO 32000-1, 7.7, 8.11, 12.5 to 12.8 and 14.7).
const FOREIGN_TYPES: [&[u8]; 16] = [
    b"Action",
    b"Annot",
    b"Catalog",
    b"EmbeddedFile",
    b"F",
    b"Filespec",
    b"Metadata",
    b"OCG",
    b"OCMD",
    b"ObjStm",
    b"Outlines",
    b"Page",
    b"Pages",
    b"Sig",
    b"StructElem",
    b"StructTreeRoot",
];
/// Kinds of actions, which need not have their type (12.6.4).
const ACTIONS: [&[u8]; 8] =
    [b"GoToE", b"GoToR", b"ImportData", b"JavaScript", b"Launch", b"Rendition", b"SubmitForm", b"URI"];
/// Entries of streams that describe them, or that take their place elsewhere (8.9.5, 8.10.2 to 8.10.4, 14.3 to 14.11).
const FOREIGN_ENTRIES: [&[u8]; 14] = [
    b"AF",
    b"Alternates",
    b"ID",
    b"LastModified",
    b"Measure",
    b"Metadata",
    b"OC",
    b"OPI",
    b"PieceInfo",
    b"PtData",
    b"Ref",
    b"StructParent",
    b"StructParents",
    b"Length",
];
/// The entry of a stream whose data is in another file (7.3.8.2).
const EXTERNAL: &[u8] = b"F";

/// Copies values from one document to another.
pub(super) struct Copied<'a> {
    source: &'a Document,
    pub(super) target: Document,
    /// Numbers in the target by those in the source; `None` while an object is being copied.
    numbers: HashMap<ObjectId, Option<ObjectId>>,
}

impl<'a> Copied<'a> {
    pub(super) fn new(source: &'a Document, target: Document) -> Self {
        Self { source, target, numbers: HashMap::new() }
    }

    /// A value, with copies of all that it refers to. A reference that leads back to itself becomes null, as others could
    /// not copy the result object by object.
    ///
    /// # Errors
    /// Values lie too deep within one another, or data is in another file.
    pub(super) fn value(&mut self, value: &Object, depth: usize) -> Result<Object, ArtworkError> {
        let Some(depth) = depth.checked_add(1).filter(|depth| *depth <= MOST_DEPTH) else {
            return Err(ArtworkError::Broken("its values lie too deep within one another".to_owned()));
        };
        Ok(match value {
            Object::Reference(id) => self.reference(*id, depth)?,
            Object::Array(items) => {
                Object::Array(items.iter().map(|item| self.value(item, depth)).collect::<Result<_, _>>()?)
            }
            Object::Dictionary(entries) if is_foreign(entries) => Object::Null,
            Object::Dictionary(entries) => Object::Dictionary(self.entries(entries, &[], depth)?),
            Object::Stream(stream) if is_foreign(&stream.dict) => Object::Null,
            Object::Stream(stream) if stream.dict.has(EXTERNAL) => {
                return Err(ArtworkError::External("a stream".to_owned()));
            }
            Object::Stream(stream) => {
                let entries = self.entries(&stream.dict, &FOREIGN_ENTRIES, depth)?;
                Object::Stream(Stream::new(entries, stream.content.clone()).with_compression(false))
            }
            plain => plain.clone(),
        })
    }

    fn reference(&mut self, id: ObjectId, depth: usize) -> Result<Object, ArtworkError> {
        match self.numbers.entry(id) {
            Entry::Occupied(known) => return Ok(known.get().map_or(Object::Null, Object::Reference)),
            Entry::Vacant(new) => new.insert(None),
        };
        let Ok(object) = self.source.get_object(id) else { return Ok(Object::Null) };
        let copy = self.value(object, depth)?;
        if copy.is_null() {
            return Ok(copy);
        }
        let number = self.target.add_object(copy);
        self.numbers.insert(id, Some(number));
        Ok(Object::Reference(number))
    }

    fn entries(&mut self, entries: &Dictionary, left: &[&[u8]], depth: usize) -> Result<Dictionary, ArtworkError> {
        let mut copy = Dictionary::new();
        for (name, value) in entries.iter().filter(|(name, _)| !left.contains(&name.as_slice())) {
            // Forms may share resources that name them. Each has a copy, which lacks the forms that it lies in.
            let value =
                if name == b"Resources" { self.source.dereference(value).map_or(value, |(_, own)| own) } else { value };
            copy.set(name.clone(), self.value(value, depth)?);
        }
        Ok(copy)
    }
}

/// Whether content needs no such dictionary.
fn is_foreign(entries: &Dictionary) -> bool {
    let is_of = |key: &[u8], names: &[&[u8]]| {
        entries.get(key).and_then(Object::as_name).is_ok_and(|name| names.contains(&name))
    };
    is_of(b"Type", &FOREIGN_TYPES) || is_of(b"S", &ACTIONS)
}
