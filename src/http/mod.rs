//! The HTTP service: JSON over HTTP/1.1 under `/api/v1`.
//!
//! Input: a [`Service`] (access, renderer, fonts) and a bound listener. Output: responses. A request passes, in this
//! order:
//! 1. `server`: accepts connections up to a limit, and drains them at shutdown. `timeout_stream` limits the waits for a
//!    slow client, `hang_up_stream` detects a client that hung up. hyper itself refuses a head that it cannot parse.
//! 2. `layers`: `access_log` (request id and time, log line within `log_budget`, metrics, `request_trace`), CORS,
//!    panics. `request_context` holds what handlers and layers share about a request.
//! 3. `router`: makes the router of `routes`, the table of paths. A `route` is a row: method, path, name in metrics and
//!    traces, handler, rate limit, body, and what the document says. To add a route, write its row and its handler.
//! 4. `admission`: authentication, quota and rate limit, from the head alone.
//! 5. `generate`, `preview`, `preflight` with `preflight_report`, `fonts`, `specimen`, `mail_pieces`, `usage`,
//!    `status`: the handlers. `body` reads a request's body. `accept` chooses the form of the answer: `page_response`
//!    writes JSON and `file_response` a PNG, PDF or SVG; `file_body` sends a PDF of several pages while they are made,
//!    and `response_budget` bounds the memory of responses that wait to be sent. `fonts` answers with `font_list`,
//!    `specimen` with a picture; `loaded_fonts` keeps both. `mail_pieces` answers with `mail_piece_list` and
//!    `mail_piece_guide`.
//! 6. `openapi`, `reference`: the interface, for programs and for people. `page`: the studio. `static_files` sends
//!    files of both.
//! 7. `admin`: liveness, readiness and metrics, on a listener of its own.
//! 8. `error`: the table of all errors. `error_sources` converts errors of other modules, `error_response` and
//!    `error_body` write the response.
//!
//! The module renders nothing: pages come from a [`Renderer`]. It never logs a page, key or text.

mod accept;
mod access_log;
mod admin;
mod admission;
mod body;
mod error;
mod error_body;
mod error_response;
mod error_sources;
mod file_body;
mod file_response;
mod font_list;
mod fonts;
mod generate;
mod hang_up_stream;
mod layers;
mod loaded_fonts;
mod log_budget;
mod mail_piece_guide;
mod mail_piece_list;
mod mail_pieces;
pub mod openapi;
mod origin;
mod page;
mod page_response;
mod preflight;
mod preflight_report;
mod preview;
mod reference;
mod renderer;
mod request_context;
mod request_id;
mod request_trace;
mod response_budget;
mod response_headers;
mod route;
mod router;
mod routes;
mod server;
mod service;
mod specimen;
mod static_files;
mod status;
mod timeout_stream;
mod usage;

pub use admin::AdminListener;
pub use font_list::FontList;
pub use mail_piece_guide::mail_piece_guide;
pub use mail_piece_list::MailPieceList;
pub use origin::Origin;
pub use preflight_report::PreflightReport;
pub use renderer::{Renderer, Rendering};
pub use router::router;
pub use server::{ListenerConfig, listen, serve};
pub use service::Service;
pub use timeout_stream::Timeouts;
