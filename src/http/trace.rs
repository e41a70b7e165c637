//! The span of a request, for a collector of traces.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;

use super::exchange::Exchange;
use crate::access::KeyId;
use crate::clock::Clock;
use crate::telemetry::{Span, SpanContext, Traces};

/// Where a caller names its own span (W3C Trace Context).
const TRACEPARENT: &str = "traceparent";

/// A span that is not over yet.
pub(super) struct Trace {
    traces: Arc<Traces>,
    context: SpanContext,
    endpoint: &'static str,
    route: Option<MatchedPath>,
    method: &'static str,
    exchange: Exchange,
    clock: Clock,
}

impl Trace {
    /// The span of `exchange`, below the caller's own; `None` where the caller asks for none to be recorded.
    pub(super) fn begin(
        traces: Arc<Traces>,
        endpoint: &'static str,
        request: &Request,
        exchange: &Exchange,
        clock: &Clock,
    ) -> Option<Self> {
        let mut parents = request.headers().get_all(TRACEPARENT).iter();
        // Two are none.
        let parent = parents.next().filter(|_| parents.next().is_none());
        Some(Self {
            traces,
            context: SpanContext::begin(parent.and_then(|parent| parent.to_str().ok()))?,
            endpoint,
            route: request.extensions().get().cloned(),
            method: method_name(request.method()),
            exchange: exchange.clone(),
            clock: clock.clone(),
        })
    }

    /// The trace, as the log names it.
    pub(super) fn id(&self) -> String {
        self.context.trace()
    }

    /// The exchange is over: answered with `status`, or left by its caller.
    pub(super) fn end(self, status: Option<u16>, error: Option<&'static str>) {
        let notes = self.exchange.notes().clone();
        self.traces.record(Span {
            context: self.context,
            endpoint: self.endpoint,
            route: self.route.map(|route| route.as_str().to_owned()),
            method: self.method,
            status,
            error,
            request_id: self.exchange.id.as_str().to_owned(),
            key_id: notes.caller.as_ref().map(KeyId::as_str).map(str::to_owned),
            ended: self.clock.now(),
            took: self.clock.monotonic().duration_since(self.exchange.started),
            stages: notes.stages.met().collect(),
        });
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
