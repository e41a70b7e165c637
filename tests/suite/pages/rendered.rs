//! Pages rendered in process, by one engine that all tests of the binary share. Without an adapter these tests fail.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, UNIX_EPOCH};

use longhand::catalogue::{FontCatalogue, FontFace, FontNames};
use longhand::clock::Clock;
use longhand::encode::OutputProfiles;
use longhand::pipeline::{Engine, Preview, PreviewMark, RenderedFile, StageTimes};
use longhand::spec::{Endpoint, RenderSpec, parse_value_for};
use serde_json::Value;
use tempfile::TempDir;

/// The seed where a request names none, so that every run of the tests sees the same pages.
const SEED: u32 = 20_261_121;

/// When all pages are made: 2026-11-21T12:00:00Z.
const NOW: u64 = 1_795_262_400;

/// The fonts that a request may name: the ninety, and those of [`add_fonts`].
static NAMES: OnceLock<FontNames> = OnceLock::new();

fn names() -> FontNames {
    NAMES.get().cloned().unwrap_or_default()
}

/// The specification that a request means.
pub(crate) fn spec(request: &Value) -> RenderSpec {
    parse_value_for(&names(), request, Endpoint::Generate, || SEED)
        .unwrap_or_else(|violations| panic!("{request}: {violations:?}"))
}

/// The engine that all tests share.
pub(crate) fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let clock = Clock::manual(UNIX_EPOCH + Duration::from_secs(NOW));
        let catalogue = Arc::new(FontCatalogue::load().unwrap());
        Engine::open(catalogue, OutputProfiles::load(None).unwrap(), clock)
            .expect("GPU tests need a Vulkan adapter; `make test` installs lavapipe")
    })
}

/// Gives the engine fonts of an operator, once in a run of the tests.
pub(crate) fn add_fonts(faces: impl IntoIterator<Item = Arc<FontFace>>) {
    let with_fonts = engine().catalogue().with_operator_fonts(faces);
    NAMES.set(with_fonts.names()).expect("fonts are added once");
    engine().set_catalogue(Arc::new(with_fonts));
}

/// The request with more members.
pub(crate) fn with(request: &Value, members: &Value) -> Value {
    let mut request = request.clone();
    request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    request
}

/// The finished file of a request.
pub(crate) fn render(request: &Value) -> RenderedFile {
    engine().generate(&spec(request), &mut StageTimes::default()).unwrap_or_else(|error| panic!("{request}: {error:?}"))
}

/// Why a request is refused.
pub(crate) fn refuse(request: &Value) -> String {
    match engine().generate(&spec(request), &mut StageTimes::default()) {
        Ok(_) => panic!("{request} is rendered"),
        Err(error) => error.to_string(),
    }
}

/// The finished file of a request, if it has one.
pub(crate) fn try_render(request: &Value) -> Option<RenderedFile> {
    engine().generate(&spec(request), &mut StageTimes::default()).ok()
}

/// The preview of a request.
pub(crate) fn render_preview(request: &Value) -> Preview {
    render_marked(request, PreviewMark::Watermark)
}

/// The preview of a request with this mark.
pub(crate) fn render_marked(request: &Value, mark: PreviewMark) -> Preview {
    let spec = parse_value_for(&names(), request, Endpoint::Preview, || SEED)
        .unwrap_or_else(|error| panic!("{request}: {error:?}"));
    engine().preview(&spec, mark, &mut StageTimes::default()).unwrap_or_else(|error| panic!("{request}: {error:?}"))
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
        let extension = if bytes.starts_with(b"%PDF") { "pdf" } else { "png" };
        let path = self.folder.path().join(format!("{}.{extension}", self.added));
        self.added += 1;
        std::fs::write(&path, bytes).unwrap();
        path
    }
}
