//! Writes the parts of a stream in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::adler::ByteSums;
use crate::work::{IsWanted, Stopped};

/// The bytes of a part, and their sums.
type Part = (Vec<u8>, ByteSums);

/// Appends what `write` returns for the number of each part to `bytes`, in order. Returns the sums of all.
///
/// The calling thread writes parts, and idle threads of the pool help. If it only waited for the pool, a page would
/// take 0.1 ms more of the CPU.
///
/// # Errors
/// The parts are no longer wanted, which is asked before each. `bytes` then has some of them, or none.
pub(super) fn append_parts(
    count: usize,
    write: impl Fn(usize) -> Part + Sync,
    is_wanted: IsWanted<'_>,
    bytes: &mut Vec<u8>,
) -> Result<ByteSums, Stopped> {
    let next = AtomicUsize::new(0);
    let written: Mutex<Vec<Option<Part>>> = Mutex::new(vec![None; count]);
    let write_parts = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || !is_wanted() {
                return;
            }
            let part = write(number);
            written.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(part);
        }
    };
    rayon::in_place_scope(|scope| {
        let helpers = rayon::current_num_threads().min(count).saturating_sub(1);
        (0..helpers).for_each(|_| scope.spawn(|_| write_parts()));
        write_parts();
    });
    let mut sums = ByteSums::default();
    for part in written.into_inner().unwrap_or_else(PoisonError::into_inner) {
        let (part, of_part) = part.ok_or(Stopped::Unwanted)?;
        bytes.extend_from_slice(&part);
        sums = sums.then(of_part);
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(number: usize) -> Part {
        let bytes = vec![number as u8; number % 5];
        let sums = ByteSums::of(&bytes);
        (bytes, sums)
    }

    #[test]
    fn parts_come_in_order_with_the_sums_of_all() {
        for count in [0, 1, 2, 300] {
            let mut bytes = vec![7];
            let sums = append_parts(count, part, &|| true, &mut bytes).unwrap();
            let expected: Vec<u8> = (0..count).flat_map(|number| part(number).0).collect();
            assert_eq!((sums.adler32(), &bytes[1..]), (ByteSums::of(&expected).adler32(), expected.as_slice()));
        }
    }

    #[test]
    fn unwanted_parts_are_not_written() {
        let (asked, written) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let write = |number| {
            written.fetch_add(1, Ordering::Relaxed);
            part(number)
        };
        let is_wanted = || asked.fetch_add(1, Ordering::Relaxed) < 3;
        assert_eq!(append_parts(100, write, &is_wanted, &mut Vec::new()).err(), Some(Stopped::Unwanted));
        assert_eq!(written.into_inner(), 3);
    }
}
