//! Reads workbooks in a process of its own. A file of a kilobyte can name a cell so far away that the sheet takes all memory,
//! or unpack to a thousand times its size.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use super::workbook::{SheetRecords, records};
use crate::child::{ChildProgram, ChildTask};

/// How long a workbook may take. The limit of processor time usually ends the process sooner.
const PATIENCE: Duration = Duration::from_secs(60);
/// Most bytes of a result. The texts of the largest workbook that a job takes have less.
const LARGEST_RESULT: u64 = 256 << 20;

/// What the process prints.
type Printed = Result<SheetRecords, String>;

/// Runs `longhand jobs read-workbook`.
#[derive(Clone, Debug)]
pub struct WorkbookReader(ChildProgram);

impl WorkbookReader {
    /// A reader that runs the program `longhand` at this path.
    #[must_use]
    pub const fn of(program: PathBuf) -> Self {
        Self(ChildProgram(program))
    }

    /// Reads a workbook.
    ///
    /// # Errors
    /// It cannot be read, or takes too much memory or time.
    pub(crate) fn read(&self, bytes: Vec<u8>) -> Printed {
        let printed = self.0.run(ChildTask {
            arguments: vec!["jobs".into(), "read-workbook".into()],
            input: bytes,
            most_output: LARGEST_RESULT,
            patience: PATIENCE,
            is_wanted: &|| true,
        });
        let printed = printed.map_err(|error| match error {
            error if error.is_of_input() => {
                "takes too much memory or time to read as a workbook; delete what lies far \
                                             away from the list, or save the sheet as CSV UTF-8"
                    .to_owned()
            }
            error => format!("cannot be read: the process that reads workbooks: {error}"),
        })?;
        serde_json::from_slice::<Printed>(&printed)
            .unwrap_or_else(|_| Err("has texts that are too long together; save the sheet as CSV UTF-8".to_owned()))
    }
}

/// Reads a workbook in this process, as [`WorkbookReader`] expects it.
///
/// # Errors
/// The input or the output fails.
pub(crate) fn print_records(input: &mut impl Read, output: &mut impl Write) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    serde_json::to_writer(&mut *output, &records(&bytes))?;
    output.flush()
}
