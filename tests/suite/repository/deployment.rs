//! What `deploy/` holds: sound by the tools of its kinds, and in step with the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::oracle;

/// Metrics of the process itself, by the conventions of Prometheus' client libraries.
const OF_THE_PROCESS: &[&str] =
    &["process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds", "process_max_fds"];

/// A linker's cache that has NVIDIA's library.
const NVIDIA: &str = "echo '	libGLX_nvidia.so.0 (libc6,x86-64) => /usr/lib/libGLX_nvidia.so.0'";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file under `deploy/`.
fn files() -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![root().join("deploy")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

/// Every word of `text` that starts so, of letters, digits and `_`.
fn words<'text>(text: &'text str, start: &str) -> BTreeSet<&'text str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with(start)).collect()
}

/// The names in `text` that the service does not export.
fn unknown_metrics(text: &str) -> Vec<String> {
    let names = fs::read_to_string(root().join("src/telemetry/names.rs")).unwrap();
    let exported: BTreeSet<&str> =
        words(&names, "longhand_").into_iter().chain(OF_THE_PROCESS.iter().copied()).collect();
    assert!(exported.len() > 15, "{exported:?}");
    let is_exported = |name: &&str| {
        let of_histogram = ["_bucket", "_sum", "_count"].iter().find_map(|part| name.strip_suffix(part));
        exported.contains(name)
            || of_histogram.is_some_and(|base| base.ends_with("_seconds") && exported.contains(base))
    };
    let used = words(text, "longhand_").into_iter().chain(words(text, "process_"));
    used.filter(|name| !is_exported(name)).map(str::to_owned).collect()
}

#[test]
fn every_metric_of_dashboard_alerts_and_autoscaling_is_exported() {
    let mut used = 0;
    for file in
        ["grafana/dashboards/longhand.json", "prometheus/alerts.yml", "helm/longhand/templates/autoscaling.yaml"]
    {
        let text = fs::read_to_string(root().join("deploy").join(file)).unwrap();
        used += words(&text, "longhand_").len();
        assert_eq!(unknown_metrics(&text), [""; 0], "{file}");
    }
    assert!(used > 20, "only {used} names were found");
    assert_eq!(
        unknown_metrics("rate(longhand_request_total[1m]) + longhand_ready_count + longhand_ready"),
        ["longhand_ready_count", "longhand_request_total"]
    );
}

#[test]
fn every_variable_that_is_set_for_the_program_is_one_of_its_settings() {
    let help = Command::new(env!("CARGO_BIN_EXE_longhand")).args(["serve", "--help"]).output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let settings = words(&help, "LONGHAND_");
    let mut used = 0;
    for file in files() {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        for name in words(&text, "LONGHAND_") {
            used += 1;
            // A prefix in prose, and the place of a file of the image, which its entry alone reads.
            let is_known = settings.contains(name) || ["LONGHAND_", "LONGHAND_NVIDIA_ICD"].contains(&name);
            assert!(is_known, "{}: {name}", file.display());
        }
    }
    assert!(used > 10, "only {used} were found");
}

#[test]
fn the_tools_of_each_kind_find_nothing_and_each_finds_a_planted_mistake() {
    let facts =
        |broken: bool| -> Value { oracle::ask("deployment_facts.py", &json!({"root": root(), "broken": broken})) };
    for (what, complaints) in facts(false).as_object().unwrap() {
        assert_eq!(complaints, &json!([]), "{what}");
    }
    for (what, complaints) in facts(true).as_object().unwrap() {
        // The schema of values is tried with values that it must refuse instead.
        assert_eq!(complaints == &json!([]), what == "chart: refused values", "{what}: {complaints}");
    }
}

#[test]
fn the_chart_has_the_version_of_the_program() {
    let chart = fs::read_to_string(root().join("deploy/helm/longhand/Chart.yaml")).unwrap();
    for name in ["version", "appVersion"] {
        let line = format!("{name}: {}", env!("CARGO_PKG_VERSION"));
        assert!(chart.lines().any(|of_chart| of_chart == line), "{line}");
    }
}

