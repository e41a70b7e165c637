"""Uses the studio as a designer of cards does: artwork under the writing, a front and a back, and rules on the sheet.

In: {"address": of a service that keeps artwork, "key", "folder": for files and screenshots}. Out: {name: what was seen}.
"""

import base64
import io
import json
import re
import subprocess
import sys
import time
import urllib.request

import numpy as np
from page_visit import DARK, DESKTOP, PHONE, Visit, launch
from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

LAPTOP = {"viewport": {"width": 1024, "height": 700}}
STATE = "() => JSON.parse(sessionStorage.getItem('longhand-draft'))"
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
DROP = """([bytes, name, x, y]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))], name));
    const { left, top, width, height } = document.getElementById("sheet").getBoundingClientRect();
    const place = { clientX: left + x * width, clientY: top + y * height };
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true, ...place }));
}"""


def picture(name, width, height, color):
    """A file with a picture: a JPEG of one colour, or a PNG with a disc on nothing."""
    made = io.BytesIO()
    if name.endswith(".jpg"):
        Image.new("RGB", (width, height), color).save(made, "JPEG")
    else:
        image = Image.new("RGBA", (width, height), (0, 0, 0, 0))
        ImageDraw.Draw(image).ellipse((0, 0, width - 1, height - 1), fill=color)
        image.save(made, "PNG")
    return {"name": name, "mimeType": "application/octet-stream", "buffer": made.getvalue()}


BACKGROUND = picture("meadow.jpg", 1571, 2173, (222, 236, 214))
LOGO = picture("logo.png", 600, 300, (180, 40, 60, 255))


def artwork(page):
    return page.evaluate(STATE)["request"].get("artwork", [])


def add(visit, button, file):
    """Adds a picture by a button, as a person with a file picker does."""
    with visit.page.expect_file_chooser() as chooser:
        visit.page.click(button)
    visit.after(lambda: chooser.value.set_files(file))


def to_page(page):
    page.click("#picture-panel [aria-label='Back to the page']")


def settled(page):
    """Waits until a drag or a key is in the picture."""
    page.wait_for_timeout(150)
    page.wait_for_selector("#sheet:not(.stale)[aria-busy=false]")


def placed(visit, folder):
    """A background and a logo: added, moved and sized with keys and the pointer, ordered, copied, kept."""
    page, seen = visit.page, {}
    began = time.monotonic()
    add(visit, "#add-background", BACKGROUND)
    add(visit, "#add-picture", LOGO)
    seen["seconds"] = round(time.monotonic() - began, 1)
    seen["added"] = [sorted(item) for item in artwork(page)]
    first = artwork(page)[1]
    seen["place"] = [first["x_mm"], first["width_mm"]]
    logo = page.locator(".picture >> nth=1")
    seen["focus"] = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    visit.after(lambda: page.keyboard.press("ArrowRight"))
    visit.after(lambda: page.keyboard.press("Shift+ArrowDown"))
    now = artwork(page)[1]
    seen["keyed"] = [round(now["x_mm"] - first["x_mm"], 1), round(now["width_mm"] - first["width_mm"], 1)]
    box = logo.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 4, box["y"] + 220, steps=4)
    seen["guides"] = page.locator("#guides line").count()
    page.mouse.up()
    settled(page)
    dragged = artwork(page)[1]
    seen["middle"] = round(dragged["x_mm"] + dragged["width_mm"] / 2, 1)
    box = logo.bounding_box()
    page.mouse.move(box["x"] + box["width"], box["y"] + box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 40, box["y"] + box["height"] + 3, steps=4)
    page.mouse.up()
    settled(page)
    box = logo.bounding_box()
    seen["shape"] = round(box["width"] / box["height"], 1)
    page.keyboard.press("Control+d")
    seen["copies"] = len(artwork(page))
    page.keyboard.press("Delete")
    seen["removed"] = len(artwork(page))
    page.keyboard.press("Enter")
    page.click("#picture-panel >> text=To back")
    seen["order"] = ["width_mm" in item for item in artwork(page)]
    page.click("#undo")
    page.click("#picture-panel summary")
    visit.after(lambda: page.fill("#artwork-height_mm", "1"))
    unit = page.inner_text("label[for='artwork-height_mm'] .unit").strip(" ()")
    seen["exact"] = [unit, artwork(page)[1]["width_mm"]]
    seen["axe"] = visit.violations()
    page.screenshot(path=f"{folder}/artwork-logo.png")
    page.reload()
    page.wait_for_selector("#preview:not([hidden])")
    page.wait_for_selector("#artwork-list li", state="attached")
    seen["reloaded"] = len(artwork(page))
    to_page(page)
    seen["listed"] = page.locator("#artwork-list b").all_inner_texts()
    return seen


