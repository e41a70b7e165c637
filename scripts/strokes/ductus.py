"""How a hand writes the letters and figures: reads the models of `ductus.txt`."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

FILE = Path(__file__).with_name("ductus.txt")
# Distance between the points of a model, in x-heights.
STEP = 0.06
BODY, BAR = "body", "bar"


@dataclass(frozen=True)
class Model:
    """One way to write a character, in x-heights, upright, y up."""

    # Points at even distances along all strokes in order, an array (n, 2), and the unit direction at each.
    points: np.ndarray
    directions: np.ndarray
    # Which stroke each point is of, and whether each stroke is a body or a bar.
    stroke_of: np.ndarray
    kinds: tuple[str, ...]
    # Indices of the points at which drawn lines are cut.
    cuts: tuple[int, ...]
    # By how much it has to fit better than others.
    cost: float


@cache
def models() -> dict[str, list[Model]]:
    """The models of each character."""
    found: dict[str, list[Model]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            character, *words = line.split()
            found.setdefault(character, []).append(model(words))
    return found


def model(words: list[str], step: float = STEP) -> Model:
    """A model from the words of its line, with points at that distance."""
    cost = float(words.pop(0)[1:]) if words[0].startswith("+") else 0.0
    strokes: list[list[str]] = [[]]
    kinds = [BODY]
    for word in words:
        if word in "|-":
            strokes.append([])
            kinds.append(BAR if word == "-" else BODY)
        else:
            strokes[-1].append(word)
    points, directions, stroke_of, cuts = [], [], [], []
    for index, vias in enumerate(strokes):
        places = np.array([[float(number) for number in via.strip("^!").split(",")] for via in vias])
        begin = len(stroke_of)
        corners = [at for at, via in enumerate(vias) if at in (0, len(vias) - 1) or via.endswith("!")]
        for first, last in zip(corners, corners[1:], strict=False):
            at, along = smooth(places[first : last + 1], step)
            points.append(at)
            directions.append(along)
            stroke_of += [index] * len(at)
        drawn = np.vstack(points)[begin:]
        for via, place in zip(vias, places, strict=True):
            if via.startswith("^"):
                cuts.append(begin + int(((drawn - place) ** 2).sum(axis=1).argmin()))
    return Model(np.vstack(points), np.vstack(directions), np.array(stroke_of), tuple(kinds), tuple(cuts), cost)


def smooth(vias: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Points at even distances on the natural spline through the vias, and the directions there."""
    chords = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(vias, axis=0).T))])
    at = np.linspace(0, chords[-1], max(int(round(chords[-1] / step)) + 1, 3))
    spline = CubicSpline(chords, vias, bc_type="natural")
    along = spline(at, 1)
    return spline(at), along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
