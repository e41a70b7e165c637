//! Longhand turns text into handwriting on the GPU.
//!
//! ```text
//!  JSON ─ spec ──▶ RenderSpec ─ layout ──▶ PageLayout ─ scene ──▶ Scene ─ gpu ──▶ Coverage ─ encode ──▶ PNG, PDF, SVG
//!                       ▲                     ▲            ▲                          │                 ▲
//!                    catalogue ───────────────┴── mesh ────┘                        raster              │
//!                                         PageLayout ─ vector ──▶ VectorPage ───────────────────────────┘
//! ```
//!
//! Values flow one way; each module below takes a finished value and returns a new one. `pipeline` runs the stages.
//! `http` and `cli` are the two interfaces, and `access` decides which clients may use the first.

#![forbid(unsafe_code)]

mod named;

pub mod units;

pub mod geometry;

pub mod clock;

mod child;

mod turns;

pub mod noise;

pub mod work;

pub mod warning;

pub mod variation;

pub mod telemetry;

pub mod catalogue;

pub mod artwork;

pub mod spec;

mod encodings;

pub mod layout;

pub mod pen;

pub mod preflight;

mod mail_merge;

pub mod mesh;

pub mod scene;

pub mod vector;

pub mod gpu;

pub mod raster;

pub mod encode;

pub mod own_fonts;

pub mod own_hand;

pub mod pipeline;

pub mod hands;

pub mod access;

pub mod uploads;

pub mod jobs;

pub mod http;

pub mod config;

pub mod cli;
