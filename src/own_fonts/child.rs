//! Runs the examination of a file in a process of its own, which may fail in any way.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use thiserror::Error;

use super::examination::{Examination, VERSION};
use crate::clock::Clock;

/// How long an examination may take. A process ends itself after less, as it has a limit of processor time; this one is
/// for files on a disk that does not answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often to look whether it has ended.
const PAUSE: Duration = Duration::from_millis(5);
/// Most bytes of a result.
const LARGEST_RESULT: u64 = 1 << 20;

/// Why an examination has no result.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExamineError {
    /// The file takes too much time or memory, or ends the process. It would do so again.
    #[error("{0}")]
    CutOff(String),
    /// Something else failed; another try may succeed.
    #[error("{0}")]
    Failed(String),
}

/// Runs `longhand fonts examine`.
#[derive(Clone, Debug)]
pub struct Examiner {
    program: PathBuf,
}

impl Examiner {
    /// An examiner that runs this program.
    ///
    /// # Errors
    /// The system does not tell where it is.
    pub fn of_this_program() -> std::io::Result<Self> {
        std::env::current_exe().map(Self::of)
    }

    /// An examiner that runs the program `longhand` at this path.
    #[must_use]
    pub const fn of(program: PathBuf) -> Self {
        Self { program }
    }

    /// Examines a file whose bytes have this checksum.
    ///
    /// # Errors
    /// The examination ended without a result, or was of other bytes. The message says why.
    pub fn examine(&self, file: &Path, sha256: &str) -> Result<Examination, ExamineError> {
        let failed = |reason: String| ExamineError::Failed(reason);
        let mut command = Command::new(&self.program);
        // Settings of the service, and secrets among them, are not for a process that reads hostile files.
        command.args(["fonts", "examine"]).arg(file).env_clear();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|error| failed(format!("the examination cannot be started: {error}")))?;
        let output = child.stdout.take().map(|output| {
            std::thread::spawn(move || {
                let mut text = String::new();
                output.take(LARGEST_RESULT).read_to_string(&mut text).map(|_| text)
            })
        });
        let status = wait(&mut child)?;
        let text = output.and_then(|reader| reader.join().ok()).and_then(Result::ok).unwrap_or_default();
        if !status.success() {
            return Err(why(status));
        }
        let examination: Examination =
            serde_json::from_str(&text).map_err(|error| failed(format!("the examination has no result: {error}")))?;
        if examination.sha256 != sha256 || examination.version != VERSION {
            return Err(failed("the file changed while it was read".to_owned()));
        }
        Ok(examination)
    }
}

/// Waits for the end, and ends a process that takes too long.
fn wait(child: &mut Child) -> Result<ExitStatus, ExamineError> {
    let clock = Clock::system();
    let start = clock.monotonic();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status),
            Ok(None) if clock.monotonic().duration_since(start) < PATIENCE => std::thread::sleep(PAUSE),
            other => {
                // It may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return Err(match other {
                    Err(error) => ExamineError::Failed(format!("the examination was lost: {error}")),
                    Ok(_) => ExamineError::CutOff(format!("examining it took longer than {} s", PATIENCE.as_secs())),
                });
            }
        }
    }
}

/// The meaning of an unsuccessful end.
fn why(status: ExitStatus) -> ExamineError {
    /// Exit status of a panic.
    const PANIC: i32 = 101;
    /// SIGHUP, SIGINT, SIGQUIT and SIGTERM: somebody else ended it.
    const FROM_OUTSIDE: [i32; 4] = [1, 2, 3, 15];
    #[cfg(unix)]
    match std::os::unix::process::ExitStatusExt::signal(&status) {
        // SIGXCPU, or SIGKILL at the hard limit.
        Some(24 | 9) => {
            let reason = "examining it takes too much processor time: its outlines or rules (GSUB) never seem to end";
            return ExamineError::CutOff(reason.to_owned());
        }
        Some(signal) if FROM_OUTSIDE.contains(&signal) => {
            return ExamineError::Failed(format!("the examination was ended by signal {signal}"));
        }
        Some(signal) => {
            return ExamineError::CutOff(format!(
                "examining it ends the process with signal {signal}: it is broken, or needs too much memory"
            ));
        }
        None => {}
    }
    let reason = format!("examining it fails ({status}): it is broken, or needs too much memory");
    if status.code() == Some(PANIC) { ExamineError::CutOff(reason) } else { ExamineError::Failed(reason) }
}
