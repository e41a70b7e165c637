//! `longhand hand read`: reads the pictures of a request in this process, for the service.

use std::io;

use crate::cli::{Failure, limit_process};
use crate::hands::read_from;

/// Most memory, in bytes of address space. The program itself and its threads have about 200 MiB; a page of 60 megapixels
/// needs the rest for a moment.
const MEMORY: u64 = 3 << 29;
/// Most processor time, in seconds.
const SECONDS: u64 = 60;

/// Limits this process, and reads standard input.
pub(super) fn run() -> Result<(), Failure> {
    limit_process(MEMORY, SECONDS)?;
    let read = read_from(&mut io::stdin().lock(), &mut io::stdout().lock());
    read.map_err(Failure::internal("the pictures of a request"))
}
