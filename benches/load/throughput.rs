//! Pages a second and times at 1, 2, 4, 8 and 32 in flight, and at 80 % of the most that was reached.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::pace::{Target, capacity, closed_loop, now, open_loop, runtime};
use crate::scenes::{self, Scene};
use crate::server::{Keys, Server};
use crate::tally::Tally;

const IN_FLIGHT: [usize; 5] = [1, 2, 4, 8, 32];
const STEP: Duration = Duration::from_secs(5);

/// Prints a table; always holds.
pub(crate) fn run(plan: &Plan) -> bool {
    println!("\n| scene | in flight | pages/s | p50 ms | p99 ms | CPU ms a page | KB a page | not 200 |");
    println!("|---|---|---|---|---|---|---|---|");
    for scene in scenes::all().iter().filter(|scene| plan.selects(scene.name)) {
        measure(scene, plan.duration(STEP));
    }
    true
}

/// A server of its own a scene, so that the peak of memory is that scene's.
fn measure(scene: &Scene, step: Duration) {
    let folder = tempfile::tempdir().unwrap();
    let keys = Arc::new(Keys::make(folder.path(), 400));
    let server = Server::start(folder.path(), &[]);
    let target = Target { address: server.address.clone(), keys };
    let (runtime, one) = (runtime(), std::slice::from_ref(scene));
    runtime.block_on(closed_loop(&target, one, 2, step / 4));
    let mut most: f64 = 0.0;
    for in_flight in IN_FLIGHT {
        let before = server.vitals().cpu_seconds;
        let (rate, tally) = capacity(&runtime, &target, one, in_flight, step);
        most = most.max(rate);
        print_row(scene, &in_flight.to_string(), rate, server.vitals().cpu_seconds - before, &tally);
    }
    let (before, started) = (server.vitals().cpu_seconds, now());
    let tally = runtime.block_on(open_loop(&target, one, most * 0.8, step));
    let rate = tally.count(200) as f64 / (now() - started).as_secs_f64();
    print_row(scene, "80 % load", rate, server.vitals().cpu_seconds - before, &tally);
    println!("| {} | peak memory | {} MB | | | | |", scene.name, server.vitals().peak_kib / 1024);
}

fn print_row(scene: &Scene, load: &str, rate: f64, cpu_seconds: f64, tally: &Tally) {
    let pages = tally.count(200);
    println!(
        "| {} | {load} | {rate:.1} | {:.1} | {:.1} | {:.1} | {} | {} |",
        scene.name,
        tally.quantile_ms(200, 0.5),
        tally.quantile_ms(200, 0.99),
        cpu_seconds * 1e3 / pages as f64,
        tally.bytes / 1000 / (pages.max(1) as u64),
        tally.others_than(&[200]).iter().map(|(_, count)| *count as u64).sum::<u64>() + tally.broken,
    );
}
