//! The paths, with their requests and responses, from the table of routes.

use axum::routing::MethodFilter;
use serde_json::{Value, json};

use super::artwork;
use super::errors::Errors;
use super::examples;
use super::hands;
use super::headers;
use super::request;
use super::schema::{Parts, reference};
use crate::access::LimitedEndpoint;
use crate::http::responses::response_headers::{ALLOWANCE, ALWAYS, LOCATION, REPLAYED};
use crate::http::routes::route::{BodyKind, Operation, Route};
use crate::http::routes::table::routes;
use crate::spec::Endpoint;

/// Every path of the API.
pub(super) fn paths(errors: &Errors) -> Parts {
    let mut paths = Parts::new();
    for (route, operation) in routes().filter_map(|route| Some((route, route.operation.as_ref()?))) {
        let method = match route.method {
            MethodFilter::POST => "post",
            MethodFilter::DELETE => "delete",
            _ => "get",
        };
        let path = paths.entry(route.path.replace("{file}", "{name}.svg")).or_insert_with(|| json!({}));
        path[method] = describe(route, operation, errors);
    }
    paths
}

fn describe(route: &Route, operation: &Operation, errors: &Errors) -> Value {
    let limit = |endpoint: LimitedEndpoint| {
        let most = endpoint.contract_limit();
        format!(" At most {most} requests per key in any 60 seconds, if the operator sets no other limit.")
    };
    let description = [operation.description, &route.limit.map(limit).unwrap_or_default()].concat();
    let mut parameters: Vec<Value> = operation.parameters.iter().map(|parameter| parameter()).collect();
    parameters.push(json!({"$ref": "#/components/parameters/RequestId"}));
    if route.is_idempotent() {
        parameters.push(json!({"$ref": "#/components/parameters/IdempotencyKey"}));
    }
    let mut responses = errors.of(route);
    let status = if route.takes_job() { "202" } else { "200" };
    responses.insert(status.to_owned(), success(route, operation));
    if route.sends_ranges() {
        parameters.push(json!({"$ref": "#/components/parameters/Range"}));
        let mut part = success(route, operation);
        part["description"] = "The part of the file that `Range` asks for.".into();
        part["headers"]["Content-Range"] = headers::reference("Content-Range");
        responses.insert("206".to_owned(), part);
    }
    let mut described = json!({
        "operationId": operation.id,
        "tags": [tag(route)],
        "summary": operation.summary,
        "description": description,
        "security": if route.needs_key() { json!([{"bearer": []}]) } else { json!([]) },
        "parameters": parameters,
        "responses": responses,
    });
    match route.body {
        Some(BodyKind::Page(endpoint)) => described["requestBody"] = page(endpoint),
        Some(BodyKind::Job) => described["requestBody"] = job(),
        Some(BodyKind::Hand) => described["requestBody"] = hands::request(),
        Some(BodyKind::Artwork) => described["requestBody"] = artwork::request(),
        None => {}
    }
    described
}

fn tag(route: &Route) -> &'static str {
    match route.limit {
        Some(LimitedEndpoint::Jobs | LimitedEndpoint::JobFiles) => "jobs",
        Some(LimitedEndpoint::Hands) => "hands",
        Some(LimitedEndpoint::Artwork) => "artwork",
        _ if route.takes_page() => "pages",
        _ => "service",
    }
}

fn page(endpoint: Endpoint) -> Value {
    let examples: Parts = examples::requests(endpoint)
        .into_iter()
        .map(|(name, summary, value)| (name.to_owned(), json!({"summary": summary, "value": value})))
        .collect();
    json!({
        "required": true,
        "description": "At most 256 KiB of JSON. Types are strict: `\"60\"` is no integer, 60.0 is one. Unknown fields \
                        are refused.",
        "content": {"application/json": {"schema": reference(&request::name(endpoint)), "examples": examples}},
    })
}

fn job() -> Value {
    let example = examples::job();
    let mut job = example.clone();
    if let Some(members) = job.as_object_mut() {
        members.remove("rows");
    }
    json!({
        "required": true,
        "description": "At most 64 MiB: JSON with its rows, or two parts, the job and a file of rows.",
        "content": {
            "application/json": {"schema": reference("NewJob"), "example": example},
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "job": reference("JobRequest"),
                        "rows": {
                            "type": "string",
                            "format": "binary",
                            "description": "CSV, a workbook (`.xlsx`), or JSON Lines if the file's name ends with \
                                            `.jsonl`.",
                        },
                    },
                    "required": ["job", "rows"],
                    "additionalProperties": false,
                },
                "encoding": {"job": {"contentType": "application/json"}},
                "example": {"job": job, "rows": "name\nAnn\nZoë\n"},
            },
        },
    })
}

fn success(route: &Route, operation: &Operation) -> Value {
    let mut content = Parts::new();
    if let Some((schema, example)) = operation.json {
        content.insert("application/json".to_owned(), json!({"schema": reference(schema), "example": example()}));
    }
    for file in operation.files {
        let mut schema = json!({"type": "string", "contentMediaType": file.media_type});
        if !file.is_text {
            // JSON Schema needs no `format` here, but generators of clients take it for bytes.
            schema["format"] = "binary".into();
        }
        content.insert(file.media_type.to_owned(), json!({"schema": schema}));
    }
    let of_limit = ALLOWANCE.iter().filter(|_| route.limit.is_some());
    let of_repetition = REPLAYED.iter().filter(|_| route.is_idempotent());
    let of_files = operation.files.iter().flat_map(|file| file.headers).copied().flatten();
    let of_job = LOCATION.iter().filter(|_| route.takes_job());
    json!({
        "description": operation.success,
        "headers": headers::references(ALWAYS.iter().chain(of_limit).chain(of_repetition).chain(of_job).chain(of_files).copied()),
        "content": content,
    })
}
