//! The content of pages, forms and patterns, unpacked.

use lopdf::{Document, Error, Object, ObjectId, Stream};

use super::super::error::{ArtworkError, LARGEST_DRAWING};

/// Filters of content (ISO 32000-1, 7.4). All others are those of pictures, or newer than PDF 1.7.
const FILTERS: [&[u8]; 5] = [b"ASCII85Decode", b"ASCIIHexDecode", b"FlateDecode", b"LZWDecode", b"RunLengthDecode"];

/// The content of a page: that of all its streams.
///
/// # Errors
/// As [`of_stream`].
pub(super) fn of_page(document: &Document, page: ObjectId) -> Result<Vec<u8>, ArtworkError> {
    let mut content = Vec::new();
    for id in document.get_page_contents(page) {
        let Ok(stream) = document.get_object(id).and_then(Object::as_stream) else { continue };
        content.extend(unpacked(stream, LARGEST_DRAWING.saturating_sub(content.len()))?);
        // No token reaches into the next stream (7.8.2).
        content.push(b'\n');
    }
    Ok(content)
}

/// The content of a form or pattern.
///
/// # Errors
/// It is too long, broken, or packed in a way that is not known.
pub(super) fn of_stream(stream: &Stream) -> Result<Vec<u8>, ArtworkError> {
    unpacked(stream, LARGEST_DRAWING)
}

/// The content of a stream, which may have this many bytes.
fn unpacked(stream: &Stream, most: usize) -> Result<Vec<u8>, ArtworkError> {
    let broken = |reason: String| ArtworkError::Broken(format!("its content {reason}"));
    let filters = match stream.dict.get(b"Filter") {
        Err(_) | Ok(Object::Null) => Vec::new(),
        Ok(_) => stream.filters().map_err(|error| broken(format!("has no valid filter: {error}")))?,
    };
    if let Some(filter) = filters.iter().find(|filter| !FILTERS.contains(filter)) {
        let name = String::from_utf8_lossy(filter);
        return Err(broken(format!("has the filter {name}, which content cannot have")));
    }
    stream.get_plain_content_with_limit(most).map_err(|error| match error {
        Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { .. }) => ArtworkError::TooDetailed,
        error => broken(format!("cannot be unpacked: {error}")),
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{Pdf, stream};
    use super::super::one_page::OnePage;
    use super::*;

    /// A drawing whose page shows nothing but a stream with these entries, and one whose form does.
    fn drawings(entries: &str, content: &str) -> [Result<OnePage, ArtworkError>; 2] {
        let own = stream(entries, content);
        let page = Pdf { page: "/MediaBox[0 0 144 72]/Contents 6 0 R", objects: &[&own], ..Pdf::default() };
        let form = stream(&format!("/Subtype/Form/BBox[0 0 9 9]{entries}"), content);
        let resources = "/XObject<</Fm 6 0 R>>";
        let shown = Pdf { content: "/Fm Do", resources, objects: &[&form], ..Pdf::default() };
        [page, shown].map(|pdf| OnePage::of(&pdf.file(), 1.0))
    }

    #[test]
    fn content_with_a_filter_that_is_not_known_is_refused() {
        for entries in ["", "/Filter null", "/Filter[]", "/Filter/ASCIIHexDecode", "/Filter[/ASCIIHexDecode]"] {
            let content = if entries.contains("Hex") { "30 20 67 >" } else { "0 g" };
            assert!(drawings(entries, content).iter().all(Result::is_ok), "{entries}");
        }
        for (entries, reason) in [
            ("/Filter/Unknown", "its content has the filter Unknown, which content cannot have"),
            ("/Filter[/ASCIIHexDecode/DCTDecode]", "its content has the filter DCTDecode, which content cannot have"),
            ("/Filter/BrotliDecode", "its content has the filter BrotliDecode, which content cannot have"),
        ] {
            for drawing in drawings(entries, "0 g") {
                assert_eq!(drawing.unwrap_err(), ArtworkError::Broken(reason.to_owned()), "{entries}");
            }
        }
        for entries in ["/Filter 7", "/Filter[7]"] {
            assert!(drawings(entries, "0 g").iter().all(Result::is_err), "{entries}");
        }
    }
}
