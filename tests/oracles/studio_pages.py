"""Uses the studio as people with a task do: finds hands by use, keeps and prints pages, makes strokes, clicks on writing.

In: {"address": of the service, "key", "folder": for files and screenshots}. Out: {name: what was seen}. What a service may
tell more than this one (places of words, several pages, paper that is no white one) is told by the test in its place.
"""

import json
import re
import subprocess
import sys

from page_visit import DARK, DESKTOP, PHONE, Visit, launch
from playwright.sync_api import sync_playwright

LAPTOP = {"viewport": {"width": 1024, "height": 700}}
SEARCHES = ["messy", "wedding", "child", "business", "signature", "fran\u00e7ais", "43", "zz"]
SENTENCE = "We have moved to the house by the lake, and the garden is full of roses and of bees. "
LIGHT = """() => {
    const color = document.getElementById('text_color');
    color.value = '#ffffff';
    color.dispatchEvent(new Event('input'));
}"""


def draft(page):
    return page.evaluate("() => JSON.parse(sessionStorage.getItem('longhand-draft')).request")


def focused(page):
    return page.evaluate("() => document.activeElement.id")


def hands(visit):
    page, seen = visit.page, {}
    page.click("#hand-button")
    seen["first"] = page.locator(".hand >> nth=0").get_attribute("data-said")
    for words in SEARCHES:
        page.fill("#search", words)
        seen[words] = page.locator(".hand:not([hidden])").count()
    page.fill("#search", "")
    page.keyboard.press("Escape")
    return seen


def strokes(visit, folder):
    """A hand without strokes is told before the download, and the choice of another shows those with strokes alone."""
    page, seen = visit.page, {}
    page.click("#hand-button")
    visit.after(lambda: page.click(".hand[data-id='3'] label"))
    visit.tab("files")
    visit.choose("kind", "strokes")
    seen["wrong"] = page.inner_text("#kind-wrong-said")
    page.wait_for_function("() => document.getElementById('verdict').textContent.startsWith('Not ready')")
    page.click("#kind-hand")
    seen["offered"] = page.locator(".hand[data-id='3']:not([hidden])").count()
    visit.after(lambda: page.click(".hand[data-id='43'] label"))
    seen["mended"] = page.is_hidden("#kind-wrong")
    seen["file"] = visit.download("strokes", f"{folder}/strokes.svg")
    seen["lines"] = open(f"{folder}/strokes.svg").read().count('fill="none"') > 0
    visit.choose("kind", "png")
    visit.tab("write")
    return seen


def kept(visit, folder):
    """Pages under names, and as files."""
    page, seen = visit.page, {}
    visit.after(lambda: page.fill("#text", "Dear Ann, thank you!"))
    page.click("#pages-button")
    seen["name"] = page.input_value("#pages-name")
    page.keyboard.press("Enter")
    seen["axe"] = visit.violations()
    with page.expect_download() as download:
        page.click("#pages-out")
    download.value.save_as(f"{folder}/page.json")
    seen["file"] = download.value.suggested_filename
    page.screenshot(path=f"{folder}/pages.png")
    page.click("#pages-new")
    seen["new"] = [page.input_value("#text"), focused(page)]
    visit.after(lambda: page.fill("#text", "Other words"))
    page.click("#pages-button")
    visit.after(lambda: page.click("#pages-list .kept"))
    seen["opened"] = page.input_value("#text")
    visit.after(lambda: page.click("#undo"))
    visit.after(lambda: visit.drop(open(f"{folder}/page.json", "rb").read(), "page.json"))
    seen["dropped"] = page.input_value("#text")
    page.click("#pages-button")
    page.click("#pages-list >> text=Delete")
    seen["deleted"] = [page.locator("#pages-list li").count(), page.evaluate("() => document.activeElement.textContent")]
    page.keyboard.press("Enter")
    seen["back"] = page.locator("#pages-list li").count()
    page.click("#pages-done")
    visit.drop(b'{"request": 3}', "damaged.json")
    page.wait_for_selector("#pages-dialog[open]")
    seen["damaged"] = page.inner_text("#pages-said")
    page.click("#pages-done")
    seen["stored"] = page.evaluate("() => JSON.stringify(localStorage)")
    return seen


