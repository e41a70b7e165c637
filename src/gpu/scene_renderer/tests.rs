//! Several pages at once, on the machine's adapter.

use super::*;
use crate::catalogue::FontCatalogue;
use crate::gpu::AdapterDescription;
use crate::gpu::encoders::PIECE_PIXELS;
use crate::gpu::field_store::PlacedField;
use crate::gpu::open_device::wanted_features;
use crate::layout::lay_out;
use crate::mesh::MeshCache;
use crate::scene::{Portion, RenderParams, compose};
use crate::spec::{Endpoint, parse_value};

const PATIENCE: Duration = Duration::from_secs(60);

/// Small pages, plain and with effects.
fn scenes() -> Vec<Arc<Scene>> {
    compose_all([
        serde_json::json!({"text": "Hello", "font_size": 60, "page_size": "a6"}),
        serde_json::json!({"text": "Bent", "page_size": "a6", "enable_natural_variation": true}),
        serde_json::json!({"text": "Grainy", "page_size": "a6", "enable_natural_variation": true,
                           "natural_variation_sigma": 1}),
        serde_json::json!({"text": "Thrown\n\n\nfar apart", "page_size": "a6", "font_size": 60, "enable_ink_flow": true,
                           "enable_natural_variation": true, "natural_variation_sigma": 0,
                           "natural_variation_alpha": 40}),
        serde_json::json!({"text": "Dear reader,\nhello!", "font_id": 7, "page_size": "dl"}),
        serde_json::json!({"text": "Dry", "page_size": "a6", "enable_ink_flow": true, "ink_flow_intensity": 2}),
        serde_json::json!({"text": "Hello again", "font_size": 90, "page_size": "card_a2"}),
    ])
}

fn compose_all(requests: impl IntoIterator<Item = serde_json::Value>) -> Vec<Arc<Scene>> {
    let (catalogue, meshes) = (FontCatalogue::load().unwrap(), MeshCache::default());
    let scene = |request| {
        let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
        let layout = lay_out(&spec, &catalogue).unwrap();
        compose(&layout, &RenderParams::of(&spec, spec.dpi.scale()), &catalogue, &meshes, 1 << 20).unwrap()
    };
    requests.into_iter().map(|request| Arc::new(scene(request))).collect()
}

fn draw(renderer: &mut SceneRenderer, scenes: &[Arc<Scene>]) -> Vec<Coverage> {
    let mut in_flight = renderer.begin(scenes).unwrap();
    while !renderer.wait(&mut in_flight, PATIENCE, &|| false).unwrap() {}
    renderer.finish(in_flight).unwrap()
}

#[test]
fn pages_submitted_together_are_those_drawn_alone() {
    let scenes = scenes();
    assert_eq!(scenes.iter().filter(|scene| scene.can_be_gathered()).count(), 3);
    let mut renderer = SceneRenderer::open(&AdapterChoice::MostCapable, false).unwrap();
    let alone: Vec<_> = scenes.iter().flat_map(|scene| draw(&mut renderer, std::slice::from_ref(scene))).collect();
    assert_eq!(draw(&mut renderer, &scenes), alone);
    let mut turned = scenes.clone();
    turned.reverse();
    let drawn: Vec<_> = draw(&mut renderer, &turned).into_iter().rev().collect();
    assert_eq!(drawn, alone, "in whatever order");
}

#[test]
fn pages_that_are_copied_are_those_written_in_place() {
    let scenes = scenes();
    let without = OpenDevice::open_with(&AdapterChoice::Software, |_| wgpu::Features::empty()).unwrap();
    let mut copying = SceneRenderer::new(without).unwrap();
    let mut in_place = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
    let is_in_place = |renderer: &SceneRenderer| PageBuffers::new(&renderer.device.device).in_place;
    assert!(is_in_place(&in_place) && !is_in_place(&copying));
    assert_eq!(draw(&mut copying, &scenes), draw(&mut in_place, &scenes));
}

