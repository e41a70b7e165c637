//! Billable requests per key and UTC calendar month: reserved before the work, charged after it.
//!
//! For each key and month `charged + reserved` never exceeds the quota, and `charged` is the value in the store. A
//! reservation belongs to the month in which it was made and is charged to it, even if the work ends in the next month.

use std::fs::{self, TryLockError};
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dashmap::Entry;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::calendar::Month;
use super::caller::{Caller, KeyId};
use super::charge_writer::ChargeWriter;
use super::database::{self, CHARGE_PATIENCE, READER_PATIENCE};
use super::error::{QuotaError, StoreError};
use super::reservation::{Accounts, Charge, Holder, LocalPlace, Place, Reservation, Usage};
use crate::clock::Clock;

/// Counts billable requests. Exact under any concurrency within one process, and alone on its store: see
/// [`open`](Self::open).
///
/// Memory grows with the keys in use this month. Requests of keys without a quota are counted and never refused: while
/// the store takes nothing they go on, and their charges are kept in memory until it does. Those of keys with a quota
/// are refused meanwhile, before any work is done for them.
#[derive(Debug)]
pub struct QuotaLedger {
    clock: Clock,
    accounts: Arc<Accounts>,
    /// The month of the latest reservation, as a number; a change of it is the time to forget past months.
    present_month: AtomicI64,
    source: Mutex<Connection>,
    writer: ChargeWriter<Charge>,
    /// Held, not read: the lock on it ends with the ledger.
    _lock: fs::File,
}

impl QuotaLedger {
    /// Opens the ledger of the store at `path`, creating the store where it is missing, and starts the thread that
    /// writes charges. Takes an advisory lock on a `.lock` file beside the store, which ends with the process.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another ledger is open on this store, in this process or another; otherwise what kept
    /// it from being opened.
    pub fn open(path: &Path, clock: Clock) -> Result<Self, StoreError> {
        let lock = lock_beside(path)?;
        let source = Mutex::new(database::connect(path, READER_PATIENCE)?);
        let writer = ChargeWriter::start(database::connect(path, CHARGE_PATIENCE)?)?;
        let present_month = AtomicI64::new(Month::containing(clock.now()).number());
        Ok(Self { clock, accounts: Arc::default(), present_month, source, writer, _lock: lock })
    }

    /// Holds a place for one request in this month's quota.
    ///
    /// Synchronous: under a microsecond, or some ten for a key's first request of the month, which reads the store; may
    /// be called on a tokio worker.
    ///
    /// # Errors
    /// For callers with a quota: [`QuotaError::Exhausted`] if none is left; [`QuotaError::Store`] if the store cannot say
    /// what was used, or takes no charges at present.
    pub fn reserve(&self, caller: &Caller) -> Result<Reservation, QuotaError> {
        let must_be_stored = caller.monthly_quota.is_some();
        if must_be_stored && let Some(failure) = self.writer.failure() {
            return Err(failure.into());
        }
        let month = Month::containing(self.clock.now());
        self.forget_months_before(month);
        let account = (caller.key_id.clone(), month);
        let mut usage = match self.accounts.entry(account.clone()) {
            Entry::Occupied(known) => known.into_ref(),
            // Read while the account is locked: of two that come first, one reads and the other waits.
            Entry::Vacant(unknown) => {
                let charged = match self.charged_in_store(&account) {
                    Ok(charged) => charged,
                    Err(error) if must_be_stored => return Err(error.into()),
                    // Not remembered: what was used is asked again.
                    Err(_) => return Ok(self.reservation(account.clone(), must_be_stored)),
                };
                unknown.insert(Usage { charged, reserved: 0 })
            }
        };
        let used = usage.charged.saturating_add(usage.reserved);
        if let Some(limit) = caller.monthly_quota.filter(|limit| used >= *limit) {
            let in_progress = if usage.charged < limit { usage.reserved } else { 0 };
            return Err(QuotaError::Exhausted { limit, used, in_progress, reset_at: month.next().start() });
        }
        usage.reserved += 1;
        drop(usage);
        Ok(self.reservation(account, must_be_stored))
    }

    fn reservation(&self, account: (KeyId, Month), must_be_stored: bool) -> Reservation {
        let place = Place { accounts: Arc::clone(&self.accounts), account, must_be_stored, charged: false };
        Reservation(Holder::Local(LocalPlace { place, writer: self.writer.sender() }))
    }

    /// Writes the charges that wait and ends the writer; later charges fail with [`StoreError::Closed`]. Blocks until
    /// they are written; the second time does nothing.
    pub fn shutdown(&self) {
        self.writer.close();
    }

    /// Whether nothing can be charged any more.
    pub(super) fn is_closed(&self) -> bool {
        self.writer.is_closed()
    }

    /// Whether the store took the last charge that there was.
    pub(super) fn takes_charges(&self) -> bool {
        self.writer.failure().is_none()
    }

