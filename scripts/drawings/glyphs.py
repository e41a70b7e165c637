"""Letters of a font: outline as a polygon, centre lines, advance. All in font units, y up."""

import csv
import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont
from shapely.geometry import MultiPolygon, Point, Polygon

ROOT = Path(__file__).resolve().parents[2]
# Behind this package, whose modules come first.
sys.path.append(str(ROOT / "scripts/strokes"))

import curves  # noqa: E402  (scripts/strokes)
import file_format  # noqa: E402
import outlines  # noqa: E402
from glyph_strokes import strokes_of  # noqa: E402

# Points on a curve of an outline and of a centre line.
OUTLINE_POINTS, LINE_POINTS = 8, 24
# Fonts in which a contour of one point is a dot, and the width of the dot in strokes (src/catalogue/glyph_outlines.rs).
DOTS_OF_ONE_POINT, DOT_WIDTH = {"dawning-of-a-new-day"}, 1.6

# Fonts whose edges are rough at less than the pen's width, and by how much finer their lines and curves follow them.
ROUGH = {"pangolin": 3.0, "permanent-marker": 3.0, "caveat-brush": 3.0}
# Letters with a dot.
DOTTED = "ij"


@dataclass(eq=False)
class Letter:
    """One letter of a font, or one form of it in words."""

    # The character, or the name of the form's glyph in the font: `e`, `e.ful.med`.
    name: str
    outline: MultiPolygon
    # Points of the outline in the font, on and off the curve.
    points: int
    # Centre lines, each an array (n, 2) of evenly spaced points.
    lines: list[np.ndarray]
    advance: int
    x_height: float
    # Mean width of the pen in the font.
    pen: float
    # Width of the details of the edges that a drawing keeps.
    detail: float

    @property
    def character(self) -> str:
        return self.name[0]


class Contours(BasePen):
    """Collects the flattened contours of a glyph."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.contours, self.points = [], 0

    def _moveTo(self, point):
        self.contours.append([point])
        self.points += 1

    def _lineTo(self, point):
        self.contours[-1].append(point)
        self.points += 1

    def _qCurveToOne(self, control, end):
        a, b, c = (np.array(point, float) for point in (self._getCurrentPoint(), control, end))
        t = np.linspace(0, 1, OUTLINE_POINTS + 1)[1:, None]
        self.contours[-1] += [*((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c)]
        self.points += 2

    def _curveToOne(self, first, second, end):
        cubic = np.array([self._getCurrentPoint(), first, second, end], float)
        self.contours[-1] += [*curves.value(cubic, np.linspace(0, 1, OUTLINE_POINTS + 1)[1:])]
        self.points += 3


def filled(contours: list) -> MultiPolygon:
    """The area that closed contours fill by the non-zero rule, for contours that run opposite to their holes.

    A contour that runs the way of the holes but lies outside all others is ink: the dot of i in some fonts.
    """
    rings = [np.array(contour) for contour in contours if len(contour) > 2]
    areas = [area(ring) for ring in rings]
    turn = np.sign(max(areas, key=abs))
    outer = [Polygon(ring).buffer(0) for ring, size in zip(rings, areas, strict=True) if size * turn > 0]
    holes = [Polygon(ring).buffer(0) for ring, size in zip(rings, areas, strict=True) if size * turn < 0]
    ink = shapely.unary_union(outer)
    apart = [hole for hole in holes if not hole.intersects(ink)]
    holes = [hole for hole in holes if hole.intersects(ink)]
    ink = shapely.unary_union([ink, *apart]) if apart else ink
    return as_multi(ink.difference(shapely.unary_union(holes)))


def as_multi(shape) -> MultiPolygon:
    parts = [part for part in getattr(shape, "geoms", [shape]) if part.geom_type == "Polygon" and part.area > 1]
    return MultiPolygon(parts)


def area(ring: np.ndarray) -> float:
    x, y = ring[:, 0], ring[:, 1]
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


class Hand:
    """A font with its centre lines."""

    def __init__(self, slug: str):
        self.slug = slug
        self.path = ROOT / f"fonts/ttf/{slug}.ttf"
        self.sha256 = hashlib.sha256(self.path.read_bytes()).hexdigest()
        self.font = TTFont(self.path)
        self.glyphs, self.cmap = self.font.getGlyphSet(), self.font.getBestCmap()
        with (ROOT / "fonts/metrics.tsv").open(encoding="utf-8") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            row = next(row for row in rows if row["slug"] == slug)
        em = self.font["head"].unitsPerEm
        self.x_height, pen_em = float(row["x_height_em"]) * em, float(row["stroke_em"])
        self.dot_radius = 0.5 * DOT_WIDTH * pen_em * em
        strokes = ROOT / f"fonts/strokes/{slug}.strokes"
        self.strokes = None
        if strokes.exists():
            _, pen_em, self.strokes = file_format.decode(strokes.read_bytes())
        self.pen = pen_em * em
        self.detail = self.pen / ROUGH.get(slug, 1.0)
        self.outlines = outlines.Font(self.path, pen_em)

    def letter(self, name: str) -> Letter:
        glyph = self.cmap[ord(name)] if len(name) == 1 else name
        pen = Contours(self.glyphs)
        self.glyphs[glyph].draw(pen)
        index = self.font.getGlyphID(glyph)
        strokes = self.strokes.get(index) if self.strokes is not None else None
        if not strokes:
            strokes = strokes_of(self.outlines, index, may_be_dot=name[0] in DOTTED)
        lines = []
        for stroke in strokes:
            parts = [curves.value(cubic.astype(float), np.linspace(0, 1, LINE_POINTS)) for cubic in stroke.cubics]
            lines.append(curves.evenly(np.vstack(parts), self.detail / 4))
        outline = filled(pen.contours)
        if self.slug in DOTS_OF_ONE_POINT:
            dots = [Point(*point).buffer(self.dot_radius) for point in self.outlines.dots_of_one_point(index)]
            outline = as_multi(outline.union(shapely.unary_union(dots))) if dots else outline
        advance = int(round(self.glyphs[glyph].width))
        return Letter(name, outline, pen.points, lines, advance, self.x_height, self.pen, self.detail)
