"""Smooths lines and fits cubic Béziers to them (Schneider, "An Algorithm for Automatically Fitting Digitized Curves",
Graphics Gems, 1990)."""

import math

import numpy as np
from scipy.ndimage import gaussian_filter1d

# Distance between points before smoothing, and the smoothing's standard deviation, in pen widths.
STEP = 0.1
SMOOTHING = 0.3
# A turn of at least this many degrees within the span, in pen widths, is a corner.
CORNER = 62
CORNER_SPAN = 0.45


def evenly(points: np.ndarray, step: float) -> np.ndarray:
    """The points of a line at even distances, ends included."""
    lengths = np.hypot(*np.diff(points, axis=0).T)
    points = points[np.concatenate([[True], lengths > 1e-6])]
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    count = max(int(round(along[-1] / step)) + 1, 2)
    at = np.linspace(0, along[-1], count)
    return np.column_stack([np.interp(at, along, points[:, 0]), np.interp(at, along, points[:, 1])])


def smooth(points: np.ndarray, pen: float, is_closed: bool) -> np.ndarray:
    """The points at even distances and smoothed; the ends of an open line stay."""
    points = evenly(points, STEP * pen)
    sigma = SMOOTHING / STEP
    if is_closed:
        ring = gaussian_filter1d(points[:-1], sigma, axis=0, mode="wrap")
        return np.vstack([ring, ring[:1]])
    # Reflected through each end, so that the ends stay where they are.
    reach = min(len(points) - 1, int(4 * sigma))
    if reach < 2:
        return points
    before = 2 * points[0] - points[reach:0:-1]
    after = 2 * points[-1] - points[-2 : -reach - 2 : -1]
    padded = gaussian_filter1d(np.vstack([before, points, after]), sigma, axis=0, mode="nearest")
    return padded[reach : reach + len(points)]


def split_at_corners(points: np.ndarray, pen: float) -> list[np.ndarray]:
    """The parts of an open line between its corners."""
    points = evenly(points, STEP * pen)
    span = max(int(round(CORNER_SPAN / STEP)), 1)
    if len(points) < 2 * span + 3:
        return [points]
    before = points[span:-span] - points[: -2 * span]
    after = points[2 * span :] - points[span:-span]
    turns = np.abs(
        np.degrees(np.arctan2(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0], (before * after).sum(axis=1)))
    )
    parts, start = [], 0
    for index in range(len(turns)):
        low, high = max(index - 2 * span, 0), index + 2 * span + 1
        if turns[index] > CORNER and turns[index] == turns[low:high].max() and index + span - start > 2 * span:
            parts.append(points[start : index + span + 1])
            start = index + span
    parts.append(points[start:])
    return parts


def fit(points: np.ndarray, tolerance: float, tangents: tuple | None = None) -> list[np.ndarray]:
    """Cubics, each an array (4, 2), along the points."""
    if len(points) < 2:
        return []
    if len(points) == 2:
        return [straight(points[0], points[1])]
    first, last = tangents or (tangent(points), tangent(points[::-1]))
    return fit_part(points, first, last, tolerance)


def straight(start: np.ndarray, stop: np.ndarray) -> np.ndarray:
    return np.array([start, start + (stop - start) / 3, stop - (stop - start) / 3, stop])


def tangent(points: np.ndarray) -> np.ndarray:
    reach = min(3, len(points) - 1)
    vector = points[reach] - points[0]
    return vector / max(math.hypot(*vector), 1e-9)


def fit_part(points: np.ndarray, first: np.ndarray, last: np.ndarray, tolerance: float) -> list[np.ndarray]:
    chord = points[-1] - points[0]
    length = math.hypot(*chord)
    if length > 1e-6:
        off = np.abs((points[:, 0] - points[0, 0]) * chord[1] - (points[:, 1] - points[0, 1]) * chord[0]) / length
        along = (points - points[0]) @ chord / length
        if off.max() < 0.5 * tolerance and along.min() > -tolerance and along.max() < length + tolerance:
            return [straight(points[0], points[-1])]
    if len(points) < 4:
        return [cubic_of(points[0], points[-1], first, last, length / 3, length / 3)]
    lengths = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    u = lengths / lengths[-1]
    worst = len(points) // 2
    for _ in range(5):
        cubic = least_squares(points, u, first, last)
        off = np.hypot(*(value(cubic, u) - points).T)
        worst = int(np.argmax(off))
        if off[worst] < tolerance:
            return [cubic]
        if off[worst] > 6 * tolerance:
            break
        u = reparametrised(cubic, points, u)
    worst = min(max(worst, 2), len(points) - 3)
    around = points[min(worst + 2, len(points) - 1)] - points[max(worst - 2, 0)]
    middle = around / max(math.hypot(*around), 1e-9)
    return [
        *fit_part(points[: worst + 1], first, -middle, tolerance),
        *fit_part(points[worst:], middle, last, tolerance),
    ]


def cubic_of(start, stop, first, last, near, far) -> np.ndarray:
    return np.array([start, start + near * first, stop + far * last, stop])


def least_squares(points: np.ndarray, u: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    b0, b1, b2, b3 = (1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u * u * (1 - u), u**3
    near, far = b1[:, None] * first, b2[:, None] * last
    rest = points - (b0 + b1)[:, None] * points[0] - (b2 + b3)[:, None] * points[-1]
    c00, c01, c11 = (near * near).sum(), (near * far).sum(), (far * far).sum()
    x0, x1 = (near * rest).sum(), (far * rest).sum()
    determinant = c00 * c11 - c01 * c01
    chord = math.hypot(*(points[-1] - points[0]))
    arc = float(np.hypot(*np.diff(points, axis=0).T).sum())
    if abs(determinant) > 1e-9:
        alpha, beta = (x0 * c11 - x1 * c01) / determinant, (c00 * x1 - c01 * x0) / determinant
    else:
        alpha = beta = 0.0
    least = 0.02 * chord
    if not (least < alpha < 2 * arc and least < beta < 2 * arc):
        alpha = beta = arc / 3
    return cubic_of(points[0], points[-1], first, last, alpha, beta)


def value(cubic: np.ndarray, u: np.ndarray) -> np.ndarray:
    u = u[:, None]
    return (1 - u) ** 3 * cubic[0] + 3 * u * (1 - u) ** 2 * cubic[1] + 3 * u * u * (1 - u) * cubic[2] + u**3 * cubic[3]


def reparametrised(cubic: np.ndarray, points: np.ndarray, u: np.ndarray) -> np.ndarray:
    """One step of Newton's method towards the nearest place on the cubic of each point."""
    first = 3 * np.diff(cubic, axis=0)
    second = 2 * np.diff(first, axis=0)
    t = u[:, None]
    at = value(cubic, u) - points
    slope = (1 - t) ** 2 * first[0] + 2 * t * (1 - t) * first[1] + t * t * first[2]
    bend = (1 - t) * second[0] + t * second[1]
    below = (slope * slope).sum(axis=1) + (at * bend).sum(axis=1)
    step = np.where(np.abs(below) > 1e-9, (at * slope).sum(axis=1) / np.where(below == 0, 1, below), 0)
    moved = np.clip(u - step, 0, 1)
    return moved if (np.diff(moved) >= 0).all() else u
