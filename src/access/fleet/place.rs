//! A reserved place in a quota that the fleet shares.

use std::sync::Arc;

use tokio::runtime::Handle;

use super::Shared;
use super::outbox::Charge;
use super::scripts::names_of;
use crate::access::error::StoreError;

/// A place held for a request. Dropped uncharged, it is given back.
#[derive(Debug)]
pub(in crate::access) struct FleetPlace {
    shared: Arc<Shared>,
    runtime: Handle,
    charge: Charge,
    held: Held,
    is_charged: bool,
}

/// Who counts the place until it is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// The shared store.
    ByServer,
    /// This instance, because the store is away.
    Here,
    /// Nobody: the key has no quota.
    Nowhere,
}

impl FleetPlace {
    pub(super) const fn new(shared: Arc<Shared>, runtime: Handle, charge: Charge, held: Held) -> Self {
        Self { shared, runtime, charge, held, is_charged: false }
    }

    /// Writes the charge down, durably, and has it taken to the shared store. Where it cannot be written down, it is
    /// taken there at once instead.
    pub(in crate::access) async fn charge(mut self) -> Result<(), StoreError> {
        let written = self.shared.courier.outbox.put(self.charge.clone());
        // It stands from here on, whether or not the caller waits.
        self.is_charged = true;
        let courier = Arc::clone(&self.shared.courier);
        drop(self.runtime.spawn_blocking(move || courier.outbox.write()));
        if written.await.unwrap_or(Err(StoreError::Closed)).is_ok() {
            self.shared.courier.call();
            return Ok(());
        }
        let (shared, charge) = (Arc::clone(&self.shared), self.charge.clone());
        let directly = async move {
            let mut script = shared.scripts.charge.key(names_of(charge.key_id.as_str()));
            shared.link.invoke::<i64>("charge the request", script.arg(charge.month).arg(&charge.id)).await
        };
        let outcome = self.runtime.spawn(directly).await.unwrap_or(Err(StoreError::Closed)).map(drop);
        self.is_charged = outcome.is_ok();
        outcome
    }
}

impl Drop for FleetPlace {
    fn drop(&mut self) {
        match self.held {
            _ if self.is_charged => {}
            Held::ByServer => self.shared.courier.give_back(self.charge.clone()),
            Held::Here => {
                if let Some(mut known) = self.shared.used.get_mut(&self.charge.key_id) {
                    known.1 = known.1.saturating_sub(1);
                }
            }
            Held::Nowhere => {}
        }
    }
}
