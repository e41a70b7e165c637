//! The errors of the error table: their schemas, and the responses of each operation.

use serde_json::{Value, json};

use super::answers::REQUEST_ID;
use super::headers;
use super::schema::{Parts, Schemas, reference};
use crate::http::errors::error_body::{ErrorBody, Extra, NoExtra, QuotaExtra, RateExtra, ValidationExtra};
use crate::http::errors::table::{ApiError, Row};
use crate::http::responses::response_headers::{ALLOWANCE, ALWAYS};
use crate::http::routes::route::Route;

/// One example of every error.
pub(super) struct Errors(pub(super) Vec<ApiError>);

impl Errors {
    /// Adds the schemas of error bodies.
    pub(super) fn describe(&self, schemas: &mut Schemas) {
        self.describe_one::<NoExtra>("Error", schemas);
        self.describe_one::<RateExtra>("RateLimitError", schemas);
        self.describe_one::<QuotaExtra<'_>>("QuotaError", schemas);
        self.describe_one::<ValidationExtra<'_>>("ValidationError", schemas);
    }

    /// Adds the schema of the bodies with the further members `M`, with the codes that such a body can have.
    fn describe_one<M: schemars::JsonSchema>(&self, name: &str, schemas: &mut Schemas) {
        let mut codes: Vec<&str> =
            self.0.iter().filter(|error| schema_name(error) == name).map(|error| error.row().code).collect();
        codes.dedup();
        let mut body = schemas.of::<ErrorBody<'_, M>>();
        body["properties"]["error"]["enum"] = codes.into();
        body["description"] = schemas.of::<M>()["description"].clone();
        schemas.insert(name, body);
    }

    /// One response per status, for all operations that can answer with all its errors.
    pub(super) fn responses(&self) -> Parts {
        let mut statuses: Vec<u16> = self.0.iter().map(|error| error.row().status).collect();
        statuses.dedup();
        statuses.into_iter().map(|status| (format!("Error{status}"), self.response(status, |_| true))).collect()
    }

    /// The error responses of `route`, by status.
    pub(super) fn of(&self, route: &Route) -> Parts {
        let can_meet = |row: &Row| (row.met_by)(route);
        let rows = || self.0.iter().map(ApiError::row);
        rows()
            .filter(can_meet)
            .map(|Row { status, .. }| {
                let is_met_in_full = rows().filter(|row| row.status == status).all(|row| can_meet(&row));
                let response = if is_met_in_full {
                    json!({"$ref": format!("#/components/responses/Error{status}")})
                } else {
                    self.response(status, can_meet)
                };
                (status.to_string(), response)
            })
            .collect()
    }

    /// The response of this status that covers the `wanted` errors.
    fn response(&self, status: u16, wanted: impl Fn(&Row) -> bool) -> Value {
        let rows = self.0.iter().map(|error| (error, error.row()));
        let errors: Vec<(&ApiError, Row)> = rows.filter(|(_, row)| row.status == status && wanted(row)).collect();
        let mut schemas: Vec<&str> = errors.iter().map(|(error, _)| schema_name(error)).collect();
        schemas.dedup();
        let references: Vec<Value> = schemas.into_iter().map(reference).collect();
        let schema = match references.as_slice() {
            [only] => only.clone(),
            several => json!({"oneOf": several}),
        };
        let mut examples = Parts::new();
        for (number, (error, row)) in errors.iter().enumerate() {
            let code = row.code.to_ascii_lowercase();
            let name = if examples.contains_key(&code) { format!("{code}_{}", number + 1) } else { code };
            let body: Value = serde_json::from_slice(&error.body(REQUEST_ID)).unwrap_or_default();
            examples.insert(name, json!({"value": body}));
        }
        let descriptions: Vec<String> =
            errors.iter().map(|(_, row)| format!("`{}`: {}.", row.code, row.occurs)).collect();
        let own = errors.iter().filter_map(|(error, _)| error.header()).map(|(name, _)| name);
        let has_allowance = errors.iter().any(|(error, _)| error.is_after_rate_limit());
        let names = ALWAYS.into_iter().chain(own).chain(ALLOWANCE.into_iter().filter(|_| has_allowance));
        json!({
            "description": descriptions.join(" "),
            "headers": headers::references(names),
            "content": {"application/json": {"schema": schema, "examples": examples}},
        })
    }
}

fn schema_name(error: &ApiError) -> &'static str {
    match error.extra() {
        Extra::None(_) => "Error",
        Extra::Quota(_) => "QuotaError",
        Extra::Rate(_) => "RateLimitError",
        Extra::Validation(_) => "ValidationError",
    }
}
