//! The requests, by name and path.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::requests;

const GENERATE: &str = "/api/v1/generate";

/// A request with a name.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// The name in the tables.
    pub(crate) name: &'static str,
    /// The path.
    pub(crate) path: Cow<'static, str>,
    /// JSON; none for a request without a body.
    pub(crate) body: String,
}

/// Every scene.
pub(crate) fn all() -> Vec<Scene> {
    let dense = requests::dense();
    vec![
        scene("dense", GENERATE, &dense),
        scene("sparse", GENERATE, &requests::sparse()),
        scene("effects", GENERATE, &requests::effects()),
        scene("varied", GENERATE, &requests::varied()),
        scene("every effect", GENERATE, &requests::every_effect()),
        scene("preview", "/api/v1/preview", &dense),
        scene("envelope", GENERATE, &requests::envelope()),
        scene("A3-600-10k", GENERATE, &requests::largest()),
        scene("PDF", GENERATE, &requests::as_pdf(&dense)),
        scene("PDF-X", GENERATE, &requests::as_pdfx(&dense)),
    ]
}

/// The scene of this name.
pub(crate) fn named(name: &str) -> Scene {
    all().into_iter().find(|scene| scene.name == name).expect("there is such a scene")
}

impl Scene {
    /// Its bytes, with a key.
    pub(crate) fn request(&self, key: &str) -> Vec<u8> {
        let (method, length) = (if self.body.is_empty() { "GET" } else { "POST" }, self.body.len());
        let head = format!(
            "{method} {} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n",
            self.path
        );
        [head.as_bytes(), self.body.as_bytes()].concat()
    }

    /// A page without ink.
    pub(crate) fn blank(page_size: &str, dpi: u32) -> Self {
        let request = json!({"text": " ", "font_size": 60, "page_size": page_size, "dpi": dpi});
        scene("blank", GENERATE, &request)
    }
}

fn scene(name: &'static str, path: &'static str, request: &Value) -> Scene {
    Scene { name, path: path.into(), body: request.to_string() }
}