/// Writes a shell script that stands in for a program.
fn write_program(folder: &Path, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_image_offers_nvidia_where_its_library_is_and_its_manifest_is_not() {
    let folder = tempfile::tempdir().unwrap();
    write_program(folder.path(), "longhand", r#"echo "$VK_DRIVER_FILES|$*""#);
    let entry = |of_linker: &str, chosen: Option<&str>| {
        write_program(folder.path(), "ldconfig", of_linker);
        let mut command = Command::new("sh");
        command.arg(root().join("deploy/docker/entrypoint.sh")).args(["serve", "--log", "info"]);
        command.env("PATH", format!("{}:/usr/bin:/bin", folder.path().display())).env_remove("VK_DRIVER_FILES");
        command.envs(chosen.map(|chosen| ("VK_DRIVER_FILES", chosen)));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    assert_eq!(entry("true", None), "|serve --log info", "the loader finds what there is");
    assert_eq!(entry(NVIDIA, Some("/mine.json")), "/mine.json|serve --log info", "a choice is kept");
    let has_manifest = ["/etc/vulkan/icd.d", "/usr/share/vulkan/icd.d"].iter().any(|folder| {
        fs::read_dir(folder)
            .into_iter()
            .flatten()
            .any(|entry| entry.is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with("nvidia_icd")))
    });
    let offered = entry(NVIDIA, None);
    let starts_with_ours = offered.starts_with("/usr/share/longhand/nvidia_icd.json");
    assert_eq!(starts_with_ours, !has_manifest, "{offered}");
}

#[test]
fn drivers_have_a_folder_for_compiled_shaders() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    write_program(folder.path(), "longhand", r#"echo "$MESA_SHADER_CACHE_DIR|$__GL_SHADER_DISK_CACHE_PATH""#);
    let entry = |cache: &Path, chosen: &[(&str, &str)]| {
        let mut command = Command::new("sh");
        command.arg(root().join("deploy/docker/entrypoint.sh")).env("XDG_CACHE_HOME", cache);
        command.env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()));
        command.env_remove("__GL_SHADER_DISK_CACHE_PATH").env_remove("MESA_SHADER_CACHE_DIR");
        command.envs(chosen.iter().copied());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let (cache, shaders) = (folder.path().join("cache"), folder.path().join("cache/shaders"));
    let shown = shaders.display();
    assert_eq!(entry(&cache, &[]), format!("{shown}|{shown}"));
    // NVIDIA's driver makes no folder.
    assert_eq!(fs::metadata(&shaders).unwrap().permissions().mode() & 0o777, 0o700);
    let chosen = [("MESA_SHADER_CACHE_DIR", "/mine"), ("__GL_SHADER_DISK_CACHE_PATH", "/too")];
    assert_eq!(entry(&cache, &chosen), "/mine|/too", "a choice is kept");
    assert_eq!(entry(&folder.path().join("longhand"), &[]), "|", "where nothing can be written the service starts");
    let unit = fs::read_to_string(root().join("deploy/systemd/longhand.service")).unwrap();
    for line in [
        "CacheDirectory=longhand",
        "CacheDirectoryMode=0700",
        "Environment=MESA_SHADER_CACHE_DIR=/var/cache/longhand",
        "Environment=__GL_SHADER_DISK_CACHE_PATH=/var/cache/longhand",
    ] {
        assert!(unit.lines().any(|of_unit| of_unit == line), "{line}");
    }
}

#[test]
fn the_unit_starts_the_service_again_however_often_it_is_killed_and_dumps_no_memory() {
    let unit = fs::read_to_string(root().join("deploy/systemd/longhand.service")).unwrap();
    let setting = |name: &str| unit.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    assert_eq!((setting("Restart"), setting("StartLimitIntervalSec")), (Some("on-failure"), Some("0")));
    assert_eq!(setting("LimitCORE"), Some("0"));
    let compose = fs::read_to_string(root().join("deploy/compose/compose.yaml")).unwrap();
    assert!(compose.contains("ulimits:\n      core: 0"), "{compose}");
}

#[test]
fn the_image_is_built_from_what_it_is_given() {
    // All that the build reads must pass `.dockerignore`: what the manifest and the sources name.
    let ignore = fs::read_to_string(root().join(".dockerignore")).unwrap();
    let given: Vec<&str> = ignore.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let is_given = |path: &str| given.iter().any(|given| path == *given || path.starts_with(&format!("{given}/")));
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let mut needed = vec!["Cargo.toml".to_owned(), "Cargo.lock".to_owned(), "src/main.rs".to_owned()];
    for kind in ["bench", "test", "bin"] {
        let targets = manifest[kind].as_array().unwrap().iter();
        needed.extend(targets.map(|target| target["path"].as_str().unwrap().to_owned()));
    }
    for member in manifest["workspace"]["members"].as_array().unwrap() {
        needed.push(format!("{}/Cargo.toml", member.as_str().unwrap()));
    }
    needed.extend(root().join("build.rs").exists().then(|| "build.rs".to_owned()));
    needed.extend(["fonts/catalog.tsv", "icc/README.md", "shaders/README.md"].map(str::to_owned));
    let copied = fs::read_to_string(root().join("deploy/docker/Dockerfile")).unwrap();
    let copied = copied.lines().filter_map(|line| line.strip_prefix("COPY ")).filter(|line| !line.contains("--from"));
    needed
        .extend(copied.flat_map(|line| line.split(' ')).filter(|word| word.starts_with("deploy/")).map(str::to_owned));
    let missing: Vec<_> = needed.iter().filter(|path| !is_given(path) || !root().join(path).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(!is_given("target/release/longhand") && !is_given(".venv/bin/python"));
}
