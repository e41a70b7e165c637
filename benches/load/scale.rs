//! How the service uses the machine: two cores against one, waiting at 80 % load, memory, and pages without ink.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::pace::{Target, capacity, closed_loop, now, open_loop, runtime};
use crate::scenes::{self, Scene};
use crate::server::{Keys, Server};

/// Requests in flight while the capacity is measured.
const IN_FLIGHT: usize = 8;
/// The load as part of the capacity while waiting is measured.
const LOAD: f64 = 0.8;
/// Blank pages to time. The minimum counts, because other work on the machine only adds to the time.
const BLANK_PAGES: usize = 200;

/// The bound of a number.
enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// Whether the goals are met.
pub(crate) fn run(plan: &Plan) -> bool {
    let step = plan.duration(Duration::from_secs(plan.number(10, 1)));
    let dense = scenes::named("dense");
    let (alone, together) = (arithmetic(1, step / 5), arithmetic(2, step / 5));
    println!("the machine: two threads of arithmetic do {:.2} times the work of one", together / alone);
    let one = Measured::of(&dense, step, "0");
    let two = Measured::of(&dense, step, "0,1");
    let (small, large) = (least_ms(&Scene::blank("a6", 300)), least_ms(&Scene::blank("a3", 600)));
    println!("\n| goal | found | bound |\n|---|---|---|");
    [
        ("pages/s on two cores, times those on one", two.rate / one.rate, Bound::AtLeast(1.8)),
        ("CPU time per page on two cores, times that on one", two.cpu_ms / one.cpu_ms, Bound::AtMost(1.2)),
        ("p99 at 80 % load, times p50", two.p99 / two.p50, Bound::AtMost(3.0)),
        ("peak memory, dense A4, MB", two.peak_mb, Bound::AtMost(200.0)),
        ("blank A3 at 600 DPI, times blank A6", large / small, Bound::AtMost(2.0)),
    ]
    .into_iter()
    .fold(true, |all_hold, (goal, found, bound)| all_hold & holds(goal, found, &bound))
}

fn holds(goal: &str, found: f64, bound: &Bound) -> bool {
    let (sign, limit, holds) = match bound {
        Bound::AtLeast(limit) => ("≥", limit, found >= *limit),
        Bound::AtMost(limit) => ("≤", limit, found <= *limit),
    };
    println!("| {goal} | {found:.2} | {sign} {limit}{} |", if holds { "" } else { ", NOT MET" });
    holds
}

struct Measured {
    rate: f64,
    cpu_ms: f64,
    p50: f64,
    p99: f64,
    peak_mb: f64,
}

impl Measured {
    /// Loads a service that may use these cores.
    fn of(scene: &Scene, step: Duration, cores: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let keys = Arc::new(Keys::make(folder.path(), 400));
        let server = Server::start_on(folder.path(), &[], Some(cores));
        let target = Target { address: server.address.clone(), keys };
        let (runtime, scenes) = (runtime(), std::slice::from_ref(scene));
        runtime.block_on(closed_loop(&target, scenes, 2, step / 4));
        let cpu_before = server.vitals().cpu_seconds;
        let (rate, full) = capacity(&runtime, &target, scenes, IN_FLIGHT, step);
        let cpu = server.vitals().cpu_seconds - cpu_before;
        let loaded = runtime.block_on(open_loop(&target, scenes, rate * LOAD, step));
        let measured = Self {
            rate,
            cpu_ms: cpu * 1e3 / full.count(200) as f64,
            p50: loaded.quantile_ms(200, 0.5),
            p99: loaded.quantile_ms(200, 0.99),
            peak_mb: server.vitals().peak_kib as f64 / 1024.0,
        };
        println!("cores {cores}: {rate:.1} pages/s, {:.1} ms of CPU per page; at 80 % load {loaded}", measured.cpu_ms);
        measured
    }
}

/// The amount of arithmetic that this number of threads does in this time. Two threads do twice as much as one only on
/// two real cores. Threads of one core, or cores shared with other machines, do less, which bounds every program.
fn arithmetic(threads: usize, time: Duration) -> f64 {
    let work = || {
        let mut numbers = [1.0_f32; 96];
        let (start, mut rounds) = (now(), 0_u32);
        while now() - start < time {
            for _ in 0..10_000 {
                for number in &mut numbers {
                    *number = *number * 0.999 + 0.001;
                }
            }
            std::hint::black_box(&numbers);
            rounds += 1;
        }
        f64::from(rounds)
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

/// The minimum time of a page, one at a time.
fn least_ms(scene: &Scene) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let keys = Arc::new(Keys::make(folder.path(), 4));
    let server = Server::start(folder.path(), &[]);
    let target = Target { address: server.address.clone(), keys };
    let mut client = crate::client::Client::new(&target.address);
    runtime().block_on(async {
        let mut least = f64::INFINITY;
        for _ in 0..BLANK_PAGES {
            let asked = now();
            let answer = client.ask(scene, target.keys.next()).await.unwrap();
            assert_eq!(answer.status, 200, "a blank page is a page");
            least = least.min((now() - asked).as_secs_f64() * 1e3);
        }
        least
    })
}
