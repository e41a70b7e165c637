//! How long a page takes, as a whole beside other programs that make the same page, and stage by stage.
//!
//! `make bench` times the stages of each scene with criterion; then it has every program make its pages in turn, round
//! by round, and prints four tables: the goals for speed and where they stand, all figures, our stages, and what the
//! pages consist of. `make bench ARGS=table` prints the tables alone. A further word selects the scenes whose name
//! contains it (`ARGS="table dense"`).
//!
//! `peers` says how the other programs are used. Their time counts from text to the bytes of a file, as ours does.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot run should say so and stop")]
#![allow(clippy::panic, reason = "as above")]

mod comparison;
mod goals;
mod measure;
mod peers;
#[path = "../requests.rs"]
mod requests;
mod scenes;
mod work;

use std::hint::black_box;
use std::sync::Arc;

use criterion::Criterion;
use longhand::catalogue::FontCatalogue;
use longhand::clock::Clock;
use longhand::encode::{OutputProfiles, encode_png};
use longhand::gpu::Renderer;
use longhand::layout::lay_out;
use longhand::mesh::MeshCache;
use longhand::pipeline::Engine;
use longhand::raster::Coverage;
use longhand::scene::{RenderParams, compose};
use longhand::spec::RenderSpec;

use scenes::Scene;
use work::Work;

/// As in the program.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// Times each stage of one scene alone, warm.
fn time_stages(
    criterion: &mut Criterion,
    name: &str,
    spec: &RenderSpec,
    catalogue: &FontCatalogue,
    renderer: &Renderer,
) {
    let meshes = MeshCache::default();
    let params = RenderParams::of(spec, spec.dpi.scale());
    let layout = lay_out(spec, catalogue).unwrap();
    let scene = compose(&layout, &params, catalogue, &meshes, renderer.band_pixels()).unwrap();
    let coverage = renderer.render(scene.clone()).unwrap();

    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("layout", |bencher| bencher.iter(|| lay_out(black_box(spec), catalogue)));
    group.bench_function("scene", |bencher| {
        bencher.iter(|| compose(black_box(&layout), &params, catalogue, &meshes, renderer.band_pixels()));
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

/// What each page consists of, and its coverage.
fn count(scenes: &[Scene], catalogue: &FontCatalogue, renderer: &Renderer) -> (Vec<Work>, Vec<Coverage>) {
    let meshes = MeshCache::default();
    let counted = |page: &Scene| {
        let params = RenderParams::of(&page.spec, page.spec.dpi.scale());
        let layout = lay_out(&page.spec, catalogue).unwrap();
        let scene = compose(&layout, &params, catalogue, &meshes, renderer.band_pixels()).unwrap();
        let coverage = renderer.render(scene.clone()).unwrap();
        (Work::of(page.name, &page.spec, &scene, &coverage), coverage)
    };
    scenes.iter().map(counted).unzip()
}

#[expect(clippy::print_stdout, reason = "the tables are what this program is for")]
fn main() {
    // Only `cargo bench` passes this; `cargo test --benches` does each thing once, to see that it works.
    let is_timing = std::env::args().any(|argument| argument == "--bench");
    let mut words = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    let tables_alone = words.next_if(|word| word == "table").is_some();
    let selected = words.next().unwrap_or_default();
    let chosen: Vec<_> = scenes::all().into_iter().filter(|scene| scene.name.contains(&selected)).collect();

    let catalogue = Arc::new(FontCatalogue::load().unwrap());
    let renderer = Renderer::start().expect("benches need a Vulkan adapter; `make bench` installs lavapipe");
    if !tables_alone {
        let mut criterion = Criterion::default().configure_from_args();
        for scene in &chosen {
            time_stages(&mut criterion, scene.name, &scene.spec, &catalogue, &renderer);
        }
        for scene in scenes::to_be_sized().iter().filter(|scene| scene.name.contains(&selected)) {
            criterion.bench_function(&format!("layout/{}", scene.name), |bencher| {
                bencher.iter(|| lay_out(black_box(&scene.spec), &catalogue));
            });
        }
        criterion.final_summary();
    }

    let (work, coverages) = count(&chosen, &catalogue, &renderer);
    let adapter = renderer.devices().remove(0).adapter;
    drop(renderer);
    let rounds = if is_timing { measure::ROUNDS } else { 1 };
    let profiles = OutputProfiles::load(None).expect("the bundled profiles are sound");
    let engine = Engine::open(Arc::clone(&catalogue), profiles, Clock::system()).expect("the adapter of a moment ago");
    let figures = comparison::run(&chosen, &coverages, &catalogue, &engine, rounds);
    println!("\n{}\n\n{}", comparison::machine(&adapter), goals::table(&figures));
    println!("{}\n{}\n{}", comparison::table(&figures), comparison::stages(&figures), work::table(&work));
}
