//! The pictures in the PDF of a scanner (ISO 32000-2, 7.3.8 and 8.9.5): each page is one.
//!
//! JPEGs are found object by object, without the tables of the file, as streams of pictures are objects of their own in
//! every file. So a file whose tables are broken is read as well. Pictures of other kinds need the whole file.

use lopdf::Document;

use super::decode::LEAST_SIDE;
use super::pdf_image::PdfImage;

/// The first bytes of a file in which it says that it is a PDF.
const HEAD: usize = 1024;
/// The longest description of a picture, in bytes.
const LONGEST_DESCRIPTION: usize = 64 << 10;
/// The most pictures of a file.
const MOST_PICTURES: usize = 24;

/// Why no pictures are taken from a PDF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PdfError {
    /// It has no picture that could be a page.
    #[error("it is a PDF without a picture of a page; save the scan as JPEG or PNG")]
    NoPicture,
    /// A picture is of another kind than those that are read.
    #[error(
        "it is a PDF with a picture of the kind {0}, and only JPEG (DCTDecode), FlateDecode and fax of group 4 are read; save \
         the scan as JPEG or PNG, or take its images out with pdfimages -png"
    )]
    OtherKind(String),
    /// It is encrypted.
    #[error("it is an encrypted PDF; save the scan as JPEG or PNG")]
    Encrypted,
    /// It has too many pictures.
    #[error("it is a PDF with more than {MOST_PICTURES} pictures; give the pages of the sheet alone")]
    TooMany,
}

/// The pictures of a file, each with its name: those of a PDF, or else the file itself.
///
/// # Errors
/// A PDF has no picture of a page, or one of another kind.
pub fn pictures_in(name: &str, file: Vec<u8>) -> Result<Vec<(String, Vec<u8>)>, PdfError> {
    if find(file.get(..HEAD).unwrap_or(&file), b"%PDF-").is_none() {
        return Ok(vec![(name.to_owned(), file)]);
    }
    let pictures = match jpegs(&file) {
        Ok(jpegs) => jpegs.into_iter().map(<[u8]>::to_vec).collect(),
        Err(PdfError::OtherKind(kind)) => of_all_kinds(&file, kind)?,
        Err(error) => return Err(error),
    };
    let numbered = |(index, picture): (usize, Vec<u8>)| (format!("{name}, picture {}", index + 1), picture);
    Ok(pictures.into_iter().enumerate().map(numbered).collect())
}

/// The pictures in a PDF that has others than JPEGs, such as one of this kind.
fn of_all_kinds(file: &[u8], kind: String) -> Result<Vec<Vec<u8>>, PdfError> {
    let Ok(document) = Document::load_mem(file) else { return Err(PdfError::OtherKind(kind)) };
    if document.is_encrypted() {
        return Err(PdfError::Encrypted);
    }
    let images = PdfImage::all(&document);
    if images.len() > MOST_PICTURES {
        return Err(PdfError::TooMany);
    }
    if images.is_empty() {
        return Err(PdfError::OtherKind(kind));
    }
    images.iter().map(|image| image.file().map_err(PdfError::OtherKind)).collect()
}

/// The JPEG files in a PDF.
fn jpegs(file: &[u8]) -> Result<Vec<&[u8]>, PdfError> {
    let mut pictures = Vec::new();
    let mut at = 0;
    while let Some(keyword) = find(&file[at..], b"stream").map(|found| at + found) {
        at = keyword + b"stream".len();
        let Some(description) = description(&file[..keyword]) else { continue };
        let line_end = [b"\r\n".as_slice(), b"\n"].into_iter().find(|end| file[at..].starts_with(end));
        let start = at + line_end.map_or(0, <[u8]>::len);
        // Data may contain anything, also what looks like an object.
        at = start + length(&description, &file[start..]);
        if value(&description, "/Subtype") != "/Image" || is_small(&description) {
            continue;
        }
        let filter = value(&description, "/Filter").trim_matches(['[', ']']);
        if filter != "/DCTDecode" {
            return Err(PdfError::OtherKind(filter.trim_start_matches('/').chars().take(64).collect()));
        }
        if pictures.len() == MOST_PICTURES {
            return Err(PdfError::TooMany);
        }
        pictures.push(&file[start..at]);
    }
    if find(file, b"/Encrypt").is_some() {
        Err(PdfError::Encrypted)
    } else if pictures.is_empty() {
        Err(PdfError::NoPicture)
    } else {
        Ok(pictures)
    }
}

/// The dictionary that ends before a stream, without white space before delimiters; `None` where there is no dictionary.
fn description(before: &[u8]) -> Option<String> {
    let before = before.trim_ascii_end();
    if !before.ends_with(b">>") {
        return None;
    }
    let near = &before[before.len().saturating_sub(LONGEST_DESCRIPTION)..];
    let start = near.windows(3).rposition(|word| word == b"obj")? + 3;
    let words = near[start..].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    Some(words.fold(String::new(), |mut text, word| {
        if !text.is_empty() && !word.starts_with(b"/") && !word.starts_with(b"[") && !word.starts_with(b"]") {
            text.push(' ');
        }
        text + &String::from_utf8_lossy(word)
    }))
}

