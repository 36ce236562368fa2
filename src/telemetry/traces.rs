//! Exports traces by OTLP (protobuf over HTTP) to the collector that OpenTelemetry's standard environment variables name.
//!
//! A separate thread sends spans in batches. A request never waits for this thread: while the queue is full, spans are dropped.
//! Source: <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/>.

#[cfg(feature = "otlp")]
mod exporter;

use std::env;

use thiserror::Error;
use url::Url;

/// The environment variables that name the collector. The first takes precedence.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];
const PROTOCOLS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    "OTEL_EXPORTER_OTLP_PROTOCOL",
];
const COMPRESSIONS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION",
    "OTEL_EXPORTER_OTLP_COMPRESSION",
];

/// Why traces cannot be exported.
#[derive(Debug, Error)]
pub enum TracesError {
    /// An environment variable has an invalid value. The message does not repeat the value, because it may contain a password.
    #[error("{variable}: not usable; expected {expected}")]
    Variable {
        /// The variable's name.
        variable: &'static str,
        /// The accepted values.
        expected: &'static str,
    },
    /// The exporter or its thread did not start.
    #[error("cannot start the export of traces: {0}")]
    Start(String),
}

/// Checks the environment variables that name a collector and configure the connection to it.
///
/// # Errors
/// For the first variable that cannot be used.
pub fn check_variables() -> Result<(), TracesError> {
    collector_variable().map(drop)
}

/// The environment variable that names the collector; `None` if it is not set or traces are turned off.
fn collector_variable() -> Result<Option<&'static str>, TracesError> {
    let is_off = env_text("OTEL_SDK_DISABLED").eq_ignore_ascii_case("true")
        || env_text("OTEL_TRACES_EXPORTER") == "none";
    let Some((endpoint, url)) = first_set(ENDPOINTS).filter(|_| !is_off) else {
        return Ok(None);
    };
    if !is_collector_url(&url) {
        return Err(TracesError::Variable {
            variable: endpoint,
            expected: "a URL such as http://localhost:4318, without a password; set OTEL_EXPORTER_OTLP_HEADERS to send credentials",
        });
    }
    let options: [(_, &[&str], _); 2] = [
        (PROTOCOLS, &["http/protobuf"], "http/protobuf"),
        (
            COMPRESSIONS,
            &["none"],
            "the value none, because traces are sent uncompressed",
        ),
    ];
    for (variables, accepted, expected) in options {
        if let Some((variable, value)) = first_set(variables)
            && !accepted.contains(&value.as_str())
        {
            return Err(TracesError::Variable { variable, expected });
        }
    }
    Ok(Some(endpoint))
}

fn is_collector_url(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
    })
}

/// The first of these variables that is not empty, with its value.
fn first_set(names: [&'static str; 2]) -> Option<(&'static str, String)> {
    let mut set = names.into_iter().map(|name| (name, env_text(name)));
    set.find(|(_, value)| !value.is_empty())
}

fn env_text(name: &str) -> String {
    env::var(name).unwrap_or_default().trim().to_owned()
}

/// The running export of traces. It lasts from the start of the service to its end.
pub struct TraceExport {
    #[cfg(feature = "otlp")]
    provider: Option<opentelemetry_sdk::trace::SdkTracerProvider>,
}

impl TraceExport {
    /// Starts the export if the environment names a collector. The collector need not answer yet. Call this before the routes are
    /// created, because the routes of each listener take their tracer when they are created. A build without the feature `otlp` only
    /// logs that it exports no traces.
    ///
    /// # Errors
    /// If an environment variable has an invalid value, or the exporter or its thread cannot start.
    pub fn start() -> Result<Self, TracesError> {
        let endpoint = collector_variable()?;
        #[cfg(not(feature = "otlp"))]
        if let Some(endpoint) = endpoint {
            tracing::warn!(
                "{endpoint} is set, but this program was built without the feature otlp: no traces are sent"
            );
        }
        Ok(Self {
            #[cfg(feature = "otlp")]
            provider: endpoint.map(exporter::start).transpose()?,
        })
    }

    /// Sends the last spans, for at most two seconds. Do not call this on a thread of the async runtime.
    pub fn shut_down(self) {
        #[cfg(feature = "otlp")]
        if let Some(provider) = self.provider {
            exporter::shut_down(&provider);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_an_http_url_without_a_password() {
        for url in ["http://localhost:4318", "https://traces.example.org/otlp"] {
            assert!(is_collector_url(url), "{url}");
        }
        for url in [
            "localhost:4318",
            "grpc://localhost:4317",
            "http://user:secret@localhost",
            "http://",
            "4318",
        ] {
            assert!(!is_collector_url(url), "{url}");
        }
    }
}
