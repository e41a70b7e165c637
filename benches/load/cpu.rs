//! CPU time of a page by the role of the thread that spent it, for distinct pages over open connections; and the time
//! of its passes on the device.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::Plan;
use crate::pace::{Target, each_once, now, runtime};
use crate::requests;
use crate::scenes::Scene;
use crate::server::{Keys, Server, Thread};

/// Requests in flight.
const IN_FLIGHT: usize = 2;
/// Pages before the measurement, which fill caches and compile shaders.
const WARM_UP: usize = 60;
/// Pages to measure.
const PAGES: u64 = 400;

/// The work of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// Connections, requests and answers.
    Http,
    /// Layout, composition, and the parts of encoding that are not shared out.
    Page,
    /// Parts of encoding, and other work that page threads share out.
    Encoder,
    /// The thread that submits to a device and reads back.
    Device,
    /// Threads of the graphics driver. A software driver draws on them.
    Driver,
    /// The rest: charging, the admin listener, the allocator.
    Other,
}

const ROLES: [Role; 6] = [Role::Http, Role::Page, Role::Encoder, Role::Device, Role::Driver, Role::Other];

/// The passes of the device.
const PASSES: [&str; 4] = ["bend", "accumulate", "resolve", "warp"];

/// Prints a table; holds if every page was answered with 200.
pub(crate) fn run(plan: &Plan) -> bool {
    let pages = plan.number(PAGES, 4);
    println!("CPU ms per page, {pages} distinct pages, {IN_FLIGHT} in flight; then ms of each pass on the device\n");
    println!(
        "| scene | pages/s | HTTP | page | encoder pool | device | driver | other | all but driver | {} |",
        PASSES.join(" | ")
    );
    println!("|---|---|---|---|---|---|---|---|---|{}", "---|".repeat(PASSES.len()));
    let dense = requests::dense();
    let finest = requests::with(&dense, &json!({"dpi": 600}));
    let letter = requests::with(&requests::varied(), &json!({"pen": "ballpoint"}));
    [
        ("dense", "generate", dense.clone()),
        ("dense, indexed", "generate", requests::with(&dense, &json!({"png_format": "indexed"}))),
        ("sparse", "generate", requests::sparse()),
        ("writer variation", "generate", requests::varied()),
        ("variation and pen", "generate", letter),
        ("every effect", "generate", requests::every_effect()),
        ("PDF", "generate", requests::as_pdf(&dense)),
        ("preview", "preview", dense),
        ("600 DPI", "generate", finest),
    ]
    .into_iter()
    .all(|(name, endpoint, request)| measure(name, endpoint, &request, pages))
}

/// Serves distinct pages and prints a row. Returns whether all answers were pages.
fn measure(name: &'static str, endpoint: &str, request: &Value, pages: u64) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let keys = Arc::new(Keys::make(folder.path(), 400));
    let server = Server::start(folder.path(), &["--gpu-timings", "on"]);
    let target = Target { address: server.address.clone(), keys };
    let path = if endpoint == "preview" { "/api/v1/preview" } else { "/api/v1/generate" };
    let all: Vec<Scene> = (0..WARM_UP + pages as usize)
        .map(|number| Scene { name, path: path.into(), body: distinct(request, number).to_string() })
        .collect();
    let (warm_up, measured) = all.split_at(WARM_UP);
    let runtime = runtime();
    runtime.block_on(each_once(&target, warm_up, IN_FLIGHT));
    let on_device = || {
        let of_pass = |pass: &str| format!("pass=\"{pass}\"");
        PASSES.map(|pass| server.metric("longhand_gpu_pass_seconds_sum", |labels| labels.contains(&of_pass(pass))))
    };
    let device_before = on_device();
    let (before, started) = (spent(&server.threads()), now());
    let tally = runtime.block_on(each_once(&target, measured, IN_FLIGHT));
    let seconds = (now() - started).as_secs_f64();
    let after = spent(&server.threads());
    let passes = on_device().into_iter().zip(device_before);
    let passes: Vec<String> =
        passes.map(|(after, before)| format!("{:.3}", (after - before) * 1e3 / pages as f64)).collect();
    let per_page = |role: Role| {
        let of = |times: &BTreeMap<Role, u64>| times.get(&role).copied().unwrap_or_default() as f64;
        (of(&after) - of(&before)) / 1e6 / pages as f64
    };
    let cells: Vec<String> = ROLES.iter().map(|role| format!("{:.2}", per_page(*role))).collect();
    let host: f64 = ROLES.iter().filter(|role| **role != Role::Driver).map(|role| per_page(*role)).sum();
    let (rate, cells, passes) = (pages as f64 / seconds, cells.join(" | "), passes.join(" | "));
    println!("| {name} | {rate:.0} | {cells} | {host:.2} | {passes} |");
    let is_whole = tally.count(200) as u64 == pages;
    if !is_whole {
        println!("{name}: {tally}");
    }
    is_whole
}

/// The request with another beginning and another seed, which no other page has.
fn distinct(request: &Value, number: usize) -> Value {
    let text = request["text"].as_str().unwrap();
    let varied = format!("{number:04}{}", text.get(4..).unwrap());
    requests::with(request, &json!({"text": varied, "seed": number}))
}

/// CPU time of the threads by role, in nanoseconds.
fn spent(threads: &[Thread]) -> BTreeMap<Role, u64> {
    let mut times = BTreeMap::new();
    for thread in threads {
        *times.entry(role(thread, threads)).or_default() += thread.cpu_nanoseconds;
    }
    times
}

/// The role of a thread. Threads that the driver starts, and those of the encoder's pool, inherit the name of the
/// thread that starts them; so the first thread of a name is the one that was given it.
fn role(thread: &Thread, all: &[Thread]) -> Role {
    let is_first = || all.iter().filter(|other| other.name == thread.name).all(|other| thread.id <= other.id);
    let name = thread.name.as_str();
    if thread.is_main || name == "tokio-rt-worker" {
        Role::Http
    } else if name.starts_with("page-") {
        if is_first() { Role::Page } else { Role::Encoder }
    } else if name.starts_with("gpu") {
        if is_first() { Role::Device } else { Role::Driver }
    } else if name.starts_with("llvmpipe-") || name.contains("disk$") || name.starts_with("[vk") {
        Role::Driver
    } else {
        Role::Other
    }
}
