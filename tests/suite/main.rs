//! The integration tests, one binary: a file a subject.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on should fail where it stands, and some print the figures they judge"
)]

mod access_durability;
mod access_keys;
mod access_quota;
mod access_rate_limit;
mod architecture;
mod batch;
mod batch_mailing;
mod batch_service;
#[expect(dead_code, reason = "the benchmarks use all of it")]
#[path = "../../benches/pages/scenes.rs"]
mod benchmark_scenes;
mod benchmarks;
mod blocks;
mod catalogue;
mod cli;
mod cli_doctor;
mod cli_render;
mod cli_serve;
mod deployment;
mod docs;
mod drivers;
mod effects;
mod encode;
mod encode_corpus;
mod encode_training;
mod fuzz;
mod gpu;
mod grain;
mod hostile;
mod http_accept;
mod http_access;
mod http_admin;
mod http_errors;
mod http_generate;
mod http_harness;
mod http_metrics;
mod http_pdf;
mod http_preview;
mod http_server;
mod http_status;
mod layout;
mod layout_alignment;
mod layout_cost;
mod layout_effects;
mod layout_harfbuzz;
mod layout_sizes;
mod layout_text;
mod live_access;
mod live_admin;
#[cfg(feature = "faults")]
mod live_faults;
mod live_fleet;
mod live_fleet_tls;
mod live_fonts;
mod live_gpus;
mod live_log;
mod live_server;
mod live_shutdown;
mod live_store;
mod live_traces;
mod mail_pieces;
mod openapi;
mod openapi_client;
mod oracle;
mod own_fonts;
mod own_fonts_hostile;
mod own_fonts_pages;
mod page_bounds;
mod pages;
mod pdf_colors;
mod pdf_files;
mod pdf_matrix;
mod pdf_outlines;
mod pdf_renderers;
mod pdf_snapshots;
mod pdf_text;
mod pool;
mod preflight;
mod preview;
mod quality_coverage;
mod quality_glyphs;
mod quality_png;
mod quality_sizes;
mod quality_words;
mod reference;
#[path = "../../benches/requests.rs"]
mod requests;
mod ruling;
mod schemathesis;
mod spec_any_input;
mod spec_contract;
mod spec_rules;
mod specimens;
mod strokes;
mod substitutes;
mod supply_chain;
mod svg;
mod sweep;
mod try_page;
mod try_page_links;
mod word_gaps;
mod writer;
mod writer_checks;
mod writer_shapes;