    fn charged_in_store(&self, (key_id, month): &(KeyId, Month)) -> Result<u64, StoreError> {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let charged: Option<i64> = source
            .prepare_cached("SELECT charged FROM monthly_usage WHERE key_id = ?1 AND month = ?2")
            .and_then(|mut statement| {
                statement.query_row(params![key_id.as_str(), month.number()], |row| row.get(0)).optional()
            })
            .map_err(StoreError::sqlite("read what was used this month"))?;
        Ok(charged.unwrap_or_default().cast_unsigned())
    }

    /// An account is needed while it is of the present month or has a request in progress; the store has the rest.
    fn forget_months_before(&self, present: Month) {
        if self.present_month.swap(present.number(), Ordering::Relaxed) != present.number() {
            self.accounts.retain(|(_, month), usage| *month == present || usage.reserved > 0);
        }
    }
}

/// An advisory lock on a `.lock` file beside `path`, which ends with the file.
pub(super) fn lock_beside(path: &Path) -> Result<fs::File, StoreError> {
    let lock_path = path.with_extension("lock");
    let locking = StoreError::file("lock the key store with", &lock_path);
    // Who may open a file may lock it.
    let file = database::open_private_file(&lock_path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(locking(error)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use tokio::sync::oneshot;

    use super::*;

    /// One second before December 2026.
    const LAST_SECOND_OF_NOVEMBER: Duration = Duration::from_secs(1_796_083_199);

    struct Bench {
        folder: tempfile::TempDir,
        clock: Clock,
        ledger: QuotaLedger,
    }

    impl Bench {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let clock = Clock::manual(UNIX_EPOCH + LAST_SECOND_OF_NOVEMBER);
            let ledger = QuotaLedger::open(&folder.path().join(database::FILE_NAME), clock.clone()).unwrap();
            Self { folder, clock, ledger }
        }

        fn reopened(self) -> Self {
            let Self { folder, clock, ledger } = self;
            drop(ledger);
            let ledger = QuotaLedger::open(&folder.path().join(database::FILE_NAME), clock.clone()).unwrap();
            Self { folder, clock, ledger }
        }

        fn charge(&self, caller: &Caller) {
            wait(self.ledger.reserve(caller).unwrap().charge()).unwrap();
        }

        fn refusal(&self, caller: &Caller) -> (u64, u64, String) {
            match self.ledger.reserve(caller).unwrap_err() {
                QuotaError::Exhausted { limit, used, reset_at, .. } => (limit, used, reset_at),
                QuotaError::Store(error) => panic!("{error}"),
            }
        }

        fn charged_in_store(&self, caller: &Caller, month: Month) -> u64 {
            self.ledger.charged_in_store(&(caller.key_id.clone(), month)).unwrap()
        }
    }

    fn wait<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    fn caller(monthly_quota: Option<u64>) -> Caller {
        Caller { key_id: KeyId::from("key"), monthly_quota }
    }

    fn november() -> Month {
        Month::containing(UNIX_EPOCH + LAST_SECOND_OF_NOVEMBER)
    }

    #[test]
    fn the_quota_is_the_number_of_charged_requests() {
        let bench = Bench::new();
        let caller = caller(Some(3));
        (0..3).for_each(|_| bench.charge(&caller));
        assert_eq!(bench.refusal(&caller), (3, 3, "2026-12-01T00:00:00Z".to_owned()));
    }

    #[test]
    fn a_quota_of_zero_allows_nothing_and_none_allows_all() {
        let bench = Bench::new();
        assert_eq!(bench.refusal(&caller(Some(0))).1, 0);
        (0..50).for_each(|_| bench.charge(&caller(None)));
        assert_eq!(bench.charged_in_store(&caller(None), november()), 50);
    }

    #[test]
    fn a_dropped_reservation_is_given_back() {
        let bench = Bench::new();
        let caller = caller(Some(1));
        let reservation = bench.ledger.reserve(&caller).unwrap();
        assert_eq!(bench.refusal(&caller).1, 1, "a request in progress holds its place");
        drop(reservation);
        bench.charge(&caller);
        assert_eq!(bench.charged_in_store(&caller, november()), 1);
    }

    #[test]
    fn a_refusal_tells_how_many_places_may_come_free() {
        let bench = Bench::new();
        let caller = caller(Some(2));
        let in_progress = || match bench.ledger.reserve(&caller).unwrap_err() {
            QuotaError::Exhausted { in_progress, .. } => in_progress,
            QuotaError::Store(error) => panic!("{error}"),
        };
        bench.charge(&caller);
        let reservation = bench.ledger.reserve(&caller).unwrap();
        assert_eq!(in_progress(), 1);
        wait(reservation.charge()).unwrap();
        assert_eq!(in_progress(), 0);
    }

    #[test]
    fn a_charge_nobody_waits_for_charges_nothing() {
        let bench = Bench::new();
        let caller = caller(Some(1));
        drop(bench.ledger.reserve(&caller).unwrap().charge());
        bench.charge(&caller);
    }

    #[test]
    fn usage_survives_a_restart() {
        let bench = Bench::new();
        let caller = caller(Some(2));
        bench.charge(&caller);
        let bench = bench.reopened();
        bench.charge(&caller);
        assert_eq!(bench.refusal(&caller).1, 2);
        assert_eq!(bench.reopened().refusal(&caller).1, 2);
    }

    #[test]
    fn a_new_month_starts_at_zero() {
        let bench = Bench::new();
        let caller = caller(Some(1));
        bench.charge(&caller);
        bench.clock.advance(Duration::from_millis(999));
        assert_eq!(bench.refusal(&caller).2, "2026-12-01T00:00:00Z");
        bench.clock.advance(Duration::from_millis(1));
        bench.charge(&caller);
        assert_eq!(bench.refusal(&caller).2, "2027-01-01T00:00:00Z");
    }

    #[test]
    fn a_request_over_midnight_is_charged_to_the_month_it_was_reserved_in() {
        let bench = Bench::new();
        let caller = caller(Some(1));
        let reservation = bench.ledger.reserve(&caller).unwrap();
        bench.clock.advance(Duration::from_secs(1));
        let of_december = bench.ledger.reserve(&caller).unwrap();
        wait(reservation.charge()).unwrap();
        assert_eq!(bench.charged_in_store(&caller, november()), 1);
        assert_eq!(bench.charged_in_store(&caller, november().next()), 0);
        drop(of_december);
    }

    #[cfg(unix)]
    #[test]
    fn the_lock_is_closed_to_other_users_who_could_take_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (store, lock) = (folder.path().join(database::FILE_NAME), folder.path().join("longhand.lock"));
        fs::write(&lock, "").unwrap();
        fs::set_permissions(&lock, fs::Permissions::from_mode(0o644)).unwrap();
        let _held = lock_beside(&store).unwrap();
        assert_eq!(fs::metadata(&lock).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn past_months_are_forgotten_but_not_those_with_requests_in_progress() {
        let bench = Bench::new();
        for key in 0..100 {
            let caller = Caller { key_id: KeyId::from(key.to_string().as_str()), monthly_quota: Some(5) };
            drop(bench.ledger.reserve(&caller).unwrap());
        }
        let over_midnight = bench.ledger.reserve(&caller(None)).unwrap();
        assert_eq!(bench.ledger.accounts.len(), 101);
        bench.clock.advance(Duration::from_secs(1));
        drop(bench.ledger.reserve(&caller(None)).unwrap());
        assert_eq!(bench.ledger.accounts.len(), 2);
        wait(over_midnight.charge()).unwrap();
        assert_eq!(bench.charged_in_store(&caller(None), november()), 1);
    }

    #[test]
    fn a_second_ledger_on_the_same_store_is_refused() {
        let bench = Bench::new();
        let path = bench.folder.path().join(database::FILE_NAME);
        let error = QuotaLedger::open(&path, Clock::system()).unwrap_err();
        assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    }

    #[test]
    fn after_shutdown_nothing_is_charged_and_the_caller_knows() {
        let bench = Bench::new();
        let caller = caller(Some(1));
        let reservation = bench.ledger.reserve(&caller).unwrap();
        bench.ledger.shutdown();
        bench.ledger.shutdown();
        assert!(matches!(wait(reservation.charge()), Err(StoreError::Closed)));
        assert!(bench.ledger.reserve(&caller).is_ok(), "the place was given back");
        assert_eq!(bench.charged_in_store(&caller, november()), 0);
    }

    #[test]
    fn shutdown_writes_what_waits() {
        let bench = Bench::new();
        let caller = caller(None);
        let answers: Vec<_> = (0..200)
            .map(|_| {
                let reservation = bench.ledger.reserve(&caller).unwrap();
                let (done, answer) = oneshot::channel();
                let Holder::Local(LocalPlace { place, writer }) = reservation.0 else { panic!("it is held here") };
                writer.send(Charge { place, done });
                answer
            })
            .collect();
        bench.ledger.shutdown();
        assert!(answers.into_iter().all(|mut answer| matches!(answer.try_recv(), Ok(Ok(())))));
        assert_eq!(bench.charged_in_store(&caller, november()), 200);
    }

    #[test]
    fn a_charge_that_cannot_be_stored_is_reported_and_given_back() {
        let bench = Bench::new();
        let caller = caller(Some(1));
        let reservation = bench.ledger.reserve(&caller).unwrap();
        let vandal = Connection::open(bench.folder.path().join(database::FILE_NAME)).unwrap();
        vandal.execute_batch("ALTER TABLE monthly_usage RENAME TO mislaid").unwrap();
        assert!(matches!(wait(reservation.charge()), Err(StoreError::Sqlite { .. })));
        vandal.execute_batch("ALTER TABLE mislaid RENAME TO monthly_usage").unwrap();
        // The writer tries again by itself; until it has, nothing is reserved that could not be charged.
        while !bench.ledger.takes_charges() {
            std::thread::sleep(Duration::from_millis(10));
        }
        bench.charge(&caller);
    }
}
