//! `longhand doctor`: the drivers and adapters of this machine, missing parts, and how to install them.

use std::error::Error;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::serve::device_options;
use super::{Failure, operator_fonts, output};
use crate::access::{KeySummary, Keys};
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::config::{Config, DEFAULT_FILE, FontsFailure, GivenSettings, refuse_unknown_variables};
use crate::encode::{OutputProfiles, ProfileError};
use crate::gpu::{AdapterDescription, OfferedAdapter, offered_adapters, readback_bytes_a_second};
use crate::own_fonts::LoadedFonts;
use crate::pipeline::{Engine, FaultPlan, StageTimes};
use crate::spec::{self, Endpoint};

/// A page with enough writing for meaningful times.
const TRIAL: &str =
    r#"{"text":"The quick brown fox jumps over the lazy dog.","font_size":60,"page_size":"a5","seed":1}"#;
/// The folders in which Vulkan's loader looks for drivers on Linux.
const DRIVER_FOLDERS: [&str; 3] = ["/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d"];
/// Variables that name drivers instead.
const DRIVER_VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// The arguments of `doctor`.
#[derive(clap::Args, Debug)]
pub(super) struct DoctorCommand {
    #[command(flatten)]
    settings: GivenSettings,
    /// Configuration file [default: longhand.toml, if there is one]
    #[arg(long, env = "LONGHAND_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Ok,
    /// It works, but may be unintended.
    Note,
    /// The service cannot run.
    Fail,
}

/// What a check finds, or why the service cannot run.
type Found = Result<(Verdict, String), Box<dyn Error>>;

/// Result of one check.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    verdict: Verdict,
    found: String,
}

impl DoctorCommand {
    /// Prints every finding, and fails if the service could not run.
    pub(super) fn run(self) -> Result<(), Failure> {
        let file = self.config.as_deref();
        let config = self.settings.over(Config::from_file(file)?)?;
        let converters = OutputProfiles::load(config.icc_dir.as_deref());
        let own = operator_fonts::loader(&config)?.load(&LoadedFonts::default());
        let adapters = offered_adapters();
        let mut checks = vec![("configuration", configuration(file)), ("drivers", drivers())];
        checks.extend(adapters.iter().enumerate().map(|numbered| ("adapter", Ok((Verdict::Ok, adapter(numbered))))));
        checks.extend([
            ("readback", readback()),
            ("profiles", profiles(config.icc_dir.as_deref(), &converters)),
            ("own fonts", Ok(fonts(&config, &own))),
            ("page", page(&config, &own, converters)),
            ("store", store(&config)),
            ("open files", Ok(open_files(config.max_connections.get()))),
            ("listen", Ok(address(config.listen))),
            ("admin_listen", Ok(address(config.admin_listen))),
        ]);
        let finding = |(check, found): (&'static str, Found)| {
            let (verdict, found) = found.unwrap_or_else(|problem| (Verdict::Fail, problem.to_string()));
            Finding { check, verdict, found }
        };
        let findings: Vec<Finding> = checks.into_iter().map(finding).collect();
        output::print_result(self.json, &findings, &table(&findings))?;
        match findings.iter().filter(|finding| finding.verdict == Verdict::Fail).count() {
            0 => Ok(()),
            1 => Err(Failure::Unavailable("one check failed".to_owned())),
            several => Err(Failure::Unavailable(format!("{several} checks failed"))),
        }
    }
}

