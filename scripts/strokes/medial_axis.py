"""The medial axis of a glyph as a graph: branches between ends and junctions.

The axis is the part of the Voronoi diagram of evenly spaced outline points that lies in the glyph. An edge of the
diagram is kept where its two outline points are far apart along the outline (Ogniewicz and Kübler, "Hierarchic Voronoi
skeletons", 1995, the potential residual), which leaves out the branches into corners and bumps.
"""

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial import QhullError, Voronoi

from outlines import Shape

# Least distance along the outline between the two points of an edge, in pen widths.
LEAST_RESIDUAL = 1.2


@dataclass(eq=False)
class Branch:
    """A line of the axis from node `ends[0]` to node `ends[1]`."""

    # Points, an array (n, 2), and the distance of each from the outline.
    points: np.ndarray
    radii: np.ndarray
    ends: list[int]
    # Length up to each point.
    along: np.ndarray = field(init=False)

    def __post_init__(self):
        self.along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(self.points, axis=0).T))])

    @property
    def length(self) -> float:
        return float(self.along[-1])

    @property
    def is_loop(self) -> bool:
        return self.ends[0] == self.ends[1]


class Axis:
    """Branches by node. A node with one branch is an end."""

    def __init__(self):
        self.branches: list[Branch] = []

    def nodes(self) -> dict[int, list[tuple[Branch, int]]]:
        """The branch ends at each node: the branch and which of its ends."""
        nodes = defaultdict(list)
        for branch in self.branches:
            nodes[branch.ends[0]].append((branch, 0))
            nodes[branch.ends[1]].append((branch, 1))
        return nodes

    def join_through(self, node: int) -> None:
        """Makes one branch of the two at a node."""
        ends = self.nodes().get(node, [])
        if len(ends) != 2 or ends[0][0] is ends[1][0]:
            return
        (first, first_end), (second, second_end) = ends
        if first_end == 0:
            reverse(first)
        if second_end == 1:
            reverse(second)
        self.branches = [branch for branch in self.branches if branch is not first and branch is not second]
        self.branches.append(
            Branch(
                np.vstack([first.points, second.points[1:]]),
                np.concatenate([first.radii, second.radii[1:]]),
                [first.ends[0], second.ends[1]],
            )
        )


def reverse(branch: Branch) -> None:
    branch.points = branch.points[::-1]
    branch.radii = branch.radii[::-1]
    branch.ends = branch.ends[::-1]
    branch.along = branch.along[-1] - branch.along[::-1]


def medial_axis(shape: Shape, pen: float) -> Axis:
    """The axis of a shape that is drawn with a pen of that width."""
    axis = Axis()
    samples = np.vstack(shape.contours)
    contour_of = np.concatenate([np.full(len(points), index) for index, points in enumerate(shape.contours)])
    place = np.concatenate([np.arange(len(points)) for points in shape.contours])
    count = np.concatenate([np.full(len(points), len(points)) for points in shape.contours])
    step = np.concatenate([np.full(len(p), np.hypot(*(p - np.roll(p, 1, axis=0)).T).mean()) for p in shape.contours])
    try:
        diagram = Voronoi(samples)
    except QhullError:
        return axis
    vertices = diagram.vertices
    ends = np.array(diagram.ridge_vertices)
    sites = diagram.ridge_points
    low, high = samples.min(axis=0), samples.max(axis=0)
    usable = ((vertices > low) & (vertices < high)).all(axis=1)
    usable[usable] &= shape.inside(vertices[usable])
    first, second = sites[:, 0], sites[:, 1]
    apart = np.abs(place[first] - place[second])
    apart = np.minimum(apart, count[first] - apart) * step[first]
    keep = (contour_of[first] != contour_of[second]) | (apart > LEAST_RESIDUAL * pen)
    keep &= (ends >= 0).all(axis=1)
    keep[keep] &= usable[ends[keep]].all(axis=1)
    ends, first = ends[keep], first[keep]
    radii = {}
    neighbours = defaultdict(list)
    for (a, b), site in zip(ends.tolist(), samples[first].tolist(), strict=True):
        neighbours[a].append(b)
        neighbours[b].append(a)
        for vertex in (a, b):
            if vertex not in radii:
                x, y = vertices[vertex]
                radii[vertex] = ((x - site[0]) ** 2 + (y - site[1]) ** 2) ** 0.5
    trace(axis, vertices, radii, neighbours)
    return axis


def trace(axis: Axis, vertices: np.ndarray, radii: dict[int, float], neighbours: dict[int, list[int]]) -> None:
    """Adds the lines between nodes that have other than two neighbours, then the closed lines."""
    walked = set()

    def walk(start: int, to: int) -> None:
        line = [start, to]
        walked.update([(start, to), (to, start)])
        while len(neighbours[line[-1]]) == 2 and line[-1] != start:
            a, b = neighbours[line[-1]]
            following = b if a == line[-2] else a
            if (line[-1], following) in walked:
                break
            walked.update([(line[-1], following), (following, line[-1])])
            line.append(following)
        axis.branches.append(Branch(vertices[line], np.array([radii[vertex] for vertex in line]), [line[0], line[-1]]))

    for vertex in list(neighbours):
        if len(neighbours[vertex]) != 2:
            for to in neighbours[vertex]:
                if (vertex, to) not in walked:
                    walk(vertex, to)
    for vertex in list(neighbours):
        for to in neighbours[vertex]:
            if (vertex, to) not in walked:
                walk(vertex, to)


def prune(axis: Axis, gain: float) -> None:
    """Takes away the branches to ends that reach less than `gain` beyond the disc of their junction, shortest first."""
    while True:
        nodes = axis.nodes()
        shortest = None
        for branch in axis.branches:
            for end in (0, 1):
                if len(nodes[branch.ends[end]]) == 1 and len(nodes[branch.ends[1 - end]]) > 1:
                    tip, root = (-1, 0) if end == 1 else (0, -1)
                    reach = branch.length + branch.radii[tip] - branch.radii[root]
                    if reach < gain and (shortest is None or reach < shortest[0]):
                        shortest = (reach, branch, branch.ends[1 - end])
        if shortest is None:
            return
        axis.branches = [branch for branch in axis.branches if branch is not shortest[1]]
        axis.join_through(shortest[2])
