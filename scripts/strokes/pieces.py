"""Cuts lines into the pieces that a pen draws between the places where it may turn, stop or begin."""

from dataclasses import dataclass

import numpy as np

import curves
from lines import Line

# Distance between the points of a piece, in pen widths.
STEP = 0.4
# The end of a line touches another line within this distance, in pen widths.
TOUCH = 0.5
# Pieces are not shorter than this, in pen widths.
SHORTEST = 0.6


@dataclass(eq=False)
class Track:
    """A line as one run of points, an array (n, 2), with the distance along it of each, and of its corners."""

    points: np.ndarray
    along: np.ndarray
    corners: list[float]
    is_closed: bool


@dataclass(eq=False)
class Piece:
    """A part of a track, in its direction."""

    track: Track
    start: float
    stop: float

    def points(self, step: float) -> np.ndarray:
        """Points at distances of about `step`, both ends included."""
        count = max(int(round((self.stop - self.start) / step)) + 1, 3)
        return at(self.track, np.linspace(self.start, self.stop, count))

    def drawn(self) -> list[np.ndarray]:
        """The points of the line in it, in parts that meet at corners."""
        along = self.track.along
        bounds = [self.start, *(corner for corner in self.track.corners if self.start < corner < self.stop), self.stop]
        parts = []
        for low, high in zip(bounds, bounds[1:], strict=False):
            inside = (along > low + 1e-6) & (along < high - 1e-6)
            parts.append(np.vstack([at(self.track, [low]), self.track.points[inside], at(self.track, [high])]))
        return parts


def at(track: Track, distances) -> np.ndarray:
    return np.column_stack([np.interp(distances, track.along, track.points[:, axis]) for axis in (0, 1)])


def track_of(line: Line, pen: float) -> Track:
    """A line with its sharp turns."""
    parts = [part for piece in line.pieces for part in curves.split_at_corners(piece, pen)]
    points = np.vstack([parts[0], *(part[1:] for part in parts[1:])])
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    ends = np.cumsum([len(part) - 1 for part in parts])[:-1]
    return Track(points, along, [float(along[end]) for end in ends], line.is_closed)


def cut(lines: list[Line], pen: float, beginnings: list[np.ndarray]) -> list[Piece]:
    """The pieces of lines: cut at corners, where other lines end on them or cross them, and at the points closest to
    `beginnings`, where strokes begin."""
    tracks = [track_of(line, pen) for line in lines]
    places = {id(track): list(track.corners) for track in tracks}
    for track in tracks:
        for other in tracks:
            for end in () if other.is_closed else (other.points[0], other.points[-1]):
                gap, place = nearest(track, end, skip=end if other is track else None, pen=pen)
                if gap < TOUCH * pen:
                    places[id(track)].append(place)
    for index, track in enumerate(tracks):
        for other in tracks[index + 1 :]:
            for place, place_on_other in crossings(track, other):
                places[id(track)].append(place)
                places[id(other)].append(place_on_other)
    for beginning in beginnings:
        track = min(tracks, key=lambda track: nearest(track, beginning)[0])
        place = nearest(track, beginning)[1]
        if all(abs(place - other) > 1.5 * pen for other in places[id(track)]):
            places[id(track)].append(place)
    return [piece for track in tracks for piece in between(track, places[id(track)], pen)]


def between(track: Track, places: list[float], pen: float) -> list[Piece]:
    """The pieces of a track between places on it."""
    length = float(track.along[-1])
    if track.is_closed:
        if not places:
            # From the top, a little to the right.
            places = [float(track.along[np.argmax(track.points[:, 1] + 0.3 * track.points[:, 0])])]
        first = min(places)
        track = turned(track, first)
        places = [place - first for place in places]
    kept = [0.0]
    for place in sorted(places):
        if place > kept[-1] + SHORTEST * pen and place < length - SHORTEST * pen:
            kept.append(place)
    kept.append(length)
    return [Piece(track, low, high) for low, high in zip(kept, kept[1:], strict=False)]


def turned(track: Track, first: float) -> Track:
    """A closed track that starts at another place."""
    length = float(track.along[-1])
    shifted = (track.along[:-1] - first) % length
    order = np.argsort(shifted, kind="stable")
    along = np.concatenate([[0.0], shifted[order], [length]])
    points = np.vstack([at(track, [first]), track.points[:-1][order], at(track, [first])])
    corners = sorted((corner - first) % length for corner in track.corners)
    return Track(points, along, [corner for corner in corners if 0 < corner < length], True)


def nearest(track: Track, point: np.ndarray, skip: np.ndarray | None = None, pen: float = 0.0) -> tuple[float, float]:
    """Distance of a point from a track, and the place of the nearest point on it. Of the track's own end `skip` only
    the track beyond 1.5 pen widths counts."""
    gaps = np.hypot(*(track.points - point).T)
    if skip is not None:
        from_end = track.along if (skip == track.points[0]).all() else track.along[-1] - track.along
        gaps = np.where(from_end < 1.5 * pen, np.inf, gaps)
    index = int(np.argmin(gaps))
    return float(gaps[index]), float(track.along[index])


def crossings(one: Track, other: Track) -> list[tuple[float, float]]:
    """The places on two tracks where they cross."""
    a, b = one.points[:-1, None], one.points[1:, None]
    c, d = other.points[None, :-1], other.points[None, 1:]
    first, second, gap = b - a, d - c, c - a
    across = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (gap[..., 0] * second[..., 1] - gap[..., 1] * second[..., 0]) / across
        t = (gap[..., 0] * first[..., 1] - gap[..., 1] * first[..., 0]) / across
        meets = (np.abs(across) > 1e-9) & (s >= 0) & (s < 1) & (t >= 0) & (t < 1)
    lengths, other_lengths = np.diff(one.along), np.diff(other.along)
    return [
        (float(one.along[i] + s[i, j] * lengths[i]), float(other.along[j] + t[i, j] * other_lengths[j]))
        for i, j in np.argwhere(meets)
    ]
