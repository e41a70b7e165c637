//! Loads fonts from folders, at the start and at each reload.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::cache::Cache;
use super::child::{ExamineError, Examiner};
use super::description::Description;
use super::examination::{Examination, Measures, embedding_problem, examine};
use super::folder::{FontPaths, font_paths};
use super::identities::share_out;
use super::loaded::{FontFailure, LoadedFont, LoadedFonts, Outcome};
use super::{LARGEST_FILE, printable, read_regular};
use crate::catalogue::{Context, FontFace, FontFile, FontId, FontParts, FontRecord, FontStrokes, OPERATOR_IDS};

/// Loads the fonts of some folders.
#[derive(Clone, Debug)]
pub struct FontLoader {
    folders: Vec<PathBuf>,
    cache: Cache,
    examiner: Examiner,
}

impl FontLoader {
    /// A loader of these folders. Results of examinations are kept in the folder `cache`, if there is one.
    #[must_use]
    pub const fn new(folders: Vec<PathBuf>, cache: Option<PathBuf>, examiner: Examiner) -> Self {
        Self { folders, cache: Cache(cache), examiner }
    }

    /// Whether there is a folder to load from.
    #[must_use]
    pub const fn has_folders(&self) -> bool {
        !self.folders.is_empty()
    }

    /// Loads all fonts. Those that are as in `before` are taken from there; one whose file is broken now stays as it
    /// was; one whose file is gone goes. A font keeps its id if another one claims it. Files that were never examined are
    /// examined, some at a time.
    #[must_use]
    pub fn load(&self, before: &LoadedFonts) -> LoadedFonts {
        let mut loaded = LoadedFonts::default();
        let mut files = Vec::new();
        for folder in &self.folders {
            match font_paths(folder) {
                Ok(fonts) => files.extend(fonts),
                Err(error) => {
                    // A folder that is away for a moment takes no font away.
                    let old: Vec<_> =
                        before.fonts.iter().filter(|font| font.path.starts_with(folder)).cloned().collect();
                    let keeps_old = !old.is_empty();
                    loaded.fonts.extend(old);
                    loaded.failures.push(FontFailure { path: folder.clone(), reason: error.to_string(), keeps_old });
                }
            }
        }
        share_out(&files, &self.load_each(&files, before), &before.fonts, &mut loaded);
        loaded
    }

    /// Loads each file, as many at a time as there are cores.
    fn load_each(&self, files: &[FontPaths], before: &LoadedFonts) -> Vec<Outcome> {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get).min(files.len());
        let next = AtomicUsize::new(0);
        let outcomes: Vec<OnceLock<Outcome>> = files.iter().map(|_| OnceLock::new()).collect();
        let todo: Vec<_> = files.iter().zip(&outcomes).collect();
        let work = || {
            while let Some((paths, outcome)) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                outcome.get_or_init(|| self.load_one(paths, before));
            }
        };
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        outcomes.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    fn load_one(&self, paths: &FontPaths, before: &LoadedFonts) -> Outcome {
        let of_font = |reason: String| (paths.font.clone(), reason);
        let of_description = |reason: String| (paths.description.clone(), reason);
        let description = Description::read(&paths.description).map_err(of_description)?;
        let bytes = read_regular(&paths.font, LARGEST_FILE).map_err(|error| of_font(error.to_string()))?;
        let sha256 = FontFile::checksum(&bytes);
        let strokes = read_strokes(&paths.strokes, &sha256).map_err(|reason| (paths.strokes.clone(), reason))?;
        let strokes_sha256 = strokes.as_deref().map(FontFile::checksum);
        let is_same = |old: &&LoadedFont| {
            old.path == paths.font
                && old.face.sha256() == sha256
                && old.strokes == strokes_sha256
                && old.description == description
        };
        if let Some(old) = before.fonts.iter().find(is_same) {
            return Ok(old.clone());
        }
        let examination = self.examination(paths, &sha256, bytes.len() as u64).map_err(of_font)?;
        if let Some(problem) = examination.problems.first() {
            let is_cut_off = examination.cut_off_by.is_some();
            let kept = self.cache.file_of(&sha256).filter(|_| is_cut_off);
            let again = kept.map(|file| format!("; to have it examined again, delete {}", printable(&file)));
            return Err(of_font(format!("{problem}{}", again.unwrap_or_default())));
        }
        if let Some(problem) = embedding_problem(examination.fs_type).filter(|_| !description.licence_checked) {
            let remedy = "say licence_checked = true if its licence allows it nonetheless";
            return Err(of_description(format!("{problem}; {remedy}")));
        }
        let measures = examination.measures.ok_or_else(|| of_font("it was not measured".to_owned()))?;
        let warning = measures.letter_points.warning();
        let font = operator_font(paths.stem(), &description, measures, FontFile::keep(bytes));
        let font = FontParts { stroke_file: strokes.map(|strokes| FontFile::keep(strokes).bytes), ..font };
        let face = FontFace::of_operator(font).map_err(|error| of_font(error.to_string()))?;
        Ok(LoadedFont { path: paths.font.clone(), face: Arc::new(face), warning, description, strokes: strokes_sha256 })
    }

    /// The result for a file of this checksum and size: one that is kept, or else a new one.
    fn examination(&self, paths: &FontPaths, sha256: &str, bytes: u64) -> Result<Examination, String> {
        if let Some(known) = self.cache.read(sha256) {
            return Ok(known);
        }
        let examination = match self.examiner.examine(&paths.font, sha256) {
            Ok(examination) => examination,
            Err(ExamineError::CutOff(problem)) => Examination::cut_off(sha256, bytes, problem),
            Err(ExamineError::Failed(reason)) => return Err(reason),
        };
        self.cache.write(&examination);
        Ok(examination)
    }
}

