"""Measures the line of a pen on a page: how its width and darkness vary along the strokes.

Reads a JSON object from standard input: {"picture": path of a PNG whose alpha is the ink, "dpi"}. Prints lengths in mm:

    {"points": number, "width": median, "width_sd": of ln width, "steps": root of half the mean squared difference of ln
     width at 0.4 and 1 mm along a stroke, "direction": half the range of ln width over the direction of the stroke, as
     the amplitude of cos 2(a - "widest"), "widest": degrees, y up, "dark_sd": of the darkness over its median, "grain": the
     same of pixels about the mean along the stroke, "between": how much more neighbouring words differ than parts of a
     word as far apart, half the mean squares of ln width and of darkness}

The page is blurred as a scanner does it. Width is that at half of the darkness of the stroke's middle, across a stroke
that lies free on both sides here and to both sides along it: so junctions, ends and narrow loops are left out.
"""

import json
import sys

import numpy as np
from PIL import Image
from scipy import ndimage as ndi
from scipy.spatial import cKDTree

# Standard deviation of a scanner's blur at 300 DPI, in px.
SCANNER = 0.65
# Distances along a stroke, in mm.
STEPS = (0.4, 1.0)


def sampled(page: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The page at points [..., (x, y)]: cubic, from coefficients."""
    return ndi.map_coordinates(page, [points[..., 1], points[..., 0]], order=3, prefilter=False, mode="nearest")


def ridges(page: np.ndarray, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Points in the middle of strokes, and the unit vectors across them."""
    scale = 0.5 * width
    xx = ndi.gaussian_filter(page, scale, order=(0, 2))
    yy = ndi.gaussian_filter(page, scale, order=(2, 0))
    xy = ndi.gaussian_filter(page, scale, order=(1, 1))
    smooth = ndi.gaussian_filter(page, scale)
    turn = 0.5 * np.arctan2(2 * xy, xx - yy) + 0.5 * np.pi
    across = np.stack([np.cos(turn), np.sin(turn)], -1)
    rows, columns = np.nonzero(page > 0.45)
    points = np.stack([columns, rows], -1).astype(float)
    normals = across[rows, columns]
    beside = [ndi.map_coordinates(smooth, (points + side * normals).T[::-1], order=1) for side in (-1, 1)]
    is_top = (smooth[rows, columns] >= beside[0]) & (smooth[rows, columns] >= beside[1])
    return points[is_top], normals[is_top]


def crossing(profiles: np.ndarray, level: np.ndarray, step: float) -> np.ndarray:
    """How far from its first sample each profile falls below the level; NaN where it does not."""
    below = profiles < level[:, None]
    last = np.argmax(below, axis=1)
    rows = np.arange(len(profiles))
    high, low = profiles[rows, np.maximum(last - 1, 0)], profiles[rows, last]
    with np.errstate(all="ignore"):
        place = (last - 1 + (high - level) / (high - low)) * step
    return np.where(below.any(axis=1) & (last > 0), place, np.nan)


def measured(page: np.ndarray, width: float) -> dict[str, np.ndarray]:
    """Every free point of a stroke: place, direction, width in px, darkness and grain."""
    points, normals = ridges(page, width)
    coefficients = ndi.spline_filter(page, order=3)
    step = 0.2
    out = np.arange(0, 1.5 * width, step)
    sides = [sampled(coefficients, points[:, None] + side * out[None, :, None] * normals[:, None]) for side in (1, -1)]
    core = max(1, int(0.15 * width / step))
    middle = np.concatenate([side[:, : core + 1] for side in sides], axis=1)
    peak, dark = middle.max(axis=1), middle.mean(axis=1)
    edges = [crossing(side, 0.5 * peak, step) for side in sides]
    widths = edges[0] + edges[1]
    # White on both sides of the line.
    open_sides = np.all([side[:, -int(0.3 * width / step) - 1 :].min(axis=1) < 0.25 for side in sides], axis=0)
    with np.errstate(all="ignore"):
        is_free = open_sides & (peak > 0.3) & (widths > 0.4 * width) & (widths < 2 * width)
        is_free &= np.abs(edges[0] - edges[1]) < 0.6 * width
    # And so it is before and behind.
    along = np.stack([-normals[:, 1], normals[:, 0]], -1)
    free = cKDTree(points[is_free])
    for way in (-0.9, -0.45, 0.45, 0.9):
        is_free &= free.query(points + way * width * along)[0] < 1.5
    keep = is_free.nonzero()[0]
    points, normals, along = points[keep], normals[keep], along[keep]
    middles = points + (0.5 * (edges[0] - edges[1])[keep])[:, None] * normals
    # Darkness about its mean over some 0.35 mm of the stroke.
    reach = 4.1 * np.linspace(-2, 2, 17)
    weights = np.exp(-0.5 * (reach / 4.1) ** 2)
    inside = np.linspace(-0.22, 0.22, 5) * width
    lengthwise = middles[:, None] + reach[None, :, None] * along[:, None]
    mean = sampled(coefficients, lengthwise) @ (weights / weights.sum())
    grains = sampled(coefficients, middles[:, None] + inside[None, :, None] * normals[:, None]) - mean[:, None]
    # The middle is darker than the sides of a narrow line.
    grains -= grains.mean(axis=0)
    return {"at": points, "along": along, "width": widths[keep], "dark": dark[keep], "grain": grains}


def step_at(line: dict, values: np.ndarray, distance: float) -> float:
    """Root of half the mean squared difference of values at this distance in px along a stroke."""
    pairs = cKDTree(line["at"]).query_pairs(distance + 0.5, output_type="ndarray")
    apart = line["at"][pairs[:, 1]] - line["at"][pairs[:, 0]]
    length = np.hypot(*apart.T)
    first, second = (np.abs((line["along"][pairs[:, side]] * apart).sum(1)) > 0.94 * length for side in (0, 1))
    pairs = pairs[(length > distance - 0.5) & first & second]
    return float(np.sqrt(0.5 * np.mean((values[pairs[:, 0]] - values[pairs[:, 1]]) ** 2)))


def between_words(page: np.ndarray, line: dict, values: list[np.ndarray]) -> list[float]:
    """Half the mean squared differences of values in neighbouring words less those inside a word, at equal distances."""
    rows, columns = np.nonzero(page > 0.4)
    heights = ndi.find_objects(ndi.label(page > 0.4)[0])
    height = float(np.median([part[0].stop - part[0].start for part in heights if part]))
    apart = int(0.8 * height) | 1
    words = ndi.label(ndi.binary_dilation(page > 0.4, np.ones((3, apart))), np.ones((3, 3)))[0]
    at = line["at"]
    word = words[at[:, 1].astype(int), at[:, 0].astype(int)]
    random = np.random.default_rng(1)
    chosen = random.permutation(len(at))[:4000]
    pairs = cKDTree(at[chosen] * [1, 3]).query_pairs(6 * height, output_type="ndarray")
    first, second = chosen[pairs[:, 0]], chosen[pairs[:, 1]]
    distance = np.abs(at[first, 0] - at[second, 0]) / height
    sums = np.zeros(len(values))
    count = 0
    for nearest in np.arange(1.5, 6, 0.75):
        here = (distance >= nearest) & (distance < nearest + 0.75)
        same, other = here & (word[first] == word[second]), here & (word[first] != word[second])
        weight = min(same.sum(), other.sum())
        squares = [0.5 * (value[first] - value[second]) ** 2 for value in values]
        if weight > 200:
            sums += weight * np.array([square[other].mean() - square[same].mean() for square in squares])
            count += weight
    return (sums / max(count, 1)).tolist()


def main() -> None:
    job = json.load(sys.stdin)
    px = 25.4 / job["dpi"]
    page = np.asarray(Image.open(job["picture"]).convert("RGBA"))[..., 3] / 255.0
    page = ndi.gaussian_filter(page, SCANNER)
    # 1 is the ink of the middle of strokes.
    page /= np.percentile(page[page > 0.3], 80)
    inside = ndi.distance_transform_edt(page > 0.4)
    width = 2.0 * float(np.median(inside[(inside == ndi.maximum_filter(inside, 3)) & (inside > 1)]))
    line = measured(page, width)
    logs, dark = np.log(line["width"]), line["dark"] / np.median(line["dark"])
    angle = np.arctan2(-line["along"][:, 1], line["along"][:, 0])
    terms = np.stack([np.ones_like(angle), np.cos(2 * angle), np.sin(2 * angle)], -1)
    _, cosine, sine = np.linalg.lstsq(terms, logs, rcond=None)[0]
    between = between_words(page, line, [logs, dark])
    figures = {
        "points": len(logs),
        "width": float(np.median(line["width"])) * px,
        "width_sd": float(logs.std()),
        "steps": [step_at(line, logs, distance / px) for distance in STEPS],
        "direction": float(np.hypot(cosine, sine)),
        "widest": float(np.degrees(0.5 * np.arctan2(sine, cosine)) % 180),
        "dark_sd": float(dark.std()),
        "grain": float((line["grain"] / np.median(line["dark"])).std()),
        "between": between,
    }
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
