//! The saved hands: files in the operator's folder of fonts, each named by its id.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use super::message::HandOutput;
use crate::access::KeyId;
use crate::catalogue::OPERATOR_IDS;
use crate::own_fonts::{Description, read_regular};

/// Most hands of a key.
pub const MOST_HANDS: usize = 5;
/// Largest record, in bytes.
const LARGEST_RECORD: u64 = 64 << 20;
/// Largest file of a font or description, in bytes.
const LARGEST_FILE: u64 = 16 << 20;
/// The endings of the files of a hand, in the order in which they are written: the description is the last, as a font
/// without it is not read.
const ENDINGS: [&str; 3] = ["hand.json", "ttf", "toml"];
/// The ending of the file of strokes, which are those of one version of a font.
const STROKES: &str = "strokes";

/// A hand that a key saved.
#[derive(Serialize, JsonSchema, Clone, Debug, PartialEq, Eq)]
#[schemars(rename = "SavedHand")]
pub struct KeptHand {
    /// The `font_id` to write with.
    #[schemars(range(min = 1001, max = 1999))]
    pub font_id: u16,
    /// Family name.
    pub name: String,
}

/// The folder in which hands are saved.
#[derive(Clone, Debug)]
pub(super) struct HandFolder(pub(super) PathBuf);

impl HandFolder {
    /// The file of a hand with an ending.
    pub(super) fn file(&self, id: u16, ending: &str) -> PathBuf {
        self.0.join(format!("hand-{id}.{ending}"))
    }

    /// The hands of a key, by their ids.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub(super) fn of_key(&self, key: &KeyId) -> io::Result<Vec<KeptHand>> {
        let mut hands = Vec::new();
        for id in toml_files(&self.0)?.iter().filter_map(|path| self.id_of(path)) {
            hands.extend(self.of_id(key, id));
        }
        hands.sort_by_key(|hand| hand.font_id);
        Ok(hands)
    }

    /// The hand of a key with this id.
    pub(super) fn of_id(&self, key: &KeyId, id: u16) -> Option<KeptHand> {
        let description = Description::read(&self.file(id, "toml")).ok()?;
        let is_own = description.id == id && description.keys == [key.as_str()];
        is_own.then_some(KeptHand { font_id: id, name: description.name })
    }

    fn id_of(&self, path: &Path) -> Option<u16> {
        let id = path.file_stem()?.to_str()?.strip_prefix("hand-")?.parse().ok()?;
        (self.file(id, "toml") == path).then_some(id)
    }

    /// The record of a hand.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn record(&self, id: u16) -> io::Result<Vec<u8>> {
        read_regular(&self.file(id, "hand.json"), LARGEST_RECORD)
    }

    /// The files of a hand; none where it has none of an ending.
    ///
    /// # Errors
    /// One is there and cannot be read.
    pub(super) fn files(&self, id: u16) -> io::Result<HandOutput> {
        let read = |ending: &str| match read_regular(&self.file(id, ending), LARGEST_FILE.max(LARGEST_RECORD)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            read => read,
        };
        let [record, font, description] = ENDINGS.map(read);
        Ok(HandOutput { report: Vec::new(), record: record?, font: font?, description: description? })
    }

    /// Writes the files of a hand for the user of the service alone. Strokes of an earlier version are removed.
    ///
    /// # Errors
    /// One cannot be written; then the hand may have files of two versions.
    pub(super) fn write(&self, id: u16, hand: &HandOutput) -> io::Result<()> {
        remove(&self.file(id, STROKES))?;
        for (ending, bytes) in ENDINGS.iter().zip([&hand.record, &hand.font, &hand.description]) {
            let mut file = tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(&self.0)?;
            file.write_all(bytes)?;
            file.as_file().sync_all()?;
            file.persist(self.file(id, ending))?;
        }
        Ok(())
    }

    /// Removes the files of a hand, its description first.
    ///
    /// # Errors
    /// One cannot be removed.
    pub(super) fn remove(&self, id: u16) -> io::Result<()> {
        ENDINGS.iter().rev().chain(&[STROKES]).try_for_each(|ending| remove(&self.file(id, ending)))
    }

    /// Whether files can be written.
    ///
    /// # Errors
    /// They cannot.
    pub(super) fn check(&self) -> io::Result<()> {
        tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(&self.0).map(drop)
    }
}

