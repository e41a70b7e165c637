//! Counts the charges of each key since the start, for operators.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::client::KeyId;

/// Most keys that are counted by themselves: those that were charged first.
const MOST_COUNTED_KEYS: usize = 100;

/// The charges of this process.
#[derive(Debug, Default)]
pub(super) struct ChargeTally(Mutex<Charges>);

/// Charges since the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Charges {
    /// Name and number of charges of a key, of the first hundred that were charged.
    pub of_keys: BTreeMap<KeyId, (Arc<str>, u64)>,
    /// Charges of all other keys together.
    pub of_others: u64,
}

impl ChargeTally {
    /// Counts a charge of the key.
    pub(super) fn count(&self, key_id: &KeyId, name: &Arc<str>) {
        let mut charges = self.0.lock();
        if let Some((_, number)) = charges.of_keys.get_mut(key_id) {
            *number += 1;
        } else if charges.of_keys.len() < MOST_COUNTED_KEYS {
            charges.of_keys.insert(key_id.clone(), (Arc::clone(name), 1));
        } else {
            charges.of_others += 1;
        }
    }

    /// The charges until now.
    pub(super) fn charges(&self) -> Charges {
        self.0.lock().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_beyond_the_most_are_counted_together() {
        let tally = ChargeTally::default();
        let count = |number: usize| tally.count(&KeyId::from(number.to_string().as_str()), &Arc::from("shop"));
        (0..MOST_COUNTED_KEYS + 5).for_each(count);
        (0..3).for_each(count);
        count(MOST_COUNTED_KEYS);
        let charges = tally.charges();
        assert_eq!((charges.of_keys.len(), charges.of_others), (MOST_COUNTED_KEYS, 6));
        let of = |number: &str| charges.of_keys[&KeyId::from(number)].clone();
        assert_eq!((of("2"), of("3")), ((Arc::from("shop"), 2), (Arc::from("shop"), 1)));
    }
}
