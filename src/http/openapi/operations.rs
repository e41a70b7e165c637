//! The paths, with their requests and responses.

use serde_json::{Value, json};

use super::answers;
use super::errors::Errors;
use super::examples;
use super::headers::{self, ALLOWANCE, ALWAYS};
use super::schema::{Parts, reference, set};
use crate::access::LimitedEndpoint;
use crate::http::operation::Operation;
use crate::spec::{Endpoint, MailPiece, OutputName};

const PNG: &str = "image/png";
const PDF: &str = "application/pdf";
const SVG: &str = "image/svg+xml";

/// Every path.
pub(super) fn paths(errors: &Errors) -> Value {
    json!({
        "/api/v1/generate": {"post": generate(errors)},
        "/api/v1/generate/png": {"post": generate_file(OutputName::Png, errors)},
        "/api/v1/generate/pdf": {"post": generate_file(OutputName::Pdf, errors)},
        "/api/v1/generate/svg": {"post": generate_file(OutputName::Svg, errors)},
        "/api/v1/preview": {"post": preview(errors)},
        "/api/v1/preflight": {"post": preflight(errors)},
        "/api/v1/fonts": {"get": fonts(errors)},
        "/api/v1/fonts/{id}/specimen.png": {"get": specimen(errors)},
        "/api/v1/mail-pieces": {"get": mail_pieces(errors)},
        "/api/v1/mail-pieces/{name}.svg": {"get": mail_piece_guide(errors)},
        "/api/v1/usage": {"get": usage(errors)},
        "/api/v1/status": {"get": status(errors)},
    })
}

fn generate(errors: &Errors) -> Value {
    let success = answer("The page.", &ALLOWANCE, &reference("Page"), &answers::page_example());
    let success = with_file(success, PNG, headers::of_png());
    let success = with_file(success, PDF, headers::of_outlined());
    let success = with_file(success, SVG, headers::of_outlined());
    json!({
        "operationId": "generatePage",
        "tags": ["pages"],
        "summary": "Generate a page",
        "description": format!(
            "Renders one page at full quality. `output_format` `png` answers JSON with a base64 picture, or the \
             picture itself if `Accept` prefers `image/png`; `pdf` and `svg` answer the file itself. Headers of a file carry \
             the other fields. A success counts toward the monthly quota; a failure does not. {}",
            limit(LimitedEndpoint::Generate),
        ),
        "security": [{"bearer": []}],
        "parameters": parameters(),
        "requestBody": body("GenerationRequest", Endpoint::Generate),
        "responses": responses(success, errors, Operation::Generate),
    })
}

/// A path of its own for the file alone: most generators of clients read one form of an answer per operation.
fn generate_file(format: OutputName, errors: &Errors) -> Value {
    let (id, schema, endpoint, name, media_type, headers) = match format {
        OutputName::Png => {
            ("generatePng", "PngRequest", Endpoint::GeneratePng, "PNG: transparent paper", PNG, headers::of_png())
        }
        OutputName::Pdf => {
            ("generatePdf", "PdfRequest", Endpoint::GeneratePdf, "PDF: white paper", PDF, headers::of_outlined())
        }
        OutputName::Svg => {
            ("generateSvg", "SvgRequest", Endpoint::GenerateSvg, "SVG: paths alone", SVG, headers::of_outlined())
        }
    };
    json!({
        "operationId": id,
        "tags": ["pages"],
        "summary": format!("Generate a page as a {}", format.name().to_ascii_uppercase()),
        "description": format!(
            "As `/api/v1/generate` with `output_format` `{}`, but the answer is always the file. It counts \
             toward the same quota and the same rate limit. {}",
            format.name(),
            limit(LimitedEndpoint::Generate),
        ),
        "security": [{"bearer": []}],
        "parameters": parameters(),
        "requestBody": body(schema, endpoint),
        "responses": responses(file(&format!("The {name}."), media_type, headers), errors, Operation::Generate),
    })
}

