"""Whether the strokes of letters run as a hand writes them: rules for the order and direction of each Latin letter.

Standard input: a JSON array of {"capitals": whether small letters have the form of capitals, "letters": {letter:
[{"part", "points"}]}}; `part` is 0 for a body, 1 for one linked to the stroke before, 2 for a bar, 3 for a mark;
`points` are in font units, y up: the start of a stroke, then both control points and the end of each cubic.
Standard output: a JSON array; for each font an object with the broken rules of each letter that breaks any.
"""

import json
import math
import sys

import numpy as np

POINTS = 12
# Distance between the points of a stroke, in x-heights.
STEP = 0.04
# A run is steep if it moves less than this to the side of the font's slant, by its rise.
STEEP = 0.45


def on_cubic(cubic: np.ndarray) -> np.ndarray:
    t = np.linspace(0, 1, POINTS)[:, None]
    return (1 - t) ** 3 * cubic[0] + 3 * t * (1 - t) ** 2 * cubic[1] + 3 * t * t * (1 - t) * cubic[2] + t**3 * cubic[3]


def evenly(points: np.ndarray, step: float) -> np.ndarray:
    line = np.vstack([on_cubic(points[at : at + 4]) for at in range(0, len(points) - 1, 3)])
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0, along[-1], max(int(along[-1] / step) + 1, 2))
    return np.column_stack([np.interp(at, along, line[:, axis]) for axis in (0, 1)])


def steep_runs(line: np.ndarray) -> list[tuple[int, int]]:
    """First and last point of each steep run that keeps its direction."""
    step = np.diff(line, axis=0)
    steep = np.where(np.abs(step[:, 0]) < STEEP * np.abs(step[:, 1]), np.sign(step[:, 1]), 0)
    runs, start = [], 0
    for at in range(1, len(steep) + 1):
        if at == len(steep) or steep[at] != steep[start]:
            if steep[start]:
                runs.append((start, at))
            start = at
    return runs


def turning(line: np.ndarray) -> np.ndarray:
    """Turn at each inner point in radians, anticlockwise positive; sharp corners do not count."""
    step = np.diff(line, axis=0)
    angle = np.arctan2(step[:, 1], step[:, 0])
    turn = (np.diff(angle) + math.pi) % (2 * math.pi) - math.pi
    return np.where(np.abs(turn) > 1.2, 0, turn)


def longest_bow(line: np.ndarray) -> tuple[float, int]:
    """The greatest turn of any part of a line, in radians, anticlockwise positive, and where that part starts."""
    best = (0.0, 0)
    for sign in (1, -1):
        total, start = 0.0, 0
        for at, turn in enumerate(sign * turning(line)):
            if total + turn < 0:
                total, start = 0.0, at + 1
                continue
            total += turn
            if total > abs(best[0]):
                best = (sign * total, start)
    return best


class Letter:
    """The strokes of one letter, upright, in x-heights above the baseline."""

    def __init__(self, strokes: list[dict], x_height: float, baseline: float, slant: float):
        self.lines, self.parts = [], []
        for stroke in strokes:
            points = np.array(stroke["points"], dtype=float)
            line = evenly(points, STEP * x_height)
            y = (line[:, 1] - baseline) / x_height
            self.lines.append(np.column_stack([line[:, 0] / x_height - slant * y, y]))
            self.parts.append(stroke["part"])
        points = np.vstack(self.lines)
        self.low, self.high = points.min(axis=0), points.max(axis=0)
        self.height = max(self.high[1] - max(self.low[1], 0), 0.3)
        self.middle = (self.low + self.high) / 2

    def bodies(self) -> list[np.ndarray]:
        """The strokes but for marks above the letter and dots."""
        if None not in self.parts:
            return [line for line, part in zip(self.lines, self.parts, strict=True) if part < 3] or self.lines
        tallest = max(np.ptp(line[:, 1]) for line in self.lines)
        kept = [line for line in self.lines if np.ptp(line, axis=0).max() > 0.25 or tallest < 0.5]
        return kept or self.lines

    def first(self) -> np.ndarray:
        """The first stroke, but an entry from the baseline."""
        bodies = self.bodies()
        line = bodies[0]
        is_entry = line[0, 0] < self.low[0] + 0.1 and line[0, 1] < 0.4 and line[-1, 1] > line[0, 1]
        return bodies[1] if is_entry and len(bodies) > 1 and length(line) < 1.6 else line

    def stems(self) -> list[tuple[int, int, int]]:
        """Stroke, first and last point of each steep run of half the letter's height."""
        found = []
        for index, line in enumerate(self.bodies()):
            for first, last in steep_runs(line):
                if abs(line[last, 1] - line[first, 1]) > 0.5 * min(self.height, 2):
                    found.append((index, first, last))
        return found


