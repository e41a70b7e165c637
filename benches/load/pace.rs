//! Two ways to send requests: a fixed number in flight, or a fixed rate, whatever the answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use longhand::clock::Clock;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::scenes::Scene;
use crate::server::Keys;
use crate::tally::Tally;

/// Most requests of an open loop in flight. Further ones are counted as not sent.
const MOST_UNDER_WAY: usize = 4096;

/// The service and the keys.
#[derive(Clone)]
pub(crate) struct Target {
    /// The service.
    pub(crate) address: String,
    /// Keys, taken in turn.
    pub(crate) keys: Arc<Keys>,
}

/// A runtime for the driver with one thread, to leave the cores to the service.
pub(crate) fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// The time now.
pub(crate) fn now() -> Instant {
    Clock::system().monotonic()
}

/// Keeps `in_flight` requests in flight for `duration`, each on its own connection, with the scenes in turn.
pub(crate) async fn closed_loop(target: &Target, scenes: &[Scene], in_flight: usize, duration: Duration) -> Tally {
    let until = now() + duration;
    let scenes: Arc<[Scene]> = scenes.into();
    let mut clients = JoinSet::new();
    for first in 0..in_flight {
        let (target, scenes) = (target.clone(), Arc::clone(&scenes));
        clients.spawn(async move {
            let (mut client, mut tally) = (Client::new(&target.address), Tally::default());
            for scene in scenes.iter().cycle().skip(first % scenes.len()) {
                let started = now();
                if started >= until {
                    break;
                }
                let answer = client.ask(scene, target.keys.next()).await;
                tally.note(&answer, now() - started);
                // The service shares its cores with the driver, which would only be refused again.
                let is_refused = answer.as_ref().is_ok_and(|answer| answer.status == 429);
                if is_refused || answer.is_err() {
                    tokio::time::sleep(Duration::from_millis(if is_refused { 20 } else { 1 })).await;
                }
            }
            tally
        });
    }
    gather(clients).await
}

/// Sends each scene once, with `in_flight` requests in flight, each on its own connection.
pub(crate) async fn each_once(target: &Target, scenes: &[Scene], in_flight: usize) -> Tally {
    let scenes: Arc<[Scene]> = scenes.into();
    let next = Arc::<AtomicUsize>::default();
    let mut clients = JoinSet::new();
    for _ in 0..in_flight {
        let (target, scenes, next) = (target.clone(), Arc::clone(&scenes), Arc::clone(&next));
        clients.spawn(async move {
            let (mut client, mut tally) = (Client::new(&target.address), Tally::default());
            while let Some(scene) = scenes.get(next.fetch_add(1, Ordering::Relaxed)) {
                let started = now();
                let answer = client.ask(scene, target.keys.next()).await;
                tally.note(&answer, now() - started);
            }
            tally
        });
    }
    gather(clients).await
}

/// Pages per second with `in_flight` requests in flight for `duration`, and the answers.
pub(crate) fn capacity(
    runtime: &Runtime,
    target: &Target,
    scenes: &[Scene],
    in_flight: usize,
    duration: Duration,
) -> (f64, Tally) {
    let started = now();
    let tally = runtime.block_on(closed_loop(target, scenes, in_flight, duration));
    (tally.count(200) as f64 / (now() - started).as_secs_f64(), tally)
}

/// Sends `rate` requests per second for `duration`, evenly, whether or not earlier ones were answered. Times count from
/// the moment when a request was due, so that they include all waiting while the service stalls.
pub(crate) async fn open_loop(target: &Target, scenes: &[Scene], rate: f64, duration: Duration) -> Tally {
    let started = now();
    let slots = Arc::new(Semaphore::new(MOST_UNDER_WAY));
    let idle = Arc::new(parking_lot::Mutex::new(Vec::<Client>::new()));
    let mut tally = Tally::default();
    let mut requests = JoinSet::new();
    for (number, scene) in scenes.iter().cycle().enumerate() {
        let due = Duration::from_secs_f64(number as f64 / rate);
        if due >= duration {
            break;
        }
        let due = started + due;
        tokio::time::sleep_until(due.into()).await;
        while let Some(done) = requests.try_join_next() {
            tally.merge(done.unwrap());
        }
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else {
            tally.not_sent += 1;
            continue;
        };
        let (target, scene, idle) = (target.clone(), scene.clone(), Arc::clone(&idle));
        requests.spawn(async move {
            let reused = idle.lock().pop();
            let mut client = reused.unwrap_or_else(|| Client::new(&target.address));
            let answer = client.ask(&scene, target.keys.next()).await;
            let mut tally = Tally::default();
            tally.note(&answer, now() - due);
            idle.lock().push(client);
            drop(slot);
            tally
        });
    }
    tally.merge(gather(requests).await);
    tally
}

async fn gather(mut tasks: JoinSet<Tally>) -> Tally {
    let mut tally = Tally::default();
    while let Some(done) = tasks.join_next().await {
        tally.merge(done.unwrap());
    }
    tally
}
