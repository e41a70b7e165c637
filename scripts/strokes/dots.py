"""The lines of dots: round ones that are wider than the pen, and parts of a glyph that its axis leaves out."""

import numpy as np

from lines import Line
from outlines import Shape

# Half the length of the stroke of a dot, in pen widths.
DOT = 0.05
# Least and greatest radius of a dot that is filled with circles, in pen widths, and how far these are apart.
LARGE_DOT = (0.7, 2.5)
CIRCLES = 0.85
# Least and greatest area of such a dot in areas of the disc of its greatest extent.
DISC = (0.7, 1.1)


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
        if any(((a <= center) & (center <= b)).all() or ((low <= a) & (b <= high)).all() for a, b in others):
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
