//! Ours and the peers at the same pages, in one rotation.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use longhand::catalogue::FontCatalogue;
use longhand::encode::{Ground, InkLayer, encode_layers_while};
use longhand::layout::{PageLayout, lay_out};
use longhand::pipeline::{AdapterDescription, Engine, Stage};
use longhand::raster::Coverage;
use longhand::spec::{Effects, PngFormat, RenderSpec};

use super::measure::{Figures, Program, Turn, take_turns};
use super::peers::{FileKind, Manner, Native, NativeProgram, PeerPage, Pillow, Skia, SkiaFile, TinySkia, VelloCpu};
use super::scenes::{Beside, Scene};

/// Our PNG.
pub(crate) const OURS: &str = "longhand";
/// Nothing but our PNG encoder, from coverage.
pub(crate) const ENCODER: &str = "longhand, encoder alone";
pub(crate) const ENCODER_INDEXED: &str = "longhand, encoder alone, indexed";
/// FreeType with a cache of glyphs at quarters of a px, and igzip; all threads if it is not said.
pub(crate) const FREETYPE: &str = "FreeType 2 + igzip";
pub(crate) const FREETYPE_ALONE: &str = "FreeType 2 + igzip, one thread";
pub(crate) const FREETYPE_INDEXED: &str = "FreeType 2 + igzip, indexed";
/// Blend2D on one byte a pixel.
pub(crate) const BLEND2D: &str = "Blend2D + igzip";
pub(crate) const BLEND2D_ALONE: &str = "Blend2D + igzip, one thread";
pub(crate) const BLEND2D_INDEXED: &str = "Blend2D + igzip, indexed";
/// Skia on one byte a pixel; it draws on one thread, and all encode.
pub(crate) const SKIA: &str = "Skia 144 + igzip";
/// Skia's PDF of vectors.
pub(crate) const SKIA_PDF: &str = "Skia 144, PDF";
pub(crate) const VELLO_CPU: &str = "vello_cpu 0.3 + igzip";
pub(crate) const VELLO_CPU_ALONE: &str = "vello_cpu 0.3 + igzip, one thread";
pub(crate) const TINY_SKIA: &str = "tiny-skia 0.12 + igzip";
/// Pillow as scripts use it.
pub(crate) const PILLOW: &str = "Pillow 13";
/// Pillow as fast as it gets.
pub(crate) const PILLOW_FASTEST: &str = "Pillow 13, fastest";
/// Pillow and `SciPy`, in the same two manners.
pub(crate) const SCIPY: &str = "Pillow 13 + SciPy";
pub(crate) const SCIPY_FASTEST: &str = "Pillow 13 + SciPy, fastest";

/// Has every program make each of its pages in turn. `coverages` are those of the scenes.
pub(crate) fn run(
    scenes: &[Scene],
    coverages: &[Coverage],
    catalogue: &FontCatalogue,
    engine: &Engine,
    rounds: usize,
) -> Vec<Figures> {
    let peers = Peers::start(catalogue);
    let mut programs = Vec::new();
    for (scene, coverage) in scenes.iter().zip(coverages) {
        let page = scene.name;
        let ours = |name, spec| Program { page, name, turn: generating(engine, spec) };
        programs.push(ours(OURS, &scene.spec));
        programs.extend(scene.files.iter().map(|(name, spec)| ours(name, spec)));
        for (name, format) in [(ENCODER, PngFormat::Rgba), (ENCODER_INDEXED, PngFormat::Indexed)] {
            let (ink, scale) = (scene.spec.ink, scene.spec.dpi.scale());
            let layers = [InkLayer { coverage, ink }];
            let encode = move || encode_layers_while(&layers, Ground::default(), format, scale, &|| true).unwrap();
            programs.push(Program { page, name, turn: Box::new(move || Turn::here(|_| encode())) });
        }
        programs.extend(peers.programs(scene));
    }
    let drawn: Vec<_> = programs.iter().map(|program| (program.page, program.name)).collect();
    take_turns(&mut programs, rounds, |files| assert_same_ink(&drawn, files))
}

fn generating<'a>(engine: &'a Engine, spec: &'a RenderSpec) -> Box<dyn FnMut() -> Turn + 'a> {
    Box::new(|| Turn::here(|times| engine.generate(spec, times).unwrap().bytes))
}

/// The cores, which are the threads that a program may have.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// A peer, or a note that it takes no part.
#[expect(clippy::print_stderr, reason = "it tells which peers are missing")]
fn prepared<T>(peer: Result<T, String>) -> Option<RefCell<T>> {
    peer.map(RefCell::new).map_err(|error| eprintln!("without a peer: {error}; `make bench` prepares it")).ok()
}

