"""Measures what the effects did to a page, from the alpha of finished PNGs with numpy and Pillow.

Reads {"measure": name, ...paths and parameters} from standard input, prints {figure: number}:

    displacement  plain, moved: pages of separate upright strokes ("axis": "x") or lying ones ("y").
                  The centroid of each stroke, line of pixels by line of pixels, in both pages: its shift is the
                  displacement along the axis there.  -> samples, mean, rms, correlation (at "lag" pixels along strokes)
    spread        the same pages: by how much the variance of a stroke's profile across grows  -> samples, variance
    opacity       plain, faded: alpha of the faded page where the plain page is solid
                  -> samples, mean, least, greatest, step (mean difference of neighbours), seam (the same where a
                  neighbour lies in another 16-pixel tile), swing (of the mean opacity along the writing, 400 px windows)
    scales        coarse, fine: the fine page averaged over 2 x 2 pixels and the coarse one -> mean, greatest (of 255)
"""

import json
import sys

import numpy as np
from PIL import Image

Image.MAX_IMAGE_PIXELS = None
# Pixels around a stroke that still belong to it.
REACH = 12


def alpha(path: str) -> np.ndarray:
    """The page's alpha, 0 to 255."""
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGBA"))[:, :, 3].astype(np.float64)


def runs(inked: np.ndarray) -> list[tuple[int, int]]:
    """First and last + 1 of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inked.astype(np.int8), [0]))))
    return list(zip(edges[::2], edges[1::2], strict=True))


def strokes(job: dict):
    """Every stroke of both pages with its surroundings, lying ones turned upright."""
    pages = [alpha(job["plain"]), alpha(job["moved"])]
    if job["axis"] == "y":
        pages = [page.T for page in pages]
    plain, moved = pages
    inside, reach = 3, job.get("reach", REACH)
    for top, bottom in runs(plain.any(axis=1)):
        for left, right in runs(plain[top:bottom].any(axis=0)):
            rows = slice(top + inside + reach, bottom - inside - reach)
            columns = slice(max(left - reach, 0), right + reach)
            if rows.stop - rows.start > 20:
                yield plain[rows, columns], moved[rows, columns]


def centroids(stroke: np.ndarray) -> np.ndarray:
    """The centroid of each line of pixels."""
    return (stroke * np.arange(stroke.shape[1])).sum(axis=1) / stroke.sum(axis=1)


def displacement(job: dict) -> dict:
    """The shifts of strokes."""
    shifts = [centroids(moved) - centroids(plain) for plain, moved in strokes(job)]
    lag = job["lag"]
    values = np.concatenate(shifts)
    pairs = [(shift[lag:] * shift[:-lag]) for shift in shifts if len(shift) > lag]
    return {
        "samples": len(values),
        "mean": values.mean(),
        "rms": np.sqrt((values**2).mean()),
        "correlation": np.concatenate(pairs).mean() / (values**2).mean(),
    }


def spread(job: dict) -> dict:
    """The growth of the variance of the strokes' mean profile."""

    def variance(profile: np.ndarray) -> float:
        places = np.arange(len(profile))
        centre = (profile * places).sum() / profile.sum()
        return (profile * (places - centre) ** 2).sum() / profile.sum()

    grown = [
        variance(moved.sum(axis=0)) - variance(plain.sum(axis=0)) for plain, moved in strokes(job) if moved.any()
    ]
    return {"samples": len(grown), "variance": np.mean(grown)}


def opacity(job: dict) -> dict:
    """Statistics of the ink's opacity where the plain page is solid."""
    solid = alpha(job["plain"]) == 255
    faded = alpha(job["faded"]) / 255
    values = faded[solid]
    pairs = solid[:, 1:] & solid[:, :-1]
    steps = np.abs(np.diff(faded, axis=1))
    border = (np.arange(1, solid.shape[1]) % 16 == 0)[np.newaxis, :] & pairs
    rows, columns = np.nonzero(solid)
    line = np.cumsum(np.concatenate(([False], np.diff(solid.any(axis=1).astype(int)) == 1)))
    # Windows of 400 px along each line of writing.
    windows = line[rows].astype(np.int64) * 1000 + columns // 400
    count = np.bincount(windows)
    means = np.bincount(windows, weights=values)[count > 200] / count[count > 200]
    return {
        "samples": len(values),
        "mean": values.mean(),
        "least": values.min(),
        "greatest": values.max(),
        "step": steps[pairs].mean(),
        "seam": steps[border].mean(),
        "swing": means.max() - means.min(),
    }


def scales(job: dict) -> dict:
    """The fine page made coarse, beside the coarse one."""
    coarse, fine = alpha(job["coarse"]), alpha(job["fine"])
    height, width = coarse.shape
    shrunk = fine[: 2 * height, : 2 * width].reshape(height, 2, width, 2).mean(axis=(1, 3))
    inked = (coarse > 0) | (shrunk > 0)
    difference = np.abs(coarse - shrunk)[inked]
    return {"samples": len(difference), "mean": difference.mean(), "greatest": difference.max()}


if __name__ == "__main__":
    order = json.load(sys.stdin)
    measures = {"displacement": displacement, "spread": spread, "opacity": opacity, "scales": scales}
    json.dump({name: float(figure) for name, figure in measures[order["measure"]](order).items()}, sys.stdout)
