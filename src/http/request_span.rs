//! The span of one request for OpenTelemetry; nothing in builds without the feature `otlp`.
//!
//! Its names are those of OpenTelemetry for HTTP servers. A span has no key, no client IP and no query string. Source:
//! <https://opentelemetry.io/docs/specs/semconv/http/http-spans/>.

#[cfg(feature = "otlp")]
pub(super) use exported::{RequestSpan, RequestTracer};
#[cfg(not(feature = "otlp"))]
pub(super) use ignored::{RequestSpan, RequestTracer};

#[cfg(feature = "otlp")]
mod exported {
    use axum::http::{HeaderMap, Method, Request, Version};
    use axum::response::Response;
    use opentelemetry::global::{self, BoxedSpan, BoxedTracer};
    use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
    use opentelemetry::trace::{Span as _, SpanKind, Status, Tracer as _};
    use opentelemetry::{Context, KeyValue};
    use opentelemetry_sdk::propagation::TraceContextPropagator;

    use crate::http::redacted::Redacted;
    use crate::http::request::RequestMeta;

    /// Starts the spans of requests. Without a collector they cost next to nothing.
    pub(in crate::http) struct RequestTracer(BoxedTracer);

    impl RequestTracer {
        pub(in crate::http) fn new() -> Self {
            Self(global::tracer("postduif"))
        }

        /// Starts the span of a request, as a part of the trace that its `traceparent` names.
        pub(in crate::http) fn start<B>(
            &self,
            request: &Request<B>,
            meta: &RequestMeta,
        ) -> RequestSpan {
            let headers = TraceHeaders(request.headers());
            let parent =
                TraceContextPropagator::new().extract_with_context(&Context::new(), &headers);
            let method = known_method(request.method());
            let name = if method == OTHER_METHOD {
                "HTTP"
            } else {
                method
            };
            let builder = self.0.span_builder(name).with_kind(SpanKind::Server);
            let mut span = builder.start_with_context(&self.0, &parent);
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
            RequestSpan { span, name }
        }
    }

    /// The span of one request. It ends without a status if the client leaves before its answer.
    pub(in crate::http) struct RequestSpan {
        span: BoxedSpan,
        /// The first word of its name.
        name: &'static str,
    }

    impl RequestSpan {
        /// Names the span after the path's pattern, such as `/v1/addresses/{bagId}`.
        pub(in crate::http) fn set_route(&mut self, pattern: &str) {
            if self.span.is_recording() {
                self.span.update_name(format!("{} {pattern}", self.name));
                let pattern = pattern.to_owned();
                self.span
                    .set_attribute(KeyValue::new("http.route", pattern));
            }
        }

        /// Ends the span. A status of 500 and above is an error of the service.
        pub(in crate::http) fn end(mut self, response: &Response) {
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

    /// The name of a method, or the one for all methods of a client's own.
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

#[cfg(not(feature = "otlp"))]
mod ignored {
    use axum::http::Request;
    use axum::response::Response;

    use crate::http::request::RequestMeta;

    pub(in crate::http) struct RequestTracer;

    impl RequestTracer {
        pub(in crate::http) fn new() -> Self {
            Self
        }

        #[expect(clippy::unused_self, reason = "as with the feature")]
        pub(in crate::http) fn start<B>(&self, _: &Request<B>, _: &RequestMeta) -> RequestSpan {
            RequestSpan
        }
    }

    pub(in crate::http) struct RequestSpan;

    impl RequestSpan {
        #[expect(clippy::unused_self, reason = "as with the feature")]
        pub(in crate::http) fn set_route(&mut self, _: &str) {}

        #[expect(clippy::unused_self, reason = "as with the feature")]
        pub(in crate::http) fn end(self, _: &Response) {}
    }
}
