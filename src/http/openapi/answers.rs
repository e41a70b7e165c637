//! Successful answers. The code that answers also writes the examples.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use super::schema::{Parts, count, list, object, one_of, or_null, reference, typed};
use crate::catalogue::{FontCatalogue, FontFace};
use crate::http::page_response::{Kind, PageResponse};
use crate::http::request_id::{RequestId, X_REQUEST_ID};
use crate::http::service::Condition;
use crate::http::status::{Gpu, OneOfSeveral, Report};
use crate::pipeline::{Artifact, PREVIEW_WIDTH, Warning, WarningKind};

/// The UUID of every example.
pub(super) const REQUEST_ID: &str = "3f2b8a54-6c1d-4e7f-9a0b-5d8c7e6f1a2b";

/// The schemas of successful answers.
pub(super) fn schemas() -> Parts {
    let named = [
        ("Page", page()),
        ("Preview", preview()),
        ("Warning", warning()),
        ("FontList", font_list()),
        ("Font", font()),
        ("Status", status()),
        ("Gpu", gpu()),
        ("OneOfSeveralGpus", one_of_several_gpus()),
    ];
    named.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn page() -> Value {
    let mut members = picture("PNG of the page: RGBA, transparent paper.");
    members.push(("characters_processed", count("Unicode scalar values of `text` as received.")));
    object("A page as PNG.", members, &["calculated_font_size"])
}

fn preview() -> Value {
    let mut members = picture("PNG of the preview: RGBA, transparent paper, watermarked.");
    members.push((
        "preview_width",
        json!({
            "type": "integer",
            "const": PREVIEW_WIDTH,
            "description": "Width of the picture in pixels.",
        }),
    ));
    members.push(("preview_height", size("Height of the picture in pixels; the page's proportions are kept.")));
    object("A preview. Its seed gives the same page from `/api/v1/generate`.", members, &["calculated_font_size"])
}

/// What a page and a preview have in common.
fn picture(description: &str) -> Vec<(&'static str, Value)> {
    let (font_size, seed) = (super::request::bounds_of("font_size"), super::request::bounds_of("seed"));
    let image = json!({
        "type": "string",
        "contentEncoding": "base64",
        "contentMediaType": "image/png",
        "description": description,
    });
    vec![
        ("request_id", json!({"type": "string", "format": "uuid", "description": "Names the request."})),
        ("image_base64", image),
        ("width", size("Width of the full page in pixels at the asked DPI.")),
        ("height", size("Height of the full page in pixels at the asked DPI.")),
        (
            "calculated_font_size",
            or_null(ranged(font_size, "Font size that `auto` chose, pixels at 300 DPI; null for a manual size.")),
        ),
        (
            "processing_time_ms",
            json!({"type": "number", "minimum": 0, "description": "Processing time in milliseconds."}),
        ),
        ("seed", ranged(seed, "The seed the page was made from; sent back with the request, it gives the same page.")),
        ("warnings", list(&reference("Warning"), "Whatever was substituted, left out, cut or without effect.")),
    ]
}

fn size(description: &str) -> Value {
    json!({"type": "integer", "minimum": 1, "description": description})
}

fn ranged((min, max): (i64, i64), description: &str) -> Value {
    json!({"type": "integer", "minimum": min, "maximum": max, "description": description})
}

fn warning() -> Value {
    let kind = "What happened, for programs, such as `font_substituted`; there may be new ones.";
    let members = vec![("type", typed("string", kind)), ("message", typed("string", "What happened, for people."))];
    object("Something the caller should know about the page.", members, &[])
}

fn font_list() -> Value {
    let members = vec![
        ("fonts", list(&reference("Font"), "The fonts, in the order of their ids.")),
        ("total", count("How many there are.")),
    ];
    object("All fonts.", members, &[])
}

fn font() -> Value {
    let id = super::request::bounds_of("font_id");
    let styles = ["print", "cursive", "mixed", "notes", "school", "marker", "child", "architect", "elegant", "caps"];
    let members = vec![
        ("id", ranged(id, "The `font_id` of a request.")),
        ("name", typed("string", "Family name.")),
        ("style", one_of(&styles, "Kind of hand.")),
        ("slant", one_of(&["upright", "slight", "slanted", "steep"], "How far it leans.")),
        ("neatness", ranged((1, 5), "1 (hasty) to 5 (tidy).")),
        ("scripts", list(&json!({"type": "string"}), "Character sets and scripts that it writes in full.")),
        ("kerning", typed("boolean", "Whether `kerning` makes a difference.")),
        ("alternates", typed("boolean", "Whether letters vary with their neighbours.")),
        ("license", typed("string", "SPDX identifier of its licence.")),
    ];
    object("A handwriting font.", members, &[])
}

fn status() -> Value {
    let conditions = Condition::ALL.map(Condition::name);
    let condition = "`ok`; `degraded`: the last page failed for want of the device; `draining`: shutting down.";
    let members = vec![
        ("status", one_of(&conditions, condition)),
        ("version", typed("string", "Version of the program.")),
        ("uptime_seconds", count("Seconds since the service started.")),
        ("gpu", reference("Gpu")),
        ("gpus", list(&reference("OneOfSeveralGpus"), "All devices that render, where there are several.")),
        ("queue_depth", count("Pages waiting or under way.")),
    ];
    object("How the service is.", members, &["gpus"])
}

fn gpu() -> Value {
    object("The device that renders; the first of several.", gpu_members(), &[])
}

fn one_of_several_gpus() -> Value {
    let mut members = gpu_members();
    members.push(("status", one_of(&["ok", "degraded"], "`degraded` where it failed too often.")));
    object("One of several devices that render.", members, &[])
}

fn gpu_members() -> Vec<(&'static str, Value)> {
    vec![
        ("name", typed("string", "Name of the adapter.")),
        ("backend", typed("string", "Graphics interface it is driven through.")),
        ("type", typed("string", "Kind of adapter.")),
    ]
}

/// A page, as `/api/v1/generate` answers it.
pub(super) fn page_example() -> Value {
    picture_example(Kind::Page { characters_processed: 37 })
}

/// A preview of the same page.
pub(super) fn preview_example() -> Value {
    picture_example(Kind::Preview { preview_width: PREVIEW_WIDTH, preview_height: 1680 })
}

fn picture_example(kind: Kind) -> Value {
    let artifact = Artifact {
        // The signature of a PNG file stands for the whole.
        bytes: b"\x89PNG\r\n\x1a\n".to_vec(),
        width: 1500,
        height: 2100,
        calculated_font_size: Some(154),
        seed: 7,
        warnings: vec![Warning {
            kind: WarningKind::FontSubstituted,
            message: "1 character was drawn from another font".to_owned(),
        }],
    };
    let mut headers = HeaderMap::new();
    headers.insert(X_REQUEST_ID, HeaderValue::from_static(REQUEST_ID));
    PageResponse::of(&artifact, &RequestId::of(&headers), kind, || Duration::from_micros(42_125)).json()
}

/// The list of fonts, cut after the first.
pub(super) fn fonts_example() -> Value {
    let catalogue = FontCatalogue::load().ok();
    let fonts: Vec<Value> = catalogue
        .iter()
        .flat_map(FontCatalogue::faces)
        .take(1)
        .filter_map(|face| serde_json::to_value(FontFace::record(face)).ok())
        .collect();
    json!({"fonts": fonts, "total": crate::catalogue::FONT_COUNT})
}

/// The state of a healthy service.
pub(super) fn status_example() -> Value {
    let gpu = || Gpu { name: "NVIDIA H100".to_owned(), backend: "vulkan", r#type: "discrete-gpu" };
    let report = Report {
        status: Condition::Ok.name(),
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: 86_400,
        gpu: gpu(),
        gpus: [(); 2].map(|()| OneOfSeveral { gpu: gpu(), status: "ok" }).into(),
        queue_depth: 0,
    };
    // Plain numbers and strings always serialise.
    serde_json::to_value(report).unwrap_or_default()
}
