//! A reserved place in a month's quota: held while a request is processed, then charged or released.

use std::fmt;
use std::sync::Arc;

use dashmap::DashMap;
use tokio::sync::oneshot;

use super::calendar::Month;
use super::caller::KeyId;
use super::charge_writer::{ChargeSender, PendingCharge};
use super::error::StoreError;
use super::fleet::FleetPlace;

/// What each key used in each month.
pub(super) type Accounts = DashMap<(KeyId, Month), Usage>;

/// Requests of one key in one month.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    /// Durable charges.
    pub(super) charged: u64,
    /// Requests in progress, those whose charge is being written included.
    pub(super) reserved: u64,
}

/// A place in a month's quota, held while a request is worked on. Dropping it gives the place back.
#[derive(Debug)]
#[must_use = "a reservation that is dropped is given back"]
pub struct Reservation(pub(super) Holder);

/// Where the place is held.
#[derive(Debug)]
pub(super) enum Holder {
    /// In the ledger of this server.
    Local(LocalPlace),
    /// Among a fleet.
    Fleet(FleetPlace),
}

/// A place in the ledger, and the way to charge it.
pub(super) struct LocalPlace {
    pub(super) place: Place,
    pub(super) writer: ChargeSender<Charge>,
}

/// One of `reserved` in its account.
pub(super) struct Place {
    pub(super) accounts: Arc<Accounts>,
    pub(super) account: (KeyId, Month),
    pub(super) must_be_stored: bool,
    pub(super) charged: bool,
}

/// A place on its way to the store, and who waits for it.
pub(super) struct Charge {
    pub(super) place: Place,
    pub(super) done: oneshot::Sender<Result<(), StoreError>>,
}

impl Reservation {
    /// Charges the request. When this returns `Ok`, the charge survives the end of the process and of the power; that of
    /// a caller without a quota, while the store takes nothing, only once it does again.
    ///
    /// A caller that stops waiting leaves the request charged if it had begun to wait, and not charged otherwise. Needs
    /// no particular executor.
    ///
    /// # Errors
    /// If the charge could not be stored, or the ledger is shut down: nothing is charged then, and the place is given
    /// back.
    pub async fn charge(self) -> Result<(), StoreError> {
        match self.0 {
            Holder::Local(LocalPlace { place, writer }) => {
                let (done, outcome) = oneshot::channel();
                writer.send(Charge { place, done });
                outcome.await.unwrap_or(Err(StoreError::Closed))
            }
            Holder::Fleet(place) => place.charge().await,
        }
    }
}

impl fmt::Debug for LocalPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("LocalPlace").field(&self.place.account).finish()
    }
}

impl Place {
    fn turn_into_charge(mut self) {
        self.charged = true;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(mut usage) = self.accounts.get_mut(&self.account) {
            usage.reserved = usage.reserved.saturating_sub(1);
            usage.charged += u64::from(self.charged);
        }
    }
}

impl PendingCharge for Charge {
    fn account(&self) -> &(KeyId, Month) {
        &self.place.account
    }

    fn must_be_stored(&self) -> bool {
        self.place.must_be_stored
    }

    fn settle(self, outcome: Result<(), StoreError>) {
        match outcome {
            Ok(()) => self.place.turn_into_charge(),
            Err(_) => drop(self.place),
        }
        // Nobody listens when the caller stopped waiting; the charge stands.
        let _ = self.done.send(outcome);
    }
}
