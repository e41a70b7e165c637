//! Pages from a running service, no faster than it allows.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use ureq::http::Response;
use ureq::{Agent, Body};

use super::interrupt::Interrupt;
use super::patience::{Patience, WaitNotes};
use super::progress::Notes;
use super::renderer::{Content, Refusal, RowRenderer, RowResult};
use super::rows::imply_seed;
use crate::cli::Failure;
use crate::clock::Clock;
use crate::encode::decode_base64;
use crate::mail_merge::RowWarning;
use crate::spec::OutputName;

/// Longest wait for one page.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Largest answer that is read: a long PDF at 600 DPI is far smaller.
const LARGEST_ANSWER: u64 = 1 << 30;
/// How often a service that is away or has no room is asked again for one row.
const MOST_TRIES: u32 = 8;
/// First wait if the service names none; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(500);

/// A running service and a key to it.
pub(super) struct Server {
    agent: Agent,
    address: String,
    bearer: String,
    interrupt: Interrupt,
    waits: WaitNotes,
}

/// A page, as `/api/v1/generate` answers it.
#[derive(Deserialize)]
struct Page {
    image_base64: String,
    seed: u32,
    calculated_font_size: Option<u32>,
    warnings: Vec<RowWarning>,
}

/// The body of an error, with the members that are used here.
#[derive(Deserialize, Default)]
struct ErrorBody {
    #[serde(default)]
    error: String,
    #[serde(default)]
    message: String,
    #[serde(default)]
    details: Vec<Detail>,
}

#[derive(Deserialize)]
struct Detail {
    field: String,
    message: String,
}

/// Reaction to a response that is not a page.
enum Next {
    Refuse(Refusal),
    /// As often as the row has patience: the service says when, and why.
    Wait(Duration, String),
    /// A few times.
    TryAgain(Option<Duration>, String),
}

/// Refuses bytes that are no whole file of this format, by how they start and end.
fn check(format: OutputName, bytes: &[u8]) -> Result<(), String> {
    let [start, end] = format.facts().ends;
    let is_whole = bytes.starts_with(start) && bytes.trim_ascii_end().ends_with(end);
    is_whole.then_some(()).ok_or_else(|| format!("the file it sends is no {}", format.name().to_ascii_uppercase()))
}

impl Server {
    /// The service at `base`, such as `https://hand.example`. Waits are reported in `notes`.
    pub(super) fn new(base: &str, key: &str, interrupt: Interrupt, notes: Notes) -> Self {
        // A redirect would send texts and the key elsewhere, or lose the body.
        let config = Agent::config_builder().timeout_global(Some(TIMEOUT)).http_status_as_error(false).max_redirects(0);
        Self {
            agent: config.build().into(),
            address: format!("{}/api/v1/generate", base.trim_end_matches('/')),
            bearer: format!("Bearer {key}"),
            interrupt,
            waits: WaitNotes::new(notes, Clock::system()),
        }
    }

    fn ask(&self, body: &[u8], format: OutputName) -> Result<RowResult, Next> {
        let request = self.agent.post(&self.address).header("Authorization", &self.bearer);
        let answer = request.header("Content-Type", "application/json").send(body);
        let mut answer = answer.map_err(|error| Next::TryAgain(None, format!("{}: {error}", self.address)))?;
        let read = answer.body_mut().with_config().limit(LARGEST_ANSWER).read_to_vec();
        let bytes = read.map_err(|error| Next::TryAgain(None, format!("{}: {error}", self.address)))?;
        if answer.status() != 200 {
            return Err(next(&answer, &bytes, &self.address));
        }
        let strange = |error: &dyn std::fmt::Display| {
            Next::Refuse(Refusal::All(Failure::Unavailable(format!("{} answers no page: {error}", self.address))))
        };
        let mut files = OutputName::ALL.map(OutputName::facts).into_iter().filter(|facts| !facts.is_image);
        if files.any(|facts| header(&answer, "content-type") == Some(facts.media_type)) {
            check(format, &bytes).map_err(|error| strange(&error))?;
            return Ok(RowResult {
                seed: header(&answer, "x-seed").and_then(|seed| seed.parse().ok()).unwrap_or_default(),
                calculated_font_size: header(&answer, "x-calculated-font-size").and_then(|size| size.parse().ok()),
                warnings: header(&answer, "x-warnings")
                    .and_then(|warnings| serde_json::from_str(warnings).ok())
                    .unwrap_or_default(),
                content: Content::File(bytes),
            });
        }
        let Page { image_base64, seed, calculated_font_size, warnings } =
            serde_json::from_slice(&bytes).map_err(|error| strange(&error))?;
        let file = decode_base64(&image_base64).map_err(|error| strange(&error))?;
        check(format, &file).map_err(|error| strange(&error))?;
        Ok(RowResult { content: Content::File(file), seed, calculated_font_size, warnings })
    }
}

