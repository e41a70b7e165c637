//! The service in process: real keys, quotas and limits in a temporary folder, and a renderer that tests control.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::{Duration, UNIX_EPOCH};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use hyper::body::Frame;
use longhand::access::{Access, Keys, RateLimits};
use longhand::catalogue::{FontCatalogue, FontId};
use longhand::clock::Clock;
use longhand::encode::OutputProfiles;
use longhand::hands::{Hands, ServedFonts};
use longhand::http::{Origin, PreviewWatermark, Renderer, Rendering, Service, router};
use longhand::jobs::{Jobs, JobsOptions, WorkbookReader, dir_in};
use longhand::own_fonts::{Examiner, FontLoader, LoadedFonts};
use longhand::pipeline::{
    AdapterDescription, Cost, DeviceHealth, DeviceStatus, Engine, FilePart, FileStart, PartSink, Preflight, Preview,
    PreviewMark, QueueStatus, RenderError, Rendered, RenderedFile, SpecimenWords, StageTimes, Tenant,
};
use longhand::spec::RenderSpec;
use longhand::uploads::{Uploads, dir_in as dir_of_artwork};
use parking_lot::Mutex;
use serde_json::Value;
use tower::ServiceExt as _;

/// 2026-11-21T12:00:00Z.
pub(crate) const NOW: u64 = 1_795_262_400;
/// How long the test service waits for a body.
pub(crate) const BODY_TIMEOUT: Duration = Duration::from_millis(200);

type Behaviour = Box<dyn Fn(&RenderSpec) -> Result<RenderedFile, RenderError> + Send>;

/// Answers as told and remembers what it was asked.
pub(crate) struct FakeRenderer {
    behaviour: Mutex<Behaviour>,
    /// Names of the devices.
    pub(crate) devices: Mutex<Vec<&'static str>>,
    /// What it says of its device.
    pub(crate) health: Mutex<DeviceHealth>,
    /// Pages in its queue, of a megapixel each; it has room for ten.
    pub(crate) depth: AtomicUsize,
    /// Pages asked for.
    pub(crate) calls: AtomicUsize,
    /// The latest specification.
    pub(crate) latest: Mutex<Option<RenderSpec>>,
    /// The mark of the latest preview.
    pub(crate) mark: Mutex<Option<PreviewMark>>,
    /// While it is held, pages do not finish.
    pub(crate) gate: tokio::sync::RwLock<()>,
    /// What follows the first part of a file; none where a file is one part.
    pub(crate) parts: Mutex<Vec<FilePart>>,
    /// Where the latest file of several parts is put.
    pub(crate) sink: Mutex<Option<Arc<dyn PartSink>>>,
}

impl FakeRenderer {
    pub(crate) fn does(&self, behaviour: impl Fn(&RenderSpec) -> Result<RenderedFile, RenderError> + Send + 'static) {
        *self.behaviour.lock() = Box::new(behaviour);
    }
}

