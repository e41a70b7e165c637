//! `GET /api/v1/fonts`: the fonts. `GET /api/v1/mail-pieces` and `GET /api/v1/mail-pieces/{name}.svg`: the mail pieces,
//! and the guide of one.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};

use crate::http::errors::table::ApiError;
use crate::http::responses::mail_piece_guide::mail_piece_guide;
use crate::http::responses::mail_piece_list::MailPieceList;
use crate::http::routes::admission::Admission;
use crate::spec::MailPiece;

// Plain numbers and strings always serialise.
static LIST: LazyLock<Bytes> = LazyLock::new(|| serde_json::to_vec(&MailPieceList::all()).unwrap_or_default().into());

pub(in crate::http) async fn fonts(Admission { service, client, .. }: Admission) -> Response {
    ([(CONTENT_TYPE, "application/json")], service.fonts_of(&client.key_id).list.clone()).into_response()
}

pub(in crate::http) async fn mail_pieces(_: Admission) -> Response {
    ([(CONTENT_TYPE, "application/json")], LIST.clone()).into_response()
}

pub(in crate::http) async fn guide(
    _: Admission,
    file: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let named = file.ok().and_then(|Path(file)| MailPiece::from_name(file.strip_suffix(".svg")?));
    let guide = mail_piece_guide(named.ok_or(ApiError::NO_SUCH_MAIL_PIECE)?);
    Ok(([(CONTENT_TYPE, "image/svg+xml")], guide).into_response())
}
