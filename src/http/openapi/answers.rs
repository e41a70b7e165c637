//! Successful responses. The code of the handlers also writes the examples.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::schema::Schemas;
use crate::access::{RateLimits, Usage};
use crate::catalogue::FontCatalogue;
use crate::encode::PageBoxes;
use crate::geometry::{Point, Rect};
use crate::http::FontList;
use crate::http::handlers::jobs::read::{EventList, JobList};
use crate::http::handlers::links::Link;
use crate::http::handlers::status::{Gpu, OneOfSeveral, Report};
use crate::http::handlers::usage;
use crate::http::middleware::request_id::{RequestId, X_REQUEST_ID};
use crate::http::responses::mail_piece_list::MailPieceList;
use crate::http::responses::page_response::{PageMembers, PageResponse, PreviewMembers, WirePlace, WireRules};
use crate::http::responses::preflight_report::PreflightReport;
use crate::http::service::Condition;
use crate::jobs::{Event, JobSummary, RowSummary};
use crate::pipeline::{
    FileFacts, PREVIEW_WIDTH, PlacedBlock, Preflight, PreviewMark, RenderedFile, Warning, WarningKind, WordPlace,
};
use crate::preflight::{Finding, Measure, PageFacts, Severity, verdict};
use crate::spec::{DrawnRules, PrintingCondition, Representation, Rgb};
use crate::units::{Mm, Pt, Px};

/// The UUID of every example.
pub(super) const REQUEST_ID: &str = "3f2b8a54-6c1d-4e7f-9a0b-5d8c7e6f1a2b";

/// Adds the schemas of successful answers.
pub(super) fn describe(schemas: &mut Schemas) {
    let page = picture::<PageMembers>("PNG of the page: RGBA, transparent paper.", schemas);
    schemas.insert("Page", page);
    let preview = picture::<PreviewMembers>(
        "PNG of the preview: transparent paper, watermarked if the operator leaves it on. Ink that white paper would hide is on opaque dark paper.",
        schemas,
    );
    schemas.insert("Preview", preview);
    schemas.add::<PreflightReport<'_>>();
    schemas.add::<FontList<'_>>();
    schemas.add::<MailPieceList>();
    schemas.add::<usage::Report>();
    schemas.add::<Link>();
    schemas.add::<Report>();
    schemas.add::<JobList>();
    schemas.add::<RowSummary>();
    schemas.add::<EventList>();
}

/// An answer with a picture and the members `M`.
fn picture<M: JsonSchema>(description: &str, schemas: &mut Schemas) -> Value {
    let mut answer = schemas.of::<PageResponse<'_, M>>();
    answer["description"] = schemas.of::<M>()["description"].clone();
    let members = &mut answer["properties"];
    members["image_base64"]["description"] = description.into();
    for (member, field) in [("calculated_font_size", "font_size"), ("seed", "seed")] {
        let (min, max) = super::request::bounds_of(field);
        members[member]["minimum"] = min.into();
        members[member]["maximum"] = max.into();
    }
    if let Some(required) = answer["required"].as_array_mut() {
        required.retain(|name| name != "calculated_font_size");
    }
    answer
}

/// A page, as `/api/v1/generate` answers it.
pub(in crate::http) fn page_example() -> Value {
    picture_example(PageMembers { characters_processed: 37 })
}

/// A preview of the same page.
pub(in crate::http) fn preview_example() -> Value {
    let ink = Rect { min: Point::new(Px::new(150.2), Px::new(130.0)), max: Point::new(Px::new(360.7), Px::new(218.1)) };
    let heights = vec![Px::new(276.6), Px::new(360.9)];
    let rules = DrawnRules {
        heights,
        left: Px::new(150.0),
        right: Px::new(1350.0),
        thickness: Px::new(2.0),
        color: Rgb::default(),
    };
    let dear = WordPlace { block: None, source: 0..4, ink };
    picture_example(PreviewMembers {
        preview_width: PREVIEW_WIDTH,
        preview_height: 1680,
        page: 1,
        pages: 1,
        places: vec![WirePlace::from(&dear)],
        hidden_rules: Some(WireRules::from(&rules)),
    })
}

fn picture_example(own: impl Serialize) -> Value {
    let rendered_file = RenderedFile {
        // The signature of a PNG file stands for the whole.
        bytes: b"\x89PNG\r\n\x1a\n".to_vec(),
        width: 1500,
        height: 2100,
        pages: 1,
        calculated_font_size: Some(154),
        seed: 7,
        representation: Representation::Image,
        blocks: vec![PlacedBlock { calculated_font_size: Some(110), ink: None }],
        warnings: vec![Warning::new(
            WarningKind::FontSubstituted,
            "font_id",
            "font 8 (Homemade Apple) lacks ř (U+0159); whole words that contain it are written in font 43 \
             (Cedarville Cursive)",
        )],
    };
    let headers = HeaderMap::from_iter([(HeaderName::from_static(X_REQUEST_ID), HeaderValue::from_static(REQUEST_ID))]);
    let id = RequestId::of(&headers);
    let response = PageResponse::of(&rendered_file, &id, own, Duration::from_micros(42_125));
    serde_json::from_slice(&response.json(&rendered_file.bytes)).unwrap_or_default()
}

