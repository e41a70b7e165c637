//! The integration tests, one binary: a folder for each subject.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on should fail where it stands, and some print the figures they judge"
)]

mod access;
#[expect(dead_code, reason = "the benchmarks use all of it")]
#[path = "../../benches/pages/scenes.rs"]
mod benchmark_scenes;
mod cli;
mod encode;
mod fonts;
mod gpu;
mod http;
mod layout;
mod live;
mod oracle;
mod pages;
mod pdf;
mod repository;
#[path = "../../benches/requests.rs"]
mod requests;
mod sample;
mod spec;
mod studio;
