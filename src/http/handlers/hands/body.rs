//! Reads the body of a request for a hand: the parts `hand` (JSON), `pictures` (files) and `record` (text).

use std::time::Duration;

use axum::extract::Request;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::timeout;

use crate::catalogue::OPERATOR_IDS;
use crate::hands::{HandInput, HandOrder};
use crate::http::errors::table::{ApiError, LARGEST_JOB};
use crate::http::handlers::body::LONGEST_BODY;
use crate::http::handlers::multipart::{Parts, is_in_parts};
use crate::spec::{ViolationKind, read_json};

/// The parts.
const HAND: &str = "hand";
const PICTURES: &str = "pictures";
const RECORD: &str = "record";
/// Most files of a request: each page of a sheet four times.
pub(in crate::http) const MOST_FILES: usize = 12;
/// Most boxes to keep: those of a sheet.
const MOST_KEPT: usize = 312;
/// Most characters of a name, and of the words of a trial.
const LONGEST_NAME: usize = 64;
const LONGEST_TEXT: usize = 600;
/// The words of a trial, if the client has none.
const USUAL_TEXT: &str = "Dear Ann,\n\nthank you for the flowers! They stand on my desk, and everyone who comes in asks who they \
                          are from. Come and see them soon: there is tea, and the last of the plum cake.\n\nYours, Tom";

/// What is said of a hand.
#[derive(Deserialize, JsonSchema, Clone, Debug, Default, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "HandRequest")]
pub(in crate::http) struct HandPart {
    /// Family name of the hand, on one line.
    #[schemars(length(min = 1, max = 64))]
    name: Option<String>,
    /// All boxes that are used whatever is doubted: page, row and box, from 1, as `doubts` of the report names them. Without
    /// it, those of the record.
    #[schemars(length(max = 312), inner(length(min = 3, max = 3)))]
    keep: Option<Vec<Vec<usize>>>,
    /// The words of the trial.
    #[schemars(length(min = 1, max = 600))]
    text: Option<String>,
    /// The saved hand of this key that is replaced. Without it a new one is saved.
    #[schemars(range(min = 1001, max = 1999))]
    font_id: Option<u16>,
}

/// A request for a hand.
pub(super) struct HandBody {
    pub(super) input: HandInput,
    /// Whether the client named the hand.
    pub(super) has_name: bool,
    /// The hand that is replaced.
    pub(super) replaces: Option<u16>,
}

impl HandBody {
    /// Reads and checks the body. Each piece of it must arrive within `patience`.
    pub(super) async fn read(request: Request, patience: Duration) -> Result<Self, ApiError> {
        if !is_in_parts(&request) {
            return Err(ApiError::NOT_PARTS);
        }
        let reading = timeout(LONGEST_BODY, read_parts(request, patience)).await;
        let (said, mut input) = reading.unwrap_or(Err(ApiError::RequestTimeout))?;
        if input.files.is_empty() && input.record.is_none() {
            let message = "Field required: pictures of a filled sheet, or the record of a hand";
            return Err(ApiError::refused(PICTURES, ViolationKind::Missing, message));
        }
        if input.files.len() > MOST_FILES {
            let message = format!("Input should have at most {MOST_FILES} files");
            return Err(ApiError::refused(PICTURES, ViolationKind::TooLong, message));
        }
        let (has_name, replaces) = (said.name.is_some(), said.font_id);
        input.order = order(said)?;
        Ok(Self { input, has_name, replaces })
    }
}

/// What is said of a hand, and its pictures or its record.
async fn read_parts(request: Request, patience: Duration) -> Result<(HandPart, HandInput), ApiError> {
    let (mut said, mut input) = (HandPart::default(), HandInput::default());
    let mut parts = Parts::of(request, LARGEST_JOB, patience).await?;
    while let Some(mut part) = parts.next().await? {
        match part.name.as_str() {
            HAND => said = described(&part.read().await?)?,
            PICTURES => input.files.push((part.file_name.take().unwrap_or_default(), part.read().await?)),
            RECORD => input.record = Some(part.read().await?),
            other => {
                let message = format!("the parts of a hand are {HAND}, {PICTURES} and {RECORD}, not `{other}`");
                return Err(ApiError::refused("body", ViolationKind::ExtraForbidden, message));
            }
        }
    }
    Ok((said, input))
}

