"""Tells what is in a PNG, read from its bytes by the standard (PNG, third edition) and from its pixels by Pillow.

Reads a JSON array of paths from standard input, prints a JSON array of facts:

    {"width", "height", "bit_depth", "colour_type", "interlace",   from IHDR (11.2.1)
     "phys": [x, y, unit] or null,                                 pixels per unit (11.3.4.3)
     "chunks": ["IHDR", ..],                                       in order; CRCs checked
     "ink": [left, top, right, bottom] or null,                    smallest box of alpha > 0, right and bottom outside
     "inked": pixels with alpha > 0,
     "colours": up to 8 distinct [r, g, b] of all pixels}
"""

import json
import struct
import sys
import zlib

import numpy as np
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data: bytes):
    """Each chunk's type and body, the CRC checked (5.3)."""
    if not data.startswith(SIGNATURE):
        raise SystemExit("no PNG signature")
    position = len(SIGNATURE)
    while position < len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        body = data[position + 8 : position + 8 + length]
        (crc,) = struct.unpack_from(">I", data, position + 8 + length)
        if crc != zlib.crc32(kind + body):
            raise SystemExit(f"chunk {kind!r} has a wrong CRC")
        yield kind.decode("ascii"), body
        position += 12 + length


def distinct_colours(pixels: np.ndarray) -> list[list[int]]:
    """Up to eight distinct colours of all pixels, alpha aside."""
    packed = pixels.view("<u4").ravel() & 0xFFFFFF
    if (packed == packed[0]).all():
        found = packed[:1]
    else:
        found = np.unique(packed)[:8]
    return [[int(colour) >> shift & 255 for shift in (0, 8, 16)] for colour in found]


def facts(path: str) -> dict:
    """What one file says and shows."""
    with open(path, "rb") as file:
        found = list(chunks(file.read()))
    bodies = dict(found)
    width, height, bit_depth, colour_type, _, _, interlace = struct.unpack(">IIBBBBB", bodies["IHDR"])
    with Image.open(path) as picture:
        pixels = np.ascontiguousarray(np.asarray(picture.convert("RGBA")))
    if pixels.shape != (height, width, 4):
        raise SystemExit(f"{path}: Pillow sees {pixels.shape}, IHDR says {width} x {height}")
    alpha = pixels[:, :, 3]
    rows, columns = np.flatnonzero(alpha.any(axis=1)), np.flatnonzero(alpha.any(axis=0))
    ink = [int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1] if len(rows) else None
    return {
        "width": width,
        "height": height,
        "bit_depth": bit_depth,
        "colour_type": colour_type,
        "interlace": interlace,
        "phys": list(struct.unpack(">IIB", bodies["pHYs"])) if "pHYs" in bodies else None,
        "chunks": [kind for kind, _ in found],
        "ink": ink,
        "inked": int(np.count_nonzero(alpha)),
        "colours": distinct_colours(pixels),
    }


if __name__ == "__main__":
    json.dump([facts(path) for path in json.load(sys.stdin)], sys.stdout)
