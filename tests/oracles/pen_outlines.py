"""How much of a page's ink its outlines cover.

Reads a JSON array from standard input, prints one of answers in the same order:

    {"path": PDF of outlines, "png": picture of the same page, "dpi"}
    {"overlap": ink of both over ink of either, "missed": share of the picture's ink that the outlines leave white}

MuPDF draws the outlines. Ink is what is at least half as dark as the middle of most strokes: ink of a pen is not solid.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from scipy import ndimage as ndi

from pdf_renderers import RENDERERS


def inked(dark: np.ndarray) -> np.ndarray:
    """The pixels that have ink, of a page of darkness 0 to 1, as a scanner sees it: grain makes no holes."""
    soft = ndi.gaussian_filter(dark, 1.0)
    return soft > 0.5 * np.median(soft[ndi.binary_erosion(soft > 0.2, iterations=3)])


def answered(job: dict) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        RENDERERS["mutool"](job["path"], job["dpi"], Path(folder))
        drawn = 1 - np.asarray(Image.open(Path(folder) / "mutool.ppm").convert("L")) / 255.0
    picture = np.asarray(Image.open(job["png"]).convert("RGBA"))[..., 3] / 255.0
    height, width = np.minimum(drawn.shape, picture.shape)
    outlines, ink = inked(drawn[:height, :width]), inked(picture[:height, :width])
    return {"overlap": float((outlines & ink).sum() / (outlines | ink).sum()),
            "missed": float((ink & ~outlines).sum() / ink.sum())}


if __name__ == "__main__":
    json.dump([answered(job) for job in json.load(sys.stdin)], sys.stdout)
