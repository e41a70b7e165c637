"""How well strokes cover a glyph: intersection over union of both, as Pillow and FreeType draw them."""

import numpy as np
from PIL import Image, ImageDraw

import curves
from glyph_strokes import Stroke
from outlines import Font

# Letters on which a font is judged: ASCII and Latin-1.
ASCII = [chr(code) for code in (*range(0x41, 0x5B), *range(0x61, 0x7B))]
LATIN_1 = [chr(code) for code in range(0xC0, 0x100) if code not in (0xD7, 0xF7)] + ["ª", "º"]
# A font passes with this mean over the ASCII letters, and none of them below the floor.
LEAST_MEAN = 0.8
LEAST_LETTER = 0.6
# Points a cubic is drawn with.
POINTS = 12


def drawn(strokes: list[Stroke], scale: float, width: float, origin: tuple[float, float], size: tuple) -> np.ndarray:
    """A picture of strokes with round ends and joins, as an array of bools; `origin` is the glyph's, in pixels."""
    picture = Image.new("1", size)
    draw = ImageDraw.Draw(picture)
    for stroke in strokes:
        parts = [curves.value(cubic.astype(float), np.linspace(0, 1, POINTS)) for cubic in stroke.cubics]
        line = np.vstack(parts) * [scale, -scale] + origin
        for x, y in line:
            draw.ellipse([x - width / 2, y - width / 2, x + width / 2, y + width / 2], fill=1)
        for a, b in zip(line[:-1], line[1:], strict=True):
            length = np.hypot(*(b - a))
            if length > 1e-9:
                side = np.array([a[1] - b[1], b[0] - a[0]]) / length * width / 2
                draw.polygon([tuple(point) for point in (a + side, b + side, b - side, a - side)], fill=1)
    return np.array(picture)


def overlap(font: Font, glyph: int, strokes: list[Stroke], pen_em: float) -> float:
    """Intersection over union of a glyph and its strokes, drawn with a pen of that width; 0 for no strokes."""
    coverage = font.coverage(glyph)
    if coverage is None:
        return 1.0
    pixels, left, top = coverage
    border = font.em_px // 4
    fill = np.pad(pixels > 127, border)
    origin = (border - left - 0.5, border + top - 0.5)
    ink = drawn(strokes, 1 / font.unit, pen_em * font.em_px, origin, fill.shape[::-1])
    return float((fill & ink).sum() / (fill | ink).sum())
