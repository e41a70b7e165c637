//! `longhand doctor`: the drivers and adapters of this machine, missing parts, and how to install them.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::serve::device_options;
use super::{Failure, operator_fonts, output};
use crate::access::{FleetAddress, Keys};
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::config::{Config, DEFAULT_FILE, FontsFailure, GivenSettings, refuse_unknown_variables};
use crate::encode::OutputProfiles;
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
        let official = config.icc_dir.as_deref();
        let converters = OutputProfiles::load(official).map_err(|error| error.to_string());
        let own = operator_fonts::loader(&config)?.load(&LoadedFonts::default());
        let mut findings = vec![configuration(file), drivers()];
        findings.extend(offered_adapters().iter().enumerate().map(adapter));
        findings.extend([
            readback(),
            profiles(official, converters.as_ref().err()),
            fonts(&config, &own),
            page(&config, &own, converters),
            store(&config),
            open_files(config.max_connections.get()),
        ]);
        findings.extend([address("listen", config.listen), address("admin_listen", config.admin_listen)]);
        if self.json {
            output::print_json(&findings)?;
        } else {
            output::print(&table(&findings))?;
        }
        match findings.iter().filter(|finding| finding.verdict == Verdict::Fail).count() {
            0 => Ok(()),
            1 => Err(Failure::Unavailable("one check failed".to_owned())),
            several => Err(Failure::Unavailable(format!("{several} checks failed"))),
        }
    }
}

