"""Draws a contact sheet of the strokes of fonts, to look at their order and direction.

    python scripts/strokes/sheet.py SLUG[,SLUG...] OUT.png [CHARACTERS]

Each cell has one character: its glyph in grey, and its strokes as `fonts/strokes` has them, with a dot and a number
where each begins, and arrows along it. After the number: ~ linked to the stroke before, b bar, . mark.
"""

import sys
from pathlib import Path

import curves
import file_format
import numpy as np
from lines import Part
from outlines import Font
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
# Size of a cell in pixels, cells in a row, and room above each font's rows for its name.
CELL = 100
COLUMNS = 16
HEAD = 16
COLORS = [(220, 30, 30), (20, 90, 220), (10, 150, 60), (200, 120, 0), (150, 30, 180), (0, 150, 160)]
SUFFIX = {Part.BODY: "", Part.LINKED: "~", Part.BAR: "b", Part.MARK: "."}


def sheet(slug: str, characters: str) -> Image.Image:
    """The sheet of one font."""
    _, pen_em, glyphs = file_format.decode((ROOT / f"fonts/strokes/{slug}.strokes").read_bytes())
    font = Font(ROOT / f"fonts/ttf/{slug}.ttf", pen_em)
    cmap = font.cmap()
    shown = {character: glyphs[cmap[ord(character)]] for character in characters if cmap.get(ord(character)) in glyphs}
    heights = np.concatenate([stroke.cubics[..., 1].ravel() for strokes in shown.values() for stroke in strokes])
    low, high = np.percentile(heights, [0.5, 99.5])
    # All characters of a font have one scale, in pixels a font unit.
    font.face.set_pixel_sizes(0, max(int((CELL - 24) / (high - low) * font.units_per_em), 8))
    scale = font.face.size.y_ppem / font.units_per_em
    rows = -(-len(shown) // COLUMNS)
    picture = Image.new("RGB", (COLUMNS * CELL, rows * CELL + HEAD), "white")
    draw = ImageDraw.Draw(picture)
    draw.text((2, 2), slug, fill="black")
    for index, (character, strokes) in enumerate(shown.items()):
        left, top = index % COLUMNS * CELL, index // COLUMNS * CELL + HEAD
        draw.rectangle([left, top, left + CELL - 1, top + CELL - 1], outline=(225, 225, 225))
        draw.text((left + 2, top + 1), character, fill="black")
        across = np.concatenate([stroke.cubics[..., 0].ravel() for stroke in strokes])
        origin = np.array([left + CELL / 2 - scale * (across.min() + across.max()) / 2, top + CELL - 10 + scale * low])
        drawn = font.coverage(cmap[ord(character)])
        if drawn is not None:
            pixels, glyph_left, glyph_top = drawn
            place = (round(origin[0] + glyph_left), round(origin[1] - glyph_top))
            picture.paste((90, 90, 90), place, Image.fromarray((pixels * 0.25).astype(np.uint8)))
        for number, stroke in enumerate(strokes):
            color = COLORS[number % len(COLORS)]
            points = [curves.value(cubic.astype(float), np.linspace(0, 1, 10)) for cubic in stroke.cubics]
            line = np.vstack(points) * [scale, -scale] + origin
            arrow(draw, line, color)
            x, y = line[0]
            draw.text((x - 9, y - 10), f"{number + 1}{SUFFIX[stroke.part]}", fill=color)
    return picture


def arrow(draw: ImageDraw.ImageDraw, line: np.ndarray, color: tuple[int, int, int]) -> None:
    """A line with a dot where it begins and arrows in its direction."""
    draw.line([tuple(point) for point in line], fill=color, width=2)
    x, y = line[0]
    draw.ellipse([x - 2.5, y - 2.5, x + 2.5, y + 2.5], fill=color)
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    for share in (0.25, 0.7) if along[-1] > 40 else (0.45,):
        here, ahead = (
            np.array([np.interp(share * along[-1] + step, along, line[:, axis]) for axis in (0, 1)]) for step in (0, 2)
        )
        way = (ahead - here) / max(np.hypot(*(ahead - here)), 1e-6)
        side = np.array([-way[1], way[0]])
        draw.polygon([tuple(here + 5 * way), *(tuple(here - 2 * way + turn * side) for turn in (3, -3))], fill=color)


def main() -> None:
    slugs, out, characters = sys.argv[1].split(","), sys.argv[2], (sys.argv[3:] or [CHARACTERS])[0]
    sheets = [sheet(slug, characters) for slug in slugs]
    whole = Image.new("RGB", (sheets[0].width, sum(part.height for part in sheets)), "white")
    top = 0
    for part in sheets:
        whole.paste(part, (0, top))
        top += part.height
    whole.save(out)


if __name__ == "__main__":
    main()
