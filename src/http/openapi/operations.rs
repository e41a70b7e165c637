//! The paths, with their requests and responses, from the table of routes.

use axum::routing::MethodFilter;
use serde_json::{Value, json};

use super::errors::Errors;
use super::examples;
use super::headers;
use super::request;
use super::schema::{Parts, reference};
use crate::access::LimitedEndpoint;
use crate::http::responses::response_headers::{ALLOWANCE, ALWAYS, REPLAYED};
use crate::http::routes::route::{Operation, Route};
use crate::http::routes::table::ROUTES;
use crate::spec::Endpoint;

/// Every path of the API.
pub(super) fn paths(errors: &Errors) -> Parts {
    let of_api = ROUTES.iter().filter_map(|route| Some((route, route.operation.as_ref()?)));
    let described = of_api.map(|(route, operation)| {
        let method = if route.method == MethodFilter::POST { "post" } else { "get" };
        (route.path.replace("{file}", "{name}.svg"), json!({method: describe(route, operation, errors)}))
    });
    described.collect()
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
    responses.insert("200".to_owned(), success(route, operation));
    let mut described = json!({
        "operationId": operation.id,
        "tags": [if route.has_body() { "pages" } else { "service" }],
        "summary": operation.summary,
        "description": description,
        "security": if route.needs_key() { json!([{"bearer": []}]) } else { json!([]) },
        "parameters": parameters,
        "responses": responses,
    });
    if let Some(endpoint) = route.body {
        described["requestBody"] = body(endpoint);
    }
    described
}

fn body(endpoint: Endpoint) -> Value {
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
    json!({
        "description": operation.success,
        "headers": headers::references(ALWAYS.iter().chain(of_limit).chain(of_repetition).chain(of_files).copied()),
        "content": content,
    })
}
