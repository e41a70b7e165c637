//! Hands that clients make: from pictures in a request to a font that belongs to one key.
//!
//! Input: pictures of a filled sheet, or the record of a hand, with what the client says of it. Output: a [`HandReport`] of
//! what was read, and, where the client saves the hand, its files in the operator's folder of fonts. In order:
//!
//! 1. [`Hands`] lets a few requests at a time read, so that their memory is bounded, and starts a process for each.
//! 2. `message` has the input and the output of that process. The command `longhand hand read` limits itself and calls
//!    `reading`, which reads the pictures by `own_hand`, examines the font and writes a trial of it. `report` says what became
//!    of them.
//! 3. `folder` keeps the files of saved hands, each under an id that no other font has, and finds those of a key.
//!
//! Pictures are in the memory of the request and of that process alone: none is written, logged or sent. A hand that is
//! not saved leaves nothing behind. The module knows no HTTP, and loads no fonts into the service: [`ServedFonts`] does.

mod folder;
mod message;
mod reading;
mod report;
mod service;

pub use folder::{KeptHand, MOST_HANDS};
pub use message::{HandInput, HandOrder};
pub use reading::read_from;
pub use report::{BoxReport, HandReport, LineReport, PictureReport, Problem, ProblemKind};
pub(crate) use service::ReadTurn;
pub use service::{Hands, HandsError, ServedFonts};
