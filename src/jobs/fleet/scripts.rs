//! The operations on jobs in the shared store, as atomic Lua scripts.
//!
//! All names have the same hash tag, so that each script touches one slot of a cluster.

use std::sync::LazyLock;

use redis::{Script, ScriptInvocation};

use crate::access::store_script;

/// The start of all names.
pub(super) const START: &str = "lh:{jobs}:";

macro_rules! scripts {
    ($($name:ident = $file:literal;)*) => {
        $(pub(super) static $name: LazyLock<Script> = LazyLock::new(|| script(include_str!(concat!("lua/", $file, ".lua"))));)*
    };
}

scripts! {
    ADD_ROWS = "add_rows";
    CREATE = "create";
    LIST = "list";
    RUNNING = "running";
    CHANGE = "change";
    DELETE = "delete";
    TAKE = "take";
    KEEP = "keep";
    FINISH = "finish";
    MARK = "mark";
    SETTLE = "settle";
    EVENTS = "events";
    DUE = "due";
    NOTE = "note";
}

fn script(text: &str) -> Script {
    store_script(&format!("{}\n{text}", include_str!("lua/names.lua")))
}

/// A call of a script with its first argument, mostly the number of a job.
pub(super) fn call<'a>(script: &'a Script, first: &str) -> ScriptInvocation<'a> {
    let mut call = script.key(START);
    call.arg(first);
    call
}

/// The name of a part of a job.
pub(super) fn part(part: &str, job: &str) -> String {
    format!("{START}{part}/{job}")
}
