//! `longhand fonts examine`: examines one font in this process, for the processes that load fonts.

use std::path::PathBuf;

use crate::cli::{Failure, limit_process, output};
use crate::own_fonts::{LARGEST_FILE, examine, read_regular};

/// Most memory, in bytes of address space. The program itself and its threads have about 200 MiB.
const MEMORY: u64 = 1 << 30;
/// Most processor time, in seconds. The largest of the ninety fonts takes a tenth of it.
const SECONDS: u64 = 20;

/// The arguments of `fonts examine`.
#[derive(clap::Args, Debug)]
pub(super) struct ExamineCommand {
    /// Font to examine
    file: PathBuf,
}

impl ExamineCommand {
    /// Limits this process, examines the font and prints the result as JSON.
    pub(super) fn run(&self) -> Result<(), Failure> {
        limit_process(MEMORY, SECONDS)?;
        let bytes = read_regular(&self.file, LARGEST_FILE).map_err(Failure::io("read", &self.file))?;
        output::print(&serde_json::to_string(&examine(bytes)).map_err(Failure::internal("no JSON"))?)
    }
}
