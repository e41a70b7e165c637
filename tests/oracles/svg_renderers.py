"""What is in SVG files, and what resvg and Chromium make of them beside a picture of the same page.

Reads a JSON array from standard input, prints one of answers in the same order:

    {"path": SVG, "png": picture of the same page at 600 DPI, black on white, or null}
    {"elements": {"name": number}, "attributes": [names], "groups": [ids], "paths": [paths in each group],
     "starts": for each group the x at which each path starts, "size": [width, height, viewBox], "commands": letters of all path data, "open": number of contours that are not closed,
     "shown": {renderer: {"ink": mean difference from the picture over white, of 255, over the pixels where it has ink,
               "spot": pixels of the largest spot of pixels that are more than 128 off, "inside": share of its ink that lies on the picture's,
               "overlap": ink of both over ink of either}}}
"""

import io
import json
import math
import re
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import resvg_py
from lxml import etree
from PIL import Image
from playwright.sync_api import sync_playwright
from scipy.ndimage import label

from pdf_renderers import difference_of, over_white

DPI = 600
# Chromium has 96 px to the inch.
CSS_DPI = 96
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
SVG = "{http://www.w3.org/2000/svg}"


def structure(path: str) -> dict:
    """What the file says; lxml refuses what is not well-formed XML."""
    root = etree.parse(path).getroot()
    groups = root.findall(f"{SVG}g")
    data = [element.get("d") for element in root.iter(f"{SVG}path")]
    return {
        "elements": Counter(etree.QName(element).localname for element in root.iter()),
        "attributes": sorted({name for element in root.iter() for name in element.attrib}),
        "groups": [group.get("id") for group in groups],
        "paths": [len(group.findall(f"{SVG}path")) for group in groups],
        "starts": [[float(re.match(r"M(-?[0-9.]+)", path.get("d"))[1]) for path in group.findall(f"{SVG}path")]
                   for group in groups],
        "size": [root.get("width"), root.get("height"), root.get("viewBox")],
        "commands": "".join(sorted(set(re.sub(r"[-0-9. ]", "", "".join(data))))),
        "open": sum(text.count("M") - text.count("z") for text in data),
    }


def resvg(path: str) -> np.ndarray:
    """The page by resvg."""
    picture = bytes(resvg_py.svg_to_bytes(svg_path=path, dpi=DPI, background="white"))
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


def chromium(path: str, browser) -> np.ndarray:
    """The page by Chromium, on a sheet of whole px: it stretches others to them."""
    root = etree.parse(path).getroot()
    sides = [math.ceil(float(side) / 25.4 * CSS_DPI) for side in root.get("viewBox").split()[2:]]
    for name, side in zip(("width", "height"), sides):
        root.set(name, str(side))
    root.set("viewBox", "0 0 {} {}".format(*(side * 25.4 / CSS_DPI for side in sides)))
    page = browser.new_page(viewport=dict(zip(("width", "height"), sides)), device_scale_factor=DPI / CSS_DPI)
    with tempfile.NamedTemporaryFile(suffix=".svg") as file:
        file.write(etree.tostring(root))
        file.flush()
        page.goto(Path(file.name).as_uri())
        picture = page.screenshot()
    page.close()
    return np.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


def compared(found: np.ndarray, png: str) -> dict:
    """How far a page is from its picture."""
    expected = over_white(png)
    height, width = (min(sides) for sides in zip(found.shape[:2], expected.shape[:2]))
    expected, found = expected[:height, :width], found[:height, :width]
    difference = difference_of(found, expected)
    inked = (expected < 255).any(axis=2)
    dark, ink = (picture.sum(axis=2, dtype=np.int16) < 3 * 128 for picture in (found, expected))
    return {
        "ink": float(difference[inked].mean()) / 3,
        "spot": largest_spot(difference > 3 * 128),
        "inside": float((dark & ink).sum() / max(dark.sum(), 1)),
        "overlap": float((dark & ink).sum() / (dark | ink).sum()),
    }


def largest_spot(far: np.ndarray) -> int:
    """The most pixels that touch one another at a side or a corner."""
    spots, _ = label(far, np.ones((3, 3)))
    return int(np.bincount(spots.ravel())[1:].max(initial=0))


def answered(job: dict, browser) -> dict:
    """Everything about one file."""
    answer = structure(job["path"])
    if job["png"]:
        shown = {"resvg": resvg(job["path"]), "chromium": chromium(job["path"], browser)}
        answer["shown"] = {name: compared(found, job["png"]) for name, found in shown.items()}
    return answer


if __name__ == "__main__":
    jobs = json.load(sys.stdin)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=next(filter(None, map(shutil.which, BROWSERS))), args=["--no-sandbox"])
        json.dump([answered(job, launched) for job in jobs], sys.stdout)
        launched.close()
