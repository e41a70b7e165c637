//! Errors of access decisions.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::calendar::Month;

/// Why an operation of the store failed. Cheap to clone: one failed commit answers many charges.
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
    /// The path of the data directory is empty.
    #[error("data_dir is empty; name a directory, such as data")]
    NoDataDir,
    /// Other users may read or write the data directory or a file in it, and that could not be changed.
    #[error(
        "other users may read or write {}; close it to them (chmod go-rwx) or choose a data directory of its own",
        path.display()
    )]
    OpenToOthers {
        /// The directory or file.
        path: PathBuf,
    },
    /// The file was deleted or replaced while it was open.
    #[error(
        "{} was deleted or replaced: charges made now are lost at the next start; restart the server",
        path.display()
    )]
    Deleted {
        /// Its path.
        path: PathBuf,
    },
    /// Another server uses the same store; two could not both count exactly.
    #[error("another server is running on {}; stop it or choose another data directory", path.display())]
    InUse {
        /// The store.
        path: PathBuf,
    },
    /// A newer version of the product wrote the store.
    #[error("{} has format {found}, but this version knows formats up to {known}; use a newer version", path.display())]
    TooNew {
        /// The store.
        path: PathBuf,
        /// Its format.
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
    /// The shared store of a fleet does not answer, or refuses.
    #[error("cannot {action} in the shared store: {reason}")]
    Away {
        /// What was tried, as in "count the request".
        action: &'static str,
        /// Why it failed. Contains no secret.
        reason: Arc<str>,
    },
    /// The operating system starts no further thread.
    #[error("cannot start the thread that writes charges: {source}")]
    Thread {
        /// The operating system's reason.
        source: Arc<io::Error>,
    },
    /// The operating system provides no random bytes for a key.
    #[error("cannot get random bytes for a new key: {0}")]
    Random(#[from] getrandom::Error),
    /// The name of a new key cannot be used.
    #[error("a key's name needs 1 to 200 characters, none of them a control character, and not only spaces")]
    InvalidName,
    /// The quota of a new key is more than the store can count.
    #[error("a monthly quota is at most {}, not {asked}", i64::MAX)]
    QuotaTooLarge {
        /// The requested quota.
        asked: u64,
    },
    /// No key, active or revoked, has this identifier.
    #[error("no key has the id or the name `{id}`; `keys list` shows all of them")]
    UnknownId {
        /// The requested identifier.
        id: String,
    },
    /// The name or the beginning of an identifier belongs to several keys.
    #[error("`{wanted}` could be any of {} keys; give more of the id:\n{}", matches.len(), matches.join("\n"))]
    Ambiguous {
        /// What was asked for.
        wanted: String,
        /// A line for each of the keys.
        matches: Vec<String>,
    },
    /// The key is revoked, which is for good.
    #[error("the key {id} is revoked, which is for good; `keys create` makes a new one")]
    Revoked {
        /// Its identifier.
        id: String,
    },
    /// The use of a month that has not begun was asked for.
    #[error("{month} has not begun; it is {present} in UTC")]
    FutureMonth {
        /// The month that was asked for.
        month: Month,
        /// The present month.
        present: Month,
    },
    /// The use of a month that the shared store no longer keeps was asked for.
    #[error("the shared store has forgotten the use of {month}; it keeps that of {first} and later")]
    ForgottenMonth {
        /// The month that was asked for.
        month: Month,
        /// The first month that it knows.
        first: Month,
    },
    /// Access was shut down, or the thread that charges has died: nothing can be charged any more.
    #[error("the quota ledger is closed and charges nothing any more")]
    Closed,
}

impl StoreError {
    /// Converts errors of `SQLite`, for `map_err`.
    pub(super) fn sqlite(action: &'static str) -> impl Fn(rusqlite::Error) -> Self + Copy {
        move |source| Self::Sqlite { action, source: Arc::new(source) }
    }

    /// Converts errors of files, for `map_err`.
    pub(super) fn file(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::File { action, path: path.to_owned(), source: Arc::new(source) }
    }
}

/// Why a well-formed key was not accepted.
#[derive(Clone, Debug, Error)]
pub enum AuthError {
    /// The key was never created, or it is revoked.
    #[error("invalid or inactive API key")]
    Unknown,
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why no request was reserved in a month's quota.
#[derive(Clone, Debug, Error)]
pub enum QuotaError {
    /// All requests of the month are charged or in progress.
    #[error("{used} of {limit} requests of this month are used; the quota resets at {reset_at}")]
    Exhausted {
        /// The key's monthly quota.
        limit: u64,
        /// Requests charged this month, and those in progress.
        used: u64,
        /// Those of them in progress, which may still fail and then no longer count.
        in_progress: u64,
        /// The first instant of the next UTC month, as `2026-12-01T00:00:00Z`.
        reset_at: String,
    },
    /// The usage could not be read, or the store accepts no charges.
    #[error(transparent)]
    Store(#[from] StoreError),
}
