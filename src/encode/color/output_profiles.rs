//! A profile for every printing condition: the operator's, if there is one, or the bundled one.

use std::path::{Path, PathBuf};

use super::output_profile::{OutputProfile, ProfileDefect};
use crate::spec::PrintingCondition;

/// One profile for each condition, in the order of the conditions.
pub struct OutputProfiles(Vec<OutputProfile>);

/// Why the operator's folder of profiles cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The folder or a file in it cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        cause: String,
    },
    /// A file has the name of a profile, but cannot be used.
    #[error("{} cannot be an output profile: {defect}", path.display())]
    Unusable {
        /// Its path.
        path: PathBuf,
        /// Its defect.
        defect: ProfileDefect,
    },
    /// No file has the name of a profile.
    #[error("{} holds no output profile; files are known by these names: {}", path.display(), known_names())]
    NoneFound {
        /// The folder.
        path: PathBuf,
    },
    /// A bundled profile is damaged: a defect of this program.
    #[error("a bundled profile cannot be used: {0}")]
    Bundled(ProfileDefect),
}

/// The facts about a condition.
struct Row {
    condition: PrintingCondition,
    bundled: &'static [u8],
    /// The source of the bundled profile.
    origin: &'static str,
    /// Names of official files, in order of preference; `*` stands for anything.
    official: &'static [&'static str],
}

/// The rows in the order of the conditions.
const ROWS: [Row; 4] = [
    Row {
        condition: PrintingCondition::Gracol2013,
        bundled: include_bytes!("../../../icc/crpc6-approx-300.icc"),
        origin: "Converted with an open approximation of CGATS21-2-CRPC6, total ink 300 %",
        official: &["GRACoL2013_CRPC6*.icc", "CGATS21_CRPC6*.icc"],
    },
    Row {
        condition: PrintingCondition::Gracol2006,
        bundled: include_bytes!("../../../icc/tr006-coated-300.icc"),
        origin: "Converted with a profile made from ANSI/CGATS/GRACoL TR 006-2007, total ink 300 %",
        official: &["GRACoL2006_Coated1v2.icc"],
    },
    Row {
        condition: PrintingCondition::PsoCoatedV3,
        bundled: include_bytes!("../../../icc/fogra51-approx-300.icc"),
        origin: "Converted with an open approximation of FOGRA51, total ink 300 %",
        official: &["PSOcoated_v3.icc"],
    },
    Row {
        condition: PrintingCondition::IsoCoatedV2,
        bundled: include_bytes!("../../../icc/ISOcoated_v2_300_bas.icc"),
        origin: "Converted with ISO Coated v2 300% (basICColor)",
        official: &["ISOcoated_v2_eci.icc", "ISOcoated_v2_300_eci.icc"],
    },
];

impl OutputProfiles {
    /// The bundled profiles, each replaced by the official one if `folder` has it under its usual name.
    ///
    /// # Errors
    /// When the folder cannot be read, holds no such file, or one that is no CMYK output profile of ICC version 2.
    pub fn load(folder: Option<&Path>) -> Result<Self, ProfileError> {
        let names = folder.map_or_else(|| Ok(Vec::new()), names_in)?;
        if let Some(folder) = folder.filter(|_| ROWS.iter().all(|row| row.official_in(&names).is_none())) {
            return Err(ProfileError::NoneFound { path: folder.to_owned() });
        }
        let profile = |row: &Row| match (folder, row.official_in(&names)) {
            (Some(folder), Some(name)) => read(row.condition, folder, name),
            _ => OutputProfile::new(row.condition, row.origin.to_owned(), row.bundled).map_err(ProfileError::Bundled),
        };
        Ok(Self(ROWS.iter().map(profile).collect::<Result<_, _>>()?))
    }

    /// The profile of a condition.
    #[must_use]
    pub fn of(&self, condition: PrintingCondition) -> &OutputProfile {
        &self.0[condition as usize]
    }

    #[cfg(test)]
    pub(super) fn bundled() -> Self {
        Self::load(None).unwrap()
    }
}

