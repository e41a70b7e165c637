"""Dots that a font file has as a contour of one point: the service draws them, 1.6 times as wide as the pen."""

import csv
from functools import cache
from pathlib import Path

import numpy as np

METRICS = Path(__file__).resolve().parents[2] / "fonts/metrics.tsv"
# In other fonts such contours lie in the ink.
FONTS = {"dawning-of-a-new-day"}
# Widths of the pen in the width of a dot.
WIDTH = 1.6
# Corners of the polygon that stands for a dot: 0.1 % of its area are missing.
CORNERS = 80


@cache
def dot_radius_em(font_file: str) -> float | None:
    """Half the width of its dots in em; None for a font that has no such dots."""
    if Path(font_file).stem not in FONTS:
        return None
    with METRICS.open(encoding="utf-8") as table:
        rows = csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)
        return next(WIDTH * float(row["stroke_em"]) / 2 for row in rows if row["slug"] == Path(font_file).stem)


def with_dots(
    points: np.ndarray, tags: np.ndarray, ends: np.ndarray, radius: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The outline with a polygon in place of each contour of one point, in font units, wound as the others."""
    turns = -np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    circle = radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    all_points, all_tags, all_ends, start = [], [], [], 0
    for end in ends:
        contour, own = points[start : end + 1], tags[start : end + 1]
        start = end + 1
        if len(contour) == 1:
            contour, own = contour + circle, np.ones(CORNERS, tags.dtype)
        all_points.append(contour)
        all_tags.append(own)
        all_ends.append(len(contour))
    if not all_points:
        return points, tags, ends
    return np.concatenate(all_points), np.concatenate(all_tags), np.cumsum(all_ends) - 1
