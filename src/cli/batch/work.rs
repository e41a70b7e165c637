//! Distributes rows over threads: every core lays out and encodes while the device draws.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::entry::Entry;
use super::interrupt::Interrupt;
use super::renderer::{Content, Refusal, RowRenderer, RowResult};
use super::rows::Row;
use crate::cli::{Failure, atomic_file};
use crate::encode::PdfPage;

/// Makes the rows on `threads` threads and tells `done` of each, in any order, on the calling thread: what became of
/// it, and its pages where they belong to a file of all rows.
///
/// # Errors
/// What keeps every row from being made, or what `done` returns; rows under way are finished and reported.
pub(super) fn make_all(
    rows: &[&Row],
    threads: usize,
    renderer: &dyn RowRenderer,
    interrupt: &Interrupt,
    mut done: impl FnMut(Entry, Vec<PdfPage>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let mut ended = Ok(());
    thread::scope(|scope| {
        let (results, received) = sync_channel(threads * 2);
        for _ in 0..threads {
            let (next, results) = (&next, results.clone());
            scope.spawn(move || {
                while !interrupt.is_halted() {
                    let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    if results.send(attempt(row, renderer)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        for result in received {
            if let Err(failure) = result.and_then(|(entry, pages)| done(entry, pages)) {
                interrupt.halt();
                if ended.is_ok() {
                    ended = Err(failure);
                }
            }
        }
    });
    ended
}

fn attempt(row: &Row, renderer: &dyn RowRenderer) -> Result<(Entry, Vec<PdfPage>), Failure> {
    let seed = getrandom::u32().map_err(Failure::internal("no seed"))?;
    let request = row.request.as_ref().map_err(|error| Refusal::Row(error.clone()));
    let (mut entry, mut pages) = (Entry::of(row), Vec::new());
    match request.and_then(|request| renderer.make(request, seed)) {
        Ok(RowResult { content, seed, calculated_font_size, warnings }) => {
            entry = Entry { seed: Some(seed), ..entry }.sized(calculated_font_size).warned(warnings);
            match content {
                Content::Nothing => entry.dry_run = true,
                Content::Pages(made) => pages = made,
                Content::File(bytes) => {
                    write(&row.file, &bytes)?;
                    entry.bytes = Some(bytes.len() as u64);
                }
            }
        }
        Err(Refusal::Row(error)) => entry.error = Some(error.replace('\n', "; ")),
        Err(Refusal::All(failure)) => return Err(failure),
    }
    Ok((entry, pages))
}

/// Writes a file and the folders it lies in.
pub(super) fn write(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    atomic_file::make_folder_of(file)?;
    atomic_file::write(file, bytes)
}
