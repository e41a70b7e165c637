//! The files of uploaded pictures: `<folder>/<key>/<id>.<kind>`, with their facts beside them in `<id>.json`.
//!
//! The facts are written last and removed first, as a picture without them is not there.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::access::KeyId;
use crate::artwork::{Artwork, ArtworkFacts, ArtworkId, ArtworkKind};

/// Most pictures of a key.
pub const MOST_FILES: usize = 100;
/// Most bytes of the pictures of a key.
pub const MOST_BYTES: u64 = 200 << 20;
/// Largest file of facts, in bytes.
const LARGEST_FACTS: u64 = 4096;
/// The ending of files of facts.
const FACTS: &str = "json";
/// The folder in the data folder, where no other is configured.
const FOLDER: &str = "artwork";

/// The usual folder of pictures in a data folder.
#[must_use]
pub fn dir_in(data_dir: &Path) -> PathBuf {
    data_dir.join(FOLDER)
}

/// A picture that a key uploaded.
#[derive(Serialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[schemars(rename = "UploadedArtwork")]
pub struct KeptArtwork {
    /// The SHA-256 of the file, by which requests name it in `artwork`.
    #[schemars(length(min = 64, max = 64), pattern("^[0-9a-f]{64}$"))]
    pub id: String,
    /// `png` or `jpeg`.
    pub kind: &'static str,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Width in pixels, upright.
    pub width: u32,
    /// Height in pixels, upright.
    pub height: u32,
    /// Whether every pixel is opaque.
    pub is_opaque: bool,
}

impl KeptArtwork {
    pub(super) fn of(id: &ArtworkId, facts: &ArtworkFacts) -> Self {
        let ArtworkFacts { kind, bytes, width, height, is_opaque, .. } = *facts;
        Self { id: id.to_string(), kind: kind.name(), bytes, width, height, is_opaque }
    }
}

/// The folder of all keys.
#[derive(Clone, Debug)]
pub(super) struct UploadFolder(pub(super) PathBuf);

impl UploadFolder {
    fn of_key(&self, key: &KeyId) -> PathBuf {
        self.0.join(key.as_str())
    }

    fn facts_file(&self, key: &KeyId, id: &ArtworkId) -> PathBuf {
        self.of_key(key).join(format!("{id}.{FACTS}"))
    }

    fn picture_file(&self, key: &KeyId, id: &ArtworkId, kind: ArtworkKind) -> PathBuf {
        self.of_key(key).join(format!("{id}.{}", kind.name()))
    }

    /// The picture of a key with this id.
    pub(super) fn find(&self, key: &KeyId, id: &ArtworkId) -> Option<Arc<Artwork>> {
        let file = fs::File::open(self.facts_file(key, id)).ok()?;
        let mut text = Vec::new();
        file.take(LARGEST_FACTS).read_to_end(&mut text).ok()?;
        let facts: ArtworkFacts = serde_json::from_slice(&text).ok()?;
        Some(Arc::new(Artwork::kept(*id, facts, self.picture_file(key, id, facts.kind))))
    }

    /// The pictures of a key, by their ids.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(super) fn list(&self, key: &KeyId) -> io::Result<Vec<KeptArtwork>> {
        let entries = match fs::read_dir(self.of_key(key)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut kept = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            let id = Path::new(&name).file_stem().and_then(|stem| stem.to_str()?.parse::<ArtworkId>().ok());
            let is_facts = Path::new(&name).extension().is_some_and(|ending| ending == FACTS);
            let Some(id) = id.filter(|_| is_facts) else { continue };
            kept.extend(self.find(key, &id).map(|artwork| KeptArtwork::of(&id, artwork.facts())));
        }
        kept.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(kept)
    }

    /// Writes a picture of a key, for the user of the service alone.
    ///
    /// # Errors
    /// It cannot be written; then it is not there.
    pub(super) fn write(&self, key: &KeyId, id: &ArtworkId, facts: &ArtworkFacts, picture: &[u8]) -> io::Result<()> {
        let folder = self.of_key(key);
        fs::create_dir_all(&folder)?;
        let text = serde_json::to_vec(facts)?;
        let files = [(self.picture_file(key, id, facts.kind), picture), (self.facts_file(key, id), text.as_slice())];
        for (path, bytes) in files {
            let mut file = tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(&folder)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            file.persist(path)?;
        }
        Ok(())
    }

    /// Removes a picture of a key, and tells what it was; `None` if the key has none of this id.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(super) fn remove(&self, key: &KeyId, id: &ArtworkId) -> io::Result<Option<KeptArtwork>> {
        let Some(artwork) = self.find(key, id) else { return Ok(None) };
        fs::remove_file(self.facts_file(key, id))?;
        match fs::remove_file(self.picture_file(key, id, artwork.facts().kind)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        Ok(Some(KeptArtwork::of(id, artwork.facts())))
    }

    /// Whether files can be written.
    ///
    /// # Errors
    /// They cannot.
    pub(super) fn check(&self) -> io::Result<()> {
        fs::create_dir_all(&self.0)?;
        tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(&self.0).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_pictures_that_it_uploaded_and_no_others() {
        let place = tempfile::tempdir().unwrap();
        let folder = UploadFolder(place.path().join("artwork"));
        let (one, other) = (KeyId::from("one"), KeyId::from("other"));
        let facts = ArtworkFacts {
            kind: ArtworkKind::Jpeg,
            bytes: 3,
            width: 4,
            height: 5,
            is_opaque: true,
            turn: 6,
            plain_channels: 3,
        };
        let id = ArtworkId::of(b"abc");
        assert_eq!(folder.list(&one).unwrap(), []);
        folder.write(&one, &id, &facts, b"abc").unwrap();
        fs::write(place.path().join("artwork/one/notes.json"), "{}").unwrap();
        assert_eq!(folder.list(&one).unwrap(), [KeptArtwork::of(&id, &facts)]);
        let found = folder.find(&one, &id).unwrap();
        assert_eq!((found.facts(), found.bytes().unwrap()), (&facts, b"abc".to_vec()));
        assert!(folder.find(&other, &id).is_none() && folder.find(&one, &ArtworkId::of(b"b")).is_none());
        assert_eq!(folder.remove(&other, &id).unwrap(), None);
        assert_eq!(folder.remove(&one, &id).unwrap(), Some(KeptArtwork::of(&id, &facts)));
        assert_eq!((folder.list(&one).unwrap(), folder.remove(&one, &id).unwrap()), (Vec::new(), None));
    }
}
