//! The same pages on other Vulkan drivers, and no complaint of the Khronos validation layer. `make test-drivers` runs
//! these tests.
//!
//! 46 requests reach every pass with every switch: effects, bands, 600 DPI, previews, regions. Each is drawn by the
//! program on lavapipe, and by the driver under test; no pixel may differ by more than one level. Several requests are
//! in flight, so that submissions overlap.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::live::admin::ask;
use crate::live::server::{Server, request};

/// The Vulkan driver in Debian's package `chromium`.
const SOFTWARE_DRIVER: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";
/// Lavapipe's name as an adapter.
const LAVAPIPE: &str = "llvmpipe";
/// The GPU that draws the corpus in `the_gpu_of_this_machine_draws_as_lavapipe_does`, as `--gpu` takes it.
const GPU_UNDER_TEST: &str = "LONGHAND_TEST_GPU";
/// Requests in flight.
const IN_FLIGHT: usize = 4;
/// Most levels of 255 between the pixels of two drivers. Drivers may round products differently.
const TOLERANCE: u8 = 1;
/// Beginnings of validation messages that report no mistake: the layer says that it is active, and with which features.
const EXPECTED_MESSAGES: [&str; 1] = ["UNASSIGNED-khronos-validation-createinstance-status-message"];

const PROSE: &str = "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of \
    foolishness, it was the epoch of belief, it was the season of Light: we had everything before us. ";

/// A request of the corpus.
struct CorpusRequest {
    name: String,
    path: &'static str,
    body: Value,
}

/// A page as 8-bit samples.
#[derive(PartialEq, Eq)]
struct Page {
    size: (u32, u32),
    samples: Vec<u8>,
}

/// The members of all parts; later ones win.
fn all_of(parts: &[&Value]) -> Value {
    let members = parts.iter().flat_map(|part| part.as_object().unwrap().clone());
    Value::Object(members.collect())
}

/// Fourteen sets of effects at 300 DPI, 600 DPI and as a preview of a region; and four pages for the remaining paths.
fn corpus() -> Vec<CorpusRequest> {
    let natural = |alpha: u8, sigma: u8| {
        json!({
            "enable_natural_variation": true, "natural_variation_alpha": alpha, "natural_variation_sigma": sigma,
        })
    };
    let writer = json!({"enable_writer_variation": true});
    let ink = json!({"enable_ink_flow": true});
    let turned = json!({"enable_word_rotation": true, "enable_random_indentation": true});
    let effects = [
        ("plain", json!({})),
        ("writer", writer.clone()),
        ("turned", turned.clone()),
        ("ink", ink.clone()),
        // Fields that bend outlines.
        ("field", natural(12, 5)),
        ("strong field", natural(100, 10)),
        ("field and writer", all_of(&[&natural(15, 2), &writer])),
        // Fields that displace drawn pixels: between pixels and by whole ones.
        ("grain", natural(30, 1)),
        ("fine grain", natural(5, 0)),
        ("coarse grain", natural(40, 0)),
        ("pen and writer", all_of(&[&json!({"pen": "ballpoint"}), &writer])),
        ("pen and ink", all_of(&[&json!({"pen": "broad"}), &ink])),
        ("all, bent", all_of(&[&natural(15, 5), &writer, &ink, &turned])),
        ("all, grain", all_of(&[&natural(15, 1), &writer, &ink, &turned])),
    ];
    let kinds = [
        ("300 DPI", "/api/v1/generate", json!({"page_size": "a5"})),
        ("600 DPI", "/api/v1/generate", json!({"page_size": "a6", "dpi": 600})),
        (
            "region",
            "/api/v1/preview",
            json!({"page_size": "a5", "region": {"x": 300, "y": 300, "width": 500, "height": 400}}),
        ),
    ];
    let fonts = [1, 3, 12, 36, 46, 56, 71];
    let page = json!({
        "text": PROSE.repeat(2), "font_size": 56, "line_height_multiplier": 1.2, "overflow": "clip",
        "margin_left": 120, "margin_right": 120, "margin_top": 120, "margin_bottom": 120,
    });
    let dense = json!({"text": PROSE.repeat(9), "page_size": "a4", "font_id": 1});
    // Lines on top of each other: too many glyphs a pixel for half words.
    let crowded = json!({
        "text": "mmm\n".repeat(40), "font_id": 1, "font_size": 200, "line_height_multiplier": 0.5,
        "line_break_spacing": 0,
    });
    let mut requests: Vec<CorpusRequest> = Vec::new();
    for (effect, of_effect) in &effects {
        for (kind, path, of_kind) in &kinds {
            let font = fonts[requests.len() % fonts.len()];
            let body = all_of(&[&page, &json!({"font_id": font, "seed": requests.len()}), of_effect, of_kind]);
            requests.push(CorpusRequest { name: format!("{effect}, {kind}"), path, body });
        }
    }
    for (name, path, body) in [
        ("bands", "/api/v1/generate", all_of(&[&page, &dense])),
        ("bands and all effects", "/api/v1/generate", all_of(&[&page, &dense, &effects[10].1])),
        ("whole preview", "/api/v1/preview", all_of(&[&page, &dense, &effects[11].1])),
        ("crowded", "/api/v1/generate", all_of(&[&page, &crowded])),
    ] {
        requests.push(CorpusRequest { name: name.to_owned(), path, body: all_of(&[&body, &json!({"seed": 7})]) });
    }
    requests
}

