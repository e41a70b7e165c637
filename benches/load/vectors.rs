//! The dearest requests of every endpoint from eight keys, beside one key with small pages. And a search for pages that
//! never end.
//!
//! Requests of a kind differ in their seed and letters, so that caches help as little as they can.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::Plan;
use crate::client::Client;
use crate::pace::{Target, closed_loop, each_once, now, open_loop, runtime};
use crate::requests::prose;
use crate::scenes::{self, Scene};
use crate::server::{Keys, Server};
use crate::tally::Tally;

/// Keys that send the dearest requests, one after another each.
const DEAR_KEYS: usize = 8;
/// Small pages per second of the other key.
const SMALL_PAGES: f64 = 7.0;
/// Longest time of one of its pages.
const LONGEST_MS: f64 = 1000.0;
/// Most CPU time of one request.
const MOST_CPU_SECONDS: f64 = 3.0;
/// Most memory beyond that of the idle service.
const MOST_MEGABYTES: u64 = 500;
/// Largest answer.
const LARGEST_ANSWER: usize = 100 << 20;
/// Time after which nothing is done any more for a client that hung up, and the CPU time that may be used afterwards.
const ENDS_WITHIN: Duration = Duration::from_millis(200);
const SLACK_CPU_SECONDS: f64 = 0.1;
/// Longest wait for earlier work.
const LONGEST_REST: Duration = Duration::from_secs(60);
/// Time after which a page counts as hanging.
const HANGS_AFTER_MS: f64 = 10_000.0;

/// Whether the small pages came in time, and no request took more than it may.
pub(crate) fn run(plan: &Plan) -> bool {
    let seconds = plan.number(60, 1);
    let folder = tempfile::tempdir().unwrap();
    let dear = Arc::new(Keys::make(folder.path(), DEAR_KEYS));
    let small = Arc::new(Keys::make(folder.path(), 1));
    let others = Arc::new(Keys::make(folder.path(), 100));
    let server = Server::start(folder.path(), &[]);
    let as_keys = |keys: &Arc<Keys>| Target { address: server.address.clone(), keys: Arc::clone(keys) };
    let (runtime, page) = (runtime(), [scenes::named("envelope")]);
    runtime.block_on(closed_loop(&as_keys(&others), &page, 2, plan.duration(Duration::from_secs(2))));
    let idle = server.vitals().resident_kib;

    let rounds = if plan.is_measuring { 4 } else { 1 };
    let mut holds = true;
    let kinds = if plan.is_measuring { &KINDS[..] } else { &KINDS[QUICK_KINDS..] };
    for &kind in kinds {
        holds &= measure_alone(&server, &as_keys(&others), &runtime, kind, rounds);
    }
    let all: Vec<Scene> = (0..64).flat_map(|seed| kinds.iter().map(move |kind| kind.scene(1000 + seed))).collect();
    let (dear, small) = (as_keys(&dear), as_keys(&small));
    let duration = Duration::from_secs(seconds);
    let alone = runtime.block_on(open_loop(&small, &page, SMALL_PAGES, duration.min(Duration::from_secs(10))));
    let together = async {
        tokio::join!(open_loop(&small, &page, SMALL_PAGES, duration), closed_loop(&dear, &all, DEAR_KEYS, duration))
    };
    let (beside, dear_pages) = runtime.block_on(together);
    let growth = server.vitals().peak_kib.saturating_sub(idle) >> 10;
    println!("small pages alone: {alone}");
    println!("beside {DEAR_KEYS} keys with the dearest requests: {beside}");
    println!("the dearest requests: {dear_pages}");
    println!("memory: {} MB idle, {growth} MB more at the peak", idle >> 10);
    holds &= beside.others_than(&[200]).is_empty() && beside.broken == 0 && beside.quantile_ms(200, 1.0) <= LONGEST_MS;
    holds &= growth <= MOST_MEGABYTES;
    holds &= runtime.block_on(stops_for_those_who_hang_up(&server, &dear, kinds));
    holds & find_hanging_pages(plan, &server, &as_keys(&others), &runtime)
}

/// A kind of dear requests.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    path: &'static str,
    request: fn(u32) -> Value,
}

const GENERATE: &str = "/api/v1/generate";
const PREFLIGHT: &str = "/api/v1/preflight";
const SPECIMENS: &str = "/api/v1/fonts/specimens.png?variation=true&text=";

