//! The integration tests, one binary: a file a subject.

mod access_durability;
mod access_keys;
mod access_quota;
mod access_rate_limit;
mod architecture;
mod catalogue;
mod cli;
mod cli_serve;
mod encode;
mod encode_corpus;
mod encode_training;
mod gpu;
mod http_access;
mod http_errors;
mod http_generate;
mod http_harness;
mod http_server;
mod http_status;
mod layout;
mod layout_harfbuzz;
mod spec_any_input;
mod spec_contract;
mod spec_rules;
