//! Writes the objects of a joined file, each once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::io::{self, Write};

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, StringFormat, Writer};
use sha2::{Digest as _, Sha256};

/// Numbers of copied objects by those in their file; `None` while an object is being copied.
pub(super) type Copied = HashMap<ObjectId, Option<u32>>;

/// Writes objects one after the other, and at the end the table of their places.
pub(super) struct ObjectWriter<W: Write> {
    out: W,
    written: u64,
    /// Place of each object by its number less 1; 0 of one that is not written.
    places: Vec<u64>,
    /// Numbers by what the objects are: the first half of their SHA-256.
    known: HashMap<[u8; 16], u32, foldhash::fast::FixedState>,
    /// Of all objects, for the file's identifier.
    digest: Sha256,
}

impl<W: Write> ObjectWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, written: 0, places: Vec::new(), known: HashMap::default(), digest: Sha256::new() }
    }

    /// Writes the header of a file of this version (ISO 32000-1, 7.5.2).
    pub(super) fn begin(&mut self, version: &str) -> io::Result<()> {
        self.write(format!("%PDF-{version}\n%").as_bytes())?;
        // Bytes beyond ASCII tell programs that the file is binary.
        self.write(&[0xc2, 0xb5, 0xc2, 0xb6, b'\n'])
    }

    /// The number of an object that is written later.
    pub(super) fn reserve(&mut self) -> u32 {
        self.places.push(0);
        self.places.len() as u32
    }

    /// Writes an object that has its number.
    pub(super) fn write_object(&mut self, number: u32, object: &Object) -> io::Result<()> {
        let bytes = serialised(object)?;
        self.write_bytes(number, &bytes)
    }

    /// A value with copies of all that it refers to.
    pub(super) fn copy(&mut self, document: &Document, value: &Object, copied: &mut Copied) -> io::Result<Object> {
        Ok(match value {
            Object::Reference(id) => reference(self.copy_object(document, *id, copied)?),
            Object::Array(items) => {
                let items = items.iter().map(|item| self.copy(document, item, copied));
                Object::Array(items.collect::<io::Result<_>>()?)
            }
            Object::Dictionary(entries) => Object::Dictionary(self.copy_entries(document, entries, copied)?),
            Object::Stream(stream) => {
                let entries = self.copy_entries(document, &stream.dict, copied)?;
                Object::Stream(Stream::new(entries, stream.content.clone()).with_compression(false))
            }
            plain => plain.clone(),
        })
    }

    /// The number of the copy of an object. Equal objects have one.
    pub(super) fn copy_object(&mut self, document: &Document, id: ObjectId, copied: &mut Copied) -> io::Result<u32> {
        match copied.entry(id) {
            Entry::Occupied(known) => {
                return known.get().ok_or_else(|| io::Error::other("objects refer to each other in a circle"));
            }
            Entry::Vacant(new) => new.insert(None),
        };
        let object = document.get_object(id).map_err(io::Error::other)?;
        let object = self.copy(document, object, copied)?;
        let number = self.write_equal_once(&object)?;
        copied.insert(id, Some(number));
        Ok(number)
    }

    /// Writes an object, unless an equal one is written. Returns its number.
    pub(super) fn write_equal_once(&mut self, object: &Object) -> io::Result<u32> {
        let bytes = serialised(object)?;
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        if let Some(number) = self.known.get(&key) {
            return Ok(*number);
        }
        let number = self.reserve();
        self.write_bytes(number, &bytes)?;
        self.digest.update(digest);
        self.known.insert(key, number);
        Ok(number)
    }

    fn copy_entries(
        &mut self,
        document: &Document,
        entries: &Dictionary,
        copied: &mut Copied,
    ) -> io::Result<Dictionary> {
        let mut copy = Dictionary::new();
        for (name, value) in entries {
            copy.set(name.clone(), self.copy(document, value, copied)?);
        }
        Ok(copy)
    }

    /// Writes the table of places and the trailer (ISO 32000-1, 7.5.4 and 7.5.5). Does not flush.
    pub(super) fn end(mut self, root: u32, info: Option<u32>) -> io::Result<W> {
        let table = self.written;
        let size = self.places.len() + 1;
        let mut text = format!("xref\n0 {size}\n0000000000 65535 f \n");
        for place in &self.places {
            // Writing to a string never fails.
            let _ = writeln!(text, "{place:010} 00000 n ");
        }
        self.write(text.as_bytes())?;
        let digest: [u8; 32] = self.digest.clone().finalize().into();
        let identifier = Object::String(digest[..16].to_vec(), StringFormat::Hexadecimal);
        let mut trailer = Dictionary::new();
        trailer.set("Size", size as i64);
        trailer.set("Root", reference(root));
        if let Some(info) = info {
            trailer.set("Info", reference(info));
        }
        trailer.set("ID", vec![identifier.clone(), identifier]);
        let trailer = serialised(&Object::Dictionary(trailer))?;
        self.write(b"trailer\n")?;
        self.write(&trailer)?;
        self.write(format!("\nstartxref\n{table}\n%%EOF\n").as_bytes())?;
        Ok(self.out)
    }

    fn write_bytes(&mut self, number: u32, object: &[u8]) -> io::Result<()> {
        if let Some(place) = self.places.get_mut(number as usize - 1) {
            *place = self.written;
        }
        self.write(format!("{number} 0 obj\n").as_bytes())?;
        self.write(object)?;
        self.write(b"\nendobj\n")
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// A reference to the object of a number.
pub(super) const fn reference(number: u32) -> Object {
    Object::Reference((number, 0))
}

fn serialised(object: &Object) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Writer::write_object(&mut bytes, object)?;
    Ok(bytes)
}