impl Renderer for FakeRenderer {
    fn generate(&self, spec: RenderSpec, _: Tenant) -> Rendering<'_> {
        Box::pin(async move {
            self.calls.fetch_add(1, Ordering::SeqCst);
            *self.latest.lock() = Some(spec.clone());
            let _open = self.gate.read().await;
            let outcome = (self.behaviour.lock())(&spec);
            Rendered { outcome, stages: StageTimes::default() }
        })
    }

    fn generate_file(&self, spec: RenderSpec, tenant: Tenant, sink: Box<dyn PartSink>) -> Rendering<'_, FileStart> {
        Box::pin(async move {
            let Rendered { outcome, stages } = self.generate(spec, tenant).await;
            let parts = std::mem::take(&mut *self.parts.lock());
            let is_whole = parts.is_empty();
            if !is_whole {
                let sink: Arc<dyn PartSink> = Arc::from(sink);
                *self.sink.lock() = Some(Arc::clone(&sink));
                std::thread::spawn(move || parts.into_iter().for_each(|part| sink.put(part)));
            }
            Rendered { outcome: outcome.map(|rendered_file| FileStart { rendered_file, is_whole }), stages }
        })
    }

    fn lay_out(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_> {
        self.generate(spec, tenant)
    }

    fn generate_in_background(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_> {
        self.generate(spec, tenant)
    }

    fn lay_out_in_background(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_> {
        self.generate(spec, tenant)
    }

    fn preview(&self, spec: RenderSpec, mark: PreviewMark, tenant: Tenant) -> Rendering<'_, Preview> {
        Box::pin(async move {
            *self.mark.lock() = Some(mark);
            let Rendered { outcome, stages } = self.generate(spec, tenant).await;
            Rendered {
                outcome: outcome.map(|page| Preview {
                    page,
                    width: 1200,
                    height: 600,
                    number: 1,
                    words: Vec::new(),
                    hidden_rules: None,
                }),
                stages,
            }
        })
    }

    fn preflight(&self, spec: RenderSpec, _: Tenant) -> Rendering<'_, Preflight> {
        let catalogue = Arc::new(FontCatalogue::load().unwrap());
        let engine = Engine::without_device(catalogue, OutputProfiles::load(None).unwrap(), Clock::system());
        let mut stages = StageTimes::default();
        let outcome = engine.preflight(&spec, &mut stages);
        Box::pin(async move { Rendered { outcome, stages } })
    }

    fn specimen(&self, font: FontId, varies: bool) -> Rendering<'_, Vec<u8>> {
        Box::pin(async move {
            self.calls.fetch_add(1, Ordering::SeqCst);
            let outcome = (self.behaviour.lock())(&a_spec());
            let outcome =
                outcome.map(|_| format!("{}specimen {}", if varies { "varied " } else { "" }, font.get()).into_bytes());
            Rendered { outcome, stages: StageTimes::default() }
        })
    }

    fn specimen_words(&self, words: SpecimenWords, _: Tenant) -> Rendering<'_, Vec<u8>> {
        Box::pin(async move {
            let SpecimenWords { text, varies, .. } = words;
            let picture = format!("{}specimens of {text}", if varies { "varied " } else { "" });
            Rendered { outcome: Ok(picture.into_bytes()), stages: StageTimes::default() }
        })
    }

    fn devices(&self) -> Vec<DeviceStatus> {
        let status = |name: &&str| DeviceStatus {
            adapter: AdapterDescription {
                name: (*name).to_owned(),
                driver: "none".to_owned(),
                backend: "vulkan",
                kind: "cpu",
            },
            health: if *name == "broken" { DeviceHealth::Away } else { DeviceHealth::Working },
        };
        self.devices.lock().iter().map(status).collect()
    }

    fn device_health(&self) -> DeviceHealth {
        *self.health.lock()
    }

    fn queue(&self) -> QueueStatus {
        let pages = self.depth.load(Ordering::SeqCst);
        let waiting = Cost::new(pages as f64);
        QueueStatus { pages, waiting, limit: Cost::new(10.0), ..QueueStatus::default() }
    }
}

/// The folder of fonts beside the data.
pub(crate) fn fonts_in(folder: &Path) -> PathBuf {
    folder.join("fonts")
}

fn hands_in(folder: &Path) -> Arc<Hands> {
    let fonts = fonts_in(folder);
    std::fs::create_dir(&fonts).unwrap();
    Arc::new(Hands::new(env!("CARGO_BIN_EXE_longhand").into(), vec![fonts]).unwrap())
}

fn uploads_in(folder: &Path) -> Arc<Uploads> {
    Arc::new(Uploads::new(env!("CARGO_BIN_EXE_longhand").into(), dir_of_artwork(folder)))
}

/// Loads the fonts of a folder into the service.
struct FolderFonts {
    folder: PathBuf,
    service: Weak<Service>,
}

impl FolderFonts {
    fn load(&self) -> LoadedFonts {
        let examiner = Examiner::of(env!("CARGO_BIN_EXE_longhand").into());
        FontLoader::new(vec![self.folder.clone()], None, examiner).load(&LoadedFonts::default())
    }
}

impl ServedFonts for FolderFonts {
    fn ids(&self) -> BTreeSet<u16> {
        self.load().fonts.iter().map(|font| font.face.id().get()).collect()
    }