/// A page in several bands, whose bent outlines are in many portions.
fn in_portions() -> [Arc<Scene>; 2] {
    let text = "Bent outlines in a page of several bands. ".repeat(12);
    let request = serde_json::json!({"text": text.trim(), "font_id": 7, "page_size": "a6", "dpi": 600, "font_size": 60,
                                     "overflow": "clip", "seed": 1, "enable_writer_variation": true,
                                     "enable_natural_variation": true, "pen": "gel"});
    let whole = compose_all([request]).remove(0);
    let portions = Arc::new(Scene::clone(&whole).bent_in_portions(2_000));
    assert!(whole.bands.len() > 1 && whole.bands.iter().all(|band| band.portions.len() == 1));
    let corners = |portion: &Portion| -> u32 {
        portions.corner_runs[portion.corner_runs.clone()].iter().map(|run| run.end - run.first).sum()
    };
    assert!(portions.bands[0].portions.len() > 3);
    assert!(portions.bands.iter().flat_map(|band| &band.portions).all(|portion| corners(portion) <= 2_000));
    [whole, portions]
}

#[test]
fn a_page_bent_in_portions_is_that_bent_at_once() {
    let [whole, portions] = in_portions();
    let mut renderer = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
    assert_eq!(draw(&mut renderer, &[portions]), draw(&mut renderer, &[whole]));
}

#[test]
fn a_page_that_is_cancelled_between_two_portions_leaves_nothing_to_the_next() {
    let [whole, portions] = in_portions();
    let mut renderer = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
    let expected = draw(&mut renderer, std::slice::from_ref(&whole));
    let mut in_flight = renderer.begin(&[portions]).unwrap();
    assert!(in_flight.pieces.len() > 3, "each portion is submitted by itself");
    while !renderer.wait(&mut in_flight, PATIENCE, &|| true).unwrap() {}
    renderer.finish(in_flight).unwrap();
    assert_eq!(draw(&mut renderer, &[whole]), expected);
}

/// A software adapter that is taken for an adapter of this kind.
fn taken_for(kind: &'static str) -> SceneRenderer {
    let as_kind = |description: &mut AdapterDescription| {
        description.kind = kind;
        wanted_features(description, false)
    };
    let mut device = OpenDevice::open_with(&AdapterChoice::Software, as_kind).unwrap();
    device.subgroup = 64;
    SceneRenderer::new(device).unwrap()
}

#[test]
fn hardware_draws_the_same_pages_and_writes_them_in_place_if_it_has_no_memory_of_its_own() {
    let scenes = scenes();
    let mut software = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
    let expected = draw(&mut software, &scenes);
    for (kind, in_place) in [("discrete-gpu", false), ("integrated-gpu", true)] {
        let mut hardware = taken_for(kind);
        assert_eq!(PageBuffers::new(&hardware.device.device).in_place, in_place, "{kind}");
        assert!(draw(&mut hardware, &scenes) == expected, "{kind}");
    }
}

#[test]
fn buffers_of_pages_return_with_the_last_page_that_is_read_from_them() {
    let scenes = scenes();
    let mut renderer = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
    let (first, second) = (draw(&mut renderer, &scenes), draw(&mut renderer, &scenes));
    assert_eq!(first, second, "pages that are held keep their pixels");
    let places = |pages: &[Coverage]| {
        let rows = pages.iter().flat_map(|page| (0..page.height()).flat_map(|y| page.row(y)));
        rows.map(|run| run.coverage.as_ptr() as usize).collect::<Vec<_>>()
    };
    let of_first = places(&first);
    assert!(places(&second).iter().all(|place| !of_first.contains(place)));
    drop(first);
    let third = draw(&mut renderer, &scenes);
    let mut reused = places(&third);
    let mut before = of_first;
    reused.sort_unstable();
    before.sort_unstable();
    assert_eq!((reused, third), (before, second));
}

