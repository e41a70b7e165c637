//! One key that asks fifty times as much as each other key: the others must hardly notice.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::pace::{Target, capacity, closed_loop, open_loop, runtime};
use crate::scenes;
use crate::server::{Keys, Server};
use crate::tally::Tally;

/// Keys that ask little.
const MODEST_KEYS: usize = 4;
/// What each of them asks, as part of the capacity: together far less than there is.
const MODEST_PART: f64 = 1.0 / 30.0;
/// How many times as much the greedy key asks.
const GREED: f64 = 50.0;
/// Requests of the greedy key; beyond 500 a minute its rate limit would answer, and not the queue.
const MOST_OF_ONE_KEY: f64 = 480.0;
/// The 99th percentile of the others may grow so many times.
const MOST_DELAY: f64 = 3.0;

/// Whether the others were served in their turn.
pub(crate) fn run(plan: &Plan) -> bool {
    let rounds = plan.number(5, 1);
    let folder = tempfile::tempdir().unwrap();
    let crowd = Arc::new(Keys::make(folder.path(), 100));
    let modest = Arc::new(Keys::make(folder.path(), MODEST_KEYS));
    let greedy: Vec<_> = (0..rounds).map(|_| Arc::new(Keys::make(folder.path(), 1))).collect();
    let server = Server::start(folder.path(), &[]);
    let as_keys = |keys: &Arc<Keys>| Target { address: server.address.clone(), keys: Arc::clone(keys) };
    let (runtime, scene) = (runtime(), [scenes::named("dense")]);

    runtime.block_on(closed_loop(&as_keys(&crowd), &scene, 8, plan.duration(Duration::from_secs(2))));
    let (capacity, _) = capacity(&runtime, &as_keys(&crowd), &scene, 8, plan.duration(Duration::from_secs(8)));
    let (each, others) = (capacity * MODEST_PART, as_keys(&modest));
    let round = plan.duration(Duration::from_secs_f64((MOST_OF_ONE_KEY / (each * GREED)).min(12.0)));
    println!("capacity {capacity:.1} pages/s; {MODEST_KEYS} keys ask {each:.2}/s each, one asks {:.1}/s", each * GREED);

    let (mut alone, mut beside, mut greed) = (Tally::default(), Tally::default(), Tally::default());
    for greedy in &greedy {
        let modesty = || open_loop(&others, &scene, each * MODEST_KEYS as f64, round);
        alone.merge(runtime.block_on(modesty()));
        let greedy = as_keys(greedy);
        let together = async { tokio::join!(modesty(), open_loop(&greedy, &scene, each * GREED, round)) };
        let (modest, greedy) = runtime.block_on(together);
        beside.merge(modest);
        greed.merge(greedy);
    }
    println!("alone: {alone}");
    println!("beside it: {beside}");
    println!("the greedy key: {greed}");
    let delay = beside.quantile_ms(200, 0.99) / alone.quantile_ms(200, 0.99);
    println!("the others took {delay:.2} times as long (99th percentile)");
    beside.others_than(&[200]).is_empty() && beside.broken == 0 && delay <= MOST_DELAY
}
