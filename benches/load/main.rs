//! Puts load on the running program: pages per second, times, and its behaviour under overload, with slow clients, when
//! it is killed, and over a long time.
//!
//! `cargo bench --bench load -- SCENARIO [WORD]` starts the real binary on loopback, with its own key store, for
//! one of the scenarios of [`SCENARIOS`]. Without a scenario it lists them. WORD selects scenes, or sets seconds where
//! the list says so; `LONGHAND_BINARY` names another build of the program to load. Everything is bounded: connections,
//! requests under way, memory and time. The driver shares the machine with the service, so that its figures are a lower
//! bound of what the service does alone.
//!
//! The files, bottom up: [`requests`] and [`scenes`] are the requests; [`client`] is a connection; [`server`] is the
//! process, measured from outside; [`tally`] counts answers; [`pace`] has closed and open loops; then one file per
//! scenario.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot run should say so and stop")]
#![allow(clippy::print_stdout, reason = "the tables are what this program is for")]
#![allow(clippy::panic, reason = "a service that breaks its promise under load ends the run")]

mod chaos;
mod client;
mod cpu;
mod fair;
mod jobs;
mod loss;
mod overload;
mod pace;
#[path = "../requests.rs"]
mod requests;
mod scale;
mod scenes;
mod server;
mod slow;
mod soak;
mod tally;
mod throughput;
mod vectors;

use std::time::Duration;

/// A scenario: name, description, function.
type Scenario = (&'static str, &'static str, fn(&Plan) -> bool);

const SCENARIOS: [Scenario; 11] = [
    (
        "throughput",
        "pages per second, p50 and p99 of every scene at 1, 2, 4, 8 and 32 in flight [scene]",
        throughput::run,
    ),
    ("cpu", "CPU time of a page by the role of the thread that spent it [pages]", cpu::run),
    ("scale", "two cores against one, waiting at 80 % load, memory, blank paper [seconds]", scale::run),
    ("overload", "five times its capacity for 60 s, then recovery [seconds]", overload::run),
    ("fair", "one key with fifty times the load of the others, which must not become slow [rounds]", fair::run),
    ("slow", "2,000 clients that send and read very slowly, beside ordinary ones [clients]", slow::run),
    ("vectors", "the dearest requests of every endpoint from eight keys, beside small pages [seconds]", vectors::run),
    ("loss", "20 devices lost while they draw, one after the other [losses]", loss::run),
    ("chaos", "killed and started again 20 times under load [kills]", chaos::run),
    ("jobs", "a job of 20,000 rows beside pages, and again while it is killed 20 times [rows]", jobs::run),
    ("soak", "mixed load for 15 minutes: memory, files and threads over time [seconds]", soak::run),
];

/// The arguments of the command line.
pub(crate) struct Plan {
    /// The word after the scenario.
    word: Option<String>,
    /// False if the driver is only tested: everything runs once and briefly.
    is_measuring: bool,
}

impl Plan {
    /// The word as a number, else `usual`; `brief` if the driver is only tested.
    pub(crate) fn number(&self, usual: u64, brief: u64) -> u64 {
        let asked = self.word.as_deref().map(|word| word.parse().expect("the word after the scenario is a number"));
        if self.is_measuring { asked.unwrap_or(usual) } else { brief }
    }

    /// False if the driver is only tested.
    pub(crate) const fn is_measuring(&self) -> bool {
        self.is_measuring
    }

    /// Whether a scene of this name is selected. One scene is enough to test the driver.
    pub(crate) fn selects(&self, scene: &str) -> bool {
        let tried_out = (!self.is_measuring).then_some("envelope");
        self.word.as_deref().or(tried_out).is_none_or(|word| scene.contains(word))
    }

    /// The duration of a measurement.
    pub(crate) fn duration(&self, usual: Duration) -> Duration {
        if self.is_measuring { usual } else { Duration::from_millis(300) }
    }
}

fn main() {
    // Only `cargo bench` passes this; `cargo test --benches` tries everything once.
    let is_measuring = std::env::args().any(|argument| argument == "--bench");
    let mut words = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let (asked, word) = (words.next(), words.next());
    let plan = Plan { word, is_measuring };
    let chosen: Vec<_> =
        SCENARIOS.iter().filter(|(name, ..)| asked.as_deref().map_or(!is_measuring, |asked| asked == *name)).collect();
    if chosen.is_empty() {
        for (name, what, _) in SCENARIOS {
            println!("{name:12} {what}");
        }
    }
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or_default();
    let mut holds = true;
    for (name, _, run) in chosen {
        println!("== {name} ({files} files at most)");
        holds &= run(&plan);
    }
    if !holds && is_measuring {
        println!("NOT AS PROMISED, see above");
        std::process::exit(1);
    }
}