fn preview(errors: &Errors) -> Value {
    let success = answer("The preview.", &ALLOWANCE, &reference("Preview"), &answers::preview_example());
    let success = with_file(success, PNG, headers::of_preview());
    json!({
        "operationId": "previewPage",
        "tags": ["pages"],
        "summary": "Preview a page",
        "description": format!(
            "Renders the same page 1200 px wide, with a watermark, for trying parameters. `region` shows a part of it \
             as wide. The answer is JSON with a base64 picture, or the picture itself if `Accept` prefers `image/png`. Free: it does not count toward the quota. `width` and `height` are those of the full page. {}",
            limit(LimitedEndpoint::Preview),
        ),
        "security": [{"bearer": []}],
        "parameters": parameters(),
        "requestBody": body("PreviewRequest", Endpoint::Preview),
        "responses": responses(success, errors, Operation::Preview),
    })
}

fn preflight(errors: &Errors) -> Value {
    let success = answer("The report.", &ALLOWANCE, &reference("PreflightReport"), &answers::preflight_example());
    json!({
        "operationId": "preflightPage",
        "tags": ["pages"],
        "summary": "Check a page before it is made",
        "description": format!(
            "Takes the body of `/api/v1/generate`, lays the page out and draws nothing: what the file will be, and what is \
             wrong with it, measured against `mail_piece` or what `pdf.preset` prints. A text that does not fit or cannot \
             be written is a finding. Free: it does not count toward the quota. Counts as a request to \
             `/api/v1/preview`: {}",
            limit(LimitedEndpoint::Preview),
        ),
        "security": [{"bearer": []}],
        "parameters": parameters(),
        "requestBody": body("GenerationRequest", Endpoint::Generate),
        "responses": responses(success, errors, Operation::Preflight),
    })
}

fn fonts(errors: &Errors) -> Value {
    let success = answer("The fonts.", &ALLOWANCE, &reference("FontList"), &answers::fonts_example());
    json!({
        "operationId": "listFonts",
        "tags": ["service"],
        "summary": "List the fonts",
        "description": format!("Every font with its `font_id`, character and measures. {}", limit(LimitedEndpoint::Fonts)),
        "security": [{"bearer": []}],
        "parameters": parameters(),
        "responses": responses(success, errors, Operation::Fonts),
    })
}

fn specimen(errors: &Errors) -> Value {
    let success = file("The picture: black ink, transparent paper, 1200 × 300 px.", PNG, Vec::new());
    let mut parameters = parameters();
    if let Some(list) = parameters.as_array_mut() {
        let mut schema = super::request::font_id();
        set(&mut schema, "examples", vec![3]);
        list.insert(
            0,
            json!({
                "name": "id",
                "in": "path",
                "required": true,
                "description": "The font's `id`.",
                "schema": schema,
            }),
        );
        list.insert(
            1,
            json!({
                "name": "variation",
                "in": "query",
                "description": "Whether the letters differ as with `enable_writer_variation`.",
                "schema": {"type": "boolean", "default": false},
            }),
        );
    }
    json!({
        "operationId": "readSpecimen",
        "tags": ["service"],
        "summary": "See a font",
        "description": format!(
            "A picture of the hand, for catalogues: two lines, the second in the script that sets the hand apart. It \
             may be kept for a day. Counts as a request to `/api/v1/fonts`: {}",
            limit(LimitedEndpoint::Fonts),
        ),
        "security": [{"bearer": []}],
        "parameters": parameters,
        "responses": responses(success, errors, Operation::Specimen),
    })
}

fn mail_pieces(errors: &Errors) -> Value {
    let example = answers::mail_pieces_example();
    let success = answer("The mail pieces.", &ALLOWANCE, &reference("MailPieceList"), &example);
    json!({
        "operationId": "listMailPieces",
        "tags": ["service"],
        "summary": "List the mail pieces",
        "description": format!(
            "Every value of `mail_piece` with its paper, safe distance and reserved zones. Counts as a request to \
             `/api/v1/fonts`: {}",
            limit(LimitedEndpoint::Fonts),
        ),
        "security": [{"bearer": []}],
        "parameters": parameters(),
        "responses": responses(success, errors, Operation::MailPieces),
    })
}

