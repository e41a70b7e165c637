//! Makes charges durable: one thread, many charges per commit.
//!
//! Input: reserved slots. Output: for each, whether the store charged it. The queue does not know how a store charges.
//!
//! Charges that arrive during a commit wait for the next one and share it. So a busy server syncs only as often as its
//! disk allows, and an idle server charges at once. After a failure the thread tries the store again every half second,
//! with or without charges, so that it notices the recovery without a request.

use std::fmt;
use std::mem;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use super::error::StoreError;
use super::store::{HeldSlot, Store};

/// Interval between attempts after a failure.
const RETRY: Duration = Duration::from_millis(500);

/// The queue and its thread. Dropping it closes the queue.
///
/// The queue has no bound of its own: each charge in it was a reservation, so it holds at most one per request in
/// progress.
pub(super) struct ChargeQueue {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// A slot to charge, and the channel for the outcome.
struct PendingCharge {
    held: HeldSlot,
    done: oneshot::Sender<Result<(), StoreError>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: Vec<PendingCharge>,
    /// The error of the last attempt.
    failure: Option<StoreError>,
    closed: bool,
}

/// The sending side of the queue. It may outlive the queue; a charge sent after that fails.
#[derive(Clone)]
pub(super) struct ChargeSender(Arc<Shared>);

impl ChargeQueue {
    /// Starts the thread, which charges in `store`.
    pub(super) fn start(store: Arc<dyn Store>) -> Result<Self, StoreError> {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("longhand-charges".to_owned())
            .spawn(move || of_thread.run(&*store))
            .map_err(|error| StoreError::Thread { source: Arc::new(error) })?;
        Ok(Self { shared, thread: Mutex::new(Some(thread)) })
    }

    /// Whether the queue accepts no more charges.
    pub(super) fn is_closed(&self) -> bool {
        self.shared.state.lock().closed
    }

    pub(super) fn sender(&self) -> ChargeSender {
        ChargeSender(Arc::clone(&self.shared))
    }

    /// Makes the waiting charges durable and ends the thread. The second call does nothing.
    pub(super) fn close(&self) {
        self.shared.state.lock().closed = true;
        self.shared.changed.notify_all();
        let thread = self.thread.lock().take();
        if let Some(thread) = thread {
            // A thread that panicked has dropped its charges, which reports them as failed.
            let _ = thread.join();
        }
    }
}

impl Drop for ChargeQueue {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for ChargeQueue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sender().fmt(formatter)
    }
}

impl ChargeSender {
    /// Queues a charge and returns where its outcome arrives. It fails at once if the queue is closed.
    pub(super) fn send(&self, held: HeldSlot) -> oneshot::Receiver<Result<(), StoreError>> {
        let (done, outcome) = oneshot::channel();
        let charge = PendingCharge { held, done };
        let mut state = self.0.state.lock();
        if state.closed {
            drop(state);
            charge.settle(Err(StoreError::Closed));
        } else {
            state.waiting.push(charge);
            drop(state);
            self.0.changed.notify_one();
        }
        outcome
    }

    /// Why the store accepts no charges at present; `None` if it does.
    pub(super) fn failure(&self) -> Option<StoreError> {
        self.0.state.lock().failure.clone()
    }
}

impl fmt::Debug for ChargeSender {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waiting = self.0.state.lock().waiting.len();
        formatter.debug_struct("ChargeQueue").field("waiting", &waiting).finish_non_exhaustive()
    }
}

impl PendingCharge {
    fn settle(self, outcome: Result<(), StoreError>) {
        match outcome {
            Ok(()) => self.held.mark_charged(),
            Err(_) => drop(self.held),
        }
        // The receiver is gone if the client no longer waits; the charge stands.
        let _ = self.done.send(outcome);
    }
}

impl Shared {
    fn run(&self, store: &dyn Store) {
        let _close = CloseAtEnd(self);
        while let Some(charges) = self.next_batch() {
            let slots: Vec<_> = charges.iter().map(|charge| charge.held.slot()).collect();
            let (failure, charged) = match store.charge(&slots) {
                Ok(()) => (None, vec![true; slots.len()]),
                Err(error) => (Some(error.cause), error.charged),
            };
            self.state.lock().failure.clone_from(&failure);
            for (charge, is_charged) in charges.into_iter().zip(charged) {
                charge.settle(failure.clone().filter(|_| !is_charged).map_or(Ok(()), Err));
            }
        }
        if self.state.lock().failure.is_some() {
            // The last attempt to write what the store kept; there is no one left to report a failure to.
            let _ = store.charge(&[]);
        }
    }

    /// Waits for charges, or after a failure for the next attempt. Returns all that wait; `None` when the queue is
    /// closed and empty.
    fn next_batch(&self) -> Option<Vec<PendingCharge>> {
        let nothing_to_do = |state: &mut State| state.waiting.is_empty() && !state.closed;
        let mut state = self.state.lock();
        if state.failure.is_some() {
            self.changed.wait_while_for(&mut state, nothing_to_do, RETRY);
        } else {
            self.changed.wait_while(&mut state, nothing_to_do);
        }
        let charges = mem::take(&mut state.waiting);
        (!charges.is_empty() || !state.closed).then_some(charges)
    }
}

/// Closes the queue however the thread ends, so that no request waits for a thread that has ended.
struct CloseAtEnd<'queue>(&'queue Shared);

impl Drop for CloseAtEnd<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.closed = true;
        let abandoned = mem::take(&mut state.waiting);
        drop(state);
        drop(abandoned);
    }
}
