//! FreeType and Blend2D, and the encoder of all fast peers: `native.cpp`, compiled for this processor.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::page::{PeerPage, letter_and_numbers};
use super::process::PeerProcess;
use crate::measure::Turn;

/// Names the folder of Blend2D with `include` and `lib`. No registry has it for C++, so without this it
/// takes no part.
const BLEND2D: &str = "BLEND2D";

/// What draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativeProgram {
    FreeType,
    Blend2D,
}

/// What pixels are in a PNG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    Rgba,
    Indexed,
}

impl FileKind {
    const fn word(self) -> &'static str {
        match self {
            Self::Rgba => "rgba",
            Self::Indexed => "indexed",
        }
    }
}

/// The running program.
pub(crate) struct Native {
    process: PeerProcess,
    /// Whether it has Blend2D.
    pub(crate) has_blend2d: bool,
}

impl Native {
    /// Compiles and starts it.
    ///
    /// # Errors
    /// It is not compiled: there is no compiler of C++, FreeType or ISA-L.
    pub(crate) fn start() -> Result<Self, String> {
        let blend2d = std::env::var_os(BLEND2D).map(PathBuf::from);
        let program = compiled(blend2d.as_deref())?;
        Ok(Self { process: PeerProcess::start(&mut Command::new(program))?, has_blend2d: blend2d.is_some() })
    }

    /// Tells it a page.
    pub(crate) fn learn(&mut self, name: &str, page: &PeerPage) {
        let [width, height] = page.size;
        let (shapes, places, repeats) = (page.shapes.len(), page.places.len(), u8::from(page.runs.is_some()));
        let mut order = format!("page {} {width} {height} {shapes} {places} {repeats}\n", word(name));
        for shape in &page.shapes {
            let _ = write!(order, "{}", shape.len());
            for (letter, numbers) in shape.iter().map(letter_and_numbers) {
                order.extend([' ', letter]);
                for number in numbers {
                    let _ = write!(order, " {number}");
                }
            }
            order.push('\n');
        }
        for (shape, map) in &page.places {
            let map = map.map(|entry| entry.to_string()).join(" ");
            let _ = writeln!(order, "{shape} {map}");
        }
        self.process.order(order.as_bytes());
    }

    /// Draws a page that it knows.
    pub(crate) fn draw(&mut self, name: &str, program: NativeProgram, threads: usize, kind: FileKind) -> Turn {
        let program = match program {
            NativeProgram::FreeType => "freetype",
            NativeProgram::Blend2D => "blend2d",
        };
        self.process.order(format!("draw {} {program} {threads} {}\n", word(name), kind.word()).as_bytes());
        self.process.answer()
    }

    /// Encodes what another has drawn: pixels of one or four bytes, alpha last.
    pub(crate) fn encode(&mut self, [width, height]: [u32; 2], pixels: &[u8], threads: usize, kind: FileKind) -> Turn {
        let bytes = pixels.len() / (width as usize * height as usize);
        self.process.order(format!("encode {width} {height} {bytes} {threads} {}\n", kind.word()).as_bytes());
        self.process.order(pixels);
        self.process.answer()
    }
}

/// The name of a page as one word.
fn word(name: &str) -> String {
    name.replace(' ', "-")
}

/// The program of `native.cpp`, with Blend2D if it is anywhere.
fn compiled(blend2d: Option<&Path>) -> Result<PathBuf, String> {
    let source = super::root().join("benches/pages/peers/native.cpp");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("native-peers");
    let mut compile = Command::new("c++");
    compile.args(["-O3", "-march=native", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-pthread", "-o"]);
    compile.args([&program, &source]).arg("-I/usr/include/freetype2");
    if let Some(folder) = blend2d {
        let library = folder.join("lib");
        compile.arg("-DWITH_BLEND2D").arg("-isystem").arg(folder.join("include")).arg("-L").arg(&library);
        compile.arg(format!("-Wl,-rpath,{}", library.display())).arg("-lblend2d");
    }
    let status = compile.args(["-lfreetype", "-lisal"]).status().map_err(|error| format!("c++: {error}"))?;
    if status.success() { Ok(program) } else { Err("native.cpp was not compiled".to_owned()) }
}
