//! Copies what the content of a page refers to, without what acts, annotates or describes.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

use super::super::error::{ArtworkError, MOST_NESTED_VALUES};

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
/// Entries of streams that describe them, or that take their place elsewhere (8.8.2, 8.9.5, 8.10.2 to 8.10.4, 14.3 to 14.11).
const FOREIGN_ENTRIES: [&[u8]; 15] = [
    b"AF",
    b"Alternates",
    b"ID",
    b"LastModified",
    b"Measure",
    b"Metadata",
    b"OC",
    b"OPI",
    b"PS",
    b"PieceInfo",
    b"PtData",
    b"Ref",
    b"StructParent",
    b"StructParents",
    b"Length",
];
/// The entry of a stream whose data is in another file (7.3.8.2).
const EXTERNAL: &[u8] = b"F";

/// Copies objects from one document to another, each once. Objects may refer to one another in circles.
pub(super) struct Copied<'a> {
    source: &'a Document,
    target: Document,
    /// The resources of the page, in the target.
    page_resources: Object,
    /// Numbers in the target by those in the source.
    numbers: HashMap<ObjectId, ObjectId>,
    /// Objects that have a number in the target and are not copied yet.
    waiting: Vec<(&'a Object, ObjectId)>,
}

impl<'a> Copied<'a> {
    /// Copies from a page that has these resources.
    pub(super) fn of_page(source: &'a Document, target: Document, resources: Option<&'a Object>) -> Self {
        let page_resources = Dictionary::new().into();
        let mut copied = Self { source, target, page_resources, numbers: HashMap::new(), waiting: Vec::new() };
        if let Some((id, resources)) = resources.and_then(|resources| source.dereference(resources).ok()) {
            let number = copied.numbered(resources);
            copied.numbers.extend(id.map(|id| (id, number)));
            copied.page_resources = Object::Reference(number);
        }
        copied
    }

    /// The resources of the page, in the target.
    pub(super) const fn page_resources(&self) -> &Object {
        &self.page_resources
    }

