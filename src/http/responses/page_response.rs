//! The JSON of a generated page, which a file has in its headers.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use crate::encode::append_base64;
use crate::geometry::Rect;
use crate::http::middleware::request_context::milliseconds;
use crate::http::middleware::request_id::RequestId;
use crate::pipeline::{PREVIEW_WIDTH, PlacedBlock, RenderedFile, Warning, WordPlace};
use crate::spec::{DrawnRules, Representation};
use crate::units::Px;

/// A page. `M` has the members that only a page or only a preview has.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct PageResponse<'a, M> {
    /// Names the request.
    #[schemars(extend("format" = "uuid"))]
    request_id: &'a str,
    /// The picture; [`json`](PageResponse::json) fills it in.
    #[schemars(extend("contentEncoding" = "base64", "contentMediaType" = "image/png"))]
    image_base64: &'static str,
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
    pub(super) blocks: Vec<WireBlock>,
    /// Everything that was substituted, left out, cut or without effect.
    pub(super) warnings: Vec<WireWarning<'a>>,
    /// How a file carries the writing.
    #[serde(skip)]
    pub(super) representation: Representation,
}

/// A page as PNG.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(in crate::http) struct PageMembers {
    /// Unicode scalar values of `text` and of the texts of all blocks, as received.
    pub(in crate::http) characters_processed: usize,
}

/// A preview. Its seed gives the same page from `/api/v1/generate`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(in crate::http) struct PreviewMembers {
    /// Width of the picture in pixels.
    #[schemars(extend("const" = PREVIEW_WIDTH))]
    pub(in crate::http) preview_width: u32,
    /// Height of the picture in pixels; the proportions of the page or region are kept.
    #[schemars(range(min = 1))]
    pub(in crate::http) preview_height: u32,
    /// The page that is shown, from 1.
    #[schemars(range(min = 1))]
    pub(in crate::http) page: usize,
    /// The pages that the request makes.
    #[schemars(range(min = 1))]
    pub(in crate::http) pages: usize,
    /// Where each word of the shown page is, in the order of the texts; only with `places`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(in crate::http) places: Vec<WirePlace>,
    /// The rules that the writing stands on, where they are not drawn; only with `places`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::http) hidden_rules: Option<WireRules>,
}

/// Horizontal rules of one length, pixels at 300 DPI.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Rules")]
pub(in crate::http) struct WireRules {
    /// Distance of each from the upper edge of the page, ascending.
    heights: Vec<f64>,
    /// Distance of their left ends from the left edge of the page.
    left: f64,
    /// Distance of their right ends from the left edge of the page.
    right: f64,
}

impl From<&DrawnRules> for WireRules {
    fn from(rules: &DrawnRules) -> Self {
        let heights = rules.heights.iter().map(|height| height.get()).collect();
        Self { heights, left: rules.left.get(), right: rules.right.get() }
    }
}

/// A word on the page: its box, pixels at 300 DPI, and its characters in its text, in scalar values.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "WordPlace")]
pub(in crate::http) struct WirePlace {
    /// The number of the block, from 0; null for `text`.
    block: Option<usize>,
    /// Its first character.
    start: usize,
    /// The character after its last.
    end: usize,
    #[serde(flatten)]
    ink: InkBox,
}

impl From<&WordPlace> for WirePlace {
    fn from(WordPlace { block, source, ink }: &WordPlace) -> Self {
        Self { block: *block, start: source.start, end: source.end, ink: InkBox::of(*ink) }
    }
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
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
        Self { calculated_font_size: block.calculated_font_size, ink_box: block.ink.map(InkBox::of) }
    }
}

impl InkBox {
    fn of(ink: Rect<Px>) -> Self {
        // A tenth of a pixel is 8 µm.
        let tenths = |length: Px| (length.get() * 10.0).round() / 10.0;
        Self { x: tenths(ink.min.x), y: tenths(ink.min.y), width: tenths(ink.width()), height: tenths(ink.height()) }
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

impl<'a, M: Serialize> PageResponse<'a, M> {
    /// The response about `file`.
    pub(in crate::http) fn of(file: &'a RenderedFile, id: &'a RequestId, own: M, elapsed: Duration) -> Self {
        Self {
            request_id: &id.uuid,
            image_base64: "",
            width: file.width,
            height: file.height,
            own,
            calculated_font_size: file.calculated_font_size,
            processing_time_ms: milliseconds(elapsed),
            seed: file.seed,
            blocks: file.blocks.iter().map(WireBlock::from).collect(),
            warnings: file.warnings.iter().map(WireWarning::from).collect(),
            representation: file.representation,
        }
    }

    /// The body with this picture, which is copied only once: from PNG to base64.
    pub(in crate::http) fn json(&self, picture: &[u8]) -> Vec<u8> {
        // Plain numbers and strings always serialise.
        let json = serde_json::to_string(self).unwrap_or_default();
        // The first empty string is the picture.
        let (before, after) = json.as_bytes().split_at(json.find("\"\"").map_or(0, |quotes| quotes + 1));
        let mut body = Vec::with_capacity(json.len() + picture.len().div_ceil(3) * 4);
        body.extend_from_slice(before);
        append_base64(picture, &mut body);
        body.extend_from_slice(after);
        body
    }
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
            pages: 1,
            calculated_font_size: None,
            blocks: Vec::new(),
            seed: u32::MAX,
            representation: Representation::Image,
            warnings: vec![Warning::new(WarningKind::LineWrapped, "text", "a \"quoted\" line\n")],
        };
        let id = RequestId::of(&axum::http::HeaderMap::new());
        let own = PageMembers { characters_processed: 5 };
        let response = PageResponse::of(&rendered_file, &id, own, Duration::from_nanos(12_345_678));
        let body = response.json(&rendered_file.bytes);
        let expected = serde_json::json!({
            "request_id": id.uuid,
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
