//! Ours and the peers at the same pages, in one rotation.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use longhand::catalogue::FontCatalogue;
use longhand::encode::encode_png;
use longhand::layout::lay_out;
use longhand::pipeline::{AdapterDescription, Engine, Stage};
use longhand::raster::Coverage;
use longhand::spec::{Effects, RenderSpec};

use super::measure::{Figures, Program, Turn, take_turns};
use super::peers::{TinySkia, VelloCpu};
use super::pillow::{Manner, Pillow};
use super::scenes::{Beside, Scene};

/// Our PNG.
pub(crate) const OURS: &str = "longhand";
/// Nothing but our PNG encoder, from coverage.
pub(crate) const ENCODER: &str = "longhand, encoder alone";
pub(crate) const VELLO_CPU: &str = "vello_cpu 0.3 + png";
pub(crate) const TINY_SKIA: &str = "tiny-skia 0.12 + png";
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
    let peers = Peers {
        catalogue,
        vello_cpu: RefCell::new(VelloCpu::new(catalogue)),
        tiny_skia: RefCell::new(TinySkia::new(catalogue)),
        pillow: RefCell::new(Pillow::start()),
    };
    let mut programs = Vec::new();
    for (scene, coverage) in scenes.iter().zip(coverages) {
        let page = scene.name;
        let ours = |name, spec| Program { page, name, turn: generating(engine, spec) };
        programs.push(ours(OURS, &scene.spec));
        programs.extend(scene.files.iter().map(|(name, spec)| ours(name, spec)));
        let spec = &scene.spec;
        let encode = move || Turn::here(|_| encode_png(coverage, spec.ink, spec.dpi.scale()));
        programs.push(Program { page, name: ENCODER, turn: Box::new(encode) });
        programs.extend(peers.programs(scene));
    }
    let drawn: Vec<_> = programs.iter().map(|program| (program.page, program.name)).collect();
    take_turns(&mut programs, rounds, |files| assert_same_ink(&drawn, files))
}

fn generating<'a>(engine: &'a Engine, spec: &'a RenderSpec) -> Box<dyn FnMut() -> Turn + 'a> {
    Box::new(|| Turn::here(|times| engine.generate(spec, times).unwrap().bytes))
}

/// The other programs, each with what it keeps from page to page.
struct Peers<'a> {
    catalogue: &'a FontCatalogue,
    vello_cpu: RefCell<VelloCpu<'a>>,
    tiny_skia: RefCell<TinySkia<'a>>,
    pillow: RefCell<Pillow>,
}

impl Peers<'_> {
    /// Those that draw the scene.
    fn programs<'b>(&'b self, scene: &'b Scene) -> Vec<Program<'b>> {
        let (page, spec) = (scene.name, &scene.spec);
        let pillow = |name, manner, is_bent| -> Program<'b> {
            Program { page, name, turn: Box::new(move || self.pillow.borrow_mut().draw(page, manner, is_bent)) }
        };
        let learn = || {
            // A bent page is a plain one before.
            let plain = RenderSpec { effects: Effects::default(), ..spec.clone() };
            let layout = lay_out(&plain, self.catalogue).unwrap();
            self.pillow.borrow_mut().learn(page, &plain, &layout, self.catalogue);
        };
        let layout = || lay_out(spec, self.catalogue).unwrap();
        let vello_cpu = move || Turn::here(|_| self.vello_cpu.borrow_mut().draw(spec, &layout()));
        let tiny_skia = move || Turn::here(|_| self.tiny_skia.borrow_mut().draw(spec, &layout()));
        match scene.beside {
            Beside::Nothing | Beside::Files => Vec::new(),
            Beside::Renderers => {
                learn();
                vec![
                    Program { page, name: VELLO_CPU, turn: Box::new(vello_cpu) },
                    Program { page, name: TINY_SKIA, turn: Box::new(tiny_skia) },
                    pillow(PILLOW, Manner::Usual, false),
                    pillow(PILLOW_FASTEST, Manner::Fastest, false),
                ]
            }
            Beside::Benders => {
                learn();
                vec![pillow(SCIPY, Manner::Usual, true), pillow(SCIPY_FASTEST, Manner::Fastest, true)]
            }
        }
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

/// The ink of an RGBA PNG in fully covered pixels.
fn ink(file: &[u8]) -> f64 {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
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
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let cpuinfo = std::fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = model.map_or(std::env::consts::ARCH, |(_, name)| name);
    format!("Machine: {name}, {cores} cores. Adapter: {}, {}.", adapter.name, adapter.driver)
}
