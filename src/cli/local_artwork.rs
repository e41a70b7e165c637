//! Artwork from files, for pages that are made on this machine: `"file"` in place of `"id"`, or a path alone.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use crate::artwork::{Artwork, ArtworkId, FindArtwork, KnownArtwork};
use crate::spec::{SIDES_FIELD, side_name};

/// The field of a request, the member that names a file, and the one that takes its place.
const ARTWORK: &str = "artwork";
const FILE: &str = "file";
const ID: &str = "id";

/// The files that requests named. Each is read once.
#[derive(Clone, Default)]
pub(super) struct LocalArtwork(Arc<Files>);

#[derive(Default)]
struct Files {
    by_path: Mutex<HashMap<PathBuf, Result<Arc<Artwork>, String>>>,
}

impl FindArtwork for Files {
    fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>> {
        let files = self.by_path.lock();
        // Equal ids are equal files.
        files.values().filter_map(|file| file.as_ref().ok()).find(|artwork| artwork.id() == *id).cloned()
    }
}

impl LocalArtwork {
    /// The artwork that was read.
    pub(super) fn known(&self) -> KnownArtwork {
        KnownArtwork::of(Arc::clone(&self.0) as _)
    }

    /// Reads the files that a request and its sides name, and names their ids instead. What is no file is left as it is.
    ///
    /// # Errors
    /// The field and the reason, if one cannot be read.
    pub(super) fn resolve(&self, request: &mut Map<String, Value>) -> Result<(), String> {
        let sides = request.get_mut(SIDES_FIELD).and_then(Value::as_array_mut);
        for (number, side) in sides.into_iter().flatten().enumerate() {
            let Some(members) = side.as_object_mut() else { continue };
            self.resolve_page(members).map_err(|error| format!("{}.{error}", side_name(number)))?;
        }
        self.resolve_page(request)
    }

    fn resolve_page(&self, request: &mut Map<String, Value>) -> Result<(), String> {
        let Some(wanted) = request.get_mut(ARTWORK) else { return Ok(()) };
        if let Value::String(path) = wanted {
            *wanted = json!([{FILE: path}]);
        }
        for (number, item) in wanted.as_array_mut().into_iter().flatten().enumerate() {
            let Some(members) = item.as_object_mut().filter(|members| !members.contains_key(ID)) else { continue };
            let Some(Value::String(path)) = members.get(FILE) else { continue };
            let id =
                self.read(Path::new(path)).map_err(|error| format!("{ARTWORK}[{number}].{FILE}: {path}: {error}"))?;
            members.remove(FILE);
            members.insert(ID.to_owned(), id.to_string().into());
        }
        Ok(())
    }

    fn read(&self, path: &Path) -> Result<ArtworkId, String> {
        let mut files = self.0.by_path.lock();
        let file = files.entry(path.to_owned()).or_insert_with(|| {
            let mut bytes = Vec::new();
            let file = File::open(path).map_err(|error| error.to_string())?;
            // One byte more than it may have, so that it is refused.
            file.take(Artwork::LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
            Artwork::read(bytes).map(Arc::new).map_err(|error| error.to_string())
        });
        file.as_ref().map(|artwork| artwork.id()).map_err(Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PNG of one pixel.
    const GREY_PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9b\x55\0\0\0\x0aIDAT\x78\x9c\x63\x68\
        \0\0\0\x82\0\x81\x77\xcd\x72\xb6\0\0\0\0IEND\xae\x42\x60\x82";

    fn resolved(artwork: Value) -> Result<Value, String> {
        let mut request = Map::from_iter([(ARTWORK.to_owned(), artwork)]);
        LocalArtwork::default().resolve(&mut request).map(|()| request[ARTWORK].take())
    }

    #[test]
    fn a_file_is_named_by_its_id() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        std::fs::write(&path, GREY_PIXEL).unwrap();
        let (path, id) = (path.to_str().unwrap(), ArtworkId::of(&std::fs::read(&path).unwrap()).to_string());
        assert_eq!(resolved(json!(path)), Ok(json!([{"id": id}])));
        assert_eq!(resolved(json!([{"file": path, "x_mm": 3}])), Ok(json!([{"id": id, "x_mm": 3}])));
        for other in [json!([{"id": "a"}]), json!([3]), json!({"file": path}), json!(null)] {
            assert_eq!(resolved(other.clone()), Ok(other), "spec refuses it");
        }
        let error = resolved(json!([{"file": path}, {"file": "none.png"}])).unwrap_err();
        assert!(error.starts_with("artwork[1].file: none.png: "), "{error}");
    }
}
