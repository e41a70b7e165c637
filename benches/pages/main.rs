//! How long a page takes, stage by stage and as a whole, and how long two CPU renderers take for the same page.
//!
//! `cargo bench` times the stages of each scene with criterion, then draws every scene with every program in turn, round
//! by round, so that a machine whose speed wanders treats all alike, and prints the medians and their ratios. A word
//! after `--` selects the scenes whose name contains it. A second table sets our PDFs beside our PNG.
//!
//! The peers are given the finished layout's positions and warm outlines; their time counts from text (the same
//! layout) to the bytes of an RGBA PNG, as ours does.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot run should say so and stop")]

mod comparison;
mod files;
mod peers;
#[path = "../requests.rs"]
mod requests;
mod scenes;

use std::hint::black_box;
use std::sync::Arc;

use criterion::Criterion;
use longhand::catalogue::FontCatalogue;
use longhand::clock::Clock;
use longhand::encode::{OutputProfiles, encode_png};
use longhand::gpu::Renderer;
use longhand::layout::lay_out;
use longhand::mesh::MeshCache;
use longhand::pipeline::Studio;
use longhand::scene::{Rendition, compose};
use longhand::spec::RenderSpec;

/// Most pixels of strips that the device works on at once, as in production.
const BAND_BUDGET: usize = 8 << 20;

/// Times each stage of one scene alone, warm.
fn time_stages(
    criterion: &mut Criterion,
    name: &str,
    spec: &RenderSpec,
    catalogue: &FontCatalogue,
    renderer: &Renderer,
) {
    let meshes = MeshCache::default();
    let rendition = Rendition::of(spec, spec.dpi.scale());
    let layout = lay_out(spec, catalogue).unwrap();
    let scene = compose(&layout, &rendition, catalogue, &meshes, BAND_BUDGET).unwrap();
    let coverage = renderer.render(scene.clone()).unwrap();

    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("layout", |bencher| bencher.iter(|| lay_out(black_box(spec), catalogue)));
    group.bench_function("scene", |bencher| {
        bencher.iter(|| compose(black_box(&layout), &rendition, catalogue, &meshes, BAND_BUDGET));
    });
    group.bench_function("gpu", |bencher| {
        bencher.iter_batched(
            || scene.clone(),
            |scene| renderer.render(black_box(scene)),
            criterion::BatchSize::LargeInput,
        );
    });
    group.bench_function("encode", |bencher| {
        bencher.iter(|| encode_png(black_box(&coverage), spec.ink, spec.dpi.scale()));
    });
    group.finish();
}

#[expect(clippy::print_stdout, reason = "the table is what this program is for")]
fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let catalogue = Arc::new(FontCatalogue::load().unwrap());
    let renderer = Renderer::start().expect("benches need a Vulkan adapter; `make bench` installs lavapipe");
    // Only `cargo bench` passes this; `cargo test --benches` does each thing once, to see that it works.
    let timing = std::env::args().any(|argument| argument == "--bench");
    let selected = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let chosen: Vec<_> = scenes::all().into_iter().filter(|scene| scene.name.contains(&selected)).collect();

    for scene in &chosen {
        time_stages(&mut criterion, scene.name, &scene.spec, &catalogue, &renderer);
    }
    for scene in scenes::to_be_sized().iter().filter(|scene| scene.name.contains(&selected)) {
        criterion.bench_function(&format!("layout/{}", scene.name), |bencher| {
            bencher.iter(|| lay_out(black_box(&scene.spec), &catalogue));
        });
    }
    criterion.final_summary();

    let adapter = renderer.devices().remove(0).adapter;
    drop(renderer);
    let rounds = if timing { comparison::ROUNDS } else { 1 };
    let profiles = OutputProfiles::load(None).expect("the bundled profiles are sound");
    let studio = Studio::open(Arc::clone(&catalogue), profiles, Clock::system()).expect("the adapter of a moment ago");
    println!("\n{}", comparison::run(&chosen, &catalogue, &studio, &adapter, rounds));
    println!("\n{}", files::run(&chosen, &studio, rounds));
}
