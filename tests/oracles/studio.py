"""Uses the try-it page as a studio, in a real Chromium: hands, paper, mail, zoom, links, undo, keyboard and axe.

In: {"address": of the service, "key", "folder": for screenshots}. Out: {name: what was seen}.
"""

import json
import re
import sys

from page_visit import DARK, DESKTOP, PHONE, Visit, launch
from playwright.sync_api import sync_playwright

TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
TOO_HIGH = "() => document.getElementById('write').scrollHeight - document.getElementById('write').clientHeight"
SPECIMENS = "/api/v1/fonts/specimens.png"


def shown_hands(page):
    return page.locator(".hand:not([hidden])").count()


def hands(visit, asked):
    page, seen = visit.page, {}
    page.wait_for_function("() => document.getElementById('hand-specimen').style.maskImage.startsWith('url')")
    page.click("#hand-button")
    seen["all"] = shown_hands(page)
    seen["asked"] = len([url for url in asked if SPECIMENS in url])
    seen["words"] = "Dear%20Ann" in [url for url in asked if SPECIMENS in url][0]
    page.select_option("#hands-neatness", "loose")
    page.select_option("#hands-joins", "joined")
    seen["filtered"] = shown_hands(page)
    page.fill("#search", "zeyada")
    seen["found"] = [shown_hands(page), page.inner_text("#found")]
    page.fill("#search", "no such hand")
    seen["none"] = page.is_visible("#no-hand")
    page.fill("#search", "")
    page.select_option("#hands-neatness", "")
    page.select_option("#hands-joins", "")
    page.click(".hand[data-id='44'] .star")
    page.check("#hands-favourites")
    seen["favourites"] = shown_hands(page)
    page.uncheck("#hands-favourites")
    page.click(".hand[data-id='44'] .beside")
    page.click(".hand[data-id='8'] .beside")
    page.wait_for_function("() => [...document.querySelectorAll('#compared img')].filter((image) => image.naturalWidth).length === 2")
    page.screenshot(path=f"{visit.folder}/compare.png")
    seen["dialog_axe"] = visit.violations()
    visit.after(lambda: page.click("#compared button >> nth=1"))
    seen["chosen"] = [page.inner_text("#hand-name"), page.is_visible("#hands-dialog")]
    return seen


def paper(visit):
    page, seen = visit.page, {}
    visit.after(lambda: visit.paper("lob_postcard_4x6_back"))
    seen["zones"] = page.locator("#zones .zone").count()
    seen["size"] = page.inner_text("#sheet-size")
    page.wait_for_function("() => document.getElementById('verdict').textContent.includes('Lob')")
    seen["verdict"] = page.inner_text("#verdict")
    page.screenshot(path=f"{visit.folder}/postcard.png")
    page.click("#add-box")
    page.fill("#blocks-text", "Your words")
    page.locator("#box-panel details").evaluate("details => { details.open = true; }")
    page.fill("#blocks-x", "80")
    visit.after(lambda: page.fill("#blocks-y", "60"))
    page.wait_for_selector("#found-boxes .error")
    seen["found"] = [page.inner_text("#verdict"), page.locator("#found-boxes .error").count()]
    page.click("#verdict")
    seen["box_axe"] = visit.violations()
    page.screenshot(path=f"{visit.folder}/finding.png")
    page.click("#findings a >> nth=0")
    seen["led"] = page.evaluate("() => document.activeElement.closest('#box-panel') !== null")
    page.click("#verdict")
    visit.after(lambda: page.click("#box-panel >> text=Remove"))
    visit.after(lambda: visit.paper("custom"))
    visit.after(lambda: page.fill("#custom_page-width", "180"))
    seen["own"] = page.inner_text("#sheet-size")
    visit.after(lambda: visit.paper("card_5x7"))
    visit.after(lambda: page.select_option("#ruling", "own"))
    seen["pitch"] = page.input_value("#ruling-pitch")
    visit.choose("paper-color", "kraft")
    seen["paper_color"] = page.evaluate("() => document.getElementById('sheet').style.backgroundColor")
    visit.after(lambda: page.select_option("#ruling", "none"))
    return seen


def focused(page):
    return page.evaluate("() => document.activeElement.id || document.activeElement.className")


def draft(page):
    return page.evaluate("() => JSON.parse(sessionStorage.getItem('longhand-draft')).request")


def drag(page, selector, right, down, is_free=True):
    """Drags the middle of an element by CSS px; held to no line, if it is free."""
    box = page.locator(selector).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if is_free:
        page.keyboard.down("Alt")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=3)
    page.mouse.up()
    page.keyboard.up("Alt")


