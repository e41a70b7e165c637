//! The HTTP service: JSON over HTTP/1.1 under `/api/v1`.
//!
//! Input: a [`Service`] (access, renderer, fonts) and a bound listener. Output: responses. A request passes, in this
//! order:
//! 1. `connections`: accepted up to a limit, with limits on the waits for slow clients.
//! 2. `middleware`: request id, log line, metrics, trace, CORS, panics.
//! 3. `routes`: the table of routes; admission by key, quota and rate limit, from the head alone.
//! 4. `handlers`: one function for each route.
//! 5. `responses`: what a response contains. `errors`: the table of all errors.
//!
//! `openapi` and `reference` describe the interface, for programs and for people. `page` is the studio. `admin` answers
//! liveness, readiness and metrics, on a listener of its own.
//!
//! The module renders nothing: pages come from a [`Renderer`]. `row_renderer` makes the rows of jobs through it.
//! `client_link` has the links that show a page without a key. The module never logs a page, key or text.

mod admin;
mod client_link;
mod connections;
mod errors;
mod handlers;
mod middleware;
pub mod openapi;
mod page;
mod reference;
mod renderer;
mod responses;
mod routes;
mod row_renderer;
mod service;

pub use admin::{AdminListener, KeyMetrics};
pub use connections::{ListenerConfig, Timeouts, listen, serve};
pub use middleware::origin::Origin;
pub use renderer::{Renderer, Rendering};
pub use responses::{FontList, MailPieceList, PreflightReport, mail_piece_guide};
pub use routes::router;
pub use service::{PreviewWatermark, Service};
