//! `GET /`: the try-it page. It needs no build step and no other server.
//!
//! Input: nothing. Output: HTML, CSS and JavaScript modules, embedded in the binary. The page makes its form from
//! `/openapi.json`, so every field has the ranges that validate. It calls this service with the key that the user
//! enters, which stays in the tab. Parts: `index.html`, `page.css`; `page.js` (events), `messages.js` (errors and
//! warnings), `request.js` (form and request), `service.js` (calls), `hands.js` (choice of a font by specimen),
//! `code.js` (code to copy). It has no inline code, so its content policy allows only what this service serves.

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};

use super::error::ApiError;
use super::static_files::{self, StaticFile, find};
use crate::spec::PageSize;

static PAGE: StaticFile = StaticFile::html(include_str!("index.html"));

/// The parts of the page.
static FILES: [StaticFile; 7] = [
    StaticFile::css("page.css", include_str!("page.css")),
    StaticFile::javascript("page.js", include_str!("page.js")),
    StaticFile::javascript("messages.js", include_str!("messages.js")),
    StaticFile::javascript("request.js", include_str!("request.js")),
    StaticFile::javascript("service.js", include_str!("service.js")),
    StaticFile::javascript("hands.js", include_str!("hands.js")),
    StaticFile::javascript("code.js", include_str!("code.js")),
];

/// The papers that the form offers.
static PAPERS: LazyLock<StaticFile> = LazyLock::new(|| {
    StaticFile::new("papers.json", "application/json; charset=utf-8", Cow::Owned(papers().to_string()))
});

/// Answers `GET /`.
pub(super) async fn page(request: HeaderMap) -> Response {
    static_files::page(&PAGE, &request)
}

/// Answers `GET /page/{name}`.
pub(super) async fn part(name: Result<Path<String>, PathRejection>, request: HeaderMap) -> Result<Response, ApiError> {
    let Path(name) = name.map_err(|_| ApiError::NO_SUCH_PATH)?;
    if name == "papers.json" {
        return Ok(PAPERS.answer(&request));
    }
    find(&FILES, &name, &request)
}

/// Every paper with its upright size in millimetres; aliases are left out.
fn papers() -> Value {
    let own_names = PageSize::names().filter_map(|name| Some((name, PageSize::from_name(name)?)));
    let papers = own_names.filter(|(name, size)| size.name() == *name).map(|(name, size)| {
        let (mm, shown) = (size.portrait_mm(), name.replace('_', " "));
        let label = format!("{shown}, {:.0} × {:.0} mm", mm.width.get(), mm.height.get());
        json!({"name": name, "label": label, "width_mm": mm.width.get(), "height_mm": mm.height.get()})
    });
    papers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_paper_is_offered_once() {
        let papers = papers();
        assert_eq!(papers.as_array().unwrap().len(), 26);
        assert_eq!(papers[0]["label"], "a3, 297 × 420 mm");
    }
}
