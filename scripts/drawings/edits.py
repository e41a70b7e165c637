"""Edits of a letter's centre lines. README.md lists them; lengths are in x-heights, dx to the right and dy up.

An edit moves some points of the lines. The others follow elastically along the line, and the ends that touch another
line keep to it unless the edit lets them go: each line is a spline that minimises its bending and its displacement.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.ndimage import gaussian_filter1d
from shapely.geometry import LineString, Point, Polygon

from glyphs import Letter
from ribbon import Ribbon

# Length over which a moved point takes the line with it, and the wavelength of the free variation, in x-heights.
REACH = 0.42
FREE_WAVE = 0.75
# Weights of a displacement against zero, of a moved region, and of a point that must be there.
REST, REGION, FIXED = 1.0, 60.0, 3e4
# Length of an end that keeps its place and direction in joined hands, in x-heights.
KEPT_END = 0.2
# An end that is nearer to a line than this, in pen widths, touches it.
TOUCH = 0.75
SIDES = {"top": (0, 1), "low": (0, -1), "left": (-1, 0), "right": (1, 0)}


@dataclass
class Contact:
    """The end of a line that touches a point of this or another line."""

    line: int
    at_start: bool
    other: int
    index: int


@dataclass
class Sketch:
    """Lines of a letter while they are edited."""

    letter: Letter
    parts: list[Ribbon]
    contacts: list[Contact]
    # Per line: targets (index, displacement, weight).
    targets: list[list] = field(default_factory=list)
    # Points whose contact was let go, where patches of the junction must not be drawn again.
    released: list = field(default_factory=list)
    free: tuple = (0, 0.0)
    pinned: bool = False
    # Lines that move as a whole: bars and dots.
    rigid: set = field(default_factory=set)
    # Steps of contacts along the line that they touch: (line, whether at its start, step).
    slides: list = field(default_factory=list)

    @property
    def xh(self) -> float:
        return self.letter.x_height

    def free_ends(self) -> list[tuple[int, bool]]:
        """Ends that touch nothing, of lines that are not dots."""
        taken = {(c.line, c.at_start) for c in self.contacts}
        ends = [(k, start) for k, part in enumerate(self.parts) if not part.is_closed for start in (True, False)]
        return [end for end in ends if end not in taken and not self.is_dot(end[0])]

    def end_point(self, end: tuple[int, bool]) -> np.ndarray:
        return self.parts[end[0]].points[0 if end[1] else -1]

    def is_dot(self, k: int) -> bool:
        points = self.parts[k].points
        low = min(part.points[:, 1].min() for part in self.parts)
        rest = [p.points[:, 1].max() for j, p in enumerate(self.parts) if j != k]
        short = np.ptp(points, axis=0).max() < 0.45 * self.xh
        return bool(rest) and short and points[:, 1].min() > max(rest) - 0.1 * self.xh and points[:, 1].min() > low

    def move(self, k: int, index: int, displacement, weight: float = FIXED) -> None:
        self.targets[k].append((int(index), np.asarray(displacement, float), weight))


def contacts_of(parts: list[Ribbon], pen: float) -> list[Contact]:
    """The ends that touch a line: the nearest point that is not the end's own neighbourhood."""
    found = []
    for k, part in enumerate(parts):
        if part.is_closed:
            continue
        for at_start in (True, False):
            point = part.points[0 if at_start else -1]
            best = (TOUCH * pen, None)
            for other, line in enumerate(parts):
                distance = np.hypot(*(line.points - point).T)
                if other == k:
                    near = int(3.2 * pen / max(np.hypot(*(part.points[1] - part.points[0])), 1e-6))
                    distance[slice(0, near) if at_start else slice(-near, None)] = np.inf
                index = int(np.argmin(distance))
                if distance[index] < best[0]:
                    best = (distance[index], (other, index))
            if best[1]:
                found.append(Contact(k, at_start, *best[1]))
    # Two ends that touch each other are one contact.
    kept, pairs = [], set()
    for contact in found:
        other = parts[contact.other]
        is_end = contact.index < 3 or contact.index > len(other.points) - 4
        if is_end and (contact.other, contact.line) in pairs:
            continue
        pairs.add((contact.line, contact.other))
        kept.append(contact)
    return kept


