//! What `/metrics` tells of single keys.

use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::access::{Charges, KeyId};
use crate::telemetry::KeyCharges;

/// The key, and its name, under which the keys are counted that have no count of their own.
const OTHERS: &str = "others";

/// How `/metrics` names API keys.
#[derive(Deserialize, Serialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum KeyMetrics {
    /// By identifier and name.
    #[default]
    Names,
    /// By identifier alone.
    Ids,
    /// Not at all: charges are not told by key.
    Off,
}

impl FromStr for KeyMetrics {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "names" => Ok(Self::Names),
            "ids" => Ok(Self::Ids),
            "off" => Ok(Self::Off),
            other => Err(format!("{other:?}; choose names, ids or off")),
        }
    }
}

impl KeyMetrics {
    /// The counts to export.
    pub(super) fn of(self, charges: Charges) -> Vec<KeyCharges> {
        if self == Self::Off {
            return Vec::new();
        }
        let shown = |name: &str| if self == Self::Names { name.to_owned() } else { String::new() };
        let row = |key: &str, name: &str, number| KeyCharges { key: key.to_owned(), name: shown(name), number };
        let others = (charges.of_others > 0).then(|| row(OTHERS, OTHERS, charges.of_others));
        let of_key = |(key, (name, number)): (KeyId, (Arc<str>, u64))| row(key.as_str(), &name, number);
        charges.of_keys.into_iter().map(of_key).chain(others).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn names_are_shown_only_where_the_operator_wants_them() {
        let of_keys = BTreeMap::from([(KeyId::from("7"), ("shop".into(), 3))]);
        let charges = Charges { of_keys, of_others: 2 };
        let shown = |how: &str| {
            let rows = how.parse::<KeyMetrics>().unwrap().of(charges.clone());
            rows.into_iter()
                .map(|KeyCharges { key, name, number }| format!("{key} {name} {number}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(shown("names"), ["7 shop 3", "others others 2"]);
        assert_eq!(shown("ids"), ["7  3", "others  2"]);
        assert_eq!(shown("off"), [""; 0]);
        assert!("all".parse::<KeyMetrics>().unwrap_err().contains("names, ids or off"));
    }
}
