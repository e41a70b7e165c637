//! The fixed scenes, each as every kind of file.

use longhand::spec::{Endpoint, RenderSpec, parse_value};
use serde_json::{Value, json};

use crate::requests;

/// A page with a name.
pub(crate) struct Scene {
    /// What it is called in the tables.
    pub(crate) name: &'static str,
    /// What is to be rendered, as PNG.
    pub(crate) spec: RenderSpec,
    /// The same as our other files, by name, if they are timed.
    pub(crate) files: Vec<(&'static str, RenderSpec)>,
    /// What is timed beside our PNG.
    pub(crate) beside: Beside,
}

/// What is timed beside our PNG of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    Nothing,
    /// Our other files of it.
    Files,
    /// Our other files, and the programs that draw it, too.
    Renderers,
    /// Our indexed PNG, and the programs that fill outlines.
    OutlineRenderers,
    /// The programs that bend what they drew.
    Benders,
}

/// The page with every word rotated by itself, so that no cache of glyphs helps.
pub(crate) const ROTATED: &str = "dense A4, words rotated";
/// Our indexed PNG.
pub(crate) const INDEXED: &str = "longhand, indexed";
/// Our RGB PDF.
pub(crate) const PDF: &str = "longhand, PDF";
/// Our PDF/X-1a.
pub(crate) const PDFX: &str = "longhand, PDF/X-1a";
/// Our PDF of outlines.
pub(crate) const OUTLINES: &str = "longhand, PDF of outlines";
/// Our SVG.
pub(crate) const SVG: &str = "longhand, SVG";

/// A page full of writing.
pub(crate) const DENSE: &str = "dense A4";
/// The same with all four effects.
pub(crate) const EFFECTS: &str = "effects A4";
/// The same with natural variation alone.
pub(crate) const ELASTIC: &str = "elastic A4";
/// The same with the strongest and grainiest variation: every pixel from anywhere within 100 px.
pub(crate) const GRAINIEST: &str = "grainiest A4";
pub(crate) const SPARSE: &str = "sparse A4";
pub(crate) const ENVELOPE: &str = "envelope";
/// Writer variation alone, which may cost 1.3 times the dense page, and beside the other four effects, 1.5 times.
pub(crate) const VARIED: &str = "dense A4, writer variation";
/// A pen's ink and writer variation, which may cost 1.6 times the dense page.
pub(crate) const PENNED: &str = "dense A4, pen and writer variation";
pub(crate) const EVERY_EFFECT: &str = "dense A4, all five effects";
/// 10,000 characters on the largest page.
pub(crate) const LARGEST: &str = "A3 at 600 DPI";
/// The smallest and the largest page without ink.
pub(crate) const BLANK: [&str; 2] = ["blank A6", "blank A3 at 600 DPI"];

/// Every scene, the most telling first.
pub(crate) fn all() -> Vec<Scene> {
    let grainiest = json!({
        "enable_natural_variation": true, "natural_variation_alpha": 100, "natural_variation_sigma": 0,
    });
    vec![
        scene(DENSE, &requests::dense(), Beside::Renderers),
        scene(EFFECTS, &requests::effects(), Beside::Files),
        scene(
            ROTATED,
            &requests::with(&requests::dense(), &json!({"enable_word_rotation": true})),
            Beside::OutlineRenderers,
        ),
        scene(VARIED, &requests::varied(), Beside::OutlineRenderers),
        scene(PENNED, &requests::with(&requests::varied(), &json!({"pen": "ballpoint"})), Beside::Nothing),
        scene(EVERY_EFFECT, &requests::every_effect(), Beside::Files),
        scene(
            ELASTIC,
            &requests::with(&requests::dense(), &json!({"enable_natural_variation": true})),
            Beside::Benders,
        ),
        scene(GRAINIEST, &requests::with(&requests::dense(), &grainiest), Beside::Nothing),
        scene(SPARSE, &requests::sparse(), Beside::Renderers),
        scene(ENVELOPE, &requests::envelope(), Beside::Renderers),
        scene(LARGEST, &requests::largest(), Beside::Renderers),
        scene(BLANK[0], &json!({"text": " ", "page_size": "a6"}), Beside::Nothing),
        scene(BLANK[1], &json!({"text": " ", "page_size": "a3", "dpi": 600}), Beside::Nothing),
    ]
}

/// Texts whose size is to be found: nothing but their layout is timed.
pub(crate) fn to_be_sized() -> Vec<Scene> {
    let auto = |name, font: u8, turned: bool| {
        scene(
            name,
            &json!({"text": requests::prose(10_000), "font_id": font, "enable_word_rotation": turned}),
            Beside::Nothing,
        )
    };
    vec![
        auto("automatic size, font 1", 1, false),
        auto("automatic size, font 2", 2, false),
        auto("automatic size, font 12", 12, false),
        auto("automatic size, font 1, turned", 1, true),
    ]
}

fn scene(name: &'static str, request: &Value, beside: Beside) -> Scene {
    let spec_of =
        |request: &Value| parse_value(request, Endpoint::Generate, || 1).expect("the scene is a valid request");
    let with = |more: &Value| requests::with(request, more);
    let indexed = (INDEXED, spec_of(&with(&json!({"png_format": "indexed"}))));
    let files = match beside {
        Beside::OutlineRenderers => vec![indexed],
        Beside::Files | Beside::Renderers => vec![
            indexed,
            (PDF, spec_of(&requests::as_pdf(request))),
            (PDFX, spec_of(&requests::as_pdfx(request))),
            (OUTLINES, spec_of(&with(&json!({"output_format": "pdf", "pdf": {"writing": "outlines"}})))),
            (SVG, spec_of(&with(&json!({"output_format": "svg"})))),
        ],
        Beside::Nothing | Beside::Benders => Vec::new(),
    };
    Scene { name, spec: spec_of(request), files, beside }
}
