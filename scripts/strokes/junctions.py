"""Joins the branches of a medial axis into strokes as a pen draws them.

Where strokes cross or meet, the axis bends towards the junction, and a crossing may become two junctions with a bridge.
Here junctions whose discs touch are one, and so are the two ends of a bridge. Each branch is cut back to where the
junction no longer bends it; branches that continue each other are joined by a smooth curve, and the others are led
straight on to the curve that they meet.
"""

import itertools

import numpy as np

from chains import Chains
from ends import End, Joints, bend, crossing, curve, depth, turn, unit
from lines import Line
from medial_axis import Axis, Branch, prune
from outlines import Shape

# A pair of branches may turn by up to this, in degrees: at a junction, across a bridge, into a tip where both merge.
TURN = 80
BRIDGE_TURN = 38
TIP_TURN = 50
# Longest bridge and longest merged tip, in pen widths.
BRIDGE = 3.0
TIP = 2.2
# Least reach of a branch beyond the disc of its junction, in pen widths: a stub, and the tip of two merged strokes.
STUB = 0.45
MERGED_STUB = 0.12
# How far a branch is led on to the line that it meets, in pen widths.
LEAD = 3.0


class Joiner:
    """Turns one axis into lines."""

    def __init__(self, shape: Shape, axis: Axis, pen: float, advance: float):
        self.shape, self.axis, self.pen, self.advance = shape, axis, pen, advance
        self.joints = Joints()

    def lines(self) -> list[Line]:
        prune(self.axis, MERGED_STUB * self.pen)
        self.prune_stubs()
        for ends in self.clusters():
            self.join(ends)
        return Chains(self.shape, self.axis, self.joints, self.pen, self.advance).lines()

    def prune_stubs(self) -> None:
        """Takes away short branches but the tips in which two strokes merge."""
        while True:
            nodes = self.axis.nodes()
            found = None
            for branch in self.axis.branches:
                for which in (0, 1):
                    tip_node, root = branch.ends[which], branch.ends[1 - which]
                    if len(nodes[tip_node]) != 1 or len(nodes[root]) < 2:
                        continue
                    reach = branch.length + branch.radii[-which] - branch.radii[which - 1]
                    others = [End(*end) for end in nodes[root] if end[0] is not branch]
                    if reach < STUB * self.pen and (found is None or reach < found[0]):
                        if len(others) == 2 and self.is_merged_tip(End(branch, 1 - which), others):
                            continue
                        found = (reach, branch, root)
            if found is None:
                return
            self.axis.branches = [branch for branch in self.axis.branches if branch is not found[1]]
            self.axis.join_through(found[2])

    def cut(self, end: End) -> None:
        """Finds where a branch is free of its junction, and its direction there."""
        branch, pen = end.branch, self.pen
        node_radius = end.radius(0)
        is_free = end.branch.ends[1 - end.which] in self.free_nodes
        most = branch.length * (0.6 if is_free else 0.42)
        usual = float(np.median(branch.radii))
        distance = 0.6 * node_radius
        while distance < min(most, 2.5 * node_radius) and end.radius(distance) > 1.06 * usual:
            distance += 0.1 * pen
        end.cut = min(distance, most)
        end.point = end.at(end.cut)
        span = min(0.9 * pen, (branch.length if is_free else 0.8 * branch.length) - end.cut)
        if span < 0.25 * pen:
            end.toward = unit(end.at(0) - end.at(branch.length))
            return
        middle, far = end.at(end.cut + span / 2), end.at(end.cut + span)
        near, before = unit(end.point - middle), unit(middle - far)
        end.toward = unit(near + 0.4 * (near - before))

    @property
    def free_nodes(self) -> set[int]:
        return {node for node, ends in self.axis.nodes().items() if len(ends) == 1}

    def is_merged_tip(self, tip: End, others: list[End]) -> bool:
        """Whether two strokes turn back in a short branch to an end, as in the foot of a v."""
        if tip.branch.length > TIP * self.pen or tip.branch.is_loop:
            return False
        for end in (tip, *others):
            if end.point is None:
                self.cut(end)
        bends = sorted(bend(other, tip, self.pen) for other in others)
        between = turn(-others[0].toward, -others[1].toward)
        return bends[1] < TIP_TURN and between < 75 and (bends[0] > 10 or bends[1] < 22)

    def clusters(self) -> list[list[End]]:
        """The ends of branches by junction; bridges are taken out of the axis."""
        parent: dict[int, int] = {}

        def find(node: int) -> int:
            while parent.setdefault(node, node) != node:
                node = parent[node]
            return node

        nodes = self.axis.nodes()
        bridges = []
        for branch in self.axis.branches:
            first, second = branch.ends
            if branch.is_loop or len(nodes[first]) < 3 or len(nodes[second]) < 3:
                continue
            touch = 0.9 * max(branch.radii[0], branch.radii[-1])
            if branch.length < touch or branch.length < BRIDGE * self.pen and self.is_bridge(branch, nodes):
                bridges.append(branch)
                parent[find(first)] = find(second)
        self.axis.branches = [branch for branch in self.axis.branches if not any(branch is b for b in bridges)]
        clusters: dict[int, list[End]] = {}
        for node, ends in self.axis.nodes().items():
            if len(nodes[node]) > 1:
                clusters.setdefault(find(node), []).extend(End(*end) for end in ends)
        return list(clusters.values())

    def is_bridge(self, branch: Branch, nodes: dict) -> bool:
        """Whether two strokes cross in a branch: each goes on straight at its other end."""
        sides = [[End(*end) for end in nodes[node] if end[0] is not branch] for node in branch.ends]
        if [len(side) for side in sides] != [2, 2]:
            return False
        for end in itertools.chain(*sides):
            if end.branch.length < 0.8 * self.pen and end.branch.ends[1 - end.which] not in self.free_nodes:
                return False
            self.cut(end)
        (a, b), (c, d) = sides
        ways = [(bend(a, c, self.pen), bend(b, d, self.pen)), (bend(a, d, self.pen), bend(b, c, self.pen))]
        return min(max(way) for way in ways) < BRIDGE_TURN

    def join(self, ends: list[End]) -> None:
        """Joins the branches of one junction."""
        if len(ends) < 2:
            return
        for end in ends:
            self.cut(end)
        if len(ends) == 3 and self.join_tip(ends):
            return
        pairs = self.best_pairs(ends)
        paired = {end.key() for pair in pairs for end in pair}
        targets = []
        for first, second in pairs:
            between = self.between(first, second)
            targets.append(np.vstack([self.tail(first), between, self.tail(second)[::-1]]))
            self.link(first, second, [between])
        center = np.mean([end.at(0) for end in ends], axis=0)
        for end in ends:
            self.joints.cuts[end.key()] = end.cut
            if end.key() not in paired:
                self.lead(end, targets, center)

    def best_pairs(self, ends: list[End]) -> list[tuple[End, End]]:
        bends = {}
        for first, second in itertools.combinations(range(len(ends)), 2):
            bends[first, second] = bend(ends[first], ends[second], self.pen)
        best: tuple[float, list] = (0.0, [])

        def search(left: list[int], gain: float, pairs: list) -> None:
            nonlocal best
            if gain > best[0]:
                best = (gain, pairs)
            if len(left) < 2:
                return
            first, rest = left[0], left[1:]
            search(rest, gain, pairs)
            for second in rest:
                if bends[first, second] < TURN:
                    others = [index for index in rest if index != second]
                    search(others, gain + TURN - bends[first, second], [*pairs, (first, second)])

        search(list(range(min(len(ends), 8))), 0.0, [])
        pairs = best[1] or [min(bends, key=bends.get)]
        return [(ends[first], ends[second]) for first, second in pairs]

    def between(self, first: End, second: End) -> np.ndarray:
        """Points between the cuts of two ends that continue each other."""
        smooth = curve(first.point, first.toward, second.point, -second.toward)
        if self.shape.inside(smooth).mean() > 0.85:
            return smooth
        return np.vstack([self.stub(first), self.stub(second)[::-1]])

    def stub(self, end: End) -> np.ndarray:
        """The part of a branch that was cut off, from the cut to the junction."""
        distances = np.linspace(end.cut, 0, 8)[1:]
        return np.array([end.at(distance) for distance in distances])

    def tail(self, end: End) -> np.ndarray:
        """The part of a branch next to its cut, towards the cut."""
        reach = min(end.cut + LEAD * self.pen, end.branch.length * 0.7)
        return np.array([end.at(distance) for distance in np.linspace(reach, end.cut, 20)])

    def link(self, first: End, second: End, pieces: list[np.ndarray]) -> None:
        self.joints.links[first.key()] = (second, pieces)
        self.joints.links[second.key()] = (first, [piece[::-1] for piece in reversed(pieces)])
        self.joints.cuts[first.key()], self.joints.cuts[second.key()] = first.cut, second.cut

    def lead(self, end: End, targets: list[np.ndarray], center: np.ndarray) -> None:
        """Leads a branch on to the line that it meets."""
        stop = None
        far = end.point + LEAD * self.pen * end.toward
        nearest = LEAD * self.pen
        for target in targets:
            for a, b in itertools.pairwise(target):
                place = crossing(end.point, far, a, b)
                if place is not None and place * LEAD * self.pen < nearest:
                    nearest, stop = place * LEAD * self.pen, end.point + place * (far - end.point)
        if stop is None or not self.shape.inside(np.linspace(end.point, stop, 12)).all():
            points = np.vstack(targets) if targets else center[None, :]
            stop = points[np.argmin(np.hypot(*(points - center).T))]
            arrival = unit(stop - end.at(end.cut / 2))
            self.joints.leads[end.key()] = np.vstack([curve(end.point, end.toward, stop, arrival), stop])
            return
        self.joints.leads[end.key()] = np.linspace(end.point, stop, 8)[1:]

    def join_tip(self, ends: list[End]) -> bool:
        """Joins two strokes that turn back in a merged tip."""
        for tip in ends:
            others = [end for end in ends if end is not tip]
            if tip.branch.ends[1 - tip.which] not in self.free_nodes or not self.is_merged_tip(tip, others):
                continue
            if len({id(end.branch) for end in ends}) < 2:
                continue
            last = tip.at(tip.branch.length)
            outward = unit(last - np.mean([other.point for other in others], axis=0))
            reach = depth(self.shape, last, outward, 4 * self.pen)
            vertex = last + (reach - self.pen / 2) * outward
            pieces = []
            for other in others:
                arrival = unit(vertex - other.point)
                pieces.append(np.vstack([curve(other.point, other.toward, vertex, arrival), vertex]))
            self.link(others[0], others[1], [pieces[0], np.vstack([pieces[1][::-1]])])
            self.axis.branches = [branch for branch in self.axis.branches if branch is not tip.branch]
            return True
        return False