impl Finding {
    const fn new(check: &'static str, verdict: Verdict, found: String) -> Self {
        Self { check, verdict, found }
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

fn configuration(file: Option<&Path>) -> Finding {
    if let Err(error) = refuse_unknown_variables(std::env::vars_os()) {
        return Finding::new("configuration", Verdict::Fail, error.to_string());
    }
    let path = file.unwrap_or_else(|| Path::new(DEFAULT_FILE));
    let finding = if path.exists() {
        format!("{} and the environment; `serve --print-config` shows the whole", path.display())
    } else {
        format!("no {}: flags, environment and defaults", path.display())
    };
    Finding::new("configuration", Verdict::Ok, finding)
}

/// The drivers that Vulkan's loader would find. Only Linux has them.
fn drivers() -> Finding {
    let named = DRIVER_VARIABLES.iter().find_map(|name| Some((*name, std::env::var_os(name)?)));
    let list = |paths: &[PathBuf]| {
        let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        shown.join(", ")
    };
    match named {
        Some((variable, paths)) => {
            let (there, missing): (Vec<_>, Vec<_>) = std::env::split_paths(&paths).partition(|path| path.exists());
            if missing.is_empty() {
                Finding::new("drivers", Verdict::Ok, format!("{} (from {variable})", list(&there)))
            } else {
                let finding = format!("{variable} names missing files: {}", list(&missing));
                Finding::new("drivers", Verdict::Fail, finding)
            }
        }
        None if cfg!(not(target_os = "linux")) => Finding::new("drivers", Verdict::Ok, "the system's own".to_owned()),
        None => {
            let entries = DRIVER_FOLDERS.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
            let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            paths.sort();
            if paths.is_empty() {
                let finding = format!("no Vulkan driver in {}", DRIVER_FOLDERS.join(", "));
                Finding::new("drivers", Verdict::Note, finding)
            } else {
                Finding::new("drivers", Verdict::Ok, list(&paths))
            }
        }
    }
}

/// An adapter with its number and slot, by which `gpus` may name it.
fn adapter((number, adapter): (usize, &OfferedAdapter)) -> Finding {
    let mebibytes = |bytes: u64| bytes >> 20;
    let OfferedAdapter { description, pci, largest_buffer, largest_binding } = adapter;
    let slot = pci.map(|slot| format!(" at {slot}")).unwrap_or_default();
    let finding = format!(
        "{number}: {}{slot} ({}, {}, {}), buffers to {} MiB, {} MiB bound",
        description.name,
        description.kind,
        description.backend,
        description.driver,
        mebibytes(*largest_buffer),
        mebibytes(*largest_binding)
    );
    Finding::new("adapter", Verdict::Ok, finding)
}

/// The speed of reading pixels back, which limits the pages per second of a fast device.
fn readback() -> Finding {
    match readback_bytes_a_second(&Clock::system()) {
        Ok(speed) => {
            let finding = format!("{:.0} MiB a second; a dense A4 page has about 1.4 MiB", speed / f64::from(1 << 20));
            Finding::new("readback", Verdict::Ok, finding)
        }
        Err(error) => Finding::new("readback", Verdict::Fail, error.to_string()),
    }
}

/// The profiles for PDF/X, or why the operator's files cannot be used.
fn profiles(official: Option<&Path>, problem: Option<&String>) -> Finding {
    let whose = official.map_or_else(
        || "bundled".to_owned(),
        |folder| format!("official where {} has them, else bundled", folder.display()),
    );
    match problem {
        None => Finding::new("profiles", Verdict::Ok, format!("for each printing condition of PDF/X, {whose}")),
        Some(problem) => Finding::new("profiles", Verdict::Fail, problem.clone()),
    }
}

/// The operator's fonts.
fn fonts(config: &Config, own: &LoadedFonts) -> Finding {
    let failures: Vec<String> = own.failures.iter().map(ToString::to_string).collect();
    let count = own.fonts.len();
    match (failures.is_empty(), config.fonts_dir.is_empty(), config.fonts_failure) {
        (true, true, _) => Finding::new("own fonts", Verdict::Ok, "no fonts_dir".to_owned()),
        (true, false, _) => Finding::new("own fonts", Verdict::Ok, format!("{count} loaded")),
        (false, _, choice) => {
            let verdict = if choice == FontsFailure::Stop { Verdict::Fail } else { Verdict::Note };
            Finding::new("own fonts", verdict, format!("{count} loaded, not: {}", failures.join("; ")))
        }
    }
}

/// Renders a page twice: once to warm the caches, once to measure.
fn page(config: &Config, own: &LoadedFonts, converters: Result<OutputProfiles, String>) -> Finding {
    let made = || -> Result<Finding, String> {
        let bundled = FontCatalogue::load().map_err(|error| error.to_string())?;
        let catalogue = operator_fonts::with(&bundled, own);
        let fonts = catalogue.faces().count();
        let device = device_options(config, FaultPlan::default());
        let engine = Engine::open_with(device, Arc::new(catalogue), converters?, Clock::system());
        let engine = engine.map_err(|error| error.to_string())?;
        let spec = spec::parse_request(TRIAL.as_bytes(), Endpoint::Generate, || 1);
        let spec = spec.map_err(|error| format!("the trial request is not valid: {error:?}"))?;
        engine.generate(&spec, &mut StageTimes::default()).map_err(|error| error.to_string())?;
        let mut times = StageTimes::default();
        engine.generate(&spec, &mut times).map_err(|error| error.to_string())?;
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let stages: Vec<String> =
            times.met().map(|(stage, took)| format!("{} {:.1}", stage.name(), milliseconds(took))).collect();
        let whole = milliseconds(times.met().map(|(_, took)| took).sum());
        let adapters: Vec<_> = engine.devices().into_iter().map(|device| device.adapter).collect();
        let names: Vec<&str> = adapters.iter().map(|adapter| adapter.name.as_str()).collect();
        let made = format!(
            "{fonts} fonts; an A5 page in {whole:.1} ms ({}); pages are drawn on {}",
            stages.join(", "),
            names.join(" and ")
        );
        if adapters.iter().any(AdapterDescription::is_software) {
            let remark = "a software adapter: right, and slower than a GPU with its driver";
            Ok(Finding::new("page", Verdict::Note, format!("{made}; {remark}")))
        } else {
            Ok(Finding::new("page", Verdict::Ok, made))
        }
    };
    made().unwrap_or_else(|error| Finding::new("page", Verdict::Fail, error))
}

/// Whether the keys can be read and written, in either store.
fn store(config: &Config) -> Finding {
    config.store.as_ref().map_or_else(|| own_store(&config.data_dir), shared_store)
}

fn shared_store(address: &FleetAddress) -> Finding {
    match Keys::connect(address, Clock::system()).and_then(|keys| keys.list()) {
        Ok(keys) => {
            let active = keys.iter().filter(|key| key.active).count();
            Finding::new("store", Verdict::Ok, format!("{address}: {active} active keys, shared"))
        }
        Err(error) => Finding::new("store", Verdict::Fail, format!("{address}: {error}")),
    }
}

fn own_store(data_dir: &Path) -> Finding {
    let keys = Keys::open_existing_in(data_dir, Clock::system()).and_then(|store| {
        let Some(store) = store else { return Ok(None) };
        let keys = store.list()?;
        store.check()?;
        Ok(Some(keys))
    });
    match keys {
        Ok(Some(keys)) => {
            let active = keys.iter().filter(|key| key.active).count();
            let finding = format!("{}: {active} active keys, writable", data_dir.display());
            Finding::new("store", Verdict::Ok, finding)
        }
        Ok(None) => {
            let finding = format!("none in {} yet; `serve` and `keys create` make one", data_dir.display());
            Finding::new("store", Verdict::Note, finding)
        }
        Err(error) => Finding::new("store", Verdict::Fail, error.to_string()),
    }
}

fn open_files(max_connections: u32) -> Finding {
    match rlimit::Resource::NOFILE.get() {
        Ok((_, hard)) if hard < u64::from(max_connections) + super::serve::FILES_FOR_THE_REST => {
            let finding = format!("the system allows {hard}: fewer than max_connections = {max_connections} needs");
            Finding::new("open files", Verdict::Note, finding)
        }
        Ok((_, hard)) => Finding::new("open files", Verdict::Ok, format!("the system allows {hard}")),
        Err(error) => Finding::new("open files", Verdict::Note, format!("the limit cannot be read: {error}")),
    }
}

fn address(check: &'static str, address: SocketAddr) -> Finding {
    match TcpListener::bind(address) {
        Ok(_) => Finding::new(check, Verdict::Ok, format!("{address} is free")),
        Err(error) => Finding::new(
            check,
            Verdict::Note,
            format!("{address}: {error}; a server that is running has it, or another"),
        ),
    }
}