def stem_runs_down(letter: Letter) -> bool:
    """The longest stem runs down, and no stroke that is a stem only runs up."""
    bodies = letter.bodies()
    runs = [(line[first, 1] - line[last, 1]) for line in bodies for first, last in steep_runs(line)]
    if not runs:
        return True
    goes_up = any(line[-1, 1] - line[0, 1] > 0.9 * length(line) > 0.4 for line in bodies if is_steep(line))
    longest = max(map(abs, runs))
    return max(runs) > 0.55 * longest and not goes_up


def is_steep(line: np.ndarray) -> bool:
    across = line[-1] - line[0]
    return abs(across[0]) < STEEP * abs(across[1])


def length(line: np.ndarray) -> float:
    return float(np.hypot(*np.diff(line, axis=0).T).sum())


def stem_is_first(letter: Letter) -> bool:
    """No stroke to the right of the leftmost stem comes before it."""
    bodies = letter.bodies()
    stems = letter.stems()
    if not stems:
        return True
    index, first, last = min(stems, key=lambda stem: bodies[stem[0]][stem[1] : stem[2] + 1, 0].mean())
    stem = bodies[index][first : last + 1, 0].mean()
    return not any(line[:, 0].mean() > stem + 0.15 for line in bodies[:index])


def last_stem_runs_down(letter: Letter) -> bool:
    """The rightmost stem runs down."""
    runs = [(line[first], line[last]) for line in letter.bodies() for first, last in steep_runs(line)]
    runs = [run for run in runs if abs(run[0][1] - run[1][1]) > 0.35]
    if not runs:
        return True
    top, foot = max(runs, key=lambda run: (run[0] if run[0][1] < run[1][1] else run[1])[0])
    return bool(top[1] > foot[1])


def bowl_turns_left(letter: Letter) -> bool:
    """The stroke that turns most turns anticlockwise."""
    bows = [longest_bow(inside(line))[0] for line in letter.bodies()]
    return max(bows, key=abs) > 0


def inside(line: np.ndarray) -> np.ndarray:
    """A line without its parts far below the baseline and far above the x-height."""
    kept = line[(line[:, 1] > -0.25) & (line[:, 1] < 1.3)]
    return kept if len(kept) > 3 else line


def bowl_starts_right(letter: Letter) -> bool:
    """The bow to the left starts on the right or at the top of the letter's body."""
    line = max((inside(line) for line in letter.bodies()), key=lambda line: longest_bow(line)[0])
    start = line[longest_bow(line)[1]]
    low, high = line.min(axis=0), line.max(axis=0)
    place = (start - low) / np.maximum(high - low, 0.1)
    return place[0] > 0.4 and place[1] > 0.4 or place[1] > 0.8


def starts_high(letter: Letter) -> bool:
    """The first stroke starts above the lowest third: a curl may come before the letter."""
    line = letter.first()
    return line[0, 1] > letter.low[1] + 0.3 * (letter.high[1] - letter.low[1])


def starts_left(letter: Letter) -> bool:
    """The first stroke starts in the left half of the letter above its tails."""
    points = np.vstack(letter.bodies())
    points = points[points[:, 1] > max(letter.low[1], 0) + 0.4 * letter.height, 0]
    return letter.first()[0, 0] < (points.min() + points.max()) / 2


def runs_right(letter: Letter) -> bool:
    """The rightmost point comes after the leftmost."""
    points = np.vstack(letter.bodies())[:, 0]
    return bool(points.argmax() > points.argmin())


def runs_down(letter: Letter) -> bool:
    """The lowest point of the bodies but bars comes after the highest."""
    lines = [line for line in letter.bodies() if not is_flat(line)] or letter.bodies()
    points = np.vstack(lines)[:, 1]
    return bool(points.argmin() > points.argmax())


def ends_low(letter: Letter) -> bool:
    """The last stroke but bars ends in the lower half of the letter."""
    line = [line for line in letter.bodies() if not is_flat(line)][-1:] or letter.bodies()[-1:]
    return bool(line[0][-1, 1] < letter.middle[1])


def descends(letter: Letter) -> bool:
    """The stroke that reaches lowest starts higher than it ends, or comes back up from a loop."""
    line = min(letter.bodies(), key=lambda line: line[:, 1].min())
    lowest = int(line[:, 1].argmin())
    return line[: lowest + 1, 1].max() > letter.low[1] + 0.6 * (letter.high[1] - letter.low[1])


def is_flat(line: np.ndarray) -> bool:
    width, rise = np.ptp(line, axis=0)
    return width > 2 * rise


def bar_is_last(letter: Letter) -> bool:
    """No flat stroke comes before one that is a stem."""
    bodies = letter.bodies()
    stems = [index for index, line in enumerate(bodies) if is_steep(line) and length(line) > 0.5]
    return not any(is_flat(line) and index < max(stems, default=0) for index, line in enumerate(bodies))