def sketch(letter: Letter, parts: list[Ribbon]) -> Sketch:
    copies = [Ribbon(*(np.array(value) for value in vars(part).values())) for part in parts]
    return Sketch(letter, copies, contacts_of(parts, letter.pen), [[] for _ in parts])


def choose_end(s: Sketch, which: str) -> tuple[int, bool]:
    """A free end: `exit` farthest right, `entry` farthest left, `high`, `low`, or `LINE:s`, `LINE:e`."""
    if ":" in which:
        k, side = which.split(":")
        return int(k), side == "s"
    ends = s.free_ends()
    if not ends:
        raise ValueError("no free end")
    keys = {
        "exit": lambda p: p[0] - 0.25 * p[1],
        "entry": lambda p: -p[0] + 0.15 * p[1],
        "high": lambda p: p[1],
        "low": lambda p: -p[1],
    }
    return max(ends, key=lambda end: keys[which](s.end_point(end)))


def shorten(s: Sketch, end: tuple[int, bool], length: float) -> None:
    """Cuts the end off by that length, in font units."""
    k, at_start = end
    part = s.parts[k]
    points = part.points[::-1] if at_start else part.points
    step = float(np.hypot(*np.diff(points, axis=0).T).mean())
    count = min(int(round(length / step)), len(points) - 4)
    if count <= 0:
        return
    kept = slice(count, None) if at_start else slice(0, -count)
    # The new end is blunt where it was cut in the middle of the line.
    for name in ("points", "left", "right", "clear"):
        setattr(part, name, getattr(part, name)[kept])
    half = (part.left[0] + part.right[0]) / 2 if at_start else (part.left[-1] + part.right[-1]) / 2
    rays = part.first if at_start else part.last
    rays[:] = np.minimum(rays * half / max(rays[[0, -1]].mean(), 1e-9), 1.3 * half)
    shift = -count if at_start else 0
    last = len(part.points) - 1
    for contact in s.contacts:
        if contact.other == k:
            contact.index = int(np.clip(contact.index + shift, 0, last))
    s.targets[k] = [(int(np.clip(i + shift, 0, last)), d, w) for i, d, w in s.targets[k]]


def counters(letter: Letter) -> list[Polygon]:
    """Holes of the outline, the largest first."""
    rings = [Polygon(ring) for part in letter.outline.geoms for ring in part.interiors]
    return sorted((r for r in rings if r.area > 0.3 * letter.pen**2), key=lambda ring: -ring.area)


def edit_loop(s: Sketch, which: float, minor: float, major: float = 1.0) -> None:
    """Scales the lines around counter number `which` across its long axis by `minor` and along it by `major`."""
    rings = counters(s.letter)
    if int(which) >= len(rings):
        raise ValueError("no such loop")
    ring = rings[int(which)]
    spread = np.array(ring.exterior.segmentize(s.letter.pen / 2).coords)
    center = spread.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov((spread - center).T))
    for k, part in enumerate(s.parts):
        for i, point in enumerate(part.points):
            if ring.exterior.distance(Point(point)) < 0.8 * s.letter.pen:
                away = (point - center) @ axes
                s.move(k, i, axes @ ((np.array([minor, major]) - 1) * away), REGION)


def edit_open(s: Sketch, which: str, white: float, dx: float = 0.0, dy: float = 0.0) -> None:
    """Lets an end at a loop go from the line that it touches, leaves white of that width, and moves the end.

    `which` is `top`, `low`, `left` or `right`, seen from the middle of the loop, or the number of a contact.
    """
    places = [s.end_point((c.line, c.at_start)) for c in s.contacts]
    if which in SIDES:
        side, near = np.array(SIDES[which]), {}
        for ring in counters(s.letter):
            for i, place in enumerate(places):
                away = side @ (place - np.array(ring.centroid.coords[0]))
                if ring.exterior.distance(Point(place)) < 1.3 * s.letter.pen and away > 0:
                    near[i] = max(near.get(i, 0.0), away)
        if not near:
            raise ValueError("nothing touches there")
        at = max(near, key=near.get)
    elif int(which) < len(places):
        at = int(which)
    else:
        raise ValueError("no such contact")
    contact = s.contacts.pop(at)
    end = (contact.line, contact.at_start)
    s.released.append(places[at])
    shorten(s, end, white * s.xh + 0.95 * s.letter.pen)
    index = 0 if contact.at_start else len(s.parts[contact.line].points) - 1
    s.move(contact.line, index, np.array([dx, dy]) * s.xh)


