//! The events, one function per event.

use std::time::Duration;

use metrics::{counter, gauge, histogram};

use super::names;

/// A request was answered with `status` after `took`, with a body of `bytes` if its length is known.
pub fn answered(endpoint: &'static str, status: u16, took: Duration, bytes: Option<u64>) {
    counter!(names::REQUESTS, "endpoint" => endpoint, "status" => status.to_string()).increment(1);
    histogram!(names::REQUEST_SECONDS, "endpoint" => endpoint).record(took);
    counter!(names::SENT_BYTES, "endpoint" => endpoint).increment(bytes.unwrap_or_default());
}

/// The response was the error `code`.
pub fn refused(endpoint: &'static str, code: &'static str) {
    counter!(names::ERRORS, "endpoint" => endpoint, "code" => code).increment(1);
}

/// The client hung up before the response.
pub fn hung_up(endpoint: &'static str) {
    counter!(names::HANG_UPS, "endpoint" => endpoint).increment(1);
}

/// A body of `bytes` was read.
pub fn received(endpoint: &'static str, bytes: u64) {
    counter!(names::RECEIVED_BYTES, "endpoint" => endpoint).increment(bytes);
}

/// A stage of a request took this time.
pub fn stage(name: &'static str, took: Duration) {
    histogram!(names::STAGE_SECONDS, "stage" => name).record(took);
}

/// A request was authenticated, with this outcome.
pub fn authenticated(outcome: &'static str) {
    counter!(names::AUTHENTICATIONS, "outcome" => outcome).increment(1);
}

/// The rate limit of `endpoint` decided.
pub fn rate(endpoint: &'static str, decision: &'static str) {
    counter!(names::RATE_DECISIONS, "endpoint" => endpoint, "decision" => decision).increment(1);
}

/// Something happened to a quota.
pub fn quota(event: &'static str) {
    counter!(names::QUOTA_EVENTS, "event" => event).increment(1);
}

/// A request was refused because of overload, `took` after its head had arrived.
pub fn shed_request(reason: &'static str, took: Duration) {
    shed(reason);
    histogram!(names::SHED_SECONDS, "reason" => reason).record(took);
}

/// A request or connection was refused because of overload.
pub fn shed(reason: &'static str) {
    counter!(names::SHEDS, "reason" => reason).increment(1);
}

/// A connection was accepted.
pub fn connection_opened(listener: &'static str) {
    gauge!(names::CONNECTIONS, "listener" => listener).increment(1);
}

/// A connection ended.
pub fn connection_closed(listener: &'static str) {
    gauge!(names::CONNECTIONS, "listener" => listener).decrement(1);
}

/// The device of this number was opened.
pub fn device_opened(device: usize) {
    gauge!(names::DEVICE_GENERATION, "device" => device.to_string()).increment(1);
    // A counter that never counted is 0, and not missing.
    counter!(names::DEVICE_LOSSES, "device" => device.to_string()).increment(0);
}

/// The device of this number failed, hung or was lost.
pub fn device_lost(device: usize) {
    counter!(names::DEVICE_LOSSES, "device" => device.to_string()).increment(1);
}

/// A pass took this time on the device in one submission.
pub fn gpu_pass(pass: &'static str, took: Duration) {
    histogram!(names::PASS_SECONDS, "pass" => pass).record(took);
}

/// This number of spans was `sent` to the collector, or `dropped`.
pub(super) fn spans(outcome: &'static str, number: u64) {
    counter!(names::SPANS, "outcome" => outcome).increment(number);
}

/// Something panicked.
pub fn panicked() {
    counter!(names::PANICS).increment(1);
}
