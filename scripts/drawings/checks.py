"""What a drawing must keep of the font's own letter, and which letter of the hand it is nearest to."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from PIL import Image, ImageDraw
from scipy.ndimage import gaussian_filter
from scipy.spatial import cKDTree
from shapely import affinity
from shapely.geometry import MultiPolygon

from glyphs import Letter

# Most that the ink's left and right edges differ from the font's letter, and the right edge where an end was moved.
EDGE, EXIT_EDGE = 0.06, 0.12
# Most that the lowest and highest ink differ: at the baseline and x-height, and beyond them.
LEVEL, FAR_LEVEL = 0.13, 0.24
AREA = (0.85, 1.2)
THINNEST = 0.75
# Pixels in one x-height of the pictures that are compared, and their blur.
SCALE, BLUR = 14, 1.3
# Margin by which a drawing is nearer to its own letter than to any other; half of the font's own where that is less.
MARGIN = 0.03


@dataclass
class Verdict:
    """What a drawing failed, and its distance from the font's own letter (mean nearest edge, in x-heights)."""

    failed: list[str]
    margin: float


class Alphabet:
    """Pictures of a hand's letters to compare with."""

    def __init__(self, letters: dict[str, Letter]):
        self.pictures = {name: picture(letter.outline, letter.x_height) for name, letter in letters.items()}
        self.own_margin = {name: self.margin(name, letter.outline, letter.x_height) for name, letter in letters.items()}

    def margin(self, name: str, ink: MultiPolygon, x_height: float) -> float:
        """Likeness to the own letter less that to the most like other one of the same case; both from 0 to 1."""
        own = picture(ink, x_height)
        alike = [(other[0], p) for other, p in self.pictures.items() if other[0].islower() == name[0].islower()]
        rest = [p for character, p in alike if character != name[0]]
        return likeness(own, self.pictures[name]) - max((likeness(own, other) for other in rest), default=0.0)


def picture(ink: MultiPolygon, x_height: float) -> np.ndarray:
    """Blurred ink on a fixed grid, its left edge at a fixed place."""
    scale = SCALE / x_height
    left = ink.bounds[0]
    image = Image.new("L", (5 * SCALE, 6 * SCALE))
    drawing = ImageDraw.Draw(image)
    for part in ink.geoms:
        for ring, value in [(part.exterior, 255), *((hole, 0) for hole in part.interiors)]:
            drawing.polygon([((x - left) * scale + SCALE, 4 * SCALE - y * scale) for x, y in ring.coords], fill=value)
    return gaussian_filter(np.array(image, float), BLUR)


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    """Greatest normalised correlation over small shifts to the sides."""
    norm = np.sqrt((a * a).sum() * (b * b).sum())
    return max(float((np.roll(a, shift, axis=1) * b).sum() / norm) for shift in (-2, -1, 0, 1, 2))


def thinnest_loss(ink: MultiPolygon, width: float) -> float:
    """Share of the ink that a disc of that diameter does not reach."""
    opened = ink.buffer(-width / 2).buffer(width / 2)
    return 1 - opened.area / ink.area


@cache
def thinnest(letter: Letter) -> float:
    """Width at which a disc no longer reaches 4 % of the font's own letter."""
    widths = np.linspace(0.25, 1.2, 20) * letter.pen
    losses = [thinnest_loss(letter.outline, width) for width in widths]
    return float(next((w for w, loss in zip(widths, losses, strict=True) if loss > 0.04), widths[-1]))


def verdict(letter: Letter, ink: MultiPolygon, alphabet: Alphabet, exit_moved: bool) -> Verdict:
    failed = []
    own, new, xh = letter.outline, ink.bounds, letter.x_height
    old = own.bounds
    if abs(new[0] - old[0]) > EDGE * xh:
        failed.append(f"left {(new[0] - old[0]) / xh:+.2f}")
    if abs(new[2] - old[2]) > (EXIT_EDGE if exit_moved else EDGE) * xh:
        failed.append(f"right {(new[2] - old[2]) / xh:+.2f}")
    for name, at in (("bottom", 1), ("top", 3)):
        is_far = old[at] < -0.2 * xh if at == 1 else old[at] > 1.25 * xh
        if abs(new[at] - old[at]) > (FAR_LEVEL if is_far else LEVEL) * xh:
            failed.append(f"{name} {(new[at] - old[at]) / xh:+.2f}")
    share = ink.area / own.area
    if not AREA[0] <= share <= AREA[1]:
        failed.append(f"area {share:.2f}")
    if len(ink.geoms) != len(own.geoms):
        failed.append(f"{len(ink.geoms)} components, not {len(own.geoms)}")
    if thinnest_loss(ink, THINNEST * thinnest(letter)) > 0.045:
        failed.append("thin")
    margin = alphabet.margin(letter.name, ink, xh)
    if margin < min(MARGIN, alphabet.own_margin[letter.name] / 2):
        failed.append(f"reads as another letter {margin:.3f}")
    return Verdict(failed, margin)


def settled(letter: Letter, ink: MultiPolygon) -> MultiPolygon:
    """The ink shifted to the side so that its edges deviate alike, by at most 0.05 x-heights."""
    old, new = letter.outline.bounds, ink.bounds
    off = ((new[0] - old[0]) + (new[2] - old[2])) / 2
    limit = 0.05 * letter.x_height
    return affinity.translate(ink, -float(np.clip(off, -limit, limit)))


def difference(a: MultiPolygon, b: MultiPolygon, x_height: float) -> float:
    """Mean distance between edges, both ways, after the centres of the boxes are laid upon each other at the side."""
    shift = (a.bounds[0] + a.bounds[2] - b.bounds[0] - b.bounds[2]) / 2
    def edge(ink, dx):
        points = [np.array(r.segmentize(x_height / 20).coords) for p in ink.geoms for r in (p.exterior, *p.interiors)]
        return np.vstack(points) + [dx, 0]

    first, second = edge(a, 0.0), edge(b, shift)
    return float((cKDTree(first).query(second)[0].mean() + cKDTree(second).query(first)[0].mean()) / 2 / x_height)
