"""What poppler, Ghostscript and MuPDF make of outlined PDF pages, beside a picture of the same page.

Reads a JSON array from standard input, prints one of answers in the same order:

    {"path": PDF, "png": picture of the same page, "dpi", "origin": [x, y] of the trim in the CropBox, in points}
    {"qpdf": "" or what qpdf --check complains about, "images": number by pdfimages, "fonts": number by pdffonts,
     "shown": as pdf_renderers.py has it}
"""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pdf_renderers import RENDERERS, complaint, run, shown

# Pixels of Ghostscript's, in each direction, to one of the picture.
FINE = 4

# Ghostscript fills every pixel that a path touches; without that rule of presses it fills by area, as the picture does.
# Its own smoothing is coarser, and finer pixels lose the tops of flat curves.
RENDERERS["gs"] = lambda path, dpi, folder: run(
    "gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dUseCropBox", "-sDEVICE=png16m", f"-r{dpi * FINE}",
    f"-dDownScaleFactor={FINE}", "-dLastPage=1", f"-sOutputFile={folder / 'gs.png'}", "-c", "0 0 .setfilladjust2", "-f",
    path)
# Poppler's other rasteriser. That of pdftoppm fills every quarter of a pixel that a path touches, and lightens edges.
RENDERERS["pdftocairo"] = lambda path, dpi, folder: run(
    "pdftocairo", "-cropbox", "-antialias", "best", "-r", dpi, "-f", 1, "-l", 1, "-tiff", "-tiffcompression", "none",
    "-singlefile", path, folder / "pdftocairo")


def rows(program: list[str]) -> int:
    """The rows of a table of poppler's."""
    table = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    return max(len(table.splitlines()) - 2, 0)


def answered(job: dict) -> dict:
    """Everything about one file."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = {name: shown(job, Path(folder), name) for name in RENDERERS}
    return {
        "qpdf": complaint(job["path"]),
        "images": rows(["pdfimages", "-list", job["path"]]),
        "fonts": rows(["pdffonts", job["path"]]),
        "shown": pictures,
    }


if __name__ == "__main__":
    with ThreadPoolExecutor(2) as pool:
        json.dump(list(pool.map(answered, json.load(sys.stdin))), sys.stdout)
