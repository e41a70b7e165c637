//! The paths of the document: what each takes, and all its answers.

use serde_json::Value;

use super::html::{code, escaped, example, inline, paragraphs, table, text_of};
use super::schemas::{resolved, type_of};

/// Path, method and operation, in the document's order.
pub(super) fn of(document: &Value) -> Vec<(&str, &str, &Value)> {
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            operations.push((path.as_str(), method.as_str(), operation));
        }
    }
    // What makes pages comes first.
    operations.sort_by_key(|(_, _, operation)| text_of(&operation["tags"][0]).to_owned());
    operations
}

/// A section for each.
pub(super) fn all(document: &Value) -> String {
    of(document).into_iter().map(|(path, method, operation)| section(document, path, method, operation)).collect()
}

fn section(document: &Value, path: &str, method: &str, operation: &Value) -> String {
    let open = operation["security"].as_array().is_some_and(Vec::is_empty);
    let key = if open { "No key needed." } else { "Needs an API key." };
    format!(
        "<section>\n<h2 id=\"{id}\"><span class=\"method\">{method}</span> {path}</h2>\n<p class=\"lead\">{summary}</p>\n\
         {description}\n<p>{key}</p>\n{parameters}{body}{responses}</section>\n",
        id = escaped(text_of(&operation["operationId"])),
        method = escaped(&method.to_uppercase()),
        path = code(path),
        summary = inline(text_of(&operation["summary"])),
        description = paragraphs(text_of(&operation["description"])),
        parameters = parameters(document, operation),
        body = body(operation),
        responses = responses(document, operation),
    )
}

fn parameters(document: &Value, operation: &Value) -> String {
    let rows: Vec<Vec<String>> = operation["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|parameter| {
            let parameter = resolved(document, parameter);
            let place = format!("{}, optional", text_of(&parameter["in"]));
            vec![code(text_of(&parameter["name"])), escaped(&place), inline(text_of(&parameter["description"]))]
        })
        .collect();
    table("Parameters", &["Name", "In", "Meaning"], &rows)
}

fn body(operation: &Value) -> String {
    let body = &operation["requestBody"];
    let contents = body["content"].as_object().into_iter().flatten().map(|(media_type, content)| {
        format!(
            "<h3>Request body</h3>\n<p>{}: {}</p>\n{}\n{}",
            code(media_type),
            type_of(&content["schema"]),
            paragraphs(text_of(&body["description"])),
            examples(content),
        )
    });
    contents.collect::<Vec<_>>().concat()
}

fn examples(content: &Value) -> String {
    let named = content["examples"].as_object().into_iter().flatten().map(|(name, shown)| {
        let summary = shown["summary"].as_str().map_or_else(|| format!("`{name}`"), str::to_owned);
        example(&format!("Example: {summary}"), &shown["value"])
    });
    let only = content.get("example").map(|value| example("Example", value));
    named.chain(only).collect()
}

fn responses(document: &Value, operation: &Value) -> String {
    let responses = operation["responses"].as_object().into_iter().flatten();
    let responses: Vec<String> =
        responses.map(|(status, response)| response_section(status, resolved(document, response))).collect();
    format!("<h3>Responses</h3>\n{}", responses.concat())
}

fn response_section(status: &str, response: &Value) -> String {
    let headers = response["headers"].as_object().into_iter().flatten();
    let headers: Vec<String> = headers.map(|(name, _)| code(name)).collect();
    let contents = response["content"].as_object().into_iter().flatten().map(|(media_type, content)| {
        format!("<p>{}: {}</p>\n{}", code(media_type), type_of(&content["schema"]), examples(content))
    });
    format!(
        "<h4>{}</h4>\n<p>{}</p>\n<p>Headers: {}</p>\n{}",
        escaped(status),
        inline(text_of(&response["description"])),
        headers.join(", "),
        contents.collect::<Vec<_>>().concat(),
    )
}
