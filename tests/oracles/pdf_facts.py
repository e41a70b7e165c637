"""Tells what is in PDF files, and which rules of PDF/X-1a:2001 they break; read with pikepdf (qpdf), one process for all.

Standard input: for each file 8 bytes of length (big-endian) and the file. Prints a JSON array of facts:

    {"version": "1.3", "info": {key: text, names with their slash},
     "boxes": {"media", "crop", "bleed", "trim": [left, bottom, right, top]} of the first page, null where absent,
     "pages": number, "same_boxes": whether all pages have those boxes,
     "image": {"width", "height", "bits", "base": base colour space, "palette_size", "filter", "predictor",
               "first": first colour, "last": last colour, "steps": some indices, "colors": their colours,
               "matrix": [a, b, c, d, e, f] it is placed with}
     or null without an image,
     "marks": [[x0, y0, x1, y1], ..], "mark_width", "mark_color": operator and operands,
     "intents": [[S, OutputConditionIdentifier, RegistryName, OutputCondition], ..],
     "broken": [names of PDF/X-1a rules that it breaks]}

With the argument "mutate" it takes one conforming PDF/X-1a file, breaks each rule in turn, and prints
{"sound": rules broken by the same file written out again unchanged, "mutants": {rule: rules broken by its mutant}}.
"""

import io
import json
import re
import struct
import sys

import pikepdf

from pdfx_rules import BOOK, images, painted, the_image


STEPS = [0, 32, 64, 96, 128, 160, 192, 224, 255]


def text(value) -> str:
    """A string, or a name with its slash."""
    return str(value)


def box(page, key):
    """Four numbers, lower left corner first."""
    return [float(side) for side in page.obj[key]] if key in page.obj else None


def boxes(page) -> dict:
    """The page's own boxes."""
    return {name.lower(): box(page, f"/{name}Box") for name in ("Media", "Crop", "Bleed", "Trim")}


def image_facts(pdf, page) -> dict:
    """What is told of the page's image."""
    image = the_image(page)
    space, parameters = image.ColorSpace, image.DecodeParms
    palette = bytes(space[3])
    parts = {"/DeviceGray": 1, "/DeviceRGB": 3, "/DeviceCMYK": 4}[str(space[1])]
    colors = [list(palette[at : at + parts]) for at in range(0, len(palette), parts)]
    return {
        "width": int(image.Width),
        "height": int(image.Height),
        "bits": int(image.BitsPerComponent),
        "base": str(space[1]),
        "palette_size": len(colors),
        "filter": str(image.Filter),
        "predictor": int(parameters.Predictor),
        "first": colors[0],
        "steps": STEPS,
        "colors": [colors[step] for step in STEPS],
        "last": colors[-1],
        "matrix": painted(page)["image"],
    }


def facts(data: bytes) -> dict:
    """What one file says and shows."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        first = pdf.pages[0]
        shown = painted(first)
        intents = pdf.Root.get("/OutputIntents", [])
        keys = ("/S", "/OutputConditionIdentifier", "/RegistryName", "/OutputCondition")
        return {
            "version": re.match(rb"%PDF-(\d\.\d)", data)[1].decode(),
            "info": {key: text(value) for key, value in pdf.docinfo.items()},
            "boxes": boxes(first),
            "pages": len(pdf.pages),
            "same_boxes": all(boxes(page) == boxes(first) for page in pdf.pages),
            "image": image_facts(pdf, first) if len(images(first)) == 1 else None,
            "marks": shown["lines"],
            "mark_width": shown["width"],
            "mark_color": shown["stroke"],
            "intents": [[text(intent[key]) for key in keys] for intent in intents],
            "broken": BOOK.broken(data, pdf),
        }


def files():
    """The files of standard input."""
    while header := sys.stdin.buffer.read(8):
        (length,) = struct.unpack(">Q", header)
        yield sys.stdin.buffer.read(length)


def judged(data: bytes) -> list[str]:
    """The rules that a file breaks."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        return BOOK.broken(data, pdf)


def mutants(data: bytes) -> dict:
    """Each rule broken on purpose, one at a time."""
    def rewritten(change) -> bytes:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            options = change(pdf) or {}
            after = options.pop("after", lambda written: written)
            written = io.BytesIO()
            settings = {"force_version": "1.3", "object_stream_mode": pikepdf.ObjectStreamMode.disable}
            pdf.save(written, **(settings | options))
            return after(written.getvalue())

    return BOOK.tried(lambda change: judged(rewritten(change)))


if __name__ == "__main__":
    if sys.argv[1:] == ["mutate"]:
        answer = mutants(next(files()))
    else:
        answer = [facts(data) for data in files()]
    json.dump(answer, sys.stdout)
