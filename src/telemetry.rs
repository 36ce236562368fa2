//! Logging: lines for people on a terminal, JSON for machines elsewhere, always to standard error.
//!
//! At info and above no line holds a key, a client's address or the text of a request.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::reload::{Error, Handle};

use crate::config::LogFormat;

/// What is logged, to be changed while the process runs.
pub struct LogFilter(Box<dyn Fn(EnvFilter) -> Result<(), Error> + Send + Sync>);

impl LogFilter {
    fn of<S: 'static>(handle: Handle<EnvFilter, S>) -> Self {
        Self(Box::new(move |filter| handle.reload(filter)))
    }

    /// Logs what this filter lets through from now on.
    pub fn set(&self, filter: EnvFilter) {
        if let Err(error) = (self.0)(filter) {
            tracing::error!(%error, "the log filter stays as it was");
        }
    }
}

/// Starts logging for this process and sends panics the same way.
pub fn start(filter: EnvFilter, format: LogFormat) -> LogFilter {
    let json = match format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !std::io::stderr().is_terminal(),
    };
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    log_panics();
    if json {
        let lines = lines
            .json()
            .flatten_event(true)
            .with_current_span(false)
            .with_span_list(false)
            .with_filter_reloading();
        let filter = LogFilter::of(lines.reload_handle());
        lines.init();
        return filter;
    }
    let lines = lines.with_filter_reloading();
    let filter = LogFilter::of(lines.reload_handle());
    lines.init();
    filter
}

fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("no message");
        let place = panic.location().map(tracing::field::display);
        tracing::error!(place, "panicked: {message}");
    }));
}
