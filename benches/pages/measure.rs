//! Programs take turns: what each took, and what it made.

use std::time::Duration;

use longhand::clock::Clock;
use longhand::pipeline::{Stage, StageTimes};

/// Turns that each program gets, after one that is not counted.
pub(crate) const ROUNDS: usize = 15;
/// A program gets fewer turns by as often as one of its turns holds this, but never fewer than every fifth.
const PATIENCE: Duration = Duration::from_millis(700);

/// One turn of a program, from text to the file's bytes.
pub(crate) struct Turn {
    pub(crate) wall: Duration,
    /// Processor time of all threads.
    pub(crate) cpu: Duration,
    pub(crate) file: Vec<u8>,
    /// Of our own programs alone.
    pub(crate) stages: StageTimes,
}

impl Turn {
    /// Times how this process makes a file.
    pub(crate) fn here(make: impl FnOnce(&mut StageTimes) -> Vec<u8>) -> Self {
        let mut stages = StageTimes::default();
        let (turn, file) = Self::timed(|| make(&mut stages));
        Self { file, stages, ..turn }
    }

    /// Times what this process does, as a turn without a file.
    pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (Self, T) {
        let clock = Clock::system();
        let (started, cpu) = (clock.monotonic(), cpu_time());
        let done = std::hint::black_box(work());
        let (wall, cpu) = (clock.monotonic() - started, cpu_time().saturating_sub(cpu));
        (Self { wall, cpu, file: Vec::new(), stages: StageTimes::default() }, done)
    }

    /// This turn and the `next` as one that makes the file of the second.
    pub(crate) fn then(self, next: Self) -> Self {
        Self { wall: self.wall + next.wall, cpu: self.cpu + next.cpu, ..next }
    }
}

/// A program at one page.
pub(crate) struct Program<'a> {
    /// The page's name in the tables.
    pub(crate) page: &'static str,
    /// The program's name in the tables.
    pub(crate) name: &'static str,
    pub(crate) turn: Box<dyn FnMut() -> Turn + 'a>,
}

/// What one program took for one page.
pub(crate) struct Figures {
    pub(crate) page: &'static str,
    pub(crate) program: &'static str,
    wall: Vec<Duration>,
    cpu: Vec<Duration>,
    stages: Vec<StageTimes>,
    pub(crate) file_bytes: usize,
}

impl Figures {
    /// The shortest turn, which others on the machine disturbed least.
    pub(crate) fn minimum_ms(&self) -> f64 {
        self.wall.iter().min().map_or(f64::NAN, milliseconds)
    }

    pub(crate) fn median_ms(&self) -> f64 {
        let mut sorted = self.wall.clone();
        sorted.sort();
        sorted.get(sorted.len() / 2).map_or(f64::NAN, milliseconds)
    }

    /// Processor time of a turn, the mean of all: the system counts it in steps of some milliseconds.
    pub(crate) fn cpu_ms(&self) -> f64 {
        milliseconds(&self.cpu.iter().sum()) / self.cpu.len() as f64
    }

    /// The shortest time of a stage, if the program tells its stages.
    pub(crate) fn stage_ms(&self, stage: Stage) -> Option<f64> {
        self.stages.iter().filter_map(|times| times.of(stage)).min().as_ref().map(milliseconds)
    }
}

fn milliseconds(time: &Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// One uncounted turn of each, whose files `check` is shown, then `rounds` turns in rotation, so that a machine whose
/// speed wanders treats all alike. Each is two in a row of which the second counts: what a page takes in a program that
/// makes page after page, and not what the program before it has left of the processor's caches.
pub(crate) fn take_turns(programs: &mut [Program<'_>], rounds: usize, check: impl FnOnce(&[Vec<u8>])) -> Vec<Figures> {
    let warm: Vec<Turn> = programs.iter_mut().map(|program| (program.turn)()).collect();
    let every: Vec<usize> =
        warm.iter().map(|turn| 1 + (turn.wall.as_millis() / PATIENCE.as_millis()).min(4) as usize).collect();
    let mut figures: Vec<Figures> = programs
        .iter()
        .zip(&warm)
        .map(|(&Program { page, name, .. }, turn)| Figures {
            page,
            program: name,
            wall: Vec::new(),
            cpu: Vec::new(),
            stages: Vec::new(),
            file_bytes: turn.file.len(),
        })
        .collect();
    check(&warm.into_iter().map(|turn| turn.file).collect::<Vec<_>>());
    for round in 0..rounds {
        let chosen = programs.iter_mut().zip(&mut figures).zip(&every).filter(|(_, every)| round % **every == 0);
        for ((program, figures), _) in chosen {
            drop((program.turn)());
            let Turn { wall, cpu, stages, .. } = (program.turn)();
            figures.wall.push(wall);
            figures.cpu.push(cpu);
            figures.stages.push(stages);
        }
    }
    figures
}

/// Processor time that all threads alive have had, as Linux counts it; zero where `/proc` does not tell.
fn cpu_time() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = threads.filter_map(|thread| {
        let times = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        times.split_whitespace().next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanoseconds.sum())
}
