//! Which font has an id that several claim.

use std::path::Path;

use super::folder::FontPaths;
use super::loaded::{FontFailure, LoadedFont, Outcome};
use super::printable;

/// Gives each id to one font. First choose the fonts that have their id already, then the others that are loaded, then
/// the new ones; in each of these groups the order of folders and names decides. Returns the fonts in that order.
pub(super) fn share_out(
    files: &[FontPaths],
    outcomes: Vec<Outcome>,
    before: &[LoadedFont],
    mut fonts: Vec<LoadedFont>,
    failures: &mut Vec<FontFailure>,
) -> Vec<LoadedFont> {
    let old_of = |path: &Path| before.iter().find(|old| old.path == path);
    let rank = |paths: &FontPaths, outcome: &Outcome| match (old_of(&paths.font), outcome) {
        (Some(old), Ok(font)) if old.face.id() != font.face.id() => 1,
        (Some(_), _) => 0,
        (None, _) => 2,
    };
    let mut claims: Vec<(usize, usize, Outcome)> = files
        .iter()
        .zip(outcomes)
        .enumerate()
        .map(|(place, (paths, outcome))| (rank(paths, &outcome), place, outcome))
        .collect();
    claims.sort_by_key(|(rank, place, _)| (*rank, *place));
    let mut taken: Vec<(usize, LoadedFont)> = Vec::new();
    let mut failed: Vec<(usize, FontFailure)> = Vec::new();
    for (_, place, outcome) in claims {
        let Some(paths) = files.get(place) else { continue };
        let has = |font: &LoadedFont| {
            let all = fonts.iter().chain(taken.iter().map(|(_, font)| font));
            all.into_iter().find(|other| other.face.id() == font.face.id())
        };
        let outcome = outcome.and_then(|font| match has(&font) {
            None => Ok(font),
            Some(other) => Err((paths.description.clone(), conflict(&font, other, before))),
        });
        match outcome {
            Ok(font) => taken.push((place, font)),
            Err((path, reason)) => {
                let old = old_of(&paths.font).filter(|old| has(old).is_none()).cloned();
                failed.push((place, FontFailure { path, reason, keeps_old: old.is_some() }));
                taken.extend(old.map(|old| (place, old)));
            }
        }
    }
    taken.sort_by_key(|(place, _)| *place);
    failed.sort_by_key(|(place, _)| *place);
    fonts.extend(taken.into_iter().map(|(_, font)| font));
    failures.extend(failed.into_iter().map(|(_, failure)| failure));
    fonts
}

/// Why a font does not get its id.
fn conflict(font: &LoadedFont, other: &LoadedFont, before: &[LoadedFont]) -> String {
    let (id, file, other_file) = (font.face.id().get(), printable(&font.path), printable(&other.path));
    let was_loaded = before.iter().any(|old| old.path == other.path && old.face.id() == other.face.id());
    let why = if was_loaded {
        "which was loaded before and keeps it"
    } else {
        "which comes first in the order of folders and names"
    };
    format!("id: {other_file} has {id} already, {why}; give {file} an id of its own")
}
