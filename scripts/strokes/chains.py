"""Follows the joined branches of a glyph into lines."""

import numpy as np

from ends import Joints, depth, turn, unit
from lines import Line
from medial_axis import Axis, Branch
from outlines import Shape


class Chains:
    """The lines of an axis whose branches are joined."""

    def __init__(self, shape: Shape, axis: Axis, joints: Joints, pen: float, advance: float):
        self.shape, self.axis, self.joints, self.pen, self.advance = shape, axis, joints, pen, advance

    def lines(self) -> list[Line]:
        """From free ends, then around closed lines."""
        links, leads = self.joints.links, self.joints.leads
        used: set[int] = set()
        lines = []

        def follow(branch: Branch, start: int) -> Line:
            pieces: list[list[np.ndarray]] = [[]]
            entry = (id(branch), start)
            first_key = entry
            pieces[0].append(leads[entry][::-1] if entry in leads else np.empty((0, 2)))
            is_closed = False
            while True:
                used.add(id(branch))
                pieces[-1].append(self.body(branch, start))
                leave = (id(branch), 1 - start)
                if leave not in links:
                    pieces[-1].append(leads.get(leave, np.empty((0, 2))))
                    break
                following, between = links[leave]
                pieces[-1].append(between[0])
                for piece in between[1:]:
                    pieces.append([pieces[-1][-1][-1:], piece])
                if following.key() == first_key:
                    is_closed = True
                    break
                if id(following.branch) in used:
                    break
                branch, start = following.branch, following.which
            line = Line([np.vstack(piece) for piece in pieces], is_closed)
            if is_closed:
                self.close(line)
            else:
                self.extend(line, first_key, leave)
            return line

        for branch in self.axis.branches:
            for which in (0, 1):
                if id(branch) not in used and (id(branch), which) not in links:
                    lines.append(follow(branch, which))
        for branch in self.axis.branches:
            if id(branch) not in used:
                if branch.is_loop and not any((id(branch), which) in self.joints.cuts for which in (0, 1)):
                    used.add(id(branch))
                    lines.append(Line([branch.points], True))
                else:
                    lines.append(follow(branch, 0))
        return [line for line in lines if sum(map(len, line.pieces)) > 1]

    def close(self, line: Line) -> None:
        if len(line.pieces) == 1:
            line.pieces[0] = np.vstack([line.pieces[0], line.pieces[0][:1]])
        else:
            # Starts at a corner.
            line.pieces = [*line.pieces[1:-1], np.vstack([line.pieces[-1], line.pieces[0]])]

    def body(self, branch: Branch, start: int) -> np.ndarray:
        """The points of a branch between its cuts, from that end."""
        cuts = [self.joints.cuts.get((id(branch), which), 0.0) for which in (0, 1)]
        low, high = cuts[0], branch.length - cuts[1]
        keep = (branch.along > low + 1e-6) & (branch.along < high - 1e-6)
        ends = [[np.interp(at, branch.along, branch.points[:, axis]) for axis in (0, 1)] for at in (low, high)]
        points = np.vstack([ends[:1], branch.points[keep], ends[1:]])
        return points if start == 0 else points[::-1]

    def extend(self, line: Line, first: tuple[int, int], last: tuple[int, int]) -> None:
        """Moves the free ends of a line to where the pen's round end touches the outline."""
        if last not in self.joints.leads:
            line.pieces[-1] = self.extended(line.pieces[-1])
        if first not in self.joints.leads:
            line.pieces[0] = self.extended(line.pieces[0][::-1])[::-1]

    def extended(self, points: np.ndarray) -> np.ndarray:
        """A piece whose last point is moved likewise."""
        pen = self.pen
        along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        length = along[-1]
        if length < 0.2 * pen:
            return points

        def at(distance: float) -> np.ndarray:
            return np.array([np.interp(distance, along, points[:, axis]) for axis in (0, 1)])

        # The last part of the axis may lean into a corner of the end.
        back = min(0.35 * pen, 0.3 * length)
        span = min(1.0 * pen, length - back)
        tip = at(length - back)
        middle, far = at(length - back - span / 2), at(length - back - span)
        near, before = unit(tip - middle), unit(middle - far)
        outward = unit(near + 0.5 * (near - before)) if turn(near, before) < 40 else near
        reach = depth(self.shape, tip, outward, 5 * pen)
        end = tip + reach * outward
        is_joint = end[0] < 0.25 * pen or end[0] > self.advance - 0.25 * pen
        move = reach - (0.12 if is_joint else 0.5) * pen
        if move >= 0:
            return np.vstack([points[along < length - back], tip, tip + move * outward])
        stop = max(length - back + move, 0.25 * length)
        return np.vstack([points[along < stop], at(stop)])
