//! `longhand render`: one page, offline.

use std::path::{Path, PathBuf};

use super::request_input::RequestInput;
use super::{Failure, atomic_file, output};
use crate::clock::Clock;
use crate::pipeline::{PoolOptions, RenderPool, RenderedFile};
use crate::spec::Representation;

/// The arguments of `render`.
#[derive(clap::Args, Debug)]
pub(super) struct RenderCommand {
    /// File to write; where the request names no format, .pdf makes it a PDF and .svg an SVG
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    input: RequestInput,
}

impl RenderCommand {
    /// Renders and writes the page. The request is checked before a device is opened, so that its violations are
    /// reported without one.
    pub(super) fn run(self) -> Result<(), Failure> {
        let (spec, catalogue, profiles) = self.input.read(Some(&self.output))?;
        let options = PoolOptions { threads: 1, opens_device: spec.needs_device(), ..PoolOptions::default() };
        let pool = RenderPool::start(options, catalogue, profiles, Clock::system())?;
        let rendered_file = pool.generate_blocking(&spec)?;
        atomic_file::write(&self.output, &rendered_file.bytes)?;
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
    let RenderedFile { width, height, seed, representation, .. } = rendered_file;
    let representation = match representation {
        Representation::Image => String::new(),
        Representation::Outlines | Representation::Welded | Representation::Strokes => {
            format!(", {}", representation.name())
        }
    };
    output::note(&format!("{}: {width} x {height} px{representation}{size}, seed {seed}", path.display()));
}
