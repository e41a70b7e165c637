//! The running program with several devices: here the same adapter, opened twice.

use std::process::Command;

use crate::live_admin::{ask, value};
use crate::live_server::{Server, request, send};

const PAGE: &str = r#"{"text":"a","page_size":"square_5x5","font_size":40,"seed":1}"#;

#[cfg(feature = "faults")]
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
    assert_eq!(of("longhand_gpu_generation", &whole), 1, "the other one was never opened anew");
    let (_, status) = server.exchange("GET", "/api/v1/status", "");
    assert_eq!((&status["status"], status.get("gpus")), (&"ok".into(), None), "one adapter, opened twice: {status}");
}

#[test]
fn a_gpu_that_is_not_there_is_69_and_those_there_are_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--gpu", "0,radeon"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(69), "{errors}");
    assert!(errors.contains("there is no GPU \"radeon\"; 0 is "), "{errors}");
}
