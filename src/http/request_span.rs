//! Traces one request as an OpenTelemetry span. In builds without the feature `otlp` this module does nothing.
//!
//! Attributes have OpenTelemetry's names for HTTP servers. A span has no key, no client IP and no query string. Source:
//! <https://opentelemetry.io/docs/specs/semconv/http/http-spans/>.
#![cfg_attr(
    not(feature = "otlp"),
    expect(
        unused_variables,
        clippy::unused_self,
        reason = "no spans in this build"
    )
)]

use axum::http::Request;
use axum::response::Response;

use super::request::RequestMeta;

/// Starts the spans of requests. Without a collector, spans cost next to nothing.
pub(super) struct RequestTracer {
    #[cfg(feature = "otlp")]
    tracer: opentelemetry::global::BoxedTracer,
}

/// The span of one request. If the client leaves before it is answered, the span ends without a status.
pub(super) struct RequestSpan {
    #[cfg(feature = "otlp")]
    span: exported::ServerSpan,
}

impl RequestTracer {
    pub(super) fn new() -> Self {
        Self {
            #[cfg(feature = "otlp")]
            tracer: opentelemetry::global::tracer("postduif"),
        }
    }

    /// Starts the span of a request, within the trace that the header `traceparent` of the request names.
    pub(super) fn start<B>(&self, request: &Request<B>, meta: &RequestMeta) -> RequestSpan {
        RequestSpan {
            #[cfg(feature = "otlp")]
            span: exported::ServerSpan::start(&self.tracer, request, meta),
        }
    }
}

impl RequestSpan {
    /// Sets the name of the span to the pattern of the path, such as `/v1/addresses/{bagId}`.
    pub(super) fn set_route(&mut self, pattern: &str) {
        #[cfg(feature = "otlp")]
        self.span.set_route(pattern);
    }

    /// Ends the span. A status of 500 or above is recorded as an error of the service.
    pub(super) fn end(self, response: &Response) {
        #[cfg(feature = "otlp")]
        self.span.end(response);
    }
}

#[cfg(feature = "otlp")]
mod exported {
    use axum::http::{HeaderMap, Method, Request, Version};
    use axum::response::Response;
    use opentelemetry::global::{BoxedSpan, BoxedTracer};
    use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
    use opentelemetry::trace::{Span as _, SpanKind, Status, Tracer as _};
    use opentelemetry::{Context, KeyValue};
    use opentelemetry_sdk::propagation::TraceContextPropagator;

    use crate::http::redacted::Redacted;
    use crate::http::request::RequestMeta;

    /// A span with OpenTelemetry's names for HTTP servers.
    pub(super) struct ServerSpan {
        span: BoxedSpan,
        /// The first word of the span's name: the method, or `HTTP` if the method is not a standard one.
        name: &'static str,
    }

    impl ServerSpan {
        pub(super) fn start<B>(
            tracer: &BoxedTracer,
            request: &Request<B>,
            meta: &RequestMeta,
        ) -> Self {
            let headers = TraceHeaders(request.headers());
            let parent =
                TraceContextPropagator::new().extract_with_context(&Context::new(), &headers);
            let method = known_method(request.method());
            let name = if method == OTHER_METHOD {
                "HTTP"
            } else {
                method
            };
            let builder = tracer.span_builder(name).with_kind(SpanKind::Server);
            let mut span = builder.start_with_context(tracer, &parent);
            if span.is_recording() {
                let path = Redacted(request.uri().path()).to_string();
                span.set_attributes([
                    KeyValue::new("http.request.method", method),
                    KeyValue::new("url.scheme", "http"),
                    KeyValue::new("url.path", path),
                    KeyValue::new("postduif.request_id", meta.request_id.to_string()),
                ]);
                if let Some(version) = protocol_version(request.version()) {
                    span.set_attribute(KeyValue::new("network.protocol.version", version));
                }
            }
            Self { span, name }
        }

        pub(super) fn set_route(&mut self, pattern: &str) {
            if self.span.is_recording() {
                self.span.update_name(format!("{} {pattern}", self.name));
                let pattern = pattern.to_owned();
                self.span
                    .set_attribute(KeyValue::new("http.route", pattern));
            }
        }

        pub(super) fn end(mut self, response: &Response) {
            let status = response.status();
            let code = i64::from(status.as_u16());
            self.span
                .set_attribute(KeyValue::new("http.response.status_code", code));
            if status.is_server_error() {
                let error = KeyValue::new("error.type", code.to_string());
                self.span.set_attribute(error);
                self.span.set_status(Status::error(""));
            }
            self.span.end();
        }
    }

    /// The headers of a request, for [`TraceContextPropagator`].
    struct TraceHeaders<'a>(&'a HeaderMap);

    impl Extractor for TraceHeaders<'_> {
        fn get(&self, key: &str) -> Option<&str> {
            self.0.get(key)?.to_str().ok()
        }

        fn keys(&self) -> Vec<&str> {
            self.0.keys().map(axum::http::HeaderName::as_str).collect()
        }
    }

    const OTHER_METHOD: &str = "_OTHER";

    /// The name of a standard method, or one name for all other methods.
    fn known_method(method: &Method) -> &'static str {
        const KNOWN: [&str; 9] = [
            "GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "CONNECT", "TRACE",
        ];
        let known = KNOWN.into_iter().find(|known| method.as_str() == *known);
        known.unwrap_or(OTHER_METHOD)
    }

    fn protocol_version(version: Version) -> Option<&'static str> {
        match version {
            Version::HTTP_10 => Some("1.0"),
            Version::HTTP_11 => Some("1.1"),
            _ => None,
        }
    }
}