def boxes(visit):
    """A signature in another hand by two clicks, a box dragged, sized, moved by keys, wrong, mended and removed."""
    page, seen = visit.page, {}
    page.fill("#text", "Dear Ann,\n\nYours, Tom")
    page.click("#sign")
    visit.after(lambda: page.click(".hand[data-id='44'] label"))
    signed = draft(page)
    seen["signed"] = [signed["text"], signed["blocks"][0]["text"], signed["blocks"][0]["font_id"]]
    page.screenshot(path=f"{visit.folder}/signature.png")
    visit.after(lambda: page.locator("#blocks-rotation").fill("0"))
    # What stands under the sheet changes its scale.
    wait_for_verdict(page)
    before = draft(page)["blocks"][0]
    scale = lambda: page.evaluate("() => document.getElementById('sheet').clientWidth") / 1500
    per_px = scale()
    visit.after(lambda: drag(page, ".box", -30, -60))
    moved = draft(page)["blocks"][0]
    seen["moved"] = [round((moved[name] - before[name]) * per_px) for name in ("x", "y", "width", "height")]
    wait_for_verdict(page)
    per_px = scale()
    visit.after(lambda: drag(page, ".box .se", 24, 15))
    sized = draft(page)["blocks"][0]
    seen["sized"] = [round((sized[name] - moved[name]) * per_px) for name in ("x", "y", "width", "height")]
    page.focus(".box")
    page.keyboard.press("ArrowRight")
    visit.after(lambda: page.keyboard.press("Shift+ArrowDown"))
    keyed = draft(page)["blocks"][0]
    seen["keyed"] = [keyed[name] - sized[name] for name in ("x", "y", "width", "height")]
    page.locator("#box-panel details").evaluate("details => { details.open = true; }")
    page.fill("#blocks-width", "400")
    page.wait_for_selector("#blocks-width-error:not([hidden])")
    page.click("#box-panel >> text=‹ Page")
    page.click("#problems a")
    seen["error"] = [page.evaluate("() => document.activeElement.id"), page.inner_text("#problems a")]
    page.focus(".box")
    visit.after(lambda: page.keyboard.press("Delete"))
    seen["left"] = [page.locator(".box").count(), page.is_visible("#text"), "blocks" in draft(page)]
    return seen


def unmeant(visit):
    """New boxes print nothing until they have words, and Escape takes them back."""
    page, asked = visit.page, []
    listen = lambda request: re.search("preview|preflight", request.url) and asked.append(json.loads(request.post_data))
    page.on("request", listen)
    page.click("#add-box")
    page.wait_for_function("() => document.getElementById('findings').textContent.includes('is empty')")
    seen = {"ghost": page.inner_text(".box .ghost"), "focus": focused(page), "finding": page.text_content("#findings li >> text=is empty")}
    visit.download("png", f"{visit.folder}/unmeant.png")
    visit.tab("write")
    page.focus("#blocks-text")
    page.keyboard.press("Escape")
    seen["escaped"] = [page.locator(".box").count(), focused(page)]
    visit.after(lambda: page.fill("#text", "Yours"))
    page.click("#sign")
    page.wait_for_selector(".box .ghost >> text=Your name")
    seen["nameless"] = [page.is_visible("#hands-dialog"), focused(page)]
    page.keyboard.press("Escape")
    seen["sent"] = [wanted for wanted in asked if wanted.get("blocks")]
    page.remove_listener("request", listen)
    return seen


def mail(visit):
    """An envelope and a postcard at the first click, with an address and a sender; the letter comes back."""
    page, seen = visit.page, {}
    visit.after(lambda: page.fill("#text", "Dear Ann,\n\nYours, Tom"))
    visit.paper("envelope_10")
    seen["focus"] = focused(page)
    visit.after(lambda: page.keyboard.type("Ms Ann Whitfield\n14 Harbour Street\nBristol BS1 5TY"))
    page.click("#box-panel >> text=‹ Page")
    page.click("#add-sender")
    visit.after(lambda: page.keyboard.type("Tom Marsh\nBath"))
    request = draft(page)
    seen["envelope"] = [request["orientation"], request["text"], [box["text"] for box in request["blocks"]]]
    address, sender = request["blocks"]
    seen["address"] = [address["x"] > 2850 * 0.4, address["y"] > 1238 * 0.4, address["keep_lines"], sender["x"] < 300]
    seen["verdict"] = wait_for_verdict(page)
    seen["axe"] = visit.violations()
    page.screenshot(path=f"{visit.folder}/envelope.png")
    page.click("#box-panel >> text=‹ Page")
    visit.after(lambda: visit.paper("postcard_6x9"))
    page.click("#add-address")
    visit.after(lambda: page.keyboard.type("Ann Whitfield\nBristol"))
    request = draft(page)
    seen["postcard"] = [request["orientation"], request["text"], request["margin_right"] > 1300]
    page.screenshot(path=f"{visit.folder}/postcard-address.png")
    page.keyboard.press("Escape")
    page.keyboard.press("Delete")
    visit.after(lambda: visit.paper("card_5x7"))
    seen["card"] = [draft(page).get("orientation"), draft(page)["text"]]
    return seen


