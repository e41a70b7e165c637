"""Reads what a collector of traces was sent with OpenTelemetry's own message types.

In (JSON on standard input): {"bodies": [body of a request (protobuf) in base64]}. Out: {"spans": [...], "complaints":
[...]}; a span has `trace`, `id`, `parent`, `name`, `kind`, `start` and `end` (nanoseconds), `status` (code) and
`attributes`, to which those of its resource are added. Bytes that are no message, a field that the protocol does not
know, an identifier of another length, and a span that ends before it starts are complaints.
"""

import base64
import json
import sys

from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


def values(attributes):
    return {attribute.key: getattr(attribute.value, attribute.value.WhichOneof("value")) for attribute in attributes}


def complaints_about(span):
    for name, lengths in {"trace_id": [16], "span_id": [8], "parent_span_id": [0, 8]}.items():
        if len(getattr(span, name)) not in lengths:
            yield f"{name} of {span.name!r} has {len(getattr(span, name))} bytes"
    if len(UnknownFieldSet(span)):
        yield f"{span.name!r} has unknown fields"
    if span.end_time_unix_nano < span.start_time_unix_nano:
        yield f"{span.name!r} ends before it starts"


def main():
    spans, complaints = [], []
    for body in json.load(sys.stdin)["bodies"]:
        try:
            message = ExportTraceServiceRequest.FromString(base64.b64decode(body))
        except DecodeError as error:
            complaints.append(str(error))
            continue
        for resource in message.resource_spans:
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                complaints += complaints_about(span)
                spans.append({
                    "trace": span.trace_id.hex(),
                    "id": span.span_id.hex(),
                    "parent": span.parent_span_id.hex(),
                    "name": span.name,
                    "kind": span.kind,
                    "start": span.start_time_unix_nano,
                    "end": span.end_time_unix_nano,
                    "status": span.status.code,
                    "attributes": values(resource.resource.attributes) | values(span.attributes),
                })
    json.dump({"spans": spans, "complaints": complaints}, sys.stdout)


main()
