//! A long time under mixed load: memory, open files and threads must not grow.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::pace::{Target, capacity, now, open_loop, runtime};
use crate::scenes::{self, Scene};
use crate::server::{Keys, Server, Vitals};
use crate::tally::Tally;

/// Part of the capacity that is asked.
const LOAD: f64 = 0.6;
/// Time between two looks.
const ROUND: Duration = Duration::from_secs(10);
/// Growth of resident memory over the second half, MiB an hour: beyond that, something leaks.
const MOST_GROWTH: f64 = 40.0;

/// Whether nothing grows.
pub(crate) fn run(plan: &Plan) -> bool {
    let (seconds, round) = (plan.number(900, 2), plan.duration(ROUND));
    let folder = tempfile::tempdir().unwrap();
    let keys = Arc::new(Keys::make(folder.path(), 1000));
    let server = Server::start(folder.path(), &[]);
    let target = Target { address: server.address.clone(), keys };
    // All but the pages that would keep all others waiting.
    let mixed: Vec<Scene> = scenes::all().into_iter().filter(|scene| scene.name != "A3-600-10k").collect();
    let runtime = runtime();
    let (capacity, _) = capacity(&runtime, &target, &mixed, 4, round);

    let mut looks: Vec<(f64, Vitals)> = Vec::new();
    let mut all = Tally::default();
    let started = now();
    while now() - started < Duration::from_secs(seconds) {
        all.merge(runtime.block_on(open_loop(&target, &mixed, capacity * LOAD, round)));
        looks.push(((now() - started).as_secs_f64(), server.vitals()));
    }
    println!("{:.1} pages/s of {capacity:.1} for {seconds} s: {all}", capacity * LOAD);
    for (at, vitals) in looks.iter().step_by((looks.len() / 8).max(1)) {
        let Vitals { resident_kib, files, threads, .. } = vitals;
        println!("after {at:.0} s: {} MB, {files} files, {threads} threads", resident_kib / 1024);
    }
    let second_half = &looks[looks.len() / 2..];
    let growth = slope(second_half.iter().map(|(at, vitals)| (*at, vitals.resident_kib as f64 / 1024.0))) * 3600.0;
    let (first, last) = (second_half[0].1, second_half[second_half.len() - 1].1);
    println!(
        "over the second half: {growth:.1} MiB an hour, {} → {} files, {} → {} threads; peak {} MB",
        first.files,
        last.files,
        first.threads,
        last.threads,
        last.peak_kib / 1024
    );
    all.others_than(&[200]).is_empty()
        && all.broken == 0
        && growth <= MOST_GROWTH
        && last.files <= first.files + 16
        && last.threads <= first.threads + 2
}

/// The slope of the straight line that fits the points best (least squares).
fn slope(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let number = points.clone().count() as f64;
    let (x_mean, y_mean) =
        points.clone().fold((0.0, 0.0), |(x, y), point| (x + point.0 / number, y + point.1 / number));
    let (covariance, variance) = points.fold((0.0, 0.0), |(covariance, variance), (x, y)| {
        (covariance + (x - x_mean) * (y - y_mean), variance + (x - x_mean).powi(2))
    });
    if variance > 0.0 { covariance / variance } else { 0.0 }
}
