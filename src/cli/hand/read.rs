//! `longhand hand read`: reads the pictures of a request in this process, for the service.

use std::io;

use rlimit::Resource;

use crate::cli::Failure;
use crate::hands::read_from;

/// Most memory, in bytes of address space. The program itself and its threads have about 200 MiB; a page of 60 megapixels
/// needs the rest for a moment.
const MEMORY: u64 = 3 << 29;
/// Most processor time, in seconds.
const SECONDS: u64 = 60;

/// Limits this process, and reads standard input.
pub(super) fn run() -> Result<(), Failure> {
    for (resource, most) in [(Resource::AS, MEMORY), (Resource::CPU, SECONDS), (Resource::CORE, 0)] {
        resource.set(most, most).map_err(Failure::internal("the process cannot be limited"))?;
    }
    let read = read_from(&mut io::stdin().lock(), &mut io::stdout().lock());
    read.map_err(Failure::internal("the pictures of a request"))
}
