//! Pages rendered in process, by one studio that all tests of the binary share. Without an adapter these tests fail.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use longhand::catalogue::FontCatalogue;
use longhand::pipeline::{Artifact, Preview, Studio};
use longhand::spec::{Endpoint, RenderSpec, parse_value};
use serde_json::Value;
use tempfile::TempDir;

/// The seed where a request names none, so that every run of the tests sees the same pages.
const SEED: u32 = 20_261_121;

/// The specification that a request means.
pub(crate) fn spec(request: &Value) -> RenderSpec {
    parse_value(request, Endpoint::Generate, || SEED).unwrap_or_else(|violations| panic!("{request}: {violations:?}"))
}

/// The studio that all tests share.
fn studio() -> &'static Studio {
    static STUDIO: OnceLock<Studio> = OnceLock::new();
    STUDIO.get_or_init(|| {
        Studio::open(Arc::new(FontCatalogue::load().unwrap()))
            .expect("GPU tests need a Vulkan adapter; `make test` installs lavapipe")
    })
}

/// The finished artifact of a request.
pub(crate) fn render(request: &Value) -> Artifact {
    studio().generate(&spec(request)).unwrap_or_else(|error| panic!("{request}: {error:?}"))
}

/// The preview of a request.
pub(crate) fn render_preview(request: &Value) -> Preview {
    studio().preview(&spec(request)).unwrap_or_else(|error| panic!("{request}: {error:?}"))
}

/// Rendered files that are there as long as this value.
pub(crate) struct Pictures {
    folder: TempDir,
    added: usize,
}

impl Pictures {
    /// No pictures yet.
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap(), added: 0 }
    }

    /// Renders a request into a file.
    pub(crate) fn add(&mut self, request: &Value) -> PathBuf {
        self.add_bytes(&render(request).bytes)
    }

    /// Puts bytes into a file.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(format!("{}.png", self.added));
        self.added += 1;
        std::fs::write(&path, bytes).unwrap();
        path
    }
}
