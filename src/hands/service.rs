//! The hands of a service: reads pictures in a process of its own, and saves hands so that the service writes in them.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use thiserror::Error;

use super::folder::{HandFolder, KeptHand, MOST_HANDS, free_id};
use super::message::{HandInput, HandOutput};
use super::report::HandReport;
use crate::access::KeyId;
use crate::catalogue::OPERATOR_IDS;
use crate::child::{ChildProgram, ChildTask};
use crate::own_fonts::printable;
use crate::turns::{Busy, RETRY_SECONDS, Turn, Turns};

/// How long a process may take.
const PATIENCE: Duration = Duration::from_secs(90);
/// Requests with a body at once.
const MOST_BODIES: usize = 8;
/// Most bytes of its result: a record and a font are a tenth of it.
const LARGEST_RESULT: u64 = 64 << 20;

/// Why a request for a hand fails.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum HandsError {
    /// Others read pictures.
    #[error("other hands are being read; retry in {retry_after_seconds} s")]
    Busy {
        /// When to try again.
        retry_after_seconds: u64,
    },
    /// The pictures take too much time or memory. They would do so again.
    #[error("reading the pictures takes too much time or memory ({0}); send fewer, smaller or other ones")]
    CutOff(String),
    /// There is no hand.
    #[error("there is no hand")]
    NoHand(Box<HandReport>),
    /// The key has as many hands as it may have.
    #[error("this key has {MOST_HANDS} hands; delete one, or replace one by its font_id")]
    Full,
    /// All ids are taken.
    #[error("all {} ids of fonts are taken; the operator has to remove fonts", OPERATOR_IDS.len())]
    NoId,
    /// The key has no hand with that id.
    #[error("this key has saved no hand with that font_id")]
    Unknown,
    /// The folder cannot be read or written.
    #[error("{0}")]
    Folder(String),
    /// Something else failed; the message is for the log.
    #[error("{0}")]
    Failed(String),
}

impl From<Busy> for HandsError {
    fn from(_: Busy) -> Self {
        Self::Busy { retry_after_seconds: RETRY_SECONDS }
    }
}

/// Permission of a key to send pictures and have them read.
pub(crate) type ReadTurn = Turn<KeyId>;

/// The fonts that a service writes with.
pub trait ServedFonts: Send + Sync {
    /// Their ids.
    fn ids(&self) -> BTreeSet<u16>;

    /// Loads the folders of fonts again. Tells why the font of this file is not used, if it is not.
    fn reload(&self, font: &Path) -> Option<String>;
}

/// The hands of a service.
pub struct Hands {
    program: ChildProgram,
    folder: HandFolder,
    /// All folders of fonts.
    folders: Vec<PathBuf>,
    turns: Turns<KeyId>,
    /// The ids of new hands that are being read. Held while a hand gets its id and its files, and while one is removed.
    saving: Mutex<BTreeSet<u16>>,
    fonts: OnceLock<Arc<dyn ServedFonts>>,
}

impl Hands {
    /// Hands that the program `longhand` at a path reads, saved in the first of the folders of fonts; `None` without a
    /// folder.
    #[must_use]
    pub fn new(program: PathBuf, folders: Vec<PathBuf>) -> Option<Self> {
        let folder = HandFolder(folders.first()?.clone());
        Some(Self {
            program: ChildProgram(program),
            folder,
            folders,
            turns: Turns::new(MOST_BODIES, 1),
            saving: Mutex::default(),
            fonts: OnceLock::new(),
        })
    }

    /// Names the fonts into which saved hands are loaded. The first call counts.
    pub fn serve(&self, fonts: Arc<dyn ServedFonts>) {
        let _ = self.fonts.set(fonts);
    }

    /// Whether hands can be saved.
    ///
    /// # Errors
    /// The folder, and why nothing can be written in it.
    pub fn check_folder(&self) -> Result<(), HandsError> {
        self.folder.check().map_err(|error| self.of_folder(&error))
    }

    /// The turns of keys to send pictures: of at most 64 MiB a request.
    pub(crate) const fn turns(&self) -> &Turns<KeyId> {
        &self.turns
    }

