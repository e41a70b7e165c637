//! The uploads of a service: examines pictures in a process of its own, and keeps those of each key.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use super::examination::{Examined, MadeFiles, printed};
use super::folder::{KeptArtwork, MOST_BYTES, MOST_FILES, NewArtwork, UploadFolder};
use crate::access::KeyId;
use crate::artwork::{Artwork, ArtworkId, FindArtwork, KnownArtwork};
use crate::child::{ChildProgram, ChildTask};
use crate::turns::{Busy, RETRY_SECONDS, Turn, Turns};

/// How long a process may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Requests with a body at once.
const MOST_BODIES: usize = 8;
/// Most bytes of its result: facts, and the pixels and the page of a drawing.
const LARGEST_RESULT: u64 = 4096 + 2 * Artwork::LARGEST_DRAWING;

/// Why a request about pictures fails.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum UploadError {
    /// Others upload pictures.
    #[error("other pictures are being examined; retry in {retry_after_seconds} s")]
    Busy {
        /// When to try again.
        retry_after_seconds: u64,
    },
    /// It is no picture that pages can show.
    #[error("{0}")]
    Refused(String),
    /// The key has as many pictures, or bytes of them, as it may have.
    #[error("{0}; delete one that no page needs")]
    Full(String),
    /// The folder cannot be read or written; the message is for the log.
    #[error("{0}")]
    Folder(String),
    /// Something else failed; the message is for the log.
    #[error("{0}")]
    Failed(String),
}

impl From<Busy> for UploadError {
    fn from(_: Busy) -> Self {
        Self::Busy { retry_after_seconds: RETRY_SECONDS }
    }
}

/// The pictures of a service.
pub struct Uploads {
    program: ChildProgram,
    folder: UploadFolder,
    turns: Turns<KeyId>,
}

impl Uploads {
    /// Pictures that the program `longhand` at a path examines, kept in a folder.
    #[must_use]
    pub fn new(program: PathBuf, folder: PathBuf) -> Self {
        Self { program: ChildProgram(program), folder: UploadFolder(folder), turns: Turns::new(MOST_BODIES, 1) }
    }

    /// Whether pictures can be kept.
    ///
    /// # Errors
    /// The folder, and why nothing can be written in it.
    pub fn check_folder(&self) -> Result<(), UploadError> {
        self.folder.check().map_err(|error| self.of_folder(&error))
    }

    /// The turns of keys to send a picture.
    pub(crate) const fn turns(&self) -> &Turns<KeyId> {
        &self.turns
    }

    /// Examines a picture and keeps it for the key of the turn. The same bytes again are the same picture. Blocks.
    ///
    /// # Errors
    /// It is no picture that pages can show, the key has too many, or it cannot be written. Then all is as before.
    #[expect(clippy::needless_pass_by_value, reason = "the turn ends here")]
    pub(crate) fn save(
        &self,
        turn: Turn<KeyId>,
        picture: &[u8],
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<KeptArtwork, UploadError> {
        let (key, id) = (turn.client(), ArtworkId::of(picture));
        if let Some(known) = self.folder.find(key, &id) {
            return Ok(KeptArtwork::of(&id, known.facts()));
        }
        // A key has one turn at a time, so nothing is added meanwhile.
        let kept = self.list(key)?;
        let bytes: u64 = kept.iter().map(|kept| kept.all_bytes).sum();
        if kept.len() >= MOST_FILES {
            return Err(UploadError::Full(format!("this key has {MOST_FILES} pictures, the most that it may have")));
        }
        let check_room = |more: u64| {
            let (most, is_full) = (MOST_BYTES >> 20, bytes + more > MOST_BYTES);
            let full = || UploadError::Full(format!("the pictures of this key would have more than {most} MiB"));
            if is_full { Err(full()) } else { Ok(()) }
        };
        check_room(picture.len() as u64)?;
        let (facts, made) = match self.examine(picture, is_wanted)? {
            (Examined::Facts(facts), made) => (facts, made),
            (Examined::Refused(reason), _) => return Err(UploadError::Refused(reason)),
        };
        check_room(facts.all_bytes())?;
        let new = NewArtwork { id, facts, file: picture, made };
        self.folder.write(key, &new).map_err(|error| self.of_folder(&error))?;
        Ok(KeptArtwork::of(&id, &facts))
    }

    /// The pictures of a key.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn list(&self, key: &KeyId) -> Result<Vec<KeptArtwork>, UploadError> {
        self.folder.list(key).map_err(|error| self.of_folder(&error))
    }

