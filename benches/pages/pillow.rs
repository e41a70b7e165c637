//! Pillow, and `SciPy` to bend what it drew: a process of its own that is told pages and draws them when asked.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use longhand::catalogue::FontCatalogue;
use longhand::layout::PageLayout;
use longhand::pipeline::StageTimes;
use longhand::spec::RenderSpec;
use serde_json::{Value, json};

use super::measure::Turn;

/// How it draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As scripts do: RGBA from the start, double precision, the file as Pillow saves it.
    Usual,
    /// As fast as it gets for one ink: coverage, single precision, the fastest level of the file.
    Fastest,
}

/// The running `pillow_peer.py`. Dropped, it ends.
pub(crate) struct Pillow {
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Pillow {
    /// Starts it with the Python that the tests measure with.
    pub(crate) fn start() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let python =
            std::env::var_os("LONGHAND_ORACLE_PYTHON").map_or_else(|| root.join(".venv/bin/python"), PathBuf::from);
        let mut process = Command::new(&python)
            .arg(root.join("benches/pages/pillow_peer.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start ({error}); `make bench` prepares it", python.display()));
        let (orders, answers) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()));
        Self { process, orders, answers }
    }

    /// Tells it where the words of a page stand.
    pub(crate) fn learn(&mut self, name: &str, spec: &RenderSpec, layout: &PageLayout, catalogue: &FontCatalogue) {
        let scale = spec.dpi.scale();
        let [width, height] =
            [layout.size.width, layout.size.height].map(|length| length.to_device(scale).get().round() as u32);
        let words = words(layout, scale.get(), catalogue);
        let dpi = 300.0 * scale.get();
        let ink = spec.ink.0;
        self.order(&json!({"page": name, "width": width, "height": height, "dpi": dpi, "ink": ink, "words": words}));
    }

    /// Draws a page that it knows, and bends it with `SciPy` if asked to.
    pub(crate) fn draw(&mut self, name: &str, manner: Manner, is_bent: bool) -> Turn {
        let manner = match manner {
            Manner::Usual => "usual",
            Manner::Fastest => "fastest",
        };
        self.order(&json!({"draw": name, "manner": manner, "is_bent": is_bent}));
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).expect("what went wrong with Pillow stands above");
        let seconds = |name: &str| Duration::from_secs_f64(answer[name].as_f64().unwrap());
        let mut file = vec![0; answer["bytes"].as_u64().unwrap() as usize];
        self.answers.read_exact(&mut file).unwrap();
        Turn { wall: seconds("wall"), cpu: seconds("cpu"), file, stages: StageTimes::default() }
    }

    fn order(&mut self, order: &Value) {
        let orders = self.orders.as_mut().expect("open until the peer is dropped");
        writeln!(orders, "{order}").and_then(|()| orders.flush()).expect("what went wrong with Pillow stands above");
    }
}

impl Drop for Pillow {
    fn drop(&mut self) {
        // Nothing more to read ends it.
        drop(self.orders.take());
        let _ = self.process.wait();
    }
}

/// Each word as its text, where its first letter stands on the baseline, the size of its em (all in device px), and the
/// file of its font.
fn words(layout: &PageLayout, scale: f64, catalogue: &FontCatalogue) -> Vec<Value> {
    let fonts = Path::new(env!("CARGO_MANIFEST_DIR")).join("fonts/ttf");
    let mut words = Vec::new();
    for line in &layout.lines {
        let texts: Vec<&str> = line.runs.iter().flat_map(|run| run.text.split_whitespace()).collect();
        let placed = &layout.words[line.words.clone()];
        assert_eq!(texts.len(), placed.len(), "the words of {texts:?} are not those placed");
        for (text, word) in texts.iter().zip(placed) {
            let first = word.glyphs.first().expect("a word has letters");
            let (x, y) = (first.origin.x.get() * scale, first.origin.y.get() * scale);
            let file = fonts.join(format!("{}.ttf", catalogue.face(first.font).slug()));
            words.push(json!([text, x, y, first.em.get() * scale, file]));
        }
    }
    words
}
