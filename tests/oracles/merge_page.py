"""Merges a table on the try-it page, in a real Chromium: dropped, stepped through, checked, and kept.

In: {"address": of the service, "key", "folder": for the table and screenshots}. Out: {name: what was seen}.
"""

import json
import sys

from page_visit import DESKTOP, Visit, launch
from playwright.sync_api import sync_playwright

# As a spreadsheet program of western Europe writes it. Row 2 has a delimiter and a line break in its cells, row 3 lacks a
# gift, row 4 is empty, row 5 does not fit, and row 6 lacks its last cell.
TABLE = "name;gift;note\r\nZoë;die Blumen;x\r\n\"Marsh; E.\";\"tea\nand \"\"cake\"\"\";x\r\nTom;;x\r\n;;\r\n"
TABLE += "Ann;" + "everything that there is " * 60 + ";x\r\nOtto;nichts\r\nUte;alles;x\r\n"
WORDS = "Dear {name},\n\nthank you for {gift}! {{{row}}}"


def merge(visit, folder):
    page, seen = visit.page, {}
    page.fill("#text", "Hello ")
    visit.drop(b"PK\x03\x04", "people.xlsx")
    page.wait_for_selector("#merge-error:not([hidden])")
    seen["workbook"] = page.inner_text("#merge-error")
    page.screenshot(path=f"{folder}/merge-error.png")
    content = TABLE.encode("windows-1252")
    with open(f"{folder}/people.csv", "wb") as file:
        file.write(content)
    visit.drop(b'name,gift\nAnn,"tea\nBob,milk\n', "open.csv")
    page.wait_for_function("() => document.getElementById('merge-error').textContent.includes('Line')")
    seen["open"] = page.inner_text("#merge-error")
    visit.drop("name\nGy\u0151r\n".encode("windows-1250"), "hungarian.csv")
    page.wait_for_selector("#merge-readings:not([hidden])")
    seen["hungarian"] = page.locator("#merge-choices button").all_inner_texts()
    visit.drop(content, "people.csv")
    page.wait_for_function("() => document.getElementById('merge-ask').textContent.startsWith('people')")
    seen["readings"] = page.locator("#merge-choices button").all_inner_texts()
    seen["asked"] = visit.violations()
    page.screenshot(path=f"{folder}/merge-readings.png")
    page.click("#merge-choices button >> nth=0")
    page.wait_for_selector("#merging:not([hidden])")
    seen["name"] = page.inner_text("#merge-name")
    seen["columns"] = page.locator("#merge-columns button").all_inner_texts()
    seen["unused"] = page.inner_text("#merge-wrong")
    page.click("#merge-columns >> text={name}")
    seen["inserted"] = page.input_value("#text")
    page.fill("#merge-text", "Dear {nmae}")
    seen["missing"] = page.inner_text("#merge-wrong")
    page.fill("#merge-text", WORDS)
    visit.tab("write")
    visit.choose("size", "own")
    page.click("#add-box")
    page.fill("#blocks-text", "{row} for ")
    visit.tab("merge")
    page.click("#merge-columns >> text={name}")
    visit.tab("merge")
    page.wait_for_function("() => /fit/.test(document.getElementById('merge-summary').textContent) && !/checked/.test(document.getElementById('merge-summary').textContent)")
    seen["summary"] = page.inner_text("#merge-summary")
    seen["wrong"] = {item.locator("button").inner_text(): item.locator("span").inner_text() for item in page.locator("#merge-rows .error").all()}
    seen["axe"] = visit.violations()
    seen["box"] = page.get_attribute(".box", "aria-label")
    seen["first"] = page.get_attribute("#preview", "alt")
    visit.after(lambda: page.click("#step-on"))
    seen["second"] = page.get_attribute("#preview", "alt")
    visit.after(lambda: page.click("#merge-rows button >> nth=0"))
    seen["third"] = [page.input_value("#step"), page.inner_text("#step-wrong")]
    page.screenshot(path=f"{folder}/merge.png")
    seen["command"] = page.inner_text("#batch")
    page.check("#batch-served")
    seen["served"] = page.inner_text("#batch")
    page.reload()
    page.wait_for_selector("#preview:not([hidden])")
    seen["reloaded"] = [page.input_value("#step"), page.input_value("#text") == WORDS]
    visit.tab("merge")
    visit.after(lambda: page.click("#merge-end"))
    seen["ended"] = page.get_attribute("#preview", "alt")
    visit.drop("name;city\nMia Or\u0161uli\u0107;Dubrovnik\n".encode("iso-8859-2"), "croatian.csv")
    page.wait_for_function("() => document.getElementById('merge-ask').textContent.startsWith('croatian')")
    seen["croatian"] = page.locator("#merge-choices button").all_inner_texts()
    visit.drop(b"name;gift\n'Ann';the lamp\n'Bob';\n", "quoted.csv")
    page.wait_for_function("() => document.getElementById('merge-name').textContent.startsWith('quoted')")
    page.fill("#merge-text", "{name}, {gift}")
    seen["quoted"] = page.inner_text("#merge-wrong")
    # More cells than one request holds, in an encoding that browsers do not know.
    many = "".join(f"J\u00fcrgen {number};K\u00f6ln\n" for number in range(20_000))
    visit.drop(f"name;city\n{many}".encode("cp850"), "dos.csv")
    page.wait_for_function("() => document.getElementById('merge-ask').textContent.startsWith('dos')")
    seen["asking"] = page.inner_text("#merge-ask")
    page.click("#merge-choices button:has-text('cp850')")
    page.wait_for_function("() => document.getElementById('merge-name').textContent.startsWith('dos')")
    page.fill("#step", "20000")
    page.wait_for_function("() => document.getElementById('preview').alt.includes('19999')")
    seen["dos"] = [page.inner_text("#merge-name"), page.get_attribute("#preview", "alt")]
    return seen


def main():
    job = json.load(sys.stdin)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        visit = Visit(browser, job, has_specimens=False, **DESKTOP)
        seen = merge(visit, job["folder"])
        seen["complaints"] = visit.complaints
        browser.close()
    json.dump(seen, sys.stdout)


main()
