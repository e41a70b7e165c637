//! Makes charges durable: one thread, many charges per commit.
//!
//! Input: reserved slots. Output: for each, whether the store charged it. The queue does not know how a store charges.
//!
//! Charges that arrive during a commit wait for the next one and share it. So a busy server syncs only as often as its
//! disk allows, and an idle server charges at once. After a failure the thread tries the store again every half second,
//! with or without charges, so that it notices the recovery without a request.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::charge_tally::ChargeTally;
use super::error::StoreError;
use super::store::{HeldSlot, Store};

/// Interval between attempts after a failure.
const RETRY: Duration = Duration::from_millis(500);

/// The queue and its thread.
///
/// The queue has no bound of its own: each charge in it was a reservation, so it holds at most one per request in
/// progress.
#[derive(Debug)]
pub(super) struct ChargeQueue {
    /// `None` once the queue is closed.
    sender: Mutex<Option<Sender<PendingCharge>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    failure: Failure,
    /// What was charged since the start.
    pub(super) tally: Arc<ChargeTally>,
}

/// The error of the last attempt.
type Failure = Arc<Mutex<Option<StoreError>>>;

/// A slot to charge, and the channel for the outcome. Dropping it releases the slot and reports the queue as closed.
struct PendingCharge {
    held: HeldSlot,
    done: oneshot::Sender<Result<(), StoreError>>,
}

impl ChargeQueue {
    /// Starts the thread, which charges in `store`.
    #[expect(clippy::disallowed_methods, reason = "each request in progress sends one charge at most")]
    pub(super) fn start(store: Arc<dyn Store>) -> Result<Self, StoreError> {
        let (sender, waiting) = mpsc::channel();
        let failure = Failure::default();
        let of_thread = Arc::clone(&failure);
        let tally = Arc::new(ChargeTally::default());
        let of_charges = Arc::clone(&tally);
        let thread = thread::Builder::new()
            .name("longhand-charges".to_owned())
            .spawn(move || run(&waiting, &of_thread, &*store, &of_charges))
            .map_err(|error| StoreError::Thread { source: Arc::new(error) })?;
        Ok(Self { sender: Mutex::new(Some(sender)), thread: Mutex::new(Some(thread)), failure, tally })
    }

    /// Queues a charge and returns where its outcome arrives: nothing if the queue is closed or its thread has ended.
    pub(super) fn send(&self, held: HeldSlot) -> oneshot::Receiver<Result<(), StoreError>> {
        let (done, outcome) = oneshot::channel();
        if let Some(sender) = &*self.sender.lock() {
            // A charge that is not accepted is dropped.
            let _ = sender.send(PendingCharge { held, done });
        }
        outcome
    }

    /// Why the store accepts no charges at present; `None` if it does.
    pub(super) fn failure(&self) -> Option<StoreError> {
        self.failure.lock().clone()
    }

    /// Whether the queue accepts no more charges.
    pub(super) fn is_closed(&self) -> bool {
        self.thread.lock().as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Makes the waiting charges durable and ends the thread. The second call does nothing.
    pub(super) fn close(&self) {
        self.sender.lock().take();
        let thread = self.thread.lock().take();
        if let Some(thread) = thread {
            // A thread that panicked has dropped its charges, which reports them as failed.
            let _ = thread.join();
        }
    }
}

/// Charges until the queue is closed and empty.
fn run(
    waiting: &Receiver<PendingCharge>,
    last_failure: &Mutex<Option<StoreError>>,
    store: &dyn Store,
    tally: &ChargeTally,
) {
    loop {
        let has_failed = last_failure.lock().is_some();
        let next = if has_failed { waiting.recv_timeout(RETRY) } else { waiting.recv().map_err(Into::into) };
        if matches!(next, Err(RecvTimeoutError::Disconnected)) {
            break;
        }
        let batch: Vec<_> = next.into_iter().chain(waiting.try_iter()).collect();
        let slots: Vec<_> = batch.iter().map(|charge| &charge.held.slot).collect();
        let (failure, charged) = match store.charge(&slots) {
            Ok(()) => (None, vec![true; slots.len()]),
            Err(error) => (Some(error.cause), error.charged),
        };
        last_failure.lock().clone_from(&failure);
        for (PendingCharge { mut held, done }, is_charged) in batch.into_iter().zip(charged) {
            held.is_charged = is_charged;
            if is_charged {
                tally.count(&held.slot.key_id, &held.key_name);
            }
            drop(held);
            // The receiver is gone if the client no longer waits; the charge stands.
            let _ = done.send(failure.clone().filter(|_| !is_charged).map_or(Ok(()), Err));
        }
    }
    if last_failure.lock().is_some() {
        // The last attempt to write what the store kept; there is no one left to report a failure to.
        let _ = store.charge(&[]);
    }
}
