"""Tells where ink lies that a mail piece keeps clear, read from the pixels by Pillow.

Reads a JSON array of {"path", "safe": [left, top, right, bottom], "zones": [[left, top, right, bottom], ..]} from
standard input, boxes in pixels that may be fractions, and prints a JSON array of

    {"inked": pixels with alpha > 0,
     "outside": such pixels that are not wholly inside the safe box,
     "in_zones": for each zone, such pixels that touch it}
"""

import json
import math
import sys

import numpy as np
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
# Lengths in pixels are not exact.
SLACK = 1e-6


def facts(job: dict) -> dict:
    ink = np.asarray(Image.open(job["path"]).convert("RGBA"))[:, :, 3] > 0
    left, top, right, bottom = job["safe"]
    inside = np.zeros_like(ink)
    inside[
        math.ceil(top - SLACK) : math.floor(bottom + SLACK), math.ceil(left - SLACK) : math.floor(right + SLACK)
    ] = True
    in_zones = []
    for left, top, right, bottom in job["zones"]:
        rows = slice(math.floor(top + SLACK), math.ceil(bottom - SLACK))
        columns = slice(math.floor(left + SLACK), math.ceil(right - SLACK))
        in_zones.append(int(ink[rows, columns].sum()))
    return {"inked": int(ink.sum()), "outside": int((ink & ~inside).sum()), "in_zones": in_zones}


json.dump([facts(job) for job in json.load(sys.stdin)], sys.stdout)
