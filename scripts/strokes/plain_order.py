"""Order and direction of the lines of any glyph: bodies from the left to the right, then bars that cross them, then
dots and accents; lines run downwards, to the right and anticlockwise."""

import numpy as np

from lines import Line, Part

# Least distance between the lines of a mark and of its letter, in pen widths.
LEAST_GAP = 0.9


def apart(lines: list[Line], pen: float) -> tuple[list[Line], list[Line]]:
    """The bodies of a glyph, and its dots, accents and other marks above another line. A glyph of dots only has
    bodies."""
    tallest = max((float((line.high - line.low)[1]) for line in lines), default=0.0)

    def may_be_mark(line: Line) -> bool:
        is_dot = line.reach < min(2.2 * pen, tallest / 2)
        return is_dot or any(is_above(line, other, pen) for other in lines if other is not line)

    bodies = [line for line in lines if not may_be_mark(line)]
    # What touches the letter is a part of it.
    marks = [line for line in lines if all(line is not body for body in bodies)]
    touching = [line for line in marks if any(gap(line, body) < LEAST_GAP * pen for body in bodies)]
    bodies = [line for line in lines if any(line is other for other in bodies + touching)]
    marks = [line for line in marks if all(line is not other for other in touching)]
    return (bodies, marks) if bodies else (marks, [])


def gap(line: Line, other: Line) -> float:
    """Least distance between the points of two lines."""
    one, two = np.vstack(line.pieces), np.vstack(other.pieces)
    return float(np.sqrt(((one[::2, None] - two[None]) ** 2).sum(axis=2).min()))


def is_above(line: Line, other: Line, pen: float) -> bool:
    """Whether a line is a mark above another one."""
    is_near = line.low[0] < other.high[0] + 2 * pen and line.high[0] > other.low[0] - 2 * pen
    is_smaller = (other.high - other.low)[1] > (line.high - line.low)[1]
    return is_near and is_smaller and line.low[1] > other.high[1] - 0.5 * pen


def in_order(bodies: list[Line], pen: float, advance: float) -> list[Line]:
    """Bodies in order, each from the end where one starts to write it."""
    bodies = [directed(line, pen, advance) for line in bodies]
    for line in bodies:
        line.part = Part.BAR if is_bar(line, bodies, pen) else Part.BODY

    def place(line: Line) -> tuple:
        if line.part == Part.BAR:
            return (1, -line.high[1], line.low[0])
        x, y = first(line)
        return (0, round(x / (2 * pen)), -y, x)

    return sorted(bodies, key=place)


def marks_in_order(marks: list[Line], pen: float, advance: float) -> list[Line]:
    """Marks from the left to the right."""
    marks = [directed(line, pen, advance) for line in marks]
    for line in marks:
        line.part = Part.MARK
    return sorted(marks, key=lambda line: (line.low[0], -line.high[1]))


def from_the_left(lines: list[Line]) -> list[Line]:
    """The lines of a connection of two letters: each runs to the right, however steep."""
    ends = [(line, line.pieces[0][0], line.pieces[-1][-1]) for line in lines]
    turned = [line if start[0] <= stop[0] else line.reversed() for line, start, stop in ends]
    return sorted(turned, key=lambda line: first(line)[0])


def first(line: Line) -> np.ndarray:
    return line.pieces[0][0]


def is_bar(line: Line, lines: list[Line], pen: float) -> bool:
    """Whether a line is flat and crosses a taller one."""
    width, rise = line.high - line.low
    if width <= 2.5 * rise:
        return False
    height = (line.low[1] + line.high[1]) / 2
    return any(
        other is not line
        and other.low[1] - pen < height < other.high[1] + pen
        and other.low[0] <= line.high[0] + pen
        and other.high[0] >= line.low[0] - pen
        and (other.high - other.low)[1] > rise
        for other in lines
    )


def directed(line: Line, pen: float, advance: float) -> Line:
    """The line from the end where one starts to write it; closed ones run anticlockwise from the top."""
    points = np.vstack(line.pieces)
    if line.is_closed:
        x, y = points.T
        turned = line if (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() > 0 else line.reversed()
        if len(turned.pieces) == 1:
            ring = turned.pieces[0][:-1]
            top = int(np.argmax(ring[:, 1] + 0.3 * ring[:, 0]))
            ring = np.roll(ring, -top, axis=0)
            turned.pieces[0] = np.vstack([ring, ring[:1]])
        return turned
    left, right = (line, line.reversed()) if points[0, 0] <= points[-1, 0] else (line.reversed(), line)
    across = first(right) - first(left)
    upper = left if across[1] <= 0 else right
    if across[0] < 0.35 * abs(across[1]):
        return upper
    if across[1] <= 0.3 * across[0]:
        return left
    # A line that rises to the right leads on to the next letter, or is written downwards if it comes from below the
    # baseline, starts in a bow from the left, as s ends, or is nearly straight.
    start, stop = first(left), first(right)
    comes_from_below = start[1] < -0.75 * pen < stop[1]
    run = np.vstack(left.pieces)
    away = run[min(3, len(run) - 1)] - start
    is_bow = away[1] < 0.35 * np.hypot(*away)
    leads_on = stop[0] > advance - 0.25 * pen and across[0] > 0.55 * across[1]
    if comes_from_below or (is_bow and not (leads_on and start[0] > 0.25 * pen)):
        return upper
    length = np.hypot(*np.diff(points, axis=0).T).sum()
    return upper if np.hypot(*across) > 0.93 * length and not leads_on else left
