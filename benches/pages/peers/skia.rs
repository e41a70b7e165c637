//! Skia, driven by `skia_peer.py`.

use longhand::geometry::PathCommand;
use serde_json::{Value, json};

use super::page::{GlyphRun, PeerPage, letter_and_numbers};
use super::process::PeerProcess;
use crate::measure::Turn;

/// What it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SkiaFile {
    /// One byte a pixel, for an encoder.
    Coverage,
    /// A PDF of vectors.
    Pdf,
}

/// The running `skia_peer.py`.
pub(crate) struct Skia {
    process: PeerProcess,
}

impl Skia {
    /// Starts it.
    ///
    /// # Errors
    /// There is no Python for it.
    pub(crate) fn start() -> Result<Self, String> {
        Ok(Self { process: PeerProcess::start_python("skia_peer.py")? })
    }

    /// Tells it a page: as glyphs if it can be, so that Skia keeps their bitmaps.
    pub(crate) fn learn(&mut self, name: &str, page: &PeerPage) {
        let [width, height] = page.size;
        let mut order = json!({"page": name, "width": width, "height": height, "dpi": page.dpi});
        if let Some(runs) = &page.runs {
            let run = |run: &GlyphRun| {
                let (glyphs, places): (Vec<u16>, Vec<[f64; 2]>) = run.glyphs.iter().copied().unzip();
                json!([run.file, run.em, glyphs, places])
            };
            order["runs"] = runs.iter().map(run).collect();
        } else {
            let step = |command: &PathCommand| {
                let (letter, numbers) = letter_and_numbers(command);
                std::iter::once(json!(letter)).chain(numbers.into_iter().map(Value::from)).collect::<Value>()
            };
            let path = |path: Vec<PathCommand>| path.iter().map(step).collect::<Value>();
            order["paths"] = page.placed().map(path).collect();
        }
        self.process.order(format!("{order}\n").as_bytes());
    }

    /// Draws a page that it knows.
    pub(crate) fn draw(&mut self, name: &str, file: SkiaFile) -> Turn {
        let file = match file {
            SkiaFile::Coverage => "coverage",
            SkiaFile::Pdf => "pdf",
        };
        self.process.order(format!("{}\n", json!({"draw": name, "file": file})).as_bytes());
        self.process.answer()
    }
}
