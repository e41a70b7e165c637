//! Devices that fail, on the machine's adapter.

use super::*;
use crate::catalogue::FontCatalogue;
use crate::gpu::kept_device::CLOSING_PATIENCE;
use crate::layout::lay_out;
use crate::mesh::MeshCache;
use crate::scene::{Rendition, compose};
use crate::spec::{Endpoint, parse_value};

fn a_scene() -> Scene {
    let catalogue = FontCatalogue::load().unwrap();
    let request = serde_json::json!({"text": "Hello", "font_size": 60, "page_size": "a6"});
    let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
    let layout = lay_out(&spec, &catalogue).unwrap();
    compose(&layout, &Rendition::of(&spec, spec.dpi.scale()), &catalogue, &MeshCache::default(), usize::MAX).unwrap()
}

/// A renderer whose device fails so, two losses a minute being borne.
fn failing(faults: &str, remedy: Remedy) -> Renderer {
    let timeout = Duration::from_secs(2);
    let options =
        DeviceOptions { timeout, restarts: 2, remedy, faults: faults.parse().unwrap(), ..DeviceOptions::default() };
    Renderer::start_with(options, &Clock::system()).unwrap()
}

fn expected() -> Coverage {
    Renderer::start().unwrap().render(a_scene()).unwrap()
}

#[test]
fn whatever_befalls_the_device_the_scene_is_drawn_all_the_same() {
    let expected = expected();
    assert!(!expected.strips().is_empty());
    for faults in ["loss@1", "panic@1", "memory@1", "hang@1", "loss@1-2", "loss@1,adapter@2"] {
        let renderer = failing(faults, Remedy::Retry);
        assert_eq!(renderer.render(a_scene()).as_ref(), Ok(&expected), "{faults}");
        assert_eq!(renderer.health(), DeviceHealth::Working, "{faults}");
    }
}

#[test]
fn a_lost_device_is_replaced_within_a_second() {
    let renderer = failing("loss@2", Remedy::Retry);
    let clock = Clock::system();
    let drawn_in = || {
        let asked_at = clock.monotonic();
        renderer.render(a_scene()).unwrap();
        clock.monotonic() - asked_at
    };
    let (whole, lost) = (drawn_in(), drawn_in());
    // Relative to an opening on this machine as it is loaded now, which is what a replacement consists of.
    let opened_in = {
        let asked_at = clock.monotonic();
        drop(Renderer::start().unwrap());
        clock.monotonic() - asked_at
    };
    assert!(lost < Duration::from_secs(1).max(4 * (opened_in + whole)), "{lost:?}, opening takes {opened_in:?}");
}

#[test]
fn a_scene_on_which_every_device_fails_is_given_up_and_the_next_is_drawn() {
    let options = DeviceOptions { faults: "loss@1-3".parse().unwrap(), ..DeviceOptions::default() };
    let renderer = Renderer::start_with(options, &Clock::system()).unwrap();
    assert!(matches!(renderer.render(a_scene()), Err(GpuError::Failed(_))));
    assert!(renderer.render(a_scene()).is_ok());
}

#[test]
fn a_scene_beyond_the_limits_is_refused_and_the_device_kept() {
    let renderer = failing("adapter@2-9", Remedy::Retry);
    let mut scene = a_scene();
    scene.bands[0].pixels.end = 1 << 40;
    assert!(matches!(renderer.render(scene), Err(GpuError::TooLarge { .. })));
    assert!(renderer.render(a_scene()).is_ok());
}

#[test]
fn without_an_adapter_pages_are_refused_at_once_until_there_is_one_again() {
    let renderer = failing("loss@1,adapter@2-3", Remedy::Retry);
    assert!(matches!(renderer.render(a_scene()), Err(GpuError::NoDevice(_))));
    assert_eq!(renderer.health(), DeviceHealth::Away);
    let clock = Clock::system();
    let asked_at = clock.monotonic();
    assert!(matches!(renderer.render(a_scene()), Err(GpuError::NoDevice(_))));
    assert!(clock.monotonic() - asked_at < Duration::from_secs(1), "it is not tried for every page");
    while renderer.render(a_scene()).is_err() {
        assert!(clock.monotonic() - asked_at < Duration::from_secs(60), "the adapter is there again");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(renderer.health(), DeviceHealth::Working);
}

#[test]
fn a_device_that_fails_too_often_gives_way_to_the_software_adapter() {
    let renderer = failing("loss@1-3", Remedy::Software);
    assert!(renderer.render(a_scene()).is_err(), "the page that lost three devices");
    assert_eq!(renderer.render(a_scene()), Ok(expected()));
    assert_eq!((renderer.health(), renderer.devices()[0].adapter.kind), (DeviceHealth::FallenBack, "cpu"));
}

#[test]
fn a_device_that_fails_too_often_is_given_up_where_a_supervisor_waits_for_that() {
    let renderer = failing("loss@1-3", Remedy::Exit);
    assert!(renderer.render(a_scene()).is_err());
    assert!(matches!(renderer.render(a_scene()), Err(GpuError::NoDevice(_))));
    assert_eq!(renderer.health(), DeviceHealth::GivenUp);
}

#[test]
fn pages_of_many_callers_survive_the_losses_of_others() {
    let options = DeviceOptions { faults: "loss@4,panic@9,loss@17-18".parse().unwrap(), ..DeviceOptions::default() };
    let renderer = Renderer::start_with(options, &Clock::system()).unwrap();
    let expected = expected();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| (0..6).for_each(|_| assert_eq!(renderer.render(a_scene()).as_ref(), Ok(&expected))));
        }
    });
}

