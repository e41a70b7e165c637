"""The strokes of one glyph: axis, joined lines, dots, curves in font units, in the order and direction of writing."""

from dataclasses import dataclass

import numpy as np

import curves
from junctions import Joiner, Line
from medial_axis import medial_axis
from outlines import Font, Shape

# Farthest that a curve may be from the line that it replaces, in em.
TOLERANCE_EM = 0.0025
# Length of the stroke of a dot, in pen widths.
DOT = 0.05


@dataclass
class Stroke:
    """Cubics in font units, one after the other: an integer array (n, 4, 2)."""

    cubics: np.ndarray

    @property
    def is_closed(self) -> bool:
        return bool((self.cubics[0, 0] == self.cubics[-1, 3]).all())

    def reversed(self) -> "Stroke":
        return Stroke(self.cubics[::-1, ::-1])


def strokes_of(font: Font, glyph: int) -> list[Stroke]:
    """The strokes of a glyph; none for a blank one."""
    shape = font.shape(glyph)
    if shape is None:
        return []
    pen = font.pen_px
    axis = medial_axis(shape, pen)
    lines = Joiner(shape, axis, pen, font.advance_px(glyph)).lines()
    lines += dots(shape, lines, pen)
    tolerance = TOLERANCE_EM * font.em_px
    strokes = [fitted(line, pen, tolerance, font.unit) for line in lines]
    return in_writing_order([stroke for stroke in strokes if stroke is not None], pen * font.unit)


def dots(shape: Shape, lines: list[Line], pen: float) -> list[Line]:
    """A short line for each part of the glyph that no line runs through."""
    found = []
    drawn = [point for line in lines for piece in line.pieces for point in piece[::3]]
    for contour in shape.contours:
        x, y = contour[:, 0], contour[:, 1]
        cross = x * np.roll(y, -1) - np.roll(x, -1) * y
        area = cross.sum() / 2
        low, high = contour.min(axis=0), contour.max(axis=0)
        center = np.array(
            [((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]
        ) / (6 * area)
        # Outer contours only; holes run the other way round.
        if area < 0 or not shape.inside(center[None, :])[0]:
            continue
        if any((point >= low).all() and (point <= high).all() for point in drawn):
            continue
        spread = contour - center
        values, vectors = np.linalg.eigh(spread.T @ spread / len(contour))
        half = max(2 * np.sqrt(values[1]) - pen / 2 - 0.1 * pen, DOT * pen) if values[1] > 2.2 * values[0] else DOT * pen
        along = vectors[:, 1] if half > DOT * pen else np.array([1.0, 0.0])
        found.append(Line([np.array([center - half * along, center + half * along])]))
    return found


def fitted(line: Line, pen: float, tolerance: float, unit: float) -> Stroke | None:
    """The cubics of a line, in font units."""
    cubics = []
    if line.is_closed and len(line.pieces) == 1:
        points = curves.smooth(line.pieces[0], pen, True)
        top = int(np.argmax(points[:-1, 1] + 0.3 * points[:-1, 0]))
        points = np.vstack([points[top:-1], points[: top + 1]])
        ahead = curves.tangent(np.vstack([points[-3:-1], points[:3]]))
        cubics = curves.fit(points, tolerance, (ahead, -ahead))
    else:
        for piece in line.pieces:
            for part in curves.split_at_corners(piece, pen):
                cubics += curves.fit(curves.smooth(part, pen, False), tolerance)
    rounded = [np.rint(cubic * unit).astype(int) for cubic in cubics]
    rounded = [cubic for cubic in rounded if (cubic != cubic[0]).any()]
    return Stroke(np.array(rounded)) if rounded else None


def in_writing_order(strokes: list[Stroke], pen: float) -> list[Stroke]:
    """Turns each stroke to start where one starts to write it, and orders them: bodies from the left to the right, then
    bars that cross them, then dots and accents."""
    turned = [directed(stroke) for stroke in strokes]
    boxes = [(stroke.cubics.reshape(-1, 2).min(axis=0), stroke.cubics.reshape(-1, 2).max(axis=0)) for stroke in turned]

    def rank(index: int) -> tuple:
        low, high = boxes[index]
        size = high - low
        start = turned[index].cubics[0, 0]
        if max(size) < 1.2 * pen or is_above_another(index):
            return (2, low[0], -high[1])
        if size[0] > 2.5 * size[1] and crosses(index):
            return (1, -high[1], low[0])
        return (0, round(start[0] / (2 * pen)), -start[1], start[0])

    def is_above_another(index: int) -> bool:
        low, high = boxes[index]
        for other, (other_low, other_high) in enumerate(boxes):
            if other != index and low[1] > other_high[1] and low[0] < other_high[0] and high[0] > other_low[0]:
                if (other_high - other_low)[1] > (high - low)[1]:
                    return True
        return False

    def crosses(index: int) -> bool:
        low, high = boxes[index]
        height = (low[1] + high[1]) / 2
        return any(
            other != index
            and other_low[1] - pen < height < other_high[1] + pen
            and other_low[0] <= high[0] + pen
            and other_high[0] >= low[0] - pen
            and (other_high - other_low)[1] > (high - low)[1]
            for other, (other_low, other_high) in enumerate(boxes)
        )

    return [turned[index] for index in sorted(range(len(turned)), key=rank)]


def directed(stroke: Stroke) -> Stroke:
    """The stroke from its upper or left end; closed ones anticlockwise."""
    points = stroke.cubics.reshape(-1, 2)
    if stroke.is_closed:
        x, y = points[:, 0], points[:, 1]
        return stroke if (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0 else stroke.reversed()
    across = points[-1] - points[0]
    # A line that falls is written downwards, a flat or rising one to the right.
    starts_here = across[0] > 0 if abs(across[0]) > 0.6 * abs(across[1]) else across[1] < 0
    return stroke if starts_here else stroke.reversed()
