//! Makes charges durable: one thread, many charges per commit.
//!
//! Charges that arrive during a commit wait for the next one and share it. So a busy server syncs only as often as its
//! disk allows, and an idle server charges at once.
//!
//! If the store takes no writes (a full or read-only disk, a lock held too long), charges that a quota depends on fail.
//! Other charges are kept in memory and written when the store takes writes again. The thread retries every half
//! second, with or without charges, so that it notices the recovery without a request.

use std::collections::BTreeMap;
use std::fmt;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::{Connection, params};

use super::calendar::Month;
use super::caller::KeyId;
use super::database::WRITE_NOTHING;
use super::error::StoreError;

/// How often a store that failed is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// Charges by key and month.
type Totals = BTreeMap<(KeyId, Month), i64>;

/// One request to charge, with whoever waits for it.
pub(super) trait PendingCharge: Send + 'static {
    /// The key and the month to charge.
    fn account(&self) -> &(KeyId, Month);

    /// Whether the charge is worth nothing unless it is stored. Another counts as charged when it is kept in memory.
    fn must_be_stored(&self) -> bool;

    /// Called once, when the charge is durable or has failed.
    fn settle(self, outcome: Result<(), StoreError>);
}

/// The thread that writes charges, and the way to it.
///
/// The queue has no bound of its own: each charge in it was a reservation, and there are as many of those as requests in
/// progress.
pub(super) struct ChargeWriter<C: PendingCharge> {
    queue: Arc<Queue<C>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Queue<C> {
    state: Mutex<State<C>>,
    changed: Condvar,
}

struct State<C> {
    waiting: Vec<C>,
    /// Why the store took nothing at the last attempt.
    failure: Option<StoreError>,
    closed: bool,
}

/// The way to the writer, for those who outlive it: a charge after its end fails.
pub(super) struct ChargeSender<C>(Arc<Queue<C>>);

impl<C: PendingCharge> ChargeWriter<C> {
    /// Starts the thread, which writes through `connection`.
    pub(super) fn start(connection: Connection) -> Result<Self, StoreError> {
        let state = Mutex::new(State { waiting: Vec::new(), failure: None, closed: false });
        let queue = Arc::new(Queue { state, changed: Condvar::new() });
        let of_thread = Arc::clone(&queue);
        let thread = thread::Builder::new()
            .name("longhand-charges".to_owned())
            .spawn(move || write_charges(&of_thread, connection))
            .map_err(|error| StoreError::Thread { source: Arc::new(error) })?;
        Ok(Self { queue, thread: Mutex::new(Some(thread)) })
    }

    /// Whether the thread has ended, or will when it has written what waits.
    pub(super) fn is_closed(&self) -> bool {
        self.queue.lock().closed
    }

    /// Why the store takes nothing at present, if it does not.
    pub(super) fn failure(&self) -> Option<StoreError> {
        self.queue.lock().failure.clone()
    }

    pub(super) fn sender(&self) -> ChargeSender<C> {
        ChargeSender(Arc::clone(&self.queue))
    }

    /// Writes what waits and ends the thread. The second time does nothing.
    pub(super) fn close(&self) {
        self.queue.lock().closed = true;
        self.queue.changed.notify_all();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // A writer that panicked has dropped its charges, whose callers know; there is nothing to add here.
            let _ = thread.join();
        }
    }
}

impl<C: PendingCharge> Drop for ChargeWriter<C> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<C: PendingCharge> fmt::Debug for ChargeWriter<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ChargeWriter")
            .field("waiting", &self.queue.lock().waiting.len())
            .finish_non_exhaustive()
    }
}

impl<C: PendingCharge> ChargeSender<C> {
    /// Hands `charge` to the writer; settles it at once if the writer has ended.
    pub(super) fn send(&self, charge: C) {
        let mut state = self.0.lock();
        if state.closed {
            drop(state);
            charge.settle(Err(StoreError::Closed));
        } else {
            state.waiting.push(charge);
            drop(state);
            self.0.changed.notify_one();
        }
    }
}

impl<C> Clone for ChargeSender<C> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<C> Queue<C> {
    fn lock(&self) -> MutexGuard<'_, State<C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that waits, as soon as anything does or the store is to be tried again; `None` when the queue is closed and
    /// empty.
    fn take_all(&self) -> Option<Vec<C>> {
        let nothing_to_do = |state: &mut State<C>| state.waiting.is_empty() && !state.closed;
        let state = self.lock();
        let mut state = if state.failure.is_some() {
            let (state, _) =
                self.changed.wait_timeout_while(state, RETRY, nothing_to_do).unwrap_or_else(PoisonError::into_inner);
            state
        } else {
            self.changed.wait_while(state, nothing_to_do).unwrap_or_else(PoisonError::into_inner)
        };
        let charges = mem::take(&mut state.waiting);
        (!charges.is_empty() || !state.closed).then_some(charges)
    }
}

/// Closes the queue however the thread ends, so that nobody waits for a writer that is gone.
struct CloseAtEnd<'queue, C>(&'queue Queue<C>);

impl<C> Drop for CloseAtEnd<'_, C> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        let abandoned = mem::take(&mut state.waiting);
        drop(state);
        drop(abandoned);
    }
}

fn write_charges<C: PendingCharge>(queue: &Queue<C>, mut connection: Connection) {
    let _close = CloseAtEnd(queue);
    let mut kept = Totals::new();
    while let Some(charges) = queue.take_all() {
        let mut totals = kept.clone();
        for charge in &charges {
            *totals.entry(charge.account().clone()).or_default() += 1;
        }
        let outcome = commit(&mut connection, &totals).map_err(StoreError::sqlite("charge the request"));
        queue.lock().failure = outcome.clone().err();
        if outcome.is_ok() {
            kept.clear();
        }
        for charge in charges {
            if outcome.is_err() && !charge.must_be_stored() {
                *kept.entry(charge.account().clone()).or_default() += 1;
                charge.settle(Ok(()));
            } else {
                charge.settle(outcome.clone());
            }
        }
    }
    // The last attempt for what was kept; a store that takes nothing now has nobody left to tell.
    if !kept.is_empty() {
        let _ = commit(&mut connection, &kept);
    }
}

/// Adds all charges to their accounts, or none: a transaction dropped before its commit is rolled back. Without charges
/// it writes all the same, which tells whether the store takes anything.
fn commit(connection: &mut Connection, totals: &Totals) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    {
        if totals.is_empty() {
            transaction.execute(WRITE_NOTHING, [])?;
        }
        let mut add = transaction.prepare_cached(
            "INSERT INTO monthly_usage (key_id, month, charged) VALUES (?1, ?2, ?3)
             ON CONFLICT (key_id, month) DO UPDATE SET charged = charged + excluded.charged",
        )?;
        for ((key_id, month), count) in totals {
            add.execute(params![key_id.as_str(), month.number(), count])?;
        }
    }
    transaction.commit()
}
