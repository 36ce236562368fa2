//! Logs to standard error, as text on a terminal and as JSON elsewhere. Also exports traces.
//!
//! At the levels info and above, no line contains a key, a client IP or the text of a request.

pub mod traces;

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::reload::{Error, Handle};

use crate::config::LogFormat;

/// Changes the log filter of the running process.
pub struct LogFilterHandle(Box<dyn Fn(EnvFilter) -> Result<(), Error> + Send + Sync>);

impl LogFilterHandle {
    fn new<S: 'static>(handle: Handle<EnvFilter, S>) -> Self {
        Self(Box::new(move |filter| handle.reload(filter)))
    }

    /// Replaces the log filter.
    pub fn set(&self, filter: EnvFilter) {
        if let Err(error) = (self.0)(filter) {
            tracing::error!(%error, "cannot change the log filter");
        }
    }
}

/// Starts logging for this process. Panics are logged too.
pub fn init(filter: EnvFilter, format: LogFormat) -> LogFilterHandle {
    let is_terminal = std::io::stderr().is_terminal();
    let json = match format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !is_terminal,
    };
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Colours only on a terminal, and not if `NO_COLOR` is set.
        .with_ansi(is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()))
        .with_writer(std::io::stderr);
    install_panic_hook();
    if json {
        let subscriber = subscriber
            .json()
            .flatten_event(true)
            .with_current_span(false)
            .with_span_list(false)
            .with_filter_reloading();
        let filter = LogFilterHandle::new(subscriber.reload_handle());
        subscriber.init();
        return filter;
    }
    let subscriber = subscriber.with_filter_reloading();
    let filter = LogFilterHandle::new(subscriber.reload_handle());
    subscriber.init();
    filter
}

fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("no message");
        let location = panic.location().map(tracing::field::display);
        tracing::error!(location, "panicked: {message}");
    }));
}
