"""Whether a PNG of several inks is its writings laid over one another.

Reads {"all": PNG, "layers": [{"path": PNG of one writing, "color": [r, g, b]}, ...]}, the lowest first; prints the
largest difference in alpha and in colour, the pixels where writings overlap, and the number of inks.
"""

import json
import sys

import numpy
from PIL import Image


def pixels(path):
    """The picture as RGBA numbers from 0 to 255."""
    return numpy.asarray(Image.open(path).convert("RGBA")).astype(float)


def main():
    asked = json.load(sys.stdin)
    shown = pixels(asked["all"])
    alpha = numpy.zeros(shown.shape[:2])
    premultiplied = numpy.zeros(shown.shape[:2] + (3,))
    covered = numpy.zeros(shown.shape[:2], int)
    for layer in asked["layers"]:
        own = pixels(layer["path"])[..., 3] / 255
        covered += own > 0
        premultiplied = own[..., None] * numpy.array(layer["color"]) + (1 - own[..., None]) * premultiplied
        alpha = own + (1 - own) * alpha
    inked = alpha > 0.05
    color = premultiplied[inked] / alpha[inked][:, None]
    solid = shown[..., 3] == 255
    print(json.dumps({
        "alpha": float(abs(shown[..., 3] - 255 * alpha).max()),
        "color": float(abs(shown[inked][:, :3] - color).max()),
        "overlapping": int((covered > 1).sum()),
        "inks": len({tuple(pixel) for pixel in shown[solid & (covered == 1)][:, :3].astype(int).tolist()}),
    }))


main()
