//! Counts the reserved and charged requests of a quota in memory, per key and UTC calendar month.
//!
//! `charged + reserved` never exceeds the quota. A single server counts all requests with a quota here. An instance of
//! a fleet does so only while the shared store is away. A reservation belongs to the month in which it was made, even
//! if the work ends in the next month. Requests of keys without a quota are not counted.

use std::sync::atomic::{AtomicI64, Ordering};

use dashmap::{DashMap, Entry};

use super::calendar::Month;
use super::client::KeyId;
use super::error::{QuotaError, StoreError};
use super::store::{CountedIn, Slot};

/// Memory grows with the keys in use this month.
#[derive(Debug, Default)]
pub(super) struct QuotaCounter {
    accounts: DashMap<(KeyId, Month), Usage>,
    /// The month of the latest reservation, as a number. When it changes, past months are forgotten.
    present_month: AtomicI64,
}

/// Requests of one key in one month.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    /// Durable charges.
    charged: u64,
    /// Requests in progress, including those whose charge is being written.
    reserved: u64,
}

impl QuotaCounter {
    /// Counts a request of `key_id` in `month`, of which `limit` are allowed. `read_charged` returns the charges so
    /// far; it is called for the first request of the month, while the account is locked.
    ///
    /// # Errors
    /// [`QuotaError::Exhausted`], or the error of `read_charged`.
    pub(super) fn reserve(
        &self,
        key_id: &KeyId,
        month: Month,
        limit: u64,
        read_charged: impl FnOnce() -> Result<u64, StoreError>,
    ) -> Result<(), QuotaError> {
        self.forget_months_before(month);
        let mut usage = match self.accounts.entry((key_id.clone(), month)) {
            Entry::Occupied(known) => known.into_ref(),
            Entry::Vacant(unknown) => unknown.insert(Usage { charged: read_charged()?, reserved: 0 }),
        };
        let used = usage.charged.saturating_add(usage.reserved);
        if used >= limit {
            let in_progress = if usage.charged < limit { usage.reserved } else { 0 };
            return Err(QuotaError::Exhausted { limit, used, in_progress, reset_at: month.next().start() });
        }
        usage.reserved += 1;
        Ok(())
    }

    /// Ends a reservation: the request was charged, or no longer counts. Charges of a key that had no quota when it was
    /// reserved count where the account is known: the key may have had a quota before, and may get one again.
    pub(super) fn settle(&self, slot: &Slot, is_charged: bool) {
        if let Some(mut usage) = self.accounts.get_mut(&(slot.key_id.clone(), slot.month)) {
            usage.reserved = usage.reserved.saturating_sub(u64::from(slot.counted_in == CountedIn::Memory));
            usage.charged += u64::from(is_charged);
        }
    }

    /// Requests of `key_id` in `month`, those in progress included; `None` if none was counted yet.
    pub(super) fn used(&self, key_id: &KeyId, month: Month) -> Option<u64> {
        let usage = self.accounts.get(&(key_id.clone(), month))?;
        Some(usage.charged.saturating_add(usage.reserved))
    }

    /// Takes over what another counter counted in this account.
    pub(super) fn learn(&self, key_id: &KeyId, month: Month, charged: u64) {
        self.forget_months_before(month);
        self.accounts.entry((key_id.clone(), month)).or_default().charged = charged;
    }

    /// Keeps the accounts of the present month and those with requests in progress.
    fn forget_months_before(&self, present: Month) {
        if self.present_month.swap(present.0, Ordering::Relaxed) != present.0 {
            self.accounts.retain(|(_, month), usage| *month == present || usage.reserved > 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(number: i64) -> Month {
        Month(number)
    }

    #[test]
    fn past_months_are_forgotten_but_not_those_with_requests_in_progress() {
        let counter = QuotaCounter::default();
        let reserve = |name: &str, month| {
            let key = KeyId::from(name);
            counter.reserve(&key, month, 5, || Ok(0)).unwrap();
            Slot::new(&key, month, CountedIn::Memory)
        };
        for key in 0..100 {
            counter.settle(&reserve(&key.to_string(), month(202_611)), false);
        }
        let over_midnight = reserve("late", month(202_611));
        assert_eq!(counter.accounts.len(), 101);
        counter.settle(&reserve("late", month(202_612)), false);
        assert_eq!(counter.accounts.len(), 2);
        counter.settle(&over_midnight, true);
        let charged = |month| counter.accounts.get(&(KeyId::from("late"), month)).unwrap().charged;
        assert_eq!((charged(month(202_611)), charged(month(202_612))), (1, 0));
    }

    #[test]
    fn what_another_counter_counted_is_taken_over_beside_the_requests_in_progress() {
        let (counter, key, month) = (QuotaCounter::default(), KeyId::from("key"), month(202_611));
        let reserve = || counter.reserve(&key, month, 5, || Ok(0));
        reserve().unwrap();
        counter.learn(&key, month, 3);
        reserve().unwrap();
        let refused = reserve().unwrap_err();
        assert!(matches!(refused, QuotaError::Exhausted { used: 5, in_progress: 2, .. }), "{refused}");
    }
}
