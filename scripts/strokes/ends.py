"""The ends of branches at junctions, and how a pen goes from one into another."""

import math
from dataclasses import dataclass, field

import numpy as np

from medial_axis import Branch
from outlines import Shape


@dataclass(eq=False)
class End:
    """An end of a branch at a junction."""

    branch: Branch
    which: int
    # Where the branch is cut: its place along the branch, the point, and the unit direction towards the junction.
    cut: float = 0.0
    point: np.ndarray | None = None
    toward: np.ndarray | None = None

    def key(self) -> tuple[int, int]:
        return id(self.branch), self.which

    def at(self, distance: float) -> np.ndarray:
        """The point that far from the junction along the branch."""
        branch = self.branch
        along = distance if self.which == 0 else branch.length - distance
        return np.array([np.interp(along, branch.along, branch.points[:, axis]) for axis in (0, 1)])

    def radius(self, distance: float) -> float:
        along = distance if self.which == 0 else self.branch.length - distance
        return float(np.interp(along, self.branch.along, self.branch.radii))


@dataclass
class Joints:
    """How branches go on at their ends, by the ends' keys."""

    # What follows an end: the other end, and the pieces between the two cuts.
    links: dict[tuple[int, int], tuple[End, list[np.ndarray]]] = field(default_factory=dict)
    # What leads a branch on to the line that it meets.
    leads: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)
    # How far from the junction a branch is cut.
    cuts: dict[tuple[int, int], float] = field(default_factory=dict)


def unit(vector: np.ndarray) -> np.ndarray:
    length = math.hypot(*vector)
    return vector / length if length > 1e-9 else np.array([1.0, 0.0])


def turn(first: np.ndarray, second: np.ndarray) -> float:
    """Angle between two directions, in degrees."""
    return abs(math.degrees(math.atan2(first[0] * second[1] - first[1] * second[0], first @ second)))


def bend(first: End, second: End, pen: float) -> float:
    """How far a pen turns from one branch into the other, in degrees."""
    across = second.point - first.point
    if math.hypot(*across) < 0.25 * pen:
        return turn(first.toward, -second.toward)
    return turn(first.toward, across) + turn(across, -second.toward)


def curve(start: np.ndarray, direction: np.ndarray, stop: np.ndarray, arrival: np.ndarray) -> np.ndarray:
    """Points between two points on a cubic with these directions at its ends."""
    handle = math.hypot(*(stop - start)) / 3
    t = np.linspace(0, 1, 14)[1:-1, None]
    b, c = start + handle * direction, stop - handle * arrival
    return (1 - t) ** 3 * start + 3 * t * (1 - t) ** 2 * b + 3 * t * t * (1 - t) * c + t**3 * stop


def depth(shape: Shape, point: np.ndarray, direction: np.ndarray, most: float) -> float:
    """Distance from a point in the glyph to its outline in a direction, up to `most`."""
    steps = np.arange(0, most, 0.5)
    inside = shape.inside(point + steps[:, None] * direction)
    return float(steps[np.argmin(inside)]) if not inside.all() else most


def crossing(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float | None:
    """Place on the line from a to b, 0 to 1, where it crosses the line from c to d."""
    first, second, between = b - a, d - c, c - a
    cross = first[0] * second[1] - first[1] * second[0]
    if abs(cross) < 1e-9:
        return None
    place = (between[0] * second[1] - between[1] * second[0]) / cross
    other = (between[0] * first[1] - between[1] * first[0]) / cross
    return place if 0 <= place <= 1 and -0.05 <= other <= 1.05 else None
