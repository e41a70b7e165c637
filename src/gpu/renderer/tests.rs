//! Several devices on the machine's adapter.

#[cfg(feature = "faults")]
mod failures;

use super::*;
use crate::catalogue::FontCatalogue;
use crate::gpu::adapter::AdapterChoice;
use crate::gpu::{FaultPlan, GpuName};
use crate::layout::lay_out;
use crate::mesh::MeshCache;
use crate::scene::{RenderParams, compose};
use crate::spec::{Endpoint, parse_value};

fn a_scene() -> Scene {
    scene_of("Hello")
}

/// A small page with this text.
fn scene_of(text: &str) -> Scene {
    let catalogue = FontCatalogue::load().unwrap();
    let request = serde_json::json!({"text": text, "font_size": 60, "page_size": "a6"});
    let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
    let layout = lay_out(&spec, &catalogue).unwrap();
    compose(&layout, &RenderParams::of(&spec, spec.dpi.scale()), &catalogue, &MeshCache::default(), usize::MAX).unwrap()
}

fn expected() -> Coverage {
    Renderer::start().unwrap().render(a_scene()).unwrap()
}

/// The same adapter as two devices.
fn two_devices(faults: FaultPlan) -> Renderer {
    let gpus = vec![GpuName::Index(0), GpuName::Index(0)];
    Renderer::start_with(DeviceOptions { gpus, faults, ..DeviceOptions::default() }, &Clock::system()).unwrap()
}

#[test]
fn scenes_are_shared_between_devices_and_come_out_the_same() {
    let (renderer, expected) = (two_devices(FaultPlan::default()), expected());
    let (first, second) = (&renderer.devices[0], &renderer.devices[1]);
    let is_chosen = |device| std::ptr::eq(renderer.least_loaded(&[]).unwrap(), device);
    assert!(is_chosen(first), "the first of equals");
    let begun = first.begin(&Arc::new(a_scene())).unwrap();
    assert!(is_chosen(second), "while the first is busy the second draws");
    let on_second = second.begin(&Arc::new(a_scene())).unwrap();
    assert_eq!(
        [begun, on_second].map(|drawing| drawing.finish(&|| true).unwrap()),
        [expected.clone(), expected.clone()]
    );
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..4).for_each(|_| assert_eq!(renderer.render(a_scene()).as_ref(), Ok(&expected))));
        }
    });
    assert_eq!(renderer.devices.iter().map(SupervisedDevice::load).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn a_small_page_is_drawn_between_the_pieces_of_a_large_one() {
    let catalogue = FontCatalogue::load().unwrap();
    let request = serde_json::json!({"text": "All work and no play ".repeat(200), "font_size": 40, "page_size": "a4",
                                     "overflow": "clip", "enable_writer_variation": true});
    let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
    let layout = lay_out(&spec, &catalogue).unwrap();
    let params = RenderParams::of(&spec, spec.dpi.scale());
    // Small portions, so that a fast GPU draws the large page longer than three small ones.
    let large = compose(&layout, &params, &catalogue, &MeshCache::default(), usize::MAX).unwrap().bent_in_portions(20);
    let renderer = Renderer::start().unwrap();
    let alone = renderer.render(large.clone()).unwrap();
    let small = [(); 3].map(|()| a_scene());
    let expected = renderer.render(small[0].clone()).unwrap();
    std::thread::scope(|scope| {
        let drawing = scope.spawn(|| renderer.render(large).unwrap());
        while renderer.devices[0].load() == 0 {
            std::thread::yield_now();
        }
        for scene in small {
            assert_eq!(renderer.render(scene).as_ref(), Ok(&expected));
        }
        assert!(!drawing.is_finished(), "the small pages waited for the large one");
        assert_eq!(drawing.join().unwrap(), alone);
    });
}

#[test]
fn an_adapter_that_is_not_there_is_refused_with_those_there_are() {
    let options = DeviceOptions { gpus: vec![GpuName::Index(99)], ..DeviceOptions::default() };
    let error = Renderer::start_with(options, &Clock::system()).unwrap_err().to_string();
    assert!(error.contains("no GPU 99; 0 is "), "{error}");
}

#[test]
fn an_adapter_that_cannot_be_opened_gives_way_to_the_next() {
    let gone = || AdapterChoice::This { place: 7, name: "a GPU that is gone".to_owned(), pci: None };
    let opening = |number, choice| Opening { number, choice, options: Arc::default(), clock: Clock::system() };
    let attempts = vec![vec![gone(), gone()], vec![gone()], vec![AdapterChoice::Software]];
    let renderer = Renderer::open_first(attempts, &opening).unwrap();
    assert_eq!(renderer.devices().len(), 1, "nothing is tried again that gave way");
    assert!(renderer.devices()[0].adapter.is_software() && renderer.health() == DeviceHealth::Working);
    assert_eq!(renderer.render(a_scene()), Ok(expected()));
    let error = Renderer::open_first(vec![vec![gone()], vec![gone()]], &opening).unwrap_err();
    assert!(error.to_string().contains("a GPU that is gone is not there"), "{error}");
}

#[test]
fn the_health_of_several_devices_is_that_of_the_worst_but_all_must_be_given_up() {
    use DeviceHealth::{Away, GivenUp, Working};
    for (healths, expected) in [
        (vec![Working, Working], Working),
        (vec![Working, Away], Away),
        (vec![Away], GivenUp),
        (vec![Away, Away], GivenUp),
    ] {
        assert_eq!(together(healths.clone().into_iter()), expected, "{healths:?}");
    }
}
