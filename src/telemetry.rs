//! Logs to standard error, as text on a terminal and as JSON elsewhere. Also exports traces.
//!
//! At the levels info and above, no line contains a key, a client IP or the text of a request.

pub mod traces;

use std::fmt;
use std::io::{self, IsTerminal as _, Write};

use tracing::field::Field;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::field::MakeExt as _;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::{Writer, debug_fn};
use tracing_subscriber::reload::{Error, Handle};

use crate::config::LogFormat;
use crate::escape::{escape_controls, escape_lines};

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
    let is_terminal = io::stderr().is_terminal();
    let json = match format {
        LogFormat::Json => true,
        LogFormat::Text => false,
        LogFormat::Auto => !is_terminal,
    };
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Colours only on a terminal, and not if `NO_COLOR` is set.
        .with_ansi(
            is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        );
    install_panic_hook();
    if json {
        let subscriber = subscriber
            .json()
            .flatten_event(true)
            .with_current_span(false)
            .with_span_list(false)
            .with_writer(|| JsonWriter(io::stderr()))
            .with_filter_reloading();
        let filter = LogFilterHandle::new(subscriber.reload_handle());
        subscriber.init();
        return filter;
    }
    let subscriber = subscriber
        .fmt_fields(text_fields())
        .with_writer(io::stderr)
        .with_filter_reloading();
    let filter = LogFilterHandle::new(subscriber.reload_handle());
    subscriber.init();
    filter
}

/// Formats the fields of a log line as text.
fn text_fields() -> impl for<'writer> FormatFields<'writer> + Send + Sync + 'static {
    debug_fn(write_field).delimited(" ")
}

/// Writes a field of a log line as text. Its control characters are escaped, because a client or the name of a file may have sent them. Only
/// the message of the line may have several lines.
fn write_field(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    let value = format!("{value:?}");
    let name = field.name().trim_start_matches("r#");
    match name {
        "message" => write!(writer, "{}", escape_lines(&value)),
        // Italic and dimmed.
        _ if writer.has_ansi_escapes() => {
            let value = escape_controls(&value);
            write!(writer, "\x1b[3m{name}\x1b[0m\x1b[2m=\x1b[0m{value}")
        }
        _ => write!(writer, "{name}={}", escape_controls(&value)),
    }
}

/// Writes lines of JSON, and escapes the control characters that JSON permits in a string, from U+007F on. Receives whole lines.
struct JsonWriter<W>(W);

impl<W: Write> Write for JsonWriter<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        self.0.write_all(escape_lines(&text).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        let message = panic.payload_as_str().unwrap_or("no message");
        let location = panic.location().map(tracing::field::display);
        tracing::error!(location, "panicked: {message}");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Logs a line with control characters of a client; returns the line.
    fn logged(json: bool, ansi: bool) -> String {
        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(ansi);
        let log = || {
            let uri = "/\u{9b}31m\u{1b}[31m\u{2028}\n2026 INFO";
            let code = 7;
            tracing::error!(%uri, text = uri, code, "answered: {uri}");
        };
        if json {
            let subscriber = subscriber.json().flatten_event(true);
            let subscriber = subscriber.with_writer(move || JsonWriter(writer.clone()));
            tracing::subscriber::with_default(subscriber.finish(), log);
        } else {
            let subscriber = subscriber.fmt_fields(text_fields());
            let subscriber = subscriber.with_writer(move || writer.clone());
            tracing::subscriber::with_default(subscriber.finish(), log);
        }
        let bytes = lines.0.lock().expect("no panic").clone();
        String::from_utf8(bytes).expect("UTF-8")
    }

    #[test]
    fn control_characters_in_a_log_line_are_escaped() {
        let is_control = |c: char| c.is_control() && c != '\n' || c == '\u{2028}';
        let text = logged(false, false);
        assert!(!text.contains(is_control), "{text:?}");
        let fields = "uri=/\\u009b31m\\u001b[31m\\u2028\\u000a2026 INFO";
        assert!(text.contains(fields) && text.contains(" code=7"), "{text}");
        let coloured = logged(false, true);
        assert!(coloured.contains("\u{1b}[3mcode\u{1b}[0m"), "{coloured:?}");
        assert!(!coloured.contains("31m\u{1b}"), "{coloured:?}");
        let json = logged(true, false);
        assert!(!json.contains(is_control), "{json:?}");
        let line: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(line["uri"], "/\u{9b}31m\u{1b}[31m\u{2028}\n2026 INFO");
        assert_eq!(line["code"], 7);
    }
}
