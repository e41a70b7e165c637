"""How well the strokes of letters cover them: Pillow draws the strokes with a round pen, FreeType the letters.

Standard input: a JSON array of {"font": path, "pen": width in em, "letters": [{"glyph", "strokes"}]}; a stroke is an
array of points in font units: its start, then both control points and the end of each cubic.
Standard output: a JSON array; for each font the intersection over union of each letter.
"""

import json
import sys

import freetype
import numpy as np
from PIL import Image, ImageDraw

# Width of the pen in pixels, and points that a cubic is drawn with.
PEN = 14
POINTS = 16


def on_cubic(cubic: np.ndarray) -> np.ndarray:
    t = np.linspace(0, 1, POINTS)[:, None]
    return (1 - t) ** 3 * cubic[0] + 3 * t * (1 - t) ** 2 * cubic[1] + 3 * t * t * (1 - t) * cubic[2] + t**3 * cubic[3]


def draw_stroke(draw: ImageDraw.ImageDraw, points: np.ndarray) -> None:
    line = np.vstack([on_cubic(points[start : start + 4]) for start in range(0, len(points) - 1, 3)])
    half = PEN / 2
    for x, y in line:
        draw.ellipse([x - half, y - half, x + half, y + half], fill=1)
    for start, stop in zip(line[:-1], line[1:], strict=True):
        across = (stop - start)[::-1] * [-1, 1]
        length = np.hypot(*across)
        if length > 1e-9:
            side = across / length * half
            draw.polygon([tuple(corner) for corner in (start + side, stop + side, stop - side, start - side)], fill=1)


def overlaps(job: dict) -> list[float]:
    face = freetype.Face(job["font"])
    em = round(PEN / job["pen"])
    face.set_pixel_sizes(0, em)
    found = []
    for letter in job["letters"]:
        face.load_glyph(letter["glyph"], freetype.FT_LOAD_RENDER | freetype.FT_LOAD_NO_HINTING)
        bitmap = face.glyph.bitmap
        pixels = np.array(bitmap.buffer, dtype=np.uint8).reshape(bitmap.rows, bitmap.pitch)[:, : bitmap.width]
        border = em // 3
        letter_ink = np.pad(pixels > 127, border)
        picture = Image.new("1", letter_ink.shape[::-1])
        # Pillow's coordinates are those of pixel centres.
        origin = [border - face.glyph.bitmap_left - 0.5, border + face.glyph.bitmap_top - 0.5]
        scale = em / face.units_per_EM
        for stroke in letter["strokes"]:
            draw_stroke(ImageDraw.Draw(picture), np.array(stroke) * [scale, -scale] + origin)
        pen_ink = np.array(picture)
        found.append(float((letter_ink & pen_ink).sum() / (letter_ink | pen_ink).sum()))
    return found


if __name__ == "__main__":
    json.dump([overlaps(job) for job in json.load(sys.stdin)], sys.stdout)
