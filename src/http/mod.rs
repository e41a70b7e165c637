//! The service's door on the network: JSON over HTTP/1.1 under `/api/v1`.
//!
//! In: a [`Service`] (who may call, what renders, which fonts there are) and a bound listener. Out: answers. What an
//! exchange meets, in order, a file each:
//! 1. `server`: accepts connections up to a bound, drains on shutdown; `peer` notices clients that hang up, `patient_io`
//!    waits only so long for them, `answering_io` gives what hyper refuses by itself our form.
//! 2. `layers`: name and clock of the `exchange`, its log line (`log_budget`), metrics and `trace`, CORS, panics, the head.
//! 3. `router`: which path answers which method.
//! 4. `admission`: authentication, quota and rate limit, from the head alone.
//! 5. `generate`, `preview`, `fonts`, `specimen`, `status`: the handlers; `body` reads what a caller sends, `page_response` writes
//!    a picture and `pdf_response` a PDF; `file_body` sends a PDF of several pages as they are made, and `answers` bounds the
//!    memory of what waits to be sent.
//! 6. `openapi`, `reference`: the interface described, for programs and for people; `page`: where people try it.
//! 7. `admin`: liveness, readiness and metrics, for the operator, on a listener of its own.
//! 8. `error`: how every error looks on the wire, with the `error_details` of violations. No other file knows status
//!    codes of errors.
//!
//! It renders nothing itself: pages come from a [`Renderer`]. No page, key or text is ever logged.

mod admin;
mod admission;
mod answering_io;
mod answers;
mod body;
mod error;
mod error_details;
mod exchange;
mod file_body;
mod fonts;
mod generate;
mod layers;
mod log_budget;
pub mod openapi;
mod origin;
mod page;
mod page_response;
mod patient_io;
mod pdf_response;
mod peer;
mod preview;
mod reference;
mod renderer;
mod request_id;
mod router;
mod server;
mod service;
mod specimen;
mod status;
mod trace;

pub use admin::AdminListener;
pub use fonts::FontList;
pub use origin::Origin;
pub use patient_io::Patience;
pub use renderer::{Renderer, Rendering};
pub use router::router;
pub use server::{Bounds, listen, serve};
pub use service::Service;
