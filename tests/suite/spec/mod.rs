//! Requests: fields, rules and any input.

pub(crate) mod any_input;
pub(crate) mod contract;
pub(crate) mod rules;