    /// The target, after all objects are copied that copies refer to.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub(super) fn finish(mut self) -> Result<Document, ArtworkError> {
        while let Some((object, number)) = self.waiting.pop() {
            let copy = self.value(object, 0)?;
            self.target.objects.insert(number, copy);
        }
        Ok(self.target)
    }

    /// The number in the target of an object that is not copied yet.
    fn numbered(&mut self, object: &'a Object) -> ObjectId {
        let number = self.target.new_object_id();
        self.waiting.push((object, number));
        number
    }

    /// A copy of a value that lies `depth` values deep in its object. Objects that it refers to get a number, and are
    /// copied by [`finish`](Self::finish).
    ///
    /// # Errors
    /// Values lie too deep within one another, or data is in another file.
    fn value(&mut self, value: &'a Object, depth: usize) -> Result<Object, ArtworkError> {
        if depth > MOST_NESTED_VALUES {
            return Err(ArtworkError::Broken("its values lie too deep within one another".to_owned()));
        }
        Ok(match value {
            Object::Reference(_) => self.reference(value),
            Object::Array(items) => {
                Object::Array(items.iter().map(|item| self.value(item, depth + 1)).collect::<Result<_, _>>()?)
            }
            left_out if is_left_out(left_out) => Object::Null,
            Object::Dictionary(entries) => Object::Dictionary(self.entries(entries, &[], depth)?),
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

    /// A reference to the copy of an object; null if it is not there or left out.
    fn reference(&mut self, reference: &'a Object) -> Object {
        let Ok((Some(id), object)) = self.source.dereference(reference) else { return Object::Null };
        if is_left_out(object) {
            return Object::Null;
        }
        if let Some(number) = self.numbers.get(&id) {
            return Object::Reference(*number);
        }
        let number = self.numbered(object);
        self.numbers.insert(id, number);
        Object::Reference(number)
    }

    fn entries(&mut self, entries: &'a Dictionary, left: &[&[u8]], depth: usize) -> Result<Dictionary, ArtworkError> {
        let mut copy = Dictionary::new();
        for (name, value) in entries.iter().filter(|(name, _)| !left.contains(&name.as_slice())) {
            let value = self.value(value, depth + 1)?;
            if !value.is_null() {
                copy.set(name.clone(), value);
            }
        }
        if self.needs_resources(entries) {
            copy.set("Resources", self.page_resources.clone());
        }
        Ok(copy)
    }

    /// Whether the content of a form, pattern or font has names, and no resources with them. These names are those of its
    /// page (8.10.2, table 95; 9.6.5, table 112).
    fn needs_resources(&self, entries: &Dictionary) -> bool {
        let entry = |name: &[u8]| entries.get_deref(name, self.source);
        let has_content =
            entry(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| matches!(kind, b"Form" | b"Type3"))
                || entry(b"PatternType").and_then(Object::as_i64).is_ok_and(|kind| kind == 1);
        has_content && entry(b"Resources").and_then(Object::as_dict).is_err()
    }
}

/// Whether a value is null, or content needs none of its kind.
fn is_left_out(value: &Object) -> bool {
    match value {
        Object::Null => true,
        Object::Dictionary(entries) | Object::Stream(Stream { dict: entries, .. }) => is_foreign(entries),
        _ => false,
    }
}

/// Whether content needs no such dictionary.
fn is_foreign(entries: &Dictionary) -> bool {
    let is_of = |key: &[u8], names: &[&[u8]]| {
        entries.get(key).and_then(Object::as_name).is_ok_and(|name| names.contains(&name))
    };
    // PostScript is for printers that read it, in place of what all others show (8.8.2).
    let is_post_script = [b"Subtype".as_slice(), b"Subtype2"].iter().any(|key| is_of(key, &[b"PS"]));
    is_post_script || is_of(b"Type", &FOREIGN_TYPES) || is_of(b"S", &ACTIONS)
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Pdf, stream};
    use super::super::one_page::OnePage;
    use super::*;

    #[test]
    fn values_may_not_lie_too_deep_in_an_object() {
        let source = Document::with_version("1.7");
        let nested = |levels: usize| (0..levels).fold(Object::Integer(1), |inner, _| Object::Array(vec![inner]));
        let copy = |value: &Object| Copied::of_page(&source, Document::with_version("1.7"), None).value(value, 0);
        assert_eq!(copy(&nested(MOST_NESTED_VALUES)), Ok(nested(MOST_NESTED_VALUES)));
        assert!(matches!(copy(&nested(MOST_NESTED_VALUES + 1)), Err(ArtworkError::Broken(_))));
    }

    #[test]
    fn forms_that_share_the_resources_of_their_page_keep_them() {
        let form = |content: &str| stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 5 0 R", content);
        let pdf = Pdf {
            content: "/One Do /Two Do",
            resources: "/XObject<</One 6 0 R/Two 7 0 R>>/ExtGState<</G 8 0 R>>",
            objects: &[&form("/G gs 0 0 5 5 re f"), &form("/G gs 0 0 5 5 re f"), "<</ca 0.5>>"],
            ..Pdf::default()
        };
        let OnePage { file, is_printable, .. } = OnePage::of(&pdf.file(), 1.0).unwrap();
        let text = String::from_utf8_lossy(&file);
        assert!(!is_printable && !text.contains("null"), "{text}");
        assert_eq!((text.matches("/ExtGState").count(), resources_of_forms(&file).len()), (1, 3), "{text}");
    }

    /// The resources of all forms.
    fn resources_of_forms(file: &[u8]) -> Vec<Dictionary> {
        let document = Document::load_mem(file).unwrap();
        let forms = document.objects.values().filter_map(|object| object.as_stream().ok());
        let forms =
            forms.filter(|form| form.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Form"));
        let resources = forms.map(|form| form.dict.get_deref(b"Resources", &document).unwrap().as_dict().unwrap());
        resources.cloned().collect()
    }

    #[test]
    fn forms_that_share_resources_may_show_one_another() {
        // Each of 60 forms names all of them, and shows the next one.
        let shared = |next: usize| {
            let content = if next < 66 { format!("/F{next} Do") } else { "0 g 0 0 5 5 re f".to_owned() };
            stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources 5 0 R", &content)
        };
        let forms: Vec<String> = (7..67).map(shared).collect();
        let objects: Vec<&str> = forms.iter().map(String::as_str).collect();
        let names: String =
            forms.iter().zip(6..).fold(String::new(), |names, (_, number)| names + &format!("/F{number} {number} 0 R"));
        let resources = format!("/XObject<<{names}>>");
        let pdf = Pdf { content: "/F6 Do", resources: &resources, objects: &objects, ..Pdf::default() };
        let OnePage { file, .. } = OnePage::of(&pdf.file(), 1.0).unwrap();
        let all = resources_of_forms(&file);
        assert_eq!(all.len(), 61, "each is there once");
        for resources in all {
            let forms = resources.get(b"XObject").unwrap().as_dict().unwrap();
            assert!(forms.len() == 60 && forms.iter().all(|(_, form)| form.as_reference().is_ok()), "{resources:?}");
        }
    }

    #[test]
    fn content_without_resources_has_those_of_its_page() {
        let own = "/Resources<</ColorSpace<</Own/DeviceGray>>>>";
        let inner = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]";
        let pattern = "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9";
        let glyphs = "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<<>>>>";
        let resources = "/XObject<</Whole 6 0 R/Bare 7 0 R>>/Pattern<</P 8 0 R>>/Font<</T 9 0 R>>\
                         /ColorSpace<</Spot[/Separation/Gold/DeviceCMYK\
                         <</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 1 0 0]/N 1>>]>>";
        let pdf = Pdf {
            content: "/Whole Do /Bare Do",
            resources,
            objects: &[
                &stream(&format!("{inner}{own}"), "/Bare Do /Own cs"),
                &stream(inner, "/Spot cs 0.5 scn 0 0 5 5 re f"),
                &stream(pattern, "/Spot cs 0.5 scn 0 0 5 5 re f"),
                glyphs,
            ],
            ..Pdf::default()
        };
        let OnePage { file, is_printable, .. } = OnePage::of(&pdf.file(), 1.0).unwrap();
        let text = String::from_utf8_lossy(&file);
        // The page, the form, the pattern and the font refer to one object.
        let document = Document::load_mem(&file).unwrap();
        let number = document.objects.iter().find(|(_, object)| object.as_dict().is_ok_and(|of| of.has(b"ColorSpace")));
        let reference = format!("/Resources {} 0 R", number.unwrap().0.0);
        assert_eq!((text.matches(&reference).count(), is_printable), (4, true), "{text}");
    }

    #[test]
    fn post_script_is_left_out() {
        let form = |entries: &str| stream(&format!("/Subtype/Form/BBox[0 0 9 9]{entries}"), "0 g 0 0 5 5 re f");
        let objects = [stream("/Subtype/PS", "showpage"), form("/Subtype2/PS"), form("/PS 6 0 R")];
        let objects = [objects[0].as_str(), &objects[1], &objects[2]];
        let resources = "/XObject<</A 6 0 R/B 7 0 R/C 8 0 R>>";
        let pdf = Pdf { content: "/A Do /B Do /C Do", resources, objects: &objects, ..Pdf::default() };
        let OnePage { file, is_printable, .. } = OnePage::of(&pdf.file(), 1.0).unwrap();
        let text = String::from_utf8_lossy(&file);
        assert!(is_printable && !text.contains("/PS") && !text.contains("showpage"), "{text}");
        // That of the page, and the one that is shown without PostScript.
        assert_eq!(resources_of_forms(&file).len(), 2, "{text}");
    }
}
