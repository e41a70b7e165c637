//! `longhand hand`: a font of one's own hand.
//!
//! `sheet` writes the sheet to print and fill; `make` makes the font of pictures of it; `read` reads those of a request to
//! the service, in a process with limits.
//! Input: parsed arguments. Output: files, and a summary on standard output.
//! The command itself draws and reads nothing; `own_hand` does.

mod make;
mod read;
mod sheet;

use super::Failure;

/// The arguments of `hand`.
#[derive(clap::Args, Debug)]
pub(super) struct HandCommand {
    #[command(subcommand)]
    task: Task,
}

#[derive(clap::Subcommand, Debug)]
enum Task {
    /// Write the sheet to print and fill
    Sheet(sheet::SheetCommand),
    /// Make a font of pictures of the filled sheet
    Make(make::MakeCommand),
    /// Read the pictures of a request in this process, under limits
    #[command(hide = true)]
    Read,
}

impl HandCommand {
    /// Runs the task.
    pub(super) fn run(self) -> Result<(), Failure> {
        match self.task {
            Task::Sheet(command) => command.run(),
            Task::Make(command) => command.run(),
            Task::Read => read::run(),
        }
    }
}