fn decoded(answer: &Value) -> Page {
    let file = BASE64_STANDARD.decode(answer["image_base64"].as_str().unwrap()).unwrap();
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut samples).unwrap();
    samples.truncate(frame.buffer_size());
    Page { size: (frame.width, frame.height), samples }
}

/// The pages of the corpus, drawn by a server on the GPU of this name with these environment variables.
fn drawn_on(folder: &Path, gpu: &str, variables: &[(&str, &str)]) -> BTreeMap<String, Page> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.envs(variables.iter().copied());
    // No page is refused for waiting, however slow the driver.
    let mut arguments = vec!["--gpu", gpu, "--gpu-fallback", "hardware", "--gpu-timings", "on"];
    arguments.extend(["--queue-seconds", "60", "--gpu-timeout-seconds", "120"]);
    let server = Server::start_by(command, folder, &arguments);
    let corpus = corpus();
    let share = corpus.len().div_ceil(IN_FLIGHT);
    let draw = |asked: &CorpusRequest| {
        let answer = server.send(&request("POST", asked.path, &server.key, &asked.body.to_string()));
        assert_eq!(answer.status(), 200, "{}: {}", asked.name, answer.body);
        (asked.name.clone(), decoded(&answer.json()))
    };
    let pages = std::thread::scope(|scope| {
        let clients: Vec<_> =
            corpus.chunks(share).map(|part| scope.spawn(|| part.iter().map(draw).collect::<Vec<_>>())).collect();
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    let metrics = ask(&server, "/metrics");
    for pass in ["bend", "accumulate", "resolve", "warp"] {
        let was_timed = metrics.contains(&format!("longhand_gpu_pass_seconds_count{{pass=\"{pass}\"}}"));
        assert!(was_timed || gpu != LAVAPIPE, "no page of the corpus needs {pass}");
    }
    assert_eq!(server.terminate(), Some(0));
    pages
}

/// The pages that lavapipe draws.
fn reference() -> &'static BTreeMap<String, Page> {
    static REFERENCE: OnceLock<BTreeMap<String, Page>> = OnceLock::new();
    REFERENCE.get_or_init(|| drawn_on(tempfile::tempdir().unwrap().path(), LAVAPIPE, &[]))
}

/// The samples of two pages that differ by more than the tolerance. None if their sizes differ.
fn differing(page: &Page, expected: &Page) -> Option<usize> {
    let pairs = page.samples.iter().zip(&expected.samples);
    let count = pairs.filter(|(one, other)| one.abs_diff(**other) > TOLERANCE).count();
    (page.size == expected.size && page.samples.len() == expected.samples.len()).then_some(count)
}

fn assert_as_lavapipe(pages: &BTreeMap<String, Page>) {
    let reference = reference();
    assert_eq!(pages.len(), reference.len());
    let wrong = pages.iter().map(|(name, page)| (name, differing(page, &reference[name])));
    let wrong: Vec<_> = wrong.filter(|(_, count)| *count != Some(0)).collect();
    assert!(wrong.is_empty(), "pages and their wrong samples: {wrong:?}");
    let exact = pages.iter().filter(|(name, page)| reference[*name] == **page).count();
    println!("{} pages within {TOLERANCE} level of lavapipe's, {exact} of them equal", pages.len());
}

