//! Quotas and charges over a file.

use std::time::{Duration, UNIX_EPOCH};

use rusqlite::{Connection, params};

use super::*;

/// One second before December 2026.
const LAST_SECOND_OF_NOVEMBER: Duration = Duration::from_secs(1_796_083_199);
const NOVEMBER: i64 = 202_611;
const DECEMBER: i64 = 202_612;

struct Fixture {
    folder: tempfile::TempDir,
    clock: Clock,
    access: Access,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(UNIX_EPOCH + LAST_SECOND_OF_NOVEMBER);
        let access = Access::open_local(folder.path(), clock.clone()).unwrap();
        Self { folder, clock, access }
    }

    fn reopened(self) -> Self {
        let Self { folder, clock, access } = self;
        drop(access);
        let access = Access::open_local(folder.path(), clock.clone()).unwrap();
        Self { folder, clock, access }
    }

    fn reserve(&self, client: &Client) -> Result<Reservation, QuotaError> {
        wait(self.access.reserve(client))
    }

    fn charge(&self, client: &Client) {
        wait(self.reserve(client).unwrap().charge()).unwrap();
    }

    fn refusal(&self, client: &Client) -> (u64, u64, String) {
        match self.reserve(client).unwrap_err() {
            QuotaError::Exhausted { limit, used, reset_at, .. } => (limit, used, reset_at),
            QuotaError::Store(error) => panic!("{error}"),
        }
    }

    fn file(&self) -> Connection {
        Connection::open(self.folder.path().join(STORE_FILE)).unwrap()
    }

    fn charged_in_store(&self, client: &Client, month: i64) -> i64 {
        let select = "SELECT coalesce(sum(charged), 0) FROM monthly_usage WHERE key_id = ?1 AND month = ?2";
        self.file().query_row(select, params![client.key_id.as_str(), month], |row| row.get(0)).unwrap()
    }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn client(monthly_quota: Option<u64>) -> Client {
    Client { key_id: KeyId::from("key"), name: Arc::from("shop"), monthly_quota, rate_limits: RateLimits::default() }
}

#[test]
fn the_quota_is_the_number_of_charged_requests() {
    let fixture = Fixture::new();
    let client = client(Some(3));
    (0..3).for_each(|_| fixture.charge(&client));
    assert_eq!(fixture.refusal(&client), (3, 3, "2026-12-01T00:00:00Z".to_owned()));
}

#[test]
fn a_quota_of_zero_allows_nothing_and_none_allows_all() {
    let fixture = Fixture::new();
    assert_eq!(fixture.refusal(&client(Some(0))).1, 0);
    (0..50).for_each(|_| fixture.charge(&client(None)));
    assert_eq!(fixture.charged_in_store(&client(None), NOVEMBER), 50);
}

#[test]
fn a_dropped_reservation_is_released() {
    let fixture = Fixture::new();
    let client = client(Some(1));
    let reservation = fixture.reserve(&client).unwrap();
    assert_eq!(fixture.refusal(&client).1, 1, "a request in progress is counted");
    drop(reservation);
    fixture.charge(&client);
    assert_eq!(fixture.charged_in_store(&client, NOVEMBER), 1);
}

#[test]
fn a_refusal_says_how_many_requests_in_progress_may_be_released() {
    let fixture = Fixture::new();
    let client = client(Some(2));
    let in_progress = || match fixture.reserve(&client).unwrap_err() {
        QuotaError::Exhausted { in_progress, .. } => in_progress,
        QuotaError::Store(error) => panic!("{error}"),
    };
    fixture.charge(&client);
    let reservation = fixture.reserve(&client).unwrap();
    assert_eq!(in_progress(), 1);
    wait(reservation.charge()).unwrap();
    assert_eq!(in_progress(), 0);
}

#[test]
fn a_charge_nobody_waits_for_charges_nothing() {
    let fixture = Fixture::new();
    let client = client(Some(1));
    drop(fixture.reserve(&client).unwrap().charge());
    fixture.charge(&client);
}

#[test]
fn an_answer_and_its_charge_are_durable_together_and_an_attempt_ends_with_its_process() {
    let fixture = Fixture::new();
    let client = client(Some(5));
    let begin = |fixture: &Fixture| {
        let key = IdempotencyKey::parse("once").unwrap();
        wait(fixture.access.begin(&client, key, Fingerprint::of("/generate", &[b"{}"]))).unwrap()
    };
    let Begun::First(attempt) = begin(&fixture) else { panic!("nothing was begun") };
    assert!(matches!(begin(&fixture), Begun::InProgress));
    std::mem::forget(attempt);
    let fixture = fixture.reopened();
    let Begun::First(attempt) = begin(&fixture) else { panic!("the process that began it is gone") };
    let reservation = fixture.reserve(&client).unwrap().answering(attempt, "7");
    fixture.file().execute_batch("ALTER TABLE answer RENAME TO mislaid").unwrap();
    assert!(wait(reservation.charge()).is_err());
    assert_eq!(fixture.charged_in_store(&client, NOVEMBER), 0, "neither is kept without the other");
    fixture.file().execute_batch("ALTER TABLE mislaid RENAME TO answer").unwrap();
    while !fixture.access.status().is_up {
        std::thread::sleep(Duration::from_millis(10));
    }
    let Begun::First(attempt) = begin(&fixture) else { panic!("the attempt failed") };
    wait(fixture.reserve(&client).unwrap().answering(attempt, "7").charge()).unwrap();
    let fixture = fixture.reopened();
    assert!(matches!(begin(&fixture), Begun::Done(answer) if answer == "7"));
    assert_eq!(fixture.charged_in_store(&client, NOVEMBER), 1);
}