#[test]
fn a_hanging_device_does_not_hold_up_the_end() {
    let renderer = failing("hang@1-2", Remedy::Retry);
    assert!(matches!(renderer.render(a_scene()), Err(GpuError::TimedOut(_))), "twice is enough");
    let clock = Clock::system();
    let asked_at = clock.monotonic();
    drop(renderer);
    assert!(clock.monotonic() - asked_at < CLOSING_PATIENCE + Duration::from_secs(1));
}

/// The same adapter as two devices, which fail so.
fn two_devices(faults: &str) -> Renderer {
    let gpus = vec![GpuName::Index(0), GpuName::Index(0)];
    let faults = if faults.is_empty() { FaultPlan::default() } else { faults.parse().unwrap() };
    Renderer::start_with(DeviceOptions { gpus, faults, ..DeviceOptions::default() }, &Clock::system()).unwrap()
}

#[test]
fn scenes_are_shared_between_devices_and_come_out_the_same() {
    let (renderer, expected) = (two_devices(""), expected());
    let busy = &renderer.devices[0];
    assert!(Arc::ptr_eq(renderer.least_loaded(&[]).unwrap(), busy), "the first of equals");
    let second = std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..4).for_each(|_| assert_eq!(renderer.render(a_scene()).as_ref(), Ok(&expected))));
        }
        let asked_at = Clock::system().monotonic();
        while Clock::system().monotonic() - asked_at < Duration::from_secs(60) {
            if renderer.devices[1].load() > 0 {
                return true;
            }
            std::thread::yield_now();
        }
        false
    });
    assert!(second, "while the first is busy the second draws");
    assert_eq!(renderer.devices.iter().map(|device| device.load()).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn a_lost_device_leaves_the_other_drawing_and_comes_back() {
    let (renderer, expected) = (two_devices("loss@1,adapter@3-5"), expected());
    assert_eq!(renderer.render(a_scene()).as_ref(), Ok(&expected), "drawn by the other");
    let asked_at = Clock::system().monotonic();
    while !renderer.devices[0].is_open() {
        assert_eq!(renderer.render(a_scene()).as_ref(), Ok(&expected));
        assert!(Clock::system().monotonic() - asked_at < Duration::from_secs(60), "it is opened again");
    }
    assert_eq!(renderer.health(), DeviceHealth::Working);
}

#[test]
fn one_of_two_devices_that_is_away_for_good_degrades_the_service_and_no_more() {
    let gpus = vec![GpuName::Index(0), GpuName::Index(0)];
    let faults = "loss@1,adapter@3-999".parse().unwrap();
    let options = DeviceOptions { gpus, faults, restarts: 1, remedy: Remedy::Exit, ..DeviceOptions::default() };
    let renderer = Renderer::start_with(options, &Clock::system()).unwrap();
    let asked_at = Clock::system().monotonic();
    while renderer.health() != DeviceHealth::Away {
        assert!(renderer.render(a_scene()).is_ok());
        assert!(Clock::system().monotonic() - asked_at < Duration::from_secs(60), "it is not relied on");
    }
    let healths: Vec<_> = renderer.devices().into_iter().map(|device| device.health).collect();
    assert_eq!(healths, [DeviceHealth::Away, DeviceHealth::Working], "a supervisor is not called for");
    assert!(renderer.render(a_scene()).is_ok());
}

#[test]
fn an_adapter_that_is_not_there_is_refused_with_those_there_are() {
    let options = DeviceOptions { gpus: vec![GpuName::Index(99)], ..DeviceOptions::default() };
    let error = Renderer::start_with(options, &Clock::system()).unwrap_err().to_string();
    assert!(error.contains("no GPU 99; 0 is "), "{error}");
}

#[test]
fn the_health_of_several_devices_is_that_of_the_worst_but_all_must_be_given_up() {
    use DeviceHealth::{Away, FallenBack, GivenUp, Working};
    for (healths, expected) in [
        (vec![Working, Working], Working),
        (vec![Working, FallenBack], FallenBack),
        (vec![FallenBack, Away], Away),
        (vec![Working, GivenUp], Away),
        (vec![GivenUp, GivenUp], GivenUp),
    ] {
        assert_eq!(together(healths.clone().into_iter()), expected, "{healths:?}");
    }
}
