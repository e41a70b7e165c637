"""Draws a letter again from its centre lines with the half widths of the pen measured from the outline.

Each point of a line has a half width to its left and one to its right, so that the roughness of both edges stays with
the line. Free ends keep the shape of the outline's own end. At junctions, where the outline is wider than the pen, the
widths are interpolated along the line.
"""

from dataclasses import dataclass

import numpy as np
import shapely
from scipy.ndimage import gaussian_filter1d, median_filter
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.prepared import prep

from glyphs import Letter, as_multi

# Longest half width, in pen widths, and the greatest one against the line's own median.
LONGEST = 1.1
WIDEST = 1.45
# Longest line, in pen widths, that is only a link within a junction and has the least width measured on it.
SHORT_LINK = 3.0
# Rays around each end, from one side to the other, in radians from the line's direction.
FAN = np.linspace(np.pi / 2, -np.pi / 2, 13)
# Gaps up to this width, in pen widths, fill with ink, and holes up to this area, in squares of the pen width.
CREVICE = 0.16
LEAST_HOLE = 0.12


@dataclass
class Ribbon:
    """A centre line with its half widths, and lengths of the rays around its first and last point."""

    points: np.ndarray
    left: np.ndarray
    right: np.ndarray
    first: np.ndarray
    last: np.ndarray
    # Which points have a measured width; the others are in junctions.
    clear: np.ndarray

    @property
    def is_closed(self) -> bool:
        return len(self.points) > 3 and bool(np.hypot(*(self.points[0] - self.points[-1])) < 1e-6)


def directions(points: np.ndarray) -> np.ndarray:
    """Unit vectors along the line at each point."""
    along = gaussian_filter1d(np.gradient(points, axis=0), 1.0, axis=0, mode="nearest")
    return along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]


def ray(boundary, start: np.ndarray, direction: np.ndarray, longest: float) -> float:
    """Distance from a point to the boundary, at most `longest`."""
    line = LineString([start, start + longest * direction])
    hit = shapely.distance(shapely.intersection(line, boundary), Point(start))
    return longest if np.isnan(hit) else float(hit)


def ribbons(letter: Letter) -> list[Ribbon]:
    """The letter's lines with widths."""
    boundary, inside = letter.outline.boundary, prep(letter.outline)
    longest = LONGEST * letter.pen
    measured = []
    for points in letter.lines:
        along = directions(points)
        normal = np.column_stack([-along[:, 1], along[:, 0]])
        sides = np.array(
            [[ray(boundary, p, n, longest), ray(boundary, p, -n, longest)] for p, n in zip(points, normal, strict=True)]
        )
        within = np.array([inside.contains(Point(point)) for point in points])
        measured.append((points, along, sides, within))
    every = np.concatenate([sides[within].min(axis=1) for _, _, sides, within in measured if within.any()])
    usual = float(np.median(every))
    found = []
    for number, (points, along, sides, within) in enumerate(measured):
        own = sides[within].min(axis=1)
        middle = float(np.median(own)) if len(own) > 4 else usual
        length = float(np.hypot(*np.diff(points, axis=0).T).sum())
        limit = WIDEST * max(middle, 0.7 * usual)
        turn = np.sum(np.gradient(along, axis=0) ** 2, axis=1) > 0.2
        clear = (within & ~turn)[:, None] & (sides < limit) & ~crowded(letter, number, points, along, 2.1 * usual)
        alone = is_alone(points, letter)
        if not clear.any() and length < 1.5 * letter.pen and alone and within.any():
            clear = np.column_stack([within, within])
        if not clear.any():
            middle = min(middle, usual)
        place = np.arange(len(points))
        filled = []
        for side, known, other in ((0, clear[:, 0], clear[:, 1]), (1, clear[:, 1], clear[:, 0])):
            if known.sum() > 2 or (known.any() and not other.any()):
                values = np.interp(place, place[known], np.minimum(sides[known, side], limit))
                filled.append(median_filter(values, 3, mode="nearest"))
            elif other.any():
                filled.append(np.interp(place, place[other], np.minimum(sides[other, 1 - side], limit)))
            else:
                filled.append(np.full(len(points), middle))
        clear = clear.any(axis=1)
        if length < SHORT_LINK * letter.pen and not alone:
            filled = [np.minimum(side, np.percentile(sides, 15)) for side in filled]
        first = end_rays(boundary, points[0], -along[0], filled, 0, longest)
        last = end_rays(boundary, points[-1], along[-1], filled, -1, longest)
        found.append(Ribbon(points, filled[0], filled[1], first, last, clear))
    return found