    /// Deletes a picture of a key; `None` if it has none of this id. Pages that show it and are not finished fail.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn delete(&self, key: &KeyId, id: &ArtworkId) -> Result<Option<KeptArtwork>, UploadError> {
        self.folder.remove(key, id).map_err(|error| self.of_folder(&error))
    }

    /// The artwork that requests of a key may name.
    #[must_use]
    pub fn of_key(&self, key: &KeyId) -> KnownArtwork {
        KnownArtwork::of(Arc::new(OfKey { folder: self.folder.clone(), key: key.clone() }))
    }

    fn examine(&self, picture: &[u8], is_wanted: &dyn Fn() -> bool) -> Result<(Examined, MadeFiles), UploadError> {
        let output = self.program.run(ChildTask {
            arguments: vec!["artwork-facts".into()],
            input: picture.to_vec(),
            most_output: LARGEST_RESULT,
            patience: PATIENCE,
            is_wanted,
        });
        match output {
            Ok(output) => printed(&output)
                .map_err(|error| UploadError::Failed(format!("the process that examines a picture: {error}"))),
            Err(error) if error.is_of_input() => {
                let remedy = "save it again as a plain PNG or JPEG, or with fewer pixels or shapes";
                let reason = format!("it takes too much time or memory to decode ({error}); {remedy}");
                Ok((Examined::Refused(reason), MadeFiles::default()))
            }
            Err(error) => Err(UploadError::Failed(format!("the process that examines a picture: {error}"))),
        }
    }

    fn of_folder(&self, error: &io::Error) -> UploadError {
        UploadError::Folder(format!("{}: {error}", self.folder.0.display()))
    }
}

/// The pictures of one key.
struct OfKey {
    folder: UploadFolder,
    key: KeyId,
}

impl FindArtwork for OfKey {
    fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>> {
        self.folder.find(&self.key, id)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use super::*;

    /// A PNG of 3 × 2 px.
    const FACTS: &str = r#"{"kind":"png","bytes":3,"width":3,"height":2,"is_opaque":true,"turn":1,"plain_channels":0}"#;

    /// A program that takes every picture for that PNG, unless it is empty.
    fn uploads(folder: &Path) -> Uploads {
        let script = folder.join("examine.sh");
        let text = format!(
            "#!/bin/sh\nif IFS= read -r line || [ -n \"$line\" ]; then printf '%s' '{{\"facts\":{FACTS}}}'; \
             else printf '%s' '{{\"refused\":\"it is empty\"}}'; fi\n"
        );
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
        Uploads::new(script, folder.join("artwork"))
    }

    fn save(uploads: &Uploads, key: &KeyId, picture: &[u8]) -> Result<KeptArtwork, UploadError> {
        uploads.save(uploads.turns().admit(key)?, picture, &|| true)
    }

    #[test]
    fn the_same_bytes_twice_are_one_picture_and_belong_to_their_key() {
        let folder = tempfile::tempdir().unwrap();
        let uploads = uploads(folder.path());
        let (one, other) = (KeyId::from("one"), KeyId::from("other"));
        let kept = save(&uploads, &one, b"abc").unwrap();
        assert_eq!(save(&uploads, &one, b"abc").unwrap(), kept);
        assert_eq!(uploads.list(&one).unwrap(), std::slice::from_ref(&kept));
        let id: ArtworkId = kept.id.parse().unwrap();
        assert!(uploads.of_key(&one).find(&id).is_some() && uploads.of_key(&other).find(&id).is_none());
        assert_eq!(save(&uploads, &one, b""), Err(UploadError::Refused("it is empty".to_owned())));
        assert_eq!(uploads.delete(&other, &id).unwrap(), None);
        assert_eq!(uploads.delete(&one, &id).unwrap(), Some(kept));
        assert!(uploads.of_key(&one).find(&id).is_none());
    }

    #[test]
    fn a_key_has_one_turn_at_a_time_and_few_pictures() {
        let folder = tempfile::tempdir().unwrap();
        let uploads = uploads(folder.path());
        let key = KeyId::from("one");
        let turn = uploads.turns().admit(&key).unwrap();
        assert_eq!(save(&uploads, &key, b"abc"), Err(UploadError::Busy { retry_after_seconds: RETRY_SECONDS }));
        drop(turn);
        let facts = serde_json::from_str(FACTS).unwrap();
        for number in 0..MOST_FILES {
            let picture = number.to_string();
            let (id, file) = (ArtworkId::of(picture.as_bytes()), picture.as_bytes());
            uploads.folder.write(&key, &NewArtwork { id, facts, file, made: MadeFiles::default() }).unwrap();
        }
        assert!(matches!(save(&uploads, &key, b"abc"), Err(UploadError::Full(_))));
        assert!(save(&uploads, &key, b"0").is_ok(), "it is there already");
    }
}
