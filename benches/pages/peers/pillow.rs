//! Pillow, and `SciPy` to bend what it drew, driven by `pillow_peer.py`.

use longhand::catalogue::FontCatalogue;
use longhand::layout::PageLayout;
use longhand::spec::RenderSpec;
use serde_json::{Value, json};

use super::font_file;
use super::process::PeerProcess;
use crate::measure::Turn;

/// How it draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As scripts do: RGBA from the start, double precision, the file as Pillow saves it.
    Usual,
    /// As fast as it gets for one ink: coverage, single precision, the fastest level of the file.
    Fastest,
}

/// The running `pillow_peer.py`.
pub(crate) struct Pillow {
    process: PeerProcess,
}

impl Pillow {
    /// Starts it.
    ///
    /// # Errors
    /// There is no Python for it.
    pub(crate) fn start() -> Result<Self, String> {
        Ok(Self { process: PeerProcess::start_python("pillow_peer.py")? })
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
        self.process.answer()
    }

    fn order(&mut self, order: &Value) {
        self.process.order(format!("{order}\n").as_bytes());
    }
}

/// Each word as its text, where its first letter stands on the baseline, the size of its em (all in device px), and the
/// file of its font.
fn words(layout: &PageLayout, scale: f64, catalogue: &FontCatalogue) -> Vec<Value> {
    let mut words = Vec::new();
    for line in &layout.lines {
        let texts: Vec<&str> = line.runs.iter().flat_map(|run| run.text.split_whitespace()).collect();
        let placed = &layout.words[line.words.clone()];
        assert_eq!(texts.len(), placed.len(), "the words of {texts:?} are not those placed");
        for (text, word) in texts.iter().zip(placed) {
            let first = word.glyphs.first().expect("a word has letters");
            let (x, y) = (first.origin.x.get() * scale, first.origin.y.get() * scale);
            let file = font_file(catalogue, first.font);
            words.push(json!([text, x, y, first.em.get() * scale, file]));
        }
    }
    words
}