    /// Reads pictures, and returns the [`HandReport`] as JSON. Keeps nothing. Blocks.
    ///
    /// # Errors
    /// The pictures take too much, or are not wanted any more.
    pub(crate) fn read(
        &self,
        _turn: ReadTurn,
        input: &HandInput,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, HandsError> {
        self.run(input, is_wanted).map(|output| output.report)
    }

    /// Reads pictures, and saves the hand for a key: in place of its hand `replaces`, or as a new one. Blocks.
    ///
    /// # Errors
    /// As [`read`](Self::read); there is no hand; the key has too many; or the files cannot be written. Then all is as before.
    pub(crate) fn save(
        &self,
        _turn: ReadTurn,
        key: &KeyId,
        replaces: Option<u16>,
        mut input: HandInput,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<KeptHand, HandsError> {
        let fonts = self.fonts()?;
        self.check_folder()?;
        let id = match replaces {
            Some(id) => self.folder.of_id(key, id).ok_or(HandsError::Unknown)?.font_id,
            None => self.reserve_id(key, &**fonts)?,
        };
        input.order.id = id;
        let output = self.run(&input, is_wanted);
        let mut saving = self.saving.lock();
        saving.remove(&id);
        let mut output = output?;
        if output.font.is_empty() {
            let report = serde_json::from_slice(&output.report);
            let report = report.map_err(|error| HandsError::Failed(format!("the report of a hand: {error}")))?;
            return Err(HandsError::NoHand(Box::new(report)));
        }
        if replaces.is_some() {
            // It may have been deleted while the pictures were read.
            self.folder.of_id(key, id).ok_or(HandsError::Unknown)?;
        } else if self.list(key)?.len() >= MOST_HANDS {
            return Err(HandsError::Full);
        }
        let keys = format!("keys = [\"{}\"]\n", key.as_str());
        output.description.splice(..0, keys.into_bytes());
        let before = self.folder.files(id).map_err(|error| self.of_folder(&error))?;
        let written = self.folder.write(id, &output).map_err(|error| self.of_folder(&error));
        let problem = written.err().or_else(|| {
            let problem = fonts.reload(&self.folder.file(id, "ttf"))?;
            Some(HandsError::Failed(format!("a saved hand is not used: {problem}")))
        });
        let Some(problem) = problem else { return Ok(KeptHand { font_id: id, name: input.order.name }) };
        let undone = if replaces.is_some() { self.folder.write(id, &before) } else { self.folder.remove(id) };
        if let Err(error) = undone {
            tracing::error!(id, %error, "a hand that cannot be saved is left half written");
        }
        fonts.reload(&self.folder.file(id, "ttf"));
        Err(problem)
    }

    /// An id for a new hand of a key, which no other new hand gets while this one is read.
    fn reserve_id(&self, key: &KeyId, fonts: &dyn ServedFonts) -> Result<u16, HandsError> {
        let mut saving = self.saving.lock();
        if self.list(key)?.len() >= MOST_HANDS {
            return Err(HandsError::Full);
        }
        let mut taken = fonts.ids();
        taken.extend(saving.iter());
        let free = free_id(&self.folders, &taken).map_err(|error| self.of_folder(&error))?;
        let id = free.ok_or(HandsError::NoId)?;
        saving.insert(id);
        Ok(id)
    }

    /// The hands of a key.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn list(&self, key: &KeyId) -> Result<Vec<KeptHand>, HandsError> {
        self.folder.of_key(key).map_err(|error| self.of_folder(&error))
    }

    /// A hand of a key, and its record, with which it can be mended.
    ///
    /// # Errors
    /// The key has no such hand, or the folder cannot be read.
    pub fn record(&self, key: &KeyId, id: u16) -> Result<(KeptHand, Vec<u8>), HandsError> {
        let hand = self.folder.of_id(key, id).ok_or(HandsError::Unknown)?;
        let record = self.folder.record(id).map_err(|error| self.of_folder(&error))?;
        Ok((hand, record))
    }

    /// Deletes a hand of a key. Pages in progress keep it.
    ///
    /// # Errors
    /// The key has no such hand, or the folder cannot be written.
    pub fn delete(&self, key: &KeyId, id: u16) -> Result<KeptHand, HandsError> {
        let _saving = self.saving.lock();
        let hand = self.folder.of_id(key, id).ok_or(HandsError::Unknown)?;
        self.folder.remove(id).map_err(|error| self.of_folder(&error))?;
        self.fonts()?.reload(&self.folder.file(id, "ttf"));
        Ok(hand)
    }

    fn fonts(&self) -> Result<&Arc<dyn ServedFonts>, HandsError> {
        self.fonts.get().ok_or_else(|| HandsError::Failed("the fonts of the service are not known".to_owned()))
    }

    fn run(&self, input: &HandInput, is_wanted: &dyn Fn() -> bool) -> Result<HandOutput, HandsError> {
        let printed = self.program.run(ChildTask {
            arguments: vec!["hand".into(), "read".into()],
            input: input.to_bytes(),
            most_output: LARGEST_RESULT,
            patience: PATIENCE,
            is_wanted,
        });
        let printed = printed.map_err(|error| match error {
            error if error.is_of_input() => HandsError::CutOff(error.to_string()),
            error => HandsError::Failed(format!("the process that reads a hand: {error}")),
        })?;
        HandOutput::from_bytes(&printed)
            .ok_or_else(|| HandsError::Failed("the process that reads a hand has no whole result".to_owned()))
    }

    fn of_folder(&self, error: &io::Error) -> HandsError {
        HandsError::Folder(format!("{}: {error}", printable(&self.folder.0)))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// Fonts of which those whose file has these bytes are not used.
    struct Fonts(&'static [u8]);

    impl ServedFonts for Fonts {
        fn ids(&self) -> BTreeSet<u16> {
            BTreeSet::from([1999])
        }

        fn reload(&self, font: &Path) -> Option<String> {
            (fs::read(font).ok()? == self.0).then(|| "it is broken".to_owned())
        }
    }

    /// A program that gives each hand the font of this text. It is told the id of the hand, as the real one.
    fn hands(folder: &Path, font: &str) -> Hands {
        let script = folder.join(format!("{font}.sh"));
        let description = "id = $id\\nname = \\\"A\\\"\\nstyle = \\\"print\\\"\\nlicence = \\\"own hand\\\"\\n";
        let text = format!(
            "#!/bin/sh\nPATH=/usr/bin:/bin\nread -r head\nid=${{head#*'\"id\":'}}\nid=${{id%%,*}}\ncat >/dev/null\n\
             text=$(printf \"{description}x\")\ntext=${{text%x}}\n\
             printf '[2,{},%d,2]\\n{{}}{font}%s{{}}' ${{#text}} \"$text\"\n",
            font.len()
        );
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
        let fonts = folder.join("fonts");
        fs::create_dir_all(&fonts).unwrap();
        let hands = Hands::new(script, vec![fonts]).unwrap();
        hands.serve(Arc::new(Fonts(b"broken")));
        hands
    }

    fn key() -> KeyId {
        KeyId::from("6d2ad1a7-4f5d-4c8a-9a55-0b7f6a1f2c11")
    }

    fn save(hands: &Hands, replaces: Option<u16>) -> Result<KeptHand, HandsError> {
        hands.save(hands.turns().admit(&key())?, &key(), replaces, HandInput::default(), &|| true)
    }

    #[test]
    fn a_key_has_few_hands_and_each_its_own_id() {
        let folder = tempfile::tempdir().unwrap();
        let hands = hands(folder.path(), "font");
        let saved: Vec<u16> = (0..MOST_HANDS).map(|_| save(&hands, None).unwrap().font_id).collect();
        assert_eq!(saved, [1998, 1997, 1996, 1995, 1994], "1999 is taken by a font of the operator");
        assert_eq!(save(&hands, None), Err(HandsError::Full));
        assert_eq!(save(&hands, Some(1996)).unwrap().font_id, 1996);
        assert_eq!(save(&hands, Some(1999)), Err(HandsError::Unknown));
        assert_eq!(hands.delete(&key(), 1998).unwrap().font_id, 1998);
        assert_eq!(hands.delete(&key(), 1998), Err(HandsError::Unknown));
        assert_eq!(save(&hands, None).unwrap().font_id, 1998);
    }

    #[test]
    fn a_hand_that_cannot_be_used_leaves_all_as_before() {
        let folder = tempfile::tempdir().unwrap();
        let (good, bad) = (hands(folder.path(), "font"), hands(folder.path(), "broken"));
        assert!(matches!(save(&bad, None), Err(HandsError::Failed(_))));
        assert_eq!(good.list(&key()).unwrap(), []);
        let id = save(&good, None).unwrap().font_id;
        let before = good.folder.files(id).unwrap();
        assert!(matches!(save(&bad, Some(id)), Err(HandsError::Failed(_))));
        assert_eq!(good.folder.files(id).unwrap(), before);
    }

    #[test]
    fn a_key_has_one_turn_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let hands = hands(folder.path(), "font");
        let turn = hands.turns().admit(&key()).unwrap();
        assert_eq!(save(&hands, None), Err(HandsError::Busy { retry_after_seconds: RETRY_SECONDS }));
        let admit = |name: &str| hands.turns().admit(&KeyId::from(name));
        let others: Vec<ReadTurn> = (1..MOST_BODIES).map(|number| admit(&number.to_string()).unwrap()).collect();
        assert!(admit("last").is_err());
        drop((turn, others));
        save(&hands, None).unwrap();
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let hands = hands(folder.path(), "font");
        fs::remove_dir(folder.path().join("fonts")).unwrap();
        let Err(HandsError::Folder(said)) = save(&hands, None) else { panic!("it was saved") };
        assert!(said.contains("/fonts: "), "{said}");
    }
}
