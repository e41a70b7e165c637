"""Draws the pages of a sheet to fill with PDFium, and looks for what its layout says is printed there.

Standard input: {"file": path of the PDF, "layout": what `longhand hand sheet --layout` printed}. Prints

    {"pages": number, "paper": [width, height] of the first page in mm,
     "dots": number of black dots, on all pages, that are black at their centre and have white paper around them,
     "marks": number of marks whose ring is black and that have white cells,
     "baselines": number of boxes and lines whose baseline has light dots, and not a line,
     "characters": characters of text that a reader extracts}
"""

import json
import math
import sys

import numpy
import pypdfium2

DPI = 600
PIXELS = DPI / 25.4


def main():
    job = json.load(sys.stdin)
    layout = job["layout"]
    document = pypdfium2.PdfDocument(job["file"])
    width, height = document[0].get_size()
    facts = {"pages": len(document), "paper": [width * 25.4 / 72, height * 25.4 / 72]}
    facts |= {"dots": 0, "marks": 0, "baselines": 0, "characters": 0}
    for number, page in zip(layout["pages"], document):
        picture = numpy.asarray(page.render(scale=DPI / 72).to_pil().convert("RGB"), dtype=float)

        def at(x, y):
            return picture[int(y * PIXELS), int(x * PIXELS)]

        for x, y in layout["dots"]:
            around = [(x + 0.75 * math.cos(turn), y + 0.75 * math.sin(turn)) for turn in (0.8, 2.3, 3.9, 5.5)]
            is_black = at(x, y).max() < 40
            facts["dots"] += bool(is_black and all(at(*place).min() > 240 for place in around))
        for left, top, right, bottom in layout["marks"]:
            cell = (right - left) / 6
            cells = [at(left + (column + 0.5) * cell, top + (row + 0.5) * cell) for row in range(6) for column in range(6)]
            ring = [cells[6 * row + column] for row in range(6) for column in range(6) if {row, column} & {0, 5}]
            light = sum(colour.min() > 240 for colour in cells)
            facts["marks"] += bool(all(colour.max() < 40 for colour in ring) and 4 <= light <= 12)
        for place in layout["boxes"] + layout["lines"]:
            if place["page"] != number:
                continue
            left, _, right, _ = place["box"]
            row = picture[int(place["baseline"] * PIXELS), int((left + 1.5) * PIXELS) : int((right - 1.5) * PIXELS)]
            inked = (row.min(axis=1) < 230).mean()
            # Dots of 0.3 mm at every 0.9 mm, in light blue.
            facts["baselines"] += bool(0.2 < inked < 0.5 and row[:, 2].min() > 200)
        facts["characters"] += len(page.get_textpage().get_text_range())
    print(json.dumps(facts))


main()
