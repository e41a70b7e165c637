//! Finds the files of fonts.

use std::path::{Path, PathBuf};

/// The file of a font, and the TOML file that describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FontPaths {
    /// The `.ttf` or `.otf` file.
    pub font: PathBuf,
    /// The file of the same name with `.toml`, which may not exist.
    pub description: PathBuf,
    /// The file of the same name with `.strokes`, which may not exist.
    pub strokes: PathBuf,
}

/// The fonts of a folder in order of their names, not those of folders in it; or the font that `path` is.
///
/// # Errors
/// It cannot be read.
pub fn font_paths(path: &Path) -> std::io::Result<Vec<FontPaths>> {
    if !path.is_dir() {
        std::fs::metadata(path)?;
        return Ok(vec![FontPaths::of(path.to_owned())]);
    }
    let mut fonts = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if is_font(&path) && path.is_file() {
            fonts.push(FontPaths::of(path));
        }
    }
    fonts.sort_by(|a, b| a.font.cmp(&b.font));
    Ok(fonts)
}

fn is_font(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["ttf", "otf"].iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

impl FontPaths {
    fn of(font: PathBuf) -> Self {
        Self { description: font.with_extension("toml"), strokes: font.with_extension("strokes"), font }
    }

    /// Base name of the file.
    #[must_use]
    pub fn stem(&self) -> String {
        self.font.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }
}
