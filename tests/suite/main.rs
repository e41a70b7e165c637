//! The integration tests, one binary: a file a subject.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that fails says so")]

mod catalogue;
mod layout;
mod layout_harfbuzz;
