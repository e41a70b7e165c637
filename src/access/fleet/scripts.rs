//! The operations on the shared store, as atomic Lua scripts.
//!
//! All names that belong to one key have its id as their hash tag (`lh:{id}:…`), and those of the registry have `keys`,
//! so each script touches one slot of a cluster.

use redis::Script;

/// All scripts, ready to be invoked.
#[derive(Debug)]
pub(super) struct Scripts {
    pub(super) reserve: Script,
    pub(super) charge: Script,
    pub(super) rate: Script,
    pub(super) keys: Script,
    pub(super) create_key: Script,
    pub(super) revoke_key: Script,
}

/// Change counter of the registry.
pub(super) const GENERATION: &str = "lh:{keys}:generation";
/// Hash of id to record.
pub(super) const RECORDS: &str = "lh:{keys}:records";
/// Set of revoked ids.
pub(super) const REVOKED: &str = "lh:{keys}:revoked";

impl Scripts {
    pub(super) fn new() -> Self {
        let script = |text: &str| Script::new(&format!("{}\n{text}", include_str!("lua/time.lua")));
        Self {
            reserve: script(include_str!("lua/reserve.lua")),
            charge: script(include_str!("lua/charge.lua")),
            rate: script(include_str!("lua/rate.lua")),
            keys: script(include_str!("lua/keys.lua")),
            create_key: script(include_str!("lua/create_key.lua")),
            revoke_key: script(include_str!("lua/revoke_key.lua")),
        }
    }
}

/// How all names of the key `id` start.
pub(super) fn names_of(id: &str) -> String {
    format!("lh:{{{id}}}:")
}
