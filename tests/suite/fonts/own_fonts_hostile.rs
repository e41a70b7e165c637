//! Folders of fonts that hold what they should not: outlines of many points, pipes, devices, secrets, forged names, ids
//! that are taken.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use longhand::catalogue::{GlyphId, OutlineCommand};
use longhand::own_fonts::{Examiner, FontLoader, LoadedFonts};
use serde_json::json;
use tempfile::TempDir;

use crate::fonts::own_fonts::{load, loader, put};
use crate::oracle::ask;

/// How long a load may take that must not wait for anything.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn outlines_of_many_points_are_simplified_or_refused() {
    let folder = TempDir::new().unwrap();
    ask("heavy_fonts.py", &json!({"folder": folder.path()}));
    let loaded = load(folder.path());
    let reason = |name: &str| {
        let failure = loaded.failures.iter().find(|failure| failure.path.ends_with(name));
        failure.unwrap_or_else(|| panic!("{name} is loaded")).reason.clone()
    };
    for (name, told) in [
        ("jagged.ttf", "after simplification; 600 are allowed: simplify"),
        ("comb.ttf", "after simplification; 1700 are allowed: simplify"),
        ("star.ttf", "cannot be drawn: lyon could not tessellate the outline"),
        ("long.ttf", "has 11998 points; 10000 are allowed"),
    ] {
        assert!(reason(name).contains(told), "{name}: {}", reason(name));
    }
    let [traced] = loaded.fonts.as_slice() else { panic!("{:?}", loaded.failures) };
    let warning = traced.warning.as_deref().unwrap();
    assert!(warning.contains("900 points (median; at most 900 in ") && warning.contains("simplify"), "{warning}");

    // Every stage sees the simplified outline.
    let (face, letter) = (&traced.face, traced.face.glyph_for('x').unwrap());
    let drawn = face.outline(letter).unwrap();
    let contours = drawn.commands.iter().filter(|command| matches!(command, OutlineCommand::Close)).count();
    assert_eq!((face.segments_in_file(letter), contours), (900, 2));
    assert!(drawn.segments() < 200, "{}", drawn.segments());
    assert_eq!((face.ink(letter), face.x_height()), (Some(drawn.ink), drawn.ink.max.y));
    assert_eq!(face.outline(letter), Some(drawn));
    assert_eq!(face.outline(GlyphId(u16::MAX)), None);
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Loads on another thread, because a fault would make it wait for ever.
fn load_in_time(folder: &Path) -> LoadedFonts {
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    let folder = folder.to_owned();
    std::thread::spawn(move || sender.send(load(&folder)));
    receiver.recv_timeout(PATIENCE).expect("loading fonts waits for something")
}

#[test]
fn pipes_devices_and_folders_are_neither_waited_for_nor_read() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    put(folder.path(), 1001, 2, "");
    for name in ["pipe", "folder", "zero", "loop"] {
        std::fs::copy(at("1001.ttf"), at(name).with_extension("ttf")).unwrap();
    }
    pipe(&at("pipe.toml"));
    std::fs::create_dir(at("folder.toml")).unwrap();
    symlink("/dev/zero", at("zero.toml")).unwrap();
    symlink(at("loop.toml"), at("loop.toml")).unwrap();
    pipe(&at("other.ttf"));
    symlink("/dev/zero", at("null.otf")).unwrap();
    // Kubernetes mounts files as links.
    std::fs::create_dir(at("data")).unwrap();
    std::fs::rename(at("1001.ttf"), at("data/font")).unwrap();
    std::fs::rename(at("1001.toml"), at("data/text")).unwrap();
    symlink("data/font", at("1001.ttf")).unwrap();
    symlink("data/text", at("1001.toml")).unwrap();

    let loaded = load_in_time(folder.path());
    assert_eq!(loaded.fonts.len(), 1, "a link to a file is as good as the file: {:?}", loaded.failures);
    let told: Vec<String> = loaded.failures.iter().map(ToString::to_string).collect();
    for name in ["pipe.toml", "folder.toml", "zero.toml"] {
        assert!(told.iter().any(|told| told.ends_with(&format!("{name}: it is no regular file"))), "{told:?}");
    }
    assert_eq!(told.len(), 4, "{told:?}");
    // One that is named itself.
    let failures = load_in_time(&at("other.ttf")).failures;
    assert!(failures[0].reason.contains("it is missing"), "{failures:?}");
    std::fs::copy(at("data/text"), at("other.toml")).unwrap();
    let failures = load_in_time(&at("other.ttf")).failures;
    assert_eq!(failures[0].reason, "it is no regular file");
}

