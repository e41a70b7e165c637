//! The trace of a request: one span, and one child span per stage.

use std::time::{Instant, SystemTime};

use axum::extract::Request;
use axum::http::Method;

use super::request_context::RequestContext;
use crate::clock::Clock;
use crate::telemetry::{PARENT_HEADERS, RequestSpan, Traces};

/// The span of a request that is being processed.
pub(super) struct RequestTrace {
    pub(super) span: RequestSpan,
    context: RequestContext,
    started: SystemTime,
}

impl RequestTrace {
    /// Begins the span of `request`; `None` if it is not sampled.
    pub(in crate::http) fn begin(
        traces: &Traces,
        request: &Request,
        context: &RequestContext,
        clock: &Clock,
    ) -> Option<Self> {
        let method = method_name(request.method());
        let route = context.route.map(|route| route.path);
        let name = route.map_or_else(|| method.to_owned(), |route| format!("{method} {route}"));
        let parent = PARENT_HEADERS
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), request.headers().get(name)?.to_str().ok()?.to_owned())));
        let started = clock.now();
        let span = traces.begin(name, &parent.collect(), started)?;
        span.set("http.request.method", method);
        span.set("longhand.endpoint", context.endpoint());
        span.set("longhand.request_id", context.id.text.clone());
        if let Some(route) = route {
            span.set("http.route", route);
        }
        Some(Self { span, context: context.clone(), started })
    }

    /// Ends the span: with the status of the response, if there is one, and the name of the error.
    pub(in crate::http) fn end(self, status: Option<u16>, error: Option<&'static str>) {
        let Self { span, context, started } = self;
        let at = |instant: Instant| started + instant.duration_since(context.started);
        let record = context.record().clone();
        for stage in &record.stages {
            let begun = stage.ended.checked_sub(stage.took).unwrap_or(context.started);
            span.stage(stage.name, at(begun), at(stage.ended));
        }
        if let Some(key_id) = &record.key_id {
            span.set("longhand.key_id", key_id.as_str().to_owned());
        }
        if let Some(status) = status {
            span.set("http.response.status_code", i64::from(status));
        }
        if let Some(error) = error {
            span.set("error.type", error);
        }
        if status.is_some_and(|status| status >= 500) {
            span.fail(error.unwrap_or_default());
        }
        span.end(started + context.elapsed());
    }
}

/// The method, from a fixed set.
fn method_name(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "OPTIONS" => "OPTIONS",
        "POST" => "POST",
        _ => "_OTHER",
    }
}
