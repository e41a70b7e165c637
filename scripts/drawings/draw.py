"""Draws one letter after its edits, from the centre lines and from what of the outline lies beside them."""

import numpy as np
import shapely
from scipy.spatial import cKDTree
from shapely.geometry import MultiPolygon, Polygon

import edits
import elastic
import ribbon
from glyphs import Letter, as_multi

# Least area of a patch, in squares of the pen width, and how much it is grown to overlap the lines, in pen widths.
LEAST_PATCH = 0.015
GROWN = 0.05
# Most that the movements of the lines around a patch may differ, in pen widths.
UNLIKE = 0.3
# How far from a patch these lines are at most, in pen widths.
AROUND = 1.4


class Drawn:
    """A letter with its ribbons, drawn as often as needed."""

    def __init__(self, letter: Letter):
        self.letter, self.parts = letter, ribbon.ribbons(letter)
        self.plain = ribbon.draw(self.parts, letter.pen)
        rest = as_multi(letter.outline.difference(self.plain.buffer(0.01 * letter.pen)))
        self.patches = [p for p in rest.geoms if p.area > LEAST_PATCH * letter.pen**2]

    def drawing(self, row: str) -> MultiPolygon:
        """The ink after the edits of a row; ValueError where an edit finds nothing to edit."""
        s = edits.sketch(self.letter, self.parts)
        edits.apply(s, row)
        before = [part.points.copy() for part in s.parts]
        for part, moved in zip(s.parts, elastic.solve(s), strict=True):
            part.points = part.points + moved
        ink = ribbon.draw(s.parts, self.letter.pen)
        shapes = [ink, *(self.moved(patch, before, s) for patch in self.patches)]
        pen = self.letter.pen
        whole = shapely.unary_union([shape for shape in shapes if shape is not None])
        whole = whole.buffer(0.05 * pen).buffer(-0.05 * pen)
        return MultiPolygon(
            [
                Polygon(p.exterior, [r for r in p.interiors if Polygon(r).area > ribbon.LEAST_HOLE * pen**2])
                for p in as_multi(whole).geoms
                if p.area > 0.3 * pen**2
            ]
        )

    def moved(self, patch: Polygon, before: list, s: edits.Sketch) -> Polygon | None:
        """A patch moved with the line that is nearest to it; none at a junction that was let go."""
        center = np.array(patch.representative_point().coords[0])
        if any(np.hypot(*(center - place)) < 1.6 * self.letter.pen for place in s.released):
            return None
        distances = [np.hypot(*(points - center).T) for points in before]
        k = min(range(len(before)), key=lambda i: distances[i].min())
        if distances[k].min() >= AROUND * self.letter.pen:
            return None
        # Around a patch the lines move alike, or it would no longer fit.
        around = [(s.parts[i].points - before[i])[d < AROUND * self.letter.pen] for i, d in enumerate(distances)]
        if np.ptp(np.vstack(around), axis=0).max(initial=0.0) > UNLIKE * self.letter.pen:
            return None
        ring = np.array(patch.buffer(GROWN * self.letter.pen).exterior.segmentize(self.letter.pen / 3).coords)
        near = cKDTree(before[k]).query(ring, k=min(4, len(before[k])))[1]
        steps = (s.parts[k].points - before[k])[near].mean(axis=1)
        return Polygon(ring + steps).buffer(0)