const KINDS: [Kind; 11] = [
    Kind { name: "preflight of outlines", path: PREFLIGHT, request: |seed| outlined(&prose(9_990), 8, 60, seed) },
    Kind { name: "preflight of detailed letters", path: PREFLIGHT, request: |seed| detailed("paginate", 60, seed) },
    Kind { name: "preflight of one word", path: PREFLIGHT, request: |seed| outlined(&marked(9_000), 20, 100, seed) },
    Kind { name: "SVG outlines, prose", path: GENERATE, request: |seed| svg(&prose(9_990), 1, 40, seed) },
    Kind { name: "SVG outlines, details", path: GENERATE, request: |seed| as_svg(detailed("clip", 30, seed)) },
    Kind { name: "PDF outlines", path: GENERATE, request: |seed| clipped(outlined(&prose(1_500), 8, 60, seed)) },
    Kind { name: "welded", path: GENERATE, request: welded },
    Kind { name: "strokes", path: GENERATE, request: strokes },
    Kind { name: "PNG, random letters", path: GENERATE, request: |seed| png(&random_words(seed), 61, 40, seed) },
    Kind { name: "PNG, many marks", path: GENERATE, request: |seed| png(&marked(7_300), 20, 400, seed) },
    Kind { name: "specimens", path: SPECIMENS, request: |_| Value::Null },
];

/// From this kind on, requests are quick: they are enough to test the driver.
const QUICK_KINDS: usize = 8;

impl Kind {
    fn scene(self, seed: u32) -> Scene {
        let Self { name, path, request } = self;
        match request(seed) {
            Value::Null => {
                let words = percent_encoded(&random_letters(seed, 32));
                Scene { name, path: format!("{path}{words}").into(), body: String::new() }
            }
            body => Scene { name, path: path.into(), body: body.to_string() },
        }
    }
}

/// Prints what requests of one kind take alone. Whether none takes more than it may.
fn measure_alone(server: &Server, target: &Target, runtime: &tokio::runtime::Runtime, kind: Kind, rounds: u32) -> bool {
    let (mut tally, mut most_cpu, mut largest) = (Tally::default(), 0.0_f64, 0);
    let mut client = Client::new(&target.address);
    for seed in 0..rounds {
        let (scene, before, asked) = (kind.scene(seed), server.vitals().cpu_seconds, now());
        let answer = runtime.block_on(client.ask(&scene, target.keys.next()));
        tally.note(&answer, now() - asked);
        most_cpu = most_cpu.max(server.vitals().cpu_seconds - before);
        largest = answer.map_or(largest, |answer| largest.max(answer.bytes));
    }
    println!("{:30} {most_cpu:5.2} CPU-s at most, {:6.1} MB at most, {tally}", kind.name, largest as f64 / 1e6);
    most_cpu <= MOST_CPU_SECONDS && largest <= LARGEST_ANSWER && tally.others_than(&[200, 422]).is_empty()
}

/// Whether work ends for clients that hang up while their request is in progress, one of each kind.
async fn stops_for_those_who_hang_up(server: &Server, target: &Target, kinds: &[Kind]) -> bool {
    let mut holds = true;
    for kind in kinds {
        wait_until_idle(server).await;
        let scene = kind.scene(77);
        let mut stream = TcpStream::connect(&target.address).await.unwrap();
        stream.write_all(&scene.request(target.keys.next())).await.unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        drop(stream);
        tokio::time::sleep(ENDS_WITHIN).await;
        let before = server.vitals().cpu_seconds;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let used = server.vitals().cpu_seconds - before;
        if used > SLACK_CPU_SECONDS {
            println!("{}: {used:.2} CPU-s in the second after the work should have ended", kind.name);
            holds = false;
        }
    }
    println!("work ends within {} ms after a client hangs up: {holds}", ENDS_WITHIN.as_millis());
    holds
}

