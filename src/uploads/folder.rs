//! The files of uploaded artwork: `<folder>/<key>/<id>.<kind>`, with facts beside it in `<id>.json`, and for a drawing its
//! pixels in `<id>.pixels.png` and its page in `<id>.page.pdf`.
//!
//! The facts are written last and removed first, as artwork without them is not there.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::examination::MadeFiles;
use crate::access::KeyId;
use crate::artwork::{Artwork, ArtworkFacts, ArtworkId, ArtworkKind};

/// Most pictures of a key.
pub const MOST_FILES: usize = 100;
/// Most bytes of the pictures of a key.
pub const MOST_BYTES: u64 = 200 << 20;
/// Largest file of facts, in bytes.
const LARGEST_FACTS: u64 = 4096;
/// The endings of files of facts, and of the pixels and the page of a drawing.
const FACTS: &str = "json";
const PIXELS: &str = "pixels.png";
const PAGE: &str = "page.pdf";
/// The folder in the data folder, where no other is configured.
const FOLDER: &str = "artwork";

/// The usual folder of pictures in a data folder.
#[must_use]
pub fn dir_in(data_dir: &Path) -> PathBuf {
    data_dir.join(FOLDER)
}

/// A picture that a key uploaded.
#[derive(Serialize, JsonSchema, Clone, Debug, PartialEq)]
#[schemars(rename = "UploadedArtwork")]
pub struct KeptArtwork {
    /// The SHA-256 of the file, by which requests name it in `artwork`.
    #[schemars(length(min = 64, max = 64), pattern("^[0-9a-f]{64}$"))]
    pub id: String,
    /// `png` or `jpeg`, which are pictures, or `svg` or `pdf`, which are drawings.
    pub kind: &'static str,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Width in pixels, upright; of a drawing, that of the pixels which PNGs and previews show.
    pub width: u32,
    /// Height in pixels, upright.
    pub height: u32,
    /// Whether every pixel is opaque.
    pub is_opaque: bool,
    /// Own width of a drawing in mm, which it has on a page without another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width_mm: Option<f64>,
    /// Own height of a drawing in mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_mm: Option<f64>,
    /// Bytes of the file and of what was made of it.
    #[serde(skip)]
    pub(super) all_bytes: u64,
}

impl KeptArtwork {
    /// The artwork of this id, of which this is known.
    #[must_use]
    pub fn of(id: &ArtworkId, facts: &ArtworkFacts) -> Self {
        let ArtworkFacts { kind, bytes, width, height, is_opaque, drawing, .. } = *facts;
        let thousandths = |length: f64| (length * 1000.0).round() / 1000.0;
        Self {
            id: id.to_string(),
            kind: kind.name(),
            bytes,
            width,
            height,
            is_opaque,
            width_mm: drawing.map(|drawing| thousandths(drawing.width_mm)),
            height_mm: drawing.map(|drawing| thousandths(drawing.height_mm)),
            all_bytes: facts.all_bytes(),
        }
    }
}

/// Artwork that is to be kept.
pub(super) struct NewArtwork<'a> {
    /// The id of the file.
    pub(super) id: ArtworkId,
    /// What is known of it.
    pub(super) facts: ArtworkFacts,
    /// The file.
    pub(super) file: &'a [u8],
    /// What was made of it.
    pub(super) made: MadeFiles,
}

/// The folder of all keys.
#[derive(Clone, Debug)]
pub(super) struct UploadFolder(pub(super) PathBuf);

impl UploadFolder {
    fn of_key(&self, key: &KeyId) -> PathBuf {
        self.0.join(key.as_str())
    }

    fn file(&self, key: &KeyId, id: &ArtworkId, ending: &str) -> PathBuf {
        self.of_key(key).join(format!("{id}.{ending}"))
    }

