//! The two identifiers of a request: the one echoed in `X-Request-ID`, and the UUID in the body of a success.

use axum::http::{HeaderMap, HeaderValue};
use uuid::Uuid;

/// The header of requests and responses.
pub(in crate::http) const X_REQUEST_ID: &str = "x-request-id";

const LONGEST: usize = 128;

/// The identifiers of one request.
#[derive(Clone, Debug)]
pub(in crate::http) struct RequestId {
    /// The text of the response header, also for logs and error bodies.
    pub(in crate::http) text: String,
    /// The `request_id` of a successful body: always a UUID.
    pub(in crate::http) uuid: String,
}

impl RequestId {
    /// The client's identifier if it is well formed (`[A-Za-z0-9._:\-]{1,128}`), otherwise a new UUID. A hyphenated
    /// UUID of the client is also the UUID of the body.
    pub(in crate::http) fn of(headers: &HeaderMap) -> Self {
        let given = headers.get(X_REQUEST_ID).and_then(|value| value.to_str().ok());
        let given = given.filter(|text| is_well_formed(text.as_bytes())).map(str::to_owned);
        let text = given.unwrap_or_else(|| Uuid::new_v4().to_string());
        let uuid = if is_hyphenated_uuid(&text) { text.clone() } else { Uuid::new_v4().to_string() };
        Self { text, uuid }
    }

    /// The value of the response header.
    pub(in crate::http) fn header(&self) -> HeaderValue {
        // Both are ASCII, so the fallback is never used. An empty header is valid too.
        HeaderValue::from_str(&self.text).unwrap_or(HeaderValue::from_static(""))
    }
}

fn is_well_formed(value: &[u8]) -> bool {
    (1..=LONGEST).contains(&value.len())
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._:-".contains(byte))
}

fn is_hyphenated_uuid(text: &str) -> bool {
    text.len() == uuid::fmt::Hyphenated::LENGTH && Uuid::try_parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: &str) -> RequestId {
        let mut headers = HeaderMap::new();
        headers.insert(X_REQUEST_ID, HeaderValue::from_bytes(given.as_bytes()).unwrap());
        RequestId::of(&headers)
    }

    #[test]
    fn a_clients_uuid_names_header_and_body() {
        let given = "0B5C6F1E-8A4D-4E0B-9A55-0C1D2E3F4A5B";
        let id = of(given);
        assert_eq!((id.text.as_str(), id.uuid.as_str(), id.header().as_bytes()), (given, given, given.as_bytes()));
    }

    #[test]
    fn another_well_formed_identifier_is_echoed_and_the_body_gets_a_new_uuid() {
        for given in ["my-app:0b5c6f1e.1_2", "a", &"x".repeat(128)] {
            let id = of(given);
            assert_eq!(id.text, given);
            assert!(is_hyphenated_uuid(&id.uuid), "{}", id.uuid);
        }
    }

    #[test]
    fn an_ill_formed_or_missing_identifier_is_replaced_by_one_uuid() {
        for given in ["", "a b", "ünïcode", "x;y", "<script>", &"x".repeat(129)] {
            let id = of(given);
            assert!(is_hyphenated_uuid(&id.text), "{given:?} -> {}", id.text);
            assert_eq!(id.text, id.uuid);
        }
        let none = RequestId::of(&HeaderMap::new());
        assert!(is_hyphenated_uuid(&none.text));
    }

    #[test]
    fn other_spellings_of_a_uuid_are_echoed_but_not_taken_for_the_body() {
        let id = of("urn:uuid:0b5c6f1e-8a4d-4e0b-9a55-0c1d2e3f4a5b");
        assert_eq!(id.uuid.len(), 36);
        assert_ne!(of("0b5c6f1e8a4d4e0b9a550c1d2e3f4a5b").uuid, "0b5c6f1e8a4d4e0b9a550c1d2e3f4a5b");
    }
}
