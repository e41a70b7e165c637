//! Runs the examination of a file in a process of its own, which may fail in any way.

use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::examination::{Examination, VERSION};
use crate::child::{ChildError, ChildProgram, ChildTask};

/// How long an examination may take. A process ends itself after less, as it has a limit of processor time; this one is
/// for files on a disk that does not answer.
const PATIENCE: Duration = Duration::from_secs(60);
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

impl From<ChildError> for ExamineError {
    fn from(error: ChildError) -> Self {
        match error {
            ChildError::ProcessorTime => Self::CutOff(
                "examining it takes too much processor time: its outlines or rules (GSUB) never seem to end".to_owned(),
            ),
            ChildError::TooLong(seconds) => Self::CutOff(format!("examining it took longer than {seconds} s")),
            ChildError::Fault(signal) => Self::CutOff(format!(
                "examining it ends the process with signal {signal}: it is broken, or needs too much memory"
            )),
            ChildError::Panic(status) => {
                Self::CutOff(format!("examining it fails ({status}): it is broken, or needs too much memory"))
            }
            ChildError::Failed(status) => {
                Self::Failed(format!("examining it fails ({status}): it is broken, or needs too much memory"))
            }
            ChildError::EndedBySignal(signal) => Self::Failed(format!("the examination was ended by signal {signal}")),
            ChildError::Unwanted | ChildError::Lost(_) => Self::Failed(format!("the examination: {error}")),
        }
    }
}

/// Runs `longhand fonts examine`.
#[derive(Clone, Debug)]
pub struct Examiner(ChildProgram);

impl Examiner {
    /// An examiner that runs the program `longhand` at this path.
    #[must_use]
    pub const fn of(program: PathBuf) -> Self {
        Self(ChildProgram(program))
    }

    /// Examines a file whose bytes have this checksum.
    ///
    /// # Errors
    /// The examination ended without a result, or was of other bytes. The message says why.
    pub fn examine(&self, file: &Path, sha256: &str) -> Result<Examination, ExamineError> {
        let text = self.0.run(ChildTask {
            arguments: vec!["fonts".into(), "examine".into(), file.into()],
            input: Vec::new(),
            most_output: LARGEST_RESULT,
            patience: PATIENCE,
            is_wanted: &|| true,
        })?;
        let failed = |reason: String| ExamineError::Failed(reason);
        let examination: Examination =
            serde_json::from_slice(&text).map_err(|error| failed(format!("the examination has no result: {error}")))?;
        if examination.sha256 != sha256 || examination.version != VERSION {
            return Err(failed("the file changed while it was read".to_owned()));
        }
        Ok(examination)
    }
}