#[test]
fn a_file_name_cannot_forge_a_line_of_the_log() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a\n2026 ERROR\u{1b}[31m.ttf"), b"no font").unwrap();
    let told = load(folder.path()).failures[0].to_string();
    assert!(told.contains(r"a\u{a}2026 ERROR\u{1b}[31m.toml: it is missing"), "{told}");
    assert!(!told.contains(char::is_control), "{told}");
}

/// An examiner whose examinations end by this signal, and the file that counts them by its size.
fn cut_off_by(signal: &str, folder: &Path) -> (Examiner, PathBuf) {
    let (program, count) = (folder.join(format!("examiner-{signal}")), folder.join(format!("count-{signal}")));
    let text = format!("#!/bin/sh\nprintf x >> '{}'\nkill -{signal} $$\n", count.display());
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    (Examiner::of(program), count)
}

#[test]
fn an_examination_that_was_cut_off_is_not_repeated_by_the_same_program() {
    let (folder, site) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    put(folder.path(), 1001, 2, "");
    let cache = site.path().join("fonts");
    let load = |examiner: &Examiner| {
        let loader = FontLoader::new(vec![folder.path().to_owned()], Some(cache.clone()), examiner.clone());
        let fonts = loader.load(&LoadedFonts::default());
        assert_eq!((fonts.fonts.len(), fonts.failures.len()), (0, 1));
        fonts.failures[0].reason.clone()
    };
    let (killed, count) = cut_off_by("9", site.path());
    let first = load(&killed);
    assert_eq!(load(&killed), first);
    assert_eq!(std::fs::read(&count).unwrap(), b"x", "one examination");
    let (told, kept) = first.split_once("; to have it examined again, delete ").expect(&first);
    assert!(told.contains("too much processor time"), "{told}");

    let text = std::fs::read_to_string(kept).unwrap();
    std::fs::write(kept, text.replace(env!("CARGO_PKG_VERSION"), "0.0.1")).unwrap();
    load(&killed);
    assert_eq!(std::fs::read(&count).unwrap(), b"xx", "another program tries again");
    std::fs::remove_file(kept).unwrap();
    load(&killed);
    assert_eq!(std::fs::read(&count).unwrap(), b"xxx", "the operator may have another try");
    std::fs::remove_file(kept).unwrap();

    // One that the system or an operator ended says nothing about the font.
    let (ended, count) = cut_off_by("15", site.path());
    assert!(load(&ended).contains("ended by signal 15"));
    load(&ended);
    assert_eq!(std::fs::read(&count).unwrap(), b"xx");
}

#[test]
fn a_font_that_is_loaded_keeps_its_id() {
    let folder = TempDir::new().unwrap();
    let good = put(folder.path(), 1005, 2, "");
    let loader = loader(folder.path(), None);
    let first = loader.load(&LoadedFonts::default());
    let describe = |name: &str, id: u16| {
        let text = format!("id = {id}\nname = \"Other\"\nstyle = \"print\"\nlicence = \"ours\"\n");
        std::fs::write(folder.path().join(name).with_extension("toml"), text).unwrap();
    };
    // Its name sorts before the other's.
    let newcomer = folder.path().join("0.ttf");
    std::fs::copy(&good, &newcomer).unwrap();
    describe("0.ttf", 1005);
    let second = loader.load(&first);
    assert!(second.fonts.len() == 1 && Arc::ptr_eq(&second.fonts[0].face, &first.fonts[0].face));
    let told = second.failures[0].to_string();
    for part in ["0.toml: id: ", "1005.ttf has 1005 already, which was loaded before", "give ", "0.ttf an id"] {
        assert!(told.contains(part), "{part}: {told}");
    }

    // It keeps the id also while its own file is broken.
    std::fs::write(good.with_extension("toml"), "broken").unwrap();
    let third = loader.load(&second);
    assert!(third.fonts.len() == 1 && Arc::ptr_eq(&third.fonts[0].face, &first.fonts[0].face), "{:?}", third.failures);
    assert_eq!(third.failures.len(), 2);

    // At a start the first by name has it.
    describe("1005.ttf", 1005);
    let fresh = loader.load(&LoadedFonts::default());
    assert!(fresh.fonts.len() == 1 && fresh.fonts[0].path == newcomer);
    let told = fresh.failures[0].to_string();
    assert!(told.contains("0.ttf has 1005 already, which comes first in the order of folders and names"), "{told}");

    // Ids may be exchanged.
    describe("0.ttf", 1006);
    let both = loader.load(&LoadedFonts::default());
    describe("0.ttf", 1005);
    describe("1005.ttf", 1006);
    let exchanged = loader.load(&both);
    let ids: Vec<u16> = exchanged.fonts.iter().map(|font| font.face.id().get()).collect();
    assert_eq!((ids, exchanged.failures.len()), (vec![1005, 1006], 0));
}