def printed(visit, folder):
    """The print is one sheet of the size of the paper, with the page alone on it."""
    page = visit.page
    visit.after(lambda: visit.paper("a5"))
    page.evaluate("() => { window.print = () => { window.prints = 1; }; }")
    visit.tab("files")
    page.click("#print")
    page.wait_for_function("() => window.prints")
    place = f"{folder}/print.pdf"
    page.pdf(path=place, prefer_css_page_size=True)
    said = subprocess.run(["pdfinfo", place], capture_output=True, text=True, check=True).stdout
    size = re.search(r"Page size: +([\d.]+) x ([\d.]+)", said).groups()
    words = subprocess.run(["pdftotext", place, "-"], capture_output=True, text=True, check=True).stdout
    sheets = int(re.search(r"Pages: +(\d+)", said).group(1))
    return {"sheets": sheets, "mm": [round(float(side) * 25.4 / 72) for side in size], "words": words.strip()}


def envelope_by_keyboard(browser, job):
    """An envelope and its PDF with no pointer."""
    visit = Visit(browser, job, has_specimens=False)
    page = visit.page
    page.focus("#paper-button")
    page.keyboard.press("Enter")
    # From the chosen paper back to the search.
    for _ in range(2):
        page.keyboard.press("Shift+Tab")
    page.keyboard.type("envelope 10")
    page.keyboard.press("Enter")
    visit.after(lambda: page.keyboard.type("Ann Whitfield\nBristol"))
    seen = {"size": page.inner_text("#sheet-size"), "words": draft(page)["blocks"][0]["text"]}
    page.keyboard.press("Escape")
    page.focus("#tab-write")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('file-said').textContent.includes('DPI')")
    page.keyboard.press("Tab")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    seen["file"] = download.value.suggested_filename
    visit.context.close()
    return seen


def long_letter(browser, job, folder):
    """A letter that has become small goes on on more pages, and is signed on the last; its link goes with the page."""
    visit = Visit(browser, job, has_specimens=False)
    page, seen = visit.page, {}
    visit.after(lambda: visit.paper("letter"))
    visit.after(lambda: page.fill("#text", "Dear Ann,\n\n" + SENTENCE * 80 + "\n\nYours,\nTom Miller"))
    page.wait_for_selector("#findings >> text=more pages", state="attached")
    page.click("#verdict")
    visit.after(lambda: page.click("#findings >> text=more pages"))
    page.wait_for_selector("#page-steps:not([hidden])")
    seen["offered"] = page.text_content("#download")
    page.click("#sign")
    page.wait_for_selector("#hands-dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.querySelector('#boxes > :not([hidden])')")
    signed = draft(page)
    count = re.fullmatch(r"Page (\d+) of (\d+)", page.inner_text("#page-count")).groups()
    seen["signed"] = [signed["blocks"][0]["text"], signed["blocks"][0]["page"], count[0] == count[1] != "1"]
    page.wait_for_function("() => document.getElementById('sheet').getAttribute('aria-busy') === 'false'")
    page.screenshot(path=f"{folder}/last-page.png")
    page.click("#page-back")
    seen["elsewhere"] = page.locator("#boxes > :not([hidden])").count()
    visit.tab("files")
    page.click("#link")
    page.wait_for_selector("#link-text:not([hidden])")
    page.click("#pages-button")
    page.click("#pages-new")
    seen["link"] = page.is_hidden("#link-text") and page.input_value("#link-text") == ""
    visit.context.close()
    return seen


def facts(visit):
    """What the file for a printing house is, beside its button and around the sheet."""
    page = visit.page
    visit.after(lambda: visit.paper("card_5x7"))
    visit.tab("files")
    visit.choose("kind", "pdfx")
    page.wait_for_function("() => document.getElementById('file-said').textContent.includes('PDF/X')")
    seen = [page.inner_text("#file-said"), page.locator("#bleed .bleed").count()]
    visit.choose("kind", "png")
    visit.tab("write")
    return seen


def light(visit):
    page, asked = visit.page, []
    page.on("request", lambda request: request.url.endswith("/preview") and asked.append(json.loads(request.post_data)))
    visit.after(lambda: page.evaluate(LIGHT))
    visit.choose("paper-color", "kraft")
    page.wait_for_timeout(400)
    slip = page.evaluate("() => getComputedStyle(document.querySelector('.hand-card')).backgroundColor")
    return {"slip": slip, "axe": visit.violations(), "asked": asked[-1].get("paper_color")}


