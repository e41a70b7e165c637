//! Every metric: its kind, name and meaning.

use metrics::{describe_counter, describe_gauge, describe_histogram};

/// A constant for the name of each metric, and `describe`.
macro_rules! metrics {
    ($($describe:ident!($constant:ident, $name:literal, $help:literal);)*) => {
        $(pub(super) const $constant: &str = $name;)*

        /// Gives every metric its `HELP` line.
        pub(super) fn describe() {
            $($describe!($constant, $help);)*
        }
    };
}

metrics! {
    describe_counter!(REQUESTS, "longhand_requests_total", "Responses, by endpoint and status.");
    describe_histogram!(REQUEST_SECONDS, "longhand_request_seconds",
        "Time from the head of a request to its response, by endpoint.");
    describe_counter!(RECEIVED_BYTES, "longhand_request_body_bytes_total",
        "Bytes of request bodies that were read, by endpoint.");
    describe_counter!(SENT_BYTES, "longhand_response_body_bytes_total", "Bytes of response bodies, by endpoint.");
    describe_counter!(ERRORS, "longhand_errors_total", "Responses that are errors, by endpoint and code.");
    describe_counter!(HANG_UPS, "longhand_hang_ups_total",
        "Requests whose client hung up before the response, by endpoint.");
    describe_histogram!(STAGE_SECONDS, "longhand_stage_seconds", "Time in one stage of a request, by stage.");
    describe_counter!(AUTHENTICATIONS, "longhand_authentications_total", "Keys presented, by outcome.");
    describe_counter!(RATE_DECISIONS, "longhand_rate_decisions_total",
        "Decisions of the rate limit, by endpoint and decision.");
    describe_counter!(QUOTA_EVENTS, "longhand_quota_events_total", "Reservations of monthly quotas, by event.");
    describe_counter!(KEY_CHARGES, "longhand_key_charges_total",
        "Requests and rows of jobs charged, by key; the keys beyond the first 100 are counted together.");
    describe_counter!(SHEDS, "longhand_sheds_total",
        "Requests and connections refused because of overload, by reason.");
    describe_histogram!(SHED_SECONDS, "longhand_shed_seconds",
        "Time from the head of a request to its refusal because of overload, by reason.");
    describe_gauge!(QUEUE_DEPTH, "longhand_queue_depth", "Pages that wait or are being rendered.");
    describe_gauge!(QUEUE_MEGAPIXELS, "longhand_queue_megapixels",
        "Estimated megapixels of inked strips of the waiting pages.");
    describe_gauge!(QUEUE_MEGAPIXELS_LIMIT, "longhand_queue_megapixels_limit",
        "Megapixels that may wait before every further page is refused.");
    describe_gauge!(QUEUE_WAIT, "longhand_queue_wait_seconds",
        "Estimated seconds until all waiting pages are started, at the current speed.");
    describe_gauge!(CONNECTIONS, "longhand_connections", "Open connections, by listener.");
    describe_gauge!(DEVICE_GENERATION, "longhand_gpu_generation",
        "Number of times that a device was opened since the start, by its number.");
    describe_counter!(DEVICE_LOSSES, "longhand_gpu_losses_total",
        "Number of times that a device failed, hung or was lost, by its number.");
    describe_histogram!(PASS_SECONDS, "longhand_gpu_pass_seconds",
        "Time of a pass on the device in one submission, which draws a page or several small ones, by pass.");
    describe_gauge!(DEVICE_DEGRADED, "longhand_gpu_degraded",
        "1 while a device has failed too often: it is away, or the software adapter draws.");
    describe_counter!(PANICS, "longhand_panics_total", "Panics, each of which cost one request at most.");
    describe_counter!(SPANS, "longhand_spans_total",
        "Spans of traces, by whether they were sent to the collector or dropped.");
    describe_gauge!(STORE_UP, "longhand_store_up", "1 while the store of keys and usage answers and accepts charges.");
    describe_gauge!(WAITING_CHARGES, "longhand_waiting_charges",
        "Charges that are durable on this instance and not in the shared store yet.");
    describe_gauge!(READY, "longhand_ready", "1 while the service is ready for requests.");
    describe_gauge!(BUILD, "longhand_build_info", "Always 1; the labels are the version and the device.");
    describe_gauge!(UPTIME, "longhand_uptime_seconds", "Seconds since the service started.");
}
