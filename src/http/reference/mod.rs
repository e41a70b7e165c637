//! `GET /docs`: the API reference, one HTML page made from the `OpenAPI` document on first use.
//!
//! Input: [`openapi::document`](super::openapi::document). Output: a page without scripts, external fonts or other
//! requests. Parts: `html` (escaping and inline code), `operations` (paths with their answers), `schemas` (tables of
//! members), `style.css`. The module knows `OpenAPI`, but nothing of the service: the page shows only what the document
//! says.

mod html;
mod operations;
mod schemas;

use std::sync::LazyLock;

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use axum::response::{Html, IntoResponse};
use serde_json::Value;

use html::{escaped, paragraphs, text_of};

static PAGE: LazyLock<String> = LazyLock::new(|| page(super::openapi::document()));

/// Answers `GET /docs`.
pub(super) async fn answer() -> impl IntoResponse {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
    ([(CONTENT_SECURITY_POLICY, policy), (CACHE_CONTROL, "no-cache")], Html(PAGE.as_str()))
}

fn page(document: &Value) -> String {
    let info = &document["info"];
    let title = escaped(text_of(&info["title"]));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} API reference</title>\n\
         <style>\n{style}</style>\n</head>\n<body>\n\
         <nav aria-label=\"Contents\">\n{contents}</nav>\n<main>\n\
         <h1>{title} API reference</h1>\n<p class=\"version\">Version {version} · <a href=\"/openapi.json\">openapi.json\
         </a></p>\n{description}\n<h2 id=\"authentication\">Authentication</h2>\n{authentication}\n\
         {operations}\n<h2 id=\"schemas\">Schemas</h2>\n{schemas}</main>\n</body>\n</html>\n",
        style = include_str!("style.css"),
        contents = contents(document),
        version = escaped(text_of(&info["version"])),
        description = paragraphs(text_of(&info["description"])),
        authentication = paragraphs(text_of(&document["components"]["securitySchemes"]["bearer"]["description"])),
        operations = operations::all(document),
        schemas = schemas::all(document),
    )
}

fn contents(document: &Value) -> String {
    let operations = operations::of(document).into_iter().map(|(path, method, operation)| {
        let (id, method) = (escaped(text_of(&operation["operationId"])), escaped(&method.to_uppercase()));
        format!("<a href=\"#{id}\"><code>{method} {}</code></a>\n", escaped(path))
    });
    let schemas = schemas::names(document)
        .map(|name| format!("<a class=\"schema\" href=\"#schema-{0}\">{0}</a>\n", escaped(name)));
    format!(
        "<a href=\"#authentication\">Authentication</a>\n{}<a href=\"#schemas\">Schemas</a>\n{}\
         <a href=\"#headers\">Headers</a>\n",
        operations.collect::<Vec<_>>().concat(),
        schemas.collect::<Vec<_>>().concat(),
    )
}
