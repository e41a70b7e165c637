//! `/api/v1/hands`: hands of clients, from pictures of a filled sheet.
//!
//! `body` reads a request for a hand. The handlers answer with the sheet, with a report of what was read, and with the
//! saved hands of the key: a key sees its own alone. Pictures are read in a process of its own by `hands`; nothing of them
//! is logged. What blocks runs on a thread for it. A client that hangs up ends the process.

pub(in crate::http) mod body;

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, Request};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;

use super::blocking::{blocking, blocking_while_awaited};
use super::query;
use crate::catalogue::FontCatalogue;
use crate::hands::{Hands, HandsError, KeptHand, MOST_HANDS, ReadTurn};
use crate::http::errors::table::ApiError;
use crate::http::responses::response_headers::UNCACHED_JSON;
use crate::http::routes::admission::Admission;
use crate::own_hand::{SheetForm, draw_sheet};
use crate::spec::ViolationKind;
use body::HandBody;

/// The hands of a key.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct HandList {
    /// By their ids.
    pub(in crate::http) hands: Vec<KeptHand>,
    /// Most hands of a key.
    pub(in crate::http) most: usize,
}

/// A hand with what is needed to mend it.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct HandWithRecord {
    #[serde(flatten)]
    pub(in crate::http) hand: KeptHand,
    /// The record of the hand: send it back as it is, to mend the hand.
    pub(in crate::http) record: String,
}

type Id = Result<Path<String>, PathRejection>;

/// The sheet to print and fill.
pub(in crate::http) async fn sheet(admission: Admission, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    hands_of(&admission)?;
    let form = sheet_form(query.as_deref().unwrap_or_default())?;
    let drawn = blocking(move || FontCatalogue::load().map(|catalogue| draw_sheet(form, &catalogue))).await?;
    let pdf = drawn.map_err(|error| ApiError::GenerationFailed(error.to_string()))?;
    let headers =
        [(CONTENT_TYPE, "application/pdf"), (CONTENT_DISPOSITION, "attachment; filename=\"handwriting_sheet.pdf\"")];
    admission.answer(headers, pdf)
}

/// The form of a sheet that a query asks for.
fn sheet_form(query: &str) -> Result<SheetForm, ApiError> {
    let mut form = SheetForm::default();
    for (name, value) in query::pairs(query) {
        let switch = match name {
            "joined" => &mut form.joined,
            "quick" => &mut form.quick,
            "letter" => &mut form.letter,
            _ => return Err(query::unknown(name)),
        };
        *switch = value
            .parse()
            .map_err(|_| ApiError::refused(name, ViolationKind::BoolType, "Input should be true or false"))?;
    }
    Ok(form)
}

/// Reads pictures, and keeps nothing.
pub(in crate::http) async fn read(admission: Admission, request: Request) -> Result<Response, ApiError> {
    let (turn, HandBody { input, .. }) = begin(&admission, request).await?;
    let report = on_hands(&admission, move |hands, is_wanted| hands.read(turn, &input, is_wanted)).await?;
    admission.answer(UNCACHED_JSON, report)
}

/// Reads pictures, and saves the hand.
pub(in crate::http) async fn save(admission: Admission, request: Request) -> Result<Json<KeptHand>, ApiError> {
    let (turn, HandBody { input, has_name, replaces }) = begin(&admission, request).await?;
    if !has_name {
        return Err(ApiError::refused("hand.name", ViolationKind::Missing, "Field required"));
    }
    let key = admission.client.key_id.clone();
    on_hands(&admission, move |hands, is_wanted| hands.save(turn, &key, replaces, input, is_wanted)).await.map(Json)
}

/// The hands of the key.
pub(in crate::http) async fn list(admission: Admission) -> Result<Json<HandList>, ApiError> {
    let key = admission.client.key_id.clone();
    let hands = on_hands(&admission, move |hands, _| hands.list(&key)).await?;
    Ok(Json(HandList { hands, most: MOST_HANDS }))
}

/// A hand of the key, to mend it.
pub(in crate::http) async fn get(admission: Admission, id: Id) -> Result<Json<HandWithRecord>, ApiError> {
    let (key, id) = (admission.client.key_id.clone(), number(&admission, id)?);
    let found = on_hands(&admission, move |hands, _| hands.record(&key, id).map_err(of_path));
    let (hand, record) = found.await?;
    Ok(Json(HandWithRecord { hand, record: String::from_utf8_lossy(&record).into_owned() }))
}

/// Deletes a hand of the key.
pub(in crate::http) async fn delete(admission: Admission, id: Id) -> Result<Json<KeptHand>, ApiError> {
    let (key, id) = (admission.client.key_id.clone(), number(&admission, id)?);
    on_hands(&admission, move |hands, _| hands.delete(&key, id).map_err(of_path)).await.map(Json)
}

/// The id in a path.
fn number(admission: &Admission, id: Id) -> Result<u16, ApiError> {
    hands_of(admission)?;
    id.ok().and_then(|Path(id)| id.parse().ok()).ok_or(ApiError::NO_SUCH_HAND)
}

/// A hand in a path that the key does not have is not found.
fn of_path(error: HandsError) -> ApiError {
    if error == HandsError::Unknown { ApiError::NO_SUCH_HAND } else { error.into() }
}

/// Reads the body of a request for a hand once it may be sent, and waits until it may be read.
async fn begin(admission: &Admission, request: Request) -> Result<(ReadTurn, HandBody), ApiError> {
    let hands = hands_of(admission)?;
    let mut turn = hands.turns().admit(&admission.client.key_id).map_err(HandsError::from)?;
    let body = admission.context.stage("body", HandBody::read(request, admission.service.body_timeout)).await?;
    turn.wait().await.map_err(HandsError::from)?;
    Ok((turn, body))
}

/// Runs a call on the hands of the service, on a thread that may block. It is told whether the client still waits.
async fn on_hands<T, E>(
    admission: &Admission,
    call: impl FnOnce(&Hands, &dyn Fn() -> bool) -> Result<T, E> + Send + 'static,
) -> Result<T, ApiError>
where
    T: Send + 'static,
    E: Into<ApiError> + Send + 'static,
{
    let hands = hands_of(admission)?;
    blocking_while_awaited(move |is_awaited| call(&hands, is_awaited)).await?.map_err(Into::into)
}

/// The hands of the service.
fn hands_of(admission: &Admission) -> Result<Arc<Hands>, ApiError> {
    admission.service.hands.clone().ok_or(ApiError::NO_HANDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_chooses_the_form_of_the_sheet() {
        assert_eq!(sheet_form("").unwrap(), SheetForm::default());
        let form = sheet_form("joined=true&letter=true&quick=false").unwrap();
        assert!(form.joined && form.letter && !form.quick);
        for query in ["joined=1", "joined", "paper=letter"] {
            assert!(matches!(sheet_form(query), Err(ApiError::Validation(_))), "{query}");
        }
    }
}
