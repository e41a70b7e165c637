"""What poppler and MuPDF read in PDF files, and where.

Reads a JSON array of {"path": PDF, "png": picture of its first page at 300 DPI or null} from standard input; prints one of
answers in the same order:

    {"pdftotext": [text of each page], "mupdf": [text of each page], "qpdf": what it complains about,
     "fonts": [[name, type, embedded, subset, has ToUnicode]],
     "words": [[word, left, top, right, bottom] of the first page by poppler, in 300-DPI px],
     "inked": share of the words with an inked pixel in their box}
"""

import json
import re
import sys

import numpy as np
from lxml import html

from pdf_renderers import complaint, over_white, run

PX_PER_PT = 300 / 72


def fonts(path) -> list:
    """The fonts by poppler; names of types have spaces."""
    rows = run("pdffonts", path).splitlines()[2:]
    found = [re.match(r"(\S+)\s+(.+?)\s{2,}\S+\s+(yes|no) (yes|no) (yes|no)", row) for row in rows]
    return [list(row.groups()) for row in found]


def words(path) -> list:
    """The words of the first page with their boxes."""
    page = run("pdftotext", "-bbox", "-cropbox", "-f", "1", "-l", "1", path, "-")
    return [
        [word.text] + [float(word.get(side)) * PX_PER_PT for side in ("xmin", "ymin", "xmax", "ymax")]
        for word in html.fromstring(page).iter("word")
    ]


def inked(found: list, png: str) -> float:
    """The share of the words that lie on ink."""
    ink = (over_white(png) < 128).any(axis=2)
    boxes = [[max(int(side), 0) for side in word[1:]] for word in found]
    return float(np.mean([ink[top:bottom, left:right].any() for left, top, right, bottom in boxes]))


def answered(job: dict) -> dict:
    """Everything about one file."""
    path = job["path"]
    found = words(path)
    return {
        "pdftotext": run("pdftotext", path, "-").split("\f")[:-1],
        "mupdf": run("mutool", "draw", "-q", "-F", "txt", path).split("\f")[:-1],
        "qpdf": complaint(path),
        "fonts": fonts(path),
        "words": found,
        "inked": inked(found, job["png"]) if job["png"] else None,
    }


if __name__ == "__main__":
    json.dump([answered(job) for job in json.load(sys.stdin)], sys.stdout)
