//! Who may import whom, which package lives in which module, and the shape of files: the table and its enforcement.
//!
//! The table is the architecture; ARCHITECTURE.md explains it. A change that needs another row changes both.

mod imports;

use std::path::{Path, PathBuf};

use imports::{Source, circles, unused, violations};

/// The modules of the crate from the bottom up. Each may import only what stands beside it, and only what stands
/// above it in this table, so that values flow one way.
pub(crate) const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("named", &[]),
    ("units", &[]),
    ("clock", &[]),
    ("child", &["clock"]),
    ("turns", &[]),
    ("telemetry", &[]),
    ("noise", &[]),
    ("work", &[]),
    ("warning", &["named"]),
    ("geometry", &["units"]),
    ("variation", &["noise"]),
    ("catalogue", &["units", "geometry", "variation"]),
    ("artwork", &["geometry"]),
    ("spec", &["named", "units", "clock", "geometry", "catalogue", "artwork"]),
    ("encodings", &["spec"]),
    ("layout", &["units", "noise", "work", "warning", "geometry", "catalogue", "spec", "variation"]),
    ("pen", &["units", "noise", "catalogue", "spec"]),
    ("preflight", &["named", "units", "warning", "geometry", "catalogue", "spec", "layout", "pen"]),
    ("mail_merge", &["child", "warning", "catalogue", "spec", "encodings", "preflight"]),
    ("raster", &["geometry"]),
    ("mesh", &["units", "geometry", "catalogue"]),
    (
        "scene",
        &["units", "noise", "work", "geometry", "catalogue", "spec", "variation", "layout", "pen", "raster", "mesh"],
    ),
    ("vector", &["units", "work", "geometry", "catalogue", "spec", "variation", "layout", "mesh", "scene"]),
    ("gpu", &["clock", "telemetry", "work", "variation", "pen", "mesh", "raster", "scene"]),
    ("encode", &["units", "clock", "work", "geometry", "artwork", "spec", "raster", "vector"]),
    ("own_fonts", &["units", "child", "work", "variation", "catalogue", "spec", "layout", "mesh"]),
    ("own_hand", &["units", "geometry", "variation", "catalogue"]),
    (
        "pipeline",
        &[
            "units",
            "clock",
            "work",
            "warning",
            "geometry",
            "catalogue",
            "artwork",
            "spec",
            "layout",
            "preflight",
            "raster",
            "mesh",
            "scene",
            "vector",
            "gpu",
            "encode",
        ],
    ),
    ("access", &["clock"]),
    ("uploads", &["child", "turns", "artwork", "access"]),
    ("jobs", &["clock", "turns", "geometry", "spec", "encodings", "mail_merge", "encode", "access"]),
    (
        "hands",
        &["clock", "child", "turns", "catalogue", "spec", "encode", "own_fonts", "own_hand", "pipeline", "access"],
    ),
    (
        "http",
        &[
            "units",
            "clock",
            "turns",
            "telemetry",
            "geometry",
            "catalogue",
            "artwork",
            "spec",
            "preflight",
            "encode",
            "own_hand",
            "pipeline",
            "access",
            "uploads",
            "jobs",
            "hands",
        ],
    ),
    ("config", &["access", "jobs", "http"]),
    ("cli", EVERYTHING),
    ("lib", &[]),
    ("main", &["cli"]),
];

/// Stands for every module above it.
const EVERYTHING: &[&str] = &["*"];

