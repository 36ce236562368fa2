//! Logging: lines for people on a terminal, JSON for machines elsewhere, always to standard error.
//!
//! At info and above no line holds a key, a client's address or the text of a request.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Starts logging for this process and sends panics the same way.
pub fn start(filter: EnvFilter, format: LogFormat) {
    let json = match format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !std::io::stderr().is_terminal(),
    };
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    if json {
        lines
            .json()
            .flatten_event(true)
            .with_current_span(false)
            .with_span_list(false)
            .init();
    } else {
        lines.init();
    }
    log_panics();
}

fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map(tracing::field::display);
        tracing::error!(place, "panicked: {message}");
    }));
}
