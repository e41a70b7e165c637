//! `GET /api/v1/fonts`: the ninety fonts.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::Serialize;

use super::Service;
use super::admission::FontsAdmission;
use crate::catalogue::{FontCatalogue, FontFace, FontRecord};

/// All fonts.
#[derive(Serialize, JsonSchema, Debug)]
pub struct FontList<'a> {
    /// The fonts, in the order of their ids.
    fonts: Vec<&'a FontRecord>,
    /// Number of fonts.
    total: usize,
}

impl<'a> FontList<'a> {
    /// All fonts of the catalogue, in id order.
    #[must_use]
    pub fn of(catalogue: &'a FontCatalogue) -> Self {
        let fonts: Vec<&FontRecord> = catalogue.faces().map(FontFace::record).collect();
        Self { total: fonts.len(), fonts }
    }
}

pub(super) async fn fonts(State(service): State<Arc<Service>>, _: FontsAdmission) -> Response {
    let content_type = (CONTENT_TYPE, HeaderValue::from_static("application/json"));
    ([content_type], service.fonts.clone()).into_response()
}
