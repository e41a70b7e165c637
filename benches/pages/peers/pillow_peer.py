"""Draws pages with Pillow, and bends them with SciPy, as a peer of the benchmark `pages`.

Reads one JSON object per line: {"page": name, width, height, dpi, ink: [r, g, b], words: [[text, x, y, em, font file], …]},
x and y being the left end of the word's baseline in px, defines a page; {"draw": name, "manner": "usual" or "fastest",
"is_bent": bool} has it drawn as an RGBA PNG. It answers a drawing with one line, "WALL_NS CPU_NS BYTES", and the file. Only the drawing is timed, from the words to the file, after the interpreter and
all imports are warm.

In both manners fonts are kept, and words are shaped by Raqm (the page needs the contextual forms).
"usual" is how scripts use Pillow and SciPy: words in colour on a transparent RGBA page, the recipe for bending on RGBA in
double precision, the file saved as Pillow saves it.
"fastest" is the fastest way for a page of one ink: words as coverage alone, bent in single precision, colour added
once, and the file compressed at level 1.

Bending is Simard's elastic distortion (Best Practices for Convolutional Neural Networks, ICDAR 2003) with alpha 15 and
sigma 5.
"""

import io
import json
import sys
import time

import numpy as np
from PIL import Image, ImageDraw, ImageFont, features
from scipy.ndimage import gaussian_filter, map_coordinates

ALPHA, SIGMA = 15, 5


def main():
    if not features.check("raqm"):
        sys.exit("Pillow cannot shape here: Raqm needs FriBiDi (the Debian package libfribidi0)")
    pages, fonts = {}, {}
    for line in sys.stdin:
        order = json.loads(line)
        if "page" in order:
            for *_, em, file in order["words"]:
                fonts.setdefault((file, em), ImageFont.truetype(file, em, layout_engine=ImageFont.Layout.RAQM))
            pages[order["page"]] = order
            continue
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        png = MANNERS[order["manner"]](pages[order["draw"]], fonts, order["is_bent"])
        wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
        sys.stdout.buffer.write(f"{wall} {cpu} {len(png)}\n".encode() + png)
        sys.stdout.buffer.flush()


def draw_as_usual(page, fonts, is_bent):
    """The page as a PNG, as scripts make it."""
    ink = tuple(page["ink"])
    picture = Image.new("RGBA", (page["width"], page["height"]), (*ink, 0))
    write(page, fonts, ImageDraw.Draw(picture), (*ink, 255))
    if is_bent:
        pixels = np.asarray(picture)
        places = displacement(picture.size, np.float64)
        picture = Image.fromarray(np.dstack([bent(pixels[..., channel], places) for channel in range(4)]))
    file = io.BytesIO()
    picture.save(file, "PNG", dpi=(page["dpi"], page["dpi"]))
    return file.getbuffer()


def draw_fastest(page, fonts, is_bent):
    """The page as a PNG, as fast as it gets."""
    coverage = Image.new("L", (page["width"], page["height"]))
    write(page, fonts, ImageDraw.Draw(coverage), 255)
    if is_bent:
        coverage = Image.fromarray(bent(np.asarray(coverage), displacement(coverage.size, np.float32)))
    picture = Image.new("RGB", coverage.size, tuple(page["ink"]))
    picture.putalpha(coverage)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=1, dpi=(page["dpi"], page["dpi"]))
    return file.getbuffer()


MANNERS = {"usual": draw_as_usual, "fastest": draw_fastest}


def write(page, fonts, pen, fill):
    for text, x, y, em, file in page["words"]:
        pen.text((x, y), text, font=fonts[file, em], fill=fill, anchor="ls")


def displacement(size, precision):
    """Where each pixel of the bent page comes from: rows and columns."""
    shape, noise = size[::-1], np.random.default_rng()
    places = []
    for steps in np.ogrid[: shape[0], : shape[1]]:
        field = gaussian_filter(noise.random(shape, precision) * 2 - 1, SIGMA)
        places.append(steps.astype(precision) + ALPHA * field)
    return places


def bent(channel, places):
    return map_coordinates(channel, places, order=1)


if __name__ == "__main__":
    main()
