"""Opens links, tables and storage that mean harm on the try-it page, in a real Chromium, and runs the programs it shows.

In: {"address": of the service, "key", "folder": for tables}. Out: {name: what was seen}. A text that is run as a part of
a program makes files whose names begin with `pwn`.
"""

import ast
import base64
import json
import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

from page_visit import DESKTOP, Visit, launch
from playwright.sync_api import sync_playwright

NODE = Path(sys.prefix, "bin", "node")
BOX = {"x": 100, "y": 100, "width": 400, "height": 200}
TEXT = "It's {na'me}: $(touch pwn-text) `touch pwn-tick` \\ \"%s\" true\u2028\u202e!"
HOSTILE = {
    "request": {
        "text": TEXT,
        "seed": 7,
        "page_size": "a6; touch pwn-size",
        "output_format": "png $(touch pwn-format)",
        "x $(touch pwn-name)": 1,
        "ruling": "us_college",
        "font_size": "auto",
        "font_id": 1.5,
        "text_color": [0, 0, 300],
        "mail_piece": None,
        "dpi": 301,
        "enable_ink_flow": "true",
        "pdf": {"standard $(touch pwn-pdf)": True, "bleed_mm": "3 $(touch pwn-bleed)", "region": "us"},
        "blocks": [{"text": "box '$(touch pwn-box)'", "rotation": -3, "evil": 1, **BOX}, "no box"],
        "__proto__": {"text_alignment": "center"},
    },
    "look": {"size": "own", "kind": "$(touch pwn-kind)", "box": -1, "__proto__": {"row": "x"}},
    "more": 1,
}
# What is left of it.
TAKEN = {
    "text": TEXT,
    "seed": 7,
    "ruling": "us_college",
    "font_size": "auto",
    "pdf": {"region": "us"},
    "blocks": [{"text": "box '$(touch pwn-box)'", "rotation": -3, **BOX}],
}
TABLE = (
    "na'me,-flag,$(touch pwn-column),\"b\x1b[201~\rtouch pwn-cell\r%s!\",<b id=hit>c</b>\n"
    "<img id=hit src=x onerror=window.hit=1>,<b id=hit>,3,4,5\n"
)
TABLE_NAME = "--report=$(touch pwn-file) 'x'.csv"
GOOD = {"request": {"text": "Kept", "seed": 1}, "look": {}}


def packed(content):
    made = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = made.compress(content if isinstance(content, bytes) else json.dumps(content).encode()) + made.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


MALFORMED = {
    "look is null": packed({**GOOD, "look": None}),
    "look is a list": packed({**GOOD, "look": ["size"]}),
    "no look": packed({"request": GOOD["request"]}),
    "request is null": packed({"request": None, "look": {}}),
    "request is a list": packed({"request": [1], "look": {}}),
    "request is a text": packed({"request": "text", "look": {}}),
    "null": packed(None),
    "number": packed(3),
    "empty": "",
    "no base64": "§§",
    "no deflate": "AAAA",
    "no JSON": packed(b"{"),
    "no UTF-8": packed(b'{"request":{"text":"\xff"},"look":{}}'),
    "deep": packed(b"[" * 100_000 + b"]" * 100_000),
    "long": packed(b'{"request":{"text":"' + b"a" * 30_000_000 + b'"},"look":{}}'),
}


def open_link(visit, job, link):
    page = visit.page
    page.goto("about:blank")
    page.goto(f"{job['address']}/#page={link}")
    page.wait_for_selector("#preview:not([hidden])")
    page.wait_for_selector("#sheet:not(.stale)[aria-busy=false]")


def run_in_shell(program, folder):
    """The files that a shell command leaves, and the arguments of the `curl` in it, which is one that only records."""
    programs, place = Path(folder, "recording"), Path(tempfile.mkdtemp(dir=folder))
    programs.mkdir(exist_ok=True)
    curl = programs / "curl"
    curl.write_text("#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done > ../arguments\n")
    curl.chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LONGHAND_KEY": "lh_k"}
    subprocess.run(["sh", "-c", program], cwd=place, env=environment, check=True)
    words = Path(folder, "arguments").read_text().split("\0")[:-1]
    return sorted(path.name for path in place.iterdir()), words


