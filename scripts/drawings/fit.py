"""Fits cubics to a drawing's contours and writes them as path data."""

import numpy as np
from shapely.geometry import MultiPolygon

import curves
from glyphs import area, filled

# Farthest that a curve is from the contour at first, in pen widths; it grows by this factor while there are too many.
TOLERANCE, GROWTH = 0.035, 1.25
LARGEST_TOLERANCE = 0.14
# Points that a drawing may have, in points of the font's own outline, and the least number that is always allowed.
MOST_POINTS, LEAST_POINTS = 1.5, 36


def contours_of(ink: MultiPolygon, pen: float) -> list[np.ndarray]:
    """Closed rings, outer ones clockwise and holes anticlockwise, evenly spaced, each starting at its sharpest corner."""
    rings = []
    for part in sorted(ink.geoms, key=lambda p: (p.bounds[0], p.bounds[1])):
        for ring, turn in [(part.exterior, -1), *((hole, 1) for hole in part.interiors)]:
            points = np.array(ring.coords)
            if area(points[:-1]) * turn < 0:
                points = points[::-1]
            even = curves.evenly(points, pen / 9)[:-1]
            span = 4
            before, after = even - np.roll(even, span, axis=0), np.roll(even, -span, axis=0) - even
            start = int(np.argmin((before * after).sum(axis=1)))
            rolled = np.roll(even, -start, axis=0)
            rings.append(np.vstack([rolled, rolled[:1]]))
    return rings


def fitted(ring: np.ndarray, pen: float, tolerance: float) -> list[np.ndarray]:
    cubics = []
    for part in curves.split_at_corners(ring, 1.1 * pen):
        cubics += curves.fit(curves.smooth(part, 0.55 * pen, False), tolerance)
    return cubics


def path_of(ink: MultiPolygon, pen: float, points: int) -> tuple[str, int]:
    """Path data with at most 1.5 times the given number of points, and how many it has.

    `pen` is the pen's width, or less for a font with rough edges: narrower details are smoothed.
    """
    rings = contours_of(ink, pen)
    tolerance = TOLERANCE * pen
    while True:
        drawn = [fitted(ring, pen, tolerance) for ring in rings]
        count = sum(3 * len(cubics) for cubics in drawn)
        if count <= max(MOST_POINTS * points, LEAST_POINTS) or tolerance > LARGEST_TOLERANCE * pen:
            break
        tolerance *= GROWTH
    words = []
    for cubics in drawn:
        rounded = np.rint(np.array(cubics)).astype(int)
        words.append(f"M {rounded[0, 0, 0]} {rounded[0, 0, 1]}")
        for cubic in rounded:
            if is_straight(cubic):
                words.append(f"L {cubic[3, 0]} {cubic[3, 1]}")
            else:
                words.append("C " + " ".join(map(str, cubic[1:].ravel())))
        words.append("Z")
    return " ".join(words), count


def is_straight(cubic: np.ndarray) -> bool:
    chord = (cubic[3] - cubic[0]).astype(float)
    length = max(np.hypot(*chord), 1e-9)
    off = np.abs((cubic[1:3] - cubic[0]) @ [-chord[1], chord[0]]) / length
    return bool(off.max() < 0.6)


def ink_of(path: str) -> MultiPolygon:
    """The area that path data fills."""
    contours, words, at = [], path.split(" "), 0
    while at < len(words):
        kind = words[at]
        count = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}[kind]
        numbers = np.array(words[at + 1 : at + 1 + count], float).reshape(-1, 2)
        if kind == "M":
            contours.append([numbers[0]])
        elif kind == "L":
            contours[-1].append(numbers[0])
        elif kind == "C":
            cubic = np.vstack([contours[-1][-1], numbers])
            contours[-1] += [*curves.value(cubic, np.linspace(0, 1, 25)[1:])]
        at += 1 + count
    return filled(contours)
