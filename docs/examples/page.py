"""Writes a page: python page.py REQUEST.json OUT.png|OUT.pdf, with the key in LONGHAND_KEY. Standard library only."""

import base64
import json
import os
import sys
import time
import urllib.error
import urllib.request

SERVICE = os.environ.get("LONGHAND_URL", "http://127.0.0.1:8080")
TRIES = 5


class Refused(Exception):
    """The service says no; `fields` says what is wrong with which field."""

    def __init__(self, body):
        super().__init__(body["message"])
        self.code = body["error"]
        self.fields = {detail["field"]: detail["message"] for detail in body.get("details", [])}


def generate(request):
    """The file of a page. Waits where the service asks for patience; what cannot be mended by waiting is raised."""
    headers = {"Authorization": f"Bearer {os.environ['LONGHAND_KEY']}", "Content-Type": "application/json"}
    for attempt in range(1, TRIES + 1):
        call = urllib.request.Request(f"{SERVICE}/api/v1/generate", json.dumps(request).encode(), headers)
        try:
            with urllib.request.urlopen(call) as answer:
                if answer.headers["Content-Type"] == "application/pdf":
                    return answer.read()
                return base64.b64decode(json.load(answer)["image_base64"])
        except urllib.error.HTTPError as error:
            wait = error.headers["Retry-After"]
            if wait is None or attempt == TRIES:
                raise Refused(json.load(error)) from None
            time.sleep(int(wait) * 2 ** (attempt - 1))


if __name__ == "__main__":
    source, target = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        page = json.load(file)
    page["output_format"] = "pdf" if target.endswith(".pdf") else "png"
    try:
        content = generate(page)
    except Refused as refused:
        sys.exit("\n".join([f"{refused.code}: {refused}", *(f"{field}: {said}" for field, said in refused.fields.items())]))
    with open(target, "wb") as file:
        file.write(content)