#[test]
fn the_corpus_has_every_request_once_and_a_difference_is_found() {
    let names: std::collections::BTreeSet<_> = corpus().into_iter().map(|request| request.name).collect();
    assert_eq!(names.len(), 46);
    let page = |samples: &[u8]| Page { size: (2, 1), samples: samples.to_vec() };
    assert_eq!(differing(&page(&[1, 254]), &page(&[2, 255])), Some(0));
    assert_eq!(differing(&page(&[1, 253]), &page(&[2, 255])), Some(1));
    assert_eq!(differing(&page(&[1]), &page(&[1, 255])), None);
}

#[test]
#[ignore = "needs SwiftShader; `make test-drivers` runs it"]
fn swiftshader_draws_as_lavapipe_does() {
    let folder = tempfile::tempdir().unwrap();
    assert_as_lavapipe(&drawn_on(folder.path(), "swiftshader", &[("VK_DRIVER_FILES", SOFTWARE_DRIVER)]));
}

/// The unexpected messages in the log of the validation layer. A message begins with `IDENTIFIER(SEVERITY / KIND): `;
/// its further lines are indented.
fn complaints(log: &str) -> Vec<&str> {
    let begins = |line: &str| !line.starts_with(' ') && line.contains(" / ") && line.contains("): msgNum: ");
    let is_expected = |line: &str| EXPECTED_MESSAGES.iter().any(|expected| line.starts_with(expected));
    log.lines().filter(|line| begins(line) && !is_expected(line)).collect()
}

#[test]
fn complaints_of_the_validation_layer_are_found() {
    let active = "UNASSIGNED-khronos-validation-createinstance-status-message(INFO / SPEC): msgNum: -671457468 - Validation \
        Information: [ … ] Khronos Validation Layer Active:\n    Settings File: Found\n    Objects: 1\n";
    let race =
        "SYNC-HAZARD-WRITE-AFTER-WRITE(ERROR / SPEC): msgNum: 1544472022 - Validation Error: [ … ]\n    Objects: 1\n";
    assert_eq!(complaints(active), Vec::<&str>::new());
    assert_eq!(complaints(&format!("{active}{race}")), [race.lines().next().unwrap()]);
}

#[test]
#[ignore = "needs the Khronos validation layer; `make test-drivers` runs it"]
fn lavapipe_under_synchronization_validation_draws_the_same_and_nothing_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let (settings, log) = (folder.path().join("vk_layer_settings.txt"), folder.path().join("validation.log"));
    let enabled = "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION";
    // The layer has a cache in the home directory, and does not examine shaders again that it finds there.
    let disabled = "VK_VALIDATION_FEATURE_DISABLE_SHADER_VALIDATION_CACHE_EXT";
    let layer = "khronos_validation";
    let text = format!(
        "{layer}.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n{layer}.report_flags = error,warn,perf,info\n\
         {layer}.log_filename = {}\n{layer}.enables = {enabled}_EXT\n{layer}.disables = {disabled}\n",
        log.display()
    );
    std::fs::write(&settings, text).unwrap();
    let pages = drawn_on(
        folder.path(),
        LAVAPIPE,
        &[
            ("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation"),
            ("VK_LAYER_SETTINGS_PATH", settings.to_str().unwrap()),
            // Shaders without debug information: it says that they come from WGSL, which older layers do not know, and
            // they then skip the shader.
            ("WGPU_DEBUG", "0"),
            // The layer's log has all messages; wgpu would drop some.
            ("WGPU_VALIDATION", "0"),
        ],
    );
    assert_as_lavapipe(&pages);
    let log = std::fs::read_to_string(log).expect("the layer is there and writes a log");
    assert!(log.lines().any(|line| line.contains("Current Enables") && line.contains(enabled)), "{log}");
    assert_eq!(complaints(&log), Vec::<&str>::new());
}

#[test]
#[ignore = "needs a GPU, named by LONGHAND_TEST_GPU; scripts/gpu_host.sh runs it"]
fn the_gpu_of_this_machine_draws_as_lavapipe_does() {
    let gpu = std::env::var(GPU_UNDER_TEST).expect("LONGHAND_TEST_GPU names a GPU as --gpu does");
    assert_as_lavapipe(&drawn_on(tempfile::tempdir().unwrap().path(), &gpu, &[]));
}
