//! An operator's fonts for commands: loaded from the folders of a flag or of the configuration.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Failure, output, program};
use crate::catalogue::FontCatalogue;
use crate::config::{Config, FontsFailure};
use crate::own_fonts::{Examiner, FontLoader, LoadedFonts};

/// The folder, in the data directory, that keeps what examinations of fonts found.
const CACHE: &str = "fonts";

/// The flag that names folders of fonts.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct FontFolders {
    /// Folder of your own fonts, each with a TOML file beside it; may be repeated [default: those of the configuration]
    #[arg(long = "fonts-dir", value_name = "DIR")]
    folders: Vec<PathBuf>,
}

impl FontFolders {
    /// The configuration with these folders, if there are any.
    pub(super) fn over(&self, config: Config) -> Config {
        if self.folders.is_empty() { config } else { Config { fonts_dir: self.folders.clone(), ..config } }
    }
}

/// A loader of the configured folders. Results are kept if the data directory exists.
pub(super) fn loader(config: &Config) -> Result<FontLoader, Failure> {
    let examiner = Examiner::of(program()?);
    let cache = Some(&config.data_dir).filter(|folder| folder.is_dir()).map(|folder| folder.join(CACHE));
    Ok(FontLoader::new(config.fonts_dir.clone(), cache, examiner))
}

/// The fonts of the program and those of the configured folders. Tells those that are left out.
pub(super) fn catalogue(config: &Config) -> Result<Arc<FontCatalogue>, Failure> {
    let bundled = FontCatalogue::load()?;
    let loaded = load(config, &loader(config)?)?;
    for failure in &loaded.failures {
        output::note(&format!("warning: a font is left out: {failure}"));
    }
    Ok(Arc::new(with(&bundled, &loaded)))
}

/// Loads the fonts at the start.
///
/// # Errors
/// One cannot be loaded, and the configuration says that none may be left out.
pub(super) fn load(config: &Config, loader: &FontLoader) -> Result<LoadedFonts, Failure> {
    let fonts = loader.load(&LoadedFonts::default());
    if config.fonts_failure == FontsFailure::Stop && !fonts.failures.is_empty() {
        let failures: Vec<String> = fonts.failures.iter().map(|failure| format!("\n  {failure}")).collect();
        let failures = failures.concat();
        return Err(Failure::BadData(format!("fonts cannot be loaded (fonts_failure = \"stop\"):{failures}")));
    }
    Ok(fonts)
}

/// A catalogue with these fonts.
pub(super) fn with(bundled: &FontCatalogue, loaded: &LoadedFonts) -> FontCatalogue {
    bundled.with_operator_fonts(loaded.fonts.iter().map(|font| Arc::clone(&font.face)))
}