def wait_for_verdict(page):
    page.wait_for_selector("#check:not(.old):not([hidden])")
    return page.inner_text("#verdict")


def copies(visit):
    """A box that is held to the middle, copied by keys, and removed; the focus stays where there is something to do."""
    page, seen = visit.page, {}
    page.click("#add-box")
    visit.after(lambda: page.keyboard.type("One"))
    box, sheet = page.locator(".box").bounding_box(), page.locator("#sheet").bounding_box()
    off = sheet["x"] + sheet["width"] / 2 - box["x"] - box["width"] / 2
    visit.after(lambda: drag(page, ".box", off + 4, -20, is_free=False))
    placed = draft(page)["blocks"][0]
    seen["middle"] = abs(placed["x"] + placed["width"] / 2 - 750) <= 1
    page.focus(".box")
    page.keyboard.press("Control+c")
    page.keyboard.press("Control+v")
    visit.after(lambda: page.keyboard.press("Control+d"))
    seen["copies"] = [box["text"] for box in draft(page)["blocks"]]
    seen["places"] = len({(box["x"], box["y"]) for box in draft(page)["blocks"]})
    for _ in range(2):
        page.keyboard.press("Delete")
    visit.after(lambda: page.keyboard.press("Delete"))
    seen["focus"] = focused(page)
    return seen


def closer(visit):
    """At 300 %, dragged: the region that is asked for moves with it."""
    page, regions = visit.page, []
    page.on("request", lambda request: request.url.endswith("/api/v1/preview") and regions.append(json.loads(request.post_data).get("region")))
    visit.choose("zoom", "300")
    page.wait_for_selector("#closer:not([hidden])")
    first = next(region for region in regions if region)
    regions.clear()
    page.mouse.move(400, 500)
    page.mouse.down()
    # 96 CSS px are an inch, so at three times the real size 115.2 px are 120 px at 300 DPI.
    page.mouse.move(400 - 115.2, 500 - 144, steps=4)
    page.mouse.up()
    page.wait_for_function("before => document.getElementById('closer').src !== before", arg=page.get_attribute("#closer", "src"))
    page.wait_for_timeout(300)
    page.screenshot(path=f"{visit.folder}/close.png")
    moved = [region for region in regions if region][-1]
    visit.choose("zoom", "fit")
    zooms = []
    for _ in range(2):
        page.dblclick("#sheet", position={"x": 100, "y": 100})
        zooms.append(page.evaluate("() => document.querySelector('[name=zoom]:checked').value"))
    return {"zooms": zooms, "moved": [moved["x"] - first["x"], moved["y"] - first["y"]], "width": first["width"]}


def blank(visit):
    """A page without words is no error."""
    page = visit.page
    page.fill("#text", "")
    page.wait_for_selector("#empty:not([hidden])")
    return [page.is_visible("#empty-key"), page.inner_text("#problems"), page.is_visible("#preview")]


def undo(visit):
    """Words are taken back one by one, where they are; steps outlast a reload."""
    page, seen = visit.page, {}
    caret = lambda: page.evaluate("() => document.getElementById('text').selectionStart")
    visit.tab("write")
    page.fill("#text", "One two")
    page.locator("#text").press("Home")
    page.keyboard.type("all of these ")
    page.keyboard.press("Control+z")
    seen["word"] = [page.input_value("#text"), caret()]
    page.keyboard.press("Control+z")
    seen["words"] = [page.input_value("#text"), caret()]
    page.keyboard.press("Control+Shift+z")
    seen["redone"] = page.input_value("#text")
    page.keyboard.press("Control+Z")
    seen["capital"] = page.input_value("#text")
    page.reload()
    page.wait_for_selector("#preview:not([hidden])")
    seen["reloaded"] = page.input_value("#text")
    page.click("#redo")
    seen["redo"] = page.input_value("#text")
    page.click("#undo")
    page.click("#undo")
    seen["undo"] = page.input_value("#text")
    return seen


def sizes(visit):
    """The own size begins at that in use; lines stand in the middle of a card; errors are in the unit of the field."""
    page, seen = visit.page, {}
    visit.after(lambda: page.fill("#text", "Dear Ann, thank you for the flowers!"))
    seen["middle"] = draft(page)["vertical_alignment"]
    visit.after(lambda: visit.choose("vertical_alignment", "bottom"))
    visit.after(lambda: visit.choose("text_alignment", "right"))
    visit.after(lambda: visit.choose("size", "fill"))
    shown = int(re.search(r"letters (\d+) px", page.inner_text("#status")).group(1))
    visit.choose("size", "own")
    request = draft(page)
    seen["own"] = [request["font_size"] == shown, page.inner_text("#problems"), float(page.input_value("#font_size")) < 60]
    seen["aligned"] = [request["text_alignment"], request["vertical_alignment"]]
    page.fill("#font_size", "30")
    page.wait_for_selector("#text-error:not([hidden])")
    seen["error"] = page.inner_text("#text-error")
    visit.after(lambda: visit.choose("size", "medium"))
    visit.choose("text_alignment", "left")
    visit.after(lambda: visit.choose("vertical_alignment", "center"))
    return seen