/// Every package of `[dependencies]`, those of some targets included, and the modules that may name it.
pub(crate) const LIVES_IN: &[(&str, &[&str])] = &[
    ("wgpu", &["gpu"]),
    ("pollster", &["gpu"]),
    ("bytemuck", &["variation", "scene", "gpu"]),
    ("bytes", &["raster", "gpu"]),
    ("lyon", &["mesh"]),
    ("kurbo", &["geometry", "catalogue", "vector", "own_hand"]),
    ("i_overlay", &["vector"]),
    ("ttf_parser", &["catalogue"]),
    ("harfrust", &["layout"]),
    ("icu_segmenter", &["layout"]),
    ("unicode_bidi", &["layout"]),
    ("unicode_normalization", &["catalogue", "layout", "own_hand", "jobs"]),
    ("unicode_script", &["catalogue", "layout"]),
    ("unicode_properties", &["catalogue", "layout"]),
    ("base64", &["encode", "access", "jobs", "http"]),
    ("foldhash", &["catalogue", "encode", "layout", "mesh", "scene", "vector", "variation", "gpu", "own_hand"]),
    ("tikv_jemallocator", &["main"]),
    ("miniz_oxide", &["encode", "own_hand"]),
    ("simd_adler32", &["encode"]),
    ("fearless_simd", &["encode"]),
    ("lcms2", &["encode"]),
    ("pdf_writer", &["encode", "own_hand"]),
    ("lopdf", &["artwork", "encode", "own_hand"]),
    ("svg2pdf", &["artwork"]),
    ("hayro", &["artwork"]),
    ("png", &["encode"]),
    ("rayon", &["encode", "noise", "vector"]),
    ("axum", &["http"]),
    ("hyper", &["http"]),
    ("hyper_util", &["http"]),
    ("percent_encoding", &["http"]),
    ("tower", &["http"]),
    ("tower_http", &["http"]),
    ("uuid", &["access", "jobs", "http", "cli"]),
    ("tokio", &["turns", "pipeline", "access", "jobs", "http", "cli"]),
    ("rusqlite", &["access", "jobs"]),
    ("redis", &["access", "jobs"]),
    ("rustls", &["access", "jobs"]),
    ("hmac", &["access", "jobs"]),
    ("sha2", &["catalogue", "artwork", "encode", "access", "jobs", "own_hand", "cli"]),
    ("subtle", &["access"]),
    ("dashmap", &["layout", "access", "pipeline"]),
    ("quick_cache", &["layout", "mesh", "pipeline"]),
    ("crc32fast", &["encode", "access", "jobs", "http", "cli"]),
    ("flate2", &["http", "encode"]),
    ("getrandom", &["access", "http", "cli"]),
    ("clap", &["config", "cli"]),
    ("toml", &["spec", "own_fonts", "own_hand", "hands", "config"]),
    (
        "serde",
        &[
            "variation",
            "catalogue",
            "artwork",
            "spec",
            "own_fonts",
            "own_hand",
            "mail_merge",
            "access",
            "uploads",
            "jobs",
            "hands",
            "http",
            "config",
            "cli",
        ],
    ),
    ("schemars", &["catalogue", "mail_merge", "uploads", "jobs", "hands", "http"]),
    ("strsim", &["spec", "mail_merge"]),
    ("serde_path_to_error", &["http"]),
    (
        "serde_json",
        &["spec", "own_fonts", "own_hand", "mail_merge", "access", "uploads", "jobs", "hands", "http", "cli"],
    ),
    ("hex", &["catalogue", "artwork", "access", "jobs", "own_hand", "cli"]),
    ("jiff", &["clock"]),
    (
        "parking_lot",
        &["clock", "turns", "catalogue", "encode", "gpu", "pipeline", "access", "jobs", "hands", "http", "cli"],
    ),
    ("tracing", EVERYTHING),
    ("tracing_subscriber", &["config", "cli"]),
    ("rlimit", &["cli"]),
    ("async_trait", &["telemetry"]),
    ("opentelemetry", &["telemetry"]),
    ("opentelemetry_http", &["telemetry"]),
    ("opentelemetry_otlp", &["telemetry"]),
    ("opentelemetry_sdk", &["telemetry"]),
    ("metrics", &["telemetry"]),
    ("metrics_exporter_prometheus", &["telemetry"]),
    ("metrics_process", &["telemetry"]),
    ("thiserror", EVERYTHING),
    ("csv", &["catalogue", "mail_merge", "cli"]),
    ("image", &["artwork", "own_hand"]),
    ("moxcms", &["artwork"]),
    ("fax", &["own_hand"]),
    ("write_fonts", &["own_hand"]),
    ("calamine", &["mail_merge"]),
    ("quick_xml", &["mail_merge"]),
    ("zip", &["mail_merge", "jobs", "cli"]),
    ("encoding_rs", &["encodings", "own_fonts", "catalogue", "preflight"]),
    ("chardetng", &["encodings"]),
    ("signal_hook", &["cli"]),
    ("libc", &["own_fonts", "main"]),
    ("rustix", &["jobs"]),
    ("socket2", &["http"]),
    ("tempfile", &["own_fonts", "uploads", "jobs", "hands", "cli"]),
    ("object_store", &["jobs"]),
    // For a feature of object_store.
    ("reqwest", &[]),
    ("futures_util", &["jobs", "http"]),
    ("indicatif", &["cli"]),
    ("ureq", &["telemetry", "jobs", "cli"]),
];

