//! The only page of a PDF, as a file with one form.

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId, Stream};

use super::super::error::{ArtworkError, LARGEST_DRAWING, LEAST_SIDE_MM, MOST_SIDE_MM};
use super::copied::Copied;
use super::inspection::{Inspected, inspect};
use super::{MM_PER_PT, PT_PER_INCH, annotations, contents};

/// The name of the form in the page.
pub(in crate::artwork) const FORM: &str = "Artwork";
/// The most nodes above a page.
const MOST_NODES: usize = 64;
/// A drawing may use all of PDF 1.7.
const VERSION: &str = "1.7";

/// A page by itself.
#[derive(Debug)]
pub(super) struct OnePage {
    /// Width and height in pt, upright.
    pub(super) size: [f64; 2],
    /// A PDF with the page, which shows the form [`FORM`]. The form lies upright from the origin.
    pub(super) file: Vec<u8>,
    /// Whether PDF/X-1a may have the form as it is.
    pub(super) is_printable: bool,
    /// The least resolution of its pictures, in px per inch.
    pub(super) least_dpi: Option<f64>,
}

impl OnePage {
    /// The only page of a PDF, whose own unit is `scale` pt.
    ///
    /// # Errors
    /// The file is broken or encrypted, has no or several pages, hidden layers or annotations that are seen, or lacks fonts.
    pub(super) fn of(file: &[u8], scale: f64) -> Result<Self, ArtworkError> {
        let source = opened(file)?;
        let pages: Vec<ObjectId> = source.get_pages().into_values().collect();
        let [id] = pages[..] else {
            return Err(if pages.is_empty() { ArtworkError::NoPage } else { ArtworkError::ManyPages(pages.len()) });
        };
        if has_hidden_layers(&source) {
            return Err(ArtworkError::HiddenLayers);
        }
        if let Some(kind) = annotations::seen(&source, id) {
            return Err(ArtworkError::Annotation(kind));
        }
        let area = seen_area(&source, id)?;
        let turn = inherited_number(&source, id, b"Rotate").unwrap_or_default();
        let unit = inherited_number(&source, id, b"UserUnit").unwrap_or(1.0);
        let (matrix, size) = upright(area, turn as i64, f64::from(unit) * scale);
        let [width, height] = size.map(|side| side * MM_PER_PT);
        if ![width, height].iter().all(|side| (LEAST_SIDE_MM..=MOST_SIDE_MM).contains(side)) {
            return Err(ArtworkError::Size { width, height });
        }

        let resources = inherited(&source, id, b"Resources");
        let copied = Copied::of_page(&source, Document::with_version(VERSION), resources);
        let mut form = Dictionary::new();
        form.set("Type", "XObject");
        form.set("Subtype", "Form");
        form.set("BBox", reals(area));
        form.set("Matrix", reals(matrix));
        form.set("Resources", copied.page_resources().clone());
        form.set("Group", group(&source, id));
        let content = contents::of_page(&source, id)?;
        let mut target = copied.finish()?;
        let form = Stream::new(form, content);
        let Inspected { is_printable, least_resolution } = inspect(&target, &form)?;
        let least_dpi = Some(least_resolution * PT_PER_INCH).filter(|dpi| dpi.is_finite());
        let file = written(&mut target, form, size)?;
        if file.len() > LARGEST_DRAWING {
            Err(ArtworkError::TooDetailed)
        } else {
            Ok(Self { size, file, is_printable, least_dpi })
        }
    }
}

/// Reads a file.
fn opened(file: &[u8]) -> Result<Document, ArtworkError> {
    use lopdf::Error::{Decryption, InvalidPassword, UnsupportedSecurityHandler};
    match Document::load_mem_with_options(file, LoadOptions::with_max_decompressed_size(2 * LARGEST_DRAWING)) {
        Err(InvalidPassword | Decryption(_) | UnsupportedSecurityHandler(_)) => Err(ArtworkError::Encrypted),
        Err(error) => Err(ArtworkError::Broken(error.to_string())),
        Ok(document) if document.was_encrypted() || document.trailer.has(b"Encrypt") => Err(ArtworkError::Encrypted),
        Ok(mut document) => {
            resolve_filters(&mut document);
            Ok(document)
        }
    }
}