def bleed(visit, folder):
    """A file with bleed shows how far the background reaches."""
    page = visit.page
    visit.tab("files")
    visit.choose("kind", "pdfx")
    page.wait_for_selector("#bleed .cut-off", state="attached")
    page.screenshot(path=f"{folder}/artwork-bleed.png")
    seen = {"said": page.inner_text("#bleed-said"), "axe": visit.violations()}
    visit.tab("write")
    return seen


def kept(visit, folder):
    """The pictures of the key: used again, deleted; a page that shows one that is gone says so."""
    page, seen = visit.page, {}
    page.click("#artwork-kept")
    page.wait_for_selector("#pictures-list li")
    seen["names"] = sorted(page.locator("#pictures-list b").all_inner_texts())
    seen["axe"] = visit.violations()
    page.screenshot(path=f"{folder}/artwork-kept.png")
    entry = page.locator("#pictures-list li", has_text="logo.png")
    visit.after(lambda: entry.get_by_text("As picture").click())
    seen["used"] = len(artwork(page))
    page.keyboard.press("Control+z")
    settled(page)
    page.click("#artwork-kept")
    delete = entry.get_by_role("button", name="Delete")
    delete.click()
    seen["asked"] = [delete.inner_text(), page.inner_text("#pictures-said")]
    delete.click()
    page.wait_for_function("() => document.getElementById('pictures-said').textContent.includes('was deleted')")
    page.click("#pictures-done")
    page.fill("#text", "Dear Ann, you are invited")
    page.wait_for_function("() => document.getElementById('problems').textContent.includes('no longer there')")
    seen["gone"] = [page.inner_text("#problems"), page.locator("#artwork-list .gone").count()]
    page.click("#problems a")
    page.wait_for_selector("#picture-panel:not([hidden])")
    visit.after(lambda: page.click("#picture-panel >> text=Remove"))
    seen["mended"] = page.inner_text("#problems")
    return seen


def dropped(visit):
    """Pictures that are dropped on the sheet, and one that is none."""
    page, seen = visit.page, {}
    content = base64.b64encode(LOGO["buffer"]).decode()
    visit.after(lambda: page.evaluate(DROP, [content, "logo.png", 0.5, 0.5]))
    item = artwork(page)[-1]
    seen["middle"] = round(item["x_mm"] + item["width_mm"] / 2, 1)
    page.evaluate(DROP, ["bm8gcGljdHVyZQ==", "none.svg", 0.5, 0.5])
    page.wait_for_function("() => document.getElementById('problems').textContent.includes('none.svg')")
    seen["refused"] = page.inner_text("#problems")
    to_page(page)
    return seen


