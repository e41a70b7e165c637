"""Compares rendered pages with exact area coverage.

Reads a JSON array of jobs from standard input, prints a JSON array of results. A job:

    {"picture": "page.png", "request": {...}}            request: the fields of reference_page.Request

The result, errors in 1/255 of full ink, over the pixels where either picture has ink:

    {"inked": pixels, "mean": .., "max": .., "max_at": [x, y],
     "join_max": .., "join_pixels": ..           where two or more glyphs have ink in the same pixel
     "single_max": ..                            everywhere else
     "area_ratio": rendered ink / exact ink,
     "glyphs": [{"character", "glyph", "compared", "mean", "max", "area_ratio"}]}   in that glyph's box alone

`"picture": null` compares the undistorted reference with the distorted one instead: it tests the comparison itself.
"""

import dataclasses
import json
import sys

import numpy as np
from PIL import Image

from reference_page import Distortion, Hand, Page, Request, draw

Image.MAX_IMAGE_PIXELS = None


def alpha_of(path: str) -> np.ndarray:
    """The coverage of a rendered page: its alpha channel."""
    with Image.open(path) as picture:
        if picture.mode != "RGBA":
            raise SystemExit(f"{path} is {picture.mode}, not RGBA")
        return np.asarray(picture.getchannel("A"), dtype=np.float32)


def compare(rendered: np.ndarray, page: Page) -> dict:
    """The figures of one page."""
    if rendered.shape != page.coverage.shape:
        raise SystemExit(f"the picture is {rendered.shape[::-1]}, the page {page.coverage.shape[::-1]}")
    rows, columns = inked_window(rendered, page.coverage)
    rendered_all, rendered, exact = rendered, rendered[rows, columns], page.coverage[rows, columns]
    error = np.abs(rendered - exact)
    # Below half a level an 8-bit picture cannot say that there is ink.
    inked = (rendered > 0) | (exact >= 0.5)
    joins = page.layers[rows, columns] > 1
    worst = np.unravel_index(int(np.argmax(error)), error.shape)
    return {
        "inked": int(inked.sum()),
        "mean": float(error[inked].mean()) if inked.any() else 0.0,
        "max": float(error.max()),
        "max_at": [int(worst[1]) + columns.start, int(worst[0]) + rows.start],
        "single_max": float(error[~joins].max()),
        "join_max": float(error[joins].max()) if joins.any() else 0.0,
        "join_pixels": int(joins.sum()),
        "area_ratio": ratio(rendered.sum(), exact.sum()),
        "glyphs": [glyph_figures(rendered_all, page, index) for index in range(len(page.placed))],
    }


def inked_window(rendered: np.ndarray, exact: np.ndarray) -> tuple[slice, slice]:
    """The rows and columns outside which both pictures are blank; one pixel where both are blank everywhere."""
    window = []
    for axis in (1, 0):
        inked = np.flatnonzero(rendered.any(axis=axis) | exact.any(axis=axis))
        window.append(slice(int(inked[0]), int(inked[-1]) + 1) if inked.size else slice(0, 1))
    return window[0], window[1]


def glyph_figures(rendered: np.ndarray, page: Page, index: int) -> dict:
    """The figures of one glyph, from its box and one pixel around it, where no other glyph has its box."""
    left, top, right, bottom = page.boxes[index]
    rows, columns = slice(max(top - 1, 0), bottom + 1), slice(max(left - 1, 0), right + 1)
    ours, exact = rendered[rows, columns], page.coverage[rows, columns]
    alone = np.ones(exact.shape, bool)
    for other, (x0, y0, x1, y1) in enumerate(page.boxes):
        if other != index:
            row, column = rows.start, columns.start
            alone[max(y0 - row, 0) : max(y1 - row, 0), max(x0 - column, 0) : max(x1 - column, 0)] = False
    inked = alone & ((ours > 0) | (exact >= 0.5))
    error = np.abs(ours - exact)[inked]
    return {
        "character": page.placed[index].character,
        "glyph": page.placed[index].glyph,
        "compared": int(inked.sum()),
        "mean": float(error.mean()) if error.size else 0.0,
        "max": float(error.max()) if error.size else 0.0,
        "area_ratio": ratio(ours[alone].sum(), exact[alone].sum()),
    }


def ratio(ours: float, exact: float) -> float:
    """Ink as a share of what it should be; 1 where neither has any."""
    return float(ours / exact) if exact else (1.0 if not ours else float("inf"))


def main() -> None:
    results = []
    hands: dict[str, Hand] = {}
    for job in json.load(sys.stdin):
        request = Request.of(job["request"])
        hand = hands.setdefault(request.font, Hand(request.font))
        if job["picture"] is None:
            sound = dataclasses.replace(request, distortion=Distortion())
            rendered = np.rint(draw(hand, sound).coverage)
        else:
            rendered = alpha_of(job["picture"])
        results.append(compare(rendered, draw(hand, request)))
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
