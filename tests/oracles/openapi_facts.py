"""Says whether a document is valid OpenAPI 3.1, and which of its examples break their own schemas.

In: {"document": …}. Out: {"errors": [text], "examples": count, "broken": [text]}.
"""

import json
import sys

from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator


def media_types(part):
    """Every object of the document that has a schema and examples of it."""
    if isinstance(part, dict):
        if "schema" in part and ("example" in part or "examples" in part):
            yield part
        for member in part.values():
            yield from media_types(member)
    elif isinstance(part, list):
        for item in part:
            yield from media_types(item)


def properties(document):
    """Every member of a schema with its own examples and default."""
    for name, schema in document["components"]["schemas"].items():
        for member, described in schema.get("properties", {}).items():
            values = described.get("examples", []) + ([described["default"]] if "default" in described else [])
            for value in values:
                yield f"{name}.{member}", described, value


def main():
    document = json.load(sys.stdin)["document"]
    errors = [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()]
    checks = list(properties(document))
    for media_type in media_types({key: document[key] for key in ("paths", "components")}):
        values = [named["value"] for named in media_type.get("examples", {}).values()]
        values += [media_type["example"]] if "example" in media_type else []
        checks += [("example", media_type["schema"], value) for value in values]
    broken = []
    for place, schema, value in checks:
        whole = {**schema, "components": document["components"]}
        for error in Draft202012Validator(whole).iter_errors(value):
            broken.append(f"{place}: {error.message}")
    json.dump({"errors": errors, "examples": len(checks), "broken": broken}, sys.stdout)


main()
