//! The integration tests, one binary: a file a subject.

mod architecture;
mod catalogue;
mod gpu;
