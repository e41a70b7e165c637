//! Ours and the peers on the same pages, turn by turn.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use longhand::catalogue::FontCatalogue;
use longhand::clock::Clock;
use longhand::layout::lay_out;
use longhand::pipeline::{AdapterDescription, StageTimes, Studio};
use longhand::spec::Effects;

use super::peers::{TinySkia, VelloCpu};
use super::scenes::Scene;

/// Turns that each program gets on each scene, after one that is not counted.
pub(crate) const ROUNDS: usize = 15;

/// Clock ticks a second in `/proc/self/stat`: fixed at 100 for user space on every Linux that Rust runs on.
const TICKS_A_SECOND: f64 = 100.0;

/// A program's name and one turn of it, from text to the file's bytes.
pub(crate) type Program<'a> = (&'static str, Box<dyn FnMut() -> Vec<u8> + 'a>);

/// What one program took for one scene.
pub(crate) struct Figures {
    pub(crate) program: &'static str,
    wall: Vec<Duration>,
    cpu_seconds: f64,
    pub(crate) file_bytes: usize,
}

impl Figures {
    pub(crate) fn median_ms(&self) -> f64 {
        let mut sorted = self.wall.clone();
        sorted.sort();
        sorted[sorted.len() / 2].as_secs_f64() * 1e3
    }

    pub(crate) fn cpu_ms(&self) -> f64 {
        self.cpu_seconds / self.wall.len() as f64 * 1e3
    }
}

/// Draws every scene with every program `rounds` times in turn; the result is a section for `RESULTS.md`.
pub(crate) fn run(
    scenes: &[Scene],
    catalogue: &FontCatalogue,
    studio: &Studio,
    adapter: &AdapterDescription,
    rounds: usize,
) -> String {
    let mut tiny_skia = TinySkia::new(catalogue);
    let mut vello_cpu = VelloCpu::new(catalogue);
    let mut table = format!("Machine: {}. Adapter: {}, {}.\n\n", machine(), adapter.name, adapter.driver);
    table.push_str("| page | program | median ms | CPU ms | PNG KB | times ours |\n|---|---|---|---|---|---|\n");
    // The peers know no effects.
    for scene in scenes.iter().filter(|scene| scene.spec.effects == Effects::default()) {
        let spec = &scene.spec;
        let mut programs: [Program<'_>; 3] = [
            ("longhand", Box::new(|| studio.generate(spec, &mut StageTimes::default()).unwrap().bytes)),
            ("vello_cpu 0.3 + png", Box::new(|| vello_cpu.draw(spec, &lay_out(spec, catalogue).unwrap()))),
            ("tiny-skia 0.12 + png", Box::new(|| tiny_skia.draw(spec, &lay_out(spec, catalogue).unwrap()))),
        ];
        assert_same_ink(&mut programs);
        let figures = take_turns(&mut programs, rounds);
        for figure in &figures {
            let _ = writeln!(
                table,
                "| {} | {} | {:.1} | {:.0} | {:.0} | {:.2} |",
                scene.name,
                figure.program,
                figure.median_ms(),
                figure.cpu_ms(),
                figure.file_bytes as f64 / 1e3,
                figure.median_ms() / figures[0].median_ms(),
            );
        }
    }
    table
}

/// One uncounted turn each, then `rounds` turns in rotation.
pub(crate) fn take_turns(programs: &mut [Program<'_>], rounds: usize) -> Vec<Figures> {
    let clock = Clock::system();
    let mut figures: Vec<Figures> = programs
        .iter_mut()
        .map(|(program, draw)| Figures { program, wall: Vec::new(), cpu_seconds: 0.0, file_bytes: draw().len() })
        .collect();
    for _ in 0..rounds {
        for ((_, draw), figures) in programs.iter_mut().zip(&mut figures) {
            let (started, cpu) = (clock.monotonic(), cpu_seconds());
            std::hint::black_box(draw());
            figures.wall.push(clock.monotonic() - started);
            figures.cpu_seconds += cpu_seconds() - cpu;
        }
    }
    figures
}

/// Peers that drew another page would be compared in vain: all programs must lay down the same ink. The
/// peers round each glyph to 8 bits and differ by a hundredth; a page of other glyphs would differ by far more.
fn assert_same_ink(programs: &mut [Program<'_>]) {
    let inks: Vec<f64> = programs.iter_mut().map(|(_, draw)| ink(&draw())).collect();
    for ((program, _), ink) in programs.iter().zip(&inks) {
        assert!((ink / inks[0] - 1.0).abs() < 0.02, "{program} draws {ink} full pixels of ink, we {}", inks[0]);
    }
}

/// The ink of an RGBA PNG in fully covered pixels.
fn ink(file: &[u8]) -> f64 {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels.chunks_exact(4).map(|pixel| f64::from(pixel[3])).sum::<f64>() / 255.0
}

/// Processor time of all threads of this process, to a hundredth of a second; zero where `/proc` does not tell.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is a name in parentheses that may hold spaces; user and system time are fields 14 and 15.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS_A_SECOND
}

/// The processor's name and the number of cores this process may use.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let cpuinfo = std::fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let name = model.map_or(std::env::consts::ARCH, |(_, name)| name);
    format!("{name}, {cores} cores")
}
