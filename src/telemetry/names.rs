//! Every metric: its name, kind and meaning.

use metrics::{describe_counter, describe_gauge, describe_histogram};

pub(super) const REQUESTS: &str = "longhand_requests_total";
pub(super) const REQUEST_SECONDS: &str = "longhand_request_seconds";
pub(super) const RECEIVED_BYTES: &str = "longhand_request_body_bytes_total";
pub(super) const SENT_BYTES: &str = "longhand_response_body_bytes_total";
pub(super) const ERRORS: &str = "longhand_errors_total";
pub(super) const HANG_UPS: &str = "longhand_hang_ups_total";
pub(super) const STAGE_SECONDS: &str = "longhand_stage_seconds";
pub(super) const AUTHENTICATIONS: &str = "longhand_authentications_total";
pub(super) const RATE_DECISIONS: &str = "longhand_rate_decisions_total";
pub(super) const QUOTA_EVENTS: &str = "longhand_quota_events_total";
pub(super) const SHEDS: &str = "longhand_sheds_total";
pub(super) const SHED_SECONDS: &str = "longhand_shed_seconds";
pub(super) const QUEUE_DEPTH: &str = "longhand_queue_depth";
pub(super) const QUEUE_MEGAPIXELS: &str = "longhand_queue_megapixels";
pub(super) const QUEUE_MEGAPIXELS_LIMIT: &str = "longhand_queue_megapixels_limit";
pub(super) const QUEUE_WAIT: &str = "longhand_queue_wait_seconds";
pub(super) const CONNECTIONS: &str = "longhand_connections";
pub(super) const DEVICE_GENERATION: &str = "longhand_gpu_generation";
pub(super) const DEVICE_LOSSES: &str = "longhand_gpu_losses_total";
pub(super) const PASS_SECONDS: &str = "longhand_gpu_pass_seconds";
pub(super) const DEVICE_DEGRADED: &str = "longhand_gpu_degraded";
pub(super) const PANICS: &str = "longhand_panics_total";
pub(super) const SPANS: &str = "longhand_spans_total";
pub(super) const STORE_UP: &str = "longhand_store_up";
pub(super) const WAITING_CHARGES: &str = "longhand_waiting_charges";
pub(super) const READY: &str = "longhand_ready";
pub(super) const BUILD: &str = "longhand_build_info";
pub(super) const UPTIME: &str = "longhand_uptime_seconds";

/// Gives every metric its `HELP` line.
pub(super) fn describe() {
    describe_counter!(REQUESTS, "Responses, by endpoint and status.");
    describe_histogram!(REQUEST_SECONDS, "Time from the head of a request to its response, by endpoint.");
    describe_counter!(RECEIVED_BYTES, "Bytes of request bodies that were read, by endpoint.");
    describe_counter!(SENT_BYTES, "Bytes of response bodies, by endpoint.");
    describe_counter!(ERRORS, "Responses that are errors, by endpoint and code.");
    describe_counter!(HANG_UPS, "Requests whose client hung up before the response, by endpoint.");
    describe_histogram!(STAGE_SECONDS, "Time in one stage of a request, by stage.");
    describe_counter!(AUTHENTICATIONS, "Keys presented, by outcome.");
    describe_counter!(RATE_DECISIONS, "Decisions of the rate limit, by endpoint and decision.");
    describe_counter!(QUOTA_EVENTS, "Reservations of monthly quotas, by event.");
    describe_counter!(SHEDS, "Requests and connections refused because of overload, by reason.");
    describe_histogram!(SHED_SECONDS, "Time from the head of a request to its refusal because of overload, by reason.");
    describe_gauge!(QUEUE_DEPTH, "Pages that wait or are being rendered.");
    describe_gauge!(QUEUE_MEGAPIXELS, "Estimated megapixels of inked strips of the waiting pages.");
    describe_gauge!(QUEUE_MEGAPIXELS_LIMIT, "Megapixels that may wait before every further page is refused.");
    describe_gauge!(QUEUE_WAIT, "Estimated seconds until all waiting pages are started, at the current speed.");
    describe_gauge!(CONNECTIONS, "Open connections, by listener.");
    describe_gauge!(DEVICE_GENERATION, "Number of times that a device was opened since the start, by its number.");
    describe_counter!(DEVICE_LOSSES, "Number of times that a device failed, hung or was lost, by its number.");
    describe_histogram!(
        PASS_SECONDS,
        "Time of a pass on the device in one submission, which draws a page or several small ones, by pass."
    );
    describe_gauge!(
        DEVICE_DEGRADED,
        "1 while a device has failed too often: it is away, or the software adapter draws."
    );
    describe_counter!(PANICS, "Panics, each of which cost one request at most.");
    describe_counter!(SPANS, "Spans of traces, by whether they were sent to the collector or dropped.");
    describe_gauge!(STORE_UP, "1 while the store of keys and usage answers and accepts charges.");
    describe_gauge!(WAITING_CHARGES, "Charges that are durable on this instance and not in the shared store yet.");
    describe_gauge!(READY, "1 while the service is ready for requests.");
    describe_gauge!(BUILD, "Always 1; the labels are the version and the device.");
    describe_gauge!(UPTIME, "Seconds since the service started.");
}
