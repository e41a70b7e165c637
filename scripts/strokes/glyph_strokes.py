"""The strokes of one glyph: axis, joined lines, dots, curves in font units, in the order and direction of writing."""

from dataclasses import dataclass

import numpy as np

import curves
import mended
import plain_order
import writing_order
from dots import dots, large_dots
from junctions import Joiner
from letters import CONNECTION
from lines import Line, Part
from medial_axis import medial_axis
from outlines import Font, Scale

# Farthest that a curve may be from the line that it replaces, in em.
TOLERANCE_EM = 0.0025
# Least extent of a line that is no dot, in pen widths.
LEAST_LINE = 0.12


@dataclass
class Stroke:
    """Cubics in font units, one after the other: an integer array (n, 4, 2)."""

    cubics: np.ndarray
    part: Part = Part.BODY


def strokes_of(font: Font, glyph: int, character: str | None = None, may_be_dot: bool = True) -> list[Stroke]:
    """The strokes of a glyph; none for a blank one. `character` is what it draws, as `letters` says.

    `may_be_dot` is whether a round contour wider than the pen is a dot: not so in a letter of a broad pen.
    """
    shape = font.shape(glyph)
    if shape is None:
        return []
    pen = font.pen_px
    advance = font.advance_px(glyph)
    lines = mended.lines_of(font, glyph)
    if lines is None:
        lines = Joiner(shape, medial_axis(shape, pen), pen, advance).lines()
        lines = [line for line in lines if line.reach > LEAST_LINE * pen]
        lines = large_dots(shape, lines, pen) if may_be_dot else lines
        lines += dots(shape, lines, pen)
    lines = in_writing_order(lines, character, font.scale, advance)
    tolerance = TOLERANCE_EM * font.em_px
    strokes = [fitted(line, pen, tolerance, font.unit) for line in lines]
    return [stroke for stroke in strokes if stroke is not None]


def in_writing_order(lines: list[Line], character: str | None, scale: Scale, advance: float) -> list[Line]:
    """The strokes of a glyph as a hand writes them: as its letter's models say, else by rules for any glyph."""
    if character == CONNECTION:
        return plain_order.from_the_left(lines)
    bodies, marks = plain_order.apart(lines, scale.pen)
    if character is not None and bodies:
        strokes = writing_order.in_order(bodies, character, scale)
        if strokes is not None:
            return strokes + plain_order.marks_in_order(marks, scale.pen, advance)
    return plain_order.in_order(bodies, scale.pen, advance) + plain_order.marks_in_order(marks, scale.pen, advance)


def fitted(line: Line, pen: float, tolerance: float, unit: float) -> Stroke | None:
    """The cubics of a line, in font units."""
    cubics = []
    if line.is_closed and len(line.pieces) == 1:
        points = curves.smooth(line.pieces[0], min(pen, line.reach / 2), True)
        ahead = curves.tangent(np.vstack([points[-3:-1], points[:3]]))
        cubics = curves.fit(points, tolerance, (ahead, -ahead))
    else:
        for piece in line.pieces:
            for part in curves.split_at_corners(piece, pen):
                cubics += curves.fit(curves.smooth(part, pen, False), tolerance)
    rounded = [np.rint(cubic * unit).astype(int) for cubic in cubics]
    rounded = [cubic for cubic in rounded if (cubic != cubic[0]).any()]
    return Stroke(np.array(rounded), line.part) if rounded else None
