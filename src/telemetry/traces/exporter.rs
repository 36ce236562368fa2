//! Wraps OpenTelemetry's exporter, and logs when the collector becomes unreachable and when it is reachable again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry::{Key, KeyValue, global};
use opentelemetry_otlp::SpanExporter as OtlpExporter;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};

use super::TracesError;

/// The maximum time for sending the last spans when the process stops. Spans that are not sent by then are lost.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Starts the thread that sends spans. `endpoint` is the environment variable that names the collector.
pub(super) fn start(endpoint: &'static str) -> Result<SdkTracerProvider, TracesError> {
    // Sets the cryptography library of this process. Ignores the error if it is set already, because every caller sets the same library.
    rustls::crypto::ring::default_provider()
        .install_default()
        .ok();
    let exporter = OtlpExporter::builder().with_http().build();
    let exporter = LoggedExporter {
        exporter: exporter.map_err(|error| TracesError::Start(error.to_string()))?,
        is_failing: AtomicBool::new(false),
    };
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource())
        .build();
    global::set_tracer_provider(provider.clone());
    tracing::info!("sending traces to the collector that {endpoint} names");
    Ok(provider)
}

/// Sends the remaining spans.
pub(super) fn shut_down(provider: &SdkTracerProvider) {
    if let Err(error) = provider.shutdown_with_timeout(SHUTDOWN_TIMEOUT) {
        tracing::warn!(%error, "the last traces were not sent");
    }
}

/// The attributes of this process in every trace: those from the environment, and the version. The service name is `postduif` if the
/// environment names none.
fn resource() -> Resource {
    const SERVICE_NAME: Key = Key::from_static_str("service.name");
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = || Resource::builder().with_attribute(version);
    let found = Resource::builder().build();
    let name = found.get(&SERVICE_NAME).map(|name| name.to_string());
    // OpenTelemetry names a service without a name `unknown_service`. Source: OpenTelemetry, Resource SDK.
    match name {
        Some(name) if !name.starts_with("unknown_service") => resource().build(),
        _ => resource().with_service_name("postduif").build(),
    }
}

/// Logs the first failed export, and the first successful export after it. So an unreachable collector does not fill the log.
#[derive(Debug)]
struct LoggedExporter {
    exporter: OtlpExporter,
    is_failing: AtomicBool,
}

impl SpanExporter for LoggedExporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let result = self.exporter.export(batch).await;
        let was_failing = self.is_failing.swap(result.is_err(), Ordering::Relaxed);
        match &result {
            Err(error) if !was_failing => {
                tracing::warn!(%error, "traces are not sent to the collector; they are lost until it is reachable again");
            }
            Ok(()) if was_failing => tracing::info!("traces are sent again"),
            _ => {}
        }
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
