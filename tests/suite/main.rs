//! The integration tests, one binary: a file a subject.

mod catalogue;
mod gpu;