def sides(visit, folder):
    """A front and a back: each keeps what is its own, the paper is one, the PDF has both."""
    page, seen, asked = visit.page, {}, []
    page.on("request", lambda request: request.url.endswith(("/preflight", "/generate")) and asked.append(json.loads(request.post_data)))
    began = time.monotonic()
    page.click("#side-add")
    seen["focus"] = page.evaluate("() => document.activeElement.id")
    visit.after(lambda: page.fill("#text", "With love from all of us"))
    seen["seconds"] = round(time.monotonic() - began, 1)
    seen["axe"] = visit.violations()
    page.screenshot(path=f"{folder}/sides-back.png")
    visit.after(lambda: visit.choose("side", "front"))
    seen["front"] = [page.input_value("#text"), len(artwork(page))]
    visit.after(lambda: visit.paper("a5"))
    seen["paper"] = [page.evaluate(STATE)["other"]["request"]["page_size"]]
    page.click("#undo")
    seen["paper"].append(page.evaluate(STATE)["other"]["request"]["page_size"])
    settled(page)
    seen["file"] = visit.download("pdfx", f"{folder}/sides.pdf")
    seen["sent"] = [sorted(asked[-1]["sides"][0]), sorted(asked[-1]["sides"][1]), asked[-1]["page_size"]]
    said = subprocess.run(["pdfinfo", f"{folder}/sides.pdf"], capture_output=True, text=True, check=True).stdout
    images = subprocess.run(["pdfimages", "-list", f"{folder}/sides.pdf"], capture_output=True, text=True, check=True).stdout
    seen["pdf"] = [int(re.search(r"Pages: +(\d+)", said).group(1)), len(images.splitlines()) > 2]
    seen["png"] = visit.download("png", f"{folder}/sides.png")
    visit.choose("kind", "pdf")
    visit.tab("write")
    page.reload()
    page.wait_for_selector("#preview:not([hidden])")
    seen["reloaded"] = [page.evaluate(STATE)["look"]["side"], page.evaluate(STATE)["other"]["request"]["text"]]
    # A letter that the hand lacks, on the front alone.
    visit.after(lambda: page.fill("#text", "Dear Ann, \u4e2d"))
    visit.after(lambda: visit.choose("side", "back"))
    visit.paper("lob_postcard_4x6_back")
    page.wait_for_function("() => document.getElementById('findings').textContent.includes('Front:')")
    state = page.evaluate(STATE)
    seen["mail"] = [side["request"]["mail_piece"] for side in (state, state["other"])]
    page.click("#verdict")
    # The check of the new paper may still be on its way.
    page.locator("#findings li", has_text="output intent").first.wait_for()
    seen["once"] = page.locator("#findings li", has_text="output intent").all_inner_texts()
    page.locator("#findings a", has_text="Front").first.click()
    page.wait_for_function("() => document.querySelector('input[name=side][value=front]').checked")
    seen["led"] = page.evaluate(STATE)["look"]["side"]
    page.click("#side-remove")
    seen["removed"] = ["other" in page.evaluate(STATE), page.evaluate("() => document.activeElement.id")]
    return seen


def rules(visit, folder):
    """A ruling without drawn rules is seen on the sheet alone."""
    page = visit.page
    visit.tab("write")
    visit.after(lambda: visit.paper("a5"))
    visit.after(lambda: page.select_option("#ruling", "us_college"))
    lines = page.locator("#rules line")
    heights = lines.evaluate_all("lines => lines.map((line) => Number(line.getAttribute('y1')))")
    seen = {"lines": len(heights), "pitch": round((heights[1] - heights[0]) * 300 / 25.4, 3), "axe": visit.violations()}
    page.screenshot(path=f"{folder}/rules.png")
    visit.after(lambda: page.select_option("#ruling", "own"))
    seen["drawn"] = lines.count()
    return seen


def drawn_rules(job, wanted):
    """Where the service draws the rules of a page, in px: their upper edges, and their left and right ends."""
    ruling = {"pitch": 84.375, "draw": True, "color": [255, 0, 0]}
    wanted = {name: value for name, value in wanted.items() if name != "artwork"}
    wanted |= {"ruling": ruling, "text_color": [0, 0, 0], "png_format": "rgba"}
    headers = {"Authorization": f"Bearer {job['key']}", "Content-Type": "application/json"}
    call = urllib.request.Request(f"{job['address']}/api/v1/generate", json.dumps(wanted).encode(), headers)
    with urllib.request.urlopen(call) as answer:
        content = base64.b64decode(json.load(answer)["image_base64"])
    pixels = np.asarray(Image.open(io.BytesIO(content))).astype(int)
    red = (pixels[..., 0] > 128) & (pixels[..., 3] > 0)
    rows = np.flatnonzero(red.sum(axis=1) > red.sum(axis=1).max() / 2)
    columns = np.flatnonzero(red.any(axis=0))
    return [int(row) for row in rows if row - 1 not in rows], [int(columns[0]), int(columns[-1]) + 1]


