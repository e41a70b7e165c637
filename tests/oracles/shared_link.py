"""Makes a link in the studio, and opens it as somebody without a key.

In: {"address": of the service, "key", "folder": for screenshots}. Out: {name: what was seen}.
"""

import json
import re
import sys

from page_visit import AXE, DARK, DESKTOP, PHONE, Visit, launch
from playwright.sync_api import sync_playwright


def made(visit):
    """The text of a letter of several pages, and the link that the studio copies."""
    page = visit.page
    visit.after(lambda: page.fill("#text", "Dear Ann, thank you for the flowers!\n" * 30))
    visit.open("Margins and position")
    visit.after(lambda: page.select_option("#overflow", "paginate"))
    visit.tab("files")
    page.select_option("#share-days", "30")
    page.focus("#share")
    page.keyboard.press("Enter")
    page.wait_for_selector("#link-text:not([hidden])")
    return page.input_value("#link-text"), page.inner_text("#said"), visit.violations()


def opened(browser, link, path, **options):
    """A link in a window that knows no key."""
    context = browser.new_context(**options)
    page, complaints, asked = context.new_page(), [], []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(link)
    page.wait_for_selector("#paper:not([hidden])")
    page.evaluate(AXE.read_text())
    found = page.evaluate("() => axe.run()")["violations"]
    seen = {
        "axe": [each["id"] for each in found],
        "size": page.evaluate("() => [picture.naturalWidth, picture.naturalHeight]"),
        "count": page.inner_text("#page-count"),
        "wide": page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth"),
    }
    page.screenshot(path=path, full_page=True)
    first = page.get_attribute("#picture", "src")
    page.focus("#page-on")
    page.keyboard.press("Enter")
    page.wait_for_function("before => picture.src !== before", arg=first)
    seen["turned"] = page.inner_text("#page-count")
    seen["sent"] = [url for url in asked if "link_" in url.split("#")[0]]
    seen["complaints"] = complaints
    context.close()
    return seen


def damaged(browser, link):
    context = browser.new_context()
    page = context.new_page()
    said = []
    for text in (link.split("&")[0][:-8], re.sub("#.*", "", link)):
        page.goto("about:blank")
        page.goto(text)
        page.wait_for_function("() => document.getElementById('status').textContent.includes('link has expired')")
        said.append(page.inner_text("#status"))
    context.close()
    return said


def main():
    job = json.load(sys.stdin)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        visit = Visit(browser, job, has_specimens=False)
        link, said, axe = made(visit)
        seen = {"link": link, "said": said, "axe": axe, "complaints": visit.complaints, "damaged": damaged(browser, link)}
        for name, options in {"desktop": DESKTOP, "dark": DARK, "phone": PHONE}.items():
            seen[name] = opened(browser, link, f"{job['folder']}/shared-{name}.png", **options)
        browser.close()
    json.dump(seen, sys.stdout)


main()