def crowded(letter: Letter, number: int, points: np.ndarray, along: np.ndarray, reach: float) -> np.ndarray:
    """Which sides, left and right, of each point have another line, or a far part of this one, within reach."""
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    found = np.zeros((len(points), 2), bool)
    for other, line in enumerate(letter.lines):
        step = line[None, :, :] - points[:, None, :]
        distance = np.hypot(step[..., 0], step[..., 1])
        if other == number:
            spacing = max(float(np.hypot(*(line[1] - line[0]))), 1e-6)
            gap = np.abs(np.subtract.outer(np.arange(len(line)), np.arange(len(line))))
            gap = np.minimum(gap, len(line) - gap) if np.hypot(*(line[0] - line[-1])) < 1e-6 else gap
            distance[gap < 3 * reach / spacing] = np.inf
        across = (step * normal[:, None, :]).sum(axis=2) / np.maximum(distance, 1e-9)
        near = distance < reach
        found[:, 0] |= (near & (across > 0.5)).any(axis=1)
        found[:, 1] |= (near & (across < -0.5)).any(axis=1)
    return found


def is_alone(points: np.ndarray, letter: Letter) -> bool:
    """Whether no other line lies in the part of the outline in which this one does."""
    part = min(letter.outline.geoms, key=lambda p: p.distance(Point(points[0])))
    return sum(part.distance(Point(line[len(line) // 2])) == 0 for line in letter.lines) == 1


def end_rays(boundary, point, direction, sides, at: int, longest: float) -> np.ndarray:
    """Distances to the outline around an end; a round end where the outline goes on."""
    half = (sides[0][at] + sides[1][at]) / 2
    turned = [
        ray(boundary, point, np.array([c * direction[0] - s * direction[1], s * direction[0] + c * direction[1]]), longest)
        for c, s in zip(np.cos(FAN), np.sin(FAN), strict=True)
    ]
    lengths = np.array(turned)
    return np.full(len(FAN), half) if (lengths > 2.2 * half).sum() > 2 else np.minimum(lengths, 1.9 * half)


def draw(parts: list[Ribbon], pen: float) -> MultiPolygon:
    """The ink of ribbons: the union of a quadrilateral between each two points, discs at the points, and the ends."""
    shapes = []
    for part in parts:
        along = directions(part.points)
        normal = np.column_stack([-along[:, 1], along[:, 0]])
        left, right = part.points + part.left[:, None] * normal, part.points - part.right[:, None] * normal
        corners = np.stack([left[:-1], left[1:], right[1:], right[:-1], left[:-1]], axis=1)
        shapes += list(shapely.convex_hull(shapely.polygons(corners)))
        radii = np.minimum(part.left, part.right)
        shapes += list(shapely.buffer(shapely.points(part.points), radii, quad_segs=4))
        if part.is_closed:
            continue
        for point, direction, lengths in ((part.points[0], -along[0], part.first), (part.points[-1], along[-1], part.last)):
            angles = FAN + np.arctan2(direction[1], direction[0])
            rim = point + lengths[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
            shapes.append(Polygon([*rim, point]).buffer(0))
    ink = shapely.unary_union(shapes)
    ink = ink.buffer(CREVICE * pen / 2).buffer(-CREVICE * pen / 2)
    solid = [
        Polygon(p.exterior, [r for r in p.interiors if Polygon(r).area > LEAST_HOLE * pen**2])
        for p in as_multi(ink).geoms
        if p.area > 0.3 * pen**2
    ]
    return MultiPolygon(solid)


def overlap(a: MultiPolygon, b: MultiPolygon) -> float:
    """Intersection over union."""
    return a.intersection(b).area / max(a.union(b).area, 1e-9)
