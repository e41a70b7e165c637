"""Solves for the displacement of each line: least bending and least displacement, under the targets of the edits."""

import numpy as np

from edits import FIXED, FREE_WAVE, KEPT_END, REACH, REST, Sketch

# Weight of an end that meets a neighbour.
PINNED = 1e3 * FIXED


def solve(s: Sketch) -> list[np.ndarray]:
    """The displacement of every point, one array (n, 2) per line."""
    starts = np.concatenate([[0], np.cumsum([len(part.points) for part in s.parts])])
    size = int(starts[-1])
    matrix, right = np.zeros((size, size)), np.zeros((size, 2))
    random = np.random.default_rng(s.free[0])
    for k, part in enumerate(s.parts):
        at, count = starts[k], len(part.points)
        step = float(np.hypot(*np.diff(part.points, axis=0).T).mean())
        wish = free_variation(random, count, step, s) if not s.is_dot(k) else np.zeros((count, 2))
        index = np.arange(at, at + count)
        matrix[index, index] += REST
        right[index] += REST * wish
        bend = (REACH * s.xh / step) ** 4
        for i in range(1, count - 1):
            row = index[[i - 1, i, i + 1]]
            matrix[np.ix_(row, row)] += bend * np.outer([1, -2, 1], [1, -2, 1])
        pull = 0.3 * (REACH * s.xh / step) ** 2
        for i in range(count - 1):
            row = index[[i, i + 1]]
            matrix[np.ix_(row, row)] += pull * np.outer([1, -1], [1, -1])
        if part.is_closed:
            tie(matrix, right, index[0], index[-1], np.zeros(2))
            row = index[[-2, 0, 1]]
            matrix[np.ix_(row, row)] += bend * np.outer([1, -2, 1], [1, -2, 1])
        for i, displacement, weight in s.targets[k]:
            matrix[at + i, at + i] += weight
            right[at + i] += weight * displacement
    slides = {(line, at_start): step for line, at_start, step in s.slides}
    for contact in s.contacts:
        end = starts[contact.line] + (0 if contact.at_start else len(s.parts[contact.line].points) - 1)
        step = slides.get((contact.line, contact.at_start), np.zeros(2))
        tie(matrix, right, end, starts[contact.other] + contact.index, step)
    if s.pinned:
        pin_ends(s, starts, matrix)
    moved = np.linalg.solve(matrix, right)
    return [moved[a:b] for a, b in zip(starts[:-1], starts[1:], strict=True)]


def tie(matrix, right, a: int, b: int, step: np.ndarray) -> None:
    """Makes the displacement of a that of b and `step` more."""
    pair = [a, b]
    matrix[np.ix_(pair, pair)] += FIXED * np.outer([1, -1], [1, -1])
    right[a] += FIXED * step
    right[b] -= FIXED * step


def pin_ends(s: Sketch, starts, matrix) -> None:
    """Keeps the free ends farthest left and right where they are."""
    ends = [end for end in s.free_ends() if end[0] not in s.rigid]
    if not ends:
        return
    for end in {min(ends, key=lambda e: s.end_point(e)[0]), max(ends, key=lambda e: s.end_point(e)[0])}:
        points = s.parts[end[0]].points
        step = float(np.hypot(*np.diff(points, axis=0).T).mean())
        count = min(max(int(KEPT_END * s.xh / step), 2), len(points))
        index = np.arange(count) if end[1] else np.arange(len(points) - count, len(points))
        for i in starts[end[0]] + index:
            matrix[i, i] += PINNED


def free_variation(random, count: int, step: float, s: Sketch) -> np.ndarray:
    """Smooth random displacements along a line, and a tenth of them as a scale of the whole line."""
    wave = max(FREE_WAVE * s.xh / step, 1.0)
    knots = max(int(np.ceil((count - 1) / wave)) + 2, 3)
    values = random.standard_normal((knots, 2)) * s.free[1] * s.xh
    place = np.arange(count) / wave
    low = place.astype(int)
    part = ((1 - np.cos(np.pi * (place - low))) / 2)[:, None]
    return values[low] * (1 - part) + values[low + 1] * part
