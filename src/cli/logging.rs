//! The log: on standard error, as text or JSON.

use std::io::IsTerminal as _;
use std::panic::PanicHookInfo;

use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;
use crate::telemetry;

/// Starts logging for the rest of the process, panics included.
pub(super) fn start(filter: &str, format: LogFormat) {
    let log = tracing_subscriber::fmt()
        .with_env_filter(directives(filter))
        .with_writer(std::io::stderr)
        // A log that cannot be written (a full disk) would be reported on standard error, which is the log, by a panic.
        .log_internal_errors(false)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().flatten_event(true).with_span_list(false).init(),
    }
    std::panic::set_hook(Box::new(log_panic));
}

/// A level alone is for this crate. Other packages log warnings only.
fn directives(filter: &str) -> EnvFilter {
    let is_level = filter.parse::<tracing::Level>().is_ok();
    if is_level { EnvFilter::new(format!("warn,longhand={filter}")) } else { EnvFilter::new(filter) }
}

/// Logs where a panic happened. A formatted message may quote the text of a request, so only literal ones are shown.
fn log_panic(panic: &PanicHookInfo<'_>) {
    telemetry::panicked();
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let message = panic.payload().downcast_ref::<&'static str>().copied().unwrap_or("(not shown)");
    let thread = std::thread::current();
    tracing::error!(place, message, thread = thread.name().unwrap_or_default(), "panic");
}