impl Row {
    /// The best of these file names for the condition.
    fn official_in<'a>(&self, names: &'a [String]) -> Option<&'a String> {
        self.official.iter().find_map(|pattern| names.iter().find(|name| fits(name, pattern)))
    }
}

/// The file names in a folder, in order.
fn names_in(folder: &Path) -> Result<Vec<String>, ProfileError> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable(folder))? {
        names.extend(entry.map_err(unreadable(folder))?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

fn unreadable(path: &Path) -> impl Fn(std::io::Error) -> ProfileError {
    |error| ProfileError::Unreadable { path: path.to_owned(), cause: error.to_string() }
}

/// The operator's profile. Tries a conversion, so that a bad profile fails at the start.
fn read(condition: PrintingCondition, folder: &Path, name: &str) -> Result<OutputProfile, ProfileError> {
    let path = folder.join(name);
    let icc = std::fs::read(&path).map_err(unreadable(&path))?;
    let unusable = |defect| ProfileError::Unusable { path: path.clone(), defect };
    // Only ASCII is the same in every encoding of PDF strings.
    let shown: String =
        name.chars().map(|character| if character.is_ascii_graphic() { character } else { '?' }).collect();
    let profile = OutputProfile::new(condition, format!("Converted with {shown}"), icc).map_err(unusable)?;
    profile.separation().map_err(unusable)?;
    Ok(profile)
}

/// Whether a file name matches `pattern`, in any case.
fn fits(name: &str, pattern: &str) -> bool {
    let (name, pattern) = (name.to_ascii_lowercase(), pattern.to_ascii_lowercase());
    match pattern.split_once('*') {
        Some((start, end)) => name.len() + 1 >= pattern.len() && name.starts_with(start) && name.ends_with(end),
        None => name == pattern,
    }
}

fn known_names() -> String {
    ROWS.iter().flat_map(|row| row.official).copied().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_has_its_own_profile() {
        let profiles = OutputProfiles::bundled();
        for &(_, condition) in PrintingCondition::NAMES {
            assert_eq!(profiles.of(condition).condition, condition);
        }
    }

    #[test]
    fn the_operators_profile_takes_the_place_of_ours() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("gracol2013_crpc6 (2).ICC"), ROWS[1].bundled).unwrap();
        let profiles = OutputProfiles::load(Some(folder.path())).unwrap();
        assert_eq!(profiles.of(PrintingCondition::Gracol2013).origin, "Converted with gracol2013_crpc6?(2).ICC");
        assert_eq!(profiles.of(PrintingCondition::Gracol2006).origin, ROWS[1].origin);
    }

    #[test]
    fn a_folder_that_does_not_help_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let load = || OutputProfiles::load(Some(folder.path())).err().unwrap().to_string();
        assert!(load().contains("GRACoL2006_Coated1v2.icc"), "{}", load());
        let file = folder.path().join("PSOcoated_v3.icc");
        std::fs::write(&file, b"no profile").unwrap();
        assert!(load().contains("PSOcoated_v3.icc") && load().contains("no ICC profile"), "{}", load());
        let mut damaged = ROWS[2].bundled.to_vec();
        let tables = damaged.len() / 8;
        damaged[300..tables * 7].fill(0);
        std::fs::write(&file, damaged).unwrap();
        assert!(load().contains("cannot be used"), "{}", load());
        let missing = OutputProfiles::load(Some(Path::new("no/such/folder"))).err().unwrap().to_string();
        assert!(missing.contains("no/such/folder"), "{missing}");
    }

    #[test]
    fn a_star_stands_for_anything_and_case_for_nothing() {
        assert!(fits("GRACoL2013_CRPC6.icc", "GRACoL2013_CRPC6*.icc"));
        assert!(fits("gracol2013_crpc6_v2.ICC", "GRACoL2013_CRPC6*.icc"));
        assert!(!fits("GRACoL2013_CRPC6.icm", "GRACoL2013_CRPC6*.icc") && !fits("ab", "ab*b"));
        assert!(!fits("PSOcoated_v3.icc.bak", "PSOcoated_v3.icc"));
    }
}