/// The other programs, each with what it keeps from page to page.
struct Peers<'a> {
    catalogue: &'a FontCatalogue,
    /// Encodes for all but Pillow.
    native: Option<RefCell<Native>>,
    skia: Option<RefCell<Skia>>,
    vello_cpu: RefCell<VelloCpu>,
    vello_cpu_alone: RefCell<VelloCpu>,
    tiny_skia: RefCell<TinySkia>,
    pillow: Option<RefCell<Pillow>>,
}

impl<'a> Peers<'a> {
    fn start(catalogue: &'a FontCatalogue) -> Self {
        Self {
            catalogue,
            native: prepared(Native::start()),
            skia: prepared(Skia::start()),
            vello_cpu: RefCell::new(VelloCpu::new(cores())),
            vello_cpu_alone: RefCell::new(VelloCpu::new(1)),
            tiny_skia: RefCell::default(),
            pillow: prepared(Pillow::start()),
        }
    }

    /// Those that draw the scene.
    fn programs<'b>(&'b self, scene: &'b Scene) -> Vec<Program<'b>> {
        match scene.beside {
            Beside::Nothing | Beside::Files => Vec::new(),
            Beside::Renderers => self.renderers(scene).into_iter().chain(self.scripts(scene)).collect(),
            Beside::OutlineRenderers => self.renderers(scene),
            Beside::Benders => self.benders(scene),
        }
    }

    /// Those that fill the outlines of the page.
    fn renderers<'b>(&'b self, scene: &'b Scene) -> Vec<Program<'b>> {
        use FileKind::{Indexed, Rgba};
        use NativeProgram::{Blend2D, FreeType};
        let (page, spec) = (scene.name, &scene.spec);
        let Some(native_peers) = &self.native else { return Vec::new() };
        let peer_page = PeerPage::of(spec, &lay_out(spec, self.catalogue).unwrap(), self.catalogue);
        native_peers.borrow_mut().learn(page, &peer_page);
        for vello_cpu in [&self.vello_cpu, &self.vello_cpu_alone] {
            vello_cpu.borrow_mut().learn(page, &peer_page);
        }
        self.tiny_skia.borrow_mut().learn(page, &peer_page);

        // All get our layout, whose time counts for them too.
        let laid_out = move || Turn::timed(|| lay_out(spec, self.catalogue).unwrap()).0;
        let native = |name, program, threads, kind| {
            let draw = move || native_peers.borrow_mut().draw(page, program, threads, kind);
            Program { page, name, turn: Box::new(move || laid_out().then(draw())) }
        };
        let encode = move |threads, size, pixels: &[u8]| native_peers.borrow_mut().encode(size, pixels, threads, Rgba);
        let vello_cpu = |name, vello_cpu: &'b RefCell<VelloCpu>, threads| {
            let draw = move || {
                let mut vello_cpu = vello_cpu.borrow_mut();
                let (turn, (size, pixels)) = Turn::timed(|| vello_cpu.draw(page));
                turn.then(encode(threads, size, pixels))
            };
            Program { page, name, turn: Box::new(move || laid_out().then(draw())) }
        };
        let tiny_skia = move || {
            let mut tiny_skia = self.tiny_skia.borrow_mut();
            let (turn, (size, pixels)) = Turn::timed(|| tiny_skia.draw(page));
            laid_out().then(turn).then(encode(1, size, pixels))
        };
        let mut programs = vec![
            native(FREETYPE, FreeType, cores(), Rgba),
            native(FREETYPE_INDEXED, FreeType, cores(), Indexed),
            native(FREETYPE_ALONE, FreeType, 1, Rgba),
            vello_cpu(VELLO_CPU, &self.vello_cpu, cores()),
            vello_cpu(VELLO_CPU_ALONE, &self.vello_cpu_alone, 1),
            Program { page, name: TINY_SKIA, turn: Box::new(tiny_skia) },
        ];
        if let Some(skia) = &self.skia {
            skia.borrow_mut().learn(page, &peer_page);
            let size = peer_page.size;
            let draw = move || {
                let drawn = skia.borrow_mut().draw(page, SkiaFile::Coverage);
                let encoded = encode(cores(), size, &drawn.file);
                laid_out().then(drawn).then(encoded)
            };
            programs.push(Program { page, name: SKIA, turn: Box::new(draw) });
            let pdf = move || laid_out().then(skia.borrow_mut().draw(page, SkiaFile::Pdf));
            programs.push(Program { page, name: SKIA_PDF, turn: Box::new(pdf) });
        }
        if native_peers.borrow().has_blend2d {
            programs.push(native(BLEND2D, Blend2D, cores(), Rgba));
            programs.push(native(BLEND2D_INDEXED, Blend2D, cores(), Indexed));
            programs.push(native(BLEND2D_ALONE, Blend2D, 1, Rgba));
        }
        programs
    }

    /// Pillow, as scripts use it and at its fastest.
    fn scripts<'b>(&'b self, scene: &'b Scene) -> Vec<Program<'b>> {
        self.pillows(scene, [(PILLOW, Manner::Usual), (PILLOW_FASTEST, Manner::Fastest)], false)
    }

    /// Pillow, and `SciPy` that bends what it drew.
    fn benders<'b>(&'b self, scene: &'b Scene) -> Vec<Program<'b>> {
        self.pillows(scene, [(SCIPY, Manner::Usual), (SCIPY_FASTEST, Manner::Fastest)], true)
    }

    fn pillows<'b>(
        &'b self,
        scene: &'b Scene,
        manners: [(&'static str, Manner); 2],
        is_bent: bool,
    ) -> Vec<Program<'b>> {
        let page = scene.name;
        let Some(pillow) = &self.pillow else { return Vec::new() };
        // A bent page is a plain one before.
        let plain = RenderSpec { effects: Effects::default(), ..scene.spec.clone() };
        let layout: PageLayout = lay_out(&plain, self.catalogue).unwrap();
        pillow.borrow_mut().learn(page, &plain, &layout, self.catalogue);
        let program = |(name, manner)| -> Program<'b> {
            Program { page, name, turn: Box::new(move || pillow.borrow_mut().draw(page, manner, is_bent)) }
        };
        manners.into_iter().map(program).collect()
    }
}

