//! The encodings of lists that users bring: what bytes say that may be no UTF-8.
//!
//! Input: the bytes of a file, or those of its cells. Output: text, or the readings of which the user chooses one by
//! name. `code_page` knows encodings by name, those of DOS too; `readings` finds those in which all cells could be
//! words, the likeliest first; `contents` reads a whole file and refuses to guess. The command line and the service ask
//! this module, so both list the same readings. It knows no tables and no texts of pages.

mod code_page;
mod contents;
mod readings;

pub(crate) use code_page::CodePage;
pub(crate) use contents::{UnreadFile, decode};
