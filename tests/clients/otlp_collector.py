"""A collector of traces for tests, which decodes the received spans with OpenTelemetry's own package.

usage: otlp_collector.py PORT

First prints a line with the port (a free one for PORT 0), then one line of JSON for each span. The collector ends when
standard input ends, so that it never outlives the test that started it.
"""

import gzip
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status


def value_of(attribute):
    kind = attribute.value.WhichOneof("value")
    return getattr(attribute.value, kind)


def as_dict(attributes):
    return {attribute.key: value_of(attribute) for attribute in attributes}


class Collector(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    self.print_span(span, as_dict(resource.resource.attributes))
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def print_span(self, span, resource):
        line = {
            "path": self.path,
            "headers": dict(self.headers),
            "resource": resource,
            "name": span.name,
            "kind": Span.SpanKind.Name(span.kind),
            "trace": span.trace_id.hex(),
            "parent": span.parent_span_id.hex(),
            "nanoseconds": span.end_time_unix_nano - span.start_time_unix_nano,
            "status": Status.StatusCode.Name(span.status.code),
            "attributes": as_dict(span.attributes),
        }
        print(json.dumps(line), flush=True)

    def log_message(self, *_):
        pass


def end_with_standard_input():
    sys.stdin.read()
    os._exit(0)


def main():
    threading.Thread(target=end_with_standard_input, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Collector)
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    server.serve_forever()


main()
