"""What programs that others wrote make of PDF files: qpdf, poppler, Ghostscript, MuPDF, pdfplumber.

Reads a JSON array from standard input, prints one of answers in the same order:

    {"path": PDF, "png": picture of the same page or null, "dpi", "origin": [x, y] of the trim in the CropBox, in points
     from its upper left corner}
    {"qpdf": "" or what qpdf --check complains about, "pages",
     "boxes": {"MediaBox", "CropBox", "BleedBox", "TrimBox": [4 numbers]} by pdfinfo of the first page,
     "images": [[type, width, height, colour, bits, x-ppi, y-ppi], ..] by pdfimages,
     "plumbed": [width, height, image width, image height] in points by pdfplumber,
     "shown": {renderer: {"size": [w, h], "mean": mean difference from the picture over white, of 255, over the trim,
               "ink": the same over the pixels where the picture has ink, "far": pixels that are more than 96 off,
               "corner": [r, g, b] of the first pixel}}}
"""

import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

import numpy as np
import pdfplumber
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
ILLUMINATED = 255
FAR = 96


def run(*command) -> str:
    """The output of a program that must succeed."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise SystemExit(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


def complaint(path) -> str:
    """What qpdf finds wrong."""
    done = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def boxes(path) -> dict:
    """The boxes of the first page by poppler."""
    found = re.findall(r"^Page\s+1 (\w+Box):\s+(.*)$", run("pdfinfo", "-box", "-f", 1, "-l", 1, path), re.MULTILINE)
    return {name: [float(side) for side in sides.split()] for name, sides in found}


def images(path) -> list:
    """The images of all pages by poppler."""
    rows = [line.split() for line in run("pdfimages", "-list", path).splitlines()[2:]]
    return [[row[2], int(row[3]), int(row[4]), row[5], int(row[7]), round(float(row[12])), round(float(row[13]))] for row in rows]


def plumbed(path) -> list:
    """Page and image by pdfplumber (pdfminer)."""
    with pdfplumber.open(path) as pdf:
        page = pdf.pages[0]
        image = page.images[0]
        return [float(page.width), float(page.height), float(image["width"]), float(image["height"])]


# Pictures are not compressed: that takes longer than drawing them.
RENDERERS = {
    "pdftoppm": lambda path, dpi, folder: run(
        "pdftoppm", "-cropbox", "-r", dpi, "-f", 1, "-l", 1, "-singlefile", path, folder / "pdftoppm"),
    "gs": lambda path, dpi, folder: run(
        "gs", "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dUseCropBox", "-sDEVICE=ppmraw", f"-r{dpi}", "-dLastPage=1",
        f"-sOutputFile={folder / 'gs.ppm'}", path),
    "mutool": lambda path, dpi, folder: run("mutool", "draw", "-q", "-r", dpi, "-o", folder / "mutool.ppm", path, 1),
}


@lru_cache(maxsize=4)
def over_white(path) -> np.ndarray:
    """A picture over white, RGB, 8 bits a channel."""
    picture = np.asarray(Image.open(path).convert("RGBA"))
    alpha = picture[:, :, 3:].astype(np.float32) / 255
    return np.round(picture[:, :, :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)


def difference_of(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The sum of the differences of the three channels, 0 to 765."""
    return np.abs(one.astype(np.int16) - other).sum(axis=2, dtype=np.int16)


def shown(job: dict, folder: Path, name: str) -> dict:
    """What one renderer shows."""
    RENDERERS[name](job["path"], job["dpi"], folder)
    with Image.open(next(folder.glob(f"{name}.*"))) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    answer = {"size": [pixels.shape[1], pixels.shape[0]], "corner": pixels[0, 0].astype(float).tolist()}
    if job["png"]:
        expected = over_white(job["png"])
        left, top = (round(offset * job["dpi"] / 72) for offset in job["origin"])
        found = pixels[top : top + expected.shape[0], left : left + expected.shape[1]]
        # The trim may be a fraction of a pixel smaller than the picture.
        expected = expected[: found.shape[0], : found.shape[1]]
        difference = difference_of(found, expected)
        inked = (expected < ILLUMINATED).any(axis=2)
        answer["mean"] = float(difference.mean()) / 3
        answer["ink"] = float(difference[inked].mean()) / 3 if inked.any() else 0.0
        answer["far"] = int((difference > 3 * FAR).sum())
        answer["cut"] = [expected.shape[1], expected.shape[0]]
    return answer


def answered(job: dict) -> dict:
    """Everything about one file."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = {name: shown(job, Path(folder), name) for name in RENDERERS}
    return {
        "qpdf": complaint(job["path"]),
        "pages": int(re.search(r"^Pages:\s+(\d+)", run("pdfinfo", job["path"]), re.MULTILINE)[1]),
        "boxes": boxes(job["path"]),
        "images": images(job["path"]),
        "plumbed": plumbed(job["path"]),
        "shown": pictures,
    }


if __name__ == "__main__":
    with ThreadPoolExecutor(2) as pool:
        json.dump(list(pool.map(answered, json.load(sys.stdin))), sys.stdout)
