"""Compares a rendered page with the outlines of its glyphs, given as polygons and filled by FreeType.

Reads a JSON object from standard input: {"picture": path, "glyphs": [[contour, ...], ...], "shift": px}. A contour is a list
of [x, y] in device px, y down; `shift` moves the polygons to the right, as a prepared mistake. Each glyph is filled by the
non-zero rule, and the glyphs count once where they overlap. Prints {"inked": pixels, "mean": .., "max": ..}: errors in
1/255 of full ink over the pixels where either has ink.
"""

import json
import sys

import numpy as np

from exact_coverage import alpha_of
from reference_page import F26_6, FINE, add_clipped, box_filter, rasterise, touching, united


def box(contours: list[np.ndarray]) -> tuple[int, int, int, int]:
    """The whole pixels (left, top, right, bottom) around a glyph."""
    points = np.concatenate(contours)
    (left, top), (right, bottom) = np.floor(points.min(axis=0)), np.ceil(points.max(axis=0))
    return int(left), int(top), int(right) + 1, int(bottom) + 1


def fill(contours: list[np.ndarray], window: tuple[int, int, int, int]) -> np.ndarray:
    """Coverage 0 to 255 of a glyph at the fine resolution in a window of whole pixels."""
    left, top, right, bottom = window
    points = np.concatenate(contours)
    fine = np.empty(points.shape, dtype=np.int64)
    fine[:, 0] = np.rint((points[:, 0] - left) * FINE * F26_6)
    fine[:, 1] = np.rint((bottom - points[:, 1]) * FINE * F26_6)
    ends = np.cumsum([len(contour) for contour in contours]) - 1
    picture = np.zeros(((bottom - top) * FINE, (right - left) * FINE), np.uint8)
    rasterise(fine, np.ones(len(points), np.uint8), ends, picture)
    return picture


def main() -> None:
    job = json.load(sys.stdin)
    rendered = alpha_of(job["picture"])
    shift = np.array([job.get("shift", 0.0), 0.0])
    glyphs = [[np.array(contour, dtype=float) + shift for contour in contours] for contours in job["glyphs"]]
    boxes = [box(contours) for contours in glyphs]
    exact = np.zeros_like(rendered)
    for group in touching(boxes):
        window = united([boxes[index] for index in group])
        fine = np.zeros(((window[3] - window[1]) * FINE, (window[2] - window[0]) * FINE), np.uint8)
        for index in group:
            np.maximum(fine, fill(glyphs[index], window), out=fine)
        add_clipped(exact, box_filter(fine), window[0], window[1])
    error = np.abs(rendered - np.minimum(exact, 255))
    inked = (rendered > 0) | (exact >= 0.5)
    figures = {"inked": int(inked.sum()), "mean": float(error[inked].mean()), "max": float(error.max())}
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