#[test]
fn ink_is_bent_alike_by_fields_in_uniforms_and_in_storage() {
    let bent = |sigma: u8, dpi: u16| {
        serde_json::json!({"text": "quickly\nbent: ÄÖ", "font_id": 7, "font_size": 90, "page_size": "a6", "seed": 5, "dpi": dpi,
                           "enable_natural_variation": true, "natural_variation_alpha": 60,
                           "natural_variation_sigma": sigma})
    };
    let scenes = compose_all([bent(5, 300), bent(4, 600), bent(7, 300), bent(10, 300), bent(8, 600)]);
    let mut uniforms = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
    let mut storage = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
    storage.fields = FieldStore::new(false);
    for scene in &scenes {
        let page = std::slice::from_ref(scene);
        let drawn = [&mut uniforms, &mut storage].map(|renderer| draw(renderer, page));
        assert!(matches!(uniforms.fields.get(scene), Some(PlacedField::Quarters(_))));
        assert!(matches!(storage.fields.get(scene), Some(PlacedField::Cells(_))));
        // Between two points ink may be weighed from either: what is rounded moves an edge by a millionth of a pixel.
        let [one, other] = drawn.map(|pages| pages.into_iter().next().unwrap());
        let rows = (0..one.height()).flat_map(|y| one.row(y).zip(other.row(y)));
        let differences = rows
            .flat_map(|(one, other)| one.coverage.iter().zip(other.coverage).map(|(one, other)| one.abs_diff(*other)));
        let (total, most) = differences.fold((0_u32, 0), |(total, most), by| (total + u32::from(by), most.max(by)));
        assert!(one.strips() == other.strips() && most <= 2 && total < 100, "{total} in all, {most} at most");
    }
}

#[test]
fn a_page_leaves_nothing_to_the_next() {
    // Ink is taken from far around, also where only the page before had any.
    let grainy = |alpha: u8, text: &str| {
        serde_json::json!({"text": text, "font_size": 60, "page_size": "a6", "enable_natural_variation": true,
                           "natural_variation_alpha": alpha, "natural_variation_sigma": 0})
    };
    let plain = |text: &str| serde_json::json!({"text": text, "font_size": 60, "page_size": "a6"});
    let scenes = compose_all([
        grainy(30, "MMMMM\nMMMMM"),
        grainy(30, "."),
        grainy(100, "MMMMM\nMMMMM"),
        grainy(100, "."),
        grainy(30, "...."),
        plain("MMMMM\nMMMMM"),
        plain("OOOOO\n......"),
    ]);
    let mut renderer = SceneRenderer::open(&AdapterChoice::MostCapable, false).unwrap();
    for scene in &scenes {
        let page = std::slice::from_ref(scene);
        let mut fresh = SceneRenderer::open(&AdapterChoice::MostCapable, false).unwrap();
        assert!(draw(&mut renderer, page) == draw(&mut fresh, page), "ink of the page before");
    }
}

#[test]
fn folding_the_paper_makes_no_ink() {
    let request = |alpha: u32, sigma: u32| {
        serde_json::json!({"text": "Dear friend,\nthank you for the lovely\nafternoon by the sea!", "font_size": 70,
                           "page_size": "a6", "orientation": "landscape", "seed": 1,
                           "enable_natural_variation": true, "natural_variation_alpha": alpha,
                           "natural_variation_sigma": sigma})
    };
    let mut renderer = SceneRenderer::open(&AdapterChoice::MostCapable, false).unwrap();
    let pages = draw(&mut renderer, &compose_all([request(0, 5), request(40, 3), request(60, 3), request(100, 3)]));
    let ink = |page: &Coverage| {
        let runs = (0..page.height()).flat_map(|y| page.row(y));
        runs.flat_map(|run| run.coverage).map(|&coverage| f64::from(coverage)).sum::<f64>()
    };
    let plain = ink(&pages[0]);
    for (page, bound) in pages[1..].iter().zip([0.02, 0.04, 0.2]) {
        let ratio = ink(page) / plain;
        assert!((ratio - 1.0).abs() < bound, "{ratio} times the ink");
    }
}

