//! Loads fonts from folders, at the start and at each reload.

use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::LARGEST_FILE;
use super::cache::Cache;
use super::child::Examiner;
use super::description::Description;
use super::examination::{Examination, Measures, embedding_problem};
use super::folder::{FontPaths, font_paths};
use crate::catalogue::{FontFace, FontFile, FontId, OPERATOR_IDS, OperatorFont};

/// A font that is loaded, and its file.
#[derive(Clone, Debug)]
pub struct LoadedFont {
    /// The font's file.
    pub path: PathBuf,
    /// The font.
    pub face: Arc<FontFace>,
    description: Description,
}

/// A font or folder that is not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FontFailure {
    /// The file with the defect: a font, its description, or a folder.
    pub path: PathBuf,
    /// What is wrong and, where it is not plain, what would be right.
    pub reason: String,
    /// Whether the font as it was before is still loaded.
    pub keeps_old: bool,
}

impl std::fmt::Display for FontFailure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {}", self.path.display(), self.reason)
    }
}

/// The fonts of an operator, by their files.
#[derive(Clone, Debug, Default)]
pub struct LoadedFonts {
    /// Those that are loaded, in the order of folders and names.
    pub fonts: Vec<LoadedFont>,
    /// What is not loaded.
    pub failures: Vec<FontFailure>,
}

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
    /// was; one whose file is gone goes. Files that were never examined are examined, some at a time.
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
        for (paths, outcome) in files.iter().zip(self.load_each(&files, before)) {
            let outcome =
                outcome.and_then(|font| match loaded.fonts.iter().find(|other| other.face.id() == font.face.id()) {
                    None => Ok(font),
                    Some(other) => {
                        let (id, other) = (font.face.id().get(), other.path.display());
                        Err((
                            paths.description.clone(),
                            format!("id: {other} has {id} already; give each font its own"),
                        ))
                    }
                });
            match outcome {
                Ok(font) => loaded.fonts.push(font),
                Err((path, reason)) => {
                    let is_free = |old: &&LoadedFont| !loaded.fonts.iter().any(|font| font.face.id() == old.face.id());
                    let old = before.fonts.iter().find(|old| old.path == paths.font).filter(is_free).cloned();
                    loaded.failures.push(FontFailure { path, reason, keeps_old: old.is_some() });
                    loaded.fonts.extend(old);
                }
            }
        }
        loaded
    }

    /// Loads each file, as many at a time as there are cores.
    fn load_each(&self, files: &[FontPaths], before: &LoadedFonts) -> Vec<Result<LoadedFont, (PathBuf, String)>> {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get).min(files.len());
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            while let Some((number, paths)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|number| Some((number, files.get(number)?)))
            {
                done.push((number, self.load_one(paths, before)));
            }
            done
        };
        let mut outcomes: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
        });
        outcomes.sort_by_key(|(number, _)| *number);
        outcomes.into_iter().map(|(_, outcome)| outcome).collect()
    }

    fn load_one(&self, paths: &FontPaths, before: &LoadedFonts) -> Result<LoadedFont, (PathBuf, String)> {
        let of_font = |reason: String| (paths.font.clone(), reason);
        let of_description = |reason: String| (paths.description.clone(), reason);
        let description = Description::read(&paths.description).map_err(of_description)?;
        let bytes = read(paths).map_err(of_font)?;
        let sha256 = FontFile::checksum(&bytes);
        let is_same =
            |old: &&LoadedFont| old.path == paths.font && old.face.sha256() == sha256 && old.description == description;
        if let Some(old) = before.fonts.iter().find(is_same) {
            return Ok(old.clone());
        }
        let examination = self.examination(paths, &sha256).map_err(of_font)?;
        if let Some(problem) = examination.problems.first() {
            return Err(of_font(problem.clone()));
        }
        if let Some(problem) = embedding_problem(examination.fs_type).filter(|_| !description.licence_checked) {
            let remedy = "say licence_checked = true if its licence allows it nonetheless";
            return Err(of_description(format!("{problem}; {remedy}")));
        }
        let measures = examination.measures.ok_or_else(|| of_font("it was not measured".to_owned()))?;
        let font = operator_font(paths, &description, measures, FontFile::keep(bytes));
        let face = FontFace::of_operator(font).map_err(|error| of_font(error.to_string()))?;
        Ok(LoadedFont { path: paths.font.clone(), face: Arc::new(face), description })
    }

    fn examination(&self, paths: &FontPaths, sha256: &str) -> Result<Examination, String> {
        if let Some(known) = self.cache.read(sha256) {
            return Ok(known);
        }
        let examination = self.examiner.examine(&paths.font, sha256)?;
        self.cache.write(&examination);
        Ok(examination)
    }
}

/// Reads a font's file, up to the limit.
fn read(paths: &FontPaths) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = std::fs::File::open(&paths.font).and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(format!("the file has more than the {LARGEST_FILE} bytes that are allowed"));
    }
    Ok(bytes)
}

fn operator_font(paths: &FontPaths, description: &Description, measures: Measures, file: FontFile) -> OperatorFont {
    let Description { id, name, style, licence, neatness, slant, word_gap_em, fallback, licence_checked: _ } =
        description.clone();
    let added = word_gap_em.map(|gap| gap - measures.word_space_em);
    let font = plain_font(id, name, measures, file);
    OperatorFont {
        slug: paths.stem(),
        style,
        licence,
        neatness,
        fallback: fallback.into_iter().filter_map(FontId::new).collect(),
        slant_degrees: slant.unwrap_or(font.slant_degrees),
        word_gap_em: added.unwrap_or(font.word_gap_em),
        ..font
    }
}

/// A font as it was measured, without a description. An `id` that no font may have becomes 1001.
#[must_use]
pub fn plain_font(id: u16, name: String, measures: Measures, file: FontFile) -> OperatorFont {
    let first = || FontId::new(*OPERATOR_IDS.start());
    let id = FontId::new(id).filter(|id| !id.is_bundled()).or_else(first).unwrap_or(FontId::DEFAULT);
    OperatorFont {
        name,
        slant_degrees: measures.slant_degrees,
        word_gap_em: measures.added_word_gap_em,
        stroke_em: measures.stroke_em,
        scripts: measures.scripts,
        kerning: measures.kerning,
        alternates: measures.alternates,
        context: measures.context,
        ..OperatorFont::plain(id, file)
    }
}
