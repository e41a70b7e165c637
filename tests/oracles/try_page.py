"""Uses the try-it page as a person would, in a real Chromium, and tells what happened.

In: {"address": of the service, "key", "folder": for downloads and screenshots}. Out: {name: what was seen}.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from page_visit import PATIENCE_MS, Visit, launch
from playwright.sync_api import sync_playwright

UNNAMED = """() => [...document.querySelectorAll('input, select, textarea, button')]
    .filter((control) => !(control.labels?.length || control.ariaLabel || control.textContent.trim()))
    .map((control) => control.id || control.outerHTML)"""
DRAWN = """() => {
    const { width, height } = document.getElementById('overlay').viewBox.baseVal;
    return [width, height];
}"""
NODE = Path(sys.prefix, "bin", "node")
# What is asked for a picture and for a file.
ASKED = re.compile("/api/v1/(preview|generate)$")
# Longer than the page waits for the next key, and than a preview takes.
SETTLED_MS = 1500


def programs(visit, folder, key):
    """Runs what the page shows for each language, and says whether it made the file that the page downloads."""
    visit.download("png", f"{folder}/downloaded.png")
    wanted = open(f"{folder}/downloaded.png", "rb").read()
    runs = {"curl": ["bash", "-c"], "python": [sys.executable, "-c"], "javascript": [NODE, "--input-type=module", "-e"]}
    same = {}
    for language, command in runs.items():
        visit.choose("language", language)
        place = f"{folder}/{language}"
        os.mkdir(place)
        environment = {**os.environ, "LONGHAND_KEY": key}
        subprocess.run([*command, visit.page.inner_text("#code")], cwd=place, check=True, env=environment)
        same[language] = open(f"{place}/page.png", "rb").read() == wanted
    visit.choose("language", "rust")
    return same, visit.page.inner_text("#code")


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
    visit.tab("write")
    page.focus("#text")
    page.keyboard.type("!")
    visit.tab("files")
    page.click("#copy")
    page.wait_for_timeout(SETTLED_MS)
    seen["copied"] = page.inner_text("#said")
    seen["focus"] = [focused(page)]
    for kind in ("png", "outlines"):
        visit.choose("kind", kind)
        page.focus("#download")
        with page.expect_download() as download:
            page.keyboard.press("Enter")
        download.value.save_as(f"{folder}/{kind}")
        page.wait_for_timeout(SETTLED_MS)
        seen["focus"].append(focused(page))
        seen[kind] = page.inner_text("#said")

    # A PNG has one page, so its download is refused; the preview is not.
    visit.open("Margins and position")
    page.select_option("#overflow", "paginate")
    visit.tab("files")
    visit.choose("kind", "png")
    page.click("#download")
    page.wait_for_selector("#problems p")
    seen["in_view"] = in_view(page, "#problems p")
    page.wait_for_timeout(SETTLED_MS)
    seen["refused"] = page.inner_text("#problems")
    page.click("#problems a")
    seen["linked"] = [focused(page), in_view(page, "#overflow"), in_view(page, "#overflow-error")]
    visit.after(lambda: page.select_option("#overflow", "error"))
    seen["mended"] = [page.is_hidden("#overflow-error"), page.inner_text("#problems")]

    page.fill("#margin_top", "500")
    page.wait_for_selector("#margin_top-error:not([hidden])")
    seen["preview_in_view"] = in_view(page, "#margin_top-error")
    seen["stale"] = [page.is_visible("#stale"), page.inner_text("#status")]
    page.screenshot(path=f"{folder}/stale.png")
    visit.after(lambda: page.fill("#margin_top", "20.3"))
    seen["fresh"] = page.is_hidden("#stale")
    return seen


def unreachable(browser, job, folder):
    """The service does not answer for a while, and then for longer."""
    visit = Visit(browser, job, has_specimens=False)
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

        page.unroute(ASKED)
        page.route(ASKED, handle)

    refuse(2)
    visit.after(lambda: page.fill("#text", "patience"))
    seen["preview"] = {"tries": len(tries), "told": told[-1]}
    refuse(1)
    seen["download"] = [visit.download("png", f"{folder}/patient.png"), len(tries)]
    visit.tab("write")
    refuse(1000)
    page.fill("#text", "despair")
    page.wait_for_selector("#again:not([hidden])")
    page.wait_for_timeout(SETTLED_MS)
    seen["given_up"] = {"tries": len(tries), "said": page.inner_text("#problems"), "stale": page.is_visible("#stale")}
    page.unroute(ASKED)
    visit.after(lambda: page.click("#again"))
    seen["mended"] = [page.is_hidden("#again"), page.inner_text("#problems"), page.is_hidden("#stale")]
    seen["complaints"] = [said for said in visit.complaints if "net::ERR_CONNECTION_REFUSED" not in said]
    return seen


def use(visit, folder, key):
    page, seen = visit.page, {}
    seen["address"] = page.url
    seen["unnamed"] = page.evaluate(UNNAMED)
    seen["fields"] = page.evaluate("() => [...document.querySelectorAll('[data-field]')].map(({dataset}) => dataset.field)")
    page.wait_for_function("() => document.getElementById('hand-specimen').style.maskImage.startsWith('url')")
    visit.tab("more")
    visit.choose("unit", "mm")

    visit.tab("write")
    visit.after(lambda: page.fill("#text", "Grüße an O'Neil & \"Söhne\" $HOME `x` \\n"))
    page.click("#hand-button")
    visit.after(lambda: page.keyboard.press("ArrowRight"))
    seen["hand"] = page.evaluate("() => document.querySelector('[name=font_id]:checked').value")
    page.keyboard.press("Escape")
    visit.after(lambda: page.click("#dice"))
    visit.after(lambda: visit.paper("postcard_us"))
    seen["across_mm"] = page.evaluate(DRAWN)
    visit.after(lambda: visit.choose("orientation", "portrait"))
    visit.after(lambda: visit.paper("a5"))
    visit.after(lambda: visit.choose("orientation", "landscape"))
    seen["drawn_mm"] = page.evaluate(DRAWN)
    visit.after(lambda: visit.choose("orientation", "portrait"))

    visit.open("Lines and words")
    page.fill("#word_spacing", "600")
    page.wait_for_selector("#word_spacing-error:not([hidden])")
    seen["error"] = page.inner_text("#word_spacing-error")
    seen["invalid"] = page.get_attribute("#word_spacing", "aria-invalid")
    page.screenshot(path=f"{folder}/error.png")
    visit.after(lambda: page.fill("#word_spacing", "1"))
    seen["mended"] = page.is_hidden("#word_spacing-error") and page.get_attribute("#word_spacing", "aria-invalid") is None

    visit.tab("write")
    visit.after(lambda: page.locator("#writer_variation_strength").press("End"))
    visit.tab("files")
    seen["request"] = page.inner_text("#code")
    seen["same"], seen["rust"] = programs(visit, folder, key)

    visit.open("PDF")
    page.select_option("#pdf-profile", "press")
    page.fill("#pdf-bleed_mm", "5")
    seen["pdf"] = visit.download("pdf", f"{folder}/downloaded.pdf")
    visit.open("PDF")
    page.select_option("#pdf-profile", "document")
    visit.download("pdf", f"{folder}/unbled.pdf")
    page.wait_for_selector("#pdf-bleed_mm-warning", state="attached")
    seen["warning"] = page.text_content("#pdf-bleed_mm-warning")

    visit.tab("write")
    visit.after(lambda: page.fill("#text", "a \U0001f600 smile"))
    page.wait_for_selector("#text-warning:not([hidden])")
    seen["text_warning"] = page.inner_text("#text-warning")
    seen["stale"] = stale(visit)
    visit.after(lambda: page.fill("#text", "Hello"))
    seen["messages"] = messages(visit, folder)
    visit.open("Effects")
    page.check("#enable_natural_variation")
    page.fill("#natural_variation_sigma", "1")
    page.fill("#natural_variation_alpha", "100")
    visit.download("outlines", f"{folder}/image.pdf")
    seen["writing_warning"] = page.text_content("#pdf-writing-warning")
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
    page.click("#empty-key")
    asked = focused(page)
    page.fill("#key", "lh_nonsense")
    page.press("#key", "Enter")
    page.locator("#key").blur()
    page.wait_for_selector("#key-error:not([hidden])")
    said = page.inner_text("#key-error")
    page.fill("#key", job["key"])
    page.locator("#key").blur()
    page.wait_for_selector("#preview:not([hidden])")
    kept = page.evaluate("() => JSON.stringify([localStorage, history.state, document.cookie])")
    return {"asked": asked, "said": said, "mended": page.is_hidden("#key-error"), "stored": job["key"] in kept}


def main():
    job = json.load(sys.stdin)
    folder = job["folder"]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        seen = use(Visit(browser, job, has_specimens=False), folder, job["key"])
        seen["key"] = key_trouble(browser, job)
        seen["unreachable"] = unreachable(browser, job, folder)
        browser.close()
    json.dump(seen, sys.stdout)


main()
