//! Sends five times the capacity: the service refuses the excess, works at its capacity, and recovers at once.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::client::Client;
use crate::pace::{Target, capacity, closed_loop, now, open_loop, runtime};
use crate::scenes;
use crate::server::{Keys, Server};

/// The load as a multiple of the capacity.
const EXCESS: f64 = 5.0;
/// Least part of the capacity that must be delivered.
const LEAST_GOODPUT: f64 = 0.9;
/// Longest time until the service is as fast as an idle one again.
const LONGEST_RECOVERY: Duration = Duration::from_secs(5);
/// Longest time of 99 % of the refusals.
const LONGEST_REFUSAL_MS: f64 = 50.0;
/// Largest growth of memory from the first third of the overload to its end.
const MOST_GROWTH: f64 = 0.1;

/// Whether the promises hold.
pub(crate) fn run(plan: &Plan) -> bool {
    let seconds = plan.number(60, 1);
    let folder = tempfile::tempdir().unwrap();
    let keys = Arc::new(Keys::make(folder.path(), 2000));
    let server = Server::start(folder.path(), &[]);
    let target = Target { address: server.address.clone(), keys };
    let (runtime, scene) = (runtime(), [scenes::named("dense")]);

    let (warm_up, sample) = (plan.duration(Duration::from_secs(2)), plan.duration(Duration::from_secs(8)));
    runtime.block_on(closed_loop(&target, &scene, 8, warm_up));
    let alone = runtime.block_on(closed_loop(&target, &scene, 1, sample)).quantile_ms(200, 0.5);
    let (capacity, calm) = capacity(&runtime, &target, &scene, 8, sample);
    println!("capacity {capacity:.1} pages/s with 8 in flight, {alone:.1} ms per page with one: {calm}");

    let mut memory = vec![server.vitals().resident_kib];
    let started = now();
    let flood = runtime.block_on(async {
        let mut flood = pin!(open_loop(&target, &scene, capacity * EXCESS, Duration::from_secs(seconds)));
        loop {
            tokio::select! {
                tally = &mut flood => break tally,
                () = tokio::time::sleep(Duration::from_secs(seconds) / 12) => memory.push(server.vitals().resident_kib),
            }
        }
    });
    let took = (now() - started).as_secs_f64();
    let ended = now();
    let recovery = runtime.block_on(async {
        let mut client = Client::new(&target.address);
        loop {
            let asked = now();
            let answer = client.ask(&scene[0], target.keys.next()).await;
            let is_well = answer.is_ok_and(|answer| answer.status == 200);
            if (is_well && (now() - asked).as_secs_f64() * 1e3 < alone * 3.0) || now() - ended > LONGEST_RECOVERY * 4 {
                return now() - ended;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let goodput = flood.count(200) as f64 / took / capacity;
    let (third, last) = (memory[memory.len() / 3], memory[memory.len() - 1]);
    let growth = last as f64 / third as f64 - 1.0;
    println!("sent {:.1}/s for {took:.1} s: {flood}", capacity * EXCESS);
    println!(
        "goodput {:.0} %, recovery {:.0} ms, memory {:?} MB (peak {}), refusals without Retry-After {}",
        goodput * 100.0,
        recovery.as_secs_f64() * 1e3,
        memory.iter().map(|kib| kib / 1024).collect::<Vec<_>>(),
        server.vitals().peak_kib / 1024,
        flood.silent_refusals,
    );
    // The driver shares the cores, so the times measured inside the service are more exact.
    let refused = server.metric("longhand_shed_seconds_count", |_| true);
    let at_once = server.metric("longhand_shed_seconds_bucket", |labels| labels.contains("le=\"0.05\""));
    let expired = server.metric("longhand_sheds_total", |labels| labels.contains("reason=\"expired\""));
    println!("inside the service {at_once} of {refused} refusals took 50 ms at most; {expired} admitted pages expired");
    let refusal = flood.quantile_ms(503, 0.99);
    let unexpected = flood.others_than(&[200, 503]);
    println!("answers other than 200 and 503: {unexpected:?}");
    unexpected.is_empty()
        && flood.broken == 0
        && flood.silent_refusals == 0
        && refusal <= LONGEST_REFUSAL_MS
        && expired < 1.0
        && goodput >= LEAST_GOODPUT
        && recovery <= LONGEST_RECOVERY
        && growth <= MOST_GROWTH
}
