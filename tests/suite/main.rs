//! The integration tests, one binary: a file a subject.

mod encode;
mod encode_corpus;
mod encode_training;
