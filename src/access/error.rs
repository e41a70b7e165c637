//! Errors of access decisions.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

/// Why the store of keys and usage did not do what was asked. Cheap to clone: one failed commit answers many charges.
#[derive(Clone, Debug, Error)]
pub enum StoreError {
    /// A file or directory of the store could not be created, opened or locked.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried, as in "create the data directory".
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The operating system's reason.
        source: Arc<io::Error>,
    },
    /// The data directory has no name.
    #[error("data_dir is empty; name a directory, such as data")]
    NoDataDir,
    /// Other users may read or write the data directory or a file in it, and that could not or should not be changed.
    #[error(
        "other users may read or write {}; close it to them (chmod go-rwx) or choose a data directory of its own",
        path.display()
    )]
    OpenToOthers {
        /// The directory or file.
        path: PathBuf,
    },
    /// The store was deleted or replaced while it was open.
    #[error("{} was deleted or replaced: what is charged now is lost at the next start; start the server anew", path.display())]
    Deleted {
        /// Where it was.
        path: PathBuf,
    },
    /// Another server counts quotas over the same store; two could not both be exact.
    #[error("another server is running on {}; stop it or choose another data directory", path.display())]
    InUse {
        /// The store both want.
        path: PathBuf,
    },
    /// A newer version of the product wrote the store.
    #[error("{} has format {found}, but this version knows formats up to {known}; use a newer version", path.display())]
    TooNew {
        /// The store.
        path: PathBuf,
        /// The format it has.
        found: i64,
        /// The newest format that this version reads.
        known: i64,
    },
    /// `SQLite` reports an error: a full disk, a damaged file, a lock held too long.
    #[error("cannot {action}: {source}")]
    Sqlite {
        /// What was tried, as in "list the keys".
        action: &'static str,
        /// `SQLite`'s reason.
        source: Arc<rusqlite::Error>,
    },
    /// The store that a fleet shares does not answer, or refuses.
    #[error("cannot {action} in the shared store: {reason}")]
    Away {
        /// What was tried, as in "count the request".
        action: &'static str,
        /// Why it failed; holds no secret.
        reason: Arc<str>,
    },
    /// The operating system starts no further thread, so that charges could not be written.
    #[error("cannot start the thread that writes charges: {source}")]
    Thread {
        /// The operating system's reason.
        source: Arc<io::Error>,
    },
    /// The operating system gives no random bytes for a key.
    #[error("cannot get random bytes for a new key: {0}")]
    Random(#[from] getrandom::Error),
    /// The name asked for a new key cannot be used.
    #[error("a key's name needs 1 to 200 characters, none of them a control character, and not only spaces")]
    InvalidName,
    /// The quota asked for a new key is more than the store can count.
    #[error("a monthly quota is at most {}, not {asked}", i64::MAX)]
    QuotaTooLarge {
        /// The quota asked for.
        asked: u64,
    },
    /// No key, active or revoked, has this identifier.
    #[error("no key has the id `{id}`; `keys list` shows all of them")]
    UnknownId {
        /// The identifier asked for.
        id: String,
    },
    /// The ledger was shut down, or its writer has died: nothing can be charged any more.
    #[error("the quota ledger is closed and charges nothing any more")]
    Closed,
}

impl StoreError {
    /// For `map_err` on `SQLite` calls.
    pub(super) fn sqlite(action: &'static str) -> impl Fn(rusqlite::Error) -> Self + Copy {
        move |source| Self::Sqlite { action, source: Arc::new(source) }
    }

    /// For `map_err` on file calls.
    pub(super) fn file(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::File { action, path: path.to_owned(), source: Arc::new(source) }
    }
}

/// Why a well-formed key opens nothing.
#[derive(Clone, Debug, Error)]
pub enum AuthError {
    /// Nobody has this key, or it was revoked.
    #[error("invalid or inactive API key")]
    Unknown,
    /// The store could not say.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why no place was reserved in a month's quota.
#[derive(Clone, Debug, Error)]
pub enum QuotaError {
    /// Every request of the month is used, or reserved by a request still in progress.
    #[error("{used} of {limit} requests of this month are used; the quota resets at {reset_at}")]
    Exhausted {
        /// The key's monthly quota.
        limit: u64,
        /// Requests charged this month, and those in progress.
        used: u64,
        /// Those in progress among them, which may still fail and give their place back.
        in_progress: u64,
        /// The first instant of the next UTC month, as `2026-12-01T00:00:00Z`.
        reset_at: String,
    },
    /// The store could not say what was used.
    #[error(transparent)]
    Store(#[from] StoreError),
}