def edit_ring(s: Sketch, white: float, dx: float = 0.0, dy: float = 0.0) -> None:
    """Cuts a closed line at its start, leaves white of that width, and moves the new start by dx, dy."""
    closed = [k for k, part in enumerate(s.parts) if part.is_closed]
    if not closed:
        raise ValueError("no closed line")
    part = s.parts[closed[0]]
    s.released.append(part.points[0].copy())
    part.points[-1] += 1e-3
    # The ends are round.
    part.first[:] = part.last[:] = (part.left[0] + part.right[0]) / 2
    if white > 0:
        shorten(s, (closed[0], False), white * s.xh + 0.95 * s.letter.pen)
    s.move(closed[0], 0, np.array([dx, dy]) * s.xh)
    s.move(closed[0], len(part.points) - 1, -0.4 * np.array([dx, dy]) * s.xh)


def edit_slide(s: Sketch, which: float, dy: float) -> None:
    """Moves a contact along the line that it touches, up by dy."""
    stems = [c for c in s.contacts if c.other != c.line]
    if int(which) >= len(stems):
        raise ValueError("no such contact")
    contact = stems[int(which)]
    points = s.parts[contact.other].points
    goal = points[contact.index] + [0, dy * s.xh]
    window = np.arange(max(contact.index - 40, 0), min(contact.index + 40, len(points)))
    old, contact.index = contact.index, int(window[np.argmin(np.hypot(*(points[window] - goal).T))])
    step = points[contact.index] - points[old]
    s.released.append(s.end_point((contact.line, contact.at_start)))
    s.slides.append((contact.line, contact.at_start, step))


def edit_close(s: Sketch, which: str, past: float = 0.0) -> None:
    """Moves a free end to the nearest line that it does not touch."""
    end = choose_end(s, which)
    point, best = s.end_point(end), (np.inf, None)
    for k, part in enumerate(s.parts):
        distance = np.hypot(*(part.points - point).T)
        if k == end[0]:
            count = int(0.5 * len(distance))
            distance[slice(0, count) if end[1] else slice(-count, None)] = np.inf
        if distance.min() < best[0]:
            best = (distance.min(), part.points[int(np.argmin(distance))])
    if best[1] is None or best[0] > 0.7 * s.xh:
        raise ValueError("nothing near to close")
    step = best[1] - point
    k, index = end[0], 0 if end[1] else len(s.parts[end[0]].points) - 1
    s.move(k, index, step * (1 + past))


def edit_end(s: Sketch, which: str, dx: float, dy: float, length: float = 0.0) -> None:
    """Moves a free end, and makes it longer or shorter."""
    end = choose_end(s, which)
    step = np.array([dx, dy]) * s.xh
    if length < 0:
        shorten(s, end, -length * s.xh)
    elif length > 0:
        points = s.parts[end[0]].points[:: -1 if end[1] else 1]
        heading = points[-1] - points[-1 - min(6, len(points) - 1)]
        step = step + length * s.xh * heading / max(np.hypot(*heading), 1e-9)
    s.move(end[0], 0 if end[1] else len(s.parts[end[0]].points) - 1, step)


def edit_hold(s: Sketch, which: str) -> None:
    """Keeps the place and direction of a free end."""
    k, at_start = choose_end(s, which)
    points = s.parts[k].points
    step = float(np.hypot(*np.diff(points, axis=0).T).mean())
    count = min(max(int(KEPT_END * s.xh / step), 2), len(points))
    for i in range(count) if at_start else range(len(points) - count, len(points)):
        s.move(k, i, (0, 0))