fn mail_piece_guide(errors: &Errors) -> Value {
    let success = json!({
        "description": "The guide, in true size: one unit is 1 mm, the origin is the upper left corner of the trim.",
        "headers": headers::references(ALWAYS.iter().chain(&ALLOWANCE).copied()),
        "content": {"image/svg+xml": {"schema": {"type": "string", "contentMediaType": "image/svg+xml"}}},
    });
    let mut parameters = parameters();
    let names: Vec<&str> = MailPiece::all().iter().map(|piece| piece.name.as_str()).collect();
    if let Some(list) = parameters.as_array_mut() {
        list.insert(
            0,
            json!({
                "name": "name",
                "in": "path",
                "required": true,
                "description": "The mail piece's `name`.",
                "schema": {"type": "string", "enum": names, "examples": ["lob_postcard_4x6_back"]},
            }),
        );
    }
    json!({
        "operationId": "readMailPieceGuide",
        "tags": ["service"],
        "summary": "See what a mail piece keeps clear",
        "description": format!(
            "A drawing of trim, bleed, safe area and reserved zones, to lay over a page. Counts as a request to \
             `/api/v1/fonts`: {}",
            limit(LimitedEndpoint::Fonts),
        ),
        "security": [{"bearer": []}],
        "parameters": parameters,
        "responses": responses(success, errors, Operation::MailPieceGuide),
    })
}

fn usage(errors: &Errors) -> Value {
    let success = answer("The usage.", &ALLOWANCE, &reference("Usage"), &answers::usage_example());
    json!({
        "operationId": "readUsage",
        "tags": ["service"],
        "summary": "Ask what is left of the quota",
        "description": format!(
            "The monthly quota of the key that is sent, what is used of it, and when it resets. Free. {}",
            limit(LimitedEndpoint::Usage),
        ),
        "security": [{"bearer": []}],
        "parameters": parameters(),
        "responses": responses(success, errors, Operation::Usage),
    })
}

fn status(errors: &Errors) -> Value {
    let success = answer("The state.", &[], &reference("Status"), &answers::status_example());
    json!({
        "operationId": "readStatus",
        "tags": ["service"],
        "summary": "Ask how the service is",
        "description": "Needs no key and is not limited.",
        "security": [],
        "parameters": parameters(),
        "responses": responses(success, errors, Operation::Status),
    })
}

fn limit(endpoint: LimitedEndpoint) -> String {
    format!("At most {} requests per key in any 60 seconds.", endpoint.limit())
}

fn parameters() -> Value {
    json!([{"$ref": "#/components/parameters/RequestId"}])
}

fn body(schema: &str, endpoint: Endpoint) -> Value {
    let examples: Parts = examples::requests(endpoint)
        .into_iter()
        .map(|(name, summary, value)| (name.to_owned(), json!({"summary": summary, "value": value})))
        .collect();
    json!({
        "required": true,
        "description": "At most 256 KiB of JSON. Types are strict: `\"60\"` is no integer, 60.0 is one. Unknown fields \
                        are refused.",
        "content": {"application/json": {"schema": reference(schema), "examples": examples}},
    })
}

fn answer(description: &str, own_headers: &[&str], schema: &Value, example: &Value) -> Value {
    let names = ALWAYS.iter().chain(own_headers).copied();
    json!({
        "description": description,
        "headers": headers::references(names),
        "content": {"application/json": {"schema": schema, "example": example}},
    })
}

/// An answer that is a file of this media type, with these headers beside those of every answer.
fn file(description: &str, media_type: &str, own_headers: Vec<&str>) -> Value {
    let always = headers::references(ALWAYS.iter().chain(&ALLOWANCE).copied());
    with_file(json!({"description": description, "headers": always, "content": {}}), media_type, own_headers)
}

/// The answer, also as a file of this media type with these headers.
fn with_file(mut answer: Value, media_type: &str, own_headers: Vec<&str>) -> Value {
    if let Some(own) = answer["headers"].as_object_mut() {
        own.extend(headers::references(own_headers));
    }
    // JSON Schema needs no `format` here, but generators of clients take it for bytes.
    let schema = json!({"type": "string", "format": "binary", "contentMediaType": media_type});
    set(&mut answer["content"], media_type, json!({"schema": schema}));
    answer
}

fn responses(success: Value, errors: &Errors, operation: Operation) -> Parts {
    let mut responses = errors.of(operation);
    responses.insert("200".to_owned(), success);
    responses
}
