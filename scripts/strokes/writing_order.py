"""Puts the lines of a letter in the order and direction in which a hand writes them, after the models of `ductus`.

The lines are cut into pieces (`pieces`). Each model of the letter is laid over them; a piece matches it in a direction
as well as its points lie on the model's and run the same way, passing the model in its order. The sequence of directed
pieces is the one of least cost: the matches, pieces that come before others that the model has earlier, lifts of the
pen, and turns where it stays down. It is found exactly, over sets of pieces (Held and Karp, "A dynamic programming
approach to sequencing problems", 1962). The model with the least cost counts. Pieces that follow each other without a
lift are one stroke.
"""

from dataclasses import dataclass

import numpy as np

import curves
import ductus
from ductus import BAR, Model
from lines import Line, Part
from outlines import Scale
from pieces import STEP, TOUCH, Piece, cut

# A letter with more pieces than this is not put in order by its models.
MOST_PIECES = 11
# Distance at which a point half matches a model, in x-heights.
FAR = 0.35
# Costs: a letter that matches nowhere; a point that runs against the model, or to the left far from it; a model that
# the letter lacks; a piece that comes too early, with at least this share of the letter; a lift, and each x-height of
# its way; a half turn of the pen; a smooth line that is broken.
MATCH = 5.0
AGAINST = 2.6
LEFTWARD = 0.8
LACKING = 2.0
EARLY = 3.0
LEAST_SHARE = 0.1
LIFT = 0.16
WAY = 0.05
TURN = 0.12
BROKEN = 0.08
# A letter costs at most this, else the models do not tell how it is written.
MOST = 4.5
# A small letter that costs less has the form of one.
SMALL = 0.8
# Distance between the points of a letter that a model is laid over, in x-heights.
SPACING = 0.08
# Widths at which a model is laid over a part of a letter, and the steps in which it is moved.
NARROWER = (0.7,)
ROUNDS = 4
# Models that are farther from a letter than the closest one by this are left out.
CLOSE = 0.3
# A stroke is linked to the one before if the gap is below this, in x-heights, and the way along ink below that.
LINK_GAP = 0.2
LINK_WAY = 1.7
# Letters whose strokes are not linked.
UNLINKED = set("xk")


@dataclass
class Written:
    """A sequence of pieces, with the cost and the model."""

    cost: float
    pieces: list[Piece]
    # For each piece in order: its index, and whether it is drawn against its track.
    order: list[tuple[int, bool]]
    # Whether each piece is of a bar, by index.
    bars: list[bool]
    is_linked: bool = False


def in_order(lines: list[Line], character: str, scale: Scale) -> list[Line] | None:
    """The strokes of a letter without its marks; `None` if no model fits it."""
    top = max(float(line.high[1]) for line in lines) - scale.pen / 2
    best = None
    for form in dict.fromkeys((character, character.upper())):
        # Small letters may have the form of capitals.
        if form != character and best is not None and best.cost < SMALL:
            break
        unit = scale.x_height - scale.pen if form.islower() else max(top, scale.x_height / 2) / 2
        for model, places in closest(ductus.models()[form], lines, scale, unit):
            written = best_of(lines, model, places, scale, unit)
            if written is not None and (best is None or written.cost < best.cost):
                best = written
                best.is_linked = form.islower() and form not in UNLINKED
    if best is None or best.cost > MOST:
        return None
    strokes = joined(best, scale.pen)
    if best.is_linked:
        link(strokes, scale.x_height - scale.pen)
    return strokes


def closest(models: list[Model], lines: list[Line], scale: Scale, unit: float) -> list[tuple[Model, np.ndarray]]:
    """The models that lie closest to a letter, with their points on it."""
    points = np.vstack([scale.upright(curves.evenly(np.vstack(line.pieces), SPACING * unit), unit) for line in lines])
    placed = [(model, laid_over(model, points)) for model in models]
    gaps = [apart(places, points) for _, places in placed]
    return [pair for pair, gap in zip(placed, gaps, strict=True) if gap < min(gaps) + CLOSE]


def best_of(lines: list[Line], model: Model, places: np.ndarray, scale: Scale, unit: float) -> Written | None:
    """The best sequence after one model, laid over the letter at these points."""
    beginnings = [slanted(places[at], scale, unit) for at in model.cuts]
    pieces = cut(lines, scale.pen, beginnings)
    if len(pieces) > MOST_PIECES:
        return None
    drawn = [scale.upright(piece.points(STEP * scale.pen), unit) for piece in pieces]
    shares = np.array([(piece.stop - piece.start) / unit for piece in pieces])
    total = shares.sum()
    shares = shares / total
    match = np.empty((len(pieces), 2))
    phase = np.empty(len(pieces))
    bars, ways = [], []
    for index, run in enumerate(drawn):
        found = [matched(run, places, model), matched(run[::-1], places, model)]
        match[index] = [cost for cost, _ in found]
        ways.append([way for _, way in found])
        at = ways[-1][int(match[index, 1] < match[index, 0])]
        phase[index] = at.mean() / len(places)
        strokes = model.stroke_of[at]
        bars.append(model.kinds[np.bincount(strokes).argmax()] == BAR)
    change = changes(pieces, drawn, scale.pen / unit)
    cost, order = sequence(MATCH * match * shares[:, None], early(phase, shares), change)
    passed = np.concatenate([ways[index][int(against)] for index, against in order])
    lacking = LACKING * float((np.abs(np.arange(len(places))[:, None] - passed).min(axis=1) > 2).mean())
    return Written(cost + lacking + model.cost, pieces, order, bars)