impl RowRenderer for Server {
    /// The seed is chosen here, so that a page that is asked for twice is the same page.
    fn make(&self, request: &Value, seed: u32) -> Result<RowResult, Refusal> {
        let mut request = request.clone();
        imply_seed(&mut request, seed);
        let body = request.to_string();
        let format = request.get(OutputName::FIELD).and_then(Value::as_str).and_then(OutputName::from_name);
        let format = format.unwrap_or_default();
        let (mut tries, mut patience) = (0, Patience::default());
        loop {
            let (asked, reason) = match self.ask(body.as_bytes(), format) {
                Ok(made) => return Ok(made),
                Err(Next::Refuse(refusal)) => return Err(refusal),
                Err(Next::Wait(asked, reason)) => (asked, reason),
                Err(Next::TryAgain(_, message)) if tries == MOST_TRIES => {
                    return Err(Refusal::All(Failure::Unavailable(message)));
                }
                Err(Next::TryAgain(asked, reason)) => {
                    tries += 1;
                    (asked.unwrap_or(FIRST_WAIT * 2_u32.pow(tries - 1)), reason)
                }
            };
            let Some(wait) = patience.wait(asked) else {
                return Err(Refusal::All(Failure::Unavailable(Patience::ended(&reason))));
            };
            self.waits.say(&reason, asked, wait);
            if !self.interrupt.wait(wait) {
                return Err(Refusal::All(Failure::Interrupted("stopped while the service was busy".to_owned())));
            }
        }
    }
}

/// Chooses the reaction to a response that is not a page.
fn next(answer: &Response<Body>, body: &[u8], address: &str) -> Next {
    let error: ErrorBody = serde_json::from_slice(body).unwrap_or_default();
    let status = answer.status().as_u16();
    let said = if error.message.is_empty() { format!("status {status}") } else { one_line(&error.message) };
    let retry_after = header(answer, "retry-after").and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
    let all = |failure: fn(String) -> Failure| Next::Refuse(Refusal::All(failure(format!("the service says: {said}"))));
    match (status, error.error.as_str(), retry_after) {
        (401 | 403, ..) => all(Failure::BadData),
        (300..=399, ..) => {
            let elsewhere = header(answer, "location").unwrap_or("nowhere");
            let message = format!(
                "{address} answers with a redirect ({status}) to {elsewhere}, which is not followed; give --server the \
                 address that answers itself"
            );
            Next::Refuse(Refusal::All(Failure::Unavailable(message)))
        }
        (429, "REQUEST_LIMIT_EXCEEDED", None) | (404 | 405, ..) => all(Failure::Unavailable),
        (429, _, Some(wait)) => Next::Wait(wait, format!("the service says: {said}")),
        (408 | 429 | 502..=504, ..) => Next::TryAgain(retry_after, format!("the service says: {said}")),
        _ if error.details.is_empty() => Next::Refuse(Refusal::Row(said)),
        _ => {
            let details = error.details.iter().map(|detail| one_line(&format!("{}: {}", detail.field, detail.message)));
            Next::Refuse(Refusal::Row(details.collect::<Vec<_>>().join("; ")))
        }
    }
}

/// What a service says, on one line.
fn one_line(text: &str) -> String {
    let line: Vec<&str> = text.split(['\n', '\r']).map(str::trim).filter(|part| !part.is_empty()).collect();
    line.join("; ")
}

fn header<'a>(answer: &'a Response<Body>, name: &str) -> Option<&'a str> {
    answer.headers().get(name)?.to_str().ok()
}
