"""Says how an ink prints under an ICC profile: Pillow's own transforms, and CIE arithmetic for greys.

Reads a JSON array of {"profile": path, "ink": [r, g, b], "coverages": [0..255, ..]} from standard input, prints one of
answers in the same order:

    {"cmyk": [[c, m, y, k], ..]  relative colorimetric with black point compensation, 255 for full ink,
     "lightness": [..]           CIE L* that a grey should have: black point compensation in luminance,
     "black": [..]               CIE L* of 0 to 255 of black ink alone}
"""

import json
import sys

import numpy as np
from PIL import Image, ImageCms

RELATIVE = ImageCms.Intent.RELATIVE_COLORIMETRIC
COMPENSATED = ImageCms.Flags.BLACKPOINTCOMPENSATION | ImageCms.Flags.NOOPTIMIZE


def luminance(lightness):
    """CIE 15:2004, 8.2.1."""
    lightness = np.asarray(lightness, dtype=np.float64)
    return np.where(lightness > 8, ((lightness + 16) / 116) ** 3, lightness / 903.3)


def lightness(relative):
    """The inverse."""
    relative = np.asarray(relative, dtype=np.float64)
    return np.where(relative > 0.008856, 116 * np.cbrt(relative) - 16, 903.3 * relative)


def linear(channel):
    """IEC 61966-2-1."""
    channel = np.asarray(channel, dtype=np.float64)
    return np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)


def row(colors, mode) -> Image.Image:
    """Colours as a picture one pixel high."""
    return Image.frombytes(mode, (len(colors), 1), np.asarray(colors, dtype=np.uint8).tobytes())


def answered(job: dict) -> dict:
    """One ink under one profile."""
    profile = ImageCms.getOpenProfile(job["profile"])
    srgb, lab = ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB")
    coverage = np.asarray(job["coverages"])[:, None] / 255
    over_white = 1 - coverage * (1 - np.asarray(job["ink"]) / 255)
    separate = ImageCms.buildTransform(srgb, profile, "RGB", "CMYK", RELATIVE, COMPENSATED)
    cmyk = ImageCms.applyTransform(row(np.round(over_white * 255), "RGB"), separate)
    measure = ImageCms.buildTransform(profile, lab, "CMYK", "LAB", RELATIVE)
    ramp = ImageCms.applyTransform(row([[0, 0, 0, black] for black in range(256)], "CMYK"), measure)
    black = np.frombuffer(ramp.tobytes(), dtype=np.uint8)[::3] / 255 * 100
    darkest = luminance(black[-1])
    wanted = darkest + linear(over_white.mean(axis=1)) * (1 - darkest)
    return {
        "cmyk": np.frombuffer(cmyk.tobytes(), dtype=np.uint8).reshape(-1, 4).tolist(),
        "lightness": lightness(wanted).tolist(),
        "black": black.tolist(),
    }


if __name__ == "__main__":
    json.dump([answered(job) for job in json.load(sys.stdin)], sys.stdout)