/// Removes a file if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

fn toml_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect())
}

/// An id that neither a font of `served` has nor a description in these folders, the highest first: operators begin with
/// the lowest.
///
/// # Errors
/// A folder cannot be read, so its ids are not known.
pub(super) fn free_id(folders: &[PathBuf], served: &BTreeSet<u16>) -> io::Result<Option<u16>> {
    let mut taken = served.clone();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for path in toml_files(folder)? {
            // A file that is no description has no id.
            let text = read_regular(&path, LARGEST_FILE).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            let table = text.and_then(|text| text.parse::<toml::Table>().ok());
            let id = table.and_then(|table| table.get("id")?.as_integer()).and_then(|id| u16::try_from(id).ok());
            taken.extend(id);
        }
    }
    Ok(OPERATOR_IDS.rev().find(|id| !taken.contains(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn description(id: u16, keys: &str) -> Vec<u8> {
        format!("id = {id}\n{keys}name = \"A\"\nstyle = \"print\"\nlicence = \"own hand\"\n").into_bytes()
    }

    fn hand(id: u16, key: &KeyId) -> HandOutput {
        let description = description(id, &format!("keys = [\"{}\"]\n", key.as_str()));
        HandOutput { report: Vec::new(), font: b"font".to_vec(), description, record: b"{}".to_vec() }
    }

    const ONE: &str = "6d2ad1a7-4f5d-4c8a-9a55-0b7f6a1f2c11";
    const OTHER: &str = "0b1c9d4e-88aa-4f0e-8f53-3f6c1d2e7a90";

    #[test]
    fn a_key_sees_the_hands_that_it_saved_and_no_other_fonts() {
        let place = tempfile::tempdir().unwrap();
        let folder = HandFolder(place.path().to_owned());
        let (one, other) = (KeyId::from(ONE), KeyId::from(OTHER));
        folder.write(1999, &hand(1999, &one)).unwrap();
        folder.write(1998, &hand(1998, &other)).unwrap();
        // Fonts of the operator: of another name, for more keys, for all, and with another id in it.
        let both = format!("keys = [\"{ONE}\", \"{OTHER}\"]\n");
        let own = format!("keys = [\"{ONE}\"]\n");
        for (name, id, keys) in [("a", 1001, &own), ("hand-1002", 1002, &both), ("hand-1003", 1004, &own)] {
            fs::write(place.path().join(format!("{name}.toml")), description(id, keys)).unwrap();
        }
        assert_eq!(folder.of_key(&one).unwrap(), [KeptHand { font_id: 1999, name: "A".to_owned() }]);
        assert_eq!(folder.of_id(&one, 1998), None);
        assert_eq!(folder.files(1999).unwrap(), hand(1999, &one));
        folder.remove(1999).unwrap();
        assert_eq!(folder.of_key(&one).unwrap(), []);
        assert_eq!(folder.of_key(&other).unwrap().len(), 1);
        folder.remove(1999).unwrap();
    }

    #[test]
    fn strokes_of_an_earlier_version_go() {
        let place = tempfile::tempdir().unwrap();
        let folder = HandFolder(place.path().to_owned());
        fs::write(folder.file(1999, STROKES), "old").unwrap();
        folder.write(1999, &hand(1999, &KeyId::from(ONE))).unwrap();
        let mut names: Vec<String> = fs::read_dir(place.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["hand-1999.hand.json", "hand-1999.toml", "hand-1999.ttf"]);
    }

    #[test]
    fn ids_are_those_that_no_font_has_loaded_or_not() {
        let place = tempfile::tempdir().unwrap();
        let folders = [place.path().to_owned(), place.path().join("away")];
        fs::write(place.path().join("a.toml"), "id = 1999\nbroken = true\n").unwrap();
        fs::write(place.path().join("b.toml"), "no description").unwrap();
        assert_eq!(free_id(&folders, &BTreeSet::from([1998, 1001])).unwrap(), Some(1997));
        assert_eq!(free_id(&folders, &(1001..=1998).collect()).unwrap(), None);
    }
}
