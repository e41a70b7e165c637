//! Standard output and standard error. Only this file writes to them.

use std::io::{self, Write as _};

use super::Failure;

/// Prints a result with a final newline. A closed pipe (`… | head`) is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    match writeln!(io::stdout().lock(), "{text}").and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Io(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a note or a failure on standard error.
pub(super) fn note(text: &str) {
    // Without standard error there is nowhere to report a failure.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