/// The report about a postcard whose text is too near to an edge.
pub(in crate::http) fn preflight_example() -> Value {
    let trim = Rect { min: Point::default(), max: Point::new(Pt::new(432.0), Pt::new(288.0)) };
    let bleed = Rect { min: Point::new(Pt::new(-9.0), Pt::new(-9.0)), max: Point::new(Pt::new(441.0), Pt::new(297.0)) };
    let mm = |x, y| Point::new(Mm::new(x), Mm::new(y));
    let ink = Rect { min: mm(1.69, 8.2), max: mm(61.0, 92.3) };
    let findings = vec![Finding {
        severity: Severity::Warning,
        check: "safe_area",
        field: "margin_left".to_owned(),
        message: "ink is 1.69 mm from the left edge; 'lob' keeps 3.17 mm clear".to_owned(),
        remedy: "use a margin_left of 38 px or more".to_owned(),
        page: Some(1),
        measure: Some(Measure { actual: 1.69, required: 3.175, unit: "mm" }),
        area: Some(ink),
    }];
    let page = PageFacts { thinnest_stroke_pt: Some(0.74), x_height_mm: Some(2.31), ink: Some(ink) };
    let preflight = Preflight {
        verdict: verdict(&findings),
        checked_against: Some("lob"),
        findings,
        seed: 7,
        file: Some(FileFacts {
            calculated_font_size: None,
            bytes: 571_204,
            bytes_are_exact: true,
            representation: Representation::Outlines,
            dpi: None,
            color_space: "DeviceGray",
            condition: Some(PrintingCondition::Gracol2013),
            boxes: Some(PageBoxes { media: bleed, bleed, trim, crop: bleed }),
            pages: vec![page],
        }),
    };
    // Plain numbers and strings always serialise.
    serde_json::to_value(PreflightReport::of(&preflight)).unwrap_or_default()
}

/// The list of fonts, cut after the first.
pub(in crate::http) fn fonts_example() -> Value {
    let catalogue = FontCatalogue::load().ok();
    let list = catalogue.as_ref().map(FontList::of);
    cut(serde_json::to_value(list).unwrap_or_default(), "fonts", |_| true)
}

/// The list of mail pieces, cut after the first with a reserved zone.
pub(in crate::http) fn mail_pieces_example() -> Value {
    let list = serde_json::to_value(MailPieceList::all()).unwrap_or_default();
    cut(list, "mail_pieces", |piece| piece["zones"][0].is_object())
}

/// The list with the first of the `wanted` entries of `member` alone.
fn cut(mut list: Value, member: &str, wanted: fn(&Value) -> bool) -> Value {
    if let Some(entries) = list[member].as_array_mut() {
        entries.retain(wanted);
        entries.truncate(1);
    }
    list
}

/// The usage of a key with a quota.
pub(in crate::http) fn usage_example() -> Value {
    let used = Usage { used: 17, reset_at: "2026-12-01T00:00:00Z".to_owned() };
    // Plain numbers and strings always serialise.
    serde_json::to_value(usage::Report::of(
        Some(1000),
        used,
        RateLimits::of_contract(),
        PreviewMark::Watermark,
        [false; 3],
    ))
    .unwrap_or_default()
}

/// A link.
pub(in crate::http) fn link_example() -> Value {
    let link = Link::of("link_AWq7gYAkMDE5ZGI3…".to_owned(), 1_798_761_600);
    serde_json::to_value(link).unwrap_or_default()
}

/// A job that is being made.
pub(in crate::http) fn job_example() -> Value {
    // Plain numbers and strings always serialise.
    serde_json::to_value(JobSummary::example()).unwrap_or_default()
}

/// The jobs of a key.
pub(in crate::http) fn jobs_example() -> Value {
    serde_json::to_value(JobList { jobs: vec![JobSummary::example()] }).unwrap_or_default()
}

/// The events of a job.
pub(in crate::http) fn events_example() -> Value {
    let delivered = Event {
        id: "msg_1f0a3c5e7b9d4f6082a4c6e8f0b2d4f6".to_owned(),
        r#type: "job.completed".to_owned(),
        created_at: "2026-11-27T09:30:05Z".to_owned(),
        attempts: 1,
        next_attempt_at: None,
        delivered_at: Some("2026-11-27T09:30:05Z".to_owned()),
        problem: None,
    };
    serde_json::to_value(EventList { events: vec![delivered] }).unwrap_or_default()
}

/// The state of a healthy service.
pub(in crate::http) fn status_example() -> Value {
    let gpu = || Gpu { name: "NVIDIA H100".to_owned(), backend: "vulkan", r#type: "discrete-gpu" };
    let report = Report {
        status: Condition::Ok,
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: 86_400,
        gpu: gpu(),
        gpus: [(); 2].map(|()| OneOfSeveral { gpu: gpu(), status: "ok" }).into(),
        queue_depth: 0,
    };
    // Plain numbers and strings always serialise.
    serde_json::to_value(report).unwrap_or_default()
}
