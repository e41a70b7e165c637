//! A process of this program that reads what may be hostile, and may fail in any way.
//!
//! Input: the arguments of a hidden command, and bytes for its standard input. Output: what it prints, or why it ended
//! without a result. In order:
//!
//! 1. [`ChildProgram::run`] starts the program without the environment of the service: settings and secrets among them are
//!    not for a process that reads hostile files.
//! 2. Threads feed its input and take its output, so that neither side waits for the other.
//! 3. It is ended where it takes too long, or where nobody wants its result any more.
//!
//! The process itself limits its memory and its processor time. The module knows no fonts and no pictures, and writes no
//! file.

mod program;

pub(crate) use program::{ChildError, ChildProgram, ChildTask};
