//! One key sends fifty times as many requests as each other key. The others must be served almost as if alone.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::pace::{Target, capacity, closed_loop, open_loop, runtime};
use crate::scenes;
use crate::server::{Keys, Server};
use crate::tally::Tally;

/// Keys with few requests.
const MODEST_KEYS: usize = 4;
/// The load of each of them as part of the capacity. Together they use far less than the capacity.
const MODEST_PART: f64 = 1.0 / 30.0;
/// Factor of the greedy key's load.
const GREED: f64 = 50.0;
/// Requests of the greedy key. Beyond 500 per minute the rate limit would refuse them before the queue.
const MOST_OF_ONE_KEY: f64 = 480.0;
/// Largest growth of the others' 99th percentile.
const MOST_DELAY: f64 = 3.0;

/// Whether the others were all served, and within the growth.
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
