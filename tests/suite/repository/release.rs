//! What `make release` makes, of a stand-in for the program: the package, the image and the section of the changelog.
//! `make test-release` uses the real ones.

use std::path::Path;

use serde_json::{Value, json};

use crate::oracle;

fn facts() -> Value {
    oracle::ask("release_facts.py", &json!({"root": env!("CARGO_MANIFEST_DIR")}))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn a_release_has_a_package_and_an_image_that_are_the_same_each_time() {
    let facts = facts();
    assert_eq!(facts["again"], true, "the same commit gives the same bytes");
    of_package(&facts);
    of_image(&facts["image"]);

    let changes = facts["changes"].as_str().unwrap();
    assert!(changes.starts_with("Requests of 0.1") || changes.contains("### "), "{changes}");
    assert!(!changes.contains("\n## "), "one section alone");
    assert!(facts["undated"].as_str().unwrap().starts_with("refused: CHANGELOG.md has no section"), "{facts}");
}

/// The unit, its user and its data directory are in the package, and each is where its program looks.
fn of_package(facts: &Value) {
    let (fields, files) = (&facts["fields"], &facts["files"]);
    assert_eq!((&fields["Version"], &fields["Architecture"]), (&json!(env!("CARGO_PKG_VERSION")), &json!("amd64")));
    assert_eq!(
        (&fields["Depends"], &fields["Recommends"]),
        (&json!("libc6 (>= 2.28), libvulkan1"), &json!("mesa-vulkan-drivers | vulkan-icd"))
    );
    for (place, mode) in [
        ("usr/bin/longhand", "0o755"),
        ("usr/lib/debug/usr/bin/longhand.debug", "0o644"),
        ("usr/lib/systemd/system/longhand.service", "0o644"),
        ("usr/lib/sysusers.d/longhand.conf", "0o644"),
        ("usr/lib/tmpfiles.d/longhand.conf", "0o644"),
        ("etc/longhand", "0o700"),
        ("etc/longhand/environment", "0o600"),
        ("usr/share/doc/longhand/copyright", "0o644"),
    ] {
        assert_eq!(files[place], json!([mode, "0:0"]), "{place}");
    }
    let owners = files.as_object().unwrap().values().filter(|file| file[1] != "0:0").count();
    assert_eq!(
        (owners, &facts["scripts"], &facts["conffiles"]),
        (0, &json!([]), &json!("/etc/longhand/environment\n"))
    );

    // The unit is that of deploy/ but for its program and its user.
    let of_package: Vec<&str> = facts["unit"].as_str().unwrap().lines().collect();
    let deployed = read("deploy/systemd/longhand.service");
    let changed: Vec<_> = deployed.lines().filter(|line| !of_package.contains(line)).collect();
    assert_eq!(changed, ["ExecStart=/usr/local/bin/longhand serve", "DynamicUser=yes"]);
    let added: Vec<_> = of_package.into_iter().filter(|line| !deployed.lines().any(|other| other == *line)).collect();
    assert_eq!(added, ["ExecStart=/usr/bin/longhand serve", "User=longhand", "Group=longhand"]);
    assert!(read("deploy/debian/sysusers.conf").starts_with("u longhand - "));
}

/// The image follows its specification, and is what the Dockerfile says.
fn of_image(image: &Value) {
    assert_eq!(image["complaints"], json!([]));
    let (config, run) = (&image["config"], &image["config"]["config"]);
    assert_eq!((&config["architecture"], &config["os"]), (&json!("amd64"), &json!("linux")));
    assert_eq!(image["annotations"]["io.containerd.image.name"], format!("longhand:{}", env!("CARGO_PKG_VERSION")));
    let dockerfile = read("deploy/docker/Dockerfile");
    for (word, value) in [("ENTRYPOINT", &run["Entrypoint"]), ("CMD", &run["Cmd"])] {
        assert!(dockerfile.contains(&format!("\n{word} {value}")), "{word} {value}");
    }
    for (word, key) in [("USER", "User"), ("STOPSIGNAL", "StopSignal")] {
        assert!(dockerfile.contains(&format!("\n{word} {}", run[key].as_str().unwrap())), "{word}");
    }
    let variables = run["Env"].as_array().unwrap();
    let is_assignment = |word: &&str| {
        let is_name = |name: &str| name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
        word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && is_name(name))
    };
    let assigned: Vec<_> = dockerfile.split_whitespace().filter(is_assignment).collect();
    assert!(assigned.len() > 5, "{assigned:?}");
    assert_eq!(variables[1..], assigned, "after PATH");
    assert_eq!(
        (&run["ExposedPorts"], &run["Volumes"]),
        (&json!({"8080/tcp": {}, "9090/tcp": {}}), &json!({"/data": {}}))
    );
    assert_eq!(run["Healthcheck"]["Test"], json!(["CMD", "longhand", "health"]));
    let layers = image["layers"].as_array().unwrap();
    assert_eq!(layers.len(), 2);
    for place in ["longhand", "longhand-entrypoint"] {
        assert_eq!(layers[1][format!("usr/local/bin/{place}")], json!(["0o755", "0:0"]), "{place}");
    }
    assert!(layers[1].get("usr/share/longhand/nvidia_icd.json").is_some(), "{layers:?}");
    assert!(layers[1].get("tmp/install-runtime.sh").is_none(), "what makes the first layer is not in the second");
}
