//! A row of the table of routes: all that the service knows of a path before a request.
//!
//! `routes` is the table. The router, the rate limit, metrics, traces, errors and the `OpenAPI` document read it.

use std::sync::Arc;

use axum::routing::{MethodFilter, MethodRouter};
use serde_json::Value;

use crate::access::LimitedEndpoint;
use crate::http::Service;
use crate::spec::Endpoint;

/// Where clients make links, and where the page of a link is shown.
pub(super) const LINKS: &str = "/api/v1/links";
pub(super) const SHARED: &str = "/api/v1/shared";

/// A path and the method that it answers.
#[derive(Debug)]
pub(in crate::http) struct Route {
    pub(in crate::http) method: MethodFilter,
    /// As the router matches it, in whole segments: the document has `{name}.svg` for `{file}`.
    pub(in crate::http) path: &'static str,
    /// Its name in metrics and traces.
    pub(in crate::http) name: &'static str,
    /// Makes the handler of the method.
    pub(in crate::http) handler: fn(MethodFilter) -> MethodRouter<Arc<Service>>,
    /// The limit that its requests count toward. A route without one needs no key.
    pub(in crate::http) limit: Option<LimitedEndpoint>,
    work: Work,
    /// What its body is, if it has one.
    pub(in crate::http) body: Option<BodyKind>,
    /// Its entry in the API document, if it is part of the API.
    pub(in crate::http) operation: Option<Operation>,
}

/// What the body of a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum BodyKind {
    /// A request for a page.
    Page(Endpoint),
    /// A new job.
    Job,
    /// Pictures of a filled sheet, or the record of a hand.
    Hand,
    /// A picture.
    Artwork,
}

/// Who pays for what a request renders or lays out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http) enum Work {
    /// Nothing is rendered or laid out.
    Nothing,
    /// Nobody: the result is kept for all clients.
    Kept,
    /// Nobody, and the work of each key is limited.
    Free,
    /// The monthly quota of the key.
    Charged,
}

/// Makes a part of the document.
type Part = fn() -> Value;

/// Entry of a route in the API document.
#[derive(Debug)]
pub(in crate::http) struct Operation {
    pub(in crate::http) id: &'static str,
    pub(in crate::http) summary: &'static str,
    /// Without the rate limit, which the document adds.
    pub(in crate::http) description: &'static str,
    /// Parameters of path and query.
    pub(in crate::http) parameters: &'static [Part],
    /// Kind of a successful answer.
    pub(in crate::http) success: &'static str,
    /// Schema and example of an answer in JSON.
    pub(in crate::http) json: Option<(&'static str, Part)>,
    /// Files that it may answer with.
    pub(in crate::http) files: &'static [File],
}

/// A kind of file that is an answer.
#[derive(Debug)]
pub(in crate::http) struct File {
    pub(in crate::http) media_type: &'static str,
    /// Whether generators of clients take it for text.
    pub(in crate::http) is_text: bool,
    /// Whether a part of it can be asked for (RFC 9110, section 14).
    pub(in crate::http) has_ranges: bool,
    /// Headers beside those of every answer.
    pub(in crate::http) headers: &'static [&'static [&'static str]],
}

/// An operation without parameters, JSON and files.
pub(super) const PLAIN: Operation =
    Operation { id: "", summary: "", description: "", parameters: &[], success: "", json: None, files: &[] };

impl Route {
    /// A route for everybody that the document leaves out.
    pub(in crate::http) const fn get(
        path: &'static str,
        name: &'static str,
        handler: fn(MethodFilter) -> MethodRouter<Arc<Service>>,
    ) -> Self {
        let (method, work) = (MethodFilter::GET, Work::Nothing);
        Self { method, path, name, handler, limit: None, work, body: None, operation: None }
    }

    /// A route for clients with a key, within this limit, that renders and lays out nothing.
    pub(in crate::http) const fn keyed(
        limit: LimitedEndpoint,
        path: &'static str,
        name: &'static str,
        handler: fn(MethodFilter) -> MethodRouter<Arc<Service>>,
    ) -> Self {
        Self { limit: Some(limit), ..Self::get(path, name, handler) }
    }

    /// A route with a body.
    pub(in crate::http) const fn post(
        path: &'static str,
        name: &'static str,
        body: Endpoint,
        handler: fn(MethodFilter) -> MethodRouter<Arc<Service>>,
    ) -> Self {
        Self { method: MethodFilter::POST, body: Some(BodyKind::Page(body)), ..Self::get(path, name, handler) }
    }