def programs(visit, folder):
    """What the programs on the page ask for."""
    page, seen = visit.page, {}
    visit.tab("files")
    seen["kinds"] = {}
    for kind in ("png", "pdf"):
        visit.choose("kind", kind)
        visit.choose("language", "curl")
        files, words = run_in_shell(page.inner_text("#code"), folder)
        seen["kinds"][kind] = [files, json.loads(words[words.index("-d") + 1])]
    visit.choose("language", "python")
    tree = ast.parse(page.inner_text("#code"))
    literal = next(node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "page")
    seen["python"] = ast.literal_eval(literal)
    visit.choose("language", "javascript")
    code = page.inner_text("#code")
    script = f"{code.split('const answer')[0]}process.stdout.write(JSON.stringify(page));"
    run = subprocess.run([NODE, "--input-type=module", "-e", script], check=True, capture_output=True)
    seen["javascript"] = json.loads(run.stdout)
    visit.choose("language", "rust")
    seen["rust"] = page.inner_text("#code")
    visit.choose("kind", "png")
    return seen


def merged(visit, folder):
    """A list whose name, columns and cells mean harm."""
    page, seen = visit.page, {}
    visit.drop(TABLE.encode(), TABLE_NAME)
    page.wait_for_selector("#merging:not([hidden])")
    seen["name"] = page.inner_text("#merge-name")
    seen["columns"] = page.locator("#merge-columns button").all_inner_texts()
    page.wait_for_function("() => /fit|ready/.test(document.getElementById('merge-summary').textContent)")
    seen["summary"] = page.inner_text("#merge-summary")
    visit.choose("form", "zip")
    page.select_option("#make-names", index=1)
    with page.expect_download() as download:
        page.click("#make")
    download.value.save_as(f"{folder}/list.zip")
    seen["file"] = download.value.suggested_filename
    seen["files"] = zipfile.ZipFile(f"{folder}/list.zip").namelist()
    seen["hit"] = page.evaluate("() => Boolean(window.hit || document.getElementById('hit'))")
    page.click("#merge-end")
    return seen


def storage(visit):
    """Reloads with a storage that holds anything."""
    page, seen = visit.page, {}
    for name, draft in {"list": "[]", "no JSON": "{", "look": json.dumps({**GOOD, "look": 3})}.items():
        page.evaluate(
            """draft => {
                sessionStorage.setItem("longhand-draft", draft);
                sessionStorage.setItem("longhand-list", '{"name": 1}');
                localStorage.setItem("longhand-favourites", '{"a":');
            }""",
            draft,
        )
        page.reload()
        page.wait_for_selector("#preview:not([hidden])")
        seen[name] = page.inner_text("#problems")
    seen["text"] = page.input_value("#text")
    visit.tab("write")
    visit.after(lambda: page.fill("#text", "Mended"))
    seen["mended"] = page.inner_text("#problems")
    return seen


def huge_numbers(visit, job):
    """The service refuses them; the page stays as it is."""
    page = visit.page
    far = {"text": "b", "x": 1e15, "y": 0, "width": 1e30, "height": 1, "font_id": 1999}
    request = {"text": "a", "page_size": "custom", "custom_page": {"width": 1e30, "height": 0}, "blocks": [far]}
    page.goto("about:blank")
    page.goto(f"{job['address']}/#page={packed({'request': request, 'look': {'box': 0}})}")
    page.wait_for_selector("#problems .error")
    said = page.inner_text("#problems")
    page.click("#blocks-font_id")
    page.locator("input[name=font_id]").nth(1).evaluate("radio => radio.click()")
    return [said, page.inner_text("#box-hand-name")]


def main():
    job = json.load(sys.stdin)
    folder = job["folder"]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        visit = Visit(browser, job, has_specimens=False, **DESKTOP)
        seen = {"malformed": {}}
        open_link(visit, job, packed(HOSTILE))
        seen["said"] = visit.page.inner_text("#problems")
        seen["programs"] = programs(visit, folder)
        seen["merged"] = merged(visit, folder)
        for name, link in MALFORMED.items():
            open_link(visit, job, link)
            seen["malformed"][name] = [visit.page.inner_text("#problems"), visit.page.input_value("#text")]
        seen["storage"] = storage(visit)
        seen["huge"] = huge_numbers(visit, job)
        seen["complaints"] = visit.complaints
        seen["taken"] = TAKEN
        browser.close()
    json.dump(seen, sys.stdout)


main()
