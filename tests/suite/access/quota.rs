//! The monthly quota at its edge, under concurrency.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use longhand::access::{Access, Client, QuotaError};
use longhand::clock::Clock;
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

const NOVEMBER_2026: Duration = Duration::from_secs(1_795_262_660);

fn open(folder: &tempfile::TempDir) -> Arc<Access> {
    let clock = Clock::manual(std::time::UNIX_EPOCH + NOVEMBER_2026);
    Arc::new(Access::open_local(folder.path(), clock).unwrap())
}

fn client(access: &Access, monthly_quota: Option<u64>) -> Client {
    let created = access.keys().create("demo", monthly_quota).unwrap();
    runtime().block_on(access.authenticate(&created.key)).unwrap()
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

fn used(access: &Access) -> u64 {
    access.keys().list().unwrap()[0].used_this_month
}

#[test]
fn of_a_thousand_tasks_at_the_edge_exactly_the_quota_succeeds() {
    const QUOTA: u64 = 400;
    let folder = tempfile::tempdir().unwrap();
    let access = open(&folder);
    let client = client(&access, Some(QUOTA));
    let refused = Arc::new(AtomicUsize::new(0));
    Runtime::new().unwrap().block_on(async {
        let mut tasks = JoinSet::new();
        for number in 0..1000_u64 {
            let (access, client, refused) = (Arc::clone(&access), client.clone(), Arc::clone(&refused));
            tasks.spawn(async move {
                // A request in progress is counted. One in three fails and is released, so refused requests are
                // repeated, as clients do.
                loop {
                    match access.reserve(&client).await {
                        Ok(reservation) if number % 3 == 0 => {
                            tokio::task::yield_now().await;
                            return drop(reservation);
                        }
                        Ok(reservation) => {
                            tokio::task::yield_now().await;
                            return reservation.charge().await.unwrap();
                        }
                        Err(QuotaError::Exhausted { limit, used, .. }) => {
                            assert_eq!((limit, used), (QUOTA, QUOTA));
                            if access.keys().list().unwrap()[0].used_this_month == QUOTA {
                                refused.fetch_add(1, Ordering::Relaxed);
                                return;
                            }
                            tokio::task::yield_now().await;
                        }
                        Err(QuotaError::Store(error)) => panic!("{error}"),
                    }
                }
            });
        }
        while let Some(outcome) = tasks.join_next().await {
            outcome.unwrap();
        }
    });
    assert_eq!(used(&access), QUOTA);
    assert!(refused.load(Ordering::Relaxed) >= 667 - QUOTA as usize, "667 wanted to be charged");
}

#[test]
fn of_a_thousand_threads_at_the_edge_exactly_the_quota_is_reserved() {
    const QUOTA: usize = 137;
    let folder = tempfile::tempdir().unwrap();
    let access = open(&folder);
    let client = client(&access, Some(QUOTA as u64));
    let start = std::sync::Barrier::new(1000);
    let charged = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..1000 {
            scope.spawn(|| {
                start.wait();
                let runtime = runtime();
                if let Ok(reservation) = runtime.block_on(access.reserve(&client)) {
                    runtime.block_on(reservation.charge()).unwrap();
                    charged.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(charged.into_inner(), QUOTA);
    assert_eq!(used(&access), QUOTA as u64);
}

#[test]
fn charges_that_come_together_share_a_commit() {
    // Fewer than the pages after which SQLite checkpoints its log: each separate commit would leave a page in it.
    const CHARGES: u64 = 500;
    let folder = tempfile::tempdir().unwrap();
    let access = open(&folder);
    let client = client(&access, None);
    let store = folder.path().join("longhand.sqlite3");
    let log = store.with_extension("sqlite3-wal");
    let bytes_before = std::fs::metadata(&log).unwrap().len();
    let other_writer = rusqlite::Connection::open(&store).unwrap();
    other_writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    Runtime::new().unwrap().block_on(async {
        let mut tasks = JoinSet::new();
        for _ in 0..CHARGES {
            tasks.spawn(access.reserve(&client).await.unwrap().charge());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(tasks.try_join_next().is_none(), "nothing is charged while another process writes");
        other_writer.execute_batch("ROLLBACK").unwrap();
        while let Some(outcome) = tasks.join_next().await {
            outcome.unwrap().unwrap();
        }
    });
    assert_eq!(used(&access), CHARGES);
    let pages = (std::fs::metadata(&log).unwrap().len() - bytes_before) / 4096;
    assert!(pages < 50, "{pages} pages written for {CHARGES} charges");
}

#[test]
fn usage_is_listed_for_keys_with_and_without_quota() {
    let folder = tempfile::tempdir().unwrap();
    let access = open(&folder);
    let runtime = runtime();
    for quota in [None, Some(10)] {
        let client = client(&access, quota);
        for _ in 0..4 {
            runtime.block_on(async { access.reserve(&client).await.unwrap().charge().await }).unwrap();
        }
    }
    let listed: Vec<_> =
        access.keys().list().unwrap().into_iter().map(|key| (key.monthly_quota, key.used_this_month)).collect();
    assert_eq!(listed, [(None, 4), (Some(10), 4)]);
}
