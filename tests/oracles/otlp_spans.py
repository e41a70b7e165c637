"""Reads what a collector of traces was sent with OpenTelemetry's own message types.

In (JSON on standard input): {"bodies": [text of a request's body]}. Out: {"spans": [...], "complaints": [...]}; a span
has `trace`, `id`, `parent`, `name`, `kind`, `nanoseconds` (how long), `status` (code) and `attributes`, to which
those of its resource are added. A field that the protocol does not know, a value of another type, and an identifier
that is not of its length in hexadecimal are complaints.
"""

import base64
import json
import sys

from google.protobuf.json_format import Parse, ParseError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

# In OTLP's JSON identifiers are hexadecimal, elsewhere in protobuf's they are base64 (OTLP 1, JSON Protobuf Encoding).
IDENTIFIERS = {"traceId": 16, "spanId": 8, "parentSpanId": 8}


def as_base64(span, complaints):
    for name, length in IDENTIFIERS.items():
        given = span.get(name, "")
        try:
            identifier = bytes.fromhex(given)
        except ValueError:
            identifier = b""
            complaints.append(f"{name} {given!r} is not hexadecimal")
        if len(identifier) not in ([length, 0] if name == "parentSpanId" else [length]):
            complaints.append(f"{name} {given!r} has {len(identifier)} bytes")
        span[name] = base64.b64encode(identifier).decode()


def values(attributes):
    return {attribute.key: getattr(attribute.value, attribute.value.WhichOneof("value")) for attribute in attributes}


def main():
    spans, complaints = [], []
    for body in json.load(sys.stdin)["bodies"]:
        told = json.loads(body)
        for resource in told["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                for span in scope["spans"]:
                    as_base64(span, complaints)
        try:
            message = Parse(json.dumps(told), ExportTraceServiceRequest())
        except ParseError as error:
            complaints.append(str(error))
            continue
        for resource in message.resource_spans:
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                spans.append({
                    "trace": span.trace_id.hex(),
                    "id": span.span_id.hex(),
                    "parent": span.parent_span_id.hex(),
                    "name": span.name,
                    "kind": span.kind,
                    "nanoseconds": span.end_time_unix_nano - span.start_time_unix_nano,
                    "status": span.status.code,
                    "attributes": values(resource.resource.attributes) | values(span.attributes),
                })
    json.dump({"spans": spans, "complaints": complaints}, sys.stdout)


main()
