//! An artwork file: what is known of it, and where its pixels and shapes are.

use std::fmt;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;

use super::drawing::{self, Drawing};
use super::error::{ArtworkError, LARGEST_DRAWING, LARGEST_FILE, MOST_NESTED_VALUES};
use super::facts::{ArtworkFacts, ArtworkKind, FilePart};
use super::id::ArtworkId;
use super::raster::{self, Pixels};

/// A file that pages may show.
#[derive(Clone)]
pub struct Artwork {
    id: ArtworkId,
    facts: ArtworkFacts,
    /// The file of its pixels: its own, or the PNG that was made of a drawing.
    pixels: Source,
    /// The PDF of one page that was made of a drawing.
    page: Option<Source>,
}

/// Where the bytes of a file are.
#[derive(Clone)]
enum Source {
    Memory(Arc<[u8]>),
    File(PathBuf),
}

impl Source {
    /// The bytes.
    ///
    /// # Errors
    /// The file was removed, changed, or cannot be read.
    fn read(&self, part: FilePart) -> Result<Vec<u8>, ArtworkError> {
        let broken = |error: &dyn fmt::Display| ArtworkError::Broken(error.to_string());
        let path = match self {
            Self::Memory(bytes) => return Ok(bytes.to_vec()),
            Self::File(path) => path,
        };
        let mut bytes = Vec::with_capacity(usize::try_from(part.bytes).unwrap_or_default());
        let file = std::fs::File::open(path).map_err(|error| broken(&error))?;
        file.take(part.bytes + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
        if ArtworkId::of(&bytes) == part.id { Ok(bytes) } else { Err(broken(&"the file was changed")) }
    }
}

impl PartialEq for Artwork {
    /// Equal ids are equal bytes.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl fmt::Debug for Artwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Artwork").field("id", &self.id).field("facts", &self.facts).finish_non_exhaustive()
    }
}

impl Artwork {
    /// Largest file, in bytes.
    pub const LARGEST_FILE: u64 = LARGEST_FILE;
    /// The most bytes of the pixels of a drawing, and of its shapes.
    pub const LARGEST_DRAWING: u64 = LARGEST_DRAWING as u64;
    /// The most values within one another in an object of the page of a drawing.
    pub const MOST_NESTED_VALUES: usize = MOST_NESTED_VALUES;
    /// The name of the form of a drawing in its page.
    pub const FORM: &str = drawing::FORM;

    /// Examines a file, which is decoded or drawn once.
    ///
    /// # Errors
    /// It is too large, of another format, in CMYK, broken, or a drawing that pages cannot show.
    pub fn read(bytes: Vec<u8>) -> Result<Self, ArtworkError> {
        let length = bytes.len() as u64;
        if length > LARGEST_FILE {
            return Err(ArtworkError::TooLong { bytes: length });
        }
        let id = ArtworkId::of(&bytes);
        let kind = ArtworkKind::of(&bytes).ok_or(ArtworkError::UnknownFormat)?;
        if kind.is_drawing() {
            let Drawing { facts, pixels, page } = drawing::read(kind, &bytes)?;
            let page = Some(Source::Memory(page.into()));
            return Ok(Self { id, facts, pixels: Source::Memory(pixels.into()), page });
        }
        let facts = raster::examine(kind, &bytes)?;
        Ok(Self { id, facts, pixels: Source::Memory(bytes.into()), page: None })
    }

    /// An examined picture at a path.
    #[must_use]
    pub const fn kept(id: ArtworkId, facts: ArtworkFacts, path: PathBuf) -> Self {
        Self { id, facts, pixels: Source::File(path), page: None }
    }

    /// An examined drawing, whose pixels and page are at these paths.
    #[must_use]
    pub const fn kept_drawing(id: ArtworkId, facts: ArtworkFacts, pixels: PathBuf, page: PathBuf) -> Self {
        Self { id, facts, pixels: Source::File(pixels), page: Some(Source::File(page)) }
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> ArtworkId {
        self.id
    }

    /// What is known of it.
    #[must_use]
    pub const fn facts(&self) -> &ArtworkFacts {
        &self.facts
    }

    /// The bytes of the file with its pixels: its own, or the PNG of a drawing.
    ///
    /// # Errors
    /// It was removed, changed, or cannot be read.
    pub fn bytes(&self) -> Result<Vec<u8>, ArtworkError> {
        self.pixels.read(self.facts.pixels(self.id))
    }

    /// The shapes of a drawing: a PDF of one page, which has nothing but one form with the name [`FORM`](Self::FORM).
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes); or it is no drawing.
    pub fn page(&self) -> Result<Vec<u8>, ArtworkError> {
        match (&self.page, self.facts.drawing) {
            (Some(page), Some(drawing)) => page.read(drawing.page),
            _ => Err(ArtworkError::Broken("it is no drawing".to_owned())),
        }
    }

    /// Its pixels, upright and in sRGB.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub fn pixels(&self) -> Result<Pixels, ArtworkError> {
        raster::decode(self.facts.kind.of_pixels(), &self.bytes()?)
    }
}

/// Finds the artwork that a request may name.
pub trait FindArtwork: Send + Sync {
    /// The artwork of this id, if there is one for the request.
    fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>>;
}

/// The artwork that a request may name; by default none.
#[derive(Clone, Default)]
pub struct KnownArtwork(Option<Arc<dyn FindArtwork>>);

impl KnownArtwork {
    /// That which `finder` finds.
    #[must_use]
    pub fn of(finder: Arc<dyn FindArtwork>) -> Self {
        Self(Some(finder))
    }

    /// The artwork of this id.
    #[must_use]
    pub fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>> {
        self.0.as_ref()?.find(id)
    }
}

impl fmt::Debug for KnownArtwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("KnownArtwork").field(&self.0.is_some()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_told_what_would_be_right() {
        let read = |bytes: &[u8]| Artwork::read(bytes.to_vec()).unwrap_err().to_string();
        assert_eq!(read(b"GIF89a"), "it is no PNG, JPEG, SVG or PDF; save the picture as one of them");
        assert!(read(b"\x89PNG\r\n\x1a\n").starts_with("it cannot be read: "));
        assert!(read(b"\xFF\xD8\xFF\xE0").starts_with("it cannot be read: "));
        let thin = Pixels { width: 1, height: 20_001, bytes: vec![0; 3 * 20_001] }.png();
        assert!(read(&thin).contains("20000 along a side"), "{}", read(&thin));
        let long = Artwork::read(vec![0; LARGEST_FILE as usize + 1]).unwrap_err();
        assert_eq!(long, ArtworkError::TooLong { bytes: LARGEST_FILE + 1 });
    }

    #[test]
    fn a_kept_file_that_was_changed_is_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let facts = ArtworkFacts {
            kind: ArtworkKind::Png,
            bytes: 3,
            width: 1,
            height: 1,
            is_opaque: true,
            turn: 1,
            plain_channels: 3,
            drawing: None,
        };
        let artwork = Artwork::kept(ArtworkId::of(b"abc"), facts, path.clone());
        assert!(artwork.bytes().is_err());
        std::fs::write(&path, b"abc").unwrap();
        assert_eq!(artwork.bytes().unwrap(), b"abc");
        std::fs::write(&path, b"abd").unwrap();
        assert!(artwork.bytes().is_err());
    }
}