/// The file of strokes for a font with this checksum, if there is one.
fn read_strokes(path: &Path, sha256: &str) -> Result<Option<Vec<u8>>, String> {
    let bytes = match read_regular(path, LARGEST_FILE) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| error.to_string())?,
    };
    let remedy = "make it again with scripts/strokes, or delete it";
    match FontStrokes::read(&bytes) {
        None => Err(format!("it is no file of strokes; {remedy}")),
        Some(_) if !FontStrokes::is_of(&bytes, sha256) => {
            Err(format!("it is of another version of the font; {remedy}"))
        }
        Some(_) => Ok(Some(bytes)),
    }
}

/// The font of a description and of bytes that are in no folder. It is examined in this process.
///
/// # Errors
/// The service could not use it.
pub fn unsaved_font(description: &str, bytes: Vec<u8>) -> Result<FontFace, String> {
    let description = Description::parse(description)?;
    let examination = examine(bytes.clone());
    if let Some(problem) = examination.problems.first() {
        return Err(problem.clone());
    }
    let measures = examination.measures.ok_or("it was not measured")?;
    let font = operator_font(description.name.clone(), &description, measures, FontFile::keep(bytes));
    FontFace::of_operator(font).map_err(|error| error.to_string())
}

fn operator_font(slug: String, description: &Description, measures: Measures, file: FontFile) -> FontParts {
    let Description {
        id,
        name,
        style,
        licence,
        neatness,
        slant,
        word_gap_em,
        fallback,
        variants,
        writer,
        keys,
        licence_checked: _,
    } = description.clone();
    let added = word_gap_em.map(|gap| gap - measures.word_space_em);
    let font = plain_font(id, name, measures, file);
    FontParts {
        record: FontRecord { style, license: licence, neatness, ..font.record },
        slug,
        fallback: fallback.into_iter().filter_map(FontId::new).collect(),
        slant_degrees: slant.unwrap_or(font.slant_degrees),
        word_gap_em: added.unwrap_or(font.word_gap_em),
        // Without its alternates, no letter depends on others of its word or line.
        context: if variants { Context::Neighbours } else { font.context },
        variants,
        manner: writer,
        keys,
        ..font
    }
}

/// A font as it was measured, without a description. An `id` that no font may have becomes 1001.
#[must_use]
pub fn plain_font(id: u16, name: String, measures: Measures, file: FontFile) -> FontParts {
    let first = || FontId::new(*OPERATOR_IDS.start());
    let id = FontId::new(id).filter(|id| !id.is_bundled()).or_else(first).unwrap_or(FontId::DEFAULT);
    let Measures {
        slant_degrees, added_word_gap_em, stroke_em, contrast, scripts, kerning, alternates, context, ..
    } = measures;
    let plain = FontParts::plain(id, file);
    let record = FontRecord { name, scripts, kerning, alternates, ..plain.record };
    FontParts { record, slant_degrees, word_gap_em: added_word_gap_em, stroke_em, contrast, context, ..plain }
}
