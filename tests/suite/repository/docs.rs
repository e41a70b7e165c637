//! The documentation is true: every command on its pages is run, every link leads somewhere.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rstest::rstest;
use serde_json::json;

use crate::cli::batch::{answer, scripted};
use crate::live::server::Server;
use crate::oracle::node;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every page for readers.
fn pages() -> Vec<PathBuf> {
    let listed = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = listed.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// The blocks of a page that are marked as `language`.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in page.lines() {
        match &mut open {
            None if line == format!("```{language}") => open = Some(String::new()),
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some(block) => {
                block.push_str(line);
                block.push('\n');
            }
            None => {}
        }
    }
    blocks
}

/// The commands of a page as they are tried: the service is where the test has it, and `make` tells what it would do.
fn tried(block: &str, server: &Server) -> String {
    let here = block.replace("127.0.0.1:8080", &server.address).replace("127.0.0.1:9090", &server.admin);
    let lines = here.lines().map(|line| {
        line.strip_prefix("make ")
            .map_or_else(|| line.to_owned(), |target| format!("make -n -C '{}' {target} > /dev/null", root().display()))
    });
    // What is to be shown may be cut short by its reader.
    lines.collect::<Vec<_>>().join("\n")
}

/// Runs a script in `folder`, where `longhand` is the program under test and `docs` the documentation.
fn run(script: &str, folder: &Path, server: &Server) -> Result<(), String> {
    let program = Path::new(env!("CARGO_BIN_EXE_longhand")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash")
        .args(["-euo", "pipefail", "-s"])
        .current_dir(folder)
        .env("PATH", path)
        .env("LONGHAND_KEY", &server.key)
        .env("LONGHAND_URL", format!("http://{}", server.address))
        .env("LONGHAND_DATA_DIR", folder.join("keys"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    bash.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = bash.wait_with_output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn every_command_of_the_documentation_works() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    std::os::unix::fs::symlink(root().join("docs"), folder.path().join("docs")).unwrap();
    let mut commands = 0;
    for page in pages() {
        // Two pages are tried by tests of their own, where there is what they need.
        if page.ends_with("scaling.md") || page.ends_with("reliability.md") {
            continue;
        }
        for block in blocks(&std::fs::read_to_string(&page).unwrap(), "sh") {
            commands += 1;
            run(&tried(&block, &server), folder.path(), &server)
                .unwrap_or_else(|error| panic!("{}:\n{block}\n{error}", page.display()));
        }
    }
    assert!(commands > 20, "only {commands} blocks were found");
    assert!(run("longhand fonts --nonsense", folder.path(), &server).is_err(), "a command that fails is noticed");
}

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let mut links = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let targets: BTreeSet<&str> =
            text.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next()).collect();
        for target in targets.into_iter().filter(|target| !target.is_empty() && !target.contains("://")) {
            links += 1;
            assert!(page.parent().unwrap().join(target).exists(), "{}: {target} leads nowhere", page.display());
        }
    }
    assert!(links > 20, "only {links} links were found");
}

/// The example programs: how each is run.
const EXAMPLES: [(&str, &str); 3] = [("python3", "page.py"), ("node", "page.mjs"), ("bash", "page.sh")];

fn example(
    (program, file): (&str, &str),
    address: &str,
    key: &str,
    folder: &Path,
    target: &str,
) -> std::process::Output {
    let program = if program == "node" { node() } else { program.into() };
    Command::new(&program)
        .arg(root().join("docs/examples").join(file))
        .args(["request.json", target])
        .current_dir(folder)
        .env("LONGHAND_URL", address)
        .env("LONGHAND_KEY", key)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}; `make test` installs it", program.display()))
}

#[test]
fn the_examples_write_pages_and_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let address = format!("http://{}", server.address);
    let ask =
        |request: serde_json::Value| std::fs::write(folder.path().join("request.json"), request.to_string()).unwrap();
    for program in EXAMPLES {
        let run = |target: &str| example(program, &address, &server.key, folder.path(), target);
        for (target, format, start) in [("page.png", "png", &b"\x89PNG"[..]), ("page.pdf", "pdf", b"%PDF")] {
            ask(json!({"text": "Hello", "page_size": "a6", "output_format": format}));
            let output = run(target);
            assert!(output.status.success(), "{program:?}: {}", String::from_utf8_lossy(&output.stderr));
            assert!(std::fs::read(folder.path().join(target)).unwrap().starts_with(start), "{program:?} {target}");
            std::fs::remove_file(folder.path().join(target)).unwrap();
        }
        ask(json!({"text": "Hello", "font_id": 91}));
        let output = run("page.png");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains("font_id"), "{program:?}: {said}");
        assert!(!folder.path().join("page.png").exists());
    }
}

#[rstest]
fn the_examples_wait_as_long_as_they_are_asked_to(#[values(0, 1, 2)] number: usize) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("request.json"), r#"{"text":"Hello"}"#).unwrap();
    let limited = r#"{"error":"RATE_LIMIT_EXCEEDED","message":"m","retry_after":1}"#;
    let (address, service) = scripted(vec![
        answer("429 Too Many Requests", "Retry-After: 1\r\n", limited),
        answer("200 OK", "Content-Type: application/json\r\n", r#"{"image_base64":"cGFnZQ=="}"#),
    ]);
    let output = example(EXAMPLES[number], &address, "lh_k", folder.path(), "page.png");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read(folder.path().join("page.png")).unwrap(), b"page");
    assert_eq!(service.join().unwrap().len(), 2);
}

#[test]
fn the_generators_of_clients_are_named_with_the_versions_of_the_tests() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).unwrap();
    let tasks = read("docs/tasks.md");
    let requirements = read("tests/oracles/requirements.txt");
    let python = requirements.lines().find(|line| line.starts_with("openapi-python-client==")).unwrap();
    assert!(tasks.contains(&format!("pipx run --spec {python} ")));
    let package: serde_json::Value = serde_json::from_str(&read("tests/oracles/clients/package.json")).unwrap();
    for name in ["openapi-typescript", "@hey-api/openapi-ts"] {
        let version = package["devDependencies"][name].as_str().unwrap();
        assert!(tasks.contains(&format!("npx {name}@{version} ")), "{name} {version}");
    }
}

#[test]
fn the_table_of_hands_is_the_catalogue() {
    let page = std::fs::read_to_string(root().join("docs/fonts.md")).unwrap();
    let table = page.lines().skip_while(|line| !line.starts_with("| id |"));
    let rows: Vec<&str> = table.skip(2).take_while(|line| line.starts_with('|')).collect();
    let catalogue = longhand::catalogue::FontCatalogue::load().unwrap();
    let expected: Vec<String> = catalogue
        .listed()
        .map(|face| {
            let record = face.record();
            let (id, name, style, slant) = (record.id, &record.name, &record.style, &record.slant);
            let [lively, strokes] = [record.lively, record.strokes].map(|is| if is { "yes" } else { "-" });
            let (neatness, scripts) = (record.neatness, record.scripts.join(", "));
            format!("| {id} | {name} | {style} | {slant} | {neatness} | {lively} | {strokes} | {scripts} |")
        })
        .collect();
    assert_eq!(rows, expected, "docs/fonts.md is out of date; run: .venv/bin/python scripts/hands_sheet.py");
}
