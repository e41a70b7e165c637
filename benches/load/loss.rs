//! Loses devices while they draw: the next device draws the pages in flight again, soon.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::client::Client;
use crate::pace::{Target, now, runtime};
use crate::scenes;
use crate::server::{Keys, Server};
use crate::tally::Tally;

/// Pages from one loss to the next.
const PAGES_BETWEEN: u64 = 20;
/// Longest time that a loss may add to a page.
const LONGEST_RECOVERY: Duration = Duration::from_secs(1);

/// Whether all pages arrived, in time.
pub(crate) fn run(plan: &Plan) -> bool {
    let losses = plan.number(20, 2);
    let faults: Vec<String> = (1..=losses).map(|loss| format!("loss@{}", loss * PAGES_BETWEEN)).collect();
    let folder = tempfile::tempdir().unwrap();
    let keys = Arc::new(Keys::make(folder.path(), 10));
    let server = Server::start(folder.path(), &["--faults", &faults.join(",")]);
    let target = Target { address: server.address.clone(), keys };
    let scene = scenes::named("envelope");
    let mut times = Vec::new();
    let mut tally = Tally::default();
    runtime().block_on(async {
        let mut client = Client::new(&target.address);
        for _ in 0..(losses + 1) * PAGES_BETWEEN {
            let asked = now();
            let answer = client.ask(&scene, target.keys.next()).await;
            times.push(now() - asked);
            tally.note(&answer, now() - asked);
        }
    });
    times.sort_unstable();
    let usual = times[times.len() / 2];
    let met = &times[times.len() - losses as usize..];
    let lost = server.metric("longhand_gpu_losses_total", |_| true) as u64;
    println!("{lost} of {losses} devices lost: {tally}");
    let [usual_ms, median, worst] =
        [usual, met[met.len() / 2], met[met.len() - 1]].map(|time| time.as_secs_f64() * 1e3);
    println!("a page takes {usual_ms:.1} ms; one that meets a loss {median:.0} ms (median), {worst:.0} ms at worst");
    tally.others_than(&[200]).is_empty()
        && tally.broken == 0
        && lost == losses
        && met[met.len() - 1] <= usual + LONGEST_RECOVERY
}
