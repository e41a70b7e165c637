//! `GET /api/v1/fonts/{id}/specimen.png`: a picture of one font. `GET /api/v1/fonts/specimens.png`: a picture of the
//! client's words in all fonts.

use std::string::FromUtf8Error;

use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::percent_decode_str;

use super::query;
use crate::catalogue::{FontId, FontNames};
use crate::http::errors::table::ApiError;
use crate::http::routes::admission::Admission;
use crate::pipeline::SpecimenWords;
use crate::spec::ViolationKind;

/// Clients may cache a picture for a day. Shared caches may not, as the request needs a key.
const KEEP: &str = "private, max-age=86400";
/// Pictures with an operator's fonts for a minute: the operator may replace the font.
const KEEP_SHORTLY: &str = "private, max-age=60";

pub(in crate::http) async fn specimen(
    admission: Admission,
    id: Result<Path<String>, PathRejection>,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    // A path that is not UTF-8 is no number.
    let font = id.ok().and_then(|Path(id)| font_of(&id)).ok_or(ApiError::NO_SUCH_FONT)?;
    let varies = is_true(query.as_deref().unwrap_or_default())?;
    let service = &admission.service;
    if !service.fonts_of(&admission.client.key_id).has(font) {
        return Err(ApiError::NO_SUCH_FONT);
    }
    let drawn = service.fonts().specimen(font, varies);
    let picture = if let Some(picture) = drawn.get() {
        picture.clone()
    } else {
        let picture = Bytes::from(admission.drawn(service.renderer.specimen(font, varies)).await?);
        // A concurrent request draws the same bytes.
        drawn.get_or_init(|| picture).clone()
    };
    let keep = if font.is_bundled() { KEEP } else { KEEP_SHORTLY };
    Ok(([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, keep)], picture).into_response())
}

/// Answers with the words of the query in all fonts.
pub(in crate::http) async fn words(admission: Admission, RawQuery(query): RawQuery) -> Result<Response, ApiError> {
    let service = &admission.service;
    let fonts = service.fonts_of(&admission.client.key_id);
    let words = words_of(query.as_deref().unwrap_or_default(), &fonts.names)?;
    let picture = admission.drawn(service.renderer.specimen_words(words, admission.tenant())).await?;
    let keep = if fonts.names.operators().next().is_none() { KEEP } else { KEEP_SHORTLY };
    admission.answer([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, keep)], picture)
}

fn words_of(query: &str, fonts: &FontNames) -> Result<SpecimenWords, ApiError> {
    let text =
        value_of(query, "text")?.ok_or_else(|| ApiError::refused("text", ViolationKind::Missing, "Field required"))?;
    if text.trim().is_empty() || text.chars().count() > SpecimenWords::LONGEST || text.contains(char::is_control) {
        let message = format!(
            "Input should be one line of 1 to {} characters, got {}",
            SpecimenWords::LONGEST,
            text.chars().count()
        );
        return Err(ApiError::refused("text", ViolationKind::ValueError, message));
    }
    Ok(SpecimenWords { text, varies: is_true(query)?, fonts: fonts.clone() })
}

/// The value of the last parameter of this name. Other parameters are ignored.
fn value_of(query: &str, name: &str) -> Result<Option<String>, ApiError> {
    let is_named = |given: &str| decoded(given).is_ok_and(|given| given == name);
    let mut values = query::pairs(query).filter(|(given, _)| is_named(given)).map(|(_, value)| value);
    let value = values.next_back().map(decoded).transpose();
    value.map_err(|_| ApiError::refused(name, ViolationKind::ValueError, "Input should be UTF-8"))
}

/// A name or value of a query, decoded as HTML forms encode it. A `%` without two hexadecimal digits stands for itself.
fn decoded(text: &str) -> Result<String, FromUtf8Error> {
    String::from_utf8(percent_decode_str(&text.replace('+', " ")).collect())
}

/// Whether the query asks for writer variation.
fn is_true(query: &str) -> Result<bool, ApiError> {
    match value_of(query, "variation")?.as_deref().unwrap_or("false") {
        "true" => Ok(true),
        "false" => Ok(false),
        other => {
            let message = format!("Input should be true or false, got '{}'", other.escape_default());
            Err(ApiError::refused("variation", ViolationKind::BoolType, message))
        }
    }
}

/// The font of this number, written without sign or leading zeros.
fn font_of(id: &str) -> Option<FontId> {
    let number = id.parse().ok().and_then(FontId::new)?;
    (number.get().to_string() == id).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_query_are_decoded_and_must_be_utf_8() {
        let value = |query: &str| value_of(query, "text");
        for (query, text) in [
            ("text=Gr%C3%BC%c3%9fe+an%20Ann%2C", "Grüße an Ann,"),
            ("text=no&te%78t=100%&other=%FF", "100%"),
            ("text=%4", "%4"),
            ("text=%+1%zz", "% 1%zz"),
            ("text=a=b&variation=true", "a=b"),
            ("text", ""),
            ("%FF=1&text=%EF%BF%BD", "\u{FFFD}"),
        ] {
            assert_eq!(value(query).unwrap().as_deref(), Some(text), "{query}");
        }
        assert_eq!(value("tex=a&texts=b").unwrap(), None);
        for query in ["text=%F4%90%80%80", "text=a%FFb", "text=%C3", "text=%ED%A0%80", "te%78t=%C0%80"] {
            let ApiError::Validation(violations) = value(query).unwrap_err() else { panic!("{query}") };
            let said = format!("{violations:?}");
            assert!(said.contains("text") && said.contains("UTF-8"), "{said}");
        }
    }

    #[test]
    fn a_number_is_written_in_one_way_only() {
        assert_eq!(font_of("90"), FontId::new(90));
        for id in ["", "0", "91", "07", "+7", "7.0", " 7", "seven", "300"] {
            assert_eq!(font_of(id), None, "{id:?}");
        }
    }
}
