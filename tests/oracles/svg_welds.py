"""Whether each path of a welded SVG is the union of its word's letters, by shapely (GEOS).

Reads a JSON array of {"welded": SVG, "outlines": SVG of the same page}, each with a group for each word, from standard
input; prints one of answers in the same order:

    {"words": number, "invalid": [words with contours that cross themselves or each other], "area": area in mm2,
     "union": area of the unions of the letters, "beyond": area in mm2 of either that lies farther than the tolerance
     from the other}
"""

import json
import re
import sys

import numpy as np
from lxml import etree
from shapely.geometry import LinearRing, Polygon
from shapely.ops import polygonize, unary_union

SVG = "{http://www.w3.org/2000/svg}"
# In mm, as the contract has it.
TOLERANCE = 0.02
STEPS = 24
ARGUMENTS = {"M": 2, "l": 2, "h": 1, "v": 1, "c": 6, "z": 0}
TOKEN = re.compile(r"[Mlhvcz]|-?(?:\d+\.?\d*|\.\d+)")


def commands(data: str):
    """Each command with its numbers; those that continue a command are one of their own."""
    tokens = TOKEN.findall(data)
    if "".join(tokens) != data.replace(" ", ""):
        raise SystemExit(f"unknown path data: {data}")
    at, name = 0, ""
    while at < len(tokens):
        if tokens[at] in ARGUMENTS:
            name, at = tokens[at], at + 1
        count = ARGUMENTS[name]
        yield name, [float(token) for token in tokens[at : at + count]]
        at += count


def contours(data: str) -> list:
    """The contours of path data as points; curves as chords."""
    found, here = [], np.zeros(2)
    for name, numbers in commands(data):
        if name == "M":
            here = np.array(numbers)
            found.append([here])
            continue
        if name == "z":
            here = found[-1][0]
            continue
        if name == "c":
            first, second, end = (here + np.array(numbers[at : at + 2]) for at in (0, 2, 4))
            for t in np.arange(1, STEPS + 1) / STEPS:
                s = 1 - t
                found[-1].append(s**3 * here + 3 * s * s * t * first + 3 * s * t * t * second + t**3 * end)
            here = end
            continue
        here = here + np.array({"l": lambda: numbers, "h": lambda: [numbers[0], 0], "v": lambda: [0, numbers[0]]}[name]())
        found[-1].append(here)
    return [np.array(points) for points in found if len(points) > 2]


def winding(points: np.ndarray, x: float, y: float) -> int:
    """How often a contour goes around a point."""
    ahead = np.roll(points, -1, axis=0)
    side = (ahead[:, 0] - points[:, 0]) * (y - points[:, 1]) - (x - points[:, 0]) * (ahead[:, 1] - points[:, 1])
    up = (points[:, 1] <= y) & (ahead[:, 1] > y) & (side > 0)
    down = (points[:, 1] > y) & (ahead[:, 1] <= y) & (side < 0)
    return int(up.sum() - down.sum())


def filled(rings: list):
    """The non-zero fill of contours."""
    faces = polygonize(unary_union([LinearRing(ring) for ring in rings]))
    inside = []
    for face in faces:
        point = face.representative_point()
        if sum(winding(ring, point.x, point.y) for ring in rings) != 0:
            inside.append(face)
    return unary_union(inside)


def is_valid(rings: list) -> bool:
    """Whether each contour is simple, and lies inside or outside each other one."""
    shapes = [Polygon(ring) for ring in rings]
    if not all(shape.is_valid for shape in shapes):
        return False
    for at, first in enumerate(shapes):
        for second in shapes[at + 1 :]:
            common = first.intersection(second).area
            if min(abs(common), abs(common - min(first.area, second.area))) > 1e-9:
                return False
    return True


def words(path: str) -> list:
    """The path data of each word."""
    return [[shape.get("d") for shape in group.findall(f"{SVG}path")] for group in etree.parse(path).iter(f"{SVG}g")]


def answered(job: dict) -> dict:
    """Everything about one page."""
    answer = {"words": 0, "invalid": [], "area": 0.0, "union": 0.0, "beyond": 0.0}
    for number, (welded, letters) in enumerate(zip(words(job["welded"]), words(job["outlines"]), strict=True), 1):
        if len(welded) != 1:
            raise SystemExit(f"{len(welded)} paths in word {number}")
        rings = contours(welded[0])
        answer["words"] += 1
        if not is_valid(rings):
            answer["invalid"].append(number)
        shape = filled(rings)
        union = unary_union([filled(contours(letter)) for letter in letters])
        answer["area"] += shape.area
        answer["union"] += union.area
        answer["beyond"] += shape.difference(union.buffer(TOLERANCE)).area + union.difference(shape.buffer(TOLERANCE)).area
    return answer


if __name__ == "__main__":
    json.dump([answered(job) for job in json.load(sys.stdin)], sys.stdout)
