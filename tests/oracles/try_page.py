"""Uses the try-it page as a person would, in a real Chromium, and tells what happened.

In: {"address": of the service, "key", "folder": for downloads and screenshots}. Out: {name: what was seen}.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

UNNAMED = """() => [...document.querySelectorAll('input, select, textarea, button')]
    .filter((control) => !(control.labels?.length || control.ariaLabel || control.textContent.trim()))
    .map((control) => control.id || control.outerHTML)"""
DRAWN = """() => [...document.querySelectorAll('#drawing rect')].slice(-1)
    .flatMap((rect) => [rect.width, rect.height].map((side) => side.baseVal.value))"""
TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
NODE = Path(sys.prefix, "bin", "node")
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
PATIENCE_MS = 30_000
# Longer than the page waits for the next key, and than a preview takes.
SETTLED_MS = 1500


class Visit:
    """One window on the page."""

    def __init__(self, browser, job, **options):
        self.context = browser.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.complaints = []
        self.page.on("console", lambda message: self.note(message))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(f"{job['address']}/#key={job['key']}")
        self.page.wait_for_selector("#preview:not([hidden])")

    def note(self, message):
        # A refusal that the page shows is also an error of the console.
        if message.type == "error" and "status of 422" not in message.text:
            self.complaints.append(message.text)

    def picture(self):
        return self.page.get_attribute("#preview", "src")

    def after(self, act):
        """Does something, and waits until the picture is another."""
        before = self.picture()
        act()
        self.page.wait_for_function("before => document.getElementById('preview').src !== before", arg=before)

    def open(self, group):
        details = self.page.locator(f"details[data-group='{group}']")
        if details.get_attribute("open") is None:
            details.locator("summary").click()

    def download(self, button, path):
        with self.page.expect_download() as download:
            self.page.click(button)
        download.value.save_as(path)
        return download.value.suggested_filename


def programs(visit, folder, key):
    """Runs what the page shows for each language, and says whether it made the file that the page downloads."""
    visit.download("#png", f"{folder}/downloaded.png")
    wanted = open(f"{folder}/downloaded.png", "rb").read()
    runs = {"curl": ["bash", "-c"], "python": [sys.executable, "-c"], "javascript": [NODE, "--input-type=module", "-e"]}
    same = {}
    for language, command in runs.items():
        visit.page.check(f"input[value={language}]")
        place = f"{folder}/{language}"
        os.mkdir(place)
        environment = {**os.environ, "LONGHAND_KEY": key}
        subprocess.run([*command, visit.page.inner_text("#code")], cwd=place, check=True, env=environment)
        same[language] = open(f"{place}/page.png", "rb").read() == wanted
    return same


def stale(visit):
    """Types while an answer is late: the late one is called off, and the picture is of what was typed last."""
    page, called_off, late = visit.page, [], []

    def handle(route):
        if "slow words" in route.request.post_data:
            late.append(route)
        else:
            route.continue_()

    page.route("**/api/v1/preview", handle)
    page.on("requestfailed", lambda request: "slow words" in (request.post_data or "") and called_off.append(request.failure))
    page.fill("#text", "slow words")
    page.wait_for_selector("#spinner:not([hidden])")
    visit.after(lambda: page.fill("#text", "quick words"))
    page.unroute("**/api/v1/preview")
    return {"late": len(late), "called_off": called_off, "alt": page.get_attribute("#preview", "alt"),
            "busy": page.get_attribute("#sheet", "aria-busy"), "spinner": page.is_visible("#spinner")}


def in_view(page, selector):
    return page.evaluate(
        """selector => {
            const { top, bottom, height } = document.querySelector(selector).getBoundingClientRect();
            return height > 0 && top >= 0 && bottom <= innerHeight;
        }""",
        selector,
    )


def focused(page):
    return page.evaluate("() => document.activeElement.id")


def messages(visit, folder):
    """What buttons say, and what stays of it once the field that was left, and the preview after it, are done."""
    page, seen = visit.page, {}
    page.focus("#text")
    page.keyboard.type("!")
    page.click("#copy")
    page.wait_for_timeout(SETTLED_MS)
    seen["copied"] = page.inner_text("#said")
    seen["focus"] = [focused(page)]
    for button in ("png", "outlines"):
        page.focus(f"#{button}")
        with page.expect_download() as download:
            page.keyboard.press("Enter")
        download.value.save_as(f"{folder}/{button}")
        page.wait_for_timeout(SETTLED_MS)
        seen["focus"].append(focused(page))
        seen[button] = page.inner_text("#said")

    # A PNG has one page, so its download is refused; the preview is not.
    visit.open("Lines and words")
    page.select_option("#overflow", "paginate")
    page.evaluate("() => scrollTo(0, 0)")
    page.locator("#png").evaluate("button => button.click()")
    page.wait_for_selector("#overflow-error:not([hidden])")
    seen["in_view"] = in_view(page, "#overflow-error")
    page.focus("#text")
    page.locator("#text").blur()
    page.wait_for_timeout(SETTLED_MS)
    seen["refused"] = page.inner_text("#overflow-error") if page.is_visible("#overflow-error") else None
    page.evaluate("() => scrollTo(0, 0)")
    page.click("#problems a")
    seen["linked"] = [focused(page), in_view(page, "#overflow")]
    visit.after(lambda: page.select_option("#overflow", "error"))
    seen["mended"] = [page.is_hidden("#overflow-error"), page.inner_text("#problems")]

    # What changes a field brings it into view by itself, so this does not touch it: its error is further up.
    page.locator("#pdf-writing-hint").scroll_into_view_if_needed()
    page.evaluate("() => { document.getElementById('margin_top').value = 5000; }")
    page.locator("#form").dispatch_event("input")
    page.wait_for_selector("#margin_top-error:not([hidden])")
    seen["preview_in_view"] = in_view(page, "#margin_top-error")
    seen["stale"] = [page.is_visible("#stale"), page.inner_text("#status")]
    page.screenshot(path=f"{folder}/stale.png")
    visit.after(lambda: page.fill("#margin_top", "240"))
    seen["fresh"] = page.is_hidden("#stale")
    return seen


def unreachable(browser, job, folder):
    """The service does not answer for a while, and then for longer."""
    visit = Visit(browser, job, viewport={"width": 1360, "height": 900})
    page, seen, tries, told = visit.page, {}, [], []

    def refuse(most):
        tries.clear()

        def handle(route):
            tries.append(route.request.url)
            told.append(page.inner_text("#status"))
            if len(tries) > most:
                route.continue_()
            else:
                route.abort("connectionrefused")

        page.unroute("**/api/v1/*")
        page.route("**/api/v1/*", handle)

    refuse(2)
    visit.after(lambda: page.fill("#text", "patience"))
    seen["preview"] = {"tries": len(tries), "told": told[-1]}
    refuse(1)
    seen["download"] = [visit.download("#png", f"{folder}/patient.png"), len(tries)]
    refuse(1000)
    page.fill("#text", "despair")
    page.wait_for_selector("#again:not([hidden])")
    page.wait_for_timeout(SETTLED_MS)
    seen["given_up"] = {"tries": len(tries), "said": page.inner_text("#problems"), "stale": page.is_visible("#stale")}
    page.unroute("**/api/v1/*")
    visit.after(lambda: page.click("#again"))
    seen["mended"] = [page.is_hidden("#again"), page.inner_text("#problems"), page.is_hidden("#stale")]
    seen["complaints"] = [said for said in visit.complaints if "net::ERR_CONNECTION_REFUSED" not in said]
    return seen


def use(visit, folder, key):
    page, seen = visit.page, {}
    seen["address"] = page.url
    page.wait_for_function("() => document.querySelectorAll('.hand img').length >= 4")
    seen["hands"] = page.locator(".hand").count()
    seen["specimen_width"] = page.evaluate("() => document.querySelector('.hand img').naturalWidth")
    seen["unnamed"] = page.evaluate(UNNAMED)
    seen["fields"] = page.evaluate("() => [...document.querySelectorAll('[data-field]')].map(({dataset}) => dataset.field)")
    page.screenshot(path=f"{folder}/light.png", full_page=True)

    visit.after(lambda: page.fill("#text", "Grüße an O'Neil & \"Söhne\" $HOME `x` \\n"))
    page.focus(".hand input:checked")
    visit.after(lambda: page.keyboard.press("ArrowRight"))
    seen["hand"] = page.evaluate("() => document.querySelector('.hand input:checked').value")
    visit.after(lambda: page.click("#dice"))
    visit.after(lambda: page.select_option("#page_size", "dl"))
    visit.after(lambda: page.select_option("#orientation", "landscape"))
    seen["drawn_mm"] = page.evaluate(DRAWN)
    visit.after(lambda: page.select_option("#orientation", "portrait"))

    visit.open("Paper and margins")
    page.fill("#margin_left", "6000")
    page.wait_for_selector("#margin_left-error:not([hidden])")
    seen["error"] = page.inner_text("#margin_left-error")
    seen["invalid"] = page.get_attribute("#margin_left", "aria-invalid")
    page.screenshot(path=f"{folder}/error.png", full_page=True)
    visit.after(lambda: page.fill("#margin_left", "100"))
    seen["mended"] = page.is_hidden("#margin_left-error") and page.get_attribute("#margin_left", "aria-invalid") is None

    visit.open("Effects")
    visit.after(lambda: page.check("#enable_ink_flow"))
    slider = page.locator("[data-field=ink_flow_intensity] input[type=range]")
    visit.after(lambda: slider.press("End"))
    seen["request"] = page.inner_text("#code")
    seen["same"] = programs(visit, folder, key)

    visit.open("PDF")
    page.select_option("#pdf-profile", "press")
    page.fill("#pdf-bleed_mm", "5")
    seen["pdf"] = visit.download("#pdf", f"{folder}/downloaded.pdf")
    page.select_option("#pdf-profile", "document")
    visit.download("#pdf", f"{folder}/unbled.pdf")
    seen["warning"] = page.inner_text("#pdf-bleed_mm-warning")

    visit.after(lambda: page.fill("#text", "a \U0001f600 smile"))
    page.wait_for_selector("#text-warning:not([hidden])")
    seen["text_warning"] = page.inner_text("#text-warning")
    seen["stale"] = stale(visit)
    visit.after(lambda: page.fill("#text", "Hello"))
    seen["messages"] = messages(visit, folder)
    page.check("#enable_natural_variation")
    page.fill("#natural_variation_sigma", "1")
    page.fill("#natural_variation_alpha", "100")
    visit.download("#outlines", f"{folder}/image.pdf")
    seen["writing_warning"] = page.inner_text("#pdf-writing-warning")
    page.reload()
    page.wait_for_selector("#preview:not([hidden])")
    seen["complaints"] = visit.complaints
    return seen


def key_trouble(browser, job):
    """Without a key, with a wrong one, then with the right one."""
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(job["address"])
    page.wait_for_function("() => document.getElementById('status').textContent.includes('API key')")
    page.fill("#key", "lh_nonsense")
    page.press("#key", "Enter")
    page.locator("#key").blur()
    page.wait_for_selector("#key-error:not([hidden])")
    said = page.inner_text("#key-error")
    page.fill("#key", job["key"])
    page.locator("#key").blur()
    page.wait_for_selector("#preview:not([hidden])")
    return {"said": said, "mended": page.is_hidden("#key-error"), "stored": page.evaluate("() => localStorage.length")}


def main():
    job = json.load(sys.stdin)
    folder = job["folder"]
    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        seen = use(Visit(browser, job, viewport={"width": 1360, "height": 900}), folder, job["key"])
        seen["key"] = key_trouble(browser, job)
        seen["unreachable"] = unreachable(browser, job, folder)
        for name, options in {
            "dark": {"viewport": {"width": 1360, "height": 900}, "color_scheme": "dark"},
            "phone": {
                "viewport": {"width": 390, "height": 844},
                "is_mobile": True,
                "has_touch": True,
                "device_scale_factor": 2,
            },
        }.items():
            visit = Visit(browser, job, **options)
            visit.page.locator("#hands").scroll_into_view_if_needed()
            visit.page.wait_for_function("() => document.querySelectorAll('.hand img').length >= 4")
            visit.page.evaluate("() => scrollTo(0, 0)")
            visit.open("Effects")
            visit.page.check("#enable_word_rotation")
            visit.page.screenshot(path=f"{folder}/{name}.png", full_page=True)
            seen[f"{name}_too_wide"] = visit.page.evaluate(TOO_WIDE)
            seen["complaints"] += visit.complaints
        browser.close()
    json.dump(seen, sys.stdout)


main()
