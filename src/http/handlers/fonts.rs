//! `GET /api/v1/fonts`: the fonts.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};

use crate::http::Service;
use crate::http::routes::admission::Admission;

pub(in crate::http) async fn fonts(State(service): State<Arc<Service>>, _: Admission) -> Response {
    let content_type = (CONTENT_TYPE, HeaderValue::from_static("application/json"));
    ([content_type], service.fonts().list.clone()).into_response()
}
