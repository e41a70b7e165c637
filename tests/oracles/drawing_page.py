"""Drawings under the writing of a page, as PDFium, resvg and pikepdf see them.

Reads one job from standard input:

    {"page": PDF or PNG, "drawing": SVG or PDF of one page, "box": [left, top, right, bottom] in mm, "dpi": px per inch}:
     draws the page and, by itself, the drawing in its box. Prints the mean difference of both in the box, in 255ths, and
     the part of the box that is not white.
    {"page": PDF, "picture": PNG of the same page, "box", "dpi"}: prints the same, of the page and its picture.
    {"pdf": path}: prints what is in the file: its version, the number of "drawings" and of "places" that show them, whether
     anything is "transparent", whether anything "acts", the colour "operators" of the drawings, and the rules of PDF/X-1a
     that it has "broken".
"""

import io
import json
import re
import sys
from pathlib import Path

import numpy
import pikepdf
import pypdfium2
import resvg_py
from PIL import Image

from pdfx_rules import BOOK

MM_PER_INCH = 25.4
PT_PER_INCH = 72
# Both round the tiles of patterns to whole px, so they draw more of them than are compared.
FINER = 8
COLOURS = {"CS", "SCN", "SC", "G", "RG", "K", "cs", "scn", "sc", "g", "rg", "k", "sh"}
# A rule about the palette of writing that is an image.
OF_PALETTES = "ink_stays_within_the_limit"
ACTS = {"/JS", "/OpenAction", "/AA", "/Annots", "/AcroForm", "/EmbeddedFiles", "/Launch"}


def over_white(picture):
    """A picture on white, from 0 to 255."""
    white = Image.new("RGBA", picture.size, "white")
    return numpy.asarray(Image.alpha_composite(white, picture.convert("RGBA")).convert("RGB")).astype(float)


def drawn(path, dpi):
    """The trim of the first page of a file, or a picture."""
    if path.endswith(".pdf"):
        page = pypdfium2.PdfDocument(path)[0]
        beyond = [abs(edge - cut) for edge, cut in zip(page.get_cropbox(), page.get_trimbox(), strict=True)]
        return page.render(scale=FINER * dpi / PT_PER_INCH, crop=beyond).to_pil().reduce(FINER)
    return Image.open(path)


def drawing(path, width, height):
    """A drawing of this size in px."""
    if path.endswith(".svg"):
        # resvg rounds the size of a page up.
        sides = f"width='{FINER * width}' height='{FINER * height}'"
        own = re.sub(r"width='\d+mm' height='\d+mm'", sides, Path(path).read_text(), count=1)
        return Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=own, dpi=96)))).convert("RGBA").reduce(FINER)
    page = pypdfium2.PdfDocument(path)[0]
    return page.render(scale=FINER * width / page.get_width()).to_pil().resize((width, height), Image.Resampling.BOX)


def compare(job):
    """How far a page is from its drawing."""
    left, top, right, bottom = (round(edge * job["dpi"] / MM_PER_INCH) for edge in job["box"])
    found = over_white(drawn(job["page"], job["dpi"]).convert("RGBA").crop((left, top, right, bottom)))
    if "picture" in job:
        expected = over_white(Image.open(job["picture"]).convert("RGBA").crop((left, top, right, bottom)))
    else:
        expected = over_white(drawing(job["drawing"], right - left, bottom - top))
    height = min(found.shape[0], expected.shape[0])
    difference = numpy.abs(found[:height] - expected[:height])
    return {"mean": float(difference.mean()), "inked": float((expected < 250).any(axis=2).mean())}


def entries(value, depth=0):
    """All dictionaries in an object, without those behind references."""
    if depth and getattr(value, "is_indirect", False):
        return
    if isinstance(value, (pikepdf.Dictionary, pikepdf.Stream)):
        yield value
        for inner in value.values():
            if isinstance(inner, pikepdf.Object):
                yield from entries(inner, depth + 1)
    elif isinstance(value, pikepdf.Array):
        for inner in value:
            if isinstance(inner, pikepdf.Object):
                yield from entries(inner, depth + 1)


def is_transparent(entry):
    """Whether a dictionary asks for what PDF 1.3 has not."""
    pale = any(name in entry and float(entry[name]) < 1 for name in ("/ca", "/CA"))
    return pale or "/SMask" in entry or str(entry.get("/S")) == "/Transparency"


def describe(path):
    """What is in a PDF."""
    data = Path(path).read_bytes()
    with pikepdf.open(path) as pdf:
        all_entries = [entry for held in pdf.objects for entry in entries(held)]
        forms = [entry for entry in all_entries if isinstance(entry, pikepdf.Stream) and str(entry.get("/Subtype")) == "/Form"]
        around = [form for form in forms if "/F" in form.get("/Resources", {}).get("/XObject", {})]
        drawings = {form.Resources.XObject["/F"].objgen: form.Resources.XObject["/F"] for form in around}
        operators = {str(name) for form in drawings.values() for _, name in pikepdf.parse_content_stream(form)}
        return {
            "version": pdf.pdf_version,
            "drawings": len(drawings),
            "places": len(around),
            "transparent": any(is_transparent(entry) for entry in all_entries),
            "acts": any(name in entry for entry in all_entries for name in ACTS),
            "operators": sorted(operators & COLOURS),
            "broken": [name for name, check in BOOK.rules.items() if name != OF_PALETTES and any(check(data, pdf))],
        }


def main():
    job = json.load(sys.stdin)
    print(json.dumps(describe(job["pdf"]) if "pdf" in job else compare(job)))


main()