#[test]
fn pages_under_way_at_once_do_not_disturb_one_another() {
    let scenes = scenes();
    let mut renderer = SceneRenderer::open(&AdapterChoice::MostCapable, false).unwrap();
    let alone: Vec<_> = scenes.iter().flat_map(|scene| draw(&mut renderer, std::slice::from_ref(scene))).collect();
    let in_flight: Vec<_> = scenes.chunks(2).map(|pair| renderer.begin(pair).unwrap()).collect();
    let mut together = Vec::new();
    for mut in_flight in in_flight {
        while !renderer.wait(&mut in_flight, PATIENCE, &|| false).unwrap() {}
        together.extend(renderer.finish(in_flight).unwrap());
    }
    assert_eq!(together, alone);
}

#[test]
fn a_scene_beyond_the_limits_leaves_the_buffers_of_the_others_free() {
    let scenes = scenes();
    let mut renderer = SceneRenderer::open(&AdapterChoice::MostCapable, false).unwrap();
    let mut huge = Scene::clone(&scenes[1]);
    huge.bands[0].pixels.end = 1 << 40;
    let refused = renderer.begin(&[Arc::clone(&scenes[0]), Arc::new(huge)]);
    assert!(matches!(refused, Err(GpuError::TooLarge { .. })));
    assert!(renderer.buffers.has_room(u64::MAX), "nothing is lent");
    assert_eq!(draw(&mut renderer, &scenes[..1]).len(), 1);
}

#[test]
fn a_page_of_one_band_is_submitted_at_once_however_large_it_is() {
    let mut scene = Scene::clone(&scenes()[0]);
    assert_eq!(scene.bands.len(), 1);
    // The band counts as large as a piece, though little is drawn into it.
    let mut renderer = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
    let pixels = scene.bands[0].pixels.end;
    scene.bands[0].pixels.end = PIECE_PIXELS + pixels;
    let in_flight = renderer.begin(&[Arc::new(scene)]).unwrap();
    assert!(in_flight.pieces.is_empty());
}

/// A page of more pixels than one piece of a submission, and pages to draw in its buffers: one like it, and a plain one
/// that reads more sums than the smallest band of the first page has.
#[rstest::rstest]
#[case(serde_json::json!({}))]
#[case(serde_json::json!({"enable_natural_variation": true, "natural_variation_sigma": 1}))]
#[case(serde_json::json!({"enable_writer_variation": true}))]
#[case(serde_json::json!({"enable_writer_variation": true, "pen": "felt"}))]
fn a_page_that_is_not_wanted_any_more_leaves_nothing_to_the_next(#[case] effects: serde_json::Value) {
    let large = |text: &str, effects: &serde_json::Value| {
        let mut request = serde_json::json!({"text": text.repeat(60), "font_id": 35, "font_size": 160, "page_size": "a3",
                                             "dpi": 600, "overflow": "clip", "line_height_multiplier": 1});
        request.as_object_mut().unwrap().extend(effects.as_object().unwrap().clone());
        request
    };
    let plain = serde_json::json!({});
    let scenes =
        compose_all([large("Wanted no more. ", &effects), large("the next page ", &effects), large("plain ", &plain)]);
    let sizes = |scene: &Scene| scene.bands.iter().map(|band| band.pixels.len()).collect::<Vec<_>>();
    assert!(sizes(&scenes[2]).iter().max() > sizes(&scenes[0]).iter().min());
    assert!(scenes[0].bands.iter().map(|band| band.pixels.len()).sum::<usize>() > 2 * PIECE_PIXELS);
    let mut painter = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
    // Of pages that are drawn at once, only one would have these buffers.
    for next in scenes[1..].chunks(1) {
        let mut flight = painter.begin(&scenes[..1]).unwrap();
        assert!(!flight.pieces.is_empty());
        while !painter.wait(&mut flight, PATIENCE, &|| true).unwrap() {}
        painter.finish(flight).unwrap();
        let mut fresh = SceneRenderer::open(&AdapterChoice::Software, false).unwrap();
        assert_eq!(draw(&mut painter, next), draw(&mut fresh, next));
    }
}