    /// The picture of a key with this id.
    pub(super) fn find(&self, key: &KeyId, id: &ArtworkId) -> Option<Arc<Artwork>> {
        let file = fs::File::open(self.file(key, id, FACTS)).ok()?;
        let mut text = Vec::new();
        file.take(LARGEST_FACTS).read_to_end(&mut text).ok()?;
        let facts: ArtworkFacts = serde_json::from_slice(&text).ok()?;
        let file = |ending: &str| self.file(key, id, ending);
        Some(Arc::new(match facts.drawing {
            None => Artwork::kept(*id, facts, file(facts.kind.name())),
            Some(_) => Artwork::kept_drawing(*id, facts, file(PIXELS), file(PAGE)),
        }))
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

    /// Writes artwork of a key, for the user of the service alone.
    ///
    /// # Errors
    /// It cannot be written; then it is not there.
    pub(super) fn write(&self, key: &KeyId, artwork: &NewArtwork<'_>) -> io::Result<()> {
        let NewArtwork { id, facts, file, made } = artwork;
        let folder = self.of_key(key);
        fs::create_dir_all(&folder)?;
        let text = serde_json::to_vec(facts)?;
        let mut files = vec![(facts.kind.name(), *file)];
        if facts.drawing.is_some() {
            files.extend([(PIXELS, made.pixels.as_slice()), (PAGE, made.page.as_slice())]);
        }
        files.push((FACTS, &text));
        let write = |(ending, bytes): (&str, &[u8])| {
            let mut file = tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(&folder)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            file.persist(self.file(key, id, ending))?;
            io::Result::Ok(())
        };
        let written = files.iter().copied().try_for_each(write);
        if written.is_err() {
            // What remains would not be counted. The first error is the reason.
            let _ = self.remove_files(key, id, facts.kind);
        }
        written
    }

    /// Removes all files of artwork, the facts first.
    fn remove_files(&self, key: &KeyId, id: &ArtworkId, kind: ArtworkKind) -> io::Result<()> {
        let removed =
            [FACTS, kind.name(), PIXELS, PAGE].map(|ending| match fs::remove_file(self.file(key, id, ending)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            });
        removed.into_iter().collect()
    }

    /// Removes a picture of a key, and tells what it was; `None` if the key has none of this id.
    ///
    /// # Errors
    /// It cannot be removed.
    pub(super) fn remove(&self, key: &KeyId, id: &ArtworkId) -> io::Result<Option<KeptArtwork>> {
        let Some(artwork) = self.find(key, id) else { return Ok(None) };
        self.remove_files(key, id, artwork.facts().kind)?;
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
    use crate::artwork::{ArtworkKind, DrawingFacts, FilePart};

    const FACTS_OF_JPEG: ArtworkFacts = ArtworkFacts {
        kind: ArtworkKind::Jpeg,
        bytes: 3,
        width: 4,
        height: 5,
        is_opaque: true,
        turn: 6,
        plain_channels: 3,
        drawing: None,
    };

    #[test]
    fn a_key_has_the_pictures_that_it_uploaded_and_no_others() {
        let place = tempfile::tempdir().unwrap();
        let folder = UploadFolder(place.path().join("artwork"));
        let (one, other) = (KeyId::from("one"), KeyId::from("other"));
        let (id, facts) = (ArtworkId::of(b"abc"), FACTS_OF_JPEG);
        assert_eq!(folder.list(&one).unwrap(), []);
        folder.write(&one, &NewArtwork { id, facts, file: b"abc", made: MadeFiles::default() }).unwrap();
        fs::write(place.path().join("artwork/one/notes.json"), "{}").unwrap();
        assert_eq!(folder.list(&one).unwrap(), [KeptArtwork::of(&id, &facts)]);
        let found = folder.find(&one, &id).unwrap();
        assert_eq!((found.facts(), found.bytes().unwrap()), (&facts, b"abc".to_vec()));
        assert!(found.page().is_err(), "a picture has no page");
        assert!(folder.find(&other, &id).is_none() && folder.find(&one, &ArtworkId::of(b"b")).is_none());
        assert_eq!(folder.remove(&other, &id).unwrap(), None);
        assert_eq!(folder.remove(&one, &id).unwrap(), Some(KeptArtwork::of(&id, &facts)));
        assert_eq!((folder.list(&one).unwrap(), folder.remove(&one, &id).unwrap()), (Vec::new(), None));
    }

    #[test]
    fn a_drawing_has_its_pixels_and_its_page_beside_it() {
        let place = tempfile::tempdir().unwrap();
        let (folder, key, id) = (UploadFolder(place.path().to_owned()), KeyId::from("one"), ArtworkId::of(b"<svg/>"));
        let made = MadeFiles { pixels: b"pixels".to_vec(), page: b"page".to_vec() };
        let (pixels, page) = (FilePart::of(&made.pixels), FilePart::of(&made.page));
        let drawing =
            DrawingFacts { width_mm: 12.3456, height_mm: 20.0, is_printable: false, least_dpi: None, pixels, page };
        let facts = ArtworkFacts { kind: ArtworkKind::Svg, drawing: Some(drawing), ..FACTS_OF_JPEG };
        folder.write(&key, &NewArtwork { id, facts, file: b"<svg/>", made: made.clone() }).unwrap();
        let found = folder.find(&key, &id).unwrap();
        assert_eq!((found.bytes().unwrap(), found.page().unwrap()), (made.pixels, made.page));
        let [kept] = &folder.list(&key).unwrap()[..] else { panic!("one is kept") };
        assert_eq!((kept.width_mm, kept.height_mm, kept.all_bytes), (Some(12.346), Some(20.0), 3 + 6 + 4));
        assert_eq!(fs::read_dir(place.path().join("one")).unwrap().count(), 4);
        fs::write(folder.file(&key, &id, PAGE), "changed").unwrap();
        assert!(found.page().is_err());
        folder.remove(&key, &id).unwrap();
        assert_eq!(fs::read_dir(place.path().join("one")).unwrap().count(), 0);
    }
}
