//! A picture file: its id, and where its bytes are.

use std::fmt;
use std::io::Read as _;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::facts::{ArtworkError, ArtworkFacts, ArtworkKind, LARGEST_FILE};
use super::raster::{self, Pixels};

/// The SHA-256 of a file: the same bytes are the same artwork.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArtworkId([u8; 32]);

impl ArtworkId {
    /// The characters of an id as text.
    pub const LENGTH: usize = 64;

    /// The id of a file with these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for ArtworkId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for ArtworkId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for ArtworkId {
    type Err = hex::FromHexError;

    /// Reads 64 lower-case hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some((index, c)) = text.char_indices().find(|(_, c)| c.is_ascii_uppercase()) {
            return Err(hex::FromHexError::InvalidHexCharacter { c, index });
        }
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map(|()| Self(bytes))
    }
}

/// A file that pages may show.
#[derive(Clone)]
pub struct Artwork {
    id: ArtworkId,
    facts: ArtworkFacts,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Memory(Arc<[u8]>),
    File(PathBuf),
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

    /// Examines a file, which is decoded once.
    ///
    /// # Errors
    /// It is too large, of another format, in CMYK, or broken.
    pub fn read(bytes: Vec<u8>) -> Result<Self, ArtworkError> {
        let length = bytes.len() as u64;
        if length > LARGEST_FILE {
            return Err(ArtworkError::TooLong { bytes: length });
        }
        let kind = ArtworkKind::of(&bytes).ok_or(ArtworkError::UnknownFormat)?;
        let facts = raster::examine(kind, &bytes)?;
        Ok(Self { id: ArtworkId::of(&bytes), facts, source: Source::Memory(bytes.into()) })
    }

    /// An examined file at a path.
    #[must_use]
    pub const fn kept(id: ArtworkId, facts: ArtworkFacts, path: PathBuf) -> Self {
        Self { id, facts, source: Source::File(path) }
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

    /// The bytes of the file.
    ///
    /// # Errors
    /// It was removed, changed, or cannot be read.
    pub fn bytes(&self) -> Result<Vec<u8>, ArtworkError> {
        let broken = |error: &dyn fmt::Display| ArtworkError::Broken(error.to_string());
        let path = match &self.source {
            Source::Memory(bytes) => return Ok(bytes.to_vec()),
            Source::File(path) => path,
        };
        let mut bytes = Vec::with_capacity(usize::try_from(self.facts.bytes).unwrap_or_default());
        let file = std::fs::File::open(path).map_err(|error| broken(&error))?;
        file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
        if ArtworkId::of(&bytes) == self.id { Ok(bytes) } else { Err(broken(&"the file was changed")) }
    }

    /// Its pixels, upright and in sRGB.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub fn pixels(&self) -> Result<Pixels, ArtworkError> {
        raster::decode(self.facts.kind, &self.bytes()?)
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
    fn an_id_is_the_digest_of_the_file_in_lower_case() {
        let id = ArtworkId::of(b"abc");
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((id.to_string().as_str(), text.parse()), (text, Ok(id)));
        for wrong in ["", "ba78", &text.to_uppercase(), &format!("{text}00"), &text.replace('b', "x")] {
            assert!(wrong.parse::<ArtworkId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn other_files_are_told_what_would_be_right() {
        let read = |bytes: &[u8]| Artwork::read(bytes.to_vec()).unwrap_err().to_string();
        assert_eq!(read(b"GIF89a"), "it is no PNG or JPEG; save the picture as one of them");
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
        };
        let artwork = Artwork::kept(ArtworkId::of(b"abc"), facts, path.clone());
        assert!(artwork.bytes().is_err());
        std::fs::write(&path, b"abc").unwrap();
        assert_eq!(artwork.bytes().unwrap(), b"abc");
        std::fs::write(&path, b"abd").unwrap();
        assert!(artwork.bytes().is_err());
    }
}
