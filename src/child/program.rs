//! Starts the program once more, and waits for its result.

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use thiserror::Error;

use crate::clock::Clock;

/// How often to look whether it has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Why there is no result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum ChildError {
    /// It used up its processor time.
    #[error("it takes too much processor time")]
    ProcessorTime,
    /// It took longer than it may, in seconds.
    #[error("it took longer than {0} s")]
    TooLong(u64),
    /// A signal ended it that its own faults lead to, such as a lack of memory.
    #[error("it ends the process with signal {0}")]
    Fault(i32),
    /// It panicked, or ran out of memory.
    #[error("it fails ({0})")]
    Panic(ExitStatus),
    /// It says that it failed.
    #[error("it fails ({0})")]
    Failed(ExitStatus),
    /// Somebody else ended it, by this signal.
    #[error("it was ended by signal {0}")]
    EndedBySignal(i32),
    /// Nobody wants its result any more.
    #[error("nobody waits for it")]
    Unwanted,
    /// It was not started, or was lost.
    #[error("{0}")]
    Lost(String),
}

impl ChildError {
    /// Whether the input leads to it, and would do so again.
    pub(crate) const fn is_of_input(&self) -> bool {
        matches!(self, Self::ProcessorTime | Self::TooLong(_) | Self::Fault(_) | Self::Panic(_))
    }
}

/// What a process is for.
pub(crate) struct ChildTask<'a> {
    /// Its arguments.
    pub(crate) arguments: Vec<OsString>,
    /// What it reads from its standard input.
    pub(crate) input: Vec<u8>,
    /// Most bytes of its output; the rest is cut off.
    pub(crate) most_output: u64,
    /// How long it may take. Its limit of processor time ends it after less; this one is for a process that waits.
    pub(crate) patience: Duration,
    /// Whether its result is still wanted.
    pub(crate) is_wanted: &'a dyn Fn() -> bool,
}

/// The program `longhand` at a path.
#[derive(Clone, Debug)]
pub(crate) struct ChildProgram(pub(crate) PathBuf);

impl ChildProgram {
    /// Runs the program, and returns what it prints.
    ///
    /// # Errors
    /// It ended without success.
    pub(crate) fn run(&self, task: ChildTask<'_>) -> Result<Vec<u8>, ChildError> {
        let ChildTask { arguments, input, most_output, patience, is_wanted } = task;
        let mut command = Command::new(&self.0);
        command.args(arguments).env_clear();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| ChildError::Lost(format!("it cannot be started: {error}")))?;
        let feed = child.stdin.take();
        // A process that ends early closes its input. Its status tells why.
        std::thread::spawn(move || feed.and_then(|mut feed| feed.write_all(&input).ok()));
        let output = child.stdout.take().map(|output| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                output.take(most_output).read_to_end(&mut bytes).map(|_| bytes)
            })
        });
        let status = wait(&mut child, patience, is_wanted)?;
        let bytes = output.and_then(|reader| reader.join().ok()).and_then(Result::ok).unwrap_or_default();
        if status.success() { Ok(bytes) } else { Err(why(status)) }
    }
}

/// Waits for the end, and ends a process that takes too long or is not wanted.
fn wait(child: &mut Child, patience: Duration, is_wanted: &dyn Fn() -> bool) -> Result<ExitStatus, ChildError> {
    let clock = Clock::system();
    let start = clock.monotonic();
    let error = loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if !is_wanted() => break ChildError::Unwanted,
            Ok(None) if clock.monotonic().duration_since(start) < patience => std::thread::sleep(PAUSE),
            Ok(None) => break ChildError::TooLong(patience.as_secs()),
            Err(error) => break ChildError::Lost(format!("it was lost: {error}")),
        }
    };
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
    Err(error)
}

/// The meaning of an unsuccessful end.
fn why(status: ExitStatus) -> ChildError {
    /// Exit status of a panic.
    const PANIC: i32 = 101;
    /// SIGHUP, SIGINT, SIGQUIT and SIGTERM: somebody else ended it.
    const FROM_OUTSIDE: [i32; 4] = [1, 2, 3, 15];
    #[cfg(unix)]
    match std::os::unix::process::ExitStatusExt::signal(&status) {
        // SIGXCPU, or SIGKILL at the hard limit.
        Some(24 | 9) => return ChildError::ProcessorTime,
        Some(signal) if FROM_OUTSIDE.contains(&signal) => return ChildError::EndedBySignal(signal),
        Some(signal) => return ChildError::Fault(signal),
        None => {}
    }
    if status.code() == Some(PANIC) { ChildError::Panic(status) } else { ChildError::Failed(status) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str, input: &[u8], patience: Duration, is_wanted: bool) -> Result<Vec<u8>, ChildError> {
        ChildProgram("/bin/sh".into()).run(ChildTask {
            arguments: vec!["-c".into(), script.into()],
            input: input.to_vec(),
            most_output: 1 << 20,
            patience,
            is_wanted: &|| is_wanted,
        })
    }

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn input_and_output_may_be_larger_than_a_pipe() {
        let input = vec![b'x'; 700_000];
        assert!(run("/bin/cat", &input, LONG, true).unwrap() == input);
        assert_eq!(run("exit 0", &input, LONG, true), Ok(Vec::new()), "it may leave its input unread");
        assert_eq!(run("echo \"${HOME-none}\"", b"", LONG, true), Ok(b"none\n".to_vec()), "it has no environment");
    }

    #[test]
    fn every_bad_end_is_told() {
        assert_eq!(run("kill -11 $$", b"", LONG, true), Err(ChildError::Fault(11)));
        assert_eq!(run("kill -24 $$", b"", LONG, true), Err(ChildError::ProcessorTime));
        assert_eq!(run("kill -15 $$", b"", LONG, true), Err(ChildError::EndedBySignal(15)));
        assert!(matches!(run("exit 101", b"", LONG, true), Err(ChildError::Panic(_))));
        assert!(matches!(run("exit 65", b"", LONG, true), Err(ChildError::Failed(_))));
        let stays = "while :; do /bin/sleep 0.01; done";
        assert_eq!(run(stays, b"", Duration::from_millis(30), true), Err(ChildError::TooLong(0)));
        assert_eq!(run(stays, b"", LONG, false), Err(ChildError::Unwanted));
    }
}