/// Puts the filters of streams where they are referred to: a stream with a reference would be taken for a plain one.
fn resolve_filters(document: &mut Document) {
    let direct = |value: &Object| document.dereference(value).map_or(Object::Null, |(_, value)| value.clone());
    let mut resolved = Vec::new();
    for (id, object) in &document.objects {
        let Ok(stream) = object.as_stream() else { continue };
        for name in ["Filter", "DecodeParms"] {
            let Ok(value) = stream.dict.get(name.as_bytes()) else { continue };
            let value = match direct(value) {
                Object::Array(items) => Object::Array(items.iter().map(direct).collect()),
                plain => plain,
            };
            resolved.push((*id, name, value));
        }
    }
    for (id, name, value) in resolved {
        if let Ok(stream) = document.get_object_mut(id).and_then(Object::as_stream_mut) {
            stream.dict.set(name, value);
        }
    }
}

/// An entry of a page, or of the closest node above it that has it (ISO 32000-1, 7.7.3.4); it may be a reference.
fn inherited<'a>(document: &'a Document, page: ObjectId, name: &[u8]) -> Option<&'a Object> {
    let mut node = document.get_dictionary(page).ok()?;
    for _ in 0..MOST_NODES {
        if let Ok(value) = node.get(name)
            && document.dereference(value).is_ok()
        {
            return Some(value);
        }
        node = node.get_deref(b"Parent", document).and_then(Object::as_dict).ok()?;
    }
    None
}

/// A number of a page, or of the closest node above it that has it.
fn inherited_number(document: &Document, page: ObjectId, name: &[u8]) -> Option<f32> {
    document.dereference(inherited(document, page, name)?).ok()?.1.as_float().ok()
}

/// The corners of a box: left, bottom, right and top, in units of the page.
fn corners(document: &Document, value: &Object) -> Option<[f64; 4]> {
    let number = |side: &Object| document.dereference(side).ok()?.1.as_float().ok().map(f64::from);
    let sides: Vec<f64> = document.dereference(value).ok()?.1.as_array().ok()?.iter().filter_map(number).collect();
    let [one, two, three, four] = sides.try_into().ok()?;
    Some([f64::min(one, three), f64::min(two, four), f64::max(one, three), f64::max(two, four)])
}

/// The part of a page that viewers show: its crop box, as far as it is on the sheet (14.11.2).
fn seen_area(document: &Document, page: ObjectId) -> Result<[f64; 4], ArtworkError> {
    let of_name = |name: &[u8]| corners(document, inherited(document, page, name)?);
    let none = || ArtworkError::Broken("its page has no size".to_owned());
    let media = of_name(b"MediaBox").ok_or_else(none)?;
    let crop = of_name(b"CropBox").unwrap_or(media);
    let [left, bottom, right, top] =
        [crop[0].max(media[0]), crop[1].max(media[1]), crop[2].min(media[2]), crop[3].min(media[3])];
    if left < right && bottom < top { Ok([left, bottom, right, top]) } else { Err(none()) }
}

/// The matrix that turns an area clockwise by `turn` degrees and moves its lower left corner to the origin, and its width
/// and height then. `unit` is the length of a unit in pt.
fn upright([left, bottom, right, top]: [f64; 4], turn: i64, unit: f64) -> ([f64; 6], [f64; 2]) {
    let (width, height) = (right - left, top - bottom);
    let (matrix, size) = match turn.rem_euclid(360) {
        90 => ([0.0, -1.0, 1.0, 0.0, -bottom, right], [height, width]),
        180 => ([-1.0, 0.0, 0.0, -1.0, right, top], [width, height]),
        270 => ([0.0, 1.0, -1.0, 0.0, top, -left], [height, width]),
        _ => ([1.0, 0.0, 0.0, 1.0, -left, -bottom], [width, height]),
    };
    (matrix.map(|part| part * unit), size.map(|side| side * unit))
}

