"""Glyph outlines of a font as bitmaps and closed contours, both by FreeType."""

import ctypes
import math
from dataclasses import dataclass
from pathlib import Path

import contourpy
import freetype
import numpy as np
from scipy.ndimage import gaussian_filter1d

# Pixels in one pen width, and the least and greatest size of the em in pixels.
PEN_PX = 16
EM_PX = (200, 900)
# Empty pixels around each bitmap.
BORDER = 3
# Distance between samples of a contour, in pixels, and how far they are smoothed, in samples.
STEP = 1.5
SMOOTHING = 1.0


@dataclass
class Scale:
    """How letters of a font lie: in pixels, and the tangent of the slant."""

    pen: float
    x_height: float
    slant: float

    def upright(self, points: np.ndarray, unit: float) -> np.ndarray:
        """Points of centre lines in units of `unit` pixels above the baseline, without slant."""
        y = points[:, 1] - self.pen / 2
        return np.column_stack([points[:, 0] - self.slant * y, y]) / unit


@dataclass
class Shape:
    """One glyph. Points are pixels (x right, y up) with the glyph's origin at 0, 0."""

    # Coverage, 0 to 255, the top row first.
    bitmap: np.ndarray
    # Column and row of the bitmap at the origin: x = column - left, y = top - row, at pixel centres.
    left: float
    top: float
    # One array of evenly spaced points a contour; speckles are left out.
    contours: list[np.ndarray]

    def inside(self, points: np.ndarray) -> np.ndarray:
        """Whether each of the points, an array (n, 2), lies in the glyph."""
        columns = np.clip(np.rint(points[:, 0] + self.left).astype(int), 0, self.bitmap.shape[1] - 1)
        rows = np.clip(np.rint(self.top - points[:, 1]).astype(int), 0, self.bitmap.shape[0] - 1)
        return self.bitmap[rows, columns] > 127


class Font:
    """A font file at the size at which its pen is `PEN_PX` wide."""

    def __init__(self, path: Path, pen_em: float, x_height_em: float = 0.5, slant: float = 0.0):
        """`slant` is in degrees from the upright, to the right."""
        self.slug = path.stem
        self.face = freetype.Face(str(path))
        self.units_per_em = self.face.units_per_EM
        self.em_px = int(np.clip(round(PEN_PX / pen_em), *EM_PX))
        self.face.set_pixel_sizes(0, self.em_px)
        # Font units in one pixel.
        self.unit = self.units_per_em / self.em_px
        self.pen_px = pen_em * self.em_px
        self.scale = Scale(self.pen_px, x_height_em * self.em_px, math.tan(math.radians(slant)))

    def cmap(self) -> dict[int, int]:
        """Glyph of each character that the font maps."""
        return {code: glyph for code, glyph in self.face.get_chars() if glyph}

    def advance_px(self, glyph: int) -> float:
        self.face.load_glyph(glyph, freetype.FT_LOAD_NO_HINTING | freetype.FT_LOAD_NO_BITMAP)
        return self.face.glyph.linearHoriAdvance / 65536

    def dots_of_one_point(self, glyph: int) -> list[np.ndarray]:
        """The contours of one point, in font units: dots that the file lacks (src/catalogue/glyph_outlines.rs)."""
        self.face.load_glyph(glyph, freetype.FT_LOAD_NO_SCALE | freetype.FT_LOAD_NO_BITMAP)
        outline = self.face.glyph.outline
        starts = [0, *(end + 1 for end in outline.contours)]
        return [np.array(outline.points[at]) for at, after in zip(starts, starts[1:], strict=False) if after == at + 1]

    def coverage(self, glyph: int) -> tuple[np.ndarray, int, int] | None:
        """The glyph's bitmap with its left and top; None where it is blank or cannot be drawn."""
        try:
            self.face.load_glyph(
                glyph, freetype.FT_LOAD_RENDER | freetype.FT_LOAD_NO_HINTING | freetype.FT_LOAD_NO_BITMAP
            )
        except freetype.FT_Exception:
            # Outlines of emblems can be more than FreeType's rasteriser takes.
            return None
        slot = self.face.glyph
        bitmap = slot.bitmap
        if not bitmap.width or not bitmap.rows:
            return None
        # `bitmap.buffer` makes a list of numbers, which is slow.
        data = ctypes.string_at(bitmap._FT_Bitmap.buffer, bitmap.rows * bitmap.pitch)
        pixels = np.frombuffer(data, dtype=np.uint8).reshape(bitmap.rows, bitmap.pitch)[:, : bitmap.width]
        return (pixels, slot.bitmap_left, slot.bitmap_top) if pixels.max() > 127 else None

    def shape(self, glyph: int) -> Shape | None:
        """The glyph's shape; None where it is blank."""
        drawn = self.coverage(glyph)
        if drawn is None:
            return None
        pixels, left, top = drawn
        padded = np.pad(pixels, BORDER)
        shape = Shape(padded, BORDER - left - 0.5, top + BORDER - 0.5, [])
        lines = contourpy.contour_generator(z=padded.astype(np.float32)).lines(127.5)
        least = (0.3 * self.pen_px) ** 2
        for line in lines:
            if len(line) < 4 or abs(area(line)) < least:
                fill_speckle(shape, line)
                continue
            points = evenly_spaced(line)
            if len(points) >= 6:
                points = gaussian_filter1d(points, SMOOTHING, axis=0, mode="wrap")
                shape.contours.append(np.column_stack([points[:, 0] - shape.left, shape.top - points[:, 1]]))
        return shape if shape.contours else None


def fill_speckle(shape: Shape, line: np.ndarray) -> None:
    """Makes the bitmap in a contour that is left out what it is around it: ink in a hole, paper in a speck."""
    low = np.floor(line.min(axis=0)).astype(int)
    high = np.ceil(line.max(axis=0)).astype(int) + 1
    patch = shape.bitmap[low[1] : high[1], low[0] : high[0]]
    if patch.size:
        edge = np.concatenate([patch[0], patch[-1], patch[:, 0], patch[:, -1]])
        patch[:] = 255 if np.median(edge) > 127 else 0


def area(line: np.ndarray) -> float:
    x, y = line[:, 0], line[:, 1]
    return 0.5 * float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))


def evenly_spaced(line: np.ndarray) -> np.ndarray:
    """The points of a closed line at even distances of about `STEP`, the last one before the first."""
    if not np.array_equal(line[0], line[-1]):
        line = np.vstack([line, line[:1]])
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    count = max(int(round(along[-1] / STEP)), 6)
    at = np.linspace(0, along[-1], count, endpoint=False)
    return np.column_stack([np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1])])
