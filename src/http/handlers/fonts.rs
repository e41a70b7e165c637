//! `GET /api/v1/fonts`: the fonts.

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};

use crate::http::routes::admission::Admission;

pub(in crate::http) async fn fonts(Admission { service, .. }: Admission) -> Response {
    ([(CONTENT_TYPE, "application/json")], service.fonts().list.clone()).into_response()
}