/// A file longer than this is looked at twice, and then split.
const MOST_LINES: usize = 400;

/// A folder's `mod.rs` says what goes in, what comes out, in which phases, and what it does not do.
const FEWEST_HEADER_LINES: usize = 5;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file under `src`, by its path from the root.
fn sources() -> Vec<Source> {
    let mut folders = vec![root().join("src")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let read = |path: PathBuf| Source {
        text: std::fs::read_to_string(&path).unwrap(),
        path: path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/"),
    };
    files.into_iter().map(read).collect()
}

fn planted(path: &str, text: &str) -> Vec<String> {
    violations(&[Source { path: path.to_owned(), text: text.to_owned() }])
}

#[test]
fn every_module_imports_only_what_the_table_allows() {
    let sources = sources();
    assert!(sources.len() > 10, "only {} files were found", sources.len());
    let found = violations(&sources);
    assert!(found.is_empty(), "{}", found.join("\n"));
    let found = unused(&sources);
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(unused(&[]).len() > 100, "every permission needs somebody");
}

#[test]
fn the_table_lets_values_flow_one_way() {
    let mut above: Vec<&str> = Vec::new();
    for (module, imports) in MAY_IMPORT {
        for import in imports.iter().filter(|import| **import != "*") {
            assert!(above.contains(import), "{module} may import {import}, which does not stand above it");
        }
        assert!(!above.contains(module), "{module} stands in the table twice");
        above.push(module);
    }
}

#[test]
fn files_of_a_module_import_each_other_one_way() {
    let sources = sources();
    let found: Vec<String> = MAY_IMPORT.iter().flat_map(|(module, _)| circles(&sources, module)).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let file = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let planted = [
        file("src/clock.rs", ""),
        file("src/access/a.rs", "use super::inner::b::B; use crate::clock::Clock;"),
        file("src/access/inner/mod.rs", "mod b; use crate::access::a::A;"),
        file("src/access/inner/b.rs", "use super::c;"),
        file("src/access/inner/c.rs", "use crate::access::a::A; use super::d::D;"),
        file("src/access/inner/d.rs", "#[cfg(test)] mod tests { use super::super::c::C; }"),
    ];
    let found = circles(&planted, "access");
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn every_dependency_has_its_row() {
    let manifest: toml::Table = std::fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let everywhere = manifest["dependencies"].as_table().unwrap();
    let for_targets =
        manifest["target"].as_table().unwrap().values().flat_map(|target| target["dependencies"].as_table().unwrap());
    let names = everywhere.keys().chain(for_targets.map(|(name, _)| name));
    let mut declared: Vec<String> = names.map(|name| name.replace('-', "_")).collect();
    let mut listed: Vec<String> = LIVES_IN.iter().map(|(package, _)| (*package).to_owned()).collect();
    declared.sort();
    listed.sort();
    assert_eq!(declared, listed);
}

#[test]
fn no_source_file_is_too_long() {
    let long: Vec<String> = sources()
        .iter()
        .map(|source| (source.text.lines().count(), &source.path))
        .filter(|(lines, _)| *lines > MOST_LINES)
        .map(|(lines, path)| format!("{path} has {lines} lines; split it below {MOST_LINES}"))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_folder_opens_by_saying_what_it_does() {
    let short: Vec<String> = sources()
        .iter()
        .filter(|source| source.path.ends_with("/mod.rs"))
        .map(|source| (source.text.lines().take_while(|line| line.starts_with("//!")).count(), &source.path))
        .filter(|(lines, _)| *lines < FEWEST_HEADER_LINES)
        .map(|(lines, path)| format!("{path} opens with {lines} lines of `//!`; it needs {FEWEST_HEADER_LINES}"))
        .collect();
    assert!(short.is_empty(), "{}", short.join("\n"));
}

#[test]
fn a_planted_import_is_caught_however_it_is_written() {
    for text in [
        "use crate::layout::PageLayout;",
        "use crate::{raster::Coverage, layout::PageLayout};",
        "use crate::layout;",
        "pub use crate::layout as pages;",
        "use super::super::layout::PageLayout;",
        "fn f() { let _ = crate::layout::lay_out(); }",
        "fn f(_: &crate::layout::PageLayout) {}",
        "fn f() { use crate::layout::lay_out; }",
        "fn f() { assert!(crate::layout::lay_out()); }",
        "mod inner { use super::super::super::layout::PageLayout; }",
        "#[cfg(not(test))] use crate::layout::PageLayout;",
        "use crate::*;",
    ] {
        assert_eq!(planted("src/gpu/device.rs", text).len(), 1, "{text}");
    }
}

#[test]
fn a_planted_package_is_caught_outside_its_home() {
    for text in [
        "use wgpu::Device;",
        "use ::wgpu::Device;",
        "use {wgpu::Device, std::sync::Arc};",
        "use wgpu;",
        "fn f(_: &wgpu::Device) {}",
        "#[derive(wgpu::Derived)] struct S;",
        "fn f() { let _ = vec![wgpu::Limits::default()]; }",
        "fn f() { wgpu::include_wgsl!(\"a.wgsl\"); }",
    ] {
        assert_eq!(planted("src/scene/mod.rs", text).len(), 1, "{text}");
        assert!(planted("src/gpu/mod.rs", text).is_empty(), "{text}");
    }
}

#[test]
fn what_the_table_allows_passes() {
    for (path, text) in [
        ("src/gpu/device.rs", "use crate::scene::Scene; use crate::raster::{Coverage, Strip}; use super::passes;"),
        ("src/gpu/device.rs", "use crate::gpu::passes; use self::inner::X; mod inner { use super::Y; }"),
        ("src/gpu/device.rs", "#[cfg(test)] mod tests { use crate::layout::PageLayout; }"),
        ("src/cli/serve.rs", "use crate::http; use crate::access; use crate::config::Config;"),
        ("src/spec/mod.rs", "use crate::units::Px; fn f(layout: u8) -> u8 { layout }"),
        ("src/main.rs", "fn main() { longhand::cli::run(); }"),
    ] {
        let found = planted(path, text);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn a_file_that_only_tests_see_may_import_anything() {
    let parent =
        |attribute: &str| Source { path: "src/gpu/mod.rs".to_owned(), text: format!("{attribute} mod tests;") };
    let child = Source { path: "src/gpu/tests.rs".to_owned(), text: "use crate::layout::PageLayout;".to_owned() };
    let twin = Source { path: child.path.clone(), text: child.text.clone() };
    assert!(violations(&[parent("#[cfg(test)]"), child]).is_empty());
    assert_eq!(violations(&[parent(""), twin]).len(), 1);
}

#[test]
fn a_module_without_a_row_is_caught() {
    assert_eq!(planted("src/utils/mod.rs", "").len(), 1);
    assert_eq!(planted("src/main.rs", "fn main() { longhand::http::run(); }").len(), 1);
}
