"""Makes a hand of one's own in the studio, in a real Chromium, by the keyboard alone; then looks at it with axe.

In: {"address": of a service that makes hands, "key", "folder": for screenshots, "pictures": of the three pages}.
Out: {name: what was seen}.
"""

import json
import sys
from pathlib import Path

from page_visit import DARK, DESKTOP, PHONE, Visit, launch
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import sync_playwright

MOST_STOPS = 400
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def reach(page, wanted):
    """Tabs to the element that a selector finds."""
    for _ in range(MOST_STOPS):
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {wanted}")


def press(page, wanted, key="Enter"):
    reach(page, wanted)
    page.keyboard.press(key)


def open_window(page):
    page.wait_for_selector("#own-open", state="attached")
    press(page, "#hand-button")
    press(page, "#own-open")
    page.wait_for_selector("#own-hand[open]")


def add(page, paths):
    """Chooses files by the keyboard, and waits until they are read."""
    choose(page).set_files(paths)
    settle(page)


def choose(page):
    """Opens the chooser of files. A busy browser does not tell of each: then it is opened again."""
    for patience in (10_000, 20_000, 30_000):
        reach(page, "#own-files")
        try:
            with page.expect_file_chooser(timeout=patience) as chooser:
                page.keyboard.press("Enter")
            return chooser.value
        except PlaywrightTimeout:
            pass
    raise AssertionError("no chooser of files was opened")


def settle(page):
    page.wait_for_function("() => /ready|no hand yet/.test(document.getElementById('own-status').textContent)", timeout=120_000)


def make(visit, pictures):
    page, seen = visit.page, {}
    open_window(page)
    with page.expect_download() as download:
        press(page, "#own-sheet")
    seen["sheet"] = Path(download.value.path()).read_bytes()[:5].decode()
    add(page, [pictures[1], pictures[0]])
    seen["without_lines"] = page.inner_text("#own-problem")
    seen["pictures"] = page.locator("#own-list li").all_inner_texts()
    add(page, [pictures[2]])
    seen["problem"] = page.inner_text("#own-problem")
    seen["doubts"] = page.locator("#own-doubts li").all_inner_texts()
    seen["ink"] = page.locator("#own-doubts path.ink").count()
    seen["axe"] = visit.violations()
    page.screenshot(path=f"{visit.folder}/own-desktop.png")
    button = "#own-doubts li button[aria-label^='Use it: p ']"
    press(page, button, "Space")
    page.wait_for_function("() => document.getElementById('own-status').textContent === 'Writing…'")
    settle(page)
    seen["kept"] = [page.get_attribute(button, "aria-pressed"), page.evaluate("() => document.activeElement.ariaLabel ?? ''")]
    page.wait_for_function("() => document.getElementById('own-trial').naturalWidth > 0")
    page.locator("#own-try").scroll_into_view_if_needed()
    page.screenshot(path=f"{visit.folder}/own-trial.png")
    reach(page, "#own-name")
    page.keyboard.type("Ann's hand")
    before = visit.picture()
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.getElementById('own-hand').open", timeout=120_000)
    page.wait_for_function("before => document.getElementById('preview').src !== before", arg=before)
    page.wait_for_selector("#sheet:not(.stale)[aria-busy=false]")
    seen["chosen"] = page.inner_text("#hand-name")
    page.screenshot(path=f"{visit.folder}/own-letter-page.png")
    visit.download("png", f"{visit.folder}/own-letter.png")
    return seen


def mend_and_delete(visit):
    page, seen = visit.page, {}
    visit.tab("write")
    open_window(page)
    page.wait_for_selector("#own-kept li")
    seen["saved"] = page.locator("#own-kept li").all_inner_texts()
    press(page, "#own-kept button[aria-label^='Mend']")
    settle(page)
    seen["mended"] = [page.input_value("#own-name"), page.get_attribute("#own-doubts li button[aria-label^='Use it: p ']", "aria-pressed")]
    # The name of the hand stays, as its text is left.
    reach(page, "#own-done")
    gone = "#own-kept button[aria-label^='Delete']"
    press(page, gone)
    seen["asked"] = page.inner_text(gone)
    page.keyboard.press("Enter")
    page.wait_for_selector("#own-saved", state="hidden")
    press(page, "#own-done")
    seen["left"] = page.locator(".hand[data-id='1999']").count()
    return seen


def main():
    job = json.load(sys.stdin)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        visit = Visit(browser, job, **DESKTOP)
        visit.folder = job["folder"]
        seen = make(visit, job["pictures"])
        for name, options in [("dark", DARK), ("phone", PHONE)]:
            other = Visit(browser, job, has_specimens=False, **options)
            other.page.wait_for_selector("#own-open", state="attached")
            other.page.click("#hand-button")
            other.page.click("#own-open")
            other.page.wait_for_selector("#own-kept li")
            seen[f"{name}_axe"] = other.violations()
            seen[f"{name}_too_wide"] = other.page.evaluate(WIDE)
            other.page.screenshot(path=f"{job['folder']}/own-{name}.png")
            other.page.click("#own-kept button[aria-label^='Mend']")
            settle(other.page)
            other.page.locator("#own-letters").scroll_into_view_if_needed()
            other.page.screenshot(path=f"{job['folder']}/own-{name}-doubts.png")
            seen[f"{name}_doubts_axe"] = other.violations()
            seen[f"{name}_complaints"] = other.complaints
            other.context.close()
        seen |= mend_and_delete(visit)
        seen["complaints"] = visit.complaints
        browser.close()
    print(json.dumps(seen))


main()