/// Whether optional content is off where the file is opened or printed, or by a rule (8.11.2 to 8.11.4).
fn has_hidden_layers(document: &Document) -> bool {
    let entry = |of: &Dictionary, name: &[u8]| of.get_deref(name, document).ok().cloned();
    let is_hidden = |object: &Object| {
        let Ok(of) = object.as_dict() else { return false };
        match of.get(b"Type").and_then(Object::as_name) {
            Ok(b"OCMD") => {
                let rule = entry(of, b"P");
                of.has(b"VE") || rule.is_some_and(|rule| rule.as_name().is_ok_and(|rule| rule.ends_with(b"Off")))
            }
            Ok(b"OCG") => ["Print", "View"].iter().any(|usage| {
                let all = entry(of, b"Usage");
                let of_usage = all.and_then(|all| entry(all.as_dict().ok()?, usage.as_bytes()));
                let state = of_usage.and_then(|used| entry(used.as_dict().ok()?, format!("{usage}State").as_bytes()));
                state.is_some_and(|state| state.as_name().is_ok_and(|state| state == b"OFF"))
            }),
            _ => false,
        }
    };
    if document.objects.values().any(is_hidden) {
        return true;
    }
    let usual = document.catalog().ok().and_then(|catalog| {
        let properties = entry(catalog, b"OCProperties")?;
        entry(properties.as_dict().ok()?, b"D")
    });
    let Some(Object::Dictionary(usual)) = usual else { return false };
    let is_off = entry(&usual, b"BaseState").is_some_and(|state| state.as_name().is_ok_and(|name| name == b"OFF"));
    let some_are = entry(&usual, b"OFF").is_some_and(|off| off.as_array().is_ok_and(|groups| !groups.is_empty()));
    is_off || some_are
}

/// The transparency group of the form: isolated, as a page is (11.4.7), with the colours of the page's own.
fn group(document: &Document, page: ObjectId) -> Dictionary {
    let mut group = Dictionary::new();
    group.set("S", "Transparency");
    group.set("I", true);
    let own = document.get_dictionary(page).and_then(|page| page.get_deref(b"Group", document));
    let space = own.and_then(Object::as_dict).and_then(|own| own.get_deref(b"CS", document));
    if let Ok(Object::Name(space)) = space {
        group.set("CS", Object::Name(space.clone()));
    }
    group
}

/// The file of a form of this size in pt.
fn written(target: &mut Document, mut form: Stream, [width, height]: [f64; 2]) -> Result<Vec<u8>, ArtworkError> {
    let broken = |error: &dyn std::fmt::Display| ArtworkError::Broken(error.to_string());
    form.compress().map_err(|error| broken(&error))?;
    let form = target.add_object(form);
    let content = target.add_object(Stream::new(Dictionary::new(), format!("/{FORM} Do").into()));
    let tree = target.new_object_id();
    let named = |name: &str, value: Object| {
        let mut entries = Dictionary::new();
        entries.set(name, value);
        entries
    };
    let mut page = named("Type", "Page".into());
    page.set("Parent", Object::Reference(tree));
    page.set("MediaBox", reals([0.0, 0.0, width, height]));
    page.set("Resources", named("XObject", named(FORM, Object::Reference(form)).into()));
    page.set("Contents", Object::Reference(content));
    let page = target.add_object(page);
    let mut pages = named("Type", "Pages".into());
    pages.set("Kids", vec![Object::Reference(page)]);
    pages.set("Count", 1);
    target.objects.insert(tree, pages.into());
    let mut catalog = named("Type", "Catalog".into());
    catalog.set("Pages", Object::Reference(tree));
    let root = target.add_object(catalog);
    target.trailer.set("Root", Object::Reference(root));
    let mut file = Vec::new();
    target.save_to(&mut file).map_err(|error| broken(&error))?;
    Ok(file)
}

