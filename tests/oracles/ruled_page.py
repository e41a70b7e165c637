"""Where the rules of a ruled PNG are, and what they do to its writing.

Reads {"ruled", "plain": PNG files, "color": [r, g, b]}; prints the rows and columns that have the rules' colour, whether
both pages are the same elsewhere, and whether ink on rules is mixed as alpha mixes it.
"""

import json
import sys

import numpy
from PIL import Image


def pixels(path):
    """The picture as RGBA numbers."""
    return numpy.asarray(Image.open(path).convert("RGBA")).astype(int)


def main():
    asked = json.load(sys.stdin)
    ruled, plain = pixels(asked["ruled"]), pixels(asked["plain"])
    color = numpy.array(asked["color"])
    pale = (ruled[..., :3] == color).all(axis=2) & (ruled[..., 3] == 255)
    rows = numpy.flatnonzero(pale.sum(axis=1) > pale.shape[1] // 3)
    columns = numpy.flatnonzero(pale.any(axis=0))
    on_rules = numpy.zeros(pale.shape, bool)
    if len(columns):
        on_rules[numpy.ix_(rows, range(columns[0], columns[-1] + 1))] = True
    inked = ~on_rules & (plain[..., 3] > 0)
    same = (ruled[..., 3] == numpy.where(on_rules, 255, plain[..., 3])).all() and (ruled[inked] == plain[inked]).all()
    alpha = plain[..., 3:] / 255
    mixed = alpha * plain[..., :3] + (1 - alpha) * color
    as_alpha = (abs(ruled[..., :3] - mixed)[on_rules] <= 0.5001).all()
    print(json.dumps({
        "rows": rows.tolist(),
        "columns": [int(columns[0]), int(columns[-1]) + 1] if len(columns) else [],
        "same_elsewhere": bool(same),
        "mixed_as_alpha": bool(as_alpha),
    }))


main()
