//! Devices that fail on purpose.

use std::time::Duration;

use super::*;
use crate::gpu::supervised_device::CLOSING_PATIENCE;

/// A renderer whose device fails so.
fn failing(faults: &str) -> Renderer {
    let timeout = Duration::from_secs(2);
    let options = DeviceOptions { timeout, faults: faults.parse().unwrap(), ..DeviceOptions::default() };
    Renderer::start_with(options, &Clock::system()).unwrap()
}

#[test]
fn a_scene_beyond_the_limits_is_refused_and_the_device_kept() {
    let renderer = failing("adapter@2-9");
    let mut scene = a_scene();
    scene.bands[0].pixels.end = 1 << 40;
    assert!(matches!(renderer.render(scene), Err(GpuError::TooLarge { .. })));
    assert!(renderer.render(a_scene()).is_ok());
}

#[test]
fn whatever_befalls_the_device_the_scene_is_drawn_all_the_same() {
    let expected = expected();
    assert!(!expected.strips().is_empty());
    for faults in ["loss@1", "panic@1", "memory@1", "hang@1", "loss@1-2", "loss@1,adapter@2"] {
        let renderer = failing(faults);
        assert_eq!(renderer.render(a_scene()).as_ref(), Ok(&expected), "{faults}");
        assert_eq!(renderer.health(), DeviceHealth::Working, "{faults}");
    }
}

#[test]
fn all_scenes_of_a_page_are_drawn_in_order_whichever_the_device_fails_on() {
    let blank = || Scene { bands: Vec::new(), ..a_scene() };
    let scenes = || vec![scene_of("one"), blank(), scene_of("second"), scene_of("The third of three")];
    let expected: Vec<Coverage> = {
        let renderer = Renderer::start().unwrap();
        scenes().into_iter().map(|scene| renderer.render(scene).unwrap()).collect()
    };
    for faults in ["loss@99", "loss@1", "panic@2", "memory@3", "hang@2", "loss@1-2,adapter@2"] {
        let renderer = failing(faults);
        assert_eq!(renderer.render_all_while(scenes(), &|| true).as_ref(), Ok(&expected), "{faults}");
        assert!(renderer.devices.iter().all(|device| device.load() == 0), "{faults}");
    }
}

#[test]
fn a_page_that_is_not_wanted_leaves_the_device_to_others() {
    let renderer = failing("hang@1");
    let scenes = ["one", "two"].into_iter().map(scene_of).collect();
    let stopped = renderer.render_all_while(scenes, &|| false);
    assert_eq!(stopped, Err(GpuError::Stopped(Stopped::Unwanted)));
    assert!(renderer.devices.iter().all(|device| device.load() == 0));
    assert_eq!(renderer.render(a_scene()), Ok(expected()));
}

#[test]
fn a_lost_device_is_replaced_within_a_second() {
    let renderer = failing("loss@2");
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
    let renderer = failing("hang@1-2");
    assert!(matches!(renderer.render(a_scene()), Err(GpuError::TimedOut(_))), "twice is enough");
    let clock = Clock::system();
    let asked_at = clock.monotonic();
    drop(renderer);
    assert!(clock.monotonic() - asked_at < CLOSING_PATIENCE + Duration::from_secs(1));
}

#[test]
fn a_lost_device_leaves_the_other_drawing_and_comes_back() {
    let (renderer, expected) = (two_devices("loss@1,adapter@3-5".parse().unwrap()), expected());
    assert_eq!(renderer.render(a_scene()).as_ref(), Ok(&expected), "drawn by the other");
    let asked_at = Clock::system().monotonic();
    while renderer.health() != DeviceHealth::Working {
        assert_eq!(renderer.render(a_scene()).as_ref(), Ok(&expected));
        assert!(Clock::system().monotonic() - asked_at < Duration::from_secs(60), "it is opened again");
    }
    assert_eq!(renderer.health(), DeviceHealth::Working);
}

#[test]
fn without_an_adapter_pages_are_refused_at_once_and_the_device_is_given_up() {
    let renderer = failing("loss@1,adapter@2-999");
    assert!(matches!(renderer.render(a_scene()), Err(GpuError::NoDevice(_))));
    assert_eq!(renderer.health(), DeviceHealth::GivenUp);
    let clock = Clock::system();
    let asked_at = clock.monotonic();
    assert!(matches!(renderer.render(a_scene()), Err(GpuError::NoDevice(_))));
    assert!(clock.monotonic() - asked_at < Duration::from_secs(1), "it is not tried for every page");
}

#[test]
fn a_device_that_fails_time_and_again_is_given_up_also_where_time_stands_still() {
    let options = DeviceOptions { faults: "memory@1-999".parse().unwrap(), ..DeviceOptions::default() };
    let renderer = Renderer::start_with(options, &Clock::manual(std::time::UNIX_EPOCH)).unwrap();
    (0..8).for_each(|_| _ = renderer.render(a_scene()).unwrap_err());
    let last = renderer.render(a_scene()).unwrap_err().to_string();
    assert_eq!(renderer.health(), DeviceHealth::GivenUp);
    assert!(last.contains("it failed too often") && last.contains("out of memory"), "the cause is named: {last}");
}

#[test]
fn one_of_two_devices_that_is_away_for_good_degrades_the_service_and_no_more() {
    let renderer = two_devices("loss@1,adapter@3-999".parse().unwrap());
    assert!(renderer.render(a_scene()).is_ok(), "drawn by the other");
    assert_eq!(renderer.health(), DeviceHealth::Away);
    let healths: Vec<_> = renderer.devices().into_iter().map(|device| device.health).collect();
    assert_eq!(healths, [DeviceHealth::Away, DeviceHealth::Working], "a supervisor is not called for");
    assert!(renderer.render(a_scene()).is_ok());
}