def mail_rules(visit, job):
    """On a mail piece, rules are seen where the service draws them: the largest difference in px."""
    page = visit.page
    visit.after(lambda: page.fill("#text", "Hi"))
    visit.after(lambda: visit.paper("lob_postcard_4x6_back"))
    visit.after(lambda: page.select_option("#ruling", "us_college"))
    ends = "lines => lines.map((line) => ['y1', 'x1', 'x2'].map((name) => Number(line.getAttribute(name)) * 300 / 25.4))"
    seen = page.locator("#rules line").evaluate_all(ends)
    tops, [left, right] = drawn_rules(job, page.evaluate(STATE)["request"])
    if len(tops) != len(seen):
        return [len(tops), len(seen)]
    # A rule is 2 px wide.
    return max(max(abs(top + 1 - y), abs(left - x1), abs(right - x2)) for top, (y, x1, x2) in zip(tops, seen))


def late(browser, job):
    """A picture that is sent while people go on to the back: it lands on the front, and leaves them alone."""
    visit = Visit(browser, job, has_specimens=False)
    page = visit.page
    page.wait_for_selector("#artwork-adds:not([hidden])")
    waiting = []
    page.route("**/api/v1/artwork", lambda route: waiting.append(route) if route.request.method == "POST" else route.continue_())
    with page.expect_file_chooser() as chooser:
        page.click("#add-picture")
    chooser.value.set_files(LOGO)
    page.click("#side-add")
    page.keyboard.type("With love")
    while not waiting:
        page.wait_for_timeout(50)
    waiting[0].continue_()
    page.wait_for_function("() => document.getElementById('artwork-said').textContent.includes('is on')")
    state = page.evaluate(STATE)
    seen = {
        "said": page.inner_text("#artwork-said"),
        "focus": page.evaluate("() => document.activeElement.id"),
        "pictures": [len(side["request"].get("artwork", [])) for side in (state["other"], state)],
    }
    visit.context.close()
    return seen


def screens(browser, job, folder):
    """Artwork, a back and rules at three sizes and in both themes."""
    seen = {"axe": [], "too_wide": []}
    for name, options in {"desktop": DESKTOP, "dark": DARK, "laptop": LAPTOP, "phone": PHONE}.items():
        visit = Visit(browser, job, has_specimens=False, **options)
        page = visit.page
        page.wait_for_selector("#artwork:not([hidden])")
        add(visit, "#add-background", BACKGROUND)
        add(visit, "#add-picture", LOGO)
        page.screenshot(path=f"{folder}/{name}-artwork.png")
        seen["axe"] += [f"{name}, artwork: {violation}" for violation in visit.violations()]
        page.click("#side-add")
        visit.after(lambda: page.fill("#text", "With love from all of us"))
        visit.after(lambda: page.select_option("#ruling", "us_college"))
        page.evaluate("() => scrollTo(0, 0)")
        page.screenshot(path=f"{folder}/{name}-back.png")
        seen["axe"] += [f"{name}, back: {violation}" for violation in visit.violations()]
        seen["too_wide"].append(page.evaluate(WIDE))
        visit.context.close()
    return seen


def main():
    job = json.load(sys.stdin)
    folder = job["folder"]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        visit = Visit(browser, job, has_specimens=False, **DESKTOP)
        visit.page.wait_for_selector("#artwork:not([hidden])")
        seen = {
            "placed": placed(visit, folder),
            "bleed": bleed(visit, folder),
            "kept": kept(visit, folder),
            "dropped": dropped(visit),
            "sides": sides(visit, folder),
            "rules": rules(visit, folder),
            "mail_rules": mail_rules(visit, job),
            "late": late(browser, job),
            "screens": screens(browser, job, folder),
        }
        seen["complaints"] = visit.complaints
    print(json.dumps(seen))


main()
