"""A page of handwriting drawn by other means: HarfBuzz places, FreeType's exact-area rasteriser fills.

Input: the fields of a request that decide where ink goes, and a font file. Output: the coverage of every pixel, as
exact as 8 bits at sixteen times the resolution can tell. It shares no code with the service, and reads nothing that
the service computed; the rules of placing are those of the contract:

- first baseline = top margin + the highest ink of the font's ASCII letters and digits; line pitch = em x line height;
- a line starts at the left margin, or as much further right as its ink would reach left of that margin;
- `word_spacing` widens every space, as does the catalogue's `word_gap_em`;
- dots that a font file has as one point are 1.6 times as wide as the pen.

Glyphs that touch are united at the fine resolution, so that a join is as dark as a single stroke.
"""

from __future__ import annotations

import ctypes
import string
from dataclasses import dataclass, field

import freetype
import freetype.raw as ft
import numpy as np
import uharfbuzz as hb
from fontTools.pens.boundsPen import BoundsPen

from pen_dots import dot_radius_em, with_dots
from word_gap import WORD_SPACES, word_gap_em

# Fine pixels per device pixel and axis. The rasteriser is exact inside each fine pixel.
FINE = 16
# FreeType's fixed-point unit: 1/64 of a (fine) pixel.
F26_6 = 64
# The bit of a tag that marks control points of cubics.
CUBIC = 2


@dataclass
class Placed:
    """A glyph with its origin on the page, in device px, y down."""

    glyph: int
    character: str
    x: float
    y: float


@dataclass
class Distortion:
    """A prepared mistake, for the tests that prove that a comparison can fail. Lengths in device px."""

    shift_x: float = 0.0
    shift_y: float = 0.0
    # Contour that is left out, or run backwards, in every glyph that has more than one.
    drop_contour: int | None = None
    reverse_contour: int | None = None
    # Character that is drawn nowhere.
    drop_character: str | None = None
    # All ink laid down twice and added up, as if every contour had been filled two times.
    doubled: bool = False


@dataclass
class Request:
    """What decides where ink goes. Lengths in 300-DPI px, as in a request; `scale` device px to each of them."""

    font: str
    lines: list[str]
    em: float
    page_width: int
    page_height: int
    margin_left: float = 240.0
    margin_top: float = 240.0
    line_height: float = 2.0
    word_spacing: float = 0.0
    # What the service adds to the advance of word spaces; None: what the catalogue says of the font.
    word_gap_em: float | None = None
    kerning: bool = True
    scale: float = 1.0
    distortion: Distortion = field(default_factory=Distortion)

    @staticmethod
    def of(job: dict) -> Request:
        """A request from its JSON form; unknown members are an error."""
        members = {key: value for key, value in job.items() if key != "distortion"}
        return Request(**members, distortion=Distortion(**job.get("distortion", {})))