def turns(s: Sketch, sign: int, low: float, high: float) -> list[tuple[int, int]]:
    """Interior points where lines turn at the top (sign 1) or bottom (-1) in a band of heights, from the left."""
    found = []
    for k, part in enumerate(s.parts):
        y = sign * gaussian_filter1d(part.points[:, 1], 1.0)
        for i in range(2, len(y) - 2):
            is_turn = y[i] >= y[i - 1] and y[i] > y[i + 1] and y[i] == y[max(i - 8, 0) : i + 9].max()
            if is_turn and low * s.xh < part.points[i, 1] < high * s.xh:
                found.append((k, i))
    return sorted(found, key=lambda turn: s.parts[turn[0]].points[turn[1], 0])


def edit_turn(s: Sketch, sign: int, which: float, dx: float, dy: float) -> None:
    places = turns(s, sign, 0.45, 1.4) if sign > 0 else turns(s, sign, -0.3, 0.5)
    if not places:
        raise ValueError("no such turn")
    k, i = places[min(int(which), len(places) - 1)]
    s.move(k, i, np.array([dx, dy]) * s.xh)


def edit_bar(s: Sketch, dx: float, dy: float, tilt: float = 0.0, stretch: float = 1.0) -> None:
    """Moves, tilts (degrees) and stretches the flat line that crosses another."""
    flat = [k for k, p in enumerate(s.parts) if np.ptp(p.points[:, 0]) > 1.6 * np.ptp(p.points[:, 1]) and len(s.parts) > 1]
    flat = [k for k in flat if not s.is_dot(k)]
    if not flat:
        raise ValueError("no bar")
    k = max(flat, key=lambda k: (np.ptp(s.parts[k].points[:, 0]), s.parts[k].points[:, 1].mean()))
    s.contacts = [c for c in s.contacts if c.line != k]
    rigid(s, k, dx, dy, tilt, stretch)


def edit_dot(s: Sketch, dx: float, dy: float, tilt: float = 0.0, stretch: float = 1.0) -> None:
    dots = [k for k in range(len(s.parts)) if s.is_dot(k)]
    if not dots:
        raise ValueError("no dot")
    rigid(s, dots[0], dx, dy, tilt, stretch)


def rigid(s: Sketch, k: int, dx: float, dy: float, tilt: float, stretch: float) -> None:
    s.rigid.add(k)
    points = s.parts[k].points
    center, angle = points.mean(axis=0), np.radians(tilt)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    goal = (points - center) * stretch @ turn.T + center + np.array([dx, dy]) * s.xh
    for i, step in enumerate(goal - points):
        s.move(k, i, step)


def edit_at(s: Sketch, k: float, fraction: float, dx: float, dy: float) -> None:
    """Moves the point at a fraction of a line's length."""
    part = s.parts[int(k)]
    s.move(int(k), round(fraction * (len(part.points) - 1)), np.array([dx, dy]) * s.xh)


def edit_zone(s: Sketch, low: float, high: float, dx: float, dy: float) -> None:
    """Moves what lies beyond `high` by dx, dy, and what lies between `low` and `high` in proportion."""
    for k, part in enumerate(s.parts):
        share = np.clip((part.points[:, 1] / s.xh - low) / (high - low), 0, 1)
        for i in np.flatnonzero(share > 0):
            s.move(k, i, share[i] * np.array([dx, dy]) * s.xh, REGION)


EDITS = {
    "loop": edit_loop,
    "open": edit_open,
    "ring": edit_ring,
    "slide": edit_slide,
    "close": edit_close,
    "end": edit_end,
    "hold": edit_hold,
    "top": lambda s, *a: edit_turn(s, 1, *a),
    "cup": lambda s, *a: edit_turn(s, -1, *a),
    "bar": edit_bar,
    "dot": edit_dot,
    "at": edit_at,
    "zone": edit_zone,
    "free": lambda s, seed, size: setattr(s, "free", (int(seed), size)),
    "pinned": lambda s: setattr(s, "pinned", True),
}


def apply(s: Sketch, edits: str) -> None:
    """Runs the edits of one row, separated by `;`."""
    for edit in filter(None, (part.strip() for part in edits.split(";"))):
        name, *given = edit.split()
        EDITS[name](s, *(number(value) for value in given))


def number(value: str):
    try:
        return float(value)
    except ValueError:
        return value