def zooms(visit):
    """100 % is the real size; the wheel with Ctrl and keys look closer."""
    page, seen = visit.page, {}
    width = lambda: page.locator("#sheet").bounding_box()["width"]
    visit.choose("zoom", "100")
    seen["real"] = [round(width()), page.inner_text("#sheet-scale")]
    page.mouse.move(400, 400)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -200)
    page.keyboard.up("Control")
    page.wait_for_function("() => document.getElementById('sheet').getBoundingClientRect().width > 500")
    seen["wheel"] = page.evaluate("() => document.querySelector('[name=zoom]:checked')")
    page.focus("#stage")
    before = width()
    page.keyboard.press("+")
    seen["key"] = width() > before
    page.keyboard.press("0")
    seen["fit"] = page.evaluate("() => document.querySelector('[name=zoom]:checked').value")
    return seen


def link(visit, browser, job):
    visit.tab("files")
    visit.page.click("#link")
    visit.page.wait_for_selector("#link-text:not([hidden])")
    made = visit.page.input_value("#link-text")
    other = Visit(browser, job, fragment=made.split("#")[1] + "&", has_specimens=False)
    same = [draft(page) for page in (visit.page, other.page)]
    other.context.close()
    return {"same": same[0] == same[1], "has_key": job["key"] in made}


def by_keyboard(browser, job):
    """A card and its file with no pointer: words, ink, then the download."""
    visit = Visit(browser, job, has_specimens=False)
    page = visit.page
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.focus("#tab-write")
    # Past the buttons for text boxes.
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    visit.after(lambda: page.keyboard.type("By hand"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    visit.after(lambda: page.keyboard.press("ArrowDown"))
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    visit.after(lambda: page.keyboard.press("ArrowRight"))
    page.focus("#tab-write")
    page.keyboard.press("End")
    shown = page.is_visible("#download")
    for _ in range(2):
        page.keyboard.press("Tab")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    request = draft(page)
    visit.context.close()
    return {"shown": shown, "file": download.value.suggested_filename, "hand": request["font_id"], "ink": request["text_color"]}


def main():
    job = json.load(sys.stdin)
    folder, seen = job["folder"], {"axe": [], "complaints": []}
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, options in {"light": DESKTOP, "dark": DARK, "phone": PHONE}.items():
            visit = Visit(browser, job, **options)
            visit.page.wait_for_selector("#check:not([hidden])")
            visit.page.wait_for_function("() => document.getElementById('hand-specimen').style.maskImage.startsWith('url')")
            seen[f"{name}_too_wide"] = visit.page.evaluate(TOO_WIDE)
            seen[f"{name}_too_high"] = visit.page.evaluate(TOO_HIGH)
            for tab in ("more", "merge", "files", "write"):
                visit.tab(tab)
                visit.page.screenshot(path=f"{folder}/{name}-{tab}.png")
                seen["axe"] += [f"{name}, {tab}: {violation}" for violation in visit.violations()]
            seen["complaints"] += visit.complaints
            visit.context.close()
        visit = Visit(browser, job, **DESKTOP)
        visit.folder, asked = folder, []
        visit.page.on("request", lambda request: asked.append(request.url))
        visit.page.reload()
        visit.page.wait_for_selector("#preview:not([hidden])")
        visit.tab("more")
        visit.choose("unit", "mm")
        visit.tab("write")
        seen["hands"] = hands(visit, asked)
        visit.leave_out_specimens()
        seen["paper"] = paper(visit)
        seen["closer"] = closer(visit)
        seen["boxes"] = boxes(visit)
        seen["unmeant"] = unmeant(visit)
        seen["copies"] = copies(visit)
        seen["mail"] = mail(visit)
        seen["blank"] = blank(visit)
        seen["sizes"] = sizes(visit)
        seen["zooms"] = zooms(visit)
        seen["undo"] = undo(visit)
        seen["link"] = link(visit, browser, job)
        seen["complaints"] += visit.complaints
        visit.tab("write")
        visit.page.evaluate("() => document.getElementById('text').labels[0].remove()")
        seen["planted"] = visit.violations()
        seen["keyboard"] = by_keyboard(browser, job)
        browser.close()
    json.dump(seen, sys.stdout)


main()
