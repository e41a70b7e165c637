//! The threads that make paths.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// `None` if they cannot be started.
static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();

/// Does parallel work. It has threads of its own, because those of the whole process take up work from elsewhere only
/// when none of their own is left: a card would wait there until the paths of a book are made.
pub(super) fn in_own_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let named = || ThreadPoolBuilder::new().thread_name(|number| format!("paths-{number}"));
    match THREADS.get_or_init(|| named().build().ok()) {
        Some(threads) => threads.install(work),
        None => work(),
    }
}