    /// The route of another method.
    pub(super) const fn by(self, method: MethodFilter) -> Self {
        Self { method, ..self }
    }

    /// The route that takes a new job.
    pub(super) const fn with_job(self) -> Self {
        Self { method: MethodFilter::POST, body: Some(BodyKind::Job), ..self }
    }

    /// The route that takes pictures of a sheet.
    pub(super) const fn with_hand(self) -> Self {
        Self { method: MethodFilter::POST, body: Some(BodyKind::Hand), ..self }
    }

    /// The route that takes a picture.
    pub(super) const fn with_picture(self) -> Self {
        Self { method: MethodFilter::POST, body: Some(BodyKind::Artwork), ..self }
    }

    /// The route for clients with a key, within this limit.
    pub(in crate::http) const fn limited(self, limit: LimitedEndpoint, work: Work) -> Self {
        Self { limit: Some(limit), work, ..self }
    }

    /// The route in the document.
    pub(super) const fn documented(self, operation: Operation) -> Self {
        Self { operation: Some(operation), ..self }
    }

    pub(in crate::http) const fn needs_key(&self) -> bool {
        self.limit.is_some()
    }

    pub(in crate::http) const fn has_body(&self) -> bool {
        self.body.is_some()
    }

    pub(in crate::http) fn takes_job(&self) -> bool {
        self.body == Some(BodyKind::Job)
    }

    pub(in crate::http) fn takes_hand(&self) -> bool {
        self.body == Some(BodyKind::Hand)
    }

    /// Whether it is asked with a link instead of a key.
    pub(in crate::http) fn shows_link(&self) -> bool {
        self.path == SHARED
    }

    pub(in crate::http) fn takes_picture(&self) -> bool {
        self.body == Some(BodyKind::Artwork)
    }

    pub(in crate::http) fn is_of_artwork(&self) -> bool {
        self.limit == Some(LimitedEndpoint::Artwork)
    }

    pub(in crate::http) fn is_of_jobs(&self) -> bool {
        matches!(self.limit, Some(LimitedEndpoint::Jobs | LimitedEndpoint::JobFiles))
    }

    pub(in crate::http) fn is_of_hands(&self) -> bool {
        self.limit == Some(LimitedEndpoint::Hands)
    }

    fn is_of_links(&self) -> bool {
        self.path == LINKS || self.shows_link()
    }

    /// The kind of request for a page in its body, if it takes one.
    pub(in crate::http) const fn page_body(&self) -> Option<Endpoint> {
        match self.body {
            Some(BodyKind::Page(endpoint)) => Some(endpoint),
            _ => None,
        }
    }

    /// Whether it answers with parts of files.
    pub(in crate::http) fn sends_ranges(&self) -> bool {
        self.operation.iter().flat_map(|operation| operation.files).any(|file| file.has_ranges)
    }

    pub(in crate::http) const fn takes_page(&self) -> bool {
        self.page_body().is_some()
    }

    /// Whether it names something that may not be there.
    pub(in crate::http) fn may_miss(&self) -> bool {
        self.path.contains('{')
            || self.limit == Some(LimitedEndpoint::Jobs)
            || self.is_of_hands()
            || self.is_of_links()
            || self.is_of_artwork()
    }

    /// Whether it lays a page out or makes one, or decodes pictures.
    pub(in crate::http) fn renders(&self) -> bool {
        self.work != Work::Nothing || self.takes_job() || self.takes_hand() || self.takes_picture()
    }

    /// Whether a body or query that it does not understand is refused by its fields.
    pub(in crate::http) fn checks_fields(&self) -> bool {
        let parameters = self.operation.iter().flat_map(|operation| operation.parameters);
        self.renders() || parameters.into_iter().any(|parameter| parameter()["in"] == "query")
    }

    /// Whether it draws or lays out for free as long as the key's work is within its limit. A job's first row is laid
    /// out before the job is taken.
    pub(in crate::http) fn spends_free_work(&self) -> bool {
        self.work == Work::Free || self.takes_job()
    }

    /// Whether a request with an `Idempotency-Key` is carried out once.
    pub(in crate::http) fn is_idempotent(&self) -> bool {
        self.is_charged() || self.takes_job()
    }

    pub(in crate::http) fn is_charged(&self) -> bool {
        self.work == Work::Charged
    }
}
