"""The strokes of one glyph: axis, joined lines, dots, curves in font units, in the order and direction of writing."""

from dataclasses import dataclass

import numpy as np

import curves
from junctions import Joiner, Line
from medial_axis import medial_axis
from outlines import Font, Shape

# Farthest that a curve may be from the line that it replaces, in em.
TOLERANCE_EM = 0.0025
# Half the length of the stroke of a dot, and the least extent of a line that is no dot, in pen widths.
DOT = 0.05
LEAST_LINE = 0.12
# Least and greatest radius of a dot that is filled with circles, in pen widths, and how far these are apart.
LARGE_DOT = (0.7, 2.5)
CIRCLES = 0.85
# Least and greatest area of such a dot in areas of the disc of its greatest extent.
DISC = (0.7, 1.1)


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
    advance = font.advance_px(glyph)
    lines = Joiner(shape, axis, pen, advance).lines()
    lines = [line for line in lines if reach(line) > LEAST_LINE * pen]
    lines = large_dots(shape, lines, pen)
    lines += dots(shape, lines, pen)
    tolerance = TOLERANCE_EM * font.em_px
    strokes = [fitted(line, pen, tolerance, font.unit) for line in lines]
    strokes = [stroke for stroke in strokes if stroke is not None]
    return in_writing_order(strokes, pen * font.unit, advance * font.unit)


def reach(line: Line) -> float:
    """The greater of a line's width and height."""
    points = np.vstack(line.pieces)
    return float((points.max(axis=0) - points.min(axis=0)).max())


def signed_area(contour: np.ndarray) -> float:
    x, y = contour[:, 0], contour[:, 1]
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def large_dots(shape: Shape, lines: list[Line], pen: float) -> list[Line]:
    """The lines, with circles instead of those in round dots wider than the pen."""
    boxes = [(contour.min(axis=0), contour.max(axis=0)) for contour in shape.contours]
    for index, (contour, (low, high)) in enumerate(zip(shape.contours, boxes, strict=True)):
        extent = float((high - low).max())
        area = abs(signed_area(contour))
        radius = float(np.sqrt(area / np.pi))
        is_disc = DISC[0] < area / (np.pi * extent**2 / 4) < DISC[1]
        if not is_disc or not LARGE_DOT[0] * pen < radius < LARGE_DOT[1] * pen:
            continue
        # The dot is neither a hole nor does it have one.
        center = (low + high) / 2
        others = (box for other, box in enumerate(boxes) if other != index)
        if any((a <= center).all() and (center <= b).all() for a, b in others):
            continue
        lines = [line for line in lines if not ((low <= line.pieces[0][0]) & (line.pieces[0][0] <= high)).all()]
        distances = np.arange(radius - pen / 2, 0.1 * pen, -CIRCLES * pen)
        lines += [Line([circle(center, distance)], True) for distance in distances]
        if distances[-1] > 0.5 * pen:
            lines.append(Line([np.array([center - [DOT * pen, 0], center + [DOT * pen, 0]])]))
    return lines


def circle(center: np.ndarray, radius: float) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, 65)
    return center + radius * np.column_stack([np.cos(angle), np.sin(angle)])


def dots(shape: Shape, lines: list[Line], pen: float) -> list[Line]:
    """A short line for each part of the glyph that no line runs through."""
    found = []
    drawn = [point for line in lines for piece in line.pieces for point in piece[::3]]
    largest = max((signed_area(contour) for contour in shape.contours), key=abs)
    for contour in shape.contours:
        x, y = contour[:, 0], contour[:, 1]
        cross = x * np.roll(y, -1) - np.roll(x, -1) * y
        area = signed_area(contour)
        low, high = contour.min(axis=0), contour.max(axis=0)
        center = np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]) / (6 * area)
        # Holes run the other way round.
        if area * largest < 0 or not shape.inside(center[None, :])[0]:
            continue
        if any((point >= low).all() and (point <= high).all() for point in drawn):
            continue
        spread = contour - center
        values, vectors = np.linalg.eigh(spread.T @ spread / len(contour))
        # Half the length of an ellipse of that spread, less the pen's round end.
        half = 2 * np.sqrt(values[1]) - 0.6 * pen if values[1] > 2.2 * values[0] else 0.0
        half = max(half, DOT * pen)
        along = vectors[:, 1] if half > DOT * pen else np.array([1.0, 0.0])
        found.append(Line([np.array([center - half * along, center + half * along])]))
    return found


def fitted(line: Line, pen: float, tolerance: float, unit: float) -> Stroke | None:
    """The cubics of a line, in font units."""
    cubics = []
    if line.is_closed and len(line.pieces) == 1:
        points = curves.smooth(line.pieces[0], min(pen, reach(line) / 2), True)
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


def in_writing_order(strokes: list[Stroke], pen: float, advance: float) -> list[Stroke]:
    """Turns each stroke to start where one starts to write it, and orders them: bodies from the left to the right, then
    bars that cross them, then dots and accents."""
    turned = [directed(stroke, pen, advance) for stroke in strokes]
    tallest = max((float(np.ptp(stroke.cubics[..., 1])) for stroke in turned), default=0.0)
    boxes = [(stroke.cubics.reshape(-1, 2).min(axis=0), stroke.cubics.reshape(-1, 2).max(axis=0)) for stroke in turned]

    def rank(index: int) -> tuple:
        low, high = boxes[index]
        size = high - low
        start = turned[index].cubics[0, 0]
        if max(size) < min(2.2 * pen, tallest / 2) or is_above_another(index):
            return (2, low[0], -high[1])
        if size[0] > 2.5 * size[1] and crosses(index):
            return (1, -high[1], low[0])
        return (0, round(start[0] / (2 * pen)), -start[1], start[0])

    def is_above_another(index: int) -> bool:
        low, high = boxes[index]
        for other, (other_low, other_high) in enumerate(boxes):
            if other != index and low[1] > other_high[1] - 0.5 * pen:
                is_near = low[0] < other_high[0] + 2 * pen and high[0] > other_low[0] - 2 * pen
                if is_near and (other_high - other_low)[1] > (high - low)[1]:
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


def directed(stroke: Stroke, pen: float, advance: float) -> Stroke:
    """The stroke from the end where one starts to write it; closed ones run anticlockwise."""
    points = stroke.cubics.reshape(-1, 2).astype(float)
    if stroke.is_closed:
        x, y = points[:, 0], points[:, 1]
        return stroke if (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0 else stroke.reversed()
    left, right = (stroke, stroke.reversed()) if points[0, 0] <= points[-1, 0] else (stroke.reversed(), stroke)
    across = right.cubics[0, 0] - left.cubics[0, 0]
    upper = left if across[1] <= 0 else right
    if across[0] < 0.35 * abs(across[1]):
        return upper
    if across[1] <= 0.3 * across[0]:
        return left
    # A line that rises to the right leads on to the next letter, or is written downwards if it comes from below the
    # baseline, starts in a bow from the left, as s ends, or is nearly straight.
    start, stop = left.cubics[0, 0], right.cubics[0, 0]
    comes_from_below = start[1] < -0.75 * pen < stop[1]
    away = left.cubics[0, 1] - start
    if not away.any():
        away = left.cubics[0, 3] - start
    is_bow = away[1] < 0.35 * np.hypot(*away)
    leads_on = stop[0] > advance - 0.25 * pen and across[0] > 0.55 * across[1]
    if comes_from_below or (is_bow and not (leads_on and start[0] > 0.25 * pen)):
        return upper
    length = np.hypot(*np.diff(points, axis=0).T).sum()
    return upper if np.hypot(*across) > 0.93 * length and not leads_on else left
