//! Standard output and standard error. Only this file writes to them.

use std::io::{self, Write as _};

use super::Failure;

/// Prints a result with a final newline. A reader that closed its end early (`… | head`) has what it wanted.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    match writeln!(io::stdout().lock(), "{text}").and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Io(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a remark or a failure for people.
pub(super) fn complain(text: &str) {
    // Nobody is left to tell if standard error is gone.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