fn table(findings: &[Finding]) -> String {
    let row = |Finding { check, verdict, found }: &Finding| {
        let verdict = match verdict {
            Verdict::Ok => "ok",
            Verdict::Note => "note",
            Verdict::Fail => "FAIL",
        };
        format!("{verdict:<4}  {check:<13}  {found}")
    };
    findings.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn configuration(file: Option<&Path>) -> Found {
    refuse_unknown_variables(std::env::vars_os())?;
    let path = file.unwrap_or_else(|| Path::new(DEFAULT_FILE));
    let found = if path.exists() {
        format!("{} and the environment; `serve --print-config` shows the whole", path.display())
    } else {
        format!("no {}: flags, environment and defaults", path.display())
    };
    Ok((Verdict::Ok, found))
}

/// The drivers that Vulkan's loader would find. Only Linux has them.
fn drivers() -> Found {
    let list = |paths: &[PathBuf]| {
        let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        shown.join(", ")
    };
    if let Some((variable, paths)) = DRIVER_VARIABLES.iter().find_map(|name| Some((*name, std::env::var_os(name)?))) {
        let (there, missing): (Vec<_>, Vec<_>) = std::env::split_paths(&paths).partition(|path| path.exists());
        return if missing.is_empty() {
            Ok((Verdict::Ok, format!("{} (from {variable})", list(&there))))
        } else {
            Err(format!("{variable} names missing files: {}", list(&missing)).into())
        };
    }
    if cfg!(not(target_os = "linux")) {
        return Ok((Verdict::Ok, "the system's own".to_owned()));
    }
    let entries = DRIVER_FOLDERS.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    if paths.is_empty() {
        return Ok((Verdict::Note, format!("no Vulkan driver in {}", DRIVER_FOLDERS.join(", "))));
    }
    Ok((Verdict::Ok, list(&paths)))
}

/// An adapter with its number and slot, by which `gpus` may name it.
fn adapter((number, adapter): (usize, &OfferedAdapter)) -> String {
    let OfferedAdapter { description, pci, largest_buffer, largest_binding } = adapter;
    let AdapterDescription { name, kind, backend, driver, .. } = description;
    let slot = pci.map(|slot| format!(" at {slot}")).unwrap_or_default();
    let (buffer, bound) = (largest_buffer >> 20, largest_binding >> 20);
    format!("{number}: {name}{slot} ({kind}, {backend}, {driver}), buffers to {buffer} MiB, {bound} MiB bound")
}

/// The speed of reading pixels back, which limits the pages per second of a fast device.
fn readback() -> Found {
    let speed = readback_bytes_a_second(&Clock::system())?;
    Ok((Verdict::Ok, format!("{:.0} MiB a second; a dense A4 page has about 1.4 MiB", speed / f64::from(1 << 20))))
}

/// The profiles for PDF/X, or why the operator's files cannot be used.
fn profiles(official: Option<&Path>, converters: &Result<OutputProfiles, ProfileError>) -> Found {
    converters.as_ref().map_err(ToString::to_string)?;
    let whose = official.map_or_else(
        || "bundled".to_owned(),
        |folder| format!("official where {} has them, else bundled", folder.display()),
    );
    Ok((Verdict::Ok, format!("for each printing condition of PDF/X, {whose}")))
}

/// The operator's fonts.
fn fonts(config: &Config, own: &LoadedFonts) -> (Verdict, String) {
    let count = own.fonts.len();
    let failures: Vec<String> = own.failures.iter().map(ToString::to_string).collect();
    match (failures.is_empty(), config.fonts_failure) {
        (true, _) if config.fonts_dir.is_empty() => (Verdict::Ok, "no fonts_dir".to_owned()),
        (true, _) => (Verdict::Ok, format!("{count} loaded")),
        (false, FontsFailure::Stop) => (Verdict::Fail, format!("{count} loaded, not: {}", failures.join("; "))),
        (false, FontsFailure::Skip) => (Verdict::Note, format!("{count} loaded, not: {}", failures.join("; "))),
    }
}

/// Renders a page twice: once to warm the caches, once to measure.
fn page(config: &Config, own: &LoadedFonts, converters: Result<OutputProfiles, ProfileError>) -> Found {
    let catalogue = operator_fonts::with(&FontCatalogue::load()?, own);
    let fonts = catalogue.faces().count();
    let device = device_options(config, FaultPlan::default());
    let engine = Engine::open_with(device, Arc::new(catalogue), converters?, Clock::system())?;
    let spec = spec::parse_request(TRIAL.as_bytes(), Endpoint::Generate, || 1)?;
    engine.generate(&spec, &mut StageTimes::default())?;
    let mut times = StageTimes::default();
    engine.generate(&spec, &mut times)?;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let stages: Vec<String> =
        times.met().map(|(stage, took)| format!("{} {:.1}", stage.name(), milliseconds(took))).collect();
    let whole = milliseconds(times.met().map(|(_, took)| took).sum());
    let adapters: Vec<_> = engine.devices().into_iter().map(|device| device.adapter).collect();
    let names: Vec<&str> = adapters.iter().map(|adapter| adapter.name.as_str()).collect();
    let (stages, names) = (stages.join(", "), names.join(" and "));
    let made = format!("{fonts} fonts; an A5 page in {whole:.1} ms ({stages}); pages are drawn on {names}");
    if adapters.iter().any(AdapterDescription::is_software) {
        let remark = "a software adapter: right, and slower than a GPU with its driver";
        return Ok((Verdict::Note, format!("{made}; {remark}")));
    }
    Ok((Verdict::Ok, made))
}

/// Whether the keys can be read and written, in either store.
fn store(config: &Config) -> Found {
    let active = |keys: Vec<KeySummary>| keys.iter().filter(|key| key.active).count();
    if let Some(address) = &config.store {
        let keys = Keys::connect(address, Clock::system()).and_then(|keys| keys.list());
        let keys = keys.map_err(|error| format!("{address}: {error}"))?;
        return Ok((Verdict::Ok, format!("{address}: {} active keys, shared", active(keys))));
    }
    let data_dir = config.data_dir.display();
    let store = Keys::open_existing_in(&config.data_dir, Clock::system())?;
    let Some(store) = store else {
        return Ok((Verdict::Note, format!("none in {data_dir} yet; `serve` and `keys create` make one")));
    };
    let keys = store.list()?;
    store.check()?;
    Ok((Verdict::Ok, format!("{data_dir}: {} active keys, writable", active(keys))))
}

fn open_files(max_connections: u32) -> (Verdict, String) {
    match rlimit::Resource::NOFILE.get() {
        Ok((_, hard)) if hard < u64::from(max_connections) + super::serve::FILES_FOR_THE_REST => {
            let found = format!("the system allows {hard}: fewer than max_connections = {max_connections} needs");
            (Verdict::Note, found)
        }
        Ok((_, hard)) => (Verdict::Ok, format!("the system allows {hard}")),
        Err(error) => (Verdict::Note, format!("the limit cannot be read: {error}")),
    }
}

fn address(address: SocketAddr) -> (Verdict, String) {
    match TcpListener::bind(address) {
        Ok(_) => (Verdict::Ok, format!("{address} is free")),
        Err(error) => (Verdict::Note, format!("{address}: {error}; a server that is running has it, or another")),
    }
}
