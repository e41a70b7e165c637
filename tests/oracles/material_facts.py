"""Holds a bill of materials to CycloneDX's own schema, and its licences to those that are allowed.

In (JSON on standard input): {"bill": the document, "allowed": [SPDX identifiers, some "... WITH ..."]}.
Out: {"schema": [complaints], "licences": [complaints], "components": {type: number}}.
"""

import json
import sys
from collections import Counter

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from license_expression import AND, ExpressionError, get_spdx_licensing

SPDX = get_spdx_licensing()


def is_allowed(expression, allowed):
    """Whether licences that are allowed are enough for the expression."""
    if not expression.args:
        return str(expression) in allowed
    of_parts = [is_allowed(part, allowed) for part in expression.args]
    return all(of_parts) if isinstance(expression, AND) else any(of_parts)


def complaints(component, allowed):
    """What is wrong with the licence of a package."""
    licences = component.get("licenses", [])
    if len(licences) != 1 or "expression" not in licences[0]:
        yield f"{component['name']}: {licences}"
        return
    text = licences[0]["expression"]
    try:
        if not is_allowed(SPDX.parse(text, validate=True), allowed):
            yield f"{component['name']}: {text} is not allowed"
    except ExpressionError as error:
        yield f"{component['name']}: {text}: {error}"


def main():
    job = json.load(sys.stdin)
    bill, allowed = job["bill"], set(job["allowed"])
    errors = JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(bill), all_errors=True)
    components = bill["components"]
    libraries = [component for component in components if component["type"] == "library"]
    print(json.dumps({
        "schema": [str(error)[:300] for error in errors or []],
        "licences": [complaint for library in libraries for complaint in complaints(library, allowed)],
        "components": Counter(component["type"] for component in components),
    }))


main()