fn reals<const N: usize>(numbers: [f64; N]) -> Object {
    Object::Array(numbers.map(|number| Object::Real(number as f32)).to_vec())
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Pdf, stream};
    use super::*;

    fn refused(pdf: &Pdf<'_>) -> ArtworkError {
        OnePage::of(&pdf.file(), 1.0).unwrap_err()
    }

    #[test]
    fn files_without_one_open_page_are_refused_in_words() {
        assert_eq!(refused(&Pdf { pages: 0, ..Pdf::default() }), ArtworkError::NoPage);
        let several = refused(&Pdf { pages: 3, ..Pdf::default() });
        assert_eq!(several.to_string(), "it has 3 pages; save the one to be shown as a PDF of its own");
        let size = refused(&Pdf { page: "/MediaBox[0 0 0.5 72]", ..Pdf::default() });
        assert!(matches!(size, ArtworkError::Size { .. }), "{size}");
        for page in ["", "/MediaBox[0 0 0 72]", "/MediaBox[0 0 9]", "/MediaBox[0 0 9 9]/CropBox[20 20 30 30]"] {
            assert!(matches!(refused(&Pdf { page, ..Pdf::default() }), ArtworkError::Broken(_)), "{page}");
        }
        let hidden = "/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>";
        let layer = &["<</Type/OCG/Name(dieline)>>"];
        assert_eq!(refused(&Pdf { catalog: hidden, objects: layer, ..Pdf::default() }), ArtworkError::HiddenLayers);
        let shown = "/OCProperties<</OCGs[6 0 R]/D<</ON[6 0 R]>>>>";
        for object in
            ["<</Type/OCG/Name(dieline)/Usage<</Print<</PrintState/OFF>>>>>>", "<</Type/OCMD/OCGs[]/P/AllOff>>"]
        {
            assert_eq!(
                refused(&Pdf { catalog: shown, objects: &[object], ..Pdf::default() }),
                ArtworkError::HiddenLayers
            );
        }
        assert!(OnePage::of(&Pdf { catalog: shown, objects: layer, ..Pdf::default() }.file(), 1.0).is_ok());
        assert!(matches!(OnePage::of(b"%PDF-1.4 and nothing", 1.0), Err(ArtworkError::Broken(_))));
    }

    #[test]
    fn a_file_with_a_password_is_refused() {
        let mut document = Document::load_mem(&Pdf::default().file()).unwrap();
        document.trailer.set("ID", vec![Object::string_literal("abc"), Object::string_literal("abc")]);
        let permissions = lopdf::Permissions::default();
        for user in ["", "secret"] {
            let mut locked = document.clone();
            let version = lopdf::EncryptionVersion::V2 {
                document: &document,
                owner_password: "owner",
                user_password: user,
                key_length: 128,
                permissions,
            };
            locked.encrypt(&lopdf::EncryptionState::try_from(version).unwrap()).unwrap();
            let mut file = Vec::new();
            locked.save_to(&mut file).unwrap();
            assert_eq!(OnePage::of(&file, 1.0).unwrap_err(), ArtworkError::Encrypted, "{user}");
        }
    }

    #[test]
    fn nothing_that_acts_annotates_or_describes_is_copied() {
        let form = stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Metadata 6 0 R/PieceInfo<</X 7 0 R>>/OC 6 0 R/StructParent 1\
             /Resources<</XObject<</Loop 8 0 R/A 7 0 R>>>>",
            "1 g 0 0 5 5 re f",
        );
        let pdf = Pdf {
            page: "/MediaBox[0 0 144 72]/Annots[7 0 R]/AA<</O 6 0 R>>/Metadata 6 0 R",
            content: "/Fm Do",
            resources: "/XObject<</Fm 8 0 R>>/Properties<</P 9 0 R>>",
            catalog: "/OpenAction 6 0 R/Names<</JavaScript<</Names[(a) 6 0 R]>>/EmbeddedFiles<<>>>>/AcroForm<<>>",
            objects: &[
                "<</S/JavaScript/JS(app.alert\\(1\\))>>",
                "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A 6 0 R>>",
                &form,
                "<</Type/OCG/Name(secret)>>",
            ],
            ..Pdf::default()
        };
        let OnePage { file, .. } = OnePage::of(&pdf.file(), 1.0).unwrap();
        let text = String::from_utf8_lossy(&file);
        for word in ["JavaScript", "alert", "Annot", "OpenAction", "AcroForm", "Metadata", "PieceInfo", "secret", "OCG"]
        {
            assert!(!text.contains(word), "{word}: {text}");
        }
        let document = Document::load_mem(&file).unwrap();
        // The form, its resources, what it shows, the page with its content, the two nodes above it, and the table of places.
        assert_eq!(document.objects.len(), 8, "{text}");
        let external =
            Pdf { objects: &[&stream("/F(other.bin)", "")], resources: "/XObject<</X 6 0 R>>", ..Pdf::default() };
        assert!(matches!(refused(&external), ArtworkError::External(_)));
    }
}
