//! The integration tests, one binary: a file a subject.

mod catalogue;
mod gpu;
mod spec_any_input;
mod spec_contract;
mod spec_rules;
