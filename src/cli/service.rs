//! A running service, as commands ask it.
//!
//! Input: its address, a key, and paths under `/api/v1`. Output: JSON, or a file. What the service refuses is a failure with
//! its message. Redirects are not followed: they would send texts and the key elsewhere.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use serde_json::Value;
use ureq::http::{Method, Request, Response};
use ureq::{Agent, AsSendBody, Body};

use super::Failure;

/// Longest wait for the answer to a request; for that to a large body, and for a large file.
const TIMEOUT: Duration = Duration::from_secs(30);
const LONG_TIMEOUT: Duration = Duration::from_secs(3600);
/// The body of a POST that needs none.
const NOTHING: &[u8] = &[];
/// Most bytes of an answer in JSON that are read.
const LARGEST_ANSWER: u64 = 16 << 20;

/// A service and a key for it.
pub(super) struct Service {
    agent: Agent,
    base: String,
    bearer: String,
}

impl Service {
    /// The service at an address such as `https://hand.example`.
    pub(super) fn new(base: &str, key: &str) -> Self {
        let config = Agent::config_builder().timeout_global(Some(TIMEOUT)).http_status_as_error(false).max_redirects(0);
        Self {
            agent: config.build().into(),
            base: base.trim_end_matches('/').to_owned(),
            bearer: format!("Bearer {key}"),
        }
    }

    /// The JSON of a path.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] if there is no answer of such a service, [`Failure::BadData`] with what it refuses.
    pub(super) fn get(&self, path: &str) -> Result<Value, Failure> {
        self.json(self.send(Method::GET, path, &[], (), TIMEOUT)?)
    }

    /// The answer to a POST without a body.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub(super) fn post(&self, path: &str) -> Result<Value, Failure> {
        self.json(self.send(Method::POST, path, &[], NOTHING, TIMEOUT)?)
    }

    /// The JSON of a path; `None` if the service has no such path.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub(super) fn get_if_there(&self, path: &str) -> Result<Option<Value>, Failure> {
        let answer = self.send(Method::GET, path, &[], (), TIMEOUT)?;
        if answer.status() == 404 { Ok(None) } else { self.json(answer).map(Some) }
    }

    /// The answer to a POST with these headers and this body.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub(super) fn post_body(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Result<Value, Failure> {
        self.json(self.send(Method::POST, path, headers, body, LONG_TIMEOUT)?)
    }

    /// The answer to a DELETE.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub(super) fn delete(&self, path: &str) -> Result<Value, Failure> {
        self.json(self.send(Method::DELETE, path, &[], (), TIMEOUT)?)
    }

    /// The text of a path.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub(super) fn text(&self, path: &str) -> Result<String, Failure> {
        let mut answer = self.send(Method::GET, path, &[], (), TIMEOUT)?;
        let text = answer.body_mut().with_config().limit(LARGEST_ANSWER).read_to_string();
        let text = text.map_err(|error| self.strange(&error))?;
        if answer.status().is_success() { Ok(text) } else { Err(refused(answer.status().as_u16(), &text)) }
    }

    /// Writes a file of the service, from its byte `start` on.
    ///
    /// # Errors
    /// As [`get`](Self::get), or it cannot be written.
    pub(super) fn download(&self, path: &str, start: u64, to: &mut impl Write) -> Result<(), Failure> {
        let range = format!("bytes={start}-");
        let headers = [("Range", range.as_str())];
        let headers = if start == 0 { &[] } else { headers.as_slice() };
        let mut answer = self.send(Method::GET, path, headers, (), LONG_TIMEOUT)?;
        match (answer.status().as_u16(), start) {
            (200, 0) | (206, _) => {}
            // The whole was there already.
            (416, _) => return Ok(()),
            (status, _) => {
                let text = answer.body_mut().with_config().limit(LARGEST_ANSWER).read_to_string();
                return Err(refused(status, &text.unwrap_or_default()));
            }
        }
        let copied = io::copy(&mut answer.body_mut().as_reader(), to);
        copied.map(drop).map_err(|error| Failure::Unavailable(format!("{}{path}: {error}", self.base)))
    }

    fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl AsSendBody,
        timeout: Duration,
    ) -> Result<Response<Body>, Failure> {
        let address = format!("{}/api/v1{path}", self.base);
        let request = Request::builder().method(method).uri(&address).header("Authorization", &self.bearer);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let request = request.body(body).map_err(|error| Failure::Usage(format!("{}: {error}", self.base)))?;
        let request = self.agent.configure_request(request).timeout_global(Some(timeout)).build();
        self.agent.run(request).map_err(|error| Failure::Unavailable(format!("no answer from {}: {error}", self.base)))
    }

    /// The JSON of an answer, or what the service says is wrong.
    fn json(&self, mut answer: Response<Body>) -> Result<Value, Failure> {
        let text = answer.body_mut().with_config().limit(LARGEST_ANSWER).read_to_string();
        let text = text.map_err(|error| self.strange(&error))?;
        match answer.status().as_u16() {
            200..=299 => serde_json::from_str(&text).map_err(|error| self.strange(&error)),
            status => Err(refused(status, &text)),
        }
    }

    fn strange(&self, error: &dyn Display) -> Failure {
        Failure::Unavailable(format!("{} does not answer like this service: {error}", self.base))
    }
}

/// What the service says is wrong.
fn refused(status: u16, text: &str) -> Failure {
    let body: Value = serde_json::from_str(text).unwrap_or_default();
    let said = body.get("message").and_then(Value::as_str);
    let said = said.map_or_else(|| format!("status {status}"), str::to_owned);
    let details = body.get("details").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let told = details.iter().filter_map(|detail| {
        let member = |name: &str| detail.get(name).and_then(Value::as_str);
        Some(format!("{}: {}", member("field")?, member("message")?))
    });
    let told: Vec<String> = told.filter(|_| details.len() > 1).collect();
    let said = std::iter::once(said).chain(told).collect::<Vec<_>>().join("; ");
    let failure = match status {
        // 408 and 429: it may be asked again.
        300..=399 | 408 | 429 | 500.. => Failure::Unavailable,
        _ => Failure::BadData,
    };
    failure(format!("the service says: {said}"))
}
