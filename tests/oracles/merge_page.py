"""Merges a list on the studio's page, in a real Chromium: dropped, stepped through, checked, made, downloaded, and kept.

In: {"address": of the service, "key", "folder": for downloads and screenshots}. Out: {name: what was seen}.
"""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

from page_visit import DESKTOP, Visit, launch
from playwright.sync_api import sync_playwright

# As a spreadsheet program of western Europe writes it. Row 2 has a delimiter and a line break in its cells, row 3 lacks a
# gift, row 4 is empty, row 5 is small, and row 6 lacks its last cell.
TABLE = "name;gift;note\r\nZoë;die Blumen;x\r\n\"Marsh; E.\";\"tea\nand \"\"cake\"\"\";x\r\nTom;;x\r\n;;\r\n"
TABLE += "Ann;" + "everything that there is " * 60 + ";x\r\nOtto;nichts\r\nUte;alles;x\r\n"
WORDS = "Dear {name},\n\nthank you for {gift}! ({row})"
SAYS = "([id, part]) => document.getElementById(id).textContent.includes(part)"


def says(page, place, part):
    page.wait_for_function(SAYS, arg=[place, part])
    return page.inner_text(f"#{place}")


def workbook(folder):
    """A workbook, made by the oracle that the command line reads."""
    place = Path(folder, "people.xlsx")
    made = Path(__file__).with_name("workbook.py")
    subprocess.run([sys.executable, made], input=json.dumps({"file": str(place)}), text=True, check=True, capture_output=True)
    return place.read_bytes()


def rows(page, place):
    items = page.locator(f"#{place} li").all()
    return {item.locator("button").inner_text(): item.locator("span").inner_text() for item in items}


def made(visit, form, folder):
    """Makes all rows as one file, and tells what is in it."""
    page = visit.page
    visit.choose("form", form)
    if form == "zip":
        page.select_option("#make-names", label="number and name")
    with page.expect_download() as download:
        page.click("#make")
    place = f"{folder}/all.{form}"
    download.value.save_as(place)
    content = sorted(zipfile.ZipFile(place).namelist()) if form == "zip" else Path(place).read_bytes()[:5].decode()
    return {"file": download.value.suggested_filename, "said": says(page, "make-state", "downloaded"), "content": content,
            "rows": rows(page, "make-rows"), "focus": page.evaluate("() => document.activeElement.id")}


def readings(visit, folder):
    """Lists whose encoding is not certain, and one that is torn."""
    page, seen = visit.page, {}
    visit.drop(b'name,gift\nAnn,"tea\nBob,milk\n', "open.csv")
    seen["open"] = says(page, "merge-error", "is not closed")
    visit.drop("name\nGy\u0151r\n".encode("windows-1250"), "hungarian.csv")
    says(page, "merge-ask", "hungarian")
    seen["hungarian"] = page.locator("#merge-choices button").all_inner_texts()
    visit.drop(TABLE.encode("windows-1252"), "people.csv")
    says(page, "merge-ask", "people")
    seen["readings"] = page.locator("#merge-choices button").all_inner_texts()
    seen["asked"] = visit.violations()
    page.screenshot(path=f"{folder}/merge-readings.png")
    page.click("#merge-choices button >> nth=0")
    page.wait_for_selector("#merging:not([hidden])")
    return seen


def merge(visit, folder):
    page = visit.page
    page.fill("#text", "Hello ")
    visit.drop(workbook(folder), "people.xlsx")
    seen = {"workbook": says(page, "merge-name", "people.xlsx")}
    page.click("#merge-end")
    seen.update(readings(visit, folder))
    seen["name"] = page.inner_text("#merge-name")
    seen["columns"] = page.locator("#merge-columns button").all_inner_texts()
    seen["unused"] = says(page, "merge-wrong", "Nothing uses")
    page.click("#merge-columns >> text={name}")
    seen["inserted"] = page.input_value("#text")
    page.fill("#merge-text", "Dear {nmae}")
    seen["missing"] = says(page, "merge-wrong", "nmae")
    page.fill("#merge-text", WORDS)
    visit.tab("write")
    page.click("#add-box")
    page.fill("#blocks-text", "{row} for ")
    visit.tab("merge")
    page.click("#merge-columns >> text={name}")
    seen["box"] = page.get_attribute(".box", "aria-label")
    seen["summary"] = says(page, "merge-summary", "not ready")
    seen["wrong"] = rows(page, "merge-rows")
    seen["axe"] = visit.violations()
    seen["first"] = page.get_attribute("#preview", "alt")
    visit.after(lambda: page.click("#step-on"))
    seen["second"] = page.get_attribute("#preview", "alt")
    visit.after(lambda: page.click("#merge-rows button >> nth=0"))
    seen["third"] = [page.input_value("#step"), page.inner_text("#step-wrong")]
    visit.after(lambda: page.click("#step-on"))
    seen["over"] = page.input_value("#step")
    visit.after(lambda: page.click("#step-back"))
    seen["back"] = page.input_value("#step")
    page.screenshot(path=f"{folder}/merge.png")
    page.check("#make-same")
    seen["same"] = says(page, "merge-wrong", "row 5 needs")
    page.uncheck("#make-same")
    seen["made"] = {form: made(visit, form, folder) for form in ("pdf", "zip")}
    seen["made_axe"] = visit.violations()
    page.screenshot(path=f"{folder}/merge-made.png")
    page.reload()
    page.wait_for_selector("#preview:not([hidden])")
    page.wait_for_selector("#steps:not([hidden])")
    seen["reloaded"] = [page.input_value("#step"), page.input_value("#text") == WORDS, says(page, "make-state", "rows")]
    visit.tab("merge")
    visit.after(lambda: page.click("#merge-end"))
    seen["ended"] = page.get_attribute("#preview", "alt")
    many = "".join(f"J\u00fcrgen {number};K\u00f6ln\n" for number in range(6000))
    visit.drop(f"name;gift\n{many}".encode("cp850"), "dos.csv")
    says(page, "merge-ask", "dos")
    page.click("#merge-choices button:has-text('cp850')")
    says(page, "merge-name", "dos")
    page.fill("#step", "6000")
    page.wait_for_function("() => document.getElementById('preview').alt.includes('5999')")
    seen["dos"] = [page.inner_text("#merge-name"), page.get_attribute("#preview", "alt")]
    page.click("#merge-check")
    seen["large"] = says(page, "merge-summary", "6,000 rows fit")
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