def more_of_the_service(visit):
    """The service tells more from now on: the page asks for it."""
    page = visit.page

    def describe(route):
        answer = route.fetch()
        described = answer.json()
        schemas = described["components"]["schemas"]
        for name in ("places", "page", "paper_color"):
            schemas["PreviewRequest"]["properties"][name] = {"type": "integer"}
        route.fulfill(response=answer, json=described)

    def preview(route):
        wanted = json.loads(route.request.post_data)
        asked.append(wanted)
        sent = {name: value for name, value in wanted.items() if name not in ("places", "page", "paper_color")}
        if sent.get("overflow") == "paginate":
            sent["overflow"] = "clip"
        answer = route.fetch(post_data=json.dumps(sent))
        made = answer.json()
        made["pages"] = 3
        text = wanted.get("text", "")
        start = text.find("flowers")
        made["places"] = [{"block": None, "start": start, "end": start + 7, "x": 500, "y": 300, "width": 300, "height": 100}]
        route.fulfill(response=answer, json=made)

    asked = []
    page.route("**/openapi.json", describe)
    page.route("**/api/v1/preview", preview)
    page.reload()
    page.wait_for_selector("#preview:not([hidden])")
    return asked


def clicks(visit):
    """A click on a word selects it where it is written; a text of several pages is turned over."""
    asked, page, seen = more_of_the_service(visit), visit.page, {}
    visit.after(lambda: page.fill("#text", "\U0001d4d0 Dear Ann, thank you for the flowers!"))
    visit.tab("files")
    sheet = page.locator("#sheet").bounding_box()
    by = sheet["width"] / 1748
    page.mouse.click(sheet["x"] + 600 * by, sheet["y"] + 350 * by)
    seen["selected"] = page.evaluate("() => String(document.getElementById('text').value).slice(text.selectionStart, text.selectionEnd)")
    seen["focus"] = focused(page)
    seen["paper_color"] = asked[-1]["paper_color"]
    visit.open("Margins and position")
    visit.after(lambda: page.select_option("#overflow", "paginate"))
    seen["pages"] = page.inner_text("#page-count")
    visit.after(lambda: page.click("#page-on"))
    seen["turned"] = [page.inner_text("#page-count"), asked[-1]["page"], asked[-1]["overflow"], page.locator("#boxes > :not([hidden])").count()]
    seen["axe"] = visit.violations()
    return seen


def screens(browser, job, folder):
    """Dialogs and a text box at three sizes and in both themes."""
    seen = {"axe": [], "too_wide": []}
    for name, options in {"desktop": DESKTOP, "dark": DARK, "laptop": LAPTOP, "phone": PHONE}.items():
        visit = Visit(browser, job, has_specimens=False, **options)
        page = visit.page
        wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
        for button, done in (("#paper-button", "#paper-done"), ("#hand-button", "#hands-done"), ("#pages-button", "#pages-done")):
            page.click(button)
            page.screenshot(path=f"{folder}/{name}-{button[1:]}.png")
            seen["axe"] += [f"{name}, {button}: {violation}" for violation in visit.violations()]
            page.click(done)
        page.click("#add-box")
        visit.after(lambda: page.keyboard.type("Words"))
        page.screenshot(path=f"{folder}/{name}-box.png")
        seen["axe"] += [f"{name}, box: {violation}" for violation in visit.violations()]
        seen["too_wide"].append(page.evaluate(wide))
        visit.context.close()
    return seen


def main():
    job = json.load(sys.stdin)
    folder = job["folder"]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        visit = Visit(browser, job, has_specimens=False, **DESKTOP)
        seen = {"hands": hands(visit), "strokes": strokes(visit, folder), "kept": kept(visit, folder)}
        seen["printed"] = printed(visit, folder)
        visit.tab("write")
        seen["facts"] = facts(visit)
        seen["light"] = light(visit)
        seen["clicks"] = clicks(visit)
        seen["complaints"] = visit.complaints
        seen["envelope"] = envelope_by_keyboard(browser, job)
        seen["letter"] = long_letter(browser, job, folder)
        seen["screens"] = screens(browser, job, folder)
        browser.close()
    json.dump(seen, sys.stdout)


main()
