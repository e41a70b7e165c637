//! The operations on the shared store, as atomic Lua scripts.
//!
//! All names that belong to one key have its id as their hash tag (`lh:{id}:…`), and those of the list of keys have
//! `keys`. So each script touches one slot of a cluster.

use std::sync::LazyLock;

use redis::Script;

use crate::access::client::KeyId;
use crate::access::idempotency::Attempted;
use crate::access::rate_limits::LimitedEndpoint;

/// Change counter of the keys.
pub(super) const GENERATION: &str = "lh:{keys}:generation";
/// Hash of id to record.
pub(super) const RECORDS: &str = "lh:{keys}:records";
/// Set of revoked ids.
pub(super) const REVOKED: &str = "lh:{keys}:revoked";

pub(super) static RESERVE: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/reserve.lua")));
pub(super) static CHARGE: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/charge.lua")));
pub(super) static RATE: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/rate.lua")));
pub(super) static KEYS: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/keys.lua")));
pub(super) static CREATE_KEY: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/create_key.lua")));
pub(super) static REVOKE_KEY: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/revoke_key.lua")));
pub(super) static REPLACE_KEY: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/replace_key.lua")));
pub(super) static USAGE: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/usage.lua")));

pub(super) static BEGIN: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/begin.lua")));
pub(super) static END: LazyLock<Script> = LazyLock::new(|| script(include_str!("lua/end.lua")));

/// A script that begins with what is known of the time.
pub(crate) fn script(text: &str) -> Script {
    Script::new(&format!("{}\n{text}", include_str!("lua/time.lua")))
}

/// The start of all names of the key `id`.
pub(super) fn names_of(id: &str) -> String {
    format!("lh:{{{id}}}:")
}

/// Where the requests of the key `id` toward a limit are counted.
pub(super) fn rate_name(id: &str, endpoint: LimitedEndpoint) -> String {
    format!("{}rate/{}", names_of(id), endpoint.name())
}

/// Where a request with an idempotency key is kept.
pub(super) fn attempt_name(attempted: &Attempted) -> String {
    format!("{}idempotent/{}", names_of(attempted.key_id.as_str()), attempted.key.0)
}

/// Where the rows of a job that were charged have a bit each.
pub(super) fn rows_name(key_id: &KeyId, job: &str) -> String {
    format!("{}rows/{job}", names_of(key_id.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_stay_counted_under_the_name_that_running_fleets_use() {
        assert_eq!(rate_name("a", LimitedEndpoint::Generate), "lh:{a}:rate/generate");
    }
}
