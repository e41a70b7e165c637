//! The JSON of a generated page. Its writer copies the picture only once: from PNG to base64.

use std::time::Duration;

use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::Serialize;

use super::response_budget::ResponseBudget;
use crate::encode::append_base64;
use crate::http::errors::table::ApiError;
use crate::http::middleware::request_context::RequestContext;
use crate::http::middleware::request_id::RequestId;
use crate::pipeline::{PREVIEW_WIDTH, PlacedBlock, RenderedFile, Warning};

/// A finished body.
#[derive(Debug)]
pub(in crate::http) struct PageResponse(Vec<u8>);

/// The members after the picture. `M` has those that only a page or only a preview has.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct AfterPicture<'a, M> {
    /// Width of the full page in pixels at the requested DPI.
    #[schemars(range(min = 1))]
    width: u32,
    /// Height of the full page in pixels at the requested DPI.
    #[schemars(range(min = 1))]
    height: u32,
    #[serde(flatten)]
    own: M,
    /// Font size that `auto` chose, pixels at 300 DPI; null for a manual size.
    calculated_font_size: Option<u32>,
    /// Processing time in milliseconds.
    #[schemars(range(min = 0))]
    processing_time_ms: f64,
    /// The seed of the page. A request with this seed gives the same page.
    seed: u32,
    /// What each block became, in their order; only where the request has blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<WireBlock>,
    /// Everything that was substituted, left out, cut or without effect.
    warnings: Vec<WireWarning<'a>>,
}

/// A page as PNG.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(in crate::http) struct PageMembers {
    /// Unicode scalar values of `text` and of the texts of all blocks, as received.
    pub(in crate::http) characters_processed: usize,
}

/// A preview. Its seed gives the same page from `/api/v1/generate`.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(in crate::http) struct PreviewMembers {
    /// Width of the picture in pixels.
    #[schemars(extend("const" = PREVIEW_WIDTH))]
    pub(in crate::http) preview_width: u32,
    /// Height of the picture in pixels; the proportions of the page or region are kept.
    #[schemars(range(min = 1))]
    pub(in crate::http) preview_height: u32,
}

/// What a block became.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PlacedBlock")]
pub(super) struct WireBlock {
    /// Font size that `auto` chose, pixels at 300 DPI; null for a manual size.
    calculated_font_size: Option<u32>,
    /// The box around its ink, or a little larger; null without ink.
    ink_box: Option<InkBox>,
}

/// A box on the page, pixels at 300 DPI.
#[derive(Serialize, JsonSchema)]
pub(super) struct InkBox {
    /// Distance of its left edge from that of the page.
    x: f64,
    /// Distance of its upper edge from that of the page.
    y: f64,
    /// Its width.
    #[schemars(range(min = 0))]
    width: f64,
    /// Its height.
    #[schemars(range(min = 0))]
    height: f64,
}

impl From<&PlacedBlock> for WireBlock {
    fn from(block: &PlacedBlock) -> Self {
        // A tenth of a pixel is 8 µm.
        let tenths = |length: f64| (length * 10.0).round() / 10.0;
        let ink_box = block.ink.map(|ink| InkBox {
            x: tenths(ink.min.x.get()),
            y: tenths(ink.min.y.get()),
            width: tenths(ink.width().get()),
            height: tenths(ink.height().get()),
        });
        Self { calculated_font_size: block.calculated_font_size, ink_box }
    }
}

/// Something the client should know about the page.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Warning")]
pub(super) struct WireWarning<'a> {
    /// What happened, for programs, such as `font_substituted`; there may be new ones.
    r#type: &'static str,
    /// What happened, for people.
    message: &'a str,
    /// The field that it is about, such as `text` or `blocks[2].font_size`.
    field: &'a str,
}

impl<'a> From<&'a Warning> for WireWarning<'a> {
    fn from(warning: &'a Warning) -> Self {
        Self { r#type: warning.kind.name(), message: &warning.message, field: &warning.field }
    }
}

impl PageResponse {
    /// The body for `rendered_file`. `elapsed` is called when all but the numbers is written.
    pub(in crate::http) fn of(
        rendered_file: &RenderedFile,
        id: &RequestId,
        own: impl Serialize,
        elapsed: impl FnOnce() -> Duration,
    ) -> Self {
        let picture = rendered_file.bytes.len().div_ceil(3) * 4;
        let remarks: usize = rendered_file.warnings.iter().map(|warning| warning.message.len() + 64).sum();
        let mut body = Vec::with_capacity(picture + remarks + 384);
        body.extend_from_slice(b"{\"request_id\":\"");
        // A UUID needs no escapes.
        body.extend_from_slice(id.uuid().as_bytes());
        body.extend_from_slice(b"\",\"image_base64\":\"");
        append_base64(&rendered_file.bytes, &mut body);
        body.extend_from_slice(b"\",");
        let rest = AfterPicture {
            width: rendered_file.width,
            height: rendered_file.height,
            own,
            calculated_font_size: rendered_file.calculated_font_size,
            processing_time_ms: milliseconds(elapsed()),
            seed: rendered_file.seed,
            blocks: rendered_file.blocks.iter().map(WireBlock::from).collect(),
            warnings: rendered_file.warnings.iter().map(WireWarning::from).collect(),
        };
        // Plain numbers and strings always serialise.
        let rest = serde_json::to_string(&rest).unwrap_or_default();
        body.extend_from_slice(rest.trim_start_matches('{').as_bytes());
        Self(body)
    }

    /// The response. Its body takes memory from `budget`.
    ///
    /// # Errors
    /// As [`ResponseBudget::hold`].
    pub(in crate::http) fn held(self, budget: &ResponseBudget, context: &RequestContext) -> Result<Response, ApiError> {
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        Ok((headers, budget.hold(context.key_id().as_ref(), self.0)?).into_response())
    }

    /// The body as a JSON value, for the `OpenAPI` document.
    pub(in crate::http) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.0).unwrap_or_default()
    }
}

/// Milliseconds to three decimals.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::WarningKind;

    #[test]
    fn the_body_is_the_documented_object() {
        let rendered_file = RenderedFile {
            bytes: b"\x89PNG picture".to_vec(),
            width: 2480,
            height: 3508,
            calculated_font_size: None,
            blocks: Vec::new(),
            seed: u32::MAX,
            writing: crate::spec::Writing::Image,
            warnings: vec![Warning::new(WarningKind::LineWrapped, "text", "a \"quoted\" line\n")],
        };
        let id = RequestId::of(&axum::http::HeaderMap::new());
        let PageResponse(body) = PageResponse::of(&rendered_file, &id, PageMembers { characters_processed: 5 }, || {
            Duration::from_nanos(12_345_678)
        });
        let expected = serde_json::json!({
            "request_id": id.uuid(),
            "image_base64": "iVBORyBwaWN0dXJl",
            "width": 2480,
            "height": 3508,
            "calculated_font_size": null,
            "processing_time_ms": 12.346,
            "characters_processed": 5,
            "seed": u32::MAX,
            "warnings": [{"type": "line_wrapped", "message": "a \"quoted\" line\n", "field": "text"}],
        });
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&body).unwrap(), expected);
    }
}