class Hand:
    """One font: HarfBuzz for its advances, FreeType for its outlines."""

    def __init__(self, path: str):
        self.face = freetype.Face(path)
        with open(path, "rb") as file:
            self.shaper = hb.Font(hb.Face(file.read()))
        self.units_per_em = self.face.units_per_EM
        self.shaper.scale = (self.units_per_em, self.units_per_em)
        self.dot_radius = dot_radius_em(path)
        self.outlines: dict[int, tuple] = {}
        self.inks: dict[int, tuple[float, float, float, float] | None] = {}

    def outline(self, glyph: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points (n x 2, font units, y up), tags and contour ends of a glyph, unhinted and unscaled."""
        if glyph not in self.outlines:
            self.face.load_glyph(glyph, freetype.FT_LOAD_NO_SCALE | freetype.FT_LOAD_NO_BITMAP)
            outline = self.face.glyph.outline
            points = np.array(outline.points, dtype=float).reshape(-1, 2)
            found = (points, np.array(outline.tags, np.uint8), np.array(outline.contours, int))
            if self.dot_radius is not None:
                found = with_dots(*found, self.dot_radius * self.units_per_em)
            self.outlines[glyph] = found
        return self.outlines[glyph]

    def ink(self, glyph: int) -> tuple[float, float, float, float] | None:
        """The exact ink box (left, bottom, right, top) in font units, y up; None for a blank glyph."""
        if glyph not in self.inks:
            points, tags, ends = self.outline(glyph)
            if (tags & CUBIC).any():
                found = self.cubic_extremes(glyph)
            else:
                found = [extremes(*contour) for contour in contours(points, tags, ends)]
                found = np.concatenate(found) if found else found
            self.inks[glyph] = (*found.min(axis=0), *found.max(axis=0)) if len(found) else None
        return self.inks[glyph]

    def cubic_extremes(self, glyph: int) -> np.ndarray:
        """Two corners of the ink box of a CFF glyph, in font units."""
        pen = BoundsPen(None)
        self.shaper.draw_glyph_with_pen(glyph, pen)
        return np.array(pen.bounds).reshape(2, 2)

    def shape(self, text: str, kerning: bool) -> list[tuple[int, int, float, float, float]]:
        """Glyph, cluster, advance and offsets (font units, y up) of a line of Latin text."""
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.direction, buffer.script = "ltr", "Latn"
        hb.shape(self.shaper, buffer, {} if kerning else {"kern": False})
        return [
            (info.codepoint, info.cluster, place.x_advance, place.x_offset, place.y_offset)
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions)
        ]

    def ascent(self) -> float:
        """Highest ink of the ASCII letters and digits, in font units."""
        glyphs = (self.face.get_char_index(character) for character in string.ascii_letters + string.digits)
        return max(ink[3] for ink in (self.ink(glyph) for glyph in glyphs if glyph) if ink)


def contours(points: np.ndarray, tags: np.ndarray, ends: np.ndarray):
    """Each contour's points with whether they lie on the curve; implied on-curve points are made explicit."""
    start = 0
    for end in ends:
        contour, on = points[start : end + 1], (tags[start : end + 1] & 1).astype(bool)
        start = end + 1
        implied = np.flatnonzero(~on & ~np.roll(on, -1))
        midpoints = (contour[implied] + np.roll(contour, -1, axis=0)[implied]) / 2
        yield np.insert(contour, implied + 1, midpoints, axis=0), np.insert(on, implied + 1, True)


def extremes(points: np.ndarray, on: np.ndarray) -> np.ndarray:
    """The points of a contour among which its extreme coordinates are: on-curve points and the curves' turns."""
    control = points[~on]
    before, after = np.roll(points, 1, axis=0)[~on], np.roll(points, -1, axis=0)[~on]
    bend = before - 2 * control + after
    with np.errstate(divide="ignore", invalid="ignore"):
        turns = (before - control) / bend
    found = [points[on]]
    for turn in turns.T:
        inside = (turn > 0) & (turn < 1)
        t = turn[inside, None]
        found.append(before[inside] * (1 - t) ** 2 + control[inside] * 2 * t * (1 - t) + after[inside] * t**2)
    return np.concatenate(found)


def place(hand: Hand, request: Request) -> list[Placed]:
    """Every inked glyph of the page in its place."""
    unit = request.em / hand.units_per_em
    ascent = hand.ascent() * unit
    gap = word_gap_em(request.font) if request.word_gap_em is None else request.word_gap_em
    placed = []
    for number, line in enumerate(request.lines):
        baseline = request.margin_top + ascent + number * request.em * request.line_height
        pen, row, reach = 0.0, [], 0.0
        for glyph, cluster, advance, offset_x, offset_y in hand.shape(line, request.kerning):
            ink = hand.ink(glyph)
            if ink is not None:
                x = pen + offset_x * unit
                reach = min(reach, x + ink[0] * unit)
                row.append((glyph, line[cluster], x, baseline - offset_y * unit))
            pen += advance * unit
            if line[cluster] in WORD_SPACES:
                pen += request.word_spacing + gap * request.em
        start = request.margin_left - reach
        scale, distortion = request.scale, request.distortion
        placed += [
            Placed(glyph, character, (start + x) * scale + distortion.shift_x, y * scale + distortion.shift_y)
            for glyph, character, x, y in row
            if character != distortion.drop_character
        ]
    return placed


def box(hand: Hand, request: Request, placed: Placed) -> tuple[int, int, int, int]:
    """The whole device pixels (left, top, right, bottom) that a glyph's ink touches."""
    left, bottom, right, top = hand.ink(placed.glyph)
    unit = request.em * request.scale / hand.units_per_em
    return (
        int(np.floor(placed.x + left * unit)),
        int(np.floor(placed.y - top * unit)),
        int(np.ceil(placed.x + right * unit)) + 1,
        int(np.ceil(placed.y - bottom * unit)) + 1,
    )


def fill(hand: Hand, request: Request, placed: Placed, window: tuple[int, int, int, int]) -> np.ndarray:
    """Coverage 0 to 255 of one glyph at the fine resolution in a window of whole device pixels."""
    points, tags, ends = hand.outline(placed.glyph)
    points, tags, ends = distorted(points, tags, ends, request.distortion)
    left, top, right, bottom = window
    unit = request.em * request.scale / hand.units_per_em
    fine = np.empty((len(points), 2), dtype=ctypes.c_long)
    fine[:, 0] = np.rint((placed.x + points[:, 0] * unit - left) * FINE * F26_6)
    fine[:, 1] = np.rint((bottom - placed.y + points[:, 1] * unit) * FINE * F26_6)
    picture = np.zeros(((bottom - top) * FINE, (right - left) * FINE), np.uint8)
    rasterise(fine, tags, ends, picture)
    return picture


def rasterise(points: np.ndarray, tags: np.ndarray, ends: np.ndarray, picture: np.ndarray) -> None:
    """FreeType's smooth rasteriser: signed area a pixel, non-zero rule. Flags are clear, so it adds no oversampling."""
    tags, ends = np.ascontiguousarray(tags, np.uint8), np.ascontiguousarray(ends, np.int16)
    outline = ft.FT_Outline()
    types = dict(ft.FT_Outline._fields_)
    outline.n_points, outline.n_contours, outline.flags = len(points), len(ends), 0
    outline.points = points.ctypes.data_as(types["points"])
    outline.tags = tags.ctypes.data_as(types["tags"])
    outline.contours = ends.ctypes.data_as(types["contours"])
    bitmap = ft.FT_Bitmap()
    bitmap.rows, bitmap.width = picture.shape
    bitmap.pitch, bitmap.num_grays, bitmap.pixel_mode = picture.shape[1], 256, freetype.FT_PIXEL_MODE_GRAY
    bitmap.buffer = picture.ctypes.data_as(dict(ft.FT_Bitmap._fields_)["buffer"])
    error = ft.FT_Outline_Get_Bitmap(freetype.get_handle(), ctypes.byref(outline), ctypes.byref(bitmap))
    if error:
        raise RuntimeError(f"FreeType refused an outline of {len(points)} points: error {error}")


def distorted(points, tags, ends, distortion: Distortion):
    """The outline with the prepared mistake in its contours, if there is one."""
    chosen = distortion.drop_contour if distortion.drop_contour is not None else distortion.reverse_contour
    if chosen is None or len(ends) < 2:
        return points, tags, ends
    starts = [0, *(ends[:-1] + 1)]
    pieces = [(points[start : end + 1], tags[start : end + 1]) for start, end in zip(starts, ends)]
    chosen %= len(pieces)
    if distortion.drop_contour is not None:
        del pieces[chosen]
    else:
        pieces[chosen] = tuple(part[::-1] for part in pieces[chosen])
    lengths = np.cumsum([len(part) for part, _ in pieces])
    return np.concatenate([part for part, _ in pieces]), np.concatenate([part for _, part in pieces]), lengths - 1


@dataclass
class Page:
    """Coverage 0 to 255 of every device pixel, and how many glyphs' boxes may have put ink there."""

    coverage: np.ndarray
    layers: np.ndarray
    placed: list[Placed]
    boxes: list[tuple[int, int, int, int]]


def draw(hand: Hand, request: Request) -> Page:
    """The whole page."""
    width, height = round(request.page_width * request.scale), round(request.page_height * request.scale)
    coverage = np.zeros((height, width), np.float32)
    layers = np.zeros((height, width), np.uint8)
    placed = place(hand, request)
    boxes = [box(hand, request, glyph) for glyph in placed]
    for group in touching(boxes):
        window = united([boxes[index] for index in group])
        fine = np.zeros(((window[3] - window[1]) * FINE, (window[2] - window[0]) * FINE), np.uint8)
        for index in group:
            left, top, right, bottom = boxes[index]
            glyph = fill(hand, request, placed[index], boxes[index])
            rows = slice((top - window[1]) * FINE, (bottom - window[1]) * FINE)
            columns = slice((left - window[0]) * FINE, (right - window[0]) * FINE)
            np.maximum(fine[rows, columns], glyph, out=fine[rows, columns])
            add_clipped(layers, (box_filter(glyph) > 0).astype(np.uint8), left, top)
        add_clipped(coverage, box_filter(fine), window[0], window[1])
    if request.distortion.doubled:
        coverage = np.minimum(2 * coverage, 255)
    return Page(coverage, layers, placed, boxes)


def box_filter(fine: np.ndarray) -> np.ndarray:
    """Mean of each device pixel's fine pixels, 0 to 255."""
    height, width = fine.shape[0] // FINE, fine.shape[1] // FINE
    columns = fine.reshape(height, FINE, width * FINE).sum(axis=1, dtype=np.uint16)
    return columns.reshape(height, width, FINE).sum(axis=2, dtype=np.uint32).astype(np.float32) / FINE**2


def add_clipped(page: np.ndarray, piece: np.ndarray, left: int, top: int) -> None:
    """Adds a piece to the page where the two overlap."""
    rows = slice(max(top, 0), min(top + piece.shape[0], page.shape[0]))
    columns = slice(max(left, 0), min(left + piece.shape[1], page.shape[1]))
    if rows.start < rows.stop and columns.start < columns.stop:
        page[rows, columns] += piece[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]


def touching(boxes: list[tuple[int, int, int, int]]) -> list[list[int]]:
    """The boxes by number, in groups that share no pixel with each other."""
    groups: list[tuple[tuple[int, int, int, int], list[int]]] = []
    for index, candidate in enumerate(boxes):
        window, members = candidate, [index]
        while overlapping := [group for group in groups if overlap(group[0], window)]:
            groups = [group for group in groups if group not in overlapping]
            window = united([window, *(group[0] for group in overlapping)])
            members = [member for group in overlapping for member in group[1]] + members
        groups.append((window, members))
    return [members for _, members in groups]


def overlap(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    """Whether two boxes share a pixel."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def united(boxes: list[tuple[int, int, int, int]]) -> tuple[int, int, int, int]:
    """The smallest box around all."""
    columns = list(zip(*boxes))
    return min(columns[0]), min(columns[1]), max(columns[2]), max(columns[3])
