//! `longhand render`: one page, offline.

use std::path::{Path, PathBuf};

use super::atomic_file::{self, Readers};
use super::operator_fonts::{FontFolders, catalogue};
use super::request_input::RequestInput;
use super::{Failure, configured, output};
use crate::clock::Clock;
use crate::encode::OutputProfiles;
use crate::pipeline::{PoolOptions, RenderPool, RenderedFile};
use crate::spec::Writing;

/// The arguments of `render`.
#[derive(clap::Args, Debug)]
pub(super) struct RenderCommand {
    /// File to write; where the request names no format, .pdf makes it a PDF and .svg an SVG
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Folder of official ICC profiles for PDF/X, used instead of the bundled ones
    #[arg(long, value_name = "DIR")]
    icc_dir: Option<PathBuf>,
    #[command(flatten)]
    folders: FontFolders,
    #[command(flatten)]
    input: RequestInput,
}

impl RenderCommand {
    /// Renders and writes the page. The request is checked before a device is opened, so that its violations are
    /// reported without one.
    pub(super) fn run(self) -> Result<(), Failure> {
        let config = self.folders.over(configured()?);
        let catalogue = catalogue(&config)?;
        let spec = self.input.spec(Some(&self.output), &catalogue.names())?;
        let profiles = OutputProfiles::load(self.icc_dir.or(config.icc_dir).as_deref())?;
        let pool = RenderPool::start(
            PoolOptions { threads: 1, opens_device: spec.needs_device(), ..PoolOptions::default() },
            catalogue,
            profiles,
            Clock::system(),
        )?;
        let rendered_file = pool.generate_blocking(&spec)?;
        atomic_file::write(&self.output, &rendered_file.bytes, Readers::Default)
            .map_err(Failure::io("write", &self.output))?;
        report(&rendered_file, &self.output);
        Ok(())
    }
}

/// Remarks go to standard error, since the page itself may go to standard output (`-o /dev/stdout`).
fn report(rendered_file: &RenderedFile, path: &Path) {
    for warning in &rendered_file.warnings {
        output::note(&format!("warning: {}: {}", warning.kind.name(), warning.message));
    }
    let size = rendered_file.calculated_font_size.map(|size| format!(", font size {size}")).unwrap_or_default();
    let RenderedFile { width, height, seed, writing, .. } = rendered_file;
    let writing = match writing {
        Writing::Image => String::new(),
        Writing::Outlines | Writing::Welded | Writing::Strokes => format!(", {}", writing.name()),
    };
    output::note(&format!("{}: {width} x {height} px{writing}{size}, seed {seed}", path.display()));
}