/// Most by which a peer's ink may differ from ours. The peers round each glyph to 8 bits and differ by a hundredth;
/// Pillow cannot but fit strokes to the grid of pixels, which thickens them by two or three. A page of other glyphs
/// would differ by far more.
const STRAY_INK: f64 = 0.02;
/// The same for Pillow.
const STRAY_INK_OF_PILLOW: f64 = 0.05;

/// Peers that drew another page would be compared in vain: all programs that make a PNG must lay down the same ink.
fn assert_same_ink(drawn: &[(&str, &str)], files: &[Vec<u8>]) {
    let mut inks: HashMap<&str, f64> = HashMap::new();
    for (&(page, program), file) in drawn.iter().zip(files).filter(|(_, file)| file.starts_with(b"\x89PNG")) {
        let ink = ink(file);
        let ours = *inks.entry(page).or_insert(ink);
        let stray = if program.starts_with("Pillow") { STRAY_INK_OF_PILLOW } else { STRAY_INK };
        assert!(
            (ink - ours).abs() <= stray * ours,
            "{program} draws {page} with {ink} full pixels of ink, we with {ours}"
        );
    }
}

/// The ink of a PNG in fully covered pixels.
fn ink(file: &[u8]) -> f64 {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    // Indices become RGBA.
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels.chunks_exact(4).map(|pixel| f64::from(pixel[3])).sum::<f64>() / 255.0
}

/// All figures, page by page.
pub(crate) fn table(figures: &[Figures]) -> String {
    let mut table = "| page | program | minimum ms | median ms | CPU ms | KB | times ours |\n".to_owned();
    table.push_str("|---|---|---|---|---|---|---|\n");
    for page in figures.chunk_by(|one, next| one.page == next.page) {
        for figure in page {
            let _ = writeln!(
                table,
                "| {} | {} | {:.2} | {:.2} | {:.2} | {:.1} | {:.2} |",
                figure.page,
                figure.program,
                figure.minimum_ms(),
                figure.median_ms(),
                figure.cpu_ms(),
                figure.file_bytes as f64 / 1e3,
                figure.minimum_ms() / page[0].minimum_ms(),
            );
        }
    }
    table
}

/// Where the time of our PNG goes: the shortest time of each stage.
pub(crate) fn stages(figures: &[Figures]) -> String {
    const STAGES: [Stage; 4] = [Stage::LayOut, Stage::Compose, Stage::Draw, Stage::Encode];
    let mut table = "| page | lay out ms | compose ms | draw ms | encode ms |\n|---|---|---|---|---|\n".to_owned();
    for figure in figures.iter().filter(|figure| figure.program == OURS) {
        let _ = write!(table, "| {}", figure.page);
        for time in STAGES.map(|stage| figure.stage_ms(stage).unwrap_or(f64::NAN)) {
            let _ = write!(table, " | {time:.2}");
        }
        table.push_str(" |\n");
    }
    table
}

/// What the figures were taken on.
pub(crate) fn machine(adapter: &AdapterDescription) -> String {
    let cores = cores();
    let cpuinfo = std::fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = model.map_or(std::env::consts::ARCH, |(_, name)| name);
    format!("Machine: {name}, {cores} cores. Adapter: {}, {}.", adapter.name, adapter.driver)
}