def slanted(point: np.ndarray, scale: Scale, unit: float) -> np.ndarray:
    """A point of a model in pixels."""
    x, y = point * unit
    return np.array([x + scale.slant * y, y + scale.pen / 2])


def laid_over(model: Model, points: np.ndarray) -> np.ndarray:
    """The points of a model, moved and stretched over a letter: the closest of several beginnings."""
    low, high = points.min(axis=0), points.max(axis=0)
    own_low, own_high = model.points.min(axis=0), model.points.max(axis=0)
    x, y = model.points.T
    # The zones above the x-height and below the baseline are stretched apart from the one between.
    rises = own_high[1] > 1.3 and high[1] > 1.3
    falls = own_low[1] < -0.5 and low[1] < -0.3
    above = (high[1] - 1) / (own_high[1] - 1) if rises else 1.0
    below = low[1] / own_low[1] if falls else 1.0
    y = np.where(y > 1, 1 + (y - 1) * above, np.where(y < 0, y * below, y))
    width, own_width = max(high[0] - low[0], 0.1), max(own_high[0] - own_low[0], 0.1)
    stretch = width / own_width if own_width > 0.3 else 1.0
    beginnings = [
        np.column_stack([(x - own_low[0]) * stretch + (low[0] if own_width > 0.3 else points[:, 0].mean()), y])
    ]
    if not rises and not falls:
        fitted = low[1] + (y - y.min()) * (high[1] - low[1]) / max(np.ptp(y), 0.3)
        beginnings.append(np.column_stack([beginnings[0][:, 0], fitted]))
    # A letter may have an entry, an exit or a swash beside what the model has.
    for narrower in NARROWER:
        left = (x - own_low[0]) * stretch * narrower + low[0]
        beginnings += [np.column_stack([left + move * width * (1 - narrower), y]) for move in (0, 0.5, 1)]
    found = [moved_closer(placed, points) for placed in beginnings]
    return min(found, key=lambda placed: apart(placed, points))


