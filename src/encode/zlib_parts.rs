//! Writes a zlib stream (RFC 1950) in parts, in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::adler::ByteSums;
use crate::work::{IsWanted, Stopped};

/// The bytes of a part, and their sums.
type Part = (Vec<u8>, ByteSums);

/// Deflate with a window of 32 KiB, fastest level (RFC 1950, 2.2).
const ZLIB_HEADER: [u8; 2] = [0x78, 0x01];

/// Appends a zlib stream: its header, what `write` returns for the number of each part, in order, and the checksum.
///
/// The calling thread writes parts, and idle threads of the pool help, one for each `parts_of_a_helper` parts. If it only waited for the pool, a page would
/// take 0.1 ms more of the CPU.
///
/// # Errors
/// The stream is no longer wanted, which is asked before each part. `bytes` then has a part of it.
pub(super) fn append_zlib_in_parts(
    count: usize,
    parts_of_a_helper: usize,
    write: impl Fn(usize) -> Part + Sync,
    is_wanted: IsWanted<'_>,
    bytes: &mut Vec<u8>,
) -> Result<(), Stopped> {
    let next = AtomicUsize::new(0);
    let written: Mutex<Vec<Option<Part>>> = Mutex::new(vec![None; count]);
    let write_parts = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || !is_wanted() {
                return;
            }
            let part = write(number);
            written.lock()[number] = Some(part);
        }
    };
    rayon::in_place_scope(|scope| {
        let helpers = (count / parts_of_a_helper).min(rayon::current_num_threads() - 1);
        (0..helpers).for_each(|_| scope.spawn(|_| write_parts()));
        write_parts();
    });
    bytes.extend_from_slice(&ZLIB_HEADER);
    let mut sums = ByteSums::default();
    for part in written.into_inner() {
        let (part, of_part) = part.ok_or(Stopped::Unwanted)?;
        bytes.extend_from_slice(&part);
        sums = sums.then(of_part);
    }
    bytes.extend_from_slice(&sums.adler32().to_be_bytes());
    Ok(())
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
            append_zlib_in_parts(count, 1, part, &|| true, &mut bytes).unwrap();
            let parts: Vec<u8> = (0..count).flat_map(|number| part(number).0).collect();
            let checksum = ByteSums::of(&parts).adler32().to_be_bytes();
            assert_eq!(bytes, [&[7], ZLIB_HEADER.as_slice(), &parts, &checksum].concat());
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
        assert_eq!(append_zlib_in_parts(100, 1, write, &is_wanted, &mut Vec::new()).err(), Some(Stopped::Unwanted));
        assert_eq!(written.into_inner(), 3);
    }
}
