//! The whole service, from the program's start to its end, on the machine's adapter.

use std::process::Command;

use base64::Engine as _;

use crate::live::server::Server;

#[test]
fn a_page_is_served_and_the_server_ends_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let (head, status) = server.exchange("GET", "/api/v1/status", "");
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
    assert_eq!(status["status"], "ok");
    assert!(!status["gpu"]["name"].as_str().unwrap().is_empty(), "{status}");

    let request = r#"{"text":"Dear Ada,\n\nit works.","page_size":"a6","margin_left":100,"margin_right":100,"seed":5}"#;
    let (head, page) = server.exchange("POST", "/api/v1/generate", request);
    assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}\n{page}");
    assert_eq!((page["width"].as_u64(), page["height"].as_u64()), (Some(1240), Some(1748)));
    assert_eq!((page["seed"].as_u64(), page["characters_processed"].as_u64()), (Some(5), Some(20)));
    let png = base64::engine::general_purpose::STANDARD.decode(page["image_base64"].as_str().unwrap()).unwrap();
    let picture = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    assert_eq!((picture.info().width, picture.info().height), (1240, 1748));

    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn the_demo_key_is_kept_for_the_owner_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let first = Server::start(folder.path());
    let key = first.key.clone();
    assert_eq!(first.terminate(), Some(0));
    let file = folder.path().join("keys/demo-key");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim(), key);
    let second = Server::start(folder.path());
    assert_eq!(second.key, key);
    assert_eq!(second.terminate(), Some(0));
}

#[test]
fn a_page_is_rendered_offline_from_flags_and_from_a_file_alike() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("r.json"), r#"{"text":"Hello","page_size":"a6","font_id":3,"seed":1}"#).unwrap();
    let render = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        let output = command.arg("render").args(arguments).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    render(&["--request", "r.json", "-o", "file.png"]);
    render(&["Hello", "--page-size=a6", "--font-id", "3", "--seed=1", "-o", "flags.png"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("file.png").starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(read("file.png"), read("flags.png"));
}

#[test]
fn a_page_that_cannot_be_written_is_74() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["render", "Hello", "--page-size=a6", "-o", "missing/page.png"]).current_dir(folder.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(74));
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing/page.png"));
}

#[test]
fn a_text_that_does_not_fit_is_65_and_names_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    let text = "far too much ".repeat(700);
    command.args(["render", &text, "--page-size=a6", "--font-size=100", "-o", "page.png"]).current_dir(folder.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(65));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.lines().any(|line| line.starts_with("text: ")), "{errors}");
    assert!(!folder.path().join("page.png").exists());
}