/// Waits until the service does nothing, so that earlier work does not count as later. Not longer than
/// [`LONGEST_REST`].
async fn wait_until_idle(server: &Server) {
    let since = now();
    let mut before = f64::NEG_INFINITY;
    while server.vitals().cpu_seconds - before > SLACK_CPU_SECONDS && now() - since < LONGEST_REST {
        before = server.vitals().cpu_seconds;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Asks for ordinary bent pages in all fonts. Whether none of them hangs.
fn find_hanging_pages(plan: &Plan, server: &Server, target: &Target, runtime: &tokio::runtime::Runtime) -> bool {
    let (fonts, sizes) = if plan.is_measuring { (1..=90, 12..=20) } else { (52..=52, 12..=12) };
    let page = |font: u32, size: u32| {
        let request = json!({
            "text": prose(310), "font_id": font, "font_size": size, "page_size": "a5", "overflow": "clip", "seed": 2,
            "output_format": "svg", "enable_natural_variation": true,
        });
        Scene { name: "bent", path: GENERATE.into(), body: request.to_string() }
    };
    let pages: Vec<Scene> = fonts.flat_map(|font| sizes.clone().map(move |size| page(font, size))).collect();
    let tally = runtime.block_on(each_once(target, &pages, 2));
    let late = tally.longer_than(200, HANGS_AFTER_MS);
    let hanging = late as u64 + tally.broken;
    println!("{} ordinary bent pages: {hanging} hang or take more than 10 s; {tally}", pages.len());
    let still_busy = server.vitals().cpu_seconds;
    std::thread::sleep(Duration::from_secs(1));
    let idle = server.vitals().cpu_seconds - still_busy <= SLACK_CPU_SECONDS;
    hanging == 0 && idle && tally.others_than(&[200]).is_empty()
}

/// A request with these members added.
fn with(mut request: Value, members: &Value) -> Value {
    for (name, value) in members.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

fn varied(text: &str, font: u32, size: u32, seed: u32) -> Value {
    json!({
        "text": text, "font_id": font, "font_size": size, "seed": seed, "margin_left": 60, "margin_right": 60,
        "margin_top": 60, "margin_bottom": 60, "enable_writer_variation": true,
    })
}

/// Ordinary text in bent outlines on as many pages as it takes, with the effects that the documentation recommends.
fn outlined(text: &str, font: u32, size: u32, seed: u32) -> Value {
    let effects = json!({
        "output_format": "pdf", "pdf": {"writing": "outlines"}, "overflow": "paginate", "enable_word_rotation": true,
        "word_rotation_range": 1, "enable_ink_flow": true, "ink_flow_intensity": 0.5,
    });
    with(varied(text, font, size, seed), &effects)
}

/// One page of it.
fn clipped(request: Value) -> Value {
    with(request, &json!({"overflow": "clip"}))
}

fn as_svg(mut request: Value) -> Value {
    request.as_object_mut().unwrap().remove("pdf");
    with(request, &json!({"output_format": "svg"}))
}

fn svg(text: &str, font: u32, size: u32, seed: u32) -> Value {
    let paper = json!({"page_size": "a3", "line_height_multiplier": 1, "overflow": "clip"});
    as_svg(with(outlined(text, font, size, seed), &paper))
}

/// A letter of many curves, again and again, strongly varied.
fn detailed(overflow: &str, size: u32, seed: u32) -> Value {
    let members = json!({
        "page_size": "a3", "line_height_multiplier": 0.5, "writer_variation_strength": 2, "output_format": "pdf",
        "pdf": {"writing": "outlines"}, "overflow": overflow,
    });
    with(varied("®®®® ".repeat(1_998).trim_end(), 41, size, seed), &members)
}

/// One word: a letter with this number of marks.
fn marked(marks: usize) -> String {
    format!("o{}", "\u{338}".repeat(marks))
}

/// Sixteen boxes over one another.
fn welded(seed: u32) -> Value {
    let block = |number: u32| {
        json!({
            "x": 10, "y": 10, "width": 3450, "height": 4900, "text": "®®® ".repeat(155).trim_end(), "font_id": 41,
            "font_size": 200, "line_height_multiplier": 0.5, "text_color": [number, 255 - number, 0],
        })
    };
    let blocks: Vec<Value> = (0..16).map(|number| block(number * 16)).collect();
    json!({
        "blocks": blocks, "seed": seed, "page_size": "a3", "dpi": 600, "overflow": "clip", "output_format": "svg",
        "svg": {"paths": "welded"},
    })
}

fn strokes(seed: u32) -> Value {
    with(svg(&prose(9_990), 1, 40, seed), &json!({"svg": {"paths": "strokes"}}))
}

fn png(text: &str, font: u32, size: u32, seed: u32) -> Value {
    let members = json!({
        "page_size": "a3", "dpi": 600, "overflow": "clip", "line_height_multiplier": 0.7,
        "writer_variation_strength": 2,
    });
    with(varied(text, font, size, seed), &members)
}

/// Random words of Latin letters, of which hardly two have the same neighbours.
fn random_words(seed: u32) -> String {
    let letters: Vec<char> = random_letters(seed, 9_000).chars().collect();
    letters.chunks(9).map(|word| word.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

fn random_letters(seed: u32, count: usize) -> String {
    let letters: Vec<char> =
        ('A'..='Z').chain('a'..='z').chain('\u{c0}'..='\u{d6}').chain('\u{d8}'..='\u{f6}').collect();
    let mut state = u64::from(seed).wrapping_mul(2_862_933_555_777_941_757).wrapping_add(3_037_000_493);
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        letters[(state >> 33) as usize % letters.len()]
    };
    (0..count).map(|_| letter()).collect()
}

fn percent_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect::<Vec<_>>().concat()
}