def dot_is_last(letter: Letter) -> bool:
    """Strokes above all others come last."""
    highest = [line[:, 1].min() for line in letter.lines]
    tops = [line[:, 1].max() for line in letter.lines]
    body = max(range(len(tops)), key=lambda at: np.ptp(letter.lines[at][:, 1]))
    above = [low > tops[body] - 0.1 for low in highest]
    return not any(up and not all(above[at:]) for at, up in enumerate(above))


def parts_are_ordered(letter: Letter) -> bool:
    """Bodies, bars, marks."""
    order = [max(part, 1) for part in letter.parts if part is not None]
    return order == sorted(order)


BOWL = [bowl_turns_left, bowl_starts_right]
STEM = [stem_runs_down, stem_is_first]
ARCH = [*STEM, last_stem_runs_down]
LEFT = [starts_high, starts_left]
RULES = {
    "a": BOWL,
    "b": STEM,
    "c": [bowl_turns_left, starts_high],
    "d": [*BOWL, last_stem_runs_down],
    "e": [bowl_turns_left],
    "f": [stem_runs_down, bar_is_last],
    "g": [*BOWL, descends],
    "h": ARCH,
    "i": [stem_runs_down, dot_is_last],
    "j": [stem_runs_down, dot_is_last, descends],
    "k": STEM,
    "l": [stem_runs_down],
    "m": ARCH,
    "n": ARCH,
    "o": [bowl_turns_left, starts_high],
    "p": [*STEM, descends],
    "q": [*BOWL, descends],
    "r": STEM,
    "s": [ends_low],
    "t": [stem_runs_down, bar_is_last],
    "u": [starts_left, stem_runs_down],
    "v": [starts_left, runs_right],
    "w": [starts_left, runs_right],
    "x": [starts_left, ends_low],
    "y": [starts_left, descends],
    "z": [starts_left, runs_down],
    "A": [bar_is_last],
    "B": [stem_runs_down],
    "C": [bowl_turns_left, starts_high],
    "D": [stem_runs_down],
    "E": [starts_high, runs_down],
    "F": [stem_runs_down, bar_is_last],
    "G": [bowl_turns_left, starts_high],
    "H": [*ARCH, bar_is_last],
    "I": [stem_runs_down],
    "J": [stem_runs_down],
    "K": STEM,
    "L": [stem_runs_down, starts_high],
    "M": [starts_left, last_stem_runs_down],
    "N": [starts_left],
    "O": [bowl_turns_left, starts_high],
    "P": STEM,
    "Q": [bowl_turns_left, starts_high],
    "R": STEM,
    "S": [ends_low],
    "T": [stem_runs_down, bar_is_last],
    "U": LEFT,
    "V": LEFT,
    "W": LEFT,
    "X": LEFT,
    "Y": [*LEFT, runs_down],
    "Z": [*LEFT, runs_down],
}


def letters_of(font: dict) -> dict[str, Letter]:
    """The letters in x-heights: of the small letters without ascenders, above their common foot; the slant is that of
    most steep runs."""
    small = [letter for letter in "nmuxvzrsaceo" if font["letters"].get(letter)]
    ends = {
        letter: np.vstack([np.array(stroke["points"], dtype=float)[::3] for stroke in font["letters"][letter]])
        for letter in small
    }
    baseline = float(np.median([at[:, 1].min() for at in ends.values()]))
    top = float(np.median([at[:, 1].max() for at in ends.values()]))
    x_height = top - baseline
    leans, weights = [], []
    for letter in "lhdbtikpqnm":
        for stroke in font["letters"].get(letter, []):
            step = np.diff(evenly(np.array(stroke["points"], dtype=float), STEP * x_height), axis=0)
            steep = np.abs(step[:, 1]) > 0.8 * np.hypot(*step.T)
            leans += list(step[steep, 0] / step[steep, 1])
            weights += list(np.abs(step[steep, 1]))
    order = np.argsort(leans)
    total = np.cumsum(np.array(weights)[order])
    slant = float(np.array(leans)[order][np.searchsorted(total, total[-1] / 2)])
    return {
        letter: Letter(strokes, x_height, baseline, slant) for letter, strokes in font["letters"].items() if strokes
    }


def broken(font: dict) -> dict[str, list[str]]:
    found = {}
    for name, letter in letters_of(font).items():
        rules = [*RULES.get(name, []), parts_are_ordered]
        if font["capitals"]:
            rules = [*RULES.get(name.upper(), []), parts_are_ordered]
        names = [rule.__name__ for rule in rules if not rule(letter)]
        if names:
            found[name] = names
    return found


if __name__ == "__main__":
    json.dump([broken(font) for font in json.load(sys.stdin)], sys.stdout)