/// The part with what is said of a hand.
fn described(bytes: &[u8]) -> Result<HandPart, ApiError> {
    let value: Value = read_json(bytes)?;
    // Else a list would be taken for the members in their order.
    if !value.is_object() {
        return Err(ApiError::refused(HAND, ViolationKind::ModelType, "Input should be an object"));
    }
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let member = path.split('[').next().filter(|member| *member != ".");
        let field = member.map_or_else(|| HAND.to_owned(), |member| format!("{HAND}.{member}"));
        ApiError::refused(&field, ViolationKind::ModelType, error.inner().to_string())
    })
}

/// What is said of a hand, checked.
fn order(said: HandPart) -> Result<HandOrder, ApiError> {
    let HandPart { name, keep, text, font_id } = said;
    let wrong = |field: &str, message: String| {
        ApiError::refused(&format!("{HAND}.{field}"), ViolationKind::ValueError, message)
    };
    let name = name.unwrap_or_else(|| "My hand".to_owned());
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(wrong("name", format!("Input should have 1 to {LONGEST_NAME} characters on one line")));
    }
    let text = text.unwrap_or_else(|| USUAL_TEXT.to_owned());
    if text.trim().is_empty() || text.chars().count() > LONGEST_TEXT {
        return Err(wrong("text", format!("Input should have 1 to {LONGEST_TEXT} characters")));
    }
    let number = |numbers: Vec<usize>| <[usize; 3]>::try_from(numbers).ok();
    let keep = keep.map(|keep| {
        let boxes = keep.into_iter().map(number).collect::<Option<Vec<_>>>().filter(|keep| keep.len() <= MOST_KEPT);
        boxes.ok_or_else(|| {
            let each = "each a page, a row and a box, as [1, 3, 6]";
            wrong("keep", format!("Input should be at most {MOST_KEPT} boxes, {each}"))
        })
    });
    let keep = keep.transpose()?;
    if font_id.is_some_and(|id| !OPERATOR_IDS.contains(&id)) {
        return Err(wrong("font_id", "Input should be 1001 to 1999".to_owned()));
    }
    Ok(HandOrder { name, id: *OPERATOR_IDS.end(), keep, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(json: &'static str) -> Result<HandOrder, ApiError> {
        described(json.as_bytes()).and_then(order)
    }

    #[test]
    fn what_is_said_of_a_hand_is_checked() {
        let order = checked(r#"{"name": "Ann", "keep": [[1, 2, 3]], "text": "Hi", "font_id": 1001}"#).unwrap();
        assert_eq!((order.name.as_str(), order.keep, order.text.as_str()), ("Ann", Some(vec![[1, 2, 3]]), "Hi"));
        for (json, field) in [
            (r#"{"name": ""}"#, "hand.name"),
            (r#"{"name": "a\nb"}"#, "hand.name"),
            (r#"{"text": " "}"#, "hand.text"),
            (r#"{"keep": [[1, 2]]}"#, "hand.keep"),
            (r#"{"keep": [[1, 2, "x"]]}"#, "hand.keep"),
            (r#"{"font_id": 7}"#, "hand.font_id"),
            (r#"{"fontid": 7}"#, "hand.fontid"),
            ("[]", "hand"),
        ] {
            let Err(ApiError::Validation(violations)) = checked(json) else { panic!("{json}") };
            assert_eq!(violations[0].field(), field, "{json}");
        }
        assert!(matches!(checked("{"), Err(ApiError::InvalidRequest(_))));
    }
}
