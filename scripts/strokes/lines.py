"""The lines of a glyph between its axis and its strokes."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np


class Part(IntEnum):
    """What a stroke is of its letter."""

    # Begins with the pen lifted.
    BODY = 0
    # The pen stays down from the stroke before, and goes over to this one along ink.
    LINKED = 1
    # A bar, as of t, f and A: written after the bodies.
    BAR = 2
    # A dot, an accent or another mark apart from the letter: written last.
    MARK = 3


@dataclass
class Line:
    """A stroke in pixels: smooth pieces, each an array (n, 2), which meet at corners."""

    pieces: list[np.ndarray]
    is_closed: bool = False
    part: Part = Part.BODY

    @property
    def low(self) -> np.ndarray:
        return np.vstack(self.pieces).min(axis=0)

    @property
    def high(self) -> np.ndarray:
        return np.vstack(self.pieces).max(axis=0)

    @property
    def reach(self) -> float:
        """The greater of the line's width and height."""
        return float((self.high - self.low).max())

    def reversed(self) -> "Line":
        return Line([piece[::-1] for piece in reversed(self.pieces)], self.is_closed, self.part)