    fn reload(&self, font: &Path) -> Option<String> {
        let loaded = self.load();
        let faces = loaded.fonts.iter().map(|font| Arc::clone(&font.face));
        let catalogue = FontCatalogue::load().unwrap().with_operator_fonts(faces);
        self.service.upgrade().unwrap().set_fonts(&catalogue).unwrap();
        (!loaded.fonts.iter().any(|loaded| loaded.path == font)).then(|| format!("{:?}", loaded.failures))
    }
}

/// A page of these bytes.
pub(crate) fn page(bytes: &[u8]) -> RenderedFile {
    RenderedFile {
        bytes: bytes.to_vec(),
        width: 20,
        height: 10,
        pages: 1,
        calculated_font_size: Some(42),
        blocks: Vec::new(),
        seed: 7,
        representation: longhand::spec::Representation::Image,
        warnings: vec![],
    }
}

/// Any specification.
fn a_spec() -> RenderSpec {
    longhand::spec::parse_value(&serde_json::json!({"text": "x"}), longhand::spec::Endpoint::Generate, || 1).unwrap()
}

/// A running service and a key to it.
pub(crate) struct Site {
    pub(crate) router: Router,
    pub(crate) service: Arc<Service>,
    pub(crate) renderer: Arc<FakeRenderer>,
    pub(crate) clock: Clock,
    pub(crate) key: String,
    /// The data directory.
    pub(crate) folder: tempfile::TempDir,
}

/// What an operator sets.
#[derive(Default)]
pub(crate) struct Settings<'a> {
    pub(crate) monthly_quota: Option<u64>,
    /// Limits of the key.
    pub(crate) key_limits: RateLimits,
    /// Limits of keys without their own.
    pub(crate) rate_limits: RateLimits,
    pub(crate) preview_watermark: PreviewWatermark,
    pub(crate) origins: &'a [&'a str],
    /// Bytes that files of jobs may take.
    pub(crate) most_bytes: Option<u64>,
    /// Bytes of the disk that files of jobs leave free.
    pub(crate) keep_free: u64,
    /// Whether clients may make hands.
    pub(crate) makes_hands: bool,
    /// Whether clients may make links.
    pub(crate) makes_links: bool,
    /// Whether clients may upload pictures.
    pub(crate) keeps_artwork: bool,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) async fn of(response: axum::response::Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let answer = Self { status: parts.status, headers: parts.headers, body };
        let protected = ["x-content-type-options", "referrer-policy"].map(|name| answer.header(name));
        assert_eq!(protected, [Some("nosniff"), Some("no-referrer")], "stand on every answer: {answer:?}");
        answer
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Asserts status, code and what every error has, and returns the body.
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        assert_eq!((self.status.as_u16(), body["error"].as_str()), (status, Some(code)), "{self:?}");
        assert!(body["message"].as_str().is_some_and(|message| message.len() > 10), "{body}");
        assert_eq!(body["request_id"].as_str(), self.header("x-request-id"));
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert!(self.header("x-process-time").is_some());
        body
    }
}

impl Site {
    /// A service with one key that has no quota.
    pub(crate) fn open() -> Self {
        Self::with(None, &[])
    }

    /// A service with one key of this quota.
    pub(crate) fn with_quota(monthly_quota: u64) -> Self {
        Self::with(Some(monthly_quota), &[])
    }

    /// A service with one key, for browsers at these origins.
    pub(crate) fn with(monthly_quota: Option<u64>, origins: &[&str]) -> Self {
        Self::of(&Settings { monthly_quota, origins, ..Settings::default() })
    }

