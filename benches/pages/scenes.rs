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
    /// The same as PDF.
    pub(crate) pdf: RenderSpec,
    /// The same as PDF/X-1a.
    pub(crate) pdfx: RenderSpec,
}

/// Every scene, the most telling first.
pub(crate) fn all() -> Vec<Scene> {
    vec![
        scene("dense A4", &requests::dense()),
        scene("effects A4", &requests::effects()),
        scene("sparse A4", &requests::sparse()),
        scene("envelope", &requests::envelope()),
        scene("A3 at 600 DPI", &requests::largest()),
    ]
}

/// Texts whose size is to be found: nothing but their layout is timed.
pub(crate) fn to_be_sized() -> Vec<Scene> {
    let auto = |name, font: u8, turned: bool| {
        scene(name, &json!({"text": requests::prose(10_000), "font_id": font, "enable_word_rotation": turned}))
    };
    vec![
        auto("automatic size, font 1", 1, false),
        auto("automatic size, font 2", 2, false),
        auto("automatic size, font 12", 12, false),
        auto("automatic size, font 1, turned", 1, true),
    ]
}

fn scene(name: &'static str, request: &Value) -> Scene {
    let spec_of =
        |request: &Value| parse_value(request, Endpoint::Generate, || 1).expect("the scene is a valid request");
    let (pdf, pdfx) = (requests::as_pdf(request), requests::as_pdfx(request));
    Scene { name, spec: spec_of(request), pdf: spec_of(&pdf), pdfx: spec_of(&pdfx) }
}
