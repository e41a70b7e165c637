//! Which font has an id that several claim.

use std::path::Path;

use super::folder::FontPaths;
use super::loaded::{FontFailure, LoadedFont, LoadedFonts, Outcome};
use super::printable;

/// Gives each id to one font. First choose the fonts that have their id already, then the others that are loaded, then
/// the new ones; in each of these groups the order of folders and names decides. Adds the fonts and the
/// failures to `loaded` in that order.
pub(super) fn share_out(files: &[FontPaths], outcomes: &[Outcome], before: &[LoadedFont], loaded: &mut LoadedFonts) {
    let old_of = |path: &Path| before.iter().find(|old| old.path == path);
    let rank = |place: &usize| match (old_of(&files[*place].font), &outcomes[*place]) {
        (Some(old), Ok(font)) if old.face.id() != font.face.id() => 1,
        (Some(_), _) => 0,
        (None, _) => 2,
    };
    let mut places: Vec<usize> = (0..files.len()).collect();
    places.sort_by_key(rank);
    let mut fonts: Vec<Option<LoadedFont>> = vec![None; files.len()];
    let mut failures: Vec<Option<FontFailure>> = vec![None; files.len()];
    for place in places {
        let FontPaths { font: file, description, .. } = &files[place];
        let owner = |font: &LoadedFont| {
            let mut all = loaded.fonts.iter().chain(fonts.iter().flatten());
            all.find(|other| other.face.id() == font.face.id())
        };
        let outcome = outcomes[place].clone().and_then(|font| match owner(&font) {
            None => Ok(font),
            Some(other) => Err((description.clone(), conflict(&font, other, before))),
        });
        match outcome {
            Ok(font) => fonts[place] = Some(font),
            Err((path, reason)) => {
                let old = old_of(file).filter(|old| owner(old).is_none()).cloned();
                failures[place] = Some(FontFailure { path, reason, keeps_old: old.is_some() });
                fonts[place] = old;
            }
        }
    }
    loaded.fonts.extend(fonts.into_iter().flatten());
    loaded.failures.extend(failures.into_iter().flatten());
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
