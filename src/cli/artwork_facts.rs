//! `longhand artwork-facts`: examines a picture of a request in this process, for the service.

use std::io;

use super::{Failure, limit_process};
use crate::uploads::examine_from;

/// Most memory, in bytes of address space. The program itself and its threads have about 200 MiB; the largest picture
/// with 16 bits per channel needs the rest for a moment.
const MEMORY: u64 = 3 << 29;
/// Most processor time, in seconds: the largest photograph takes one.
const SECONDS: u64 = 10;

/// Limits this process, and reads standard input.
pub(super) fn run() -> Result<(), Failure> {
    limit_process(MEMORY, SECONDS)?;
    let examined = examine_from(&mut io::stdin().lock(), &mut io::stdout().lock());
    examined.map_err(Failure::internal("the picture of a request"))
}
