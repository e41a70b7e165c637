//! Writes the table of embedded fonts: one `(slug, bytes)` a row of `fonts/catalog.tsv`, in the order of the rows.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=fonts/catalog.tsv");
    println!("cargo::rerun-if-changed=fonts/ttf");

    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let table = fs::read_to_string(Path::new(&root).join("fonts/catalog.tsv"))?;

    let mut entries = Vec::new();
    for row in table.lines().skip(1) {
        let slug = row.split('\t').nth(1).unwrap_or_default();
        let file = Path::new(&root).join("fonts/ttf").join(format!("{slug}.ttf"));
        if !file.is_file() {
            return Err(io::Error::other(format!(
                "fonts/catalog.tsv names the font \"{slug}\", but {} is missing",
                file.display()
            )));
        }
        // Found by the compiler, not here: a checkout may be moved with what was built in it.
        let path = format!("/fonts/ttf/{slug}.ttf");
        entries.push(format!(
            "    ({slug:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?})).as_slice()),"
        ));
    }
    fs::write(Path::new(&out).join("font_files.rs"), format!("&[\n{}\n]\n", entries.join("\n")))
}