/// The value of a key: a name, a number or an array; empty where it is none of these.
fn value<'a>(description: &'a str, key: &str) -> &'a str {
    let is_whole = |rest: &&str| !rest.starts_with(|next: char| next.is_ascii_alphanumeric());
    let mut after = description.match_indices(key).map(|(at, _)| &description[at + key.len()..]);
    let Some(rest) = after.find(is_whole).map(str::trim_start) else { return "" };
    let end = match rest.chars().next() {
        Some('[') => rest.find(']').map(|end| end + 1),
        Some('/') => rest[1..].find(|next: char| "/[]<> ".contains(next)).map(|end| end + 1),
        _ => rest.find(|next: char| "/[]<> ".contains(next)),
    };
    &rest[..end.unwrap_or(rest.len())]
}

/// Whether a picture has too few pixels for a page: a logo.
fn is_small(description: &str) -> bool {
    let side = |key: &str| value(description, key).parse::<u32>().unwrap_or_default();
    side("/Width").min(side("/Height")) < LEAST_SIDE
}

/// The length of a stream: as its dictionary says, if it ends there, or else up to its end.
fn length(description: &str, data: &[u8]) -> usize {
    const END: &[u8] = b"endstream";
    let told = value(description, "/Length").parse().ok();
    let ends = |length: &usize| data.get(*length..).is_some_and(|rest| rest.trim_ascii_start().starts_with(END));
    told.filter(ends).or_else(|| find(data, END)).unwrap_or(data.len())
}

/// Where a word begins.
fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|part| part == word)
}

#[cfg(test)]
mod tests {
    use pdf_writer::{Filter, Finish as _, Pdf, Rect, Ref};

    use super::*;

    /// A file with a page of this picture, and a small one.
    fn pdf(data: &[u8], filter: Filter) -> Vec<u8> {
        let mut pdf = Pdf::new();
        let [catalog, tree, page, picture, logo] = [1, 2, 3, 4, 5].map(Ref::new);
        pdf.catalog(catalog).pages(tree);
        pdf.pages(tree).kids([page]).count(1);
        pdf.page(page).parent(tree).media_box(Rect::new(0.0, 0.0, 595.0, 842.0)).resources().finish();
        for (id, data, sides) in [(logo, b"logo".as_slice(), [60, 40]), (picture, data, [1654, 2339])] {
            let mut image = pdf.image_xobject(id, data);
            image.width(sides[0]).height(sides[1]).bits_per_component(8);
            image.color_space().device_rgb();
            image.filter(filter);
        }
        pdf.finish()
    }

    #[test]
    fn the_jpeg_of_a_page_comes_back_whole() {
        // It has what looks like the end of its stream.
        let jpeg = b"\xFF\xD8\xFF\xE0 endstream endobj 9 0 obj << /Subtype /Image >> stream\nmore\xFF\xD9";
        let file = pdf(jpeg, Filter::DctDecode);
        assert_eq!(pictures_in("a.pdf", file.clone()), Ok(vec![("a.pdf, picture 1".to_owned(), jpeg.to_vec())]));
        let spaced =
            String::from_utf8_lossy(&file).replace("/Filter /DCTDecode", "/Filter\r\n[ /DCTDecode ]").into_bytes();
        assert_eq!(pictures_in("a.pdf", spaced).unwrap().len(), 1);
        assert_eq!(pictures_in("a.jpg", jpeg.to_vec()), Ok(vec![("a.jpg".to_owned(), jpeg.to_vec())]));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let refused = |file: &[u8]| pictures_in("a.pdf", file.to_vec()).unwrap_err();
        let of_kind = |kind: &str| PdfError::OtherKind(kind.to_owned());
        assert_eq!(refused(&pdf(b"data", Filter::LzwDecode)), of_kind("LZWDecode"));
        assert_eq!(refused(&pdf(b"data", Filter::CcittFaxDecode)), of_kind("CCITTFaxDecode of group 3"));
        assert_eq!(refused(&pdf(b"data", Filter::FlateDecode)), of_kind("FlateDecode"));
        assert_eq!(refused(b"%PDF-1.7 nothing"), PdfError::NoPicture);
        let whole = pdf(b"data", Filter::DctDecode);
        let locked = [&whole, b"trailer << /Encrypt 9 0 R >>".as_slice()].concat();
        assert_eq!(refused(&locked), PdfError::Encrypted);
        let objects = &whole[..find(&whole, b"xref").unwrap()];
        let many = objects.repeat(MOST_PICTURES + 1);
        assert_eq!(refused(&many), PdfError::TooMany);
        for length in 0..whole.len() {
            let _ = pictures_in("a.pdf", whole[..length].to_vec());
        }
    }
}