def squares(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Squared distance of each point of one array from each of the other."""
    return np.maximum((one**2).sum(axis=1)[:, None] + (other**2).sum(axis=1) - 2 * one @ other.T, 0)


def apart(placed: np.ndarray, points: np.ndarray) -> float:
    """How far a model and a letter are from each other, both ways."""
    near = np.minimum(squares(placed[::2], points) / FAR**2, 1)
    return float(near.min(axis=0).mean() + near.min(axis=1).mean())


def moved_closer(placed: np.ndarray, points: np.ndarray) -> np.ndarray:
    """A model whose points are moved by affine maps towards the nearest ones of a letter."""
    for _ in range(ROUNDS):
        some = placed[::2]
        near = squares(some, points)
        nearest = near.argmin(axis=1)
        weight = 1 / (1 + near[np.arange(len(some)), nearest] / 0.25**2) ** 2
        terms = np.column_stack([some, np.ones(len(some))])
        weighted = (terms * weight[:, None]).T
        # Held back where the letter says little.
        move = np.linalg.solve(weighted @ terms + 0.5 * np.eye(3), weighted @ (points[nearest] - some))
        placed = placed + placed @ move[:2] + move[2]
    return placed


def matched(run: np.ndarray, places: np.ndarray, model: Model) -> tuple[float, np.ndarray]:
    """Mean cost of the points of a piece on a model that is passed in its order, and the model's point for each."""
    along = np.gradient(run, axis=0)
    along = along / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    near = squares(run, places) / FAR**2
    # The farther from the model, the less its direction says. Entries and exits lead to the right.
    far = near / (1 + near)
    against, leftward = (1 - along @ model.directions.T) / 2, (1 - along[:, :1]) / 2
    costs = far + (1 - far) * AGAINST * against + far * LEFTWARD * leftward
    least = costs[0]
    came_from = []
    for row in costs[1:]:
        best = np.minimum.accumulate(least)
        came_from.append(np.maximum.accumulate(np.where(least == best, np.arange(len(best)), 0)))
        least = best + row
    at = int(least.argmin())
    total = float(least[at]) / len(run)
    way = [at]
    for before in reversed(came_from):
        way.append(int(before[way[-1]]))
    return total, np.array(way[::-1])


def early(phase: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Cost of each piece (row) before each other one (column)."""
    ahead = np.clip((phase[:, None] - phase[None]) / 0.25, 0, 1)
    return EARLY * ahead * np.minimum(shares[:, None], shares[None]).clip(LEAST_SHARE)


def changes(pieces: list[Piece], drawn: list[np.ndarray], pen: float) -> np.ndarray:
    """Cost of going from the end of each directed piece (2 × index + reversed) to the start of each other one."""
    count = 2 * len(pieces)
    costs = np.zeros((count, count))
    runs = [run[:: -1 if against else 1] for run in drawn for against in (False, True)]
    for one in range(count):
        for other in range(count):
            gap = float(np.hypot(*(runs[one][-1] - runs[other][0])))
            if gap > TOUCH * pen + 0.02:
                costs[one, other] = LIFT + WAY * gap
                continue
            turn = turned_by(runs[one], runs[other])
            costs[one, other] = TURN * turn / 180
            if follows(pieces[one // 2], pieces[other // 2], one % 2, other % 2) and turn < 50:
                costs[one, other] -= BROKEN
    return costs


def turned_by(one: np.ndarray, other: np.ndarray) -> float:
    """How far the pen turns between two runs, in degrees."""
    reach, ahead = min(4, len(one) - 1), min(4, len(other) - 1)
    a, b = one[-1] - one[-1 - reach], other[ahead] - other[0]
    return abs(float(np.degrees(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))))


def follows(one: Piece, other: Piece, against: int, other_against: int) -> bool:
    """Whether two directed pieces follow each other on a track."""
    if one.track is not other.track or against != other_against:
        return False
    if one.track.is_closed and one.start == other.start:
        return False
    ends = (one.start, other.stop) if against else (one.stop, other.start)
    length = float(one.track.along[-1])
    return ends[0] == ends[1] or (one.track.is_closed and abs(ends[0] - ends[1]) == length)


def sequence(match: np.ndarray, before: np.ndarray, change: np.ndarray) -> tuple[float, list[tuple[int, bool]]]:
    """The cheapest order of all pieces, each with whether it is drawn against its track."""
    count = len(match)
    own = match.reshape(-1)
    of = np.arange(2 * count) // 2
    members = (np.arange(1 << count)[:, None] >> np.arange(count)) & 1
    # Cost of each piece next after each set: all pieces that are left then come after it.
    waits = (1 - members) @ before.T
    costs = np.full((1 << count, 2 * count), np.inf)
    came_from = np.zeros((1 << count, 2 * count), dtype=int)
    for state in range(2 * count):
        costs[1 << of[state], state] = own[state] + waits[0, of[state]]
    for done in range(1, 1 << count):
        if not np.isfinite(costs[done]).any():
            continue
        through = costs[done][:, None] + change
        best = through.argmin(axis=0)
        reached = through[best, np.arange(2 * count)] + own + waits[done, of]
        for state in np.flatnonzero(members[done][of] == 0):
            whole = done | 1 << of[state]
            if reached[state] < costs[whole, state]:
                costs[whole, state] = reached[state]
                came_from[whole, state] = best[state]
    done = (1 << count) - 1
    state = int(costs[done].argmin())
    cost = float(costs[done, state])
    order = []
    while done:
        order.append((int(of[state]), bool(state % 2)))
        done, state = done & ~(1 << of[state]), int(came_from[done, state])
    return cost, order[::-1]


def joined(written: Written, pen: float) -> list[Line]:
    """The strokes of a sequence: pieces that touch are one, but for bars."""
    strokes: list[Line] = []
    before: tuple[Piece, bool] | None = None
    for index, against in written.order:
        piece = written.pieces[index]
        parts = piece.drawn()
        if against:
            parts = [part[::-1] for part in reversed(parts)]
        part = Part.BAR if written.bars[index] else Part.BODY
        last = strokes[-1] if strokes else None
        if last is not None and last.part == part and np.hypot(*(last.pieces[-1][-1] - parts[0][0])) <= TOUCH * pen:
            is_smooth = before is not None and follows(before[0], piece, before[1], against)
            is_smooth = is_smooth and turned_by(last.pieces[-1], parts[0]) < 50
            if is_smooth or turned_by(last.pieces[-1], parts[0]) < 30:
                last.pieces[-1] = np.vstack([last.pieces[-1], parts[0][1:]])
                last.pieces += parts[1:]
            else:
                parts[0][0] = last.pieces[-1][-1]
                last.pieces += parts
        else:
            strokes.append(Line(parts, part=part))
        before = (piece, against)
    for stroke in strokes:
        stroke.is_closed = bool((stroke.pieces[0][0] == stroke.pieces[-1][-1]).all())
    bodies = [stroke for stroke in strokes if stroke.part != Part.BAR]
    return bodies + [stroke for stroke in strokes if stroke.part == Part.BAR]


def link(strokes: list[Line], unit: float) -> None:
    """Marks the bodies to which the pen can come along ink."""
    bodies = [stroke for stroke in strokes if stroke.part != Part.BAR]
    for before, stroke in zip(bodies, bodies[1:], strict=False):
        one, other = np.vstack(before.pieces), np.vstack(stroke.pieces)
        way = np.hypot(*(one[-1] - other[0])) / unit
        touch = min(np.hypot(*(one - other[0]).T).min(), np.hypot(*(other - one[-1]).T).min()) / unit
        if way < LINK_GAP or (touch < LINK_GAP and way < LINK_WAY):
            stroke.part = Part.LINKED
