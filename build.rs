//! Writes the tables of embedded fonts, of embedded strokes and of embedded drawings: one `(slug, bytes)` a row of
//! `fonts/catalog.tsv`, in the order of the rows. Every font has a TTF file; the fonts that a pen can draw also have a
//! file of strokes, and some have further drawings of their letters.
//!
//! Writes also the table of the scripts and style sheets of the studio: a `(path, text)` for each file.

use std::ffi::OsStr;
use std::path::Path;
use std::{env, fs, io};

/// The folder of the studio.
const PAGE: &str = "src/http/page";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=fonts/catalog.tsv");
    println!("cargo::rerun-if-changed=fonts/ttf");
    println!("cargo::rerun-if-changed=fonts/strokes");
    println!("cargo::rerun-if-changed=fonts/drawings");
    println!("cargo::rerun-if-changed={PAGE}");

    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let table = fs::read_to_string(Path::new(&root).join("fonts/catalog.tsv"))?;

    let mut fonts = Vec::new();
    let (mut strokes, mut drawings) = (Vec::new(), Vec::new());
    for row in table.lines().skip(1) {
        let slug = row.split('\t').nth(1).unwrap_or_default();
        let file = format!("fonts/ttf/{slug}.ttf");
        if !Path::new(&root).join(&file).is_file() {
            return Err(io::Error::other(format!(
                "fonts/catalog.tsv names the font \"{slug}\", but {file} is missing"
            )));
        }
        fonts.push(entry(slug, &file));
        let add = |files: &mut Vec<String>, file: String| {
            if Path::new(&root).join(&file).is_file() {
                files.push(entry(slug, &file));
            }
        };
        add(&mut strokes, format!("fonts/strokes/{slug}.strokes"));
        add(&mut drawings, format!("fonts/drawings/{slug}.tsv"));
    }
    write(&Path::new(&out).join("font_files.rs"), &fonts)?;
    write(&Path::new(&out).join("stroke_files.rs"), &strokes)?;
    write(&Path::new(&out).join("drawing_files.rs"), &drawings)?;

    let mut parts = Vec::new();
    add_parts(&mut parts, &Path::new(&root).join(PAGE), "")?;
    parts.sort();
    write(&Path::new(&out).join("page_files.rs"), &parts)
}

/// Adds the rows of the scripts and style sheets in a folder of the page and in those inside it; `place` is its path.
fn add_parts(parts: &mut Vec<String>, folder: &Path, place: &str) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{place}{}", entry.file_name().display());
        if entry.file_type()?.is_dir() {
            add_parts(parts, &entry.path(), &format!("{path}/"))?;
        } else if matches!(Path::new(&path).extension().and_then(OsStr::to_str), Some("js" | "css")) {
            let file = format!("/{PAGE}/{path}");
            parts.push(format!("    ({path:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {file:?}))),"));
        }
    }
    Ok(())
}

/// The row of a file. The compiler finds the file, not this program: a checkout may be moved with what was built in it.
fn entry(slug: &str, file: &str) -> String {
    let path = format!("/{file}");
    format!("    ({slug:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?})).as_slice()),")
}

fn write(path: &Path, entries: &[String]) -> io::Result<()> {
    fs::write(path, format!("&[\n{}\n]\n", entries.join("\n")))
}
