//! Distributes rows over threads: every core lays out and encodes while the device draws.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::entry::Entry;
use super::interrupt::Interrupt;
use super::renderer::{Content, Refusal, RowRenderer, RowResult};
use super::rows::Row;
use crate::cli::{Failure, atomic_file};
use crate::encode::PdfPage;

/// A row that was attempted.
pub(super) struct Attempt {
    /// What became of it.
    pub(super) entry: Entry,
    /// Its pages, where they belong to a file of all rows.
    pub(super) pages: Vec<PdfPage>,
}

/// Makes the rows on `threads` threads and tells `done` of each, in any order, on the calling thread.
///
/// # Errors
/// What keeps every row from being made, or what `done` returns; rows under way are finished and reported.
pub(super) fn make_all(
    rows: &[&Row],
    threads: usize,
    renderer: &dyn RowRenderer,
    interrupt: &Interrupt,
    mut done: impl FnMut(Attempt) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let mut ended = Ok(());
    thread::scope(|scope| {
        let (results, received) = sync_channel(threads * 2);
        for _ in 0..threads {
            let (next, results) = (&next, results.clone());
            scope.spawn(move || work(rows, next, renderer, interrupt, &results));
        }
        drop(results);
        for result in received {
            let outcome = result.and_then(&mut done);
            if let Err(failure) = outcome {
                interrupt.halt();
                if ended.is_ok() {
                    ended = Err(failure);
                }
            }
        }
    });
    ended
}

fn work(
    rows: &[&Row],
    next: &AtomicUsize,
    renderer: &dyn RowRenderer,
    interrupt: &Interrupt,
    results: &SyncSender<Result<Attempt, Failure>>,
) {
    while !interrupt.is_halted() {
        let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
        if results.send(attempt(row, renderer)).is_err() {
            return;
        }
    }
}

fn attempt(row: &Row, renderer: &dyn RowRenderer) -> Result<Attempt, Failure> {
    let failed = |error: String| Attempt {
        entry: Entry { error: Some(error.replace('\n', "; ")), ..Entry::of(row) },
        pages: Vec::new(),
    };
    let request = match &row.request {
        Ok(request) => request,
        Err(error) => return Ok(failed(error.clone())),
    };
    let seed = getrandom::u32().map_err(Failure::internal("no seed"))?;
    let made = match renderer.make(request, seed) {
        Ok(made) => made,
        Err(Refusal::Row(error)) => return Ok(failed(error)),
        Err(Refusal::All(failure)) => return Err(failure),
    };
    let RowResult { content, seed, calculated_font_size, warnings } = made;
    let calculated_font_size = calculated_font_size.or(row.same_size);
    let entry = Entry { seed: Some(seed), calculated_font_size, warnings, ..Entry::of(row) };
    match content {
        Content::Nothing => Ok(Attempt { entry: Entry { dry_run: true, ..entry }, pages: Vec::new() }),
        Content::Pages(pages) => Ok(Attempt { entry, pages }),
        Content::File(bytes) => {
            write(&row.file, &bytes)?;
            Ok(Attempt { entry: Entry { bytes: Some(bytes.len() as u64), ..entry }, pages: Vec::new() })
        }
    }
}

/// Writes a file and the folders it lies in.
pub(super) fn write(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    atomic_file::make_folder_of(file)?;
    atomic_file::write(file, bytes)
}
