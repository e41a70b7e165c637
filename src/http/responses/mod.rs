//! What responses contain: pages, files and lists.
//!
//! `accept` chooses the form of the answer. `page_response` writes JSON, and `file_response` a PNG, PDF or SVG;
//! `file_body` sends a PDF of several pages while they are made, and `response_budget` bounds the memory of responses
//! that wait to be sent. `preflight_report`, `font_list`, `mail_piece_list` and `mail_piece_guide` are the bodies of
//! their routes; `loaded_fonts` keeps those of the fonts. `static_files` sends the files of the studio and of the
//! reference. `response_headers` are on every response.

pub(super) mod accept;
pub(super) mod file_body;
pub(super) mod file_response;
pub(super) mod font_list;
pub(super) mod loaded_fonts;
pub(super) mod mail_piece_guide;
pub(super) mod mail_piece_list;
pub(super) mod page_response;
pub(super) mod preflight_report;
pub(super) mod response_budget;
pub(super) mod response_headers;
pub(super) mod static_files;

pub use font_list::FontList;
pub use mail_piece_guide::mail_piece_guide;
pub use mail_piece_list::MailPieceList;
pub use preflight_report::PreflightReport;
