"""Measures words in rendered pages by their ink alone: where each begins and ends, and how its line of writing slopes.

Reads a JSON array of jobs {"picture": "page.png", "gap": pixels} from standard input; white columns of at least `gap`
part words. Prints a JSON array, for each picture its lines from the top down, each a list of words from left to right:

    {"left", "right",     first and last inked column
     "degrees"}           slope of the least-squares line through the middles of its inked columns, clockwise positive

Lines must be parted by white rows. The slope means something for words that are strokes, such as underscores.
"""

import json
import math
import sys

import numpy as np
from PIL import Image

Image.MAX_IMAGE_PIXELS = None


def stretches(inked: np.ndarray, gap: int) -> list[tuple[int, int]]:
    """First and last index of each run of ink; less than `gap` blanks do not end a run."""
    places = np.flatnonzero(inked)
    if places.size == 0:
        return []
    cuts = np.flatnonzero(np.diff(places) > gap)
    return list(zip(places[np.r_[0, cuts + 1]].tolist(), places[np.r_[cuts, places.size - 1]].tolist()))


def slope(ink: np.ndarray) -> float:
    """Degrees of the line through the columns' middles, a twentieth at both ends left out: their caps are not straight."""
    weight = ink.sum(axis=0)
    columns = np.flatnonzero(weight > 0)
    trim = len(columns) // 20
    columns = columns[trim : len(columns) - trim]
    middles = (ink[:, columns] * np.arange(ink.shape[0])[:, None]).sum(axis=0) / weight[columns]
    return math.degrees(math.atan(np.polyfit(columns, middles, 1)[0]))


def measure(picture: str, gap: int) -> list:
    with Image.open(picture) as image:
        ink = np.asarray(image.getchannel("A"), dtype=np.float64)
    lines = []
    for top, bottom in stretches(ink.any(axis=1), 1):
        line = ink[top : bottom + 1]
        words = stretches(line.any(axis=0), gap)
        lines.append(
            [{"left": left, "right": right, "degrees": slope(line[:, left : right + 1])} for left, right in words]
        )
    return lines


json.dump([measure(job["picture"], job["gap"]) for job in json.load(sys.stdin)], sys.stdout)
