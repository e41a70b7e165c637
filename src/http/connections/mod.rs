//! Connections of clients: accepting, limiting and draining them.
//!
//! Input: a bound listener and a router. Output: none; connections are served until shutdown. `server` accepts up to a
//! limit and drains at shutdown, `timeout_stream` limits the waits for a slow client, `hang_up` detects a client that
//! hung up. hyper itself refuses a head that it cannot parse. Nothing here knows a route.

mod hang_up;
mod server;
mod timeout_stream;

pub use server::{ListenerConfig, listen, serve};
pub use timeout_stream::Timeouts;
