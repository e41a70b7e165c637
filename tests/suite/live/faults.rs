//! The running program with devices that fail.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use longhand::clock::Clock;

use crate::live::admin::{ask, value};
use crate::live::server::{Server, request, send};

const PAGE: &str = r#"{"text":"a","page_size":"square_5x5","font_size":40,"seed":1}"#;

/// So many different numbers up to `most`, the same each time.
fn some_numbers(count: usize, most: u64) -> Vec<u64> {
    let mut state = 2_026_u64;
    let mut numbers = std::collections::BTreeSet::new();
    while numbers.len() < count {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        numbers.insert((state >> 33) % most + 1);
    }
    numbers.into_iter().collect()
}

#[test]
fn five_hundred_requests_with_twenty_losses_of_the_device_all_get_their_page() {
    const REQUESTS: usize = 500;
    let losses = some_numbers(20, REQUESTS as u64);
    let plan: Vec<String> = losses.iter().map(|number| format!("loss@{number}")).collect();
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--gpu", "0", "--faults", &plan.join(",")]);
    let requested = request("POST", "/api/v1/generate", &server.key, PAGE);
    let first = send(&server.address, &requested).json()["image_base64"].clone();
    let left = AtomicUsize::new(REQUESTS - 1);
    let take_one = || left.try_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while take_one() {
                    let answer = send(&server.address, &requested);
                    assert_eq!(answer.status(), 200, "{answer:?}");
                    assert_eq!(answer.json()["image_base64"], first, "the same page each time");
                }
            });
        }
    });
    let page = ask(&server, "/metrics");
    assert_eq!(value(&page, "longhand_gpu_losses_total", &[]) as usize, losses.len());
    assert_eq!(value(&page, "longhand_gpu_generation", &[]) as usize, losses.len() + 1);
    assert_eq!(value(&page, "longhand_gpu_degraded", &[]) as usize, 0);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn two_devices_draw_the_same_page_and_the_loss_of_one_costs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--gpu", "0", "--gpu", "0", "--faults", "loss@5,adapter@3-4"];
    let server = Server::start_with(folder.path(), &arguments);
    let requested = request("POST", "/api/v1/generate", &server.key, PAGE);
    let first = send(&server.address, &requested).json()["image_base64"].clone();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let answer = send(&server.address, &requested);
                    assert_eq!((answer.status(), &answer.json()["image_base64"]), (200, &first), "{answer:?}");
                }
            });
        }
    });
    let page = ask(&server, "/metrics");
    let of = |name: &str, device: &str| value(&page, name, &[("device", device)]) as usize;
    let losses = ["0", "1"].map(|device| of("longhand_gpu_losses_total", device));
    assert_eq!(losses.iter().sum::<usize>(), 1, "{losses:?}");
    let whole = losses.iter().position(|losses| *losses == 0).unwrap().to_string();
    assert_eq!(of("longhand_gpu_generation", &whole), 1, "the other one was opened only once");
    let (_, status) = server.exchange("GET", "/api/v1/status", "");
    // A software adapter that is opened twice counts as one.
    let gpu = &status["gpu"];
    let mut working = gpu.clone();
    working["status"] = "ok".into();
    let expected = (gpu["type"] != "cpu").then(|| serde_json::Value::from(vec![working; 2]));
    assert_eq!((&status["status"], status.get("gpus")), (&"ok".into(), expected.as_ref()), "{status}");
}

#[test]
fn a_device_that_is_given_up_ends_the_service_with_70() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--gpu", "0", "--faults", "loss@1,adapter@2-9"];
    let server = Server::start_with(folder.path(), &arguments);
    let generate = || server.send(&request("POST", "/api/v1/generate", &server.key, PAGE)).status();
    assert_eq!(generate(), 503);
    assert_eq!(server.wait(), Some(70));
}

#[test]
fn a_page_thread_that_hangs_ends_the_service_with_70_and_is_named_in_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--gpu", "0", "--faults", "stuck@2", "--drain-seconds", "1", "--log-format", "json"];
    let server = Server::start_with(folder.path(), &arguments);
    let (address, key) = (server.address.clone(), server.key.clone());
    let generate = move |id: &str| {
        let head = String::from_utf8(request("POST", "/api/v1/generate", &key, PAGE)).unwrap();
        send(&address, head.replacen("Host: x", &format!("Host: x\r\nX-Request-ID: {id}"), 1).as_bytes()).status()
    };
    assert_eq!(generate("made"), 200);
    let client = std::thread::spawn(move || generate("stuck"));
    assert_eq!(server.wait(), Some(70));
    assert_ne!(client.join().unwrap(), 200);
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    let line = log.lines().find(|line| line.contains("hangs and cannot be stopped")).expect("it is logged");
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!((&line["span"]["request_id"], &line["stage"]), (&"stuck".into(), &"begin".into()), "{line}");
    assert!(line["key"].is_string() && line["seconds"].as_u64().is_some_and(|seconds| seconds >= 1), "{line}");
}

#[test]
fn a_hanging_device_does_not_hold_up_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--gpu", "0", "--faults", "hang@1", "--drain-seconds", "1"]);
    let (address, requested) = (server.address.clone(), request("POST", "/api/v1/generate", &server.key, PAGE));
    let client = std::thread::spawn(move || send(&address, &requested).status());
    while server.exchange("GET", "/api/v1/status", "").1["queue_depth"] != 1 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let clock = Clock::system();
    let told_at = clock.monotonic();
    assert_eq!(server.terminate(), Some(0));
    let took = clock.monotonic() - told_at;
    assert!(took < Duration::from_secs(10), "the page would take an hour, the device is given 20 s: {took:?}");
    assert_eq!(client.join().unwrap(), 0, "the client is not left waiting");
}

#[test]
fn a_plan_of_faults_that_says_nothing_is_refused() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_longhand"));
    let output = command.args(["serve", "--print-config"]).env("LONGHAND_FAULTS", "fire@1").output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(64) && errors.contains("fire@1"), "{errors}");
}