#[test]
fn usage_survives_a_restart() {
    let fixture = Fixture::new();
    let client = client(Some(2));
    fixture.charge(&client);
    let fixture = fixture.reopened();
    fixture.charge(&client);
    assert_eq!(fixture.refusal(&client).1, 2);
    assert_eq!(fixture.reopened().refusal(&client).1, 2);
}

#[test]
fn a_new_month_starts_at_zero() {
    let fixture = Fixture::new();
    let client = client(Some(1));
    fixture.charge(&client);
    fixture.clock.advance(Duration::from_millis(999));
    assert_eq!(fixture.refusal(&client).2, "2026-12-01T00:00:00Z");
    fixture.clock.advance(Duration::from_millis(1));
    fixture.charge(&client);
    assert_eq!(fixture.refusal(&client).2, "2027-01-01T00:00:00Z");
}

#[test]
fn a_request_over_midnight_is_charged_to_the_month_it_was_reserved_in() {
    for quota in [None, Some(1)] {
        let fixture = Fixture::new();
        let client = client(quota);
        let reservation = fixture.reserve(&client).unwrap();
        fixture.clock.advance(Duration::from_secs(1));
        let of_december = fixture.reserve(&client).unwrap();
        wait(reservation.charge()).unwrap();
        assert_eq!(fixture.charged_in_store(&client, NOVEMBER), 1);
        assert_eq!(fixture.charged_in_store(&client, DECEMBER), 0);
        drop(of_december);
    }
}

#[test]
fn after_shutdown_nothing_is_charged_and_the_client_knows() {
    let fixture = Fixture::new();
    let client = client(Some(1));
    let reservation = fixture.reserve(&client).unwrap();
    fixture.access.shutdown();
    fixture.access.shutdown();
    assert!(matches!(wait(reservation.charge()), Err(StoreError::Closed)));
    assert!(matches!(fixture.access.check_store(), Err(StoreError::Closed)));
    assert!(fixture.reserve(&client).is_ok(), "the request was released");
    assert_eq!(fixture.charged_in_store(&client, NOVEMBER), 0);
}

#[test]
fn shutdown_writes_the_charges_that_wait() {
    let fixture = Fixture::new();
    let client = client(None);
    let store = &fixture.access.shared.store;
    let slot = || Slot::new(&client.key_id, Month::containing(fixture.clock.timestamp()), CountedIn::Nothing);
    let key_name = &client.name;
    let held = || HeldSlot {
        slot: slot(),
        key_name: Arc::clone(key_name),
        store: Arc::clone(store),
        is_charged: false,
        attempt: None,
    };
    let outcomes: Vec<_> = (0..200).map(|_| fixture.access.shared.charges.send(held())).collect();
    fixture.access.shutdown();
    assert!(outcomes.into_iter().all(|mut outcome| matches!(outcome.try_recv(), Ok(Ok(())))));
    assert_eq!(fixture.charged_in_store(&client, NOVEMBER), 200);
}

#[test]
fn a_charge_that_cannot_be_stored_is_reported_and_released() {
    let fixture = Fixture::new();
    let limited = client(Some(1));
    let reservation = fixture.reserve(&limited).unwrap();
    fixture.file().execute_batch("ALTER TABLE monthly_usage RENAME TO mislaid").unwrap();
    assert!(matches!(wait(reservation.charge()), Err(StoreError::Sqlite { .. })));
    assert!(
        matches!(fixture.reserve(&limited), Err(QuotaError::Store(_))),
        "nothing is reserved that cannot be charged"
    );
    fixture.file().execute_batch("ALTER TABLE mislaid RENAME TO monthly_usage").unwrap();
    // The queue tries again without a request.
    while !fixture.access.status().is_up {
        std::thread::sleep(Duration::from_millis(10));
    }
    fixture.charge(&limited);
}

#[test]
fn charges_without_a_quota_wait_in_memory_while_the_store_accepts_none() {
    let fixture = Fixture::new();
    let free = client(None);
    fixture.file().execute_batch("ALTER TABLE monthly_usage RENAME TO mislaid").unwrap();
    (0..3).for_each(|_| fixture.charge(&free));
    assert!(!fixture.access.status().is_up);
    fixture.file().execute_batch("ALTER TABLE mislaid RENAME TO monthly_usage").unwrap();
    fixture.access.shutdown();
    assert_eq!(fixture.charged_in_store(&free, NOVEMBER), 3);
}
