"""Compares the pages of a PDF with those of other PDFs, as poppler shows them.

Standard input: {"sheet": PDF, "alone": [PDFs]}. Prints {"pages": number of pages of the sheet, "differences": [the largest
difference of a channel, of 255, between each page of the sheet and the same page of the others, one after the other]}.
"""

import io
import json
import subprocess
import sys

import numpy as np
from PIL import Image

DPI = "100"


def pages(path):
    """Every page as an array of RGB."""
    shown = subprocess.run(["pdftoppm", "-r", DPI, path], capture_output=True, check=True).stdout
    source, found = io.BytesIO(shown), []
    while source.tell() < len(shown):
        start = source.tell()
        assert source.readline() == b"P6\n"
        width, height = map(int, source.readline().split())
        source.readline()
        header = source.tell() - start
        source.seek(start)
        found.append(np.asarray(Image.open(io.BytesIO(source.read(header + 3 * width * height)))).astype(int))
    return found


def main():
    asked = json.load(sys.stdin)
    sheet = pages(asked["sheet"])
    alone = [page for path in asked["alone"] for page in pages(path)]
    differences = [
        int(np.abs(one - other).max()) if one.shape == other.shape else 255 for one, other in zip(sheet, alone)
    ]
    print(json.dumps({"pages": len(sheet), "differences": differences}))


main()