    /// A service with these settings, and one key.
    pub(crate) fn of(settings: &Settings<'_>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(UNIX_EPOCH + Duration::from_secs(NOW));
        let keys = Keys::open_in(folder.path(), clock.clone()).unwrap();
        let key = keys.create_limited("test", settings.monthly_quota, settings.key_limits).unwrap();
        let key = key.key.reveal().to_owned();
        let access = Access::open_local(folder.path(), clock.clone()).unwrap().with_rate_limits(settings.rate_limits);
        let access = Arc::new(access);
        let options = JobsOptions {
            dir: dir_in(folder.path()),
            bucket: None,
            store: None,
            keep: Duration::from_secs(7 * 24 * 3600),
            most_bytes: settings.most_bytes.unwrap_or(u64::MAX),
            keep_free: settings.keep_free,
            rows_at_a_time: 3,
            notify_hosts: vec!["127.0.0.1".parse().unwrap()],
            workbooks: WorkbookReader::of(env!("CARGO_BIN_EXE_longhand").into()),
        };
        let jobs = Jobs::open(options, Arc::clone(&access), clock.clone()).unwrap();
        let renderer = Arc::new(FakeRenderer {
            behaviour: Mutex::new(Box::new(|_| Ok(page(b"page")))),
            devices: Mutex::new(vec!["fake"]),
            health: Mutex::default(),
            depth: AtomicUsize::new(3),
            calls: AtomicUsize::new(0),
            latest: Mutex::default(),
            mark: Mutex::default(),
            gate: tokio::sync::RwLock::new(()),
            parts: Mutex::default(),
            sink: Mutex::default(),
        });
        let catalogue = FontCatalogue::load().unwrap();
        let service = Service::new(access, Arc::clone(&renderer) as _, &catalogue, BODY_TIMEOUT, clock.clone());
        let service = Arc::new(
            service
                .unwrap()
                .with_preview_watermark(settings.preview_watermark)
                .with_jobs(Some(Arc::new(jobs)))
                .with_links(settings.makes_links)
                .with_hands(settings.makes_hands.then(|| hands_in(folder.path())))
                .with_uploads(settings.keeps_artwork.then(|| uploads_in(folder.path()))),
        );
        if let Some(hands) = service.hands() {
            let fonts = FolderFonts { folder: fonts_in(folder.path()), service: Arc::downgrade(&service) };
            hands.serve(Arc::new(fonts));
        }
        let origins: Vec<Origin> = settings.origins.iter().map(|origin| origin.parse().unwrap()).collect();
        let router = router(Arc::clone(&service), &origins);
        Self { router, service, renderer, clock, key, folder }
    }

    /// The start of a request with the key.
    pub(crate) fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let request = Request::builder().method(method).uri(path);
        request.header("authorization", format!("Bearer {}", self.key))
    }

    /// Sends a request, with the `Host` that every client sends.
    pub(crate) async fn send(&self, mut request: Request<Body>) -> Answer {
        request.headers_mut().entry("host").or_insert_with(|| "test.example".parse().unwrap());
        Answer::of(self.router.clone().oneshot(request).await.unwrap()).await
    }

    /// `POST /api/v1/generate` of JSON with the key.
    pub(crate) async fn generate(&self, body: impl Into<Body>) -> Answer {
        self.post("/api/v1/generate", body).await
    }

    /// `POST` of JSON with the key.
    pub(crate) async fn post(&self, path: &str, body: impl Into<Body>) -> Answer {
        let request = self.request(Method::POST, path).header("content-type", "application/json");
        self.send(request.body(body.into()).unwrap()).await
    }

    /// `GET` with the key.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path).body(Body::empty()).unwrap()).await
    }
}

/// A request body of unknown length that arrives in pieces and tells whether anyone asked for it.
pub(crate) struct Trickle {
    pieces: std::collections::VecDeque<Bytes>,
    ends: bool,
    asked: Arc<AtomicBool>,
}

impl Trickle {
    /// A body of these pieces, complete after the last of them.
    pub(crate) fn of(pieces: impl IntoIterator<Item = Bytes>) -> Self {
        Self { pieces: pieces.into_iter().collect(), ends: true, asked: Arc::default() }
    }

    /// A body that begins and never ends.
    pub(crate) fn stalled() -> Self {
        Self { ends: false, ..Self::of([Bytes::from_static(b"{")]) }
    }

    /// True once a piece was asked for.
    pub(crate) fn asked(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.asked)
    }
}

impl HttpBody for Trickle {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.asked.store(true, Ordering::SeqCst);
        match self.pieces.pop_front() {
            Some(piece) => Poll::Ready(Some(Ok(Frame::data(piece)))),
            None if self.ends => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}
