"""Reads the API reference as a person would, in a real Chromium, and tells what it saw.

In: {"address": of the service, "folder": for screenshots}. Out: {"complaints": errors of the page or its content policy,
"outside": requests to other hosts, "operations": [text], "fields": text of the request schema, "answer": status of a
request made from the page, "dark": background colour, "phone_too_wide": pixels}.
"""

import json
import shutil
import sys

from playwright.sync_api import sync_playwright

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
PATIENCE_MS = 30_000
TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def open_page(browser, job, seen, **options):
    page = browser.new_context(**options).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.on("console", lambda message: message.type == "error" and seen["complaints"].append(message.text))
    page.on("pageerror", lambda error: seen["complaints"].append(str(error)))
    page.on("request", lambda request: request.url.startswith((job["address"], "data:"))
            or seen["outside"].append(request.url))
    page.goto(f"{job['address']}/docs")
    page.wait_for_selector(".opblock")
    return page


def read(page, seen):
    seen["operations"] = page.locator(".opblock-summary").all_inner_texts()
    generate = page.locator("#operations-pages-generatePage")
    generate.locator(".opblock-summary-control").click()
    schema = generate.locator(".opblock-section-request-body")
    schema.get_by_role("tab", name="Schema").click()
    schema.get_by_role("button", name="Expand all").first.click()
    seen["fields"] = schema.inner_text()
    generate.locator(".opblock-summary-control").click()

    status = page.locator("#operations-service-readStatus")
    status.locator(".opblock-summary-control").click()
    status.get_by_role("button", name="Try it out").click()
    status.get_by_role("button", name="Execute").click()
    seen["answer"] = status.locator(".live-responses-table .response-col_status").last.inner_text()
    status.locator(".opblock-summary-control").click()


def main():
    job, seen = json.load(sys.stdin), {"complaints": [], "outside": []}
    with sync_playwright() as playwright:
        executable = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = open_page(browser, job, seen, viewport={"width": 1360, "height": 900})
        read(page, seen)
        page.screenshot(path=f"{job['folder']}/reference.png", full_page=True)
        page = open_page(browser, job, seen, color_scheme="dark")
        seen["dark"] = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
        page.screenshot(path=f"{job['folder']}/reference-dark.png")
        phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
        seen["phone_too_wide"] = open_page(browser, job, seen, **phone).evaluate(TOO_WIDE)
        browser.close()
    json.dump(seen, sys.stdout)


main()
